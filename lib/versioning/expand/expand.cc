// Chooses the ops to expand, and how.
#include "shlo/expand.h"

#include <algorithm>
#include <unordered_set>

#include "base/deadline.h"
#include "base/format.h"
#include "base/guarded.h"
#include "shlo/verify.h"
#include "versioning/expand/expander.h"
#include "versioning/expand/hoist.h"
#include "versioning/expand/recipe.h"

namespace shlo {
namespace {

constexpr size_t kMaxOps = size_t(1) << 24;  // in addition to four times the ops of the program

// Returns the most ops of a program that is expanded. The limit of memory is for its conversion, too.
size_t MostOps(const Module& m, const Limits& limits) {
  constexpr uint64_t kBytesPerOp = 1000;
  return size_t(
      std::min<uint64_t>(kMaxOps + 4 * m.ops.size(), m.ops.size() + limits.max_memory / kBytesPerOp));
}

struct RewriteRow {
  std::string_view op;
  Rewrite rewrite;
  Expansions expansions = Expansions::kOwn;
};
constexpr RewriteRow kRewrites[] = {
#define SHLO_REWRITE(op, function) {op, function},
#include "schema/expansions.inc"
};
constexpr RewriteRow kReferenceRewrites[] = {
#define SHLO_REFERENCE_REWRITE(pass, op, function) {op, function, Expansions::pass},
#include "schema/reference_expansions.inc"
};

// Returns the function for an op; the reference's CHLO has our own where it has none.
Rewrite RewriteOf(std::string_view op, Expansions expansions) {
  for (const RewriteRow& row : kReferenceRewrites)
    if (row.expansions == expansions && row.op == op) return row.rewrite;
  if (expansions != Expansions::kOwn && expansions != Expansions::kReferenceChlo) return nullptr;
  for (const RewriteRow& row : kRewrites)
    if (row.op == op) return row.rewrite;
  return nullptr;
}

std::vector<OpId> InvalidOps(const Module& module) {
  std::vector<OpId> reported;
  VerifyOptions verify;
  verify.max_diagnostics = 1;
  verify.reported = &reported;
  Verify(module, verify);
  return reported;
}

bool HasRecipe(std::string_view op) {
  for (const Recipe& recipe : Recipes())
    if (recipe.op == op) return true;
  return false;
}

}  // namespace

Expander::Expander(const Module& module, const ExpandOptions& options, std::span<const OpId> refused)
    : m_(module),
      editor_(module),
      out_(editor_.module()),
      copier_(m_, &editor_),
      options_(options),
      target_(options.target.valid() ? options.target : module.version),
      legality_(module, options.convert),
      unfit_(module.ops.size()),
      visited_(module.ops.size()),
      counts_(OpRows().size()) {
  for (OpId op : refused) unfit_[op.v] = "StableHLO has no such op of these types";
  // Rewrites rely on what the verifier checks.
  for (OpId op : InvalidOps(module)) unfit_[op.v] = "it does not verify";
}

void Expander::Check(const Module& made, std::span<const OpId> origins) {
  if (expanded_.empty()) return;
  std::unordered_set<uint32_t> refused;
  for (OpId op : refused_) refused.insert(op.v);
  for (OpId op : InvalidOps(made)) refused.insert(origins[op.v].v);
  refused_.clear();
  for (OpId op : expanded_)
    if (refused.contains(op.v)) refused_.push_back(op);
}

Expansion Expander::Run(SourcePlaces* places) {
  Expansion result;
  for (const OpId op : editor_.Ops())
    if (editor_.Has(op)) Visit(op);
  for (size_t i = 0; i < copies_.size(); ++i)
    if (editor_.Has(copies_[i])) Visit(copies_[i]);
  if (!constants_.empty()) HoistConstants(&editor_, constants_);
  std::vector<OpId> origins;
  result.module = std::move(editor_).Finish(places, &origins);
  Check(result.module, origins);
  for (uint16_t i = 0; i < counts_.size(); ++i)
    if (counts_[i]) result.ops.push_back({std::string(RowOf(RowId{i}).name), counts_[i]});
  result.expanded = std::move(expanded_);
  result.left = std::move(left_);
  result.remarks = std::move(remarks_);
  return result;
}

bool Expander::Has(RowId row) const {
  return row && RowOf(row).vhlo && RevisionAt(row, m_.version) && RevisionAt(row, target_);
}

bool Expander::Lacks(const Op& op) {
  if (expansions() == Expansions::kReferenceTest) return RewriteOf(m_.NameOf(op), expansions());
  if (!m_.RevisionIdOf(op)) return false;
  if (expansions() == Expansions::kReferenceMath)
    return m_.NumOperands(op) > 0 &&
           FindRecipe(m_.NameOf(op), out_, ElementOf(out_.OperandsOf(op)[0]), expansions());
  if (RowOf(m_.RevisionIdOf(op)).dialect == "chlo") return options_.chlo;
  if (!options_.composites && RewriteOf(m_.NameOf(op), expansions()) == ExpandComposite) return false;
  return ForTarget() && (HasRecipe(m_.NameOf(op)) || RewriteOf(m_.NameOf(op), expansions())) &&
         !shlo::Has(legality_.OfOp(op), target_);
}

std::string_view Expander::TryExpand(const Op& op, OpId id) {
  if (!unfit_[current_.v].empty()) return unfit_[current_.v];
  // In a graph region an operand may be defined later.
  for (ValueId operand : OperandsOf(op))
    if (const OpId from = out_.values[operand.v].op; from && from.v < visited_.size() && !visited_[from.v])
      return "an operand is defined after the op";
  const Rewrite rewrite = RewriteOf(m_.NameOf(op), expansions());
  if (rewrite == ExpandComposite || rewrite == ExpandCollective || rewrite == ExpandNumpyBroadcast)
    return rewrite(*this, op, id);
  for (ValueId operand : OperandsOf(op))
    if (out_.types.KindOf(out_.TypeOf(operand)) != TypeKind::kTensor)
      return "an operand is not a ranked tensor";
  for (uint32_t i = 0; i < m_.NumResults(op); ++i)
    if (m_.types.KindOf(ResultTypeOf(op, i)) != TypeKind::kTensor) return "a result is not a ranked tensor";
  if (rewrite) return rewrite(*this, op, id);
  const Values operands = OperandsOf(op);
  // Accuracies other than the default are a promise that an expansion does not keep.
  if (m_.InherentAttrOf(op, "result_accuracy") &&
      !m_.IsDefaultValue(RevisionOf(m_.RevisionIdOf(op))
                             .attrs[size_t(RevisionOf(m_.RevisionIdOf(op)).FindSlot("result_accuracy"))],
                         m_.InherentAttrOf(op, "result_accuracy")))
    return "result_accuracy is not the default";
  const Recipe* const recipe = FindRecipe(m_.NameOf(op), out_, ElementOf(operands[0]), expansions());
  if (!recipe) return "there is no expansion for the element type";
  for (ValueId operand : operands)
    if (ShapeOf(operand) != ShapeOf(operands[0])) return "operand shapes differ";
  const ValueId result = Cook(*this, *recipe, operands);
  if (!result) return "its recipe does not fit the element type";
  Replace(op, 0, result);
  return "";
}

void Expander::Visit(OpId id) {
  Tick();
  const Op op = editor_[id];  // a copy: ops are inserted
  if (id.v < visited_.size()) visited_[id.v] = true;
  full_ = full_ || out_.ops.size() > MostOps(m_, options_.convert.limits);
  if (full_ || !Lacks(op)) return;
  known_.clear();
  at_ = id;
  current_ = editor_.OriginOf(id);
  kept_ = false;
  editor_.InsertBefore(id);
  const std::string_view reason = TryExpand(op, id);
  if (reason.empty()) {
    if (!kept_) editor_.Erase(id);
    ++counts_[RevisionOf(m_.RevisionIdOf(op)).row.v];
    expanded_.push_back(current_);
    return;
  }
  Diagnostic warning = Warning(Code::kUnsupported, StrFormat("not expanded: {}", reason),
                               PlaceOf(m_, current_, options_.convert.source));
  warning.op = std::string(m_.NameOf(op));
  left_.push_back(std::move(warning));
}

Result<Expansion> Expand(const Module& module, const ExpandOptions& options, SourcePlaces* places) {
  return Guarded(options.convert.limits, [&]() -> Result<Expansion> {
    if (!module.top || module.top.v >= module.ops.size())
      return Error(Code::kInvalidProgram, "module has no top-level op");
    std::vector<OpId> refused;
    for (;;) {
      Expander expander(module, options, refused);
      SourcePlaces found = places ? *places : SourcePlaces();
      Expansion expansion = expander.Run(places ? &found : nullptr);
      if (expander.full())
        return Error(
            Code::kLimit,
            StrFormat("expanding exceeds the limit of {} ops", MostOps(module, options.convert.limits)), {},
            "pass --max-memory to raise the limit");
      if (expander.refused().empty()) {
        if (places) *places = std::move(found);
        return expansion;
      }
      refused.insert(refused.end(), expander.refused().begin(), expander.refused().end());
    }
  });
}

}  // namespace shlo
