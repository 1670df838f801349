// Decides whether a written attribute is the default of its cell, for conversion steps, writers and
// comparison.
#include <algorithm>

#include "ir/table/attr_class.h"
#include "shlo/module.h"

namespace shlo {
namespace {

bool IsZero(std::string_view bytes) { return bytes.find_first_not_of('\0') == bytes.npos; }

// Returns the number of items of an integer list in either of its representations, without expanding a splat;
// -1 for other attributes. Sets *equal if all items are `wanted`; elements are only compared with 0.
int64_t CountInts(const Module& m, AttrId value, int64_t wanted, bool* equal) {
  if (const auto elements = m.As<ElementsAttr>(value)) {
    const auto tensor = m.As<TensorType>(elements->type);
    uint64_t count = 0;
    if (!tensor || !Module::ElementCount(tensor->shape, &count)) return -1;
    *equal = wanted == 0 && IsZero(m.payloads[elements->payload].bytes());
    return int64_t(count);
  }
  const auto array = m.As<I64ArrayAttr>(value);
  if (!array) return -1;
  *equal = std::ranges::all_of(array->values, [&](int64_t i) { return i == wanted; });
  return int64_t(array->values.size());
}

bool IsDefaultAccuracy(const Module& m, AttrId value) {
  const auto accuracy = m.As<ResultAccuracyAttr>(value);
  // A tolerance of -0.0 counts as zero.
  return accuracy && accuracy->atol == 0 && accuracy->rtol == 0 && accuracy->ulps == 0 &&
         m.EnumValue(accuracy->mode, AttrKind::kResultAccuracyMode) == 0;
}

// Any number of DEFAULT.
bool AreDefaultPrecisions(const Module& m, AttrId value) {
  const auto array = m.As<ArrayAttr>(value);
  return array && !array->elements.empty() && std::ranges::all_of(array->elements, [&](AttrId item) {
           return m.EnumValue(item, AttrKind::kPrecision) == 0;
         });
}

bool IsEmptyDict(const Module& m, AttrId value) {
  const auto dict = m.As<DictionaryAttr>(value);
  return dict && dict->entries.empty();
}

bool IsOpaque(const Module& m, AttrId value, std::string_view dialect, std::string_view text) {
  const auto opaque = m.As<OpaqueAttr>(value);
  return opaque && m.strings[opaque->dialect] == dialect && m.strings[opaque->text] == text;
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
      return attrs.KindOf(value) == AttrKind::kArray && ElementsOf(value).empty();
    case Default::kEmptyDict:
      return IsEmptyDict(*this, value);
    case Default::kNoneType: {
      const auto type = As<shlo::TypeAttr>(value);
      return type && types.KindOf(type->type) == TypeKind::kNone;
    }
    case Default::kFirstCase:
      return EnumValue(value, cell.attr_kind()) == CasesOf(cell.attr_kind()).front().value;
    case Default::kOnes:
      return CountInts(*this, value, 1, &equal) >= 0 && equal;
    case Default::kZeroPairs:
      return CountInts(*this, value, 0, &equal) >= 0 && equal;
    case Default::kFalses: {
      const auto array = As<DenseArrayAttr>(value);
      return array && IsZero(payloads[array->payload].bytes());
    }
    case Default::kDefaultPrecisions:
      return AreDefaultPrecisions(*this, value);
    case Default::kDefaultAccuracy:
      return IsDefaultAccuracy(*this, value);
    case Default::kEmptyConfig:
      return IsEmptyDict(*this, value) || (AsString(value, &text) && text.empty());
    case Default::kNoOverflow:
      return IsOpaque(*this, value, "arith", ".overflow<none>");
    case Default::kNoFastMath:
      return IsOpaque(*this, value, "arith", ".fastmath<none>");
  }
  return false;
}

}  // namespace shlo
