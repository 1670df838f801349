#include "versioning/steps.h"

#include <iterator>

#include "base/format.h"
#include "versioning/step_rows.h"

namespace shlo {
namespace {

using table::kNumRevisions, table::kNumRows;
using namespace step_rows;

// --- The steps, derived from the op table at compile time --------------------------------------------

constexpr std::span<const Cell> CellsOf(const CellRun& run, CellTag tag) {
  return table::CellsWith(table::kCells, tag, run.begin, run.end);
}

enum class Mistake : uint8_t { kFine, kEnds, kAttribute, kValues, kRegions };

// Maps each slot of `to` to its slot in `from`; adds kAttributes to *changes if a slot is added.
constexpr Mistake MapAttrs(const CellRun& from, const CellRun& to, std::array<int8_t, Step::kMaxSlots>* map,
                           ChangeSet* changes) {
  map->fill(Step::kAbsent);
  const auto old = CellsOf(from, CellTag::kAttr), attrs = CellsOf(to, CellTag::kAttr);
  for (size_t n = 0; n < attrs.size(); ++n) {
    size_t origin = 0;
    while (origin < old.size() && old[origin].name != attrs[n].name) ++origin;
    if (origin == old.size()) {
      *changes = *changes | kAttributes;
      if (attrs[n].required()) return Mistake::kAttribute;
      continue;
    }
    (*map)[n] = int8_t(origin);
    if (old[origin].a != attrs[n].a || old[origin].b != attrs[n].b || old[origin].x != attrs[n].x)
      return Mistake::kAttribute;
  }
  return Mistake::kFine;
}

// Single operands (or results) may become lists, and names may change; anything else is a mistake.
constexpr Mistake CompareValues(const CellRun& from, const CellRun& to, CellTag tag, ChangeSet* changes) {
  const auto old = CellsOf(from, tag), values = CellsOf(to, tag);
  if (old.size() != values.size()) return Mistake::kValues;
  for (size_t n = 0; n < old.size(); ++n) {
    if (old[n].variadic && !values[n].variadic) return Mistake::kValues;
    if (old[n].variadic != values[n].variadic) *changes = *changes | kLists;
  }
  return Mistake::kFine;
}

// One list of regions may be added after the existing regions.
constexpr Mistake CompareRegions(const CellRun& from, const CellRun& to, ChangeSet* changes) {
  const auto old = CellsOf(from, CellTag::kRegion), regions = CellsOf(to, CellTag::kRegion);
  if (regions.size() == old.size() + 1 && regions.back().variadic)
    *changes = *changes | kRegions;
  else if (regions.size() != old.size())
    return Mistake::kRegions;
  for (size_t n = 0; n < old.size(); ++n)
    if (old[n].name != regions[n].name || old[n].variadic != regions[n].variadic) return Mistake::kRegions;
  return Mistake::kFine;
}

constexpr Mistake MakeStep(const CellRun& from, const CellRun& to, Step* step) {
  *step = {RevisionId{from.revision}, RevisionId{to.revision}, Version{to.since}, {}, {}, {}};
  ChangeSet* changes = &step->changes;
  if (from.row != to.row) *changes = *changes | kRename;
  for (const Mistake mistake :
       {MapAttrs(from, to, &step->up_attrs, changes), MapAttrs(to, from, &step->down_attrs, changes),
        CompareValues(from, to, CellTag::kOperand, changes),
        CompareValues(from, to, CellTag::kResult, changes), CompareRegions(from, to, changes)})
    if (mistake != Mistake::kFine) return mistake;
  return Mistake::kFine;
}

// --- Renames ------------------------------------------------------------------------------------------

#define SHLO_RENAME(from, to)                                                                               \
  static_assert(RowNamed(from), "steps.inc: " from ": no op of this name in schema/ops.inc");               \
  static_assert(RowNamed(to), "steps.inc: " to ": no op of this name in schema/ops.inc");                   \
  static_assert(NewNameOf(RowNamed(from)) == RowNamed(to), "steps.inc: " from ": the op is renamed twice"); \
  static_assert(LastOf(RowNamed(from))->until + 1 == FirstOf(RowNamed(to))->since,                          \
                "steps.inc: " from " does not end where " to " begins");
#include "versioning/steps.inc"

// --- The table ----------------------------------------------------------------------------------------

constexpr size_t kNumSteps = [] {
  size_t n = 0;
  for (size_t i = 1; i < kNumRevisions; ++i) n += After(kRevisions[i]) != nullptr;
  return n;
}();

struct Tables {
  std::array<Step, kNumSteps> steps{};
  // Steps by the revision they leave: index into `steps` plus one, 0 for none.
  std::array<uint8_t, kNumRevisions> up{};
  std::array<uint8_t, kNumRevisions> down{};
  std::array<Mistake, kNumRows> mistakes{};
};
static_assert(kNumSteps < 255);

constexpr Tables kTables = [] {
  Tables t;
  size_t n = 0;
  for (size_t i = 1; i < kNumRevisions; ++i) {
    const CellRun& run = kRevisions[i];
    Mistake& mistake = t.mistakes[run.row.v];
    const CellRun* next = After(run);
    if (!next) {
      if (run.until < table::kNewestVersion.n) mistake = Mistake::kEnds;
      continue;
    }
    if (const Mistake found = MakeStep(run, *next, &t.steps[n]); found != Mistake::kFine) mistake = found;
    t.up[i] = t.down[next->revision] = uint8_t(++n);
  }
  return t;
}();

// Every revision that ends has an upgrade step, and every boundary has a step in each direction.
constexpr int kFirstRow = __COUNTER__ + 1;
#define SHLO_OP_STEPS(found, op)                                                                           \
  constexpr Mistake found = kTables.mistakes[__COUNTER__ - kFirstRow + 1];                                 \
  static_assert(found != Mistake::kEnds, op ": the op ends, and versioning/steps.inc does not rename it"); \
  static_assert(found != Mistake::kAttribute,                                                              \
                op ": between revisions an attribute changes, or comes or goes without a default");        \
  static_assert(found != Mistake::kValues, op ": operands or results change in an unsupported way");       \
  static_assert(found != Mistake::kRegions, op ": regions change in an unsupported way");
#define SHLO_OP(...) SHLO_OP_STEPS(SHLO_AT_LINE(found_, __LINE__), SHLO_OP_NAME(__VA_ARGS__))
#include "schema/ops.inc"

// --- Checks of the changes ----------------------------------------------------------------------------

using Losses = std::vector<Loss>;

bool Refuse(Losses* losses, std::string message, std::string hint = {}) {
  if (losses) losses->push_back({std::move(message), std::move(hint)});
  return false;
}

bool Nothing(const Step&, Direction, const OpDraft&, Losses*) { return true; }

// Removed attributes must have their defaults.
bool LeaveDefaults(const Step& step, Direction direction, const OpDraft& draft, Losses* losses) {
  const bool up = direction == Direction::kUp;
  const OpRevision& from = RevisionOf(draft.revision);
  const auto& map = up ? step.up_attrs : step.down_attrs;
  const size_t arriving = RevisionOf(up ? step.to : step.from).attrs.size();
  uint32_t carried = 0;
  for (size_t i = 0; i < arriving; ++i)
    if (map[i] != Step::kAbsent) carried |= 1u << map[i];
  bool ok = true;
  for (size_t i = 0; i < from.attrs.size(); ++i) {
    if (carried >> i & 1 || !draft.inherent_attrs[i] ||
        draft.module->IsDefaultValue(from.attrs[i], draft.inherent_attrs[i]))
      continue;
    const Cell& cell = from.attrs[i];
    ok = Refuse(losses, StrFormat("attribute '{}' {}", cell.name, NotTheDefault(cell.attr_default())));
  }
  return ok;
}

// A list becomes a single operand or result.
bool UnwrapLists(const Step& step, Direction, const OpDraft& draft, Losses* losses) {
  const OpRevision& to = RevisionOf(step.from);
  bool ok = true;
  if (draft.num_operands != to.operands.size())
    ok = Refuse(losses, StrFormat("has {} operands, but the target allows 1", draft.num_operands),
                "split the op into one per operand");
  else if (draft.num_results != to.results.size())
    ok = Refuse(losses, StrFormat("has {} results, but the target allows 1", draft.num_results),
                "split the op into one per result");
  return ok;
}

bool NoRegions(const Step& step, Direction, const OpDraft& draft, Losses* losses) {
  const size_t keep = RevisionOf(step.from).regions.size();
  if (draft.num_regions <= keep) return true;
  return Refuse(
      losses, StrFormat("has {} in '{}', but the target allows none",
                        Count(draft.num_regions - keep, "region"), RevisionOf(step.to).regions.back().name));
}

// Each kind of change with its two checks. They modify nothing: ApplyStep copies the slots, and operands,
// results and regions are stored the same way in both revisions.
using Check = bool (*)(const Step&, Direction, const OpDraft&, Losses*);
constexpr struct {
  ChangeSet change;
  Check up;
  Check down;
} kChanges[] = {
    {kRename, Nothing, Nothing},
    {kAttributes, LeaveDefaults, LeaveDefaults},
    {kLists, Nothing, UnwrapLists},
    {kRegions, Nothing, NoRegions},
};

}  // namespace

std::span<const Step> Steps() { return kTables.steps; }

const Step* StepFrom(RevisionId revision, Direction direction) {
  if (revision.v >= kNumRevisions) return nullptr;
  const uint8_t i = (direction == Direction::kUp ? kTables.up : kTables.down)[revision.v];
  return i ? &kTables.steps[i - 1] : nullptr;
}

void OpDraft::Start(const Module& m, const OpSignature& signature, uint32_t regions) {
  module = &m;
  num_operands = uint32_t(signature.operand_types.size());
  num_results = uint32_t(signature.result_types.size());
  num_regions = regions;
  revision = signature.revision;
  inherent_attrs.assign(signature.inherent_attrs.begin(), signature.inherent_attrs.end());
}

bool ApplyStep(const Step& step, Direction direction, OpDraft* draft, Losses* losses) {
  const bool up = direction == Direction::kUp;
  bool ok = true;
  for (const auto& change : kChanges)
    if (step.changes & change.change) ok &= (up ? change.up : change.down)(step, direction, *draft, losses);
  const RevisionId arrived = up ? step.to : step.from;
  const auto& map = up ? step.up_attrs : step.down_attrs;
  const size_t count = RevisionOf(arrived).attrs.size();
  draft->scratch.resize(count);
  for (size_t i = 0; i < count; ++i)
    draft->scratch[i] = map[i] == Step::kAbsent ? AttrId() : draft->inherent_attrs[size_t(map[i])];
  draft->inherent_attrs.swap(draft->scratch);
  draft->revision = arrived;
  return ok;
}

}  // namespace shlo
