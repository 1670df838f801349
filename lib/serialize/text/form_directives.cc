// Custom directives of schema/forms.inc: each one's reader and, below it, its printer.
#include "serialize/text/form_directives.h"

#include <algorithm>
#include <charconv>
#include <cstring>

#include "base/format.h"
#include "ir/module/struct_words.h"

namespace shlo::text {

std::string_view Directives::NameOf(const Draft& d, FormRef ref) {
  const OpRevision& revision = RevisionOf(d.shape);
  return ref.kind == RefKind::kStructAttr ? revision.struct_attrs[ref.index].name
                                          : revision.attrs[ref.index].name;
}

AttrId Directives::ValueOf(const OpPrinter& p, const Op& op, FormRef ref) {
  return ref.kind == RefKind::kAttr ? p.InherentAt(op, ref.index) : AttrId();
}

bool Directives::Ints(const OpPrinter& p, AttrId value, std::span<const int64_t>* out) {
  const auto array = p.m_.As<I64ArrayAttr>(value);
  if (array) *out = array->values;
  return bool(array);
}

// --- Operands --------------------------------------------------------------------------------------

// %a, %b, : operands, each followed by a comma. Without operands the comma is still printed, as MLIR does,
// although MLIR then cannot read it.
bool Directives::ReadOperandsWithComma(Reader& r, Draft&, const FormRef* args) {
  const size_t before = r.uses_.size();
  if (r.c_.Eat(',')) return true;
  while (r.c_.Peek() == '%') {
    if (!r.ReadUse(&r.uses_.emplace_back())) return false;
    if (!r.c_.Eat(',')) return r.FailExpected("','");
  }
  r.groups_.push_back({args[0].index, uint32_t(r.uses_.size() - before)});
  return true;
}

bool Directives::PrintOperandsWithComma(OpPrinter& p, const Op& op, const FormRef* args) {
  const auto [first, count] = p.OperandsAt(op, args[0].index);
  p.Operands(p.m_.OperandsOf(op).subspan(first, count));
  p.Put(',');
  return true;
}

// %a, %b : types, where every result has the type of its operand; or ().
bool Directives::ReadPairwiseOperands(Reader& r, Draft& d, const FormRef*) {
  if (r.c_.Peek() != '%') return r.Expect('(', "before no operands") && r.Expect(')', "after no operands");
  if (!r.ReadUses() || !r.Expect(':', "before the types of the operands")) return false;
  r.BeginTypes(d);
  const char* at = (r.c_.Skip(), r.c_.p);
  if (!r.ReadTypeRun()) return r.FailCustom(d, at, "expected type list");
  d.results = r.types_.size();
  for (size_t i = d.types; i < d.results; ++i) r.types_.push_back(r.types_[i]);
  return true;
}

bool Directives::PrintPairwiseOperands(OpPrinter& p, const Op& op, const FormRef*) {
  const auto operands = p.m_.OperandsOf(op);
  if (!std::ranges::equal(p.m_.SignatureOf(op).operand_types, p.m_.SignatureOf(op).result_types))
    return false;
  if (operands.empty()) {
    p.Put("()");
    return true;
  }
  p.Put(' ');
  p.Operands(operands);
  p.Put(" : ");
  p.TypesOf(operands, Spelling::kStablehlo);
  return true;
}

// --- Types -----------------------------------------------------------------------------------------

// The result's type, which implies those of the operands: its real counterpart. Or a functional type.
bool Directives::ReadComplexType(Reader& r, Draft& d, const FormRef*) {
  r.BeginTypes(d);
  const char* at = (r.c_.Skip(), r.c_.p);
  if (r.c_.Peek() == '(') return r.ReadFunctionalType(d) && r.CheckFunctionalType(d, at);
  TypeId type;
  if (!r.ReadType(&type)) return false;
  const auto tensor = r.m_.As<TensorType>(type);
  const auto complex = tensor ? r.m_.As<ComplexType>(tensor->element) : std::nullopt;
  if (!complex) return r.FailCustom(d, at, "expected tensor with complex element type");
  const TypeId real = r.m_.TensorType(tensor->shape, complex->element, tensor->encoding);
  r.types_.insert(r.types_.end(), r.uses_.size() - d.uses, real);
  r.AddResultType(d, type);
  return true;
}

bool Directives::PrintComplexType(OpPrinter& p, const Op& op, const FormRef*) {
  const auto operands = p.m_.OperandsOf(op);
  const TypeId result = p.m_.TypeOf(p.m_.ResultOf(op, 0));
  const auto tensor = p.m_.As<TensorType>(result), real = p.m_.As<TensorType>(p.m_.TypeOf(operands[0]));
  const auto complex = tensor ? p.m_.As<ComplexType>(tensor->element) : std::nullopt;
  const bool implied = complex && real && p.m_.TypeOf(operands[0]) == p.m_.TypeOf(operands[1]) &&
                       real->element == complex->element && real->encoding == tensor->encoding &&
                       std::ranges::equal(real->shape, tensor->shape);
  if (implied)
    p.attrs_.Type(result, Spelling::kStablehlo);
  else
    p.FunctionalType(op, Spelling::kStablehlo);
  return true;
}

// The types of the predicate and of all other values; or a functional type.
bool Directives::ReadSelectType(Reader& r, Draft& d, const FormRef*) {
  r.BeginTypes(d);
  const char* at = (r.c_.Skip(), r.c_.p);
  if (r.c_.Peek() == '(') return r.ReadFunctionalType(d) && r.CheckFunctionalType(d, at);
  if (!r.ReadTypeRun()) return false;
  if (r.types_.size() - d.types != 2)
    return r.FailCustom(d, at, "expected functional type or list of two types");
  const TypeId value = r.types_.back();
  r.types_.push_back(value);
  r.AddResultType(d, value);
  return true;
}

bool Directives::PrintSelectType(OpPrinter& p, const Op& op, const FormRef*) {
  const auto operands = p.m_.OperandsOf(op);
  const TypeId result = p.m_.TypeOf(p.m_.ResultOf(op, 0));
  if (p.m_.TypeOf(operands[1]) != result || p.m_.TypeOf(operands[2]) != result) {
    p.FunctionalType(op, Spelling::kStablehlo);
    return true;
  }
  p.attrs_.Type(p.m_.TypeOf(operands[0]), Spelling::kStablehlo);
  p.Put(", ");
  p.attrs_.Type(result, Spelling::kStablehlo);
  return true;
}

// The type of the tuple, whose members are the operands.
bool Directives::ReadTupleType(Reader& r, Draft& d, const FormRef*) {
  r.BeginTypes(d);
  const char* at = (r.c_.Skip(), r.c_.p);
  TypeId type;
  if (!r.ReadType(&type)) return false;
  const auto tuple = r.m_.As<TupleType>(type);
  if (!tuple) return r.FailCustom(d, at, "expected tuple type");
  r.types_.insert(r.types_.end(), tuple->types.begin(), tuple->types.end());
  r.AddResultType(d, type);
  return true;
}

bool Directives::PrintTupleType(OpPrinter& p, const Op& op, const FormRef*) {
  const TypeId result = p.m_.TypeOf(p.m_.ResultOf(op, 0));
  const auto tuple = p.m_.As<TupleType>(result);
  if (!tuple || !std::ranges::equal(tuple->types, p.m_.SignatureOf(op).operand_types)) return false;
  p.attrs_.Type(result, Spelling::kStablehlo);
  return true;
}

// Prints nothing: the operand has the type of the value it is compared with.
bool Directives::ReadTypeOfValue(Reader& r, Draft& d, const FormRef* args) {
  AttrId value;
  for (size_t i = d.attrs; i < r.attrs_.size(); ++i)
    if (r.attrs_[i].name == NameOf(d, args[1])) value = r.attrs_[i].value;
  const TypeId type = value ? r.m_.TypeOf(value) : TypeId();
  if (!type) return r.FailCustom(d, d.name_at, "expected a value with a type");
  r.types_.push_back(type);
  return true;
}

bool Directives::PrintTypeOfValue(OpPrinter& p, const Op& op, const FormRef* args) {
  const AttrId value = ValueOf(p, op, args[1]);
  return value && p.m_.TypeOf(value) == p.m_.TypeOf(p.m_.OperandsOf(op)[0]);
}

// --- Attributes ------------------------------------------------------------------------------------

// @target
bool Directives::ReadCallTarget(Reader& r, Draft& d, const FormRef* args) {
  const char* at = (r.c_.Skip(), r.c_.p);
  if (r.c_.Peek() != '@') return r.FailCustom(d, at, "expected valid '@'-identifier for symbol name");
  std::string_view name;
  if (!r.ReadSymbol(&name)) return false;
  r.PushAttr(NameOf(d, args[0]), r.m_.String(name), at);
  return true;
}

bool Directives::PrintCallTarget(OpPrinter& p, const Op& op, const FormRef* args) {
  const AttrId value = ValueOf(p, op, args[0]);
  std::string_view name;
  if (!value || p.m_.attrs.KindOf(value) != AttrKind::kString || !p.m_.AsString(value, &name) || name.empty())
    return false;
  PutSymbol(p.out_, name);
  return true;
}

// e8m23
bool Directives::ReadExponentMantissa(Reader& r, Draft& d, const FormRef* args) {
  const char* at = (r.c_.Skip(), r.c_.p);
  const std::string_view word = r.c_.Word();
  if (word.empty()) return r.FailCustom(d, at, "expected valid keyword");
  const size_t m = word.find('m');
  const auto digits = [](std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
  };
  if (word[0] != 'e' || m == word.npos || !digits(word.substr(1, m - 1)) || !digits(word.substr(m + 1)))
    return r.FailCustom(d, at, "expected exponent mantissa in format e#m#, saw " + std::string(word));
  const std::string_view parts[] = {word.substr(1, m - 1), word.substr(m + 1)};
  const char* const names[] = {"exponent", "mantissa"};
  for (int i = 0; i < 2; ++i) {
    int32_t value;
    if (std::from_chars(parts[i].data(), parts[i].data() + parts[i].size(), value).ec != std::errc())
      return r.FailCustom(d, at,
                          std::string("unable to parse ") + names[i] + " '" + std::string(parts[i]) + "'");
    r.PushAttr(NameOf(d, args[i]), r.m_.I32(value), at);
  }
  return true;
}

bool Directives::PrintExponentMantissa(OpPrinter& p, const Op& op, const FormRef* args) {
  for (int i = 0; i < 2; ++i) {
    const AttrId value = ValueOf(p, op, args[i]);
    int64_t bits;
    if (!value || p.m_.types.KindOf(p.m_.TypeOf(value)) != TypeKind::kI32 || !p.m_.AsInteger(value, &bits) ||
        bits < 0)
      return false;
    p.Put("em"[i]);
    PutInt(p.out_, bits);
  }
  return true;
}

// [0:4, 1:8:2]: start, limit and stride of each dimension; a stride of 1 is omitted.
bool Directives::ReadSliceRanges(Reader& r, Draft& d, const FormRef* args) {
  const char* at = (r.c_.Skip(), r.c_.p);
  std::vector<int64_t> starts, limits, strides;
  if (!r.ReadList('[', "", ']', "", [&] {
        strides.push_back(1);
        return r.ReadInt64(&starts.emplace_back()) && r.Expect(':', "") &&
               r.ReadInt64(&limits.emplace_back()) && (!r.c_.Eat(':') || r.ReadInt64(&strides.back()));
      }))
    return false;
  r.PushAttr(NameOf(d, args[0]), r.m_.I64s(starts), at);
  r.PushAttr(NameOf(d, args[1]), r.m_.I64s(limits), at);
  r.PushAttr(NameOf(d, args[2]), r.m_.I64s(strides), at);
  return true;
}

bool Directives::PrintSliceRanges(OpPrinter& p, const Op& op, const FormRef* args) {
  std::span<const int64_t> starts, limits, strides;
  if (!Ints(p, ValueOf(p, op, args[0]), &starts) || !Ints(p, ValueOf(p, op, args[1]), &limits) ||
      !Ints(p, ValueOf(p, op, args[2]), &strides) || starts.size() != limits.size() ||
      starts.size() != strides.size())
    return false;
  p.Put('[');
  p.List(starts.size(), [&](size_t i) {
    PutInt(p.out_, starts[i]);
    p.Put(':');
    PutInt(p.out_, limits[i]);
    if (strides[i] == 1) return;
    p.Put(':');
    PutInt(p.out_, strides[i]);
  });
  p.Put(']');
  return true;
}

// precision = [DEFAULT, HIGH]
bool Directives::ReadPrecisionList(Reader& r, Draft& d, FormRef ref) {
  const char* at = (r.c_.Skip(), r.c_.p);
  std::vector<AttrId> values;
  const auto item = [&] {
    if (r.c_.Peek() == '#') return r.ReadAttr(&values.emplace_back());
    const bool own = r.c_.Eat('<');
    return r.ReadEnumCase(AttrKind::kPrecision, &values.emplace_back(), d.name->name) &&
           (!own || r.Expect('>', "after a precision"));
  };
  if (!r.ReadLiteral(d, "precision") || !r.Expect('=', "") || !r.ReadList('[', "", ']', "", item))
    return false;
  r.PushAttr(NameOf(d, ref), r.m_.Array(values), at);
  return true;
}

// Nothing, or a comma and the precisions.
bool Directives::ReadPrecision(Reader& r, Draft& d, const FormRef* args) {
  return !r.c_.Eat(',') || ReadPrecisionList(r, d, args[0]);
}

bool Directives::PrintPrecision(OpPrinter& p, const Op& op, const FormRef* args) {
  const AttrId value = ValueOf(p, op, args[0]);
  if (!value) return true;
  const auto node = p.m_.attrs[value];
  if (node.kind != AttrKind::kArray) return false;
  p.Put(", precision = [");
  bool first = true;
  for (const AttrId item : node.Get<ArrayAttr>().elements) {
    const auto precision = p.m_.EnumValue(item, AttrKind::kPrecision);
    const EnumCase* found = precision ? FindCase(AttrKind::kPrecision, *precision) : nullptr;
    if (!found) return false;
    if (!first) p.Put(", ");
    first = false;
    p.Put(found->name);
  }
  p.Put(']');
  return true;
}

// Precisions, then or instead: algorithm = <...>.
bool Directives::ReadPrecisionAndAlgorithm(Reader& r, Draft& d, const FormRef* args) {
  if (!r.c_.Eat(',')) return true;
  if (!r.c_.PeekWord("algorithm")) {
    if (!ReadPrecisionList(r, d, args[0])) return false;
    if (!r.c_.Eat(',')) return true;
  }
  const char* at = (r.c_.Skip(), r.c_.p);
  if (!r.ReadLiteral(d, "algorithm") || !r.Expect('=', "after 'algorithm'")) return false;
  AttrId value;
  if (!r.ReadStruct(AttrKind::kDotAlgorithm, &value)) return false;
  if (args[1].kind == RefKind::kNone) return r.FailForm(d);
  r.PushAttr(NameOf(d, args[1]), value, at);
  return true;
}

bool Directives::PrintPrecisionAndAlgorithm(OpPrinter& p, const Op& op, const FormRef* args) {
  if (!PrintPrecision(p, op, args)) return false;
  if (args[1].kind != RefKind::kStructAttr) return true;
  const Cell& struct_attr = RevisionOf(p.m_.RevisionIdOf(op)).struct_attrs[args[1].index];
  if (!p.StructAttrWritten(op, struct_attr)) return true;
  p.Put(", algorithm = ");
  p.attrs_.StructBody(AttrKind::kDotAlgorithm, StructWordsOf(p.m_, op, AttrKind::kDotAlgorithm).words());
  return true;
}

// batching_dims = [0] x [0], contracting_dims = [2] x [1]
bool Directives::ReadDotDimensions(Reader& r, Draft& d, const FormRef* args) {
  const char* at = (r.c_.Skip(), r.c_.p);
  std::vector<int64_t> lists[4];
  const auto pair = [&](size_t first) {
    if (!r.c_.Eat('=')) return r.FailExpected("'='");
    return r.ReadFormInts(d, &lists[first]) && r.ReadLiteral(d, "x") && r.ReadFormInts(d, &lists[first + 1]);
  };
  if (r.c_.EatWord("batching_dims")) {
    if (!pair(0)) return false;
    if (!r.c_.Eat(',')) return r.FailExpected("','");
  }
  if (!r.ReadLiteral(d, "contracting_dims") || !pair(2)) return false;
  r.PushAttr(NameOf(d, args[0]),
             r.m_.Make(DotDimensionNumbersAttr{.lhs_batching_dimensions = lists[0],
                                               .rhs_batching_dimensions = lists[1],
                                               .lhs_contracting_dimensions = lists[2],
                                               .rhs_contracting_dimensions = lists[3]}),
             at);
  return true;
}

bool Directives::PrintDotDimensions(OpPrinter& p, const Op& op, const FormRef* args) {
  const OpRevision& revision = RevisionOf(p.m_.RevisionIdOf(op));
  if (!p.StructAttrWritten(op, revision.struct_attrs[args[0].index])) return false;
  std::span<const int64_t> lists[4];
  size_t i = 0;
  for (const FieldRow& field : RowOf(revision.struct_attrs[args[0].index].attr_kind()).fields()) {
    const int slot = revision.FindSlot(field.name);
    const AttrId value = slot < 0 ? AttrId() : p.m_.InherentAttrsOf(op)[size_t(slot)];
    if (value && !Ints(p, value, &lists[i])) return false;
    ++i;
  }
  if (!lists[0].empty() || !lists[1].empty()) {
    p.Put("batching_dims = ");
    p.PutInts(lists[0]);
    p.Put(" x ");
    p.PutInts(lists[1]);
    p.Put(", ");
  }
  p.Put("contracting_dims = ");
  p.PutInts(lists[2]);
  p.Put(" x ");
  p.PutInts(lists[3]);
  return true;
}

// [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]
bool Directives::ReadConvolutionDimensions(Reader& r, Draft& d, const FormRef* args) {
  const char* at = (r.c_.Skip(), r.c_.p);
  AttrId value;
  if (r.c_.Peek() == '#' ? !r.ReadAttr(&value) : !r.ReadConvolution(&value)) return false;
  r.PushAttr(NameOf(d, args[0]), value, at);
  return true;
}

bool Directives::PrintConvolutionDimensions(OpPrinter& p, const Op& op, const FormRef*) {
  return p.attrs_.Convolution(StructWordsOf(p.m_, op, AttrKind::kConvDimensionNumbers).words());
}

// stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]
constexpr std::string_view kWindowWords[] = {"stride", "pad", "lhs_dilate", "rhs_dilate", "reverse"};
constexpr int kPad = 1, kReverse = 4;

bool Directives::ReadWindowAttributes(Reader& r, Draft& d, const FormRef* args) {
  bool given[std::size(kWindowWords)] = {};
  for (std::string_view word; !(word = r.c_.Word()).empty();) {
    const char* at = word.data();
    size_t which = 0;
    while (which < std::size(kWindowWords) && kWindowWords[which] != word) ++which;
    if (which == std::size(kWindowWords) || given[which])
      return r.FailCustom(d, at, "Unexpected keyword " + std::string(word));
    given[which] = true;
    if (!r.c_.Eat('=')) return r.FailExpected("'='");
    std::vector<int64_t> values;
    AttrId value;
    if (which == kPad) {
      if (!r.ReadList('[', "", ']', "", [&] {
            const size_t before = values.size();
            if (!r.ReadFormInts(d, &values)) return false;
            return values.size() - before == 2 ||
                   r.FailCustom(d, r.c_.p,
                                StrFormat("Expected array with 2 elements, got {} elements instead",
                                          values.size() - before));
          }))
        return false;
      const int64_t shape[] = {int64_t(values.size() / 2), 2};
      value = r.m_.I64Elements(shape, values);
    } else if (which == kReverse) {
      std::string bytes;
      if (!r.ReadList('[', "", ']', "", [&] {
            int64_t number = r.c_.EatWord("true");
            if (number == 0 && !r.c_.EatWord("false") && !r.ReadInt64(&number)) return false;
            bytes.push_back(number != 0);
            return true;
          }))
        return false;
      value = r.m_.Make(
          DenseArrayAttr{.element = r.m_.Type(TypeKind::kI1), .payload = r.m_.payloads.AddCopy(bytes)});
    } else {
      if (!r.ReadFormInts(d, &values)) return false;
      value = r.m_.I64s(values);
    }
    if (args[which].kind == RefKind::kNone) return r.FailForm(d);
    r.PushAttr(NameOf(d, args[which]), value, at);
    if (!r.c_.Eat(',')) break;
  }
  return true;
}

bool Directives::PrintWindowAttributes(OpPrinter& p, const Op& op, const FormRef* args) {
  bool first = true;
  for (int i = 0; i < int(std::size(kWindowWords)); ++i) {
    const AttrId value = ValueOf(p, op, args[i]);
    if (!value) continue;
    if (!first) p.Put(", ");
    first = false;
    p.Put(kWindowWords[i]);
    p.Put(" = ");
    const auto node = p.m_.attrs[value];
    if (i == kPad) {
      std::vector<int64_t> values;
      if (node.kind != AttrKind::kElements || !p.m_.AsI64s(value, &values) || values.size() % 2) return false;
      const auto tensor = p.m_.As<TensorType>(p.m_.TypeOf(value));
      if (!tensor || tensor->shape.size() != 2 || tensor->shape[1] != 2 || tensor->encoding) return false;
      p.Put('[');
      p.List(values.size() / 2, [&](size_t k) { p.PutInts({&values[2 * k], 2}); });
      p.Put(']');
    } else if (i == kReverse) {
      const auto array = node.As<DenseArrayAttr>();
      if (!array || p.m_.types.KindOf(array->element) != TypeKind::kI1) return false;
      p.Put('[');
      const std::string_view bytes = p.m_.payloads[array->payload].bytes();
      const std::string_view words[] = {p.style_.mhlo ? "0" : "false", p.style_.mhlo ? "1" : "true"};
      p.List(bytes.size(), [&](size_t k) { p.Put(words[bytes[k] != 0]); });
      p.Put(']');
    } else {
      std::span<const int64_t> values;
      if (!Ints(p, value, &values)) return false;
      p.PutInts(values);
    }
  }
  return true;
}

}  // namespace shlo::text
