#include "shlo/op_table.h"

#include <array>

#include "ir/table/newest_version.h"
#include "ir/table/op_rows.h"
#include "ir/table/ops.h"

namespace shlo {
namespace {

// Attributes that hold symbols: one, a list, or lists of lists.
constexpr bool MayRefer(AttrClass c) {
  return c == AttrClass::kSymbol || c == AttrClass::kSymbols || c == AttrClass::kArray;
}

using table::CellsWith, table::kCells, table::kNumOthers, table::kNumRevisions, table::kNumRows,
    table::kOtherCells;

// The rows of both tables, those of schema/other_ops.inc last.
struct Tables {
  std::array<OpRow, kNumRows + kNumOthers> rows{};
  std::array<OpRevision, kNumRevisions + kNumOthers> revisions{};
};

// Appends the rows of one table.
constexpr void Append(std::span<const Cell> cells, Tables& t, size_t* row, size_t* revision) {
  uint8_t ordinal = 0;
  for (size_t i = 0; i < cells.size(); ++i) {
    const Cell& cell = cells[i];
    OpRow& r = t.rows[*row];
    if (cell.tag == CellTag::kOp) {
      OpRow& next = t.rows[++*row];
      next.wire_id = cell.x;
      next.name = cell.name;
      next.dialect = cell.name.substr(0, cell.name.find('.'));
      next.form = Form(cell.a);
      next.first_revision = uint16_t(*revision + 1);
      next.vhlo = table::HasVhloName(next.dialect, table::kNewestVersion);
      ordinal = 0;
    } else if (cell.tag == CellTag::kTrait) {
      r.traits |= 1u << cell.a;
      if (IsRelation(Trait(cell.a))) r.relations[r.num_relations++] = Trait(cell.a);
    } else if (cell.tag == CellTag::kEnd) {
      r.terminator = RowNamed(cell.name);
      if (!r.terminator) r.terminator = OtherNamed(cell.name);
    } else if (cell.tag == CellTag::kRule) {
      r.rule = Rule(cell.a);
    } else if (cell.tag == CellTag::kRevision) {
      size_t end = i + 1;
      while (end < cells.size() && cells[end].tag != CellTag::kRevision && cells[end].tag != CellTag::kOp)
        ++end;
      const auto with = [&](CellTag tag) { return CellsWith(cells, tag, i + 1, end); };
      OpRevision& s = t.revisions[++*revision];
      s.row = RowId{uint16_t(*row)};
      s.since = Version{cell.x};
      s.until = cell.y ? Version{cell.y} : table::kNewestVersion;
      if (table::HasVhloName(r.dialect, s.until)) s.ordinal = ++ordinal;
      s.operands = with(CellTag::kOperand);
      s.attrs = with(CellTag::kAttr);
      for (const Cell& attr : s.attrs) s.fills |= attr.filled();
      s.struct_attrs = with(CellTag::kStructAttr);
      s.results = with(CellTag::kResult);
      s.regions = with(CellTag::kRegion);
      if (!s.regions.empty() && !r.terminator && !r.Has(Trait::kGraph))
        r.terminator = OpNamed("stablehlo.return");
      s.conditions = with(CellTag::kCond);
      s.inferences = with(CellTag::kInfer);
      for (const Cell& attr : s.attrs) r.refers |= MayRefer(attr.attr_class());
      ++r.num_revisions;
    }
  }
}

constexpr Tables kTables = [] {
  Tables t;
  size_t row = 0, revision = 0;
  Append(kCells, t, &row, &revision);
  Append(kOtherCells, t, &row, &revision);
  for (OpRow& r : t.rows) {
    bool conditional = false;
    for (size_t k = r.num_revisions; k-- > 0;) {
      OpRevision& s = t.revisions[r.first_revision + k];
      s.conditional = conditional = conditional || !s.conditions.empty();
    }
  }
  return t;
}();

// --- Names -----------------------------------------------------------------------------------------

// "vhlo.<mnemonic>_v<ordinal>", ended by a zero byte; empty without a VHLO spelling.
using VhloNameChars = std::array<char, 48>;
constexpr auto kVhloNames = [] {
  std::array<VhloNameChars, kNumRevisions> names{};
  for (size_t i = 1; i < kNumRevisions; ++i) {
    const OpRevision& s = kTables.revisions[i];
    if (s.ordinal == 0) continue;
    if (s.ordinal > 9) throw "the ordinal of a VHLO name has one digit";
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

constexpr size_t kNameSlots = 1024;
static_assert(kNumRevisions * 2 < kNameSlots);
template <size_t N, typename NameFn>
constexpr std::array<uint16_t, kNameSlots> BuildNameIndex(NameFn name_of) {
  std::array<uint16_t, kNameSlots> index{};
  for (size_t i = 1; i < N; ++i) {
    const std::string_view name = name_of(i);
    if (name.empty()) continue;
    size_t at = table::HashText(name) % kNameSlots;
    bool taken = false;  // the first row wins if two rows share a name ("vhlo.return_v1")
    while (index[at] && !(taken = name_of(index[at]) == name)) at = (at + 1) % kNameSlots;
    if (!taken) index[at] = uint16_t(i);
  }
  return index;
}
constexpr auto kByName = BuildNameIndex<kNumRows>([](size_t i) { return kTables.rows[i].name; });
constexpr auto kByVhlo = BuildNameIndex<kNumRevisions>([](size_t i) { return NameOf(kVhloNames[i]); });
// Of schema/other_ops.inc.
constexpr auto kByOtherName = BuildNameIndex<kNumOthers + 1>(
    [](size_t i) { return i ? kTables.rows[kNumRows + i - 1].name : std::string_view(); });
static_assert(kNumOthers * 2 < kNameSlots);

// Former names of ops in older texts.
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

std::span<const OpRow> OpRows() { return std::span(kTables.rows).first(kNumRows); }
std::span<const OpRevision> OpRevisions() { return std::span(kTables.revisions).first(kNumRevisions); }
std::span<const OpRow> OtherRows() { return std::span(kTables.rows).subspan(kNumRows); }
constinit const OpRow* const table::kRows = kTables.rows.data();
constinit const OpRevision* const table::kRevisions = kTables.revisions.data();

RowId FindOp(std::string_view name) {
  for (size_t at = table::HashText(name) % kNameSlots; kByName[at]; at = (at + 1) % kNameSlots)
    if (kTables.rows[kByName[at]].name == name) return RowId{kByName[at]};
  for (const OldName& old : kOldNames)
    if (old.name == name) return old.row;
  return {};
}

RevisionId FindOtherOp(std::string_view name) {
  for (size_t at = table::HashText(name) % kNameSlots; kByOtherName[at]; at = (at + 1) % kNameSlots)
    if (const OpRow& row = kTables.rows[kNumRows + kByOtherName[at] - 1]; row.name == name)
      return RevisionId{row.first_revision};
  return {};
}

RevisionId FindVhlo(std::string_view name) {
  for (size_t at = table::HashText(name) % kNameSlots; kByVhlo[at]; at = (at + 1) % kNameSlots)
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
    if (kTables.revisions[r.first_revision + k].LegalAt(version))
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
  static constexpr std::string_view kTexts[] = {
#define SHLO_ATTR_CLASS(name, text, ...) text,
#include "schema/attr_classes.inc"
  };
  return kTexts[size_t(c)];
}

std::string_view DefaultName(Default d) {
  static constexpr std::string_view kTexts[] = {
#define SHLO_DEFAULT(name, text, other) text,
#include "schema/attr_classes.inc"
  };
  return kTexts[size_t(d)];
}

std::string_view NotTheDefault(Default d) {
  static constexpr std::string_view kTexts[] = {
#define SHLO_DEFAULT(name, text, other) other,
#include "schema/attr_classes.inc"
  };
  return kTexts[size_t(d)];
}

std::string_view CondName(Cond c) {
  static constexpr std::string_view kTexts[] = {
#define SHLO_COND(name, text) text,
#include "schema/traits.inc"
  };
  return kTexts[size_t(c)];
}

std::string_view TraitName(Trait t) {
  static constexpr std::string_view kTexts[] = {
#define SHLO_TRAIT(name, text) text,
#include "schema/traits.inc"
  };
  return size_t(t) < std::size(kTexts) ? kTexts[size_t(t)] : std::string_view();
}

// The ops of ops.h. Constants, so that nothing runs before main.
#define SHLO_NAMED_OP(identifier, name)                                               \
  static_assert(bool(RowNamed(name)), name ": no op of this name in schema/ops.inc"); \
  constinit const RowId ops::identifier = RowNamed(name);
SHLO_NAMED_OPS(SHLO_NAMED_OP)
#undef SHLO_NAMED_OP

}  // namespace shlo
