// Kinds of types and attributes, and their fields: the rows of schema/kinds.inc as data. Everything that
// walks a type or an attribute without caring what it is (hashing, version checks, codecs) is driven by
// these rows.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "shlo/version.h"

namespace shlo {

// How a field is stored in the words of a node (see NodeTable): scalars take one 64-bit word; lists a
// count word and then their items; kNamed lists take two words per item (name, attribute).
enum class FieldType : uint8_t {
  kInt,      // int64
  kFloat,    // double, bit pattern
  kString,   // StringId
  kType,     // TypeId
  kAttr,     // AttrId
  kOptAttr,  // AttrId, 0 for none
  kPayload,  // PayloadId
  kInts,     // list of int64
  kFloats,   // list of double
  kStrings,  // list of StringId
  kTypes,    // list of TypeId
  kAttrs,    // list of AttrId
  kNamed,    // list of (StringId, AttrId)
};
constexpr bool IsList(FieldType type) { return type >= FieldType::kInts; }

struct FieldRow {
  std::string_view name;  // as the portable dialect names the attribute
  FieldType type = FieldType::kInt;
  std::string_view text;  // as text names it
};

struct KindRow {
  uint16_t id = 0;            // permanent wire id; 0: no such kind
  std::string_view dialect;   // "" for builtin
  std::string_view mnemonic;  // StableHLO or builtin spelling
  std::string_view vhlo;      // portable (VHLO) mnemonic, "" when it has none
  Version since;              // first version that can say it
  std::array<FieldRow, 11> field_rows{};
  uint8_t num_fields = 0;
  constexpr std::span<const FieldRow> fields() const { return {field_rows.data(), num_fields}; }
};

struct EnumCase {
  int64_t value;
  std::string_view name;
};

enum class TypeKind : uint16_t {
  kInvalid = 0,
#define SHLO_TYPE(id, name, ...) name = id,
#include "schema/kinds.inc"
};

enum class AttrKind : uint16_t {
  kInvalid = 0,
#define SHLO_ATTR(id, name, ...) name = id,
#include "schema/kinds.inc"
};

// The row of a kind. For a number that is no kind, a row with id 0.
const KindRow& RowOf(TypeKind kind);
const KindRow& RowOf(AttrKind kind);

// All rows, in wire-id order.
std::span<const KindRow> TypeKinds();
std::span<const KindRow> AttrKinds();

// The cases of an enum attribute kind, in value order; empty for other kinds.
std::span<const EnumCase> CasesOf(AttrKind kind);
// Case by value or name; nullptr when there is none.
const EnumCase* FindCase(AttrKind kind, int64_t value);
const EnumCase* FindCase(AttrKind kind, std::string_view name);

// Kind by StableHLO dialect and mnemonic ("", "f32"; "stablehlo", "token"), or by portable mnemonic
// ("f32_v1"). kInvalid when there is none. Spellings that several kinds share ("tensor", "uniform")
// give the first row.
TypeKind FindTypeKind(std::string_view dialect, std::string_view mnemonic);
AttrKind FindAttrKind(std::string_view dialect, std::string_view mnemonic);
TypeKind FindVhloTypeKind(std::string_view mnemonic);
AttrKind FindVhloAttrKind(std::string_view mnemonic);

// Element types. Width in bits of an integer, index (64) or float kind; 0 for others.
int BitWidth(TypeKind kind);
constexpr bool IsFloat(TypeKind kind) { return kind >= TypeKind::kF4E2M1FN && kind <= TypeKind::kF128; }
constexpr bool IsSignlessInteger(TypeKind kind) { return kind >= TypeKind::kI1 && kind <= TypeKind::kI64; }
constexpr bool IsUnsignedInteger(TypeKind kind) { return kind >= TypeKind::kUI2 && kind <= TypeKind::kUI64; }
constexpr bool IsLocation(AttrKind kind) {
  return kind >= AttrKind::kUnknownLoc && kind <= AttrKind::kFusedLoc;
}
constexpr bool IsEnum(AttrKind kind) {
  return kind >= AttrKind::kComparisonDirection && kind <= AttrKind::kChloPrecision;
}

// A dimension or bound that is not known: printed "?".
inline constexpr int64_t kDynamic = INT64_MIN;

}  // namespace shlo
