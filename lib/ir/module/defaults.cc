// Whether a written attribute is the default of its cell: what conversion steps, writers and comparison agree
// on.
#include <algorithm>

#include "ir/table/attr_class.h"
#include "shlo/module.h"

namespace shlo {
namespace {

bool IsZero(std::string_view bytes) { return bytes.find_first_not_of('\0') == bytes.npos; }

// Number of items of an integer list in either of its representations, without expanding a splat; -1
// when it is neither. *equal: whether all of them are `wanted`, which elements are only compared with for 0.
int64_t CountInts(const Module& m, AttrId value, int64_t wanted, bool* equal) {
  Module::ElementsView elements;
  if (m.AsElements(value, &elements)) {
    Module::TensorView tensor;
    uint64_t count = 0;
    if (!m.AsTensor(elements.type, &tensor) || !Module::ElementCount(tensor.shape, &count)) return -1;
    *equal = wanted == 0 && IsZero(elements.payload.bytes());
    return int64_t(count);
  }
  if (m.attrs.KindOf(value) != AttrKind::kI64Array) return -1;
  const auto ints = FieldReader(m.attrs[value].words).Ints();
  *equal = std::ranges::all_of(ints, [&](int64_t i) { return i == wanted; });
  return int64_t(ints.size());
}

bool IsDefaultAccuracy(const Module& m, AttrId value) {
  if (m.attrs.KindOf(value) != AttrKind::kResultAccuracy) return false;
  FieldReader fields(m.attrs[value].words);
  const double atol = fields.Float(), rtol = fields.Float();
  const int64_t ulps = fields.Int();
  const AttrId mode = fields.Attr();
  // Negative zero is a zero tolerance too.
  return atol == 0 && rtol == 0 && ulps == 0 && m.attrs.KindOf(mode) == AttrKind::kResultAccuracyMode &&
         FieldReader(m.attrs[mode].words).Int() == 0;
}

// Any number of DEFAULT.
bool AreDefaultPrecisions(const Module& m, AttrId value) {
  if (m.attrs.KindOf(value) != AttrKind::kArray) return false;
  const auto items = FieldReader(m.attrs[value].words).List();
  return !items.empty() && std::ranges::all_of(items, [&](uint64_t word) {
    const AttrId item(static_cast<uint32_t>(word));
    return m.attrs.KindOf(item) == AttrKind::kPrecision && FieldReader(m.attrs[item].words).Int() == 0;
  });
}

bool IsOpaque(const Module& m, AttrId value, std::string_view dialect, std::string_view text) {
  if (m.attrs.KindOf(value) != AttrKind::kOpaqueAttr) return false;
  FieldReader fields(m.attrs[value].words);
  const std::string_view name = m.strings[fields.String()];
  return name == dialect && m.strings[fields.String()] == text;
}

}  // namespace

bool Module::IsDefaultValue(const Cell& cell, AttrId value) const {
  bool equal = false, flag = false;
  int64_t number = 0;
  std::string_view text;
  switch (cell.attr_default()) {
    case Default::kRequired:
    case Default::kOptional:
    case Default::kTextOnly:
      return false;
    case Default::kFalse:
      return AsBool(value, &flag) && !flag;
    case Default::kTrue:
      return AsBool(value, &flag) && flag;
    case Default::kZero:
      return AsInteger(value, &number) && number == 0;
    case Default::kOne:
      return AsInteger(value, &number) && number == 1;
    case Default::kMinusOne:
      return AsInteger(value, &number) && number == -1;
    case Default::kEmptyString:
      return AsString(value, &text) && text.empty();
    case Default::kEmptyI64s:
      return CountInts(*this, value, 0, &equal) == 0;
    case Default::kEmptyArray:
      return attrs.KindOf(value) == AttrKind::kArray && FieldReader(attrs[value].words).List().empty();
    case Default::kEmptyDict:
      return attrs.KindOf(value) == AttrKind::kDict && attrs[value].words[0] == 0;
    case Default::kNoneType:
      return attrs.KindOf(value) == AttrKind::kTypeAttr &&
             types.KindOf(FieldReader(attrs[value].words).Type()) == TypeKind::kNone;
    case Default::kFirstCase:
      return attrs.KindOf(value) == cell.attr_kind() &&
             FieldReader(attrs[value].words).Int() == CasesOf(cell.attr_kind()).front().value;
    case Default::kOnes:
      return CountInts(*this, value, 1, &equal) >= 0 && equal;
    case Default::kZeroPairs:
      return CountInts(*this, value, 0, &equal) >= 0 && equal;
    case Default::kFalses: {
      if (attrs.KindOf(value) != AttrKind::kDenseArray) return false;
      FieldReader fields(attrs[value].words);
      fields.Type();
      return IsZero(payloads[fields.PayloadRef()].bytes());
    }
    case Default::kDefaultPrecisions:
      return AreDefaultPrecisions(*this, value);
    case Default::kDefaultAccuracy:
      return IsDefaultAccuracy(*this, value);
    case Default::kEmptyConfig:
      return (attrs.KindOf(value) == AttrKind::kDict && attrs[value].words[0] == 0) ||
             (AsString(value, &text) && text.empty());
    case Default::kNoOverflow:
      return IsOpaque(*this, value, "arith", ".overflow<none>");
    case Default::kNoFastMath:
      return IsOpaque(*this, value, "arith", ".fastmath<none>");
  }
  return false;
}

}  // namespace shlo
