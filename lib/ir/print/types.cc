// Types as text, in the builtin/StableHLO and in the portable spelling.
#include "ir/print/attr_printer.h"
#include "ir/table/float_format.h"

namespace shlo::text {

std::string_view EnumeratorName(TypeKind kind) {
  switch (kind) {
#define SHLO_TYPE(id, name, ...) \
  case TypeKind::name:           \
    return #name;
#include "schema/kinds.inc"
    default:
      return "kInvalid";
  }
}

void AttrPrinter::Cache(std::vector<std::pair<uint32_t, uint32_t>>& cache, uint32_t id, size_t begin) {
  constexpr size_t kLargest = 512;
  const size_t size = out_.size() - begin;
  if (size == 0 || size > kLargest || cached_.size() > (1u << 26) || failed_) return;
  if (cache.size() <= id) cache.resize(id + id / 2 + 64);
  cache[id] = {uint32_t(cached_.size()), uint32_t(size)};
  cached_.append(out_, begin, size);
}

void AttrPrinter::Type(TypeId type, Spelling spelling) {
  if (Aliased(type)) return;
  auto& cache = type_cache_[size_t(spelling)];
  if (type.v < cache.size() && cache[type.v].second != 0) {
    out_.append(cached_, cache[type.v].first, cache[type.v].second);
    return;
  }
  Nesting nesting(*this);
  if (failed_) return;
  const size_t begin = out_.size();
  if (spelling == Spelling::kStablehlo || !VhloType(type)) BuiltinType(type, spelling);
  Cache(type_cache_[size_t(spelling)], type.v, begin);
  if (trace_) {
    std::string line = "writeType ";
    line += EnumeratorName(m_.types.KindOf(type));
    line += ' ';
    line.append(out_, begin);
    (*trace_)(line);
  }
}

void AttrPrinter::TypeListOf(std::span<const uint64_t> types, Spelling spelling) {
  bool first = true;
  for (uint64_t word : types) {
    if (!first) Put(", ");
    first = false;
    Type(TypeId(uint32_t(word)), spelling);
  }
}

void AttrPrinter::FunctionSignature(std::span<const uint64_t> inputs, std::span<const uint64_t> results,
                                    Spelling spelling) {
  Put('(');
  TypeListOf(inputs, spelling);
  Put(") -> ");
  const bool bare =
      results.size() == 1 && m_.types.KindOf(TypeId(uint32_t(results[0]))) != TypeKind::kFunction;
  if (!bare) Put('(');
  TypeListOf(results, spelling);
  if (!bare) Put(')');
}

void AttrPrinter::DimList(std::span<const int64_t> dims, char separator_after) {
  for (int64_t dim : dims) {
    if (dim == kDynamic)
      Put('?');
    else
      PutInt(out_, dim);
    Put(separator_after);
  }
}

void AttrPrinter::ShapeAndElement(std::span<const int64_t> shape, TypeId element, Spelling spelling) {
  DimList(shape);
  Type(element, spelling);
}

void AttrPrinter::BuiltinType(TypeId type, Spelling spelling) {
  const auto node = m_.types[type];
  const KindRow& row = RowOf(node.kind);
  FieldReader r(node.words);
  switch (node.kind) {
    case TypeKind::kInvalid:
      Put("<<none>>");
      return;
    case TypeKind::kInteger: {
      const int64_t width = r.Int();
      const int64_t signedness = r.Int();
      Put(signedness == 1 ? "si" : signedness == 2 ? "ui" : "i");
      PutInt(out_, width);
      return;
    }
    case TypeKind::kComplex:
      Put("complex<");
      Type(r.Type(), spelling);
      return Put('>');
    case TypeKind::kTensor: {
      const TypeId element = r.Type();
      const AttrId encoding = r.Attr();
      Put("tensor<");
      ShapeAndElement(r.Ints(), element, spelling);
      if (encoding) {
        Put(", ");
        Attr(encoding, spelling);
      }
      return Put('>');
    }
    case TypeKind::kUnrankedTensor:
      Put("tensor<*x");
      Type(r.Type(), spelling);
      return Put('>');
    case TypeKind::kTuple:
      Put("tuple<");
      TypeListOf(r.List(), spelling);
      return Put('>');
    case TypeKind::kFunction: {
      const auto inputs = r.List();
      return FunctionSignature(inputs, r.List(), spelling);
    }
    case TypeKind::kVector: {
      const TypeId element = r.Type();
      const auto shape = r.Ints();
      const auto scalable = r.Ints();
      Put("vector<");
      for (size_t i = 0; i < shape.size(); ++i) {
        const bool scales = i < scalable.size() && scalable[i];
        if (scales) Put('[');
        PutInt(out_, shape[i]);
        if (scales) Put(']');
        Put('x');
      }
      Type(element, spelling);
      return Put('>');
    }
    case TypeKind::kMemref:
    case TypeKind::kUnrankedMemref: {
      const bool ranked = node.kind == TypeKind::kMemref;
      const TypeId element = r.Type();
      const AttrId layout = ranked ? r.Attr() : AttrId();
      const AttrId space = r.Attr();
      Put("memref<");
      if (ranked)
        DimList(r.Ints());
      else
        Put("*x");
      Type(element, spelling);
      if (layout) {
        Put(", ");
        Attr(layout, spelling);
      }
      if (space) {
        Put(", ");
        Attr(space, spelling, /*elide=*/spelling == Spelling::kStablehlo);
      }
      return Put('>');
    }
    case TypeKind::kFuture:
      Put("!stablehlo.future<");
      TypeListOf(r.List(), spelling);
      return Put('>');
    case TypeKind::kUniformQuantized:
    case TypeKind::kUniformQuantizedPerAxis:
    case TypeKind::kUniformQuantizedSubChannel:
      return QuantizedType(type);
    case TypeKind::kOpaqueType:
      Put('!');
      Put(m_.strings[r.String()]);
      return Put(m_.strings[r.String()]);
    default:
      if (!row.dialect.empty()) {
        Put('!');
        Put(row.dialect);
        Put('.');
      }
      return Put(row.mnemonic);
  }
}

namespace {
constexpr int64_t kSigned = 1;  // bit of a quantized type's flags
}

// "i8", "u4", with "<min:max>" where the bounds are not those of the storage type.
void AttrPrinter::StorageType(TypeId storage, int64_t flags, int64_t min, int64_t max) {
  const TypeKind kind = m_.types.KindOf(storage);
  if (IsFloat(kind)) {
    Type(storage, Spelling::kStablehlo);
  } else {
    int64_t width = BitWidth(kind);
    bool signless = IsSignlessInteger(kind);
    if (kind == TypeKind::kInteger) {
      FieldReader r(m_.types[storage].words);
      width = r.Int();
      signless = r.Int() == 0;
    }
    if (signless) {
      Put(flags & kSigned ? 'i' : 'u');
      PutInt(out_, width);
    } else {
      // Not what the specification stores, but what the program says.
      Type(storage, Spelling::kStablehlo);
    }
    if (width > 0 && width < 63) {
      const int64_t lowest = flags & kSigned ? -(int64_t(1) << (width - 1)) : 0;
      const int64_t highest =
          flags & kSigned ? (int64_t(1) << (width - 1)) - 1 : int64_t((uint64_t(1) << width) - 1);
      if (min == lowest && max == highest) return;
    }
  }
  Put('<');
  PutInt(out_, min);
  Put(':');
  PutInt(out_, max);
  Put('>');
}

void AttrPrinter::QuantParams(double scale, int64_t zero_point) {
  PutDouble(out_, scale);
  if (zero_point == 0) return;
  Put(':');
  PutInt(out_, zero_point);
}

// The scale is an element of the expressed type.
void AttrPrinter::QuantParams(TypeId expressed, double scale, int64_t zero_point) {
  const TypeKind kind = m_.types.KindOf(expressed);
  if (!FloatFormatOf(kind)) return QuantParams(scale, zero_point);
  PutFloat(out_, kind, EncodeFloat(kind, scale));
  if (zero_point == 0) return;
  Put(':');
  PutInt(out_, zero_point);
}

void AttrPrinter::QuantizedType(TypeId type) {
  const auto node = m_.types[type];
  FieldReader r(node.words);
  const TypeId storage = r.Type();
  const TypeId expressed = r.Type();
  const int64_t flags = r.Int();
  Put("!quant.uniform<");
  if (node.kind == TypeKind::kUniformQuantized) {
    const double scale = r.Float();
    const int64_t zero_point = r.Int();
    const int64_t min = r.Int();
    StorageType(storage, flags, min, r.Int());
    Put(':');
    Type(expressed, Spelling::kStablehlo);
    Put(", ");
    QuantParams(scale, zero_point);
    return Put('>');
  }
  if (node.kind == TypeKind::kUniformQuantizedPerAxis) {
    const int64_t dimension = r.Int();
    const int64_t min = r.Int();
    StorageType(storage, flags, min, r.Int());
    Put(':');
    Type(expressed, Spelling::kStablehlo);
    Put(':');
    PutInt(out_, dimension);
    Put(", {");
    const auto scales = r.List();
    const auto zero_points = r.Ints();
    for (size_t i = 0; i < scales.size(); ++i) {
      if (i) Put(',');
      QuantParams(std::bit_cast<double>(scales[i]), i < zero_points.size() ? zero_points[i] : 0);
    }
    return Put("}>");
  }
  const int64_t min = r.Int();
  StorageType(storage, flags, min, r.Int());
  Put(':');
  Type(expressed, Spelling::kStablehlo);
  Put(":{");
  const auto dimensions = r.Ints();
  const auto block_sizes = r.Ints();
  for (size_t i = 0; i < dimensions.size(); ++i) {
    if (i) Put(", ");
    PutInt(out_, dimensions[i]);
    Put(':');
    PutInt(out_, i < block_sizes.size() ? block_sizes[i] : 0);
  }
  Put("}, ");
  const auto shape = r.Ints();
  const auto scales = r.List();
  const auto zero_points = r.Ints();
  // Nested braces in the shape of the scales.
  std::vector<int64_t> at(shape.size(), 0);
  size_t item = 0;
  const auto nest = [&](auto&& self, size_t dim) -> void {
    if (dim == shape.size()) {
      if (item < scales.size())
        QuantParams(expressed, std::bit_cast<double>(scales[item]),
                    item < zero_points.size() ? zero_points[item] : 0);
      ++item;
      return;
    }
    Put('{');
    for (int64_t i = 0; i < shape[dim] && item <= scales.size(); ++i) {
      if (i) Put(", ");
      self(self, dim + 1);
    }
    Put('}');
  };
  if (shape.size() > 64) return Fail();
  nest(nest, 0);
  Put('>');
}

// Prints a type in the portable spelling where there is one.
bool AttrPrinter::VhloType(TypeId type) {
  const auto node = m_.types[type];
  const KindRow& row = RowOf(node.kind);
  if (row.vhlo.empty()) return false;
  FieldReader r(node.words);
  constexpr Spelling kP = Spelling::kVhlo;
  if (node.kind == TypeKind::kMemref) {
    r.Type();
    if (r.Attr() || r.Attr()) return false;  // the portable buffer has neither layout nor memory space
    r = FieldReader(node.words);
  }
  Put("!vhlo.");
  Put(row.vhlo);
  if (row.num_fields == 0) return true;
  Put('<');
  switch (node.kind) {
    case TypeKind::kTensor: {
      const TypeId element = r.Type();
      const AttrId encoding = r.Attr();
      ShapeAndElement(r.Ints(), element, kP);
      if (encoding) {
        Put(", ");
        Attr(encoding, kP);
      }
      break;
    }
    case TypeKind::kMemref: {
      const TypeId element = r.Type();
      r.Attr();
      r.Attr();
      ShapeAndElement(r.Ints(), element, kP);
      break;
    }
    case TypeKind::kComplex:
    case TypeKind::kUnrankedTensor:
      Type(r.Type(), kP);
      break;
    case TypeKind::kTuple:
    case TypeKind::kFuture:
      TypeListOf(r.List(), kP);
      break;
    case TypeKind::kFunction: {
      const auto inputs = r.List();
      const auto results = r.List();
      Put('(');
      inputs.empty() ? Put("()") : TypeListOf(inputs, kP);
      Put(") -> ");
      results.empty() ? Put("()") : TypeListOf(results, kP);
      break;
    }
    case TypeKind::kUniformQuantized: {
      const TypeId storage = r.Type();
      const TypeId expressed = r.Type();
      const int64_t flags = r.Int();
      const double scale = r.Float();
      const int64_t zero_point = r.Int();
      const int64_t min = r.Int();
      const int64_t max = r.Int();
      Type(storage, kP);
      Put(':');
      Type(expressed, kP);
      Put(", ");
      PutDouble(out_, scale);
      Put(':');
      PutInt(out_, zero_point);
      Put(", ");
      PutInt(out_, min);
      Put(':');
      PutInt(out_, max);
      Put(", ");
      PutInt(out_, flags);
      break;
    }
    case TypeKind::kUniformQuantizedPerAxis: {
      const TypeId storage = r.Type();
      const TypeId expressed = r.Type();
      const int64_t flags = r.Int();
      const int64_t dimension = r.Int();
      const int64_t min = r.Int();
      const int64_t max = r.Int();
      const auto scales = r.List();
      const auto zero_points = r.Ints();
      Type(storage, kP);
      Put(':');
      Type(expressed, kP);
      Put(", ");
      PutInt(out_, dimension);
      Put(", [");
      for (size_t i = 0; i < scales.size(); ++i) {
        if (i) Put(", ");
        PutDouble(out_, std::bit_cast<double>(scales[i]));
      }
      Put("], ");
      Ints(zero_points);
      Put(", ");
      PutInt(out_, min);
      Put(':');
      PutInt(out_, max);
      Put(", ");
      PutInt(out_, flags);
      break;
    }
    default:
      break;
  }
  Put('>');
  return true;
}

}  // namespace shlo::text

namespace shlo {

std::string TypeText(const Module& module, TypeId type, Spelling spelling) {
  std::string out;
  text::AttrPrinter(module, 0, nullptr, &out).Type(type, spelling);
  return out;
}

std::string StorageTypeText(const Module& module, TypeId storage, int64_t flags, int64_t min, int64_t max) {
  std::string out;
  text::AttrPrinter(module, 0, nullptr, &out).StorageType(storage, flags, min, max);
  return out;
}

}  // namespace shlo
