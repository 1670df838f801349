// The op table: schema/ops.inc as data, and everything derived from it. A row is one op of all versions;
// a shape is what the op looks like in an interval of them; its cells are operands, attributes, results
// and regions. Misspelled names, overlapping or gapped intervals and reused ids do not compile.
// Not for what ops mean (lib/eval) or how they change (lib/versioning).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "shlo/kinds.h"
#include "shlo/version.h"

namespace shlo {

// Assembly form in StableHLO text: a row of schema/forms.inc. Every op also has the generic form.
enum class Form : uint8_t {
#define SHLO_FORM(name, format) name,
#include "schema/forms.inc"
};

enum class Trait : uint8_t {
  kTerminator,        // ends its block
  kSymbol,            // sym_name names it in the enclosing symbol table
  kFunction,          // has function_type, arg_attrs, res_attrs and a body
  kIsolated,          // its regions cannot use values from outside
  kGraph,             // its regions have no order and no terminator
  kSameVariadicSize,  // all variadic operands have the same size
  kOperandSegments,   // the sizes of variadic operands are an attribute
  kNamesResult,       // in text the result is named as it is declared
  kCommutative,       // its two operands may change places
  kReturns,           // its regions end with stablehlo.return
  // Relations: what operands and results have in common.
  kCompatibleTypes,
  kCompatibleElementTypes,
  kCompatibleOperandElementTypes,
  kSameElementType,
  kSameOperandElementType,
  kSameShape,
  kElementwise,
  kPairwiseSameType,
  kPairwiseSameElementType,
  kSameType,
};

constexpr bool IsRelation(Trait t) { return t >= Trait::kCompatibleTypes; }

// What types an operand or result may have: the rows of schema/type_classes.inc.
enum class TypeClass : uint8_t {
#define SHLO_TYPE_CLASS(name, ...) name,
#include "schema/type_classes.inc"
};

// What values of an integer attribute are allowed.
enum class Confined : uint8_t { kNo, kNonNegative, kPositive };

// The constraints that the specification gives an op, and how its result types are inferred (see rules.h).
enum class Rule : uint8_t {
  kNone,
#define SHLO_RULE(name, ...) name,
#include "schema/rules.inc"
};

// What value an attribute takes. In memory every class has one representation, given here; text and
// bytecode spellings are normalized to it on reading (see NormalizeInherentAttr).
enum class AttrClass : uint8_t {
  kAny,            // any attribute
  kBool,           // kIntegerAttr of type i1
  kFlag,           // as kBool; a unit attribute in StableHLO text
  kI32,            // kIntegerAttr of type i32
  kI64,            // kIntegerAttr of type i64
  kUI32,           // kIntegerAttr of type ui32
  kUI64,           // kIntegerAttr of type ui64
  kF32,            // kFloatAttr of type f32
  kF64,            // kFloatAttr of type f64
  kStr,            // kString
  kI64s,           // kI64Array
  kBools,          // kDenseArray of i1
  kI64Elements,    // kElements of i64
  kElements,       // any elements attribute
  kReplicaGroups,  // kElements of i64, or kReplicaGroupMeshAxes
  kSymbol,         // kSymbolRef without nesting
  kSymbols,        // kArray of kSymbolRef
  kArray,          // kArray
  kDict,           // kDict
  kDicts,          // kArray of kDict
  kType,           // kTypeAttr
  kEnum,           // an enum kind, named by AttrRow::kind
  kStruct,         // a struct kind, named by AttrRow::kind
  kAccuracy,       // kResultAccuracy
  kPrecisions,     // kArray of kPrecision
  kAliases,        // kArray of kOutputOperandAlias
  kLayouts,        // kArray of one-dimensional kElements of index
  kTilings,        // kArray of kArray of one-dimensional kElements of index
  kConfig,         // kString or kDict
  kApiVersion,     // kIntegerAttr of type i32; a kCustomCallApiVersion in the portable spelling
};

// What an absent attribute means. kRequired: it may not be absent. kOptional: absent means absent, also
// in the portable spelling. kTextOnly: as kOptional, and the portable spelling cannot say it.
enum class Default : uint8_t {
  kRequired,
  kOptional,
  kTextOnly,
  kFalse,
  kTrue,
  kZero,
  kOne,
  kMinusOne,
  kEmptyString,
  kEmptyI64s,
  kEmptyArray,
  kEmptyDict,
  kNoneType,
  kFirstCase,
  kOnes,
  kZeroPairs,
  kFalses,             // one item (or pair) per spatial or window dimension
  kDefaultPrecisions,  // two of DEFAULT
  kDefaultAccuracy,    // zero tolerances, mode DEFAULT
  kEmptyConfig,        // "", or {} under API_VERSION_TYPED_FFI
  kNoOverflow,         // #arith.overflow<none>
  kNoFastMath,         // #arith.fastmath<none>
};

// A condition some shapes carry in some versions.
enum class Cond : uint8_t {
  kSameElementTypes,  // operands and results pairwise agree on the element type
  kNoTypedFfi,        // no dictionary backend_config, no API_VERSION_TYPED_FFI
  kNoFutureOperands,  // no operand of future type
};

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
  kCond
};

// One cell of schema/ops.inc.
struct Cell {
  CellTag tag;
  bool variadic = false;
  uint8_t a = 0;   // Form, Trait, Rule, TypeClass, AttrClass, Cond; regions: whether one block is demanded
  uint8_t b = 0;   // Default
  uint16_t x = 0;  // wire id, first version, AttrKind, last version of a condition
  uint16_t y = 0;  // last version, 0 for "still"; of attributes, Confined and a bit for filled
  std::string_view name;

  constexpr AttrClass attr_class() const { return AttrClass(a); }
  constexpr Default attr_default() const { return Default(b); }
  constexpr AttrKind attr_kind() const { return AttrKind(x); }
  constexpr bool one_block() const { return a != 0; }  // of a region
  constexpr Confined confined() const { return Confined(y & 0xFF); }
  // Text that leaves the attribute out means its default as if it were written (the reference fills it in).
  constexpr bool filled() const { return tag == CellTag::kAttr && y >> 8; }
  constexpr TypeClass type_class() const { return TypeClass(a); }
};

namespace table {
// The vocabulary of schema/ops.inc.
constexpr Cell Op(uint16_t id, std::string_view name, Form form = Form::kGeneric) {
  return {CellTag::kOp, false, uint8_t(form), 0, id, 0, name};
}
constexpr Cell Is(Trait t) { return {CellTag::kTrait, false, uint8_t(t), 0, 0, 0, {}}; }
constexpr Cell By(Rule r) { return {CellTag::kRule, false, uint8_t(r), 0, 0, 0, {}}; }
constexpr Cell Rev(uint16_t first, uint16_t last = 0) {
  return {CellTag::kRevision, false, 0, 0, first, last, {}};
}
constexpr Cell In(std::string_view n, TypeClass c = TypeClass::kAny) {
  return {CellTag::kOperand, false, uint8_t(c), 0, 0, 0, n};
}
constexpr Cell Ins(std::string_view n, TypeClass c = TypeClass::kAny) {
  return {CellTag::kOperand, true, uint8_t(c), 0, 0, 0, n};
}
constexpr Cell Out(std::string_view n, TypeClass c = TypeClass::kAny) {
  return {CellTag::kResult, false, uint8_t(c), 0, 0, 0, n};
}
constexpr Cell Outs(std::string_view n, TypeClass c = TypeClass::kAny) {
  return {CellTag::kResult, true, uint8_t(c), 0, 0, 0, n};
}
// A region of one block, regions of one block each, and the same with any number of blocks.
constexpr Cell Reg(std::string_view n) { return {CellTag::kRegion, false, 1, 0, 0, 0, n}; }
constexpr Cell Regs(std::string_view n) { return {CellTag::kRegion, true, 1, 0, 0, 0, n}; }
constexpr Cell AnyReg(std::string_view n) { return {CellTag::kRegion, false, 0, 0, 0, 0, n}; }
constexpr Cell AnyRegs(std::string_view n) { return {CellTag::kRegion, true, 0, 0, 0, 0, n}; }
constexpr Cell At(std::string_view n, AttrClass c, Default d = Default::kRequired) {
  return {CellTag::kAttr, false, uint8_t(c), uint8_t(d), 0, 0, n};
}
constexpr Cell At(std::string_view n, AttrClass c, AttrKind k, Default d = Default::kRequired) {
  return {CellTag::kAttr, false, uint8_t(c), uint8_t(d), uint16_t(k), 0, n};
}
constexpr Cell Filled(std::string_view n, AttrClass c, Default d) {
  return {CellTag::kAttr, false, uint8_t(c), uint8_t(d), 0, 1 << 8, n};
}
constexpr Cell NonNegative(Cell attr) {
  attr.y |= uint16_t(Confined::kNonNegative);
  return attr;
}
constexpr Cell Positive(Cell attr) {
  attr.y |= uint16_t(Confined::kPositive);
  return attr;
}
constexpr Cell StructAttr(std::string_view n, AttrKind k) {
  return {CellTag::kStructAttr, false, 0, 0, uint16_t(k), 0, n};
}
constexpr Cell If(uint16_t last, Cond c) { return {CellTag::kCond, false, uint8_t(c), 0, last, 0, {}}; }

namespace words {
using enum TypeClass;
constexpr auto Any = AttrClass::kAny, Bool = AttrClass::kBool, Flag = AttrClass::kFlag, I32 = AttrClass::kI32,
               I64 = AttrClass::kI64, UI32 = AttrClass::kUI32, UI64 = AttrClass::kUI64, F32 = AttrClass::kF32,
               F64 = AttrClass::kF64, Str = AttrClass::kStr, I64s = AttrClass::kI64s,
               Bools = AttrClass::kBools, I64Elements = AttrClass::kI64Elements,
               Elements = AttrClass::kElements, ReplicaGroups = AttrClass::kReplicaGroups,
               Symbol = AttrClass::kSymbol, Symbols = AttrClass::kSymbols, Array = AttrClass::kArray,
               Dict = AttrClass::kDict, Dicts = AttrClass::kDicts, Type = AttrClass::kType,
               Enum = AttrClass::kEnum, Struct = AttrClass::kStruct, Accuracy = AttrClass::kAccuracy,
               Precisions = AttrClass::kPrecisions, Aliases = AttrClass::kAliases,
               Layouts = AttrClass::kLayouts, Tilings = AttrClass::kTilings, Config = AttrClass::kConfig,
               ApiVersion = AttrClass::kApiVersion;
constexpr auto Optional = Default::kOptional, TextOnly = Default::kTextOnly, False = Default::kFalse,
               True = Default::kTrue, Zero = Default::kZero, One = Default::kOne,
               MinusOne = Default::kMinusOne, EmptyString = Default::kEmptyString,
               EmptyI64s = Default::kEmptyI64s, EmptyArray = Default::kEmptyArray,
               EmptyDict = Default::kEmptyDict, NoneType = Default::kNoneType,
               FirstCase = Default::kFirstCase, Ones = Default::kOnes, ZeroPairs = Default::kZeroPairs,
               Falses = Default::kFalses, DefaultPrecisions = Default::kDefaultPrecisions,
               DefaultAccuracy = Default::kDefaultAccuracy, EmptyConfig = Default::kEmptyConfig,
               NoOverflow = Default::kNoOverflow, NoFastMath = Default::kNoFastMath;
}  // namespace words

namespace rows {
using namespace words;
inline constexpr Cell kCells[] = {
#include "schema/ops.inc"
};
}  // namespace rows
using rows::kCells;
}  // namespace table

// Dense index of a row or of a shape in table order, from 1; 0 means "an op without a row".
struct RowId {
  uint16_t v = 0;
  constexpr explicit operator bool() const { return v != 0; }
  friend constexpr auto operator<=>(RowId, RowId) = default;
};
struct RevisionId {
  uint16_t v = 0;
  constexpr explicit operator bool() const { return v != 0; }
  friend constexpr auto operator<=>(RevisionId, RevisionId) = default;
};

// A row or shape unpacked for fast access; built at compile time from the cells.
struct OpRow {
  uint16_t wire_id = 0;
  std::string_view name;     // "stablehlo.gather"
  std::string_view dialect;  // "stablehlo"
  Form form = Form::kGeneric;
  Rule rule = Rule::kNone;
  uint32_t traits = 0;               // bit per Trait
  std::array<Trait, 4> relations{};  // what operands and results have in common, in the order of the row
  uint8_t num_relations = 0;
  uint16_t first_revision = 0;
  uint16_t num_revisions = 0;
  bool refers = false;  // has an attribute that names a symbol
  bool vhlo = false;    // has a spelling in the portable (VHLO) dialect
  constexpr bool Has(Trait t) const { return traits >> unsigned(t) & 1; }
  constexpr std::string_view mnemonic() const { return name.substr(dialect.size() + 1); }
};

struct OpRevision {
  RowId row;
  Version since;
  Version until;        // inclusive
  bool fills = false;   // has an attribute that is Filled
  uint8_t ordinal = 0;  // k in the portable name "vhlo.<mnemonic>_v<k>"; 0: no public version has it
  std::span<const Cell> operands;
  std::span<const Cell> attrs;  // the slots of an op, in this order
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
std::span<const OpRevision> OpRevisions();  // index 0 is the empty shape
namespace table {
extern const OpRow* const kRows;
extern const OpRevision* const kRevisions;
}  // namespace table
inline const OpRow& RowOf(RowId id) { return table::kRows[id.v]; }
inline const OpRevision& RevisionOf(RevisionId id) { return table::kRevisions[id.v]; }
inline const OpRow& RowOf(RevisionId id) { return RowOf(RevisionOf(id).row); }

// Row by name ("stablehlo.gather"); portable names ("vhlo.gather_v2") are found by FindVhlo. An older
// spelling of an op ("stablehlo.func" for "func.func") finds the row of its successor.
RowId FindOp(std::string_view name);
RevisionId FindVhlo(std::string_view name);
RowId FindWireId(uint16_t wire_id);
// The shape of a row at a version; none when the op does not exist then.
RevisionId RevisionAt(RowId row, Version version);
// The newest shape of a row.
RevisionId NewestRevision(RowId row);
// "vhlo.gather_v2"; "" when the shape has no portable spelling.
std::string_view VhloName(RevisionId revision);

// The row with this name, at compile time: a name that is not in the table does not compile. Callers may be
// built without exceptions, so what stops the compiler is a call of what it cannot evaluate.
void NoSuchOp();
consteval RowId OpNamed(std::string_view name) {
  uint16_t index = 0;
  for (const Cell& cell : table::kCells) {
    if (cell.tag != CellTag::kOp) continue;
    ++index;
    if (cell.name == name) return RowId{index};
  }
  NoSuchOp();  // no op of this name in schema/ops.inc
}

std::string_view AssemblyFormatOf(Form form);  // "" for the generic form
std::string_view AttrClassName(AttrClass c);
std::string_view DefaultName(Default d);
// "ranked tensor of 2/4/8/16/32/64-bit integer values", as messages say it.
std::string TypeClassName(TypeClass c);
std::string_view CondName(Cond c);  // a sentence that states the condition
std::string_view TraitName(Trait t);

}  // namespace shlo
