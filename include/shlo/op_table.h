// The op table: schema/ops.inc as data, and everything derived from it. A row is one op under one name; a
// revision is its definition in an interval of versions, the counterpart of VHLO's `_v2`; its cells are
// operands, attributes, results and regions. The rows are in lib/ir/table/op_rows.h, so that a change of a
// row rebuilds little.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "shlo/kinds.h"
#include "shlo/version.h"

namespace shlo {

// The words of the rows, opaque here: lib/ir/table defines their enumerators (form.h, type_class.h, rule.h,
// attr_class.h) for code that names cases. Zero is the generic form, any type, no rule.
enum class Form : uint8_t;       // assembly format in StableHLO text: a row of schema/forms.inc
enum class TypeClass : uint8_t;  // type constraint of an operand or result: schema/type_classes.inc
enum class Rule : uint8_t;       // constraints beyond cells and traits: schema/rules.inc
enum class AttrClass : uint8_t;  // attribute constraint: schema/attr_classes.inc
enum class Default : uint8_t;    // default of an absent attribute: schema/attr_classes.inc

// Properties of an op, and relations between its operands and results: schema/traits.inc.
enum class Trait : uint8_t {
#define SHLO_TRAIT(name, ...) name,
#include "schema/traits.inc"
};

// Returns whether a trait relates operands and results.
constexpr bool IsRelation(Trait t) { return t >= Trait::kCompatibleTypes; }

// Allowed values of an integer attribute, as MLIR's `Confined`.
enum class Confined : uint8_t { kNo, kNonNegative, kPositive };

// A condition under which a revision is legal in older versions.
enum class Cond : uint8_t {
#define SHLO_COND(name, ...) name,
#include "schema/traits.inc"
};

// The kind of a cell.
enum class CellTag : uint8_t {
  kOp,
  kTrait,
  kRule,
  kRevision,
  kOperand,
  kResult,
  kRegion,
  kAttr,
  kStructAttr,
  kCond,
  kEnd,   // the op that ends its regions, by name
  kForm,  // only in the text of rows
};

// One cell of schema/ops.inc.
struct Cell {
  CellTag tag;
  bool variadic = false;
  uint8_t a = 0;   // Form, Trait, Rule, TypeClass, AttrClass, Cond; regions: whether one block is required
  uint8_t b = 0;   // Default
  uint16_t x = 0;  // wire id, first version, AttrKind, last version of a condition
  uint16_t y = 0;  // last version, 0 for "still"; of attributes, Confined and a bit for filled
  std::string_view name;

  constexpr AttrClass attr_class() const { return AttrClass(a); }
  constexpr Default attr_default() const { return Default(b); }
  constexpr AttrKind attr_kind() const { return AttrKind(x); }
  constexpr bool required() const { return b == 0; }   // of an attribute
  constexpr bool one_block() const { return a != 0; }  // of a region
  constexpr Confined confined() const { return Confined(y & 0xFF); }
  // Reading text without the attribute yields the default as a written value, as in the reference.
  constexpr bool filled() const { return tag == CellTag::kAttr && y >> 8; }
  constexpr TypeClass type_class() const { return TypeClass(a); }
};

// Dense index of a row in table order, from 1; 0 for an op without a row.
struct RowId {
  uint16_t v = 0;
  constexpr explicit operator bool() const { return v != 0; }
  friend constexpr auto operator<=>(RowId, RowId) = default;
};
// Dense index of a revision in table order, from 1; 0 for an op without a row.
struct RevisionId {
  uint16_t v = 0;
  constexpr explicit operator bool() const { return v != 0; }
  friend constexpr auto operator<=>(RevisionId, RevisionId) = default;
};

// A row, unpacked for fast access; built at compile time from the cells.
struct OpRow {
  uint16_t wire_id = 0;
  std::string_view name;     // "stablehlo.gather"
  std::string_view dialect;  // "stablehlo"
  Form form{};
  Rule rule{};
  uint32_t traits = 0;               // bit per Trait
  std::array<Trait, 4> relations{};  // constraints between operands and results, in the order of the row
  uint8_t num_relations = 0;
  uint16_t first_revision = 0;
  uint16_t num_revisions = 0;
  RowId terminator;     // the op that ends its regions
  bool refers = false;  // has an attribute that names a symbol
  bool vhlo = false;    // exists in VHLO
  constexpr bool Has(Trait t) const { return traits >> unsigned(t) & 1; }
  constexpr std::string_view mnemonic() const { return name.substr(dialect.size() + 1); }
};

// A revision, unpacked for fast access.
struct OpRevision {
  RowId row;
  Version since;
  Version until;        // inclusive
  bool fills = false;   // has an attribute that is Filled
  uint8_t ordinal = 0;  // k in the VHLO name "vhlo.<mnemonic>_v<k>"; 0: no public version has it
  std::span<const Cell> operands;
  std::span<const Cell> attrs;  // inherent attributes; an op has a slot for each, in this order
  std::span<const Cell> struct_attrs;
  std::span<const Cell> results;
  std::span<const Cell> regions;
  std::span<const Cell> conditions;
  constexpr bool LegalAt(Version v) const { return since <= v && v <= until; }
  // Index of the slot with this name, or -1.
  constexpr int FindSlot(std::string_view slot_name) const {
    for (size_t i = 0; i < attrs.size(); ++i)
      if (attrs[i].name == slot_name) return int(i);
    return -1;
  }
};

std::span<const OpRow> OpRows();            // index 0 is the empty row
std::span<const OpRevision> OpRevisions();  // index 0 is the empty revision
namespace table {
extern const OpRow* const kRows;
extern const OpRevision* const kRevisions;
}  // namespace table
inline const OpRow& RowOf(RowId id) { return table::kRows[id.v]; }
// Returns a revision by id.
inline const OpRevision& RevisionOf(RevisionId id) { return table::kRevisions[id.v]; }
// Returns the row of a revision.
inline const OpRow& RowOf(RevisionId id) { return RowOf(RevisionOf(id).row); }

// Find a row by name ("stablehlo.gather") or a revision by VHLO name ("vhlo.gather_v2"). An older name of an
// op
// ("stablehlo.func" for "func.func") finds the row of its successor.
RowId FindOp(std::string_view name);
RevisionId FindVhlo(std::string_view name);
RowId FindWireId(uint16_t wire_id);
// Returns the revision of a row at a version, or none if the op does not exist in it.
RevisionId RevisionAt(RowId row, Version version);
// Returns the newest revision of a row.
RevisionId NewestRevision(RowId row);
// Returns "vhlo.gather_v2"; "" if VHLO does not have the revision.
std::string_view VhloName(RevisionId revision);

std::string_view AssemblyFormatOf(Form form);  // "" for the generic form
// Returns the name of an attribute class: "boolean".
std::string_view AttrClassName(AttrClass c);
// Returns the text of a default: "false".
std::string_view DefaultName(Default d);
// Returns the complaint about a non-default value, as the end of "attribute 'x' ...": "is not empty".
std::string_view NotTheDefault(Default d);
// Returns "ranked tensor of 2/4/8/16/32/64-bit integer values", the reference's words.
std::string TypeClassName(TypeClass c);
std::string_view CondName(Cond c);  // a sentence that states the condition
// Returns the name of a trait: "terminator".
std::string_view TraitName(Trait t);

}  // namespace shlo
