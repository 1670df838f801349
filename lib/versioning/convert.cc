// The conversion pass. It copies the arrays of the module (constants are views and are shared) unless it may
// use the module up, then rewrites the signatures whose revision is not legal at the target.
#include "shlo/convert.h"

#include <algorithm>

#include "base/deadline.h"
#include "base/format.h"
#include "base/guarded.h"
#include "ir/module/attr_names.h"
#include "ir/table/form.h"
#include "ir/table/trait.h"
#include "versioning/legality.h"
#include "versioning/locations.h"
#include "versioning/steps.h"

namespace shlo {
namespace {

std::string StepName(RevisionId revision) {
  const std::string_view vhlo = VhloName(revision);
  return std::string(vhlo.empty() ? RowOf(revision).name : vhlo);
}

// Applies every step between a signature's revision and the target, and counts `ops` for each.
void Rewrite(const Module& m, EditedSignature* signature, uint64_t ops, Version target, OpDraft* draft,
             std::vector<uint64_t>* counts) {
  draft->Start(m, signature->view(), 0);
  while (!RevisionOf(draft->revision).LegalAt(target)) {
    const Direction direction =
        target < RevisionOf(draft->revision).since ? Direction::kDown : Direction::kUp;
    const Step* step = StepFrom(draft->revision, direction);
    if (!step) return;  // other dialects, where their presence is allowed
    ApplyStep(*step, direction, draft, nullptr);
    (*counts)[size_t(step - Steps().data())] += ops;
  }
  signature->revision = draft->revision;
  signature->inherent_attrs = draft->inherent_attrs;
}

// Updates the version that functions of prototype programs, and some modules, state in an attribute.
class StatedVersion {
 public:
  StatedVersion(Module* m, Version target)
      : m_(*m), target_(target), name_(m->strings.Find(kCompatVersion)) {}

  void Update(EditedSignature* op) {
    if (!name_ || op->discardable_attrs.empty() || !op->revision ||
        (!RowOf(op->revision).Has(Trait::kFunction) && RowOf(op->revision).form != Form::kModule))
      return;
    for (NamedAttr& discardable : op->discardable_attrs) {
      int64_t old = 0;
      if (discardable.name != name_ || !m_.AsInteger(discardable.value, &old) || old == target_.n) continue;
      if (!stated_) stated_ = m_.I64(target_.n);
      discardable.value = stated_;
    }
  }

 private:
  Module& m_;
  const Version target_;
  const StringId name_;
  AttrId stated_;
};

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
    note.message = StrFormat("highest possible target for this program: {}", VersionName(note.version));
  } else {
    while (note.version > kMinimumVersion && Has(legal, Version{uint16_t(note.version.n - 1)}))
      --note.version.n;
    note.message = StrFormat("lowest possible target for this program: {}", VersionName(note.version));
  }
  found.push_back(std::move(note));
  return found;
}

// Returns why a module cannot be converted.
Diagnostics CheckTarget(const Module& module, Version target, const ConvertOptions& options) {
  if (!FindVersion(target))
    return std::move(Error(Code::kUnknownVersion, StrFormat("unknown version {}", target.n)).value());
  if (Legality legality(module, options); !legality.ModuleHas(target))
    return Refuse(module, target, options, legality.OfModule());
  return {};
}

// Converts a module that CheckTarget has found to be representable.
Conversion ConvertTo(Module&& module, Version target, const ConvertOptions& options) {
  const bool up = target >= module.version;
  Conversion out;
  out.module = std::move(module);
  Module& m = out.module;
  // The reference converts an artifact by way of StableHLO, and a value that says what its absence says is
  // lost there: VHLO's default of an i32 is an i64.
  if (target != m.version && options.source && options.source->portable) m.DropDefaults();
  m.version = target;
  const std::vector<uint64_t> num_ops = m.NumOpsBySignature();
  OpDraft draft;
  std::vector<uint64_t> counts(Steps().size());
  StatedVersion stated(&m, target);
  m.RewriteSignatures([&](SignatureId id, EditedSignature* op) {
    Tick();
    if (op->revision && !RevisionOf(op->revision).LegalAt(target))
      Rewrite(m, op, num_ops[id.v], target, &draft, &counts);
    stated.Update(op);
  });
  LowerLocations(&m, target, options, &out.warnings);

  for (size_t i = 0; i < counts.size(); ++i) {
    const Step& step = Steps()[i];
    if (counts[i] == 0) continue;
    out.steps.push_back(
        {StepName(up ? step.from : step.to), StepName(up ? step.to : step.from), step.boundary, counts[i]});
  }
  return out;
}

}  // namespace

Result<Conversion> Convert(const Module& module, Version target, const ConvertOptions& options) {
  return Guarded(options.limits, [&]() -> Result<Conversion> {
    if (Diagnostics found = CheckTarget(module, target, options); !found.empty())
      return tl::unexpected(std::move(found));
    return ConvertTo(Module(module), target, options);
  });
}

Result<Conversion> Convert(Module&& module, Version target, const ConvertOptions& options) {
  return Guarded(options.limits, [&]() -> Result<Conversion> {
    if (Diagnostics found = CheckTarget(module, target, options); !found.empty())
      return tl::unexpected(std::move(found));
    return ConvertTo(std::move(module), target, options);
  });
}

}  // namespace shlo
