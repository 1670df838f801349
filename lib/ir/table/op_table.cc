#include "shlo/op_table.h"

#include <array>

namespace shlo {
namespace {

using table::kCells;

constexpr size_t Count(CellTag tag) {
  size_t n = 0;
  for (const Cell& cell : kCells) n += cell.tag == tag;
  return n;
}
constexpr size_t kNumRows = Count(CellTag::kOp) + 1;             // index 0 is empty
constexpr size_t kNumRevisions = Count(CellTag::kRevision) + 1;  // index 0 is empty

constexpr bool IsVhloDialect(std::string_view dialect) { return dialect == "stablehlo" || dialect == "func"; }

// The run of cells with one tag among the cells of a shape.
constexpr std::span<const Cell> Run(size_t first, size_t last, CellTag tag) {
  size_t begin = first;
  while (begin < last && kCells[begin].tag != tag) ++begin;
  size_t end = begin;
  while (end < last && kCells[end].tag == tag) ++end;
  return std::span<const Cell>(kCells + begin, end - begin);
}

struct Tables {
  std::array<OpRow, kNumRows> rows{};
  std::array<OpRevision, kNumRevisions> shapes{};
};

constexpr Tables kTables = [] {
  Tables t;
  size_t row = 0, shape = 0;
  uint8_t ordinal = 0;
  for (size_t i = 0; i < std::size(kCells); ++i) {
    const Cell& cell = kCells[i];
    if (cell.tag == CellTag::kOp) {
      OpRow& r = t.rows[++row];
      r.wire_id = cell.x;
      r.name = cell.name;
      r.dialect = cell.name.substr(0, cell.name.find('.'));
      r.form = Form(cell.a);
      r.first_revision = uint16_t(shape + 1);
      r.vhlo = IsVhloDialect(r.dialect);
      ordinal = 0;
    } else if (cell.tag == CellTag::kTrait) {
      OpRow& r = t.rows[row];
      r.traits |= 1u << cell.a;
      if (IsRelation(Trait(cell.a))) r.relations[r.num_relations++] = Trait(cell.a);
    } else if (cell.tag == CellTag::kRule) {
      t.rows[row].rule = Rule(cell.a);
    } else if (cell.tag == CellTag::kRevision) {
      size_t end = i + 1;
      while (end < std::size(kCells) && kCells[end].tag != CellTag::kRevision &&
             kCells[end].tag != CellTag::kOp)
        ++end;
      OpRevision& s = t.shapes[++shape];
      s.row = RowId{uint16_t(row)};
      s.since = Version{cell.x};
      s.until = cell.y ? Version{cell.y} : kCurrentVersion;
      if (t.rows[row].vhlo && s.until >= kFirstRelease) s.ordinal = ++ordinal;
      s.operands = Run(i + 1, end, CellTag::kOperand);
      s.attrs = Run(i + 1, end, CellTag::kAttr);
      for (const Cell& attr : s.attrs) s.fills |= attr.filled();
      s.struct_attrs = Run(i + 1, end, CellTag::kStructAttr);
      s.results = Run(i + 1, end, CellTag::kResult);
      s.regions = Run(i + 1, end, CellTag::kRegion);
      s.conditions = Run(i + 1, end, CellTag::kCond);
      for (const Cell& attr : s.attrs) t.rows[row].refers |= attr.attr_class() == AttrClass::kSymbol;
      ++t.rows[row].num_revisions;
    }
  }
  return t;
}();

// --- Soundness: what cannot be right does not compile ---------------------------------------------

constexpr bool IdsAndNamesAreUnique() {
  for (size_t i = 1; i < kNumRows; ++i) {
    if (kTables.rows[i].wire_id == 0 || kTables.rows[i].name.find('.') == std::string_view::npos)
      return false;
    for (size_t j = 1; j < i; ++j)
      if (kTables.rows[i].wire_id == kTables.rows[j].wire_id || kTables.rows[i].name == kTables.rows[j].name)
        return false;
  }
  return true;
}
static_assert(IdsAndNamesAreUnique(), "schema/ops.inc: wire ids and names are unique");

constexpr bool IntervalsAreSound() {
  for (size_t i = 1; i < kNumRows; ++i) {
    const OpRow& row = kTables.rows[i];
    if (row.num_revisions == 0) return false;
    for (size_t k = 0; k < row.num_revisions; ++k) {
      const OpRevision& revision = kTables.shapes[row.first_revision + k];
      if (revision.since < kMinimumVersion || revision.until > kCurrentVersion ||
          revision.until < revision.since)
        return false;
      if (k && revision.since.n != kTables.shapes[row.first_revision + k - 1].until.n + 1) return false;
      for (const Cell& cond : revision.conditions)
        if (cond.x < revision.since.n || cond.x >= revision.until.n) return false;
    }
  }
  return true;
}
static_assert(IntervalsAreSound(),
              "schema/ops.inc: the shapes of an op follow each other without gap or overlap");

// Every cell of a shape is in exactly one of its runs: cells of a kind stand together.
constexpr bool CellsStandTogether() {
  size_t covered = kNumRows - 1 + Count(CellTag::kTrait) + Count(CellTag::kRule) + kNumRevisions - 1;
  for (const OpRevision& s : kTables.shapes)
    covered += s.operands.size() + s.attrs.size() + s.struct_attrs.size() + s.results.size() +
               s.regions.size() + s.conditions.size();
  return covered == std::size(kCells);
}
static_assert(CellsStandTogether(),
              "schema/ops.inc: operands, attributes, bundles, ... of a shape stand together");

constexpr bool AttributesAreSound() {
  for (const OpRevision& s : kTables.shapes) {
    for (size_t i = 0; i < s.attrs.size(); ++i) {
      const Cell& a = s.attrs[i];
      const bool needs_kind = a.attr_class() == AttrClass::kEnum || a.attr_class() == AttrClass::kStruct;
      if (needs_kind != (a.attr_kind() != AttrKind::kInvalid)) return false;
      for (size_t j = 0; j < i; ++j)
        if (s.attrs[j].name == a.name) return false;
    }
    const OpRow& row = kTables.rows[s.row.v];
    if (row.Has(Trait::kFunction) && (s.FindSlot("function_type") < 0 || s.FindSlot("sym_name") < 0))
      return false;
    if (row.Has(Trait::kSymbol) && s.FindSlot("sym_name") < 0) return false;
    int variadic = 0;
    for (const Cell& operand : s.operands) variadic += operand.variadic;
    if (variadic > 1 && !row.Has(Trait::kSameVariadicSize) && !row.Has(Trait::kOperandSegments)) return false;
  }
  return true;
}
static_assert(AttributesAreSound(),
              "schema/ops.inc: attribute names are unique in a shape, enums name their kind");

// --- Names -----------------------------------------------------------------------------------------

// "vhlo.<mnemonic>_v<ordinal>", zero-padded; empty without a portable spelling.
using VhloNameChars = std::array<char, 48>;
constexpr auto kVhloNames = [] {
  std::array<VhloNameChars, kNumRevisions> names{};
  for (size_t i = 1; i < kNumRevisions; ++i) {
    const OpRevision& s = kTables.shapes[i];
    if (s.ordinal == 0) continue;
    size_t n = 0;
    auto append = [&](std::string_view text) {
      for (char c : text) names[i][n++] = c;
    };
    append("vhlo.");
    append(kTables.rows[s.row.v].mnemonic());
    append("_v");
    names[i][n++] = char('0' + s.ordinal);
  }
  return names;
}();
constexpr std::string_view NameOf(const VhloNameChars& chars) { return std::string_view(chars.data()); }

constexpr uint32_t HashName(std::string_view name) {
  uint32_t h = 2166136261u;  // FNV-1a
  for (char c : name) h = (h ^ uint8_t(c)) * 16777619u;
  return h ^ h >> 15;
}

constexpr size_t kNameSlots = 1024;
static_assert(kNumRevisions * 2 < kNameSlots);
template <size_t N, typename NameFn>
constexpr std::array<uint16_t, kNameSlots> BuildNameIndex(NameFn name_of) {
  std::array<uint16_t, kNameSlots> index{};
  for (size_t i = 1; i < N; ++i) {
    const std::string_view name = name_of(i);
    if (name.empty()) continue;
    size_t at = HashName(name) % kNameSlots;
    bool taken = false;  // the first row keeps a name that two rows share ("vhlo.return_v1")
    while (index[at] && !(taken = name_of(index[at]) == name)) at = (at + 1) % kNameSlots;
    if (!taken) index[at] = uint16_t(i);
  }
  return index;
}
constexpr auto kByName = BuildNameIndex<kNumRows>([](size_t i) { return kTables.rows[i].name; });
constexpr auto kByVhlo = BuildNameIndex<kNumRevisions>([](size_t i) { return NameOf(kVhloNames[i]); });

// Names that older texts use for an op that has another one now.
struct OldName {
  std::string_view name;
  RowId row;
};
constexpr OldName kOldNames[] = {
    {"stablehlo.func", OpNamed("func.func")}, {"stablehlo.call", OpNamed("func.call")},
    {"builtin.func", OpNamed("func.func")},   {"std.call", OpNamed("func.call")},
    {"std.return", OpNamed("func.return")},
};

}  // namespace

std::span<const OpRow> OpRows() { return kTables.rows; }
std::span<const OpRevision> OpRevisions() { return kTables.shapes; }
constinit const OpRow* const table::kRows = kTables.rows.data();
constinit const OpRevision* const table::kRevisions = kTables.shapes.data();

RowId FindOp(std::string_view name) {
  for (size_t at = HashName(name) % kNameSlots; kByName[at]; at = (at + 1) % kNameSlots)
    if (kTables.rows[kByName[at]].name == name) return RowId{kByName[at]};
  for (const OldName& old : kOldNames)
    if (old.name == name) return old.row;
  return {};
}

RevisionId FindVhlo(std::string_view name) {
  for (size_t at = HashName(name) % kNameSlots; kByVhlo[at]; at = (at + 1) % kNameSlots)
    if (NameOf(kVhloNames[kByVhlo[at]]) == name) return RevisionId{kByVhlo[at]};
  return {};
}

RowId FindWireId(uint16_t wire_id) {
  static constexpr auto kByWireId = [] {
    std::array<uint16_t, 512> index{};
    for (size_t i = 1; i < kNumRows; ++i) index[kTables.rows[i].wire_id] = uint16_t(i);
    return index;
  }();
  return wire_id < kByWireId.size() ? RowId{kByWireId[wire_id]} : RowId{};
}

RevisionId RevisionAt(RowId row, Version version) {
  const OpRow& r = kTables.rows[row.v];
  for (uint16_t k = 0; k < r.num_revisions; ++k)
    if (kTables.shapes[r.first_revision + k].LegalAt(version))
      return RevisionId{uint16_t(r.first_revision + k)};
  return {};
}

RevisionId NewestRevision(RowId row) {
  const OpRow& r = kTables.rows[row.v];
  return r.num_revisions ? RevisionId{uint16_t(r.first_revision + r.num_revisions - 1)} : RevisionId{};
}

std::string_view VhloName(RevisionId revision) { return NameOf(kVhloNames[revision.v]); }

std::string_view AssemblyFormatOf(Form form) {
  static constexpr std::string_view kFormats[] = {
#define SHLO_FORM(name, format) format,
#include "schema/forms.inc"
  };
  return kFormats[size_t(form)];
}

std::string_view AttrClassName(AttrClass c) {
  switch (c) {
    case AttrClass::kAny:
      return "any attribute";
    case AttrClass::kBool:
      return "boolean";
    case AttrClass::kFlag:
      return "flag";
    case AttrClass::kI32:
      return "i32";
    case AttrClass::kI64:
      return "i64";
    case AttrClass::kUI32:
      return "ui32";
    case AttrClass::kUI64:
      return "ui64";
    case AttrClass::kF32:
      return "f32";
    case AttrClass::kF64:
      return "f64";
    case AttrClass::kStr:
      return "string";
    case AttrClass::kI64s:
      return "array of i64";
    case AttrClass::kBools:
      return "array of i1";
    case AttrClass::kI64Elements:
      return "dense elements of i64";
    case AttrClass::kElements:
      return "dense elements";
    case AttrClass::kReplicaGroups:
      return "dense elements of i64 or mesh axes";
    case AttrClass::kSymbol:
      return "symbol";
    case AttrClass::kSymbols:
      return "array of symbols";
    case AttrClass::kArray:
      return "array";
    case AttrClass::kDict:
      return "dictionary";
    case AttrClass::kDicts:
      return "array of dictionaries";
    case AttrClass::kType:
      return "type";
    case AttrClass::kEnum:
      return "enum";
    case AttrClass::kStruct:
      return "struct";
    case AttrClass::kAccuracy:
      return "result accuracy";
    case AttrClass::kPrecisions:
      return "array of precisions";
    case AttrClass::kAliases:
      return "array of output operand aliases";
    case AttrClass::kLayouts:
      return "array of layouts";
    case AttrClass::kTilings:
      return "array of tilings";
    case AttrClass::kConfig:
      return "string or dictionary";
    case AttrClass::kApiVersion:
      return "i32 (API version)";
  }
  return "";
}

std::string_view DefaultName(Default d) {
  switch (d) {
    case Default::kRequired:
      return "required";
    case Default::kOptional:
      return "optional";
    case Default::kTextOnly:
      return "optional, text only";
    case Default::kFalse:
      return "false";
    case Default::kTrue:
      return "true";
    case Default::kZero:
      return "0";
    case Default::kOne:
      return "1";
    case Default::kMinusOne:
      return "-1";
    case Default::kEmptyString:
      return "\"\"";
    case Default::kEmptyI64s:
    case Default::kEmptyArray:
      return "[]";
    case Default::kEmptyDict:
      return "{}";
    case Default::kNoneType:
      return "none";
    case Default::kFirstCase:
      return "case 0";
    case Default::kOnes:
      return "1 for each dimension";
    case Default::kZeroPairs:
      return "(0, 0) for each dimension";
    case Default::kFalses:
      return "false for each dimension";
    case Default::kDefaultPrecisions:
      return "[DEFAULT, DEFAULT]";
    case Default::kDefaultAccuracy:
      return "mode DEFAULT, tolerances 0";
    case Default::kEmptyConfig:
      return "\"\", or {} for typed FFI";
    case Default::kNoOverflow:
    case Default::kNoFastMath:
      return "none";
  }
  return "";
}

std::string_view CondName(Cond c) {
  switch (c) {
    case Cond::kSameElementTypes:
      return "operands and results have the same element types";
    case Cond::kNoTypedFfi:
      return "backend_config is a string and api_version is not API_VERSION_TYPED_FFI";
    case Cond::kNoFutureOperands:
      return "no operand is a future";
  }
  return "";
}

std::string_view TraitName(Trait t) {
  switch (t) {
    case Trait::kTerminator:
      return "terminator";
    case Trait::kSymbol:
      return "symbol";
    case Trait::kFunction:
      return "function";
    case Trait::kIsolated:
      return "isolated from above";
    case Trait::kGraph:
      return "graph region";
    case Trait::kSameVariadicSize:
      return "variadic operands of the same size";
    case Trait::kOperandSegments:
      return "operand segment sizes";
    case Trait::kNamesResult:
      return "text names the result";
    case Trait::kCommutative:
      return "commutative";
    case Trait::kReturns:
      return "regions end with stablehlo.return";
    case Trait::kCompatibleTypes:
      return "compatible types for all operands and results";
    case Trait::kCompatibleElementTypes:
      return "compatible element types for all operands and results";
    case Trait::kCompatibleOperandElementTypes:
      return "compatible element types for all operands";
    case Trait::kSameElementType:
      return "the same element type for all operands and results";
    case Trait::kSameOperandElementType:
      return "the same element type for all operands";
    case Trait::kSameShape:
      return "the same shape for all operands and results";
    case Trait::kElementwise:
      return "elementwise";
    case Trait::kPairwiseSameType:
      return "the same type for operand and result of each index";
    case Trait::kPairwiseSameElementType:
      return "the same element type for operand and result of each index";
    case Trait::kSameType:
      return "the same type for all operands and results";
  }
  return "";
}

}  // namespace shlo
