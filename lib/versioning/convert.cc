// The pass. The arrays of the module are copied (constants are views and are shared), then only those ops
// are rewritten whose shape ends before the target or begins after it.
#include "versioning/convert.h"

#include <fmt/format.h>

#include <algorithm>

#include "versioning/legality.h"
#include "versioning/locations.h"
#include "versioning/steps.h"

namespace shlo {
namespace {

constexpr std::string_view kCompatVersion = "stablehlo.compat_version";

std::string StepName(ShapeId shape) {
  const std::string_view portable = PortableName(shape);
  return std::string(portable.empty() ? RowOf(shape).name : portable);
}

// Takes one op over every boundary between its shape and the target.
void Rewrite(Module* m, Op* op, Version target, Draft* draft, std::vector<uint64_t>* counts) {
  draft->Start(*m, *op);
  while (!ShapeOf(draft->shape).LegalAt(target)) {
    const Direction direction = target < ShapeOf(draft->shape).since ? Direction::kDown : Direction::kUp;
    const Step* step = StepFrom(draft->shape, direction);
    if (!step) return;  // other dialects, where their presence is allowed
    Take(*step, direction, draft, nullptr);
    ++(*counts)[size_t(step - Steps().data())];
  }
  // The copy owns its slots: they are written in place when they fit, and appended otherwise.
  const size_t had = ShapeOf(op->shape).attrs.size();
  op->shape = draft->shape;
  if (draft->slots.size() > had) {
    op->first_slot = uint32_t(m->slots.size());
    m->slots.resize(m->slots.size() + draft->slots.size());
  }
  std::copy(draft->slots.begin(), draft->slots.end(), m->slots.begin() + op->first_slot);
}

// Functions of the prototype state their version in an attribute; so may modules.
void StateVersion(Module* m, Version target) {
  const StringId name = m->strings.Find(kCompatVersion);
  if (!name) return;
  AttrId stated;
  for (const Op& op : m->ops) {
    if (!op.shape || (!RowOf(op.shape).Has(Trait::kFunction) && RowOf(op.shape).form != Form::kModule))
      continue;
    for (uint32_t i = 0; i < op.extra.count; ++i) {
      NamedAttr& extra = m->extras[op.extra.first + i];
      int64_t old = 0;
      if (extra.name != name || !m->AsInteger(extra.value, &old) || old == target.n) continue;
      if (!stated) stated = m->I64(target.n);
      extra.value = stated;
    }
  }
}

Diagnostics Refuse(const Module& module, Version target, const ConvertOptions& options, VersionSet legal) {
  Diagnostics found = Blockers(module, target, options);
  if (found.empty()) return found;
  Diagnostic note;
  note.severity = Severity::kNote;
  note.code = Code::kBlocked;
  note.version = module.version;
  if (target > module.version) {
    while (note.version < kCurrentVersion && Has(legal, Version{uint16_t(note.version.n + 1)}))
      ++note.version.n;
    note.message =
        fmt::format("highest version this program can be taken up to: {}", VersionName(note.version));
  } else {
    note.version = LowestTarget(module, options);
    note.message =
        fmt::format("lowest version this program can be taken down to: {}", VersionName(note.version));
  }
  found.push_back(std::move(note));
  return found;
}

}  // namespace

Result<Conversion> Convert(const Module& module, Version target, const ConvertOptions& options) {
  if (!FindVersion(target))
    return Error(Code::kUnknownVersion, fmt::format("version {} is not on the line", target.n));
  const VersionSet legal = Legality(module, options).OfModule();
  if (!Has(legal, target))
    if (Diagnostics found = Refuse(module, target, options, legal); !found.empty())
      return tl::unexpected(std::move(found));

  Conversion out;
  out.module = module;
  Module& m = out.module;
  m.version = target;
  Draft draft;
  std::vector<uint64_t> counts(Steps().size());
  for (size_t i = 1; i < m.ops.size(); ++i)
    if (m.ops[i].shape && !ShapeOf(m.ops[i].shape).LegalAt(target))
      Rewrite(&m, &m.ops[i], target, &draft, &counts);
  StateVersion(&m, target);
  LowerLocations(&m, target, options, &out.warnings);

  const bool up = target >= module.version;
  for (size_t i = 0; i < counts.size(); ++i) {
    const Step& step = Steps()[i];
    if (counts[i] == 0) continue;
    out.steps.push_back(
        {StepName(up ? step.from : step.to), StepName(up ? step.to : step.from), step.boundary, counts[i]});
  }
  return out;
}

}  // namespace shlo
