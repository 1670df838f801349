// Prints types in builtin/StableHLO and in VHLO spelling.
#include "shlo/types.h"

#include "base/stack.h"
#include "ir/print/attr_printer.h"
#include "ir/table/float_format.h"

namespace shlo::text {

void AttrPrinter::TypeListOf(IdList<TypeId> types, Spelling spelling) {
  PutList(out_, types.size(), [&](size_t i) { Type(types[i], spelling); });
}

void AttrPrinter::FunctionSignature(IdList<TypeId> inputs, IdList<TypeId> results, Spelling spelling) {
  Put('(');
  TypeListOf(inputs, spelling);
  Put(") -> ");
  const bool bare = results.size() == 1 && m_.types.KindOf(results[0]) != TypeKind::kFunction;
  if (!bare) Put('(');
  TypeListOf(results, spelling);
  if (!bare) Put(')');
}

void AttrPrinter::Vector(const VectorType& vector, Spelling spelling) {
  Put("vector<");
  for (size_t i = 0; i < vector.shape.size(); ++i) {
    const bool scales = i < vector.scalable.size() && vector.scalable[i];
    if (scales) Put('[');
    PutInt(out_, vector.shape[i]);
    if (scales) Put(']');
    Put('x');
  }
  Type(vector.element, spelling);
  Put('>');
}

void AttrPrinter::BuiltinType(TypeId type, Spelling spelling) {
  const auto node = m_.types[type];
  const KindRow& row = RowOf(node.kind);
  switch (node.kind) {
    case TypeKind::kInvalid:
      return Put("<<none>>");
    case TypeKind::kInteger: {
      const auto integer = node.Get<IntegerType>();
      Put(integer.signedness == 1 ? "si" : integer.signedness == 2 ? "ui" : "i");
      return PutInt(out_, integer.width);
    }
    case TypeKind::kFunction: {
      const auto function = node.Get<FunctionType>();
      return FunctionSignature(function.inputs, function.results, spelling);
    }
    case TypeKind::kVector:
      return Vector(node.Get<VectorType>(), spelling);
    case TypeKind::kUniformQuantized:
    case TypeKind::kUniformQuantizedPerAxis:
    case TypeKind::kUniformQuantizedSubChannel:
      return QuantizedType(type);
    case TypeKind::kOpaqueType:
      Put('!');
      Put(m_.strings[node.Get<OpaqueType>().dialect]);
      return Put(m_.strings[node.Get<OpaqueType>().text]);
    default:
      if (!row.dialect.empty()) {
        Put('!');
        Put(DialectOf(row));
        Put('.');
      }
      Put(row.mnemonic);
      if (row.num_fields) Format(TextOf(node.kind).text, row, node.words, spelling);
  }
}

namespace {
constexpr int64_t kSigned = 1;  // bit of a quantized type's flags
}

// Prints "i8", "u4", with "<min:max>" if the bounds differ from those of the storage type.
void AttrPrinter::StorageType(TypeId storage, int64_t flags, int64_t min, int64_t max) {
  const TypeKind kind = m_.types.KindOf(storage);
  if (IsFloat(kind)) {
    Type(storage, Spelling::kStablehlo);
  } else {
    int64_t width = BitWidth(kind);
    bool signless = IsSignlessInteger(kind);
    if (const auto integer = m_.As<IntegerType>(storage)) {
      width = integer->width;
      signless = integer->signedness == 0;
    }
    if (signless) {
      Put(flags & kSigned ? 'i' : 'u');
      PutInt(out_, width);
    } else {
      // The storage type is invalid; print it as the program has it.
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
  const shlo::QuantizedType quant(m_, type);
  Put("!quant.uniform<");
  StorageType(quant.storage, quant.flags, quant.storage_min, quant.storage_max);
  Put(':');
  Type(quant.expressed, Spelling::kStablehlo);
  if (node.kind == TypeKind::kUniformQuantized) {
    Put(", ");
    QuantParams(quant.scales[0], quant.zero_points[0]);
    return Put('>');
  }
  if (quant.per_axis) {
    Put(':');
    PutInt(out_, quant.dimension);
    Put(", {");
    for (size_t i = 0; i < quant.scales.size(); ++i) {
      if (i) Put(',');
      QuantParams(quant.scales[i], i < quant.zero_points.size() ? quant.zero_points[i] : 0);
    }
    return Put("}>");
  }
  SubChannels(node.Get<UniformQuantizedSubChannelType>());
}

void AttrPrinter::SubChannels(const UniformQuantizedSubChannelType& blocks) {
  Put(":{");
  PutList(out_, blocks.quantized_dimensions.size(), [&](size_t i) {
    PutInt(out_, blocks.quantized_dimensions[i]);
    Put(':');
    PutInt(out_, i < blocks.block_sizes.size() ? blocks.block_sizes[i] : 0);
  });
  Put("}, ");
  const auto shape = blocks.scale_shape, zero_points = blocks.zero_points;
  const NodeList<double> scales = blocks.scales;
  // Nested braces with the shape of the scales.
  std::vector<int64_t> at(shape.size(), 0);
  size_t item = 0;
  const auto nest = [&](auto&& self, size_t dim) -> void {
    CheckStack();
    if (dim == shape.size()) {
      if (item < scales.size())
        QuantParams(blocks.expressed, scales[item], item < zero_points.size() ? zero_points[item] : 0);
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

// Prints a type in VHLO spelling if it has one.
bool AttrPrinter::VhloType(TypeId type) {
  const auto node = m_.types[type];
  const KindRow& row = RowOf(node.kind);
  if (row.vhlo.empty()) return false;
  if (const auto buffer = node.As<MemRefType>(); buffer && (buffer->layout || buffer->memory_space))
    return false;  // VHLO's buffer type has neither layout nor memory space
  Put("!vhlo.");
  Put(row.vhlo);
  if (const auto function = node.As<FunctionType>())
    VhloFunction(*function);
  else if (row.num_fields)
    Format(TextOf(node.kind).vhlo, row, node.words, Spelling::kVhlo);
  return true;
}

void AttrPrinter::VhloFunction(const FunctionType& function) {
  const auto list = [&](IdList<TypeId> types) {
    types.empty() ? Put("()") : TypeListOf(types, Spelling::kVhlo);
  };
  Put("<(");
  list(function.inputs);
  Put(") -> ");
  list(function.results);
  Put('>');
}

}  // namespace shlo::text

namespace shlo {

std::string StorageTypeText(const Module& module, TypeId storage, int64_t flags, int64_t min, int64_t max) {
  text::TextBuffer buffer;
  text::AttrPrinter(module, 0, &buffer).StorageType(storage, flags, min, max);
  return std::string(buffer.view());
}

}  // namespace shlo
