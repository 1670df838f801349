// Custom directives of upstream MLIR dialects: arith, tensor and shape.
#include <fmt/ranges.h>

#include <cstring>

#include "base/format.h"
#include "serialize/text/form_directives.h"
#include "shlo/types.h"

namespace shlo::text {

// --- Types -----------------------------------------------------------------------------------------

// The type of a tensor; its dimension and the result are of type index.
bool Directives::ReadDimType(Reader& r, Draft& d, const FormRef*) {
  r.BeginTypes(d);
  if (!r.ReadType(&r.types_.emplace_back())) return false;
  const TypeId index = r.m_.Type(TypeKind::kIndex);
  r.types_.push_back(index);
  r.AddResultType(d, index);
  return true;
}

bool Directives::PrintDimType(OpPrinter& p, const Op& op, const FormRef*) {
  const auto operands = p.m_.OperandsOf(op);
  if (p.m_.types.KindOf(p.m_.TypeOf(operands[1])) != TypeKind::kIndex ||
      p.m_.types.KindOf(p.m_.TypeOf(p.m_.ResultOf(op, 0))) != TypeKind::kIndex)
    return false;
  p.attrs_.Type(p.m_.TypeOf(operands[0]), Spelling::kStablehlo);
  return true;
}

bool Directives::ReadTensorType(Reader& r, Draft& d, TypeId* type, TypeId* element) {
  r.BeginTypes(d);
  const char* at = (r.c_.Skip(), r.c_.p);
  if (!r.ReadType(type)) return false;
  const ShapedType tensor(r.m_, *type);
  *element = tensor.element;
  return tensor.IsTensorOrVector() || r.FailCustom(d, at, "expected a tensor type");
}

// The type of a tensor that is made of its elements.
bool Directives::ReadElementsType(Reader& r, Draft& d, const FormRef*) {
  TypeId type, element;
  if (!ReadTensorType(r, d, &type, &element)) return false;
  r.types_.insert(r.types_.end(), r.uses_.size() - d.uses, element);
  r.AddResultType(d, type);
  return true;
}

bool Directives::PrintElementsType(OpPrinter& p, const Op& op, const FormRef*) {
  const TypeId result = p.m_.TypeOf(p.m_.ResultOf(op, 0));
  const auto tensor = p.m_.As<TensorType>(result);
  if (!tensor) return false;
  for (ValueId operand : p.m_.OperandsOf(op))
    if (p.m_.TypeOf(operand) != tensor->element) return false;
  p.attrs_.Type(result, Spelling::kStablehlo);
  return true;
}

// tensor.insert: the type of the tensor; the scalar is an element of it, the indices are of type index.
bool Directives::ReadInsertType(Reader& r, Draft& d, const FormRef*) {
  TypeId type, element;
  if (!ReadTensorType(r, d, &type, &element)) return false;
  r.types_.push_back(element);
  r.types_.push_back(type);
  const size_t operands = r.uses_.size() - d.uses;
  r.types_.insert(r.types_.end(), operands > 2 ? operands - 2 : 0, r.m_.Type(TypeKind::kIndex));
  r.AddResultType(d, type);
  return true;
}

bool Directives::PrintInsertType(OpPrinter& p, const Op& op, const FormRef*) {
  const auto operands = p.m_.OperandsOf(op);
  const TypeId result = p.m_.TypeOf(p.m_.ResultOf(op, 0));
  const auto tensor = p.m_.As<TensorType>(result);
  if (!tensor || p.m_.TypeOf(operands[0]) != tensor->element || p.m_.TypeOf(operands[1]) != result)
    return false;
  for (ValueId index : operands.subspan(2))
    if (p.m_.types.KindOf(p.m_.TypeOf(index)) != TypeKind::kIndex) return false;
  p.attrs_.Type(result, Spelling::kStablehlo);
  return true;
}

// The types of the operands; the result is a shape.witness.
bool Directives::ReadWitnessType(Reader& r, Draft& d, const FormRef*) {
  r.BeginTypes(d);
  if (!r.ReadTypeRun()) return false;
  r.AddResultType(d, r.m_.Type(TypeKind::kWitness));
  return true;
}

bool Directives::PrintWitnessType(OpPrinter& p, const Op& op, const FormRef*) {
  if (p.m_.types.KindOf(p.m_.TypeOf(p.m_.ResultOf(op, 0))) != TypeKind::kWitness) return false;
  p.TypesOf(p.m_.OperandsOf(op), Spelling::kStablehlo);
  return true;
}

// arith.cmpi: the type of the operands; the result has i1 in its place.
bool Directives::ReadCompareType(Reader& r, Draft& d, const FormRef*) {
  r.BeginTypes(d);
  TypeId type;
  if (!r.ReadType(&type)) return false;
  r.types_.insert(r.types_.end(), 2, type);
  r.AddResultType(d, r.ImpliedType({}, "i1", type));
  return true;
}

bool Directives::PrintCompareType(OpPrinter& p, const Op& op, const FormRef*) {
  const auto operands = p.m_.OperandsOf(op);
  const TypeId type = p.m_.TypeOf(operands[0]);
  if (p.m_.TypeOf(operands[1]) != type || !IsI1Of(p.m_, p.m_.TypeOf(p.m_.ResultOf(op, 0)), type))
    return false;
  p.attrs_.Type(type, Spelling::kStablehlo);
  return true;
}

// arith.select: the type of the values, or those of the condition and the values if the former is not i1.
bool Directives::ReadArithSelectType(Reader& r, Draft& d, const FormRef*) {
  r.BeginTypes(d);
  if (!r.ReadTypeRun()) return false;
  if (r.types_.size() - d.types == 1) r.types_.insert(r.types_.end() - 1, r.m_.Type(TypeKind::kI1));
  if (r.types_.size() - d.types != 2) return r.FailCustom(d, d.name_at, "expected one or two types");
  const TypeId value = r.types_.back();
  r.types_.push_back(value);
  r.AddResultType(d, value);
  return true;
}

bool Directives::PrintArithSelectType(OpPrinter& p, const Op& op, const FormRef*) {
  const auto operands = p.m_.OperandsOf(op);
  const TypeId condition = p.m_.TypeOf(operands[0]), result = p.m_.TypeOf(p.m_.ResultOf(op, 0));
  if (p.m_.TypeOf(operands[1]) != result || p.m_.TypeOf(operands[2]) != result) return false;
  if (p.m_.types.KindOf(condition) != TypeKind::kI1) {
    p.attrs_.Type(condition, Spelling::kStablehlo);
    p.Put(", ");
  }
  p.attrs_.Type(result, Spelling::kStablehlo);
  return true;
}

// --- Attributes ------------------------------------------------------------------------------------

namespace {

// A set of arith flags, spelled "#arith.overflow<nsw, nuw>" as an attribute and "overflow<nsw, nuw>" in the
// custom form. Bit i is names[i].
struct FlagSet {
  std::string_view word;
  std::string_view set;   // C++ name, for messages
  std::string_view attr;  // attribute name, for messages
  std::string_view separator;
  std::string_view every;  // the word for all flags; "" if there is none
  std::span<const std::string_view> names;
};

constexpr std::string_view kOverflowFlags[] = {"nsw", "nuw"};
constexpr std::string_view kFastMathFlags[] = {"reassoc", "nnan", "ninf", "nsz", "arcp", "contract", "afn"};

const FlagSet* FindFlagSet(std::string_view word) {
  static constexpr FlagSet kSets[] = {
      {"overflow", "IntegerOverflowFlags", "Arith_IntegerOverflowAttr", ", ", "", kOverflowFlags},
      {"fastmath", "FastMathFlags", "Arith_FastMathAttr", ",", "fast", kFastMathFlags},
  };
  for (const FlagSet& set : kSets)
    if (set.word == word) return &set;
  return nullptr;
}

}  // namespace

// Reads "<nsw, nuw>" after `word`. `op` is the name of the op whose custom form contains
// it; empty in an attribute.
// Flags are stored in MLIR's order, whatever the order in the text.
bool AttrReader::ReadArithFlags(std::string_view word, std::string_view op, AttrId* attr) {
  const FlagSet* set = FindFlagSet(word);
  if (!set) return false;
  const auto fail = [&](const char* at, std::string why) {
    return FailCase(op, at, std::move(why), set->attr, StrFormat("::mlir::arith::{}", set->set));
  };
  if (c_.Peek() != '<') return FailExpected("'<'");
  ++c_.p;
  const uint32_t every = (1u << set->names.size()) - 1;
  uint32_t flags = 0;
  do {
    const char* at = (c_.Skip(), c_.p);
    const std::string_view name = c_.Word();
    if (name.empty()) return fail(at, "expected valid keyword or string");
    const auto found = std::find(set->names.begin(), set->names.end(), name);
    if (found != set->names.end()) {
      flags |= 1u << (found - set->names.begin());
    } else if (name == set->every) {
      flags = every;
    } else if (name != "none") {
      return fail(at, StrFormat("expected ::mlir::arith::{} to be one of: none, {}{}{}", set->set,
                                fmt::join(set->names, ", "), set->every.empty() ? "" : ", ", set->every));
    }
  } while (c_.Eat(','));
  if (!c_.Eat('>')) return FailExpected("'>'");

  std::string text;
  if (flags == every) text = set->every;
  if (text.empty()) {
    for (size_t i = 0; i < set->names.size(); ++i) {
      if (!(flags >> i & 1)) continue;
      if (!text.empty()) text += set->separator;
      text += set->names[i];
    }
  }
  *attr = m_.Opaque("arith", StrFormat(".{}<{}>", set->word, text.empty() ? "none" : text));
  return true;
}

// overflow<nsw>, fastmath<fast>: flags of arith; "none" is omitted.
bool Directives::ReadArithFlags(Reader& r, Draft& d, const FormRef* args) {
  for (std::string_view word : {"overflow", "fastmath"}) {
    if (!r.c_.PeekWord(word)) continue;
    const char* at = r.c_.p;
    r.c_.EatWord(word);
    AttrId value;
    if (!r.ReadArithFlags(word, d.name->name, &value)) return false;
    r.PushAttr(NameOf(d, args[0]), value, at);
  }
  return true;
}

bool Directives::PrintArithFlags(OpPrinter& p, const Op& op, const FormRef* args) {
  const AttrId value = ValueOf(p, op, args[0]);
  if (!value) return true;
  const auto opaque = p.m_.As<OpaqueAttr>(value);
  if (!opaque || p.m_.strings[opaque->dialect] != "arith") return false;
  const std::string_view text = p.m_.strings[opaque->text];
  if (!text.starts_with(".overflow<") && !text.starts_with(".fastmath<")) return false;
  if (text.ends_with("<none>")) return true;
  p.Put(' ');
  p.Put(text.substr(1));
  return true;
}

// shape.const_shape: [1, 2] : type, the elements of a constant of type index.
bool Directives::ReadExtents(Reader& r, Draft& d, const FormRef* args) {
  const char* at = (r.c_.Skip(), r.c_.p);
  std::vector<int64_t> values;
  TypeId type;
  if (!r.ReadFormInts(d, &values) || !r.Expect(':', "before the type of the shape") || !r.ReadType(&type))
    return false;
  const int64_t shape[] = {int64_t(values.size())};
  const std::string_view bytes(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(int64_t));
  const TypeId elements = r.m_.TensorType(shape, r.m_.Type(TypeKind::kIndex));
  r.PushAttr(NameOf(d, args[0]), r.ElementsOf(elements, bytes, false), at);
  r.AddResultType(d, type);
  return true;
}

bool Directives::PrintExtents(OpPrinter& p, const Op& op, const FormRef* args) {
  const auto elements = p.m_.As<ElementsAttr>(ValueOf(p, op, args[0]));
  const auto tensor = elements ? p.m_.As<TensorType>(elements->type) : std::nullopt;
  if (!tensor || p.m_.types.KindOf(tensor->element) != TypeKind::kIndex || tensor->shape.size() != 1 ||
      tensor->encoding || tensor->shape[0] < 0 || tensor->shape[0] > 1000)
    return false;
  const Payload payload = p.m_.payloads[elements->payload];
  if (payload.size < (elements->splat ? 8 : 8 * uint64_t(tensor->shape[0]))) return false;
  std::vector<int64_t> values(size_t(tensor->shape[0]));
  for (size_t i = 0; i < values.size(); ++i)
    std::memcpy(&values[i], payload.data + (elements->splat ? 0 : 8 * i), 8);
  p.PutInts(values);
  p.Put(" : ");
  p.attrs_.Type(p.m_.TypeOf(p.m_.ResultOf(op, 0)), Spelling::kStablehlo);
  return true;
}

// arith.cmpi: the predicate by its name.
bool Directives::ReadComparePredicate(Reader& r, Draft& d, const FormRef* args) {
  return r.ReadNamed(d, RevisionOf(d.shape), args[0]);
}

bool Directives::PrintComparePredicate(OpPrinter& p, const Op& op, const FormRef* args) {
  return p.PrintNamed(op, RevisionOf(p.ShapeOf(op)), args[0]);
}

}  // namespace shlo::text
