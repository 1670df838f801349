#include "versioning/legality.h"

#include <algorithm>

#include "base/deadline.h"
#include "base/format.h"
#include "ir/table/trait.h"
#include "ir/verify/conditions.h"

namespace shlo {
namespace {

std::string_view Violation(Cond cond) {
  switch (cond) {
    case Cond::kSameElementTypes:
      return "result element types differ from operand element types";
    case Cond::kNoTypedFfi:
      return "backend_config is a dictionary, or api_version is API_VERSION_TYPED_FFI";
    case Cond::kNoFutureOperands:
      return "has an operand of future type";
    case Cond::kNoMixedFloat8:
      return "lhs and rhs have different 8-bit float types";
    case Cond::kNoFloat8Passes:
      break;
  }
  return "algorithm computes several products per operand pair of 8-bit floats";
}

constexpr const char* kAllowHint = "pass --allow-other-dialects";

std::string OtherDialect(Version target) {
  return StrFormat("ops of other dialects are not allowed in version {}", ShortVersionName(target));
}

VersionSet VersionsSatisfying(const Cell& condition, bool holds) {
  return holds ? kAllVersions : Since(Version{uint16_t(condition.x + 1)});
}

}  // namespace

Legality::Legality(const Module& module, const ConvertOptions& options)
    : module_(module),
      source_(options.source),
      allow_other_dialects_(options.allow_other_dialects),
      nodes_(module, options.allow_other_dialects ? NodeVersions::Rows::kAllowOtherDialects
                                                  : NodeVersions::Rows::kAll),
      revision_sets_(OpRevisions().size()),
      depends_(OpRevisions().size()) {
  for (uint16_t i = 1; i < revision_sets_.size(); ++i) {
    const OpRevision& revision = RevisionOf(RevisionId{i});
    revision_sets_[i] = Between(revision.since, revision.until) & kAllVersions;
    if (IsOfOtherDialect(RowOf(revision.row)))
      revision_sets_[i] &= Since(kOtherDialects) | ~Since(kFirstRelease);
    depends_[i] = revision.conditional || std::ranges::any_of(revision.attrs, HasDatedApiVersions);
  }
  if (options.portable && !allow_other_dialects_) portable_.emplace(module, NodeVersions::Rows::kPortable);
  if (allow_other_dialects_ && VersionsOfCases(module) != kAllVersions)
    cases_.emplace(module, NodeVersions::Rows::kCases);
}

NodeVersions& Legality::AttrsOf(const Op& op) {
  if (!module_.RevisionIdOf(op) || IsOfOtherDialect(module_.RevisionIdOf(op))) return nodes_;
  if (!RowOf(module_.RevisionIdOf(op)).vhlo) {
    using Rows = NodeVersions::Rows;
    if (!of_module_)
      of_module_.emplace(module_, allow_other_dialects_ ? Rows::kModuleAllowOtherDialects : Rows::kModule);
    return *of_module_;
  }
  return portable_ && !VhloName(module_.RevisionIdOf(op)).empty() ? *portable_ : nodes_;
}

// Returns the versions that have the inherent attributes.
VersionSet Legality::OfAttrs(const Op& op, std::span<const AttrId> inherent_attrs) {
  VersionSet set = kAllVersions;
  NodeVersions& nodes = AttrsOf(op);
  for (AttrId attr : inherent_attrs) set &= nodes.OfAttr(attr);
  return set;
}

// Returns the versions that have this revision and satisfy its conditions.
VersionSet Legality::OfRevision(const Op& op, RevisionId id, std::span<const AttrId> inherent_attrs) {
  VersionSet set = revision_sets_[id.v];
  if (!depends_[id.v]) return set;
  const OpRevision& revision = RevisionOf(id);
  ForEachCondition(revision, [&](const Cell& condition) {
    set &= VersionsSatisfying(condition, Satisfies(module_, op, Cond(condition.a)));
  });
  for (size_t i = 0; i < inherent_attrs.size(); ++i)
    if (const EnumCase* dated = DatedApiVersion(module_, revision.attrs[i], inherent_attrs[i]))
      set &= Between(dated->since, dated->until);
  return set;
}

// Returns the versions that have the enum cases of an op that --allow-other-dialects exempts from the other
// checks.
VersionSet Legality::OfCases(const Op& op) {
  if (!cases_) return kAllVersions;
  VersionSet set = kAllVersions;
  if (module_.RevisionIdOf(op))
    for (AttrId slot : module_.InherentAttrsOf(op)) set &= cases_->OfAttr(slot);
  for (const NamedAttr& discardable : module_.DiscardableAttrsOf(op))
    set &= cases_->OfAttr(discardable.value);
  return set;
}

VersionSet Legality::OfOp(const Op& op) {
  if (HasNoVersion(op)) return OfCases(op);
  VersionSet discardable_attrs = kAllVersions;
  for (const NamedAttr& discardable : module_.DiscardableAttrsOf(op))
    discardable_attrs &= AttrsOf(op).OfAttr(discardable.value);
  if (!module_.RevisionIdOf(op)) return discardable_attrs & Since(kOtherDialects);
  const auto in_revision = [&](RevisionId revision, std::span<const AttrId> inherent_attrs) {
    return OfRevision(op, revision, inherent_attrs) & OfAttrs(op, inherent_attrs);
  };
  VersionSet set = in_revision(module_.RevisionIdOf(op), module_.InherentAttrsOf(op));
  for (const Direction direction : {Direction::kDown, Direction::kUp}) {
    const Step* step = StepFrom(module_.RevisionIdOf(op), direction);
    if (!step) continue;
    for (draft_.Start(module_, module_.SignatureOf(op), op.regions.count);
         step && ApplyStep(*step, direction, &draft_, nullptr); step = StepFrom(draft_.revision, direction))
      set |= in_revision(draft_.revision, draft_.inherent_attrs);
  }
  return set & discardable_attrs;
}

// Returns whether OfOp() has the target; with `all_nodes`, all types and attributes have it.
bool Legality::OpHas(const Op& op, Version target, bool all_nodes) {
  if (HasNoVersion(op)) return Has(OfCases(op), target);
  if (!all_nodes)
    for (const NamedAttr& discardable : module_.DiscardableAttrsOf(op))
      if (!Has(AttrsOf(op).OfAttr(discardable.value), target)) return false;
  if (!module_.RevisionIdOf(op)) return target >= kOtherDialects;
  const auto in_revision = [&](RevisionId revision, std::span<const AttrId> inherent_attrs) {
    return Has(OfRevision(op, revision, inherent_attrs), target) &&
           (all_nodes || Has(OfAttrs(op, inherent_attrs), target));
  };
  if (Has(revision_sets_[module_.RevisionIdOf(op).v], target))
    return in_revision(module_.RevisionIdOf(op), module_.InherentAttrsOf(op));
  const Direction direction =
      target < RevisionOf(module_.RevisionIdOf(op)).since ? Direction::kDown : Direction::kUp;
  const Step* step = StepFrom(module_.RevisionIdOf(op), direction);
  if (!step) return false;
  for (draft_.Start(module_, module_.SignatureOf(op), op.regions.count);
       step && ApplyStep(*step, direction, &draft_, nullptr); step = StepFrom(draft_.revision, direction))
    if (Has(revision_sets_[draft_.revision.v], target))
      return in_revision(draft_.revision, draft_.inherent_attrs);
  return false;
}

// Returns the versions that have the types of an op's results and block arguments. Those of its operands are
// the types of other results and arguments, which may be exempt.
VersionSet Legality::OfTypes(const Op& op) {
  VersionSet set = kAllVersions;
  const OpSignature signature = module_.SignatureOf(op);
  if (HasNoVersion(op)) return set;
  const auto add = [&](TypeId type) {
    if (type) set &= OfType(type);
  };
  for (TypeId type : signature.result_types) add(type);
  if (allow_other_dialects_)
    for (TypeId type : signature.operand_types) add(type);
  for (RegionId region : module_.RegionsOf(op))
    for (BlockId block : module_.BlocksOf(region))
      for (uint32_t i = 0; i < module_.blocks[block.v].args.count; ++i)
        add(module_.TypeOf(module_.ArgOf(block, i)));
  return set;
}

// Calls visit(op) for each op with regions and for the first op with each signature, until it returns false.
template <typename VisitT>
bool Legality::VisitOps(VisitT&& visit) {
  std::vector<bool> seen(module_.signatures.size());
  for (size_t i = 1; i < module_.ops.size(); ++i) {
    Tick();
    const Op& op = module_.ops[i];
    if (op.regions.count == 0 && seen[op.signature.v]) continue;
    seen[op.signature.v] = true;
    if (!visit(op)) return false;
  }
  return true;
}

VersionSet Legality::OfModule() {
  VersionSet set = kAllVersions;
  VisitOps([&](const Op& op) {
    set &= OfOp(op) & OfTypes(op);
    return true;
  });
  return set;
}

bool Legality::ModuleHas(Version target) {
  // Ops of other dialects may hold what is newer than the target.
  if (allow_other_dialects_) return Has(OfModule(), target);
  const bool all_nodes = nodes_.AllHave(target) && (!portable_ || portable_->AllHave(target));
  return VisitOps(
      [&](const Op& op) { return (all_nodes || Has(OfTypes(op), target)) && OpHas(op, target, all_nodes); });
}

// Returns whether --allow-other-dialects exempts the op: its attributes and types are builtin ones, which do
// not depend on the version of VHLO.
bool Legality::HasNoVersion(const Op& op) const {
  return allow_other_dialects_ && IsOfOtherDialect(module_.RevisionIdOf(op));
}

// --- Reasons ------------------------------------------------------------------------------------------

void Legality::AddReason(VersionSet legal, std::string message, std::string hint, std::string cause,
                         uint64_t key) {
  for (const Reason& reason : reasons_)
    if (key != 0 && reason.key == key) return;
  reasons_.push_back({legal, std::move(message), std::move(hint), std::move(cause), key, false});
}

// Reports the innermost nodes that the target cannot represent, so that the message names the cause and not
// the node around it.
void Legality::ExplainNode(NodeVersions& nodes, uint32_t root, Version target, const std::string& where) {
  std::vector<uint32_t> stack{root};
  seen_.resize(nodes.size());
  ++search_;
  while (!stack.empty()) {
    const uint32_t node = stack.back();
    stack.pop_back();
    if (seen_[node] == search_ || Has(nodes.Of(node), target)) continue;
    seen_[node] = search_;
    const VersionSet own = nodes.Own(node);
    if (Has(own, target)) {
      nodes.VisitChildren(node, [&](uint32_t child) { stack.push_back(child); });
      continue;
    }
    const bool is_type = nodes.IsType(node);
    const uint64_t kind = is_type ? uint64_t(module_.types.KindOf(TypeId(node)))
                                  : uint64_t(module_.attrs.KindOf(AttrId(node - module_.types.size())));
    const EnumCase* dated = nodes.CaseOf(node);
    // --allow-other-dialects does not help with types, because a VHLO op has only VHLO types, or with enum
    // cases, because older readers fail on them.
    const bool allowing_helps = !is_type && !dated && own == (Since(kOtherDialects) & kAllVersions);
    // Two cases of one enum are separate reasons.
    const uint64_t which = dated ? uint64_t(dated->value) + 1 : 0;
    const bool in_text = &nodes != &nodes_ && Has(nodes_.Own(node), target);
    const std::string what = nodes.Describe(node);
    AddReason(own,
              StrFormat("{} {} does not exist in {}version {}", what, where,
                        in_text ? "portable artifacts of " : "", ShortVersionName(target)),
              allowing_helps ? kAllowHint : "", what,
              which << 33 | kind << 1 | uint64_t(is_type) | 1ull << 32);
  }
}

void Legality::ExplainType(TypeId type, Version target, const std::string& where) {
  if (!type || Has(OfType(type), target)) return;
  const size_t first = reasons_.size();
  ExplainNode(nodes_, nodes_.NodeOf(type), target, where);
  for (size_t i = first; i < reasons_.size(); ++i) reasons_[i].of_type = true;
}

void Legality::ExplainAttr(NodeVersions& nodes, std::string_view name, AttrId attr, Version target) {
  if (attr && !Has(nodes.OfAttr(attr), target))
    ExplainNode(nodes, nodes.NodeOf(attr), target, StrFormat("in attribute '{}'", name));
}

void Legality::ExplainCases(const Op& op, Version target) {
  if (!cases_) return;
  if (module_.RevisionIdOf(op)) {
    const auto slots = module_.InherentAttrsOf(op);
    for (size_t i = 0; i < slots.size(); ++i)
      ExplainAttr(*cases_, RevisionOf(module_.RevisionIdOf(op)).attrs[i].name, slots[i], target);
  }
  for (const NamedAttr& discardable : module_.DiscardableAttrsOf(op))
    ExplainAttr(*cases_, module_.strings[discardable.name], discardable.value, target);
}

void Legality::ExplainRevision(const Op& op, const OpDraft& draft, Version target) {
  const OpRevision& revision = RevisionOf(draft.revision);
  ForEachCondition(revision, [&](const Cell& condition) {
    const VersionSet legal = VersionsSatisfying(condition, Satisfies(module_, op, Cond(condition.a)));
    if (!Has(legal, target)) AddReason(legal, std::string(Violation(Cond(condition.a))));
  });
  for (size_t i = 0; i < revision.attrs.size(); ++i) {
    ExplainAttr(AttrsOf(op), revision.attrs[i].name, draft.inherent_attrs[i], target);
    const EnumCase* dated = DatedApiVersion(module_, revision.attrs[i], draft.inherent_attrs[i]);
    if (dated && !Has(Between(dated->since, dated->until), target))
      AddReason(Between(dated->since, dated->until) & kAllVersions,
                StrFormat("custom_call_api_version '{}' in attribute '{}' does not exist in version {}",
                          dated->name, revision.attrs[i].name, ShortVersionName(target)));
  }
}

void Legality::ExplainOp(const Op& op, Version target) {
  if (HasNoVersion(op)) return ExplainCases(op, target);
  if (!module_.RevisionIdOf(op)) {
    if (target < kOtherDialects) AddReason(Since(kOtherDialects), OtherDialect(target), kAllowHint);
  } else {
    // Apply the steps towards the target. Losses are recorded, and the walk continues, so that one run
    // reports the losses of every step.
    draft_.Start(module_, module_.SignatureOf(op), op.regions.count);
    while (!Has(revision_sets_[draft_.revision.v], target)) {
      const Direction direction =
          target < RevisionOf(draft_.revision).since ? Direction::kDown : Direction::kUp;
      const Step* step = StepFrom(draft_.revision, direction);
      if (!step) {
        if (IsOfOtherDialect(RowOf(module_.RevisionIdOf(op))))
          AddReason(revision_sets_[draft_.revision.v], OtherDialect(target), kAllowHint);
        else
          AddReason(revision_sets_[draft_.revision.v],
                    StrFormat("op does not exist in version {}", ShortVersionName(target)));
        break;
      }
      const VersionSet beyond = Since(step->boundary);
      std::vector<Loss> losses;
      ApplyStep(*step, direction, &draft_, &losses);
      for (Loss& loss : losses)
        AddReason((direction == Direction::kDown ? beyond : ~beyond) & kAllVersions, std::move(loss.message),
                  std::move(loss.hint));
    }
    ExplainRevision(op, draft_, target);
  }
  for (const NamedAttr& discardable : module_.DiscardableAttrsOf(op))
    ExplainAttr(AttrsOf(op), module_.strings[discardable.name], discardable.value, target);
  const auto operands = module_.OperandsOf(op);
  for (size_t i = 0; i < operands.size(); ++i)
    ExplainType(module_.TypeOf(operands[i]), target, StrFormat("of operand {}", i));
  for (uint32_t i = 0; i < module_.NumResults(op); ++i)
    ExplainType(module_.TypeOf(module_.ResultOf(op, i)), target, StrFormat("of result {}", i));
  for (RegionId region : module_.RegionsOf(op))
    for (BlockId block : module_.BlocksOf(region))
      for (uint32_t i = 0; i < module_.blocks[block.v].args.count; ++i)
        ExplainType(module_.TypeOf(module_.ArgOf(block, i)), target, StrFormat("of block argument {}", i));
}

void Legality::Explain(OpId id, Version target, BlockerList* found) {
  reasons_.clear();
  ExplainOp(module_.ops[id.v], target);
  for (Reason& reason : reasons_) {
    // The remedies of two ops may differ.
    const std::string cause = StrFormat(
        "{}\n{}\n{}",
        reason.cause.empty() ? StrFormat("{}\n{}", module_.NameOf(module_.ops[id.v]), reason.message)
                             : reason.cause,
        reason.hint, Suggests(id, reason));
    found->Add(cause, [&] { return ToDiagnostic(id, target, &reason); });
  }
}

bool Legality::Suggests(OpId id, const Reason& reason) const {
  return !reason.of_type && id.v < expandable_.size() && expandable_[id.v];
}

Diagnostic Legality::ToDiagnostic(OpId id, Version target, Reason* reason) const {
  Diagnostic d;
  d.code = Code::kBlocked;
  d.place = PlaceOf(module_, id, source_);
  d.op = std::string(module_.NameOf(module_.ops[id.v]));
  d.message = std::move(reason->message);
  const VersionSet newer = reason->legal & Since(target) & kAllVersions;
  const VersionSet older = reason->legal & kAllVersions & ~Since(target);
  std::string version;
  if (newer) {
    d.version = Oldest(newer);
    const bool all_newer = !(Since(d.version) & kAllVersions & ~newer);
    version = StrFormat("target {}{}", VersionName(d.version), all_newer ? " or newer" : "");
  } else if (older) {
    d.version = Newest(older);
    version = StrFormat("target {} or older", VersionName(d.version));
  }
  d.hint = reason->hint.empty() ? version : StrFormat("{}, or {}", version, reason->hint);
  if (Suggests(id, *reason))
    d.hint += StrFormat("{}pass {} to rewrite this op", d.hint.empty() ? "" : ", or ",
                        d.op == "stablehlo.composite" ? "--expand-composites" : "--expand");
  return d;
}

void Legality::SuggestExpansion(std::span<const OpId> ops) {
  expandable_.assign(module_.ops.size(), false);
  for (OpId op : ops) expandable_[op.v] = true;
}

}  // namespace shlo
