// The rows of schema/element_types.inc at compile time, for the few sources that need a format as a constant.
// Others use shlo/kinds.h and ir/table/float_format.h.
#pragma once

#include "ir/table/float_format.h"
#include "ir/table/interval.h"
#include "shlo/kinds.h"

namespace shlo {

// The name of a row in traces: its enumerator as written in the row, or the mnemonic of a row without an
// enumerator, written `TypeKind(48)`.
constexpr std::string_view EnumeratorOr(std::string_view spelled, std::string_view mnemonic) {
  return spelled.starts_with('k') ? spelled : mnemonic;
}

struct ElementRow {
  TypeKind kind;
  std::string_view name, mnemonic, vhlo;
  Interval interval;
  KindClass kind_class;
  int width = 0;
  FloatFormat format{};  // of a float
  bool quantized_storage = false;
};

namespace element_rows {

using enum TypeKind;
using enum FloatFormat::Flavor;

struct Class {
  KindClass kind_class;
  int width;
  FloatFormat format{};
  bool quantized_storage = false;
};
constexpr bool kQuantizedStorage = true;
consteval Class Index() { return {KindClass::kIndex, 64}; }
consteval Class Signless(int width) { return {KindClass::kSignless, width}; }
consteval Class Unsigned(int width) { return {KindClass::kUnsigned, width}; }
consteval Class Float(FloatFormat::Flavor flavor, int exponent_bits, int mantissa_bits, int bias,
                      bool quantized_storage = false) {
  const int width = (flavor == kFnu ? 0 : 1) + exponent_bits + mantissa_bits;
  return {KindClass::kFloat, width, {flavor, width, exponent_bits, mantissa_bits, bias}, quantized_storage};
}
consteval ElementRow Row(TypeKind kind, std::string_view name, std::string_view mnemonic,
                         std::string_view vhlo, Interval interval, Class c) {
  return {kind,     EnumeratorOr(name, mnemonic), mnemonic, vhlo, interval, c.kind_class, c.width,
          c.format, c.quantized_storage};
}

inline constexpr ElementRow kRows[] = {
#define SHLO_ELEMENT_TYPE(kind, ...) Row(kind, #kind, __VA_ARGS__),
#include "schema/element_types.inc"
};

}  // namespace element_rows

inline constexpr std::span<const ElementRow> kElementRows = element_rows::kRows;

}  // namespace shlo
