// Attributes and locations as text, in the builtin/StableHLO spelling.
#include "base/format.h"
#include "ir/print/attr_printer.h"
#include "shlo/types.h"

namespace shlo::text {

void AttrPrinter::AliasDefinitions(bool deferred) {
  if (!aliases_ || collecting_) return;
  for (const Aliases::Entry* entry : aliases_->Definitions(deferred)) {
    Put(entry->name);
    Put(" = ");
    if (entry->is_type) {
      BuiltinType(TypeId(entry->id), Spelling::kStablehlo);
    } else {
      BuiltinAttr(AttrId(entry->id), /*elide=*/false);
    }
    Put('\n');
  }
}

// Prints a node by its alias, as it was printed before, or by `print`.
template <typename IdT, typename PrintT>
void AttrPrinter::Once(IdT id, PrintedTexts& printed, PrintT&& print) {
  if (Aliased(id)) return;
  if (id.v < printed.size() && printed[id.v].second != 0) {
    out_.append(std::string_view(cached_).substr(printed[id.v].first, printed[id.v].second));
    if (too_long()) failed_ = true;
    return;
  }
  Nesting nesting(*this);
  if (failed_) return;
  const size_t begin = out_.size(), constants = large_ ? large_->size() : 0;
  print();
  constexpr size_t kLargest = 4096;
  const std::string_view text = out_.view().substr(begin);
  const bool whole = !failed_ && (!large_ || large_->size() == constants);
  if (whole && !text.empty() && text.size() <= kLargest && cached_.size() <= (1u << 24)) {
    if (printed.size() <= id.v) printed.resize(id.v + id.v / 2 + 64);
    printed[id.v] = {uint32_t(cached_.size()), uint32_t(text.size())};
    cached_.append(text);
  }
}

void AttrPrinter::Attr(AttrId attr, Spelling spelling, bool elide) {
  Once(attr, attr_cache_[elide][size_t(spelling)], [&] {
    if (spelling == Spelling::kStablehlo || !VhloAttr(attr, false)) BuiltinAttr(attr, elide);
  });
}

void AttrPrinter::Type(TypeId type, Spelling spelling) {
  Once(type, type_cache_[size_t(spelling)], [&] {
    if (spelling == Spelling::kStablehlo || !VhloType(type)) BuiltinType(type, spelling);
  });
}

// `elide`: an integer without a type is an i64.
void AttrPrinter::Integer(AttrId attr, bool with_type, bool elide) {
  const auto integer = m_.Get<IntegerAttr>(attr);
  const TypeId type = integer.type;
  const auto limbs = integer.value;
  const auto node = m_.types[type];
  if (node.kind == TypeKind::kI1) return Put(!limbs.empty() && (limbs[0] & 1) ? "true" : "false");
  bool is_unsigned = IsUnsignedInteger(node.kind);
  if (const auto odd = node.As<IntegerType>()) is_unsigned = odd->signedness == 2;
  // Unsigned values are stored sign-extended; ignore the bits above their width.
  const int64_t width = ElementWidth(m_, type);
  if (is_unsigned && limbs.size() == 1 && width > 0 && width < 64)
    PutUnsigned(out_, uint64_t(limbs[0]) & ((uint64_t(1) << width) - 1));
  else
    PutBigInt(out_, limbs, is_unsigned);
  if (!with_type || (elide && node.kind == TypeKind::kI64)) return;
  Put(" : ");
  Type(type, Spelling::kStablehlo);
}

void AttrPrinter::NumberWithoutType(AttrId attr) {
  const auto node = m_.attrs[attr];
  if (node.kind == AttrKind::kIntegerAttr) return Integer(attr, /*with_type=*/false, /*elide=*/false);
  const auto number = node.Get<FloatAttr>();
  PutFloat(out_, m_.types.KindOf(number.type), uint64_t(number.bits[0]));
}

void AttrPrinter::Dict(AttrId attr, Spelling spelling) {
  Put('{');
  const auto entries = m_.Get<DictionaryAttr>(attr).entries;
  PutList(out_, entries.size(), [&](size_t i) {
    const NamedAttr entry = entries[i];
    PutKeyword(out_, m_.strings[entry.name]);
    if (m_.attrs.KindOf(entry.value) == AttrKind::kUnit) return;
    Put(" = ");
    Attr(entry.value, spelling);
  });
  Put('}');
}

void AttrPrinter::EnumCase(const KindRow& row, int64_t value) {
  const auto kind = AttrKind(row.id);
  const bool dotted = kind == AttrKind::kResultAccuracyMode ||
                      (mhlo_ && (kind == AttrKind::kRngAlgorithm || kind == AttrKind::kRngDistribution));
  Put('#');
  Put(DialectOf(row));
  Put(dotted ? '.' : '<');
  Put(row.mnemonic);
  Put(dotted ? '<' : ' ');
  CaseName(kind, value);
  Put('>');
}

// Prints the name of a case, or the number if there is none.
void AttrPrinter::CaseName(AttrKind kind, int64_t value) {
  if (const auto* found = FindCase(kind, value))
    Put(found->name);
  else
    PutInt(out_, value);
}

// `elide`: a float without a type is an f64.
void AttrPrinter::Float(const FloatAttr& number, bool elide) {
  const TypeKind kind = m_.types.KindOf(number.type);
  const auto bits = number.bits;
  const size_t begin = out_.size();
  if (bits.size() == 1) {
    PutFloat(out_, kind, uint64_t(bits[0]));
  } else {
    Put("0x");
    std::string bytes;
    for (size_t i = bits.size(); i-- > 0;)
      for (int shift = 56; shift >= 0; shift -= 8) bytes.push_back(char(uint64_t(bits[i]) >> shift));
    const size_t width = size_t(BitWidth(kind)) / 8;
    PutHex(out_, width < bytes.size() ? std::string_view(bytes).substr(bytes.size() - width) : bytes);
  }
  // Hexadecimal digits alone would read back as an integer.
  if (elide && kind == TypeKind::kF64 && !out_.view().substr(begin).starts_with("0x")) return;
  Put(" : ");
  Type(number.type, Spelling::kStablehlo);
}

void AttrPrinter::I64s(std::span<const int64_t> values) {
  Put("array<i64");
  for (size_t i = 0; i < values.size(); ++i) {
    Put(i ? ", " : ": ");
    PutInt(out_, values[i]);
  }
  Put('>');
}

// Ids of distinct attributes are numbered in the order of the text.
void AttrPrinter::Distinct(AttrId attr) {
  const auto number = distinct_.emplace(attr.v, distinct_.size()).first->second;
  Put("distinct[");
  PutUnsigned(out_, number);
  Put("]<");
  const AttrId inner = m_.Get<DistinctAttr>(attr).attribute;
  if (m_.attrs.KindOf(inner) != AttrKind::kUnit) Attr(inner, Spelling::kStablehlo);
  Put('>');
}

void AttrPrinter::BuiltinAttr(AttrId attr, bool elide) {
  const auto node = m_.attrs[attr];
  const KindRow& row = RowOf(node.kind);
  constexpr Spelling kS = Spelling::kStablehlo;
  if (IsLocation(node.kind)) {
    Put("loc(");
    Location(attr, /*in_full=*/true);
    return Put(')');
  }
  if (IsEnum(node.kind)) return EnumCase(row, int64_t(node.words[0]));
  switch (node.kind) {
    case AttrKind::kInvalid:
      return Put("<<none>>");
    case AttrKind::kUnit:
      return Put("unit");
    case AttrKind::kIntegerAttr:
      return Integer(attr, /*with_type=*/true, elide);
    case AttrKind::kFloatAttr:
      return Float(node.Get<FloatAttr>(), elide);
    case AttrKind::kString:
      return PutQuoted(out_, m_.strings[node.Get<StringAttr>().value]);
    case AttrKind::kTypedString:
      return Format(TextOf(node.kind).text, row, node.words, kS);
    case AttrKind::kArray:
      Put('[');
      PutList(out_, node.Get<ArrayAttr>().elements.size(),
              [&](size_t i) { Attr(node.Get<ArrayAttr>().elements[i], kS, /*elide=*/true); });
      return Put(']');
    case AttrKind::kDict:
      return Dict(attr, kS);
    case AttrKind::kTypeAttr:
      return Type(node.Get<TypeAttr>().type, kS);
    case AttrKind::kSymbolRef:
      PutSymbol(out_, m_.strings[node.Get<SymbolRefAttr>().root]);
      for (const StringId name : node.Get<SymbolRefAttr>().nested) {
        Put("::");
        PutSymbol(out_, m_.strings[name]);
      }
      return;
    case AttrKind::kElements:
      return Elements(attr);
    case AttrKind::kStringElements:
      return StringElements(attr);
    case AttrKind::kSparseElements:
      return SparseElements(attr);
    case AttrKind::kDenseArray:
      return DenseArray(attr);
    case AttrKind::kI64Array:
      return I64s(node.Get<I64ArrayAttr>().values);
    case AttrKind::kResourceElements:
      Put("dense_resource<");
      PutKeyword(out_, m_.strings[node.Get<ResourceElementsAttr>().key]);
      Put("> : ");
      return Type(node.Get<ResourceElementsAttr>().type, kS);
    case AttrKind::kAffineMap:
    case AttrKind::kIntegerSet:
    case AttrKind::kStridedLayout:
      Put(row.mnemonic);
      Put('<');
      Put(m_.strings[StringId(uint32_t(node.words[0]))]);
      return Put('>');
    case AttrKind::kDistinct:
      return Distinct(attr);
    case AttrKind::kOpaqueAttr:
      Put('#');
      Put(m_.strings[node.Get<OpaqueAttr>().dialect]);
      return Put(m_.strings[node.Get<OpaqueAttr>().text]);
    default:
      return StructAttr(attr);
  }
}

bool PutConvolution(TextBuffer& out, const ConvolutionRoles& roles) {
  static constexpr const char* kLetters[] = {"bf", "io", "bf"};
  static constexpr const char* kBetween[] = {"", "x", "->"};
  const size_t mark = out.size();
  std::vector<int64_t> at;
  for (size_t side = 0; side < 3; ++side) {
    // The dimension at each position; -1 and -2 are the two with a letter.
    const auto spatial = roles.spatial[side];
    // Unused positions print as a question mark. There are few of them.
    int64_t last = std::max(roles.named[2 * side], roles.named[2 * side + 1]);
    for (int64_t position : spatial) last = std::max(last, position);
    at.assign(size_t(std::clamp<int64_t>(last, -1, 4095) + 1), INT64_MIN);
    const auto place = [&](int64_t position, int64_t role) {
      if (position < 0 || uint64_t(position) >= at.size() || at[size_t(position)] != INT64_MIN) return false;
      at[size_t(position)] = role;
      return true;
    };
    bool fits = place(roles.named[2 * side], -1) && place(roles.named[2 * side + 1], -2);
    for (size_t i = 0; i < spatial.size(); ++i) fits = fits && place(spatial[i], int64_t(i));
    if (!fits) {
      out.Cut(mark);
      return false;
    }
    out += kBetween[side];
    out += '[';
    for (size_t i = 0; i < at.size(); ++i) {
      if (i) out += ", ";
      if (at[i] == INT64_MIN)
        out += '?';
      else if (at[i] < 0)
        out += kLetters[side][-1 - at[i]];
      else
        PutInt(out, at[i]);
    }
    out += ']';
  }
  return true;
}

void AttrPrinter::StructAttr(AttrId attr) {
  const auto node = m_.attrs[attr];
  const KindRow& row = RowOf(node.kind);
  const bool bounds = node.kind == AttrKind::kTypeExtensions;
  if (node.kind != AttrKind::kSubAxisInfo) {
    Put('#');
    Put(DialectOf(row));
    Put('.');
    Put(bounds && !mhlo_ ? "bounds" : row.mnemonic);
  }
  if (bounds && mhlo_) return Format(TextOf(node.kind).vhlo, row, node.words, Spelling::kStablehlo);
  StructBody(node.kind, node.words);
}

void AttrPrinter::StructBody(AttrKind kind, std::span<const uint64_t> words) {
  if (kind == AttrKind::kConvDimensionNumbers) {
    const size_t mark = out_.size();
    Put('<');
    if (Convolution(words)) return Put('>');
    Rewind(mark);
  }
  Format(TextOf(kind).text, RowOf(kind), words, Spelling::kStablehlo);
}

bool AttrPrinter::Convolution(std::span<const uint64_t> words) {
  const auto conv = Decode<ConvDimensionNumbersAttr>(words);
  const ConvolutionRoles roles = {
      {conv.input_batch_dimension, conv.input_feature_dimension, conv.kernel_input_feature_dimension,
       conv.kernel_output_feature_dimension, conv.output_batch_dimension, conv.output_feature_dimension},
      {conv.input_spatial_dimensions, conv.kernel_spatial_dimensions, conv.output_spatial_dimensions}};
  return PutConvolution(out_, roles);
}

void AttrPrinter::Location(AttrId loc, bool in_full) {
  if (!in_full && Aliased(loc)) return;
  Nesting nesting(*this);
  if (failed_) return;
  const auto node = m_.attrs[loc];
  const KindText& texts = TextOf(node.kind);
  const auto range = node.As<FileRangeLoc>();
  if (!range)
    return texts.text.view().empty() || !IsLocation(node.kind)
               ? Put("unknown")
               : Format(texts.text, RowOf(node.kind), node.words, Spelling::kStablehlo);
  PutQuoted(out_, m_.strings[range->file]);
  Put(':');
  PutInt(out_, range->start_line);
  Put(':');
  PutInt(out_, range->start_column);
  if (range->start_line == range->end_line && range->start_column == range->end_column) return;
  Put(" to ");
  if (range->end_line != range->start_line) PutInt(out_, range->end_line);
  Put(':');
  PutInt(out_, range->end_column);
}

}  // namespace shlo::text

namespace shlo {

namespace {

template <typename PrintT>
bool PrintNode(const Module& module, uint64_t max_bytes, std::string* out, PrintT&& print) {
  text::TextBuffer buffer;
  text::AttrPrinter printer(module, 0, &buffer);
  printer.LimitOutput(max_bytes);
  print(printer);
  out->append(buffer.view());
  return !printer.failed() && !printer.too_long();
}

}  // namespace

bool PrintAttr(const Module& module, AttrId attr, Spelling spelling, uint64_t max_bytes, std::string* out) {
  return PrintNode(module, max_bytes, out, [&](text::AttrPrinter& printer) { printer.Attr(attr, spelling); });
}

bool PrintType(const Module& module, TypeId type, Spelling spelling, uint64_t max_bytes, std::string* out) {
  return PrintNode(module, max_bytes, out, [&](text::AttrPrinter& printer) { printer.Type(type, spelling); });
}

std::string AttrText(const Module& module, AttrId attr, Spelling spelling) {
  std::string out;
  if (!PrintAttr(module, attr, spelling, kMaxShown, &out)) text::Shorten(&out);
  return out;
}

std::string TypeText(const Module& module, TypeId type, Spelling spelling) {
  std::string out;
  if (!PrintType(module, type, spelling, kMaxShown, &out)) text::Shorten(&out);
  return out;
}

}  // namespace shlo
