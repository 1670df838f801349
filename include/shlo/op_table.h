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

// The words of the rows, opaque here, so that a change of theirs rebuilds little: lib/ir/table defines their
// enumerators (form.h, type_class.h, rule.h, attr_class.h, trait.h) for code that names cases. Zero is the
// generic form, any type, no rule.
enum class Form : uint8_t;       // assembly format in StableHLO text: a row of schema/forms.inc
enum class TypeClass : uint8_t;  // type constraint of an operand or result: schema/type_classes.inc
enum class Rule : uint8_t;       // constraints beyond cells and traits: schema/rules.inc
enum class AttrClass : uint8_t;  // attribute constraint: schema/attr_classes.inc
enum class Default : uint8_t;    // default of an absent attribute: schema/attr_classes.inc
enum class Trait : uint8_t;      // property of an op, or relation of operands and results: schema/traits.inc
enum class Cond : uint8_t;       // condition under which a revision is legal in older versions: same file

// Allowed values of an integer attribute, as MLIR's `Confined`.
enum class Confined : uint8_t { kNo, kNonNegative, kPositive };

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
  kEnd,    // the op that ends its regions, by name
  kInfer,  // a relation of types, as text: see schema/other_ops.inc
  kForm,   // only in the text of rows
};

// One cell of schema/ops.inc.
struct Cell {
  CellTag tag;            // decides what the other members mean
  bool variadic = false;  // operands, results and regions: any number of them
  uint8_t a = 0;   // Form, Trait, Rule, TypeClass, AttrClass, Cond; regions: whether one block is required
  uint8_t b = 0;   // Default
  uint16_t x = 0;  // wire id, first version, AttrKind, last version of a condition
  uint16_t y = 0;  // last version, 0 for "still"; of attributes, Confined and a bit for filled
  std::string_view name;  // of the operand, attribute, result or region

  constexpr AttrClass attr_class() const { return AttrClass(a); }     // of an attribute
  constexpr Default attr_default() const { return Default(b); }       // of an attribute
  constexpr AttrKind attr_kind() const { return AttrKind(x); }        // of an enum or struct attribute
  constexpr bool required() const { return b == 0; }                  // of an attribute
  constexpr bool one_block() const { return a != 0; }                 // of a region
  constexpr Confined confined() const { return Confined(y & 0xFF); }  // of an integer attribute
  // Reading text without the attribute yields the default as a written value, as in the reference.
  constexpr bool filled() const { return tag == CellTag::kAttr && y >> 8; }
  constexpr TypeClass type_class() const { return TypeClass(a); }  // of an operand or result
};

// Dense index of a row in table order, from 1; 0 for an op without a row.
struct RowId {
  uint16_t v = 0;                                              // index into OpRows()
  constexpr explicit operator bool() const { return v != 0; }  // false without a row
  friend constexpr auto operator<=>(RowId, RowId) = default;
};
// Dense index of a revision in table order, from 1; 0 for an op without a row.
struct RevisionId {
  uint16_t v = 0;                                              // index into OpRevisions()
  constexpr explicit operator bool() const { return v != 0; }  // false without a row
  friend constexpr auto operator<=>(RevisionId, RevisionId) = default;
};

// A row, unpacked for fast access; built at compile time from the cells.
struct OpRow {
  uint16_t wire_id = 0;              // permanent; identifies the op in .shlo files
  std::string_view name;             // "stablehlo.gather"
  std::string_view dialect;          // "stablehlo"
  Form form{};                       // how StableHLO text prints the op
  Rule rule{};                       // what the verifier checks beyond the cells
  uint32_t traits = 0;               // bit per Trait
  std::array<Trait, 4> relations{};  // constraints between operands and results, in the order of the row
  uint8_t num_relations = 0;         // entries of `relations` that are used
  uint16_t first_revision = 0;       // index into OpRevisions(); the others follow, oldest first
  uint16_t num_revisions = 0;        // at least 1
  RowId terminator;                  // the op that ends its regions
  bool refers = false;               // has an attribute that names a symbol
  bool vhlo = false;                 // exists in VHLO
  // Returns whether a trait is one of the row.
  constexpr bool Has(Trait t) const { return traits >> unsigned(t) & 1; }
  // Returns the name without the dialect: "gather".
  constexpr std::string_view mnemonic() const { return name.substr(dialect.size() + 1); }
};

// A revision, unpacked for fast access.
struct OpRevision {
  RowId row;                       // the op
  Version since;                   // first version
  Version until;                   // last version
  bool fills = false;              // has an attribute that is Filled
  uint8_t ordinal = 0;             // k in the VHLO name "vhlo.<mnemonic>_v<k>"; 0: no public version has it
  std::span<const Cell> operands;  // in order
  std::span<const Cell> attrs;     // inherent attributes; an op has a slot for each, in this order
  std::span<const Cell> struct_attrs;  // how StableHLO text groups some of `attrs`
  std::span<const Cell> results;       // in order
  std::span<const Cell> regions;       // in order
  std::span<const Cell> conditions;    // on which the revision is legal only up to some version
  std::span<const Cell> inferences;    // relations of types that text may rely on
  bool conditional = false;            // this revision, or a newer one of the op, has conditions
  // Returns whether the op has this revision at `v`, conditions aside.
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
// The first elements of OpRows() and OpRevisions(), for RowOf and RevisionOf.
extern const OpRow* const kRows;
extern const OpRevision* const kRevisions;
}  // namespace table
// Returns a row by id.
inline const OpRow& RowOf(RowId id) { return table::kRows[id.v]; }
// Returns a revision by id.
inline const OpRevision& RevisionOf(RevisionId id) { return table::kRevisions[id.v]; }
// Returns the row of a revision.
inline const OpRow& RowOf(RevisionId id) { return RowOf(RevisionOf(id).row); }

// Finds a row by name ("stablehlo.gather") or permanent wire id, or a revision by VHLO name
// ("vhlo.gather_v2"). An older name of an op ("stablehlo.func" for "func.func") finds the row of its
// successor. Returns none if there is no such row or revision.
RowId FindOp(std::string_view name);
RevisionId FindVhlo(std::string_view name);
RowId FindWireId(uint16_t wire_id);
// Finds an op of schema/other_ops.inc by name, for an op without a row in the table, which a module keeps by
// its name. The revision is for RowOf and RevisionOf; no op of a module has it.
RevisionId FindOtherOp(std::string_view name);
std::span<const OpRow> OtherRows();  // rows of those ops
// Returns the revision of a row at a version, or none if the op does not exist in it.
RevisionId RevisionAt(RowId row, Version version);
// Returns the newest revision of a row.
RevisionId NewestRevision(RowId row);
// Returns "vhlo.gather_v2"; "" if VHLO does not have the revision.
std::string_view VhloName(RevisionId revision);

// Returns the assembly format of a form, as in schema/forms.inc; "" for the generic form.
std::string_view AssemblyFormatOf(Form form);
// Returns the name of an attribute class: "boolean".
std::string_view AttrClassName(AttrClass c);
// Returns the text of a default: "false".
std::string_view DefaultName(Default d);
// Returns the complaint about a non-default value, as the end of "attribute 'x' ...": "is not empty".
std::string_view NotTheDefault(Default d);
// Returns "ranked tensor of 2/4/8/16/32/64-bit integer values", the reference's words.
std::string TypeClassName(TypeClass c);
// Returns a sentence that states the condition: "no operand is a future".
std::string_view CondName(Cond c);
// Returns the name of a trait: "terminator"; "" after the last one, so that callers can count them.
std::string_view TraitName(Trait t);

}  // namespace shlo
