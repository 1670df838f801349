#include "versioning/steps.h"

#include <fmt/format.h>

#include <iterator>

namespace shlo {
namespace {

using table::kCells;

// --- The rows, checked against the op table at compile time ------------------------------------------

// A shape of the op table as cells.
struct CellRun {
  uint16_t shape = 0;  // RevisionId
  size_t begin = 0;    // cells after the shape's own cell
  size_t end = 0;
};

// The shape of an op whose interval starts at `since`, or ends at `until`; throws, which does not compile.
consteval CellRun FindRevision(std::string_view name, uint16_t since, uint16_t until) {
  uint16_t shape = 0;
  bool in_op = false;
  bool seen = false;
  for (size_t i = 0; i < std::size(kCells); ++i) {
    if (kCells[i].tag == CellTag::kOp) seen |= in_op = kCells[i].name == name;
    if (kCells[i].tag != CellTag::kRevision) continue;
    ++shape;
    if (!in_op || (since ? kCells[i].x != since : kCells[i].y != until)) continue;
    size_t end = i + 1;
    while (end < std::size(kCells) && kCells[end].tag != CellTag::kOp &&
           kCells[end].tag != CellTag::kRevision)
      ++end;
    return {shape, i + 1, end};
  }
  if (!seen) throw "a step names an op that is not in schema/ops.inc";
  throw "a step names a version at which no shape of the op begins, or before which none ends";
}

constexpr size_t Count(const CellRun& run, CellTag tag) {
  size_t count = 0;
  for (size_t i = run.begin; i < run.end; ++i) count += kCells[i].tag == tag;
  return count;
}

// The n-th cell of a tag in a shape that has it.
constexpr const Cell& Nth(const CellRun& run, CellTag tag, size_t n) {
  size_t i = run.begin;
  while (kCells[i].tag != tag || n-- > 0) ++i;
  return kCells[i];
}

constexpr int FindAttr(const CellRun& run, std::string_view name) {
  const size_t count = Count(run, CellTag::kAttr);
  for (size_t n = 0; n < count; ++n)
    if (Nth(run, CellTag::kAttr, n).name == name) return int(n);
  return -1;
}

// Whether the default of a slot can be recognized in a written value; see HasDefaultValue.
constexpr bool KnowsDefault(Default d) {
  return d == Default::kOptional || d == Default::kFalse || d == Default::kEmptyI64s ||
         d == Default::kEmptyArray || d == Default::kNoneType || d == Default::kZeroPairs ||
         d == Default::kDefaultAccuracy;
}

// Where each slot of `to` comes from; sets *changed when a slot comes or goes.
consteval std::array<int8_t, Step::kMaxSlots> AttrMap(const CellRun& from, const CellRun& to, bool* changed) {
  std::array<int8_t, Step::kMaxSlots> map{};
  map.fill(Step::kAbsent);
  const size_t count = Count(to, CellTag::kAttr);
  if (count > Step::kMaxSlots) throw "a shape has more slots than a step can carry";
  for (size_t n = 0; n < count; ++n) {
    const Cell& cell = Nth(to, CellTag::kAttr, n);
    const int origin = FindAttr(from, cell.name);
    map[n] = int8_t(origin);
    if (origin < 0) {
      *changed = true;
      if (!KnowsDefault(cell.attr_default())) throw "a slot comes or goes whose default no step recognizes";
      continue;
    }
    const Cell& old = Nth(from, CellTag::kAttr, size_t(origin));
    if (old.a != cell.a || old.b != cell.b || old.x != cell.x)
      throw "a slot changes its class or default, which needs a change of its own";
  }
  return map;
}

// Whether single operands (or results) become lists; nothing else may change about them but names.
consteval bool BecomesList(const CellRun& from, const CellRun& to, CellTag tag) {
  const size_t count = Count(from, tag);
  if (count != Count(to, tag)) throw "the number of operands or results changes, which no step knows";
  bool lists = false;
  for (size_t n = 0; n < count; ++n) {
    const bool before = Nth(from, tag, n).variadic;
    const bool after = Nth(to, tag, n).variadic;
    if (before && !after) throw "a list becomes a single operand or result, which no step knows";
    lists |= before != after;
  }
  return lists;
}

// Whether one list of regions comes after those that were there; nothing else may change about regions.
consteval bool GainsRegions(const CellRun& from, const CellRun& to) {
  const size_t before = Count(from, CellTag::kRegion);
  const size_t after = Count(to, CellTag::kRegion);
  bool same = after == before || (after == before + 1 && Nth(to, CellTag::kRegion, before).variadic);
  for (size_t n = 0; same && n < before; ++n) {
    const Cell& a = Nth(from, CellTag::kRegion, n);
    const Cell& b = Nth(to, CellTag::kRegion, n);
    same = a.name == b.name && a.variadic == b.variadic;
  }
  if (!same) throw "regions change in a way that no step knows";
  return after > before;
}

consteval Step MakeStep(std::string_view from_name, std::string_view to_name, uint16_t boundary,
                        ChangeSet changes) {
  const CellRun from = FindRevision(from_name, 0, uint16_t(boundary - 1));
  const CellRun to = FindRevision(to_name, boundary, 0);
  Step step{RevisionId{from.shape}, RevisionId{to.shape}, Version{boundary}, changes};
  bool attributes = false;
  step.up_attrs = AttrMap(from, to, &attributes);
  step.down_attrs = AttrMap(to, from, &attributes);
  uint8_t found = 0;
  if (from_name != to_name) found |= kRename;
  if (attributes) found |= kAttributes;
  const bool operands = BecomesList(from, to, CellTag::kOperand);
  const bool results = BecomesList(from, to, CellTag::kResult);
  if (operands || results) found |= kLists;
  if (GainsRegions(from, to)) found |= kRegions;
  if (found != changes) throw "a step does not name exactly what changes between its two shapes";
  return step;
}

namespace rows {
consteval Step Step(std::string_view from, std::string_view to, uint16_t boundary, ChangeSet changes) {
  return MakeStep(from, to, boundary, changes);
}
consteval shlo::Step Step(std::string_view name, uint16_t boundary, ChangeSet changes) {
  return MakeStep(name, name, boundary, changes);
}
constexpr shlo::Step kSteps[] = {
#include "versioning/steps.inc"
};
}  // namespace rows
using rows::kSteps;

constexpr uint16_t NumRevisions() {
  uint16_t n = 0;
  for (const Cell& cell : kCells) n += cell.tag == CellTag::kRevision;
  return n;
}

// Steps by the shape they leave: index into kSteps plus one, 0 for none.
struct Index {
  std::array<uint8_t, NumRevisions() + 1> up{};
  std::array<uint8_t, NumRevisions() + 1> down{};
};
static_assert(std::size(kSteps) < 255);

// Fails to compile when two steps leave one shape in the same direction.
consteval Index MakeIndex() {
  Index index;
  for (size_t i = 0; i < std::size(kSteps); ++i) {
    if (index.up[kSteps[i].from.v] || index.down[kSteps[i].to.v]) throw "two steps for one boundary";
    index.up[kSteps[i].from.v] = index.down[kSteps[i].to.v] = uint8_t(i + 1);
  }
  return index;
}
constexpr Index kIndex = MakeIndex();

// Every shape that ends has a step upwards; every shape that follows another has one downwards.
consteval bool EveryBoundaryHasAStep() {
  uint16_t shape = 0;
  bool first = true;
  for (const Cell& cell : kCells) {
    if (cell.tag == CellTag::kOp) first = true;
    if (cell.tag != CellTag::kRevision) continue;
    ++shape;
    if (cell.y != 0 && cell.y < kCurrentVersion.n && !kIndex.up[shape]) return false;
    if (!first && !kIndex.down[shape]) return false;
    first = false;
  }
  return true;
}
static_assert(EveryBoundaryHasAStep(), "a boundary of schema/ops.inc has no step in versioning/steps.inc");

// --- What the changes do ------------------------------------------------------------------------------

bool IsZero(std::string_view bytes) { return bytes.find_first_not_of('\0') == bytes.npos; }

// Number of items of an integer list in either of its representations, without expanding a splat; -1
// when it is neither. *zero: whether all of them are 0.
int64_t CountInts(const Module& m, AttrId value, bool* zero) {
  if (const auto elements = m.As<ElementsAttr>(value)) {
    const auto tensor = m.As<TensorType>(elements->type);
    uint64_t count = 0;
    if (!tensor || !Module::ElementCount(tensor->shape, &count)) return -1;
    *zero = IsZero(m.payloads[elements->payload].bytes());
    return int64_t(count);
  }
  const auto array = m.As<I64ArrayAttr>(value);
  if (!array) return -1;
  *zero = true;
  for (int64_t i : array->values) *zero &= i == 0;
  return int64_t(array->values.size());
}

// Whether a written value is the default of its slot. As Module::IsDefault, for the defaults of slots that
// come and go (KnowsDefault), and without changing the module.
bool HasDefaultValue(const Module& m, const Cell& cell, AttrId value) {
  bool zero = false;
  switch (cell.attr_default()) {
    case Default::kFalse: {
      bool b = true;
      return m.AsBool(value, &b) && !b;
    }
    case Default::kEmptyI64s:
      return CountInts(m, value, &zero) == 0;
    case Default::kZeroPairs:
      return CountInts(m, value, &zero) >= 0 && zero;
    case Default::kEmptyArray:
      return m.attrs.KindOf(value) == AttrKind::kArray && m.ElementsOf(value).empty();
    case Default::kNoneType: {
      const auto type = m.As<TypeAttr>(value);
      return type && m.types.KindOf(type->type) == TypeKind::kNone;
    }
    case Default::kDefaultAccuracy: {
      const auto accuracy = m.As<ResultAccuracyAttr>(value);
      return accuracy && accuracy->atol == 0 && accuracy->rtol == 0 && accuracy->ulps == 0 &&
             m.EnumValue(accuracy->mode, AttrKind::kResultAccuracyMode) == 0;
    }
    default:
      return false;
  }
}

std::string_view NotTheDefault(Default d) {
  switch (d) {
    case Default::kFalse:
      return "is true";
    case Default::kEmptyI64s:
    case Default::kEmptyArray:
      return "is not empty";
    case Default::kZeroPairs:
      return "is not zero";
    case Default::kDefaultAccuracy:
      return "is not the default accuracy";
    default:
      return "is set";
  }
}

using Losses = std::vector<Loss>;

bool Refuse(Losses* losses, std::string message, std::string hint = {}) {
  if (losses) losses->push_back({std::move(message), std::move(hint)});
  return false;
}

bool Nothing(const Step&, Direction, const OpDraft&, Losses*) { return true; }

// What is left behind must have its default.
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
        HasDefaultValue(*draft.module, from.attrs[i], draft.inherent_attrs[i]))
      continue;
    const Cell& cell = from.attrs[i];
    ok = Refuse(losses, fmt::format("attribute '{}' {}", cell.name, NotTheDefault(cell.attr_default())));
  }
  return ok;
}

// A list becomes a single operand or result.
bool UnwrapLists(const Step& step, Direction, const OpDraft& draft, Losses* losses) {
  const OpRevision& to = RevisionOf(step.from);
  bool ok = true;
  if (draft.op->operands.count != to.operands.size())
    ok = Refuse(losses, fmt::format("it has {} operands, not one", draft.op->operands.count),
                "split it into one op per operand");
  else if (draft.op->results.count != to.results.size())
    ok = Refuse(losses, fmt::format("it has {} results, not one", draft.op->results.count),
                "split it into one op per result");
  return ok;
}

bool NoRegions(const Step& step, Direction, const OpDraft& draft, Losses* losses) {
  const size_t keep = RevisionOf(step.from).regions.size();
  if (draft.op->regions.count <= keep) return true;
  return Refuse(losses, fmt::format("it has {} region{} in '{}'", draft.op->regions.count - keep,
                                    draft.op->regions.count - keep == 1 ? "" : "s",
                                    RevisionOf(step.to).regions.back().name));
}

// Each kind of change with its two functions. They only judge: slots are carried by the step's own map, and
// operands, results and regions are stored the same way in both shapes.
using Judge = bool (*)(const Step&, Direction, const OpDraft&, Losses*);
constexpr struct {
  ChangeSet change;
  Judge up;
  Judge down;
} kChanges[] = {
    {kRename, Nothing, Nothing},
    {kAttributes, LeaveDefaults, LeaveDefaults},
    {kLists, Nothing, UnwrapLists},
    {kRegions, Nothing, NoRegions},
};

}  // namespace

std::span<const Step> Steps() { return kSteps; }

const Step* StepFrom(RevisionId revision, Direction direction) {
  if (revision.v > NumRevisions()) return nullptr;
  const uint8_t i = direction == Direction::kUp ? kIndex.up[revision.v] : kIndex.down[revision.v];
  return i ? &kSteps[i - 1] : nullptr;
}

void OpDraft::Start(const Module& m, const Op& o) {
  module = &m;
  op = &o;
  revision = o.revision;
  const auto written = m.InherentAttrsOf(o);
  inherent_attrs.assign(written.begin(), written.end());
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
