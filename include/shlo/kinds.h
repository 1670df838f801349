// Kinds of types and attributes, their fields, classes and versions: the rows of schema/kinds.inc,
// schema/element_types.inc and schema/enums.inc as data. Generic code for types and attributes (hashing,
// version checks, codecs) is driven by these rows.
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
// Returns whether a field is a list.
constexpr bool IsList(FieldType type) { return type >= FieldType::kInts; }

// One field of a kind.
struct FieldRow {
  std::string_view name;             // in VHLO
  FieldType type = FieldType::kInt;  // decides how many words the field takes
  std::string_view text;             // in StableHLO text
};

// Coarse classification of kinds.
enum class KindClass : uint8_t {
  kOther,
  kSignless,  // integers, from here to kFloat element types
  kUnsigned,
  kIndex,
  kFloat,
  kQuantized,
  kLocation,
  kEnum,
};

// A kind of types or attributes.
struct KindRow {
  uint16_t id = 0;                        // permanent wire id; 0: no such kind
  std::string_view name;                  // enumerator; the mnemonic if it has none
  std::string_view dialect;               // "" for builtin
  std::string_view mnemonic;              // StableHLO or builtin spelling
  std::string_view vhlo;                  // VHLO mnemonic, "" if it has none
  Version since;                          // first version that has the kind
  Version until;                          // last version; the current one if still alive
  KindClass kind_class{};                 // kOther unless generic code treats the kind specially
  uint8_t width = 0;                      // bits of an element type
  bool quantized_storage = false;         // a float type that quantized types may be stored in
  std::array<FieldRow, 11> field_rows{};  // the first `num_fields` are used
  uint8_t num_fields = 0;                 // see fields()
  // Returns the fields in the order in which a node stores them.
  constexpr std::span<const FieldRow> fields() const { return {field_rows.data(), num_fields}; }
};

// A case of an enum attribute.
struct EnumCase {
  int64_t value;          // as attributes store it; permanent
  std::string_view name;  // as in text: "HIGHEST"
  Version since;          // first version with the case; not before the kind's
  Version until;          // last version; not after the kind's
};

// Kinds of types. Only kinds that code names have an enumerator. Permanent ids are unique among all rows of a
// table and never change.
enum class TypeKind : uint16_t {
  kInvalid = 0,
  // Element types: schema/element_types.inc.
  kIndex = 2,
  kI1 = 10,
  kI2 = 11,
  kI4 = 12,
  kI8 = 13,
  kI16 = 14,
  kI32 = 15,
  kI64 = 16,
  kUI2 = 20,
  kUI4 = 21,
  kUI8 = 22,
  kUI16 = 23,
  kUI32 = 24,
  kUI64 = 25,
  kF4E2M1FN = 30,
  kF6E2M3FN = 31,
  kF6E3M2FN = 32,
  kF8E3M4 = 33,
  kF8E4M3 = 34,
  kF8E4M3FN = 35,
  kF8E4M3FNUZ = 36,
  kF8E4M3B11FNUZ = 37,
  kF8E5M2 = 38,
  kF8E5M2FNUZ = 39,
  kF8E8M0FNU = 40,
  kBF16 = 41,
  kF16 = 42,
  kTF32 = 43,
  kF32 = 44,
  kF64 = 45,
  kF80 = 46,
  kF128 = 47,
#define SHLO_TYPE(id, name, ...) name = id,
#include "schema/kinds.inc"
};

// Kinds of attributes, as TypeKind.
enum class AttrKind : uint16_t {
  kInvalid = 0,
  // Enums: schema/enums.inc.
  kComparisonDirection = 50,
  kComparisonType = 51,
  kFftType = 52,
  kPrecision = 53,
  kRngAlgorithm = 54,
  kRngDistribution = 55,
  kTranspose = 56,
  kCustomCallApiVersion = 57,
  kResultAccuracyMode = 58,
  kChloComparisonDirection = 70,
  kChloComparisonType = 71,
  kChloPrecision = 72,
#define SHLO_ATTR(id, name, ...) name = id,
#include "schema/kinds.inc"
};

// Returns the row of a kind; a row with id 0 for an unknown kind.
const KindRow& RowOf(TypeKind kind);
const KindRow& RowOf(AttrKind kind);

// Returns all rows, ordered by permanent id.
std::span<const KindRow> TypeKinds();
std::span<const KindRow> AttrKinds();

// Returns the cases of an enum attribute kind in all versions, ordered by value; empty for other kinds.
std::span<const EnumCase> CasesOf(AttrKind kind);
// Finds a case by value or name; nullptr if there is none.
const EnumCase* FindCase(AttrKind kind, int64_t value);
const EnumCase* FindCase(AttrKind kind, std::string_view name);

// Finds a kind by StableHLO dialect and mnemonic ("", "f32"; "stablehlo", "token"), or by VHLO mnemonic
// ("f32_v1"). Returns kInvalid if there is none, and the first row for a mnemonic of several kinds ("tensor",
// "uniform").
TypeKind FindTypeKind(std::string_view dialect, std::string_view mnemonic);
AttrKind FindAttrKind(std::string_view dialect, std::string_view mnemonic);
TypeKind FindVhloTypeKind(std::string_view mnemonic);
AttrKind FindVhloAttrKind(std::string_view mnemonic);

// Frequently used properties of kinds, in a table indexed by permanent id.
inline constexpr size_t kMaxKind = 128;  // exceeds every permanent id
// As in KindRow, for fast access.
struct KindTraits {
  KindClass kind_class{};  // as KindRow::kind_class
  uint8_t width = 0;       // as KindRow::width
};
// The traits of all kinds; zero for unknown kinds. ClassOf and BitWidth check the index.
extern const std::array<KindTraits, kMaxKind> kTypeTraits;
extern const std::array<KindTraits, kMaxKind> kAttrTraits;

// Returns the class of a kind; kOther for kinds without one.
inline KindClass ClassOf(TypeKind kind) {
  return size_t(kind) < kMaxKind ? kTypeTraits[size_t(kind)].kind_class : KindClass::kOther;
}
// Returns the class of a kind; kOther for kinds without one.
inline KindClass ClassOf(AttrKind kind) {
  return size_t(kind) < kMaxKind ? kAttrTraits[size_t(kind)].kind_class : KindClass::kOther;
}
// Width in bits of an element type (an index has 64); 0 for others.
inline int BitWidth(TypeKind kind) { return size_t(kind) < kMaxKind ? kTypeTraits[size_t(kind)].width : 0; }
inline bool IsFloat(TypeKind kind) { return ClassOf(kind) == KindClass::kFloat; }
inline bool IsSignlessInteger(TypeKind kind) { return ClassOf(kind) == KindClass::kSignless; }
inline bool IsUnsignedInteger(TypeKind kind) { return ClassOf(kind) == KindClass::kUnsigned; }
// Returns whether a kind is a signless or unsigned integer, or index.
inline bool IsInteger(TypeKind kind) {
  const KindClass c = ClassOf(kind);
  return c == KindClass::kSignless || c == KindClass::kUnsigned || c == KindClass::kIndex;
}
inline bool IsQuantized(TypeKind kind) { return ClassOf(kind) == KindClass::kQuantized; }
inline bool IsLocation(AttrKind kind) { return ClassOf(kind) == KindClass::kLocation; }
inline bool IsEnum(AttrKind kind) { return ClassOf(kind) == KindClass::kEnum; }
// Finds the element type of a class and width; kInvalid if there is none, or several.
TypeKind FindElementType(KindClass kind_class, int64_t width);

// The widest integer type, as MLIR's IntegerType::kMaxWidth.
inline constexpr int64_t kMaxIntegerWidth = (1 << 24) - 1;

// A dynamic dimension, or an absent bound: printed "?".
inline constexpr int64_t kDynamic = INT64_MIN;

}  // namespace shlo
