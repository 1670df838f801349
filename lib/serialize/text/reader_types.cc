// Types: builtin, stablehlo, quant and shape types, their VHLO spellings, and others kept as text.
#include <algorithm>
#include <charconv>
#include <limits>

#include "base/format.h"
#include "ir/nearest_names.h"
#include "ir/print/attr_printer.h"
#include "ir/table/float_format.h"
#include "ir/table/mhlo.h"
#include "ir/verify/node_invariants.h"
#include "ir/verify/type_invariants.h"
#include "serialize/text/reader_attrs.h"
#include "shlo/types.h"

namespace shlo::text {

// A program repeats few types many times, so look up a type in angle brackets by its text first.
bool AttrReader::ReadType(TypeId* type) {
  const char ch = c_.Peek();
  const char* from = c_.p;
  // Often the type before this one.
  if (last_type_.size && last_type_.size <= size_t(c_.end - from) &&
      last_type_.Moves({from, last_type_.size})) {
    *type = last_type_.value;
    c_.p += last_type_.size;
    return true;
  }
  const size_t size = ch == 't' || ch == '!' ? BracketedSize(from, c_.end) : 0;
  if (!size) return ReadTypeSlow(type);
  const std::string_view text(from, size);
  auto& entry = type_cache_[text];
  if (entry.Moves(text)) {
    last_type_ = entry;
    *type = entry.value;
    c_.p += size;
    return true;
  }
  if (!ReadTypeSlow(type)) return false;
  if (c_.p == from + size) entry.Set(text, *type);
  return true;
}

bool AttrReader::ReadTypeSlow(TypeId* type) {
  Nest nest(this);
  if (!nest) return false;
  const char ch = c_.Peek();
  const char* from = c_.p;
  if (ch == '(') return ReadFunctionType(type);
  if (ch != '!' && !Is(ch, kLetterChar)) return FailExpected("non-function type");
  if (!(ch == '!' ? ReadDialectType(type) : ReadNamedType(type))) return false;
  if (!unsound_at_ && !IsSound(m_, *type)) {
    unsound_ = *type;
    unsound_at_ = from;
  }
  return true;
}

bool AttrReader::ReadNamedType(TypeId* type) {
  const std::string_view word = c_.Word();
  const char* at = word.data();
  if (word == "tensor") return ReadShaped(TypeKind::kTensor, type);
  if (word == "vector") return ReadVector(type);
  if (word == "memref") return ReadShaped(TypeKind::kMemref, type);
  const TypeKind kind = FindTypeKind("", word);
  if (kind == TypeKind::kComplex || kind == TypeKind::kTuple)
    return ReadTypeFields(kind, TextOf(kind).text, type) && CheckComplex(at, *type);
  // The rest are names of kinds without parts, and integers of any width.
  if (kind == TypeKind::kInvalid || RowOf(kind).num_fields != 0) return ReadIntegerType(word, type);
  *type = m_.Type(kind);
  return true;
}

bool AttrReader::CheckComplex(const char* at, TypeId type) {
  const auto complex = m_.As<ComplexType>(type);
  const TypeKind kind = complex ? m_.types.KindOf(complex->element) : TypeKind::kInteger;
  return BitWidth(kind) || kind == TypeKind::kInteger || Fail(at, "invalid element type for complex");
}

bool AttrReader::ReadIntegerType(std::string_view word, TypeId* type) {
  std::string_view digits = word;
  int signedness = 0;
  if (digits.starts_with("si")) signedness = 1;
  if (digits.starts_with("ui")) signedness = 2;
  digits.remove_prefix(std::min<size_t>(signedness ? 2 : 1, digits.size()));
  const bool numeric = !digits.empty() &&
                       std::all_of(digits.begin(), digits.end(), [](char ch) { return Is(ch, kDigitChar); });
  if (!numeric || (word[0] != 'i' && !signedness))
    return Fail(word.data(), "expected non-function type",
                DidYouMean(NearestKind(TypeKinds(), "", word), StrFormat("there is no type '{}'", word)));
  int64_t width = 0;
  if (std::from_chars(digits.begin(), digits.end(), width).ec != std::errc() || width > UINT32_MAX)
    return Fail(word.data(), "invalid integer width");
  if (width > kMaxIntegerWidth)
    return Fail(word.data(), StrFormat("integer bitwidth is limited to {} bits", kMaxIntegerWidth));
  if (width == 0) return Fail(word.data(), "an integer has at least one bit");
  *type = m_.IntegerType(width, signedness);
  return true;
}

bool AttrReader::ReadTypeList(char open, char close, std::vector<TypeId>* types) {
  return ReadList(open, "before a list of types", close, "after a list of types",
                  [&] { return ReadType(&types->emplace_back()); });
}

bool AttrReader::ReadTypeOrList(std::vector<TypeId>* types) {
  if (c_.Peek() != '(') return ReadType(&types->emplace_back());
  if (!ReadTypeList('(', ')', types)) return false;
  if (!c_.EatArrow()) return true;
  // The list was the inputs of a function type. Do not read it again as one: in nested types, that would
  // double the work at every level.
  Nest nest(this);
  std::vector<TypeId> results;
  if (!nest || !ReadTypeOrList(&results)) return false;
  const TypeId type = m_.FunctionType(*types, results);
  types->assign(1, type);
  return true;
}

bool AttrReader::ReadFunctionType(TypeId* type) {
  std::vector<TypeId> inputs, results;
  if (!ReadTypeList('(', ')', &inputs) || !ExpectArrow("in function type") || !ReadTypeOrList(&results))
    return false;
  *type = m_.FunctionType(inputs, results);
  return true;
}

// --- Shaped types -----------------------------------------------------------------------------------

// "2x?x", and for vectors "[4]x", up to the first token that is not a dimension.
bool AttrReader::ReadDims(std::vector<int64_t>* shape, std::vector<int64_t>* scalable) {
  while (true) {
    const char ch = c_.Peek();
    const char* at = c_.p;
    const bool scales = scalable && ch == '[';
    if (scales) {
      ++c_.p;
      c_.Skip();
    }
    int64_t dim = 0;
    if (Is(c_.At(0), kDigitChar)) {
      for (; Is(c_.At(0), kDigitChar); ++c_.p)
        if (__builtin_mul_overflow(dim, int64_t(10), &dim) ||
            __builtin_add_overflow(dim, int64_t(*c_.p - '0'), &dim))
          return Fail(at, "the dimension is too large", {}, Code::kLimit);
    } else if (ch == '?' && !scalable) {
      ++c_.p;
      dim = kDynamic;
    } else if (scales) {
      return FailExpected("a scalable dimension");
    } else {
      return true;
    }
    if (scales && !Expect(']', "after a scalable dimension")) return false;
    if (c_.Peek() != 'x') return FailExpected("'x' after a dimension");
    ++c_.p;
    shape->push_back(dim);
    if (scalable) scalable->push_back(scales);
  }
}

// <2x?xf32, encoding>, <*xf32>; of a memref <2xf32, layout, memory space>.
bool AttrReader::ReadShaped(TypeKind kind, TypeId* type) {
  const bool memref = kind == TypeKind::kMemref;
  if (!Expect('<', memref ? "after 'memref'" : "after 'tensor'")) return false;
  std::vector<int64_t> shape;
  const bool unranked = c_.Peek() == '*';
  if (unranked) {
    ++c_.p;
    if (c_.Peek() != 'x') return FailExpected("'x' after '*'");
    ++c_.p;
  } else if (!ReadDims(&shape)) {
    return false;
  }
  TypeId element;
  AttrId layout, space;
  if (!ReadType(&element)) return false;
  if (memref ? !ReadMemrefAttrs(!unranked, &layout, &space) : !unranked && c_.Eat(',') && !ReadAttr(&layout))
    return false;
  if (!Expect('>', memref ? "at the end of a memref type" : "at the end of a tensor type")) return false;
  if (!memref)
    *type =
        unranked ? m_.Make(UnrankedTensorType{.element = element}) : m_.TensorType(shape, element, layout);
  else if (unranked)
    *type = m_.Make(UnrankedMemRefType{.element = element, .memory_space = space});
  else
    *type = m_.Make(MemRefType{.element = element, .layout = layout, .memory_space = space, .shape = shape});
  return true;
}

// A layout and a memory space, in any order; those that are the default are none.
bool AttrReader::ReadMemrefAttrs(bool ranked, AttrId* layout, AttrId* space) {
  while (c_.Eat(',')) {
    const char* at = (c_.Skip(), c_.p);
    AttrId attr;
    if (!ReadAttr(&attr)) return false;
    const AttrKind kind = m_.attrs.KindOf(attr);
    const bool is_layout = kind == AttrKind::kAffineMap || kind == AttrKind::kStridedLayout;
    AttrId* where = is_layout && ranked ? layout : space;
    if (*where) return Fail(at, "a memref has at most one layout and one memory space");
    *where = attr;
  }
  if (*layout && IsDefaultLayout(m_, *layout)) *layout = {};
  if (*space && IsDefaultMemorySpace(m_, *space)) *space = {};
  return true;
}

bool AttrReader::ReadVector(TypeId* type) {
  std::vector<int64_t> shape, scalable;
  TypeId element;
  if (!Expect('<', "after 'vector'") || !ReadDims(&shape, &scalable) || !ReadType(&element) ||
      !Expect('>', "at the end of a vector type"))
    return false;
  *type = m_.Make(VectorType{.element = element, .shape = shape, .scalable = scalable});
  return true;
}

// --- Types of dialects ------------------------------------------------------------------------------

bool AttrReader::ReadDialectType(TypeId* type) {
  const char* at = c_.p++;
  const std::string_view name = c_.Name();
  if (name.empty()) return Fail(at, "a type needs a name after '!'");
  const size_t dot = name.find('.');
  if (dot == std::string_view::npos && c_.At(0) != '<') {
    Alias alias;
    if (!UseAlias({at, name.size() + 1}, at, &alias)) return false;
    *type = alias.type;
    return true;
  }
  const std::string_view dialect = mhlo::DialectNow(name.substr(0, dot));
  const std::string_view mnemonic = dot == std::string_view::npos ? "" : name.substr(dot + 1);
  if (dialect == "vhlo") return ReadVhloType(mnemonic, at, type);
  if (dialect == "stablehlo" && mnemonic == "future")
    return ReadTypeFields(TypeKind::kFuture, TextOf(TypeKind::kFuture).text, type);
  if (dialect == "quant" && mnemonic == "uniform") return ReadUniformQuantized(type);
  const TypeKind kind = dialect == "mhlo" ? mhlo::FindType(mnemonic) : FindTypeKind(dialect, mnemonic);
  if (kind != TypeKind::kInvalid && RowOf(kind).num_fields == 0 && c_.At(0) != '<') {
    mhlo_nodes_ = mhlo_nodes_ || dialect == "mhlo";
    *type = m_.Type(kind);
    return true;
  }
  if (dialect == "stablehlo")
    return Fail(at, "unknown stablehlo type: " + std::string(mnemonic),
                DidYouMean(NearestKind(TypeKinds(), dialect, mnemonic)));
  const char* body = at + 1 + std::min(dot, name.size());
  if (c_.At(0) == '<' && !c_.SkipBalanced()) return Fail(at, "the brackets of the type do not match");
  const std::string text = CanonicalOpaque(dialect, {body, size_t(c_.p - body)});
  *type = m_.Make(OpaqueType{.dialect = m_.strings.Intern(dialect), .text = m_.strings.Intern(text)});
  return true;
}

bool AttrReader::ReadVhloType(std::string_view mnemonic, const char* at, TypeId* type) {
  const TypeKind kind = FindVhloTypeKind(mnemonic);
  const char* const body = c_.p;
  switch (kind) {
    case TypeKind::kInvalid:
      return FailUnknownVhlo(
          at, "unknown VHLO type '!vhlo." + std::string(mnemonic) + "'", mnemonic,
          [](std::string_view other) { return FindVhloTypeKind(other) != TypeKind::kInvalid; });
    case TypeKind::kTensor:
    case TypeKind::kMemref:
      return ReadShaped(kind, type);
    case TypeKind::kFunction:
      return ReadVhloFunction(type);
    default:
      if (!ReadTypeFields(kind, TextOf(kind).vhlo, type)) return false;
  }
  if (const auto quant = m_.As<UniformQuantizedPerAxisType>(*type);
      quant && quant->scales.size() != quant->zero_points.size())
    return Fail(body, "expected as many zero points as scales");
  // Text of StableHLO cannot state all types that VHLO can.
  const NodeFault fault = CheckNode(m_, kind, m_.types[*type].words);
  return fault == NodeFault::kNone ? CheckComplex(at, *type) : Fail(body, std::string(Describe(fault)));
}

// <(inputs) -> results>: results are bare, in parentheses, or "()". No inputs are written as "()" inside the
// parentheses, or omitted.
bool AttrReader::ReadVhloFunction(TypeId* type) {
  std::vector<TypeId> inputs, results;
  const auto bare = [&](std::vector<TypeId>* types) {
    do {
      if (!ReadType(&types->emplace_back())) return false;
    } while (c_.Eat(','));
    return true;
  };
  if (!Expect('<', "before a function type") || !Expect('(', "before the inputs")) return false;
  if (c_.Peek() == '(') {
    ++c_.p;
    if (!Expect(')', "after '('")) return false;
  } else if (c_.Peek() != ')' && !bare(&inputs)) {
    return false;
  }
  if (!Expect(')', "after the inputs") || !ExpectArrow()) return false;
  if (!(c_.Peek() == '(' ? ReadTypeList('(', ')', &results) : bare(&results)) ||
      !Expect('>', "after a function type"))
    return false;
  *type = m_.FunctionType(inputs, results);
  return true;
}

// --- Quantized types --------------------------------------------------------------------------------

bool AttrReader::ReadScale(double* scale, int64_t* zero_point) {
  *zero_point = 0;
  return ReadDouble(scale) && (!c_.Eat(':') || ReadInt64(zero_point));
}

// <i8<-127:127>:f32, 34.0:16>, per axis <i8:f32:0, {0.1:-30, 0.2}>, per block <i8:f32:{0:1, 1:2}, {{...},
// {...}}>.
bool AttrReader::ReadUniformQuantized(TypeId* type) {
  if (!Expect('<', "after '!quant.uniform'")) return false;
  constexpr int64_t kSigned = 1;
  int64_t flags = 0, min = 0, max = 0;
  TypeId storage, expressed;
  c_.Skip();
  const char* at = c_.p;
  if (c_.Peek() == 'u' && Is(c_.At(1), kDigitChar)) {
    ++c_.p;
    std::string word =
        "i" +
        std::string(c_.p,
                    size_t(std::find_if(c_.p, c_.end, [](char ch) { return !Is(ch, kDigitChar); }) - c_.p));
    c_.p += word.size() - 1;
    if (word.size() > 4 || !ReadIntegerType(word, &storage))
      return Fail(at, "the storage type has no such width");
  } else {
    if (!ReadType(&storage)) return false;
    flags = kSigned;
  }
  int width = 0, signedness = 0;
  if (IntegerShape(storage, &width, &signedness)) {
    if (signedness == 2) flags = 0;
    // The verifier reports wide types; portable artifacts may have them.
    const int bits = std::min(flags & kSigned ? width - 1 : width, 63);
    max = int64_t((uint64_t(1) << bits) - 1);
    min = flags & kSigned ? -max - 1 : 0;
  } else {
    const TypeKind kind = m_.types.KindOf(storage);
    if (!RowOf(kind).quantized_storage) return Fail(at, std::string(Describe(NodeFault::kStorageType)));
    max = int64_t(DecodeFloat(kind, MaxFinite(*FloatFormatOf(kind))));
    min = -max;
  }
  if (c_.Eat('<') && (!ReadInt64(&min) || !Expect(':', "between the storage bounds") || !ReadInt64(&max) ||
                      !Expect('>', "after the storage bounds")))
    return false;
  if (!Expect(':', "after the storage type") || !ReadType(&expressed)) return false;
  if (c_.Eat(':')) {
    if (c_.Peek() == '{') return ReadSubChannel(storage, expressed, flags, min, max, type);
    int64_t dimension;
    std::vector<double> scales;
    std::vector<int64_t> zero_points;
    if (!ReadInt64(&dimension) || !Expect(',', "after the quantized dimension") ||
        !ReadList('{', "before the scales", '}', "after the scales",
                  [&] { return ReadScale(&scales.emplace_back(), &zero_points.emplace_back()); }) ||
        !Expect('>', "at the end of a quantized type"))
      return false;
    *type = m_.Make(UniformQuantizedPerAxisType{.storage = storage,
                                                .expressed = expressed,
                                                .flags = flags,
                                                .quantized_dimension = dimension,
                                                .storage_min = min,
                                                .storage_max = max,
                                                .scales = scales,
                                                .zero_points = zero_points});
    return true;
  }
  double scale;
  int64_t zero_point;
  if (!Expect(',', "after the expressed type") || !ReadScale(&scale, &zero_point) ||
      !Expect('>', "at the end of a quantized type"))
    return false;
  *type = m_.Make(UniformQuantizedType{.storage = storage,
                                       .expressed = expressed,
                                       .flags = flags,
                                       .scale = scale,
                                       .zero_point = zero_point,
                                       .storage_min = min,
                                       .storage_max = max});
  return true;
}

bool AttrReader::ReadSubChannel(TypeId storage, TypeId expressed, int64_t flags, int64_t min, int64_t max,
                                TypeId* type) {
  std::vector<int64_t> dimensions, blocks, shape, zero_points;
  std::vector<double> scales;
  const auto dimension = [&] {
    return ReadInt64(&dimensions.emplace_back()) && Expect(':', "after a quantized dimension") &&
           ReadInt64(&blocks.emplace_back());
  };
  if (!ReadList('{', "", '}', "after the quantized dimensions", dimension) ||
      !Expect(',', "before the scales"))
    return false;
  // Nested lists of scales imply their shape, which must be consistent.
  std::vector<int64_t> counts;
  const char* at = (c_.Skip(), c_.p);
  bool ragged = false, leaf_seen = false;
  size_t leaf_depth = 0;
  do {
    while (c_.Eat('{')) {
      counts.push_back(0);
      if (counts.size() > 64)
        return Fail(at, "scales are nested deeper than the limit of 64", {}, Code::kLimit);
    }
    if (counts.empty()) return FailExpected("'{' before the scales");
    if (!leaf_seen) leaf_depth = counts.size();
    leaf_seen = true;
    ragged |= leaf_depth != counts.size();
    if (!ReadScale(&scales.emplace_back(), &zero_points.emplace_back())) return false;
    // These scales are elements of the expressed type.
    if (const TypeKind kind = m_.types.KindOf(expressed); FloatFormatOf(kind))
      scales.back() = DecodeFloat(kind, EncodeFloat(kind, scales.back()));
    ++counts.back();
    while (!counts.empty() && c_.Eat('}')) {
      const size_t level = counts.size() - 1;
      if (shape.size() <= level) shape.resize(level + 1, -1);
      ragged |= shape[level] >= 0 && shape[level] != counts.back();
      shape[level] = counts.back();
      counts.pop_back();
      if (!counts.empty()) ++counts.back();
    }
  } while (!counts.empty() && c_.Eat(','));
  if (!counts.empty()) return FailExpected("'}' after the scales");
  if (ragged) return Fail(at, "nested lists of scales have different lengths");
  if (!Expect('>', "at the end of a quantized type")) return false;
  *type = m_.Make(UniformQuantizedSubChannelType{.storage = storage,
                                                 .expressed = expressed,
                                                 .flags = flags,
                                                 .storage_min = min,
                                                 .storage_max = max,
                                                 .quantized_dimensions = dimensions,
                                                 .block_sizes = blocks,
                                                 .scale_shape = shape,
                                                 .scales = scales,
                                                 .zero_points = zero_points});
  return true;
}

}  // namespace shlo::text
