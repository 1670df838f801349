#include "prove/parts.h"

#include <algorithm>

#include "base/format.h"
#include "prove/by_evaluation.h"
#include "prove/cut_out.h"
#include "prove/smaller_shapes.h"
#include "prove/unmatched.h"

namespace shlo::prove {
namespace {

// Limit of parts that are evaluated per function.
constexpr uint32_t kMaxParts = 64;
// Limit of parts that a report names.
constexpr uint32_t kMaxShownParts = 4;

// Adds up evaluations of several parts. Parts are equal only if neither list has an entry.
void Add(const Coverage& from, Coverage* to) {
  to->compared += from.compared;
  to->failed += from.failed;
  to->unfinished += from.unfinished;
  to->elements += from.elements;
  to->telling += from.telling;
  to->distinct = std::max(to->distinct, from.distinct);
  to->regions += from.regions;
  to->regions_run += from.regions_run;
}

class Solver {
 public:
  Solver(const Side& a, const Side& b, const ProveOptions& options, WorkBudget& budget, const Goals& goals)
      : a_(a), b_(b), options_(options), budget_(budget), goals_(goals), states_(goals.pairs.size()) {
    options_.source_a = options_.source_b = nullptr;  // cut-outs are not in a file
  }

  PartsProof Run() {
    out_.evidence = Evidence::kCongruence;
    bool all = true;
    for (uint32_t root : goals_.roots) all = Solve(root) && all;
    for (OpId op : goals_.must_end_a) all = all && Ends(a_, op);
    for (OpId op : goals_.must_end_b) all = all && Ends(b_, op);
    out_.equal = all;
    if (out_.equal) out_.detail = std::move(parts_);
    return std::move(out_);
  }

 private:
  enum State : uint8_t { kNew, kOpen, kEqual, kUnknown };

  // Decides a pair after those below it.
  bool Solve(uint32_t root) {
    std::vector<uint32_t> todo{root};
    while (!todo.empty()) {
      const uint32_t next = todo.back();
      const Pair& pair = goals_.pairs[next];
      if (states_[next] == kNew) {
        states_[next] = kOpen;
        for (uint32_t below : pair.below)
          if (states_[below] == kNew) todo.push_back(below);
        continue;
      }
      todo.pop_back();
      if (states_[next] != kOpen) continue;
      const bool implied =
          pair.implied && std::ranges::all_of(pair.below, [&](uint32_t i) { return states_[i] == kEqual; });
      states_[next] = implied || Evaluate(pair) ? kEqual : kUnknown;
    }
    return states_[root] == kEqual;
  }

  // Returns whether a loop without arguments ends.
  bool Ends(const Side& side, OpId op) {
    const ValueId result = side.module.ResultOf(side.module.ops[op.v], 0);
    CutOut first, second;
    std::string why;
    if (!Cutter(side, side).Cut(result, result, &first, &second, &why))
      return Remember(std::move(why), false);
    const FunctionProof proof = ByEvaluation(first.module, second.module, options_, budget_)
                                    .Compare("a loop", first.function, second.function);
    if (proof.verdict != Verdict::kEqual || !proof.exhaustive)
      return Remember("a loop that only one program has is not known to end", false);
    ++out_.cut_outs;
    out_.evidence = std::min(out_.evidence, Evidence::kExhaustive);
    out_.inputs += proof.inputs;
    return true;
  }

  bool Evaluate(const Pair& pair) {
    if (tried_ == kMaxParts) return Remember("too many parts differ", false);
    ++tried_;
    if (!cutter_) cutter_ = std::make_unique<Cutter>(a_, b_);
    CutOut of_a, of_b;
    std::string why;
    // A part is cut out of a copy of the program.
    constexpr uint64_t kWorkPerCut = 150'000, kWorkPerOp = 150;
    budget_.Spend(2 * kWorkPerCut + kWorkPerOp * (a_.module.ops.size() + b_.module.ops.size()));
    if (!cutter_->Cut(pair.a, pair.b, &of_a, &of_b, &why))
      return Remember(StrFormat("{}: {}", Name(pair), why), false);
    const auto ops = of_a.ops;
    FunctionProof proof = ByEvaluation(of_a.module, of_b.module, options_, budget_)
                              .Compare(Name(pair), of_a.function, of_b.function);
    if (proof.verdict == Verdict::kDifferent && !proof.counterexample.empty() && !out_.part)
      out_.part = std::make_shared<const DifferentPart>(SmallerShapes(
          std::move(of_a), std::move(of_b), std::move(proof.counterexample), options_, budget_));
    if (proof.verdict != Verdict::kEqual)
      return Remember(StrFormat("{}, cut out with {}: {}", Name(pair), Count(ops, "op"), proof.detail),
                      proof.verdict == Verdict::kDifferent);
    out_.evidence = std::min(out_.evidence, proof.exhaustive ? Evidence::kExhaustive : Evidence::kSampled);
    out_.inputs += proof.inputs;
    Add(proof.coverage, &out_.coverage);
    if (++out_.cut_outs <= kMaxShownParts)
      parts_ += StrFormat("{}{} ({})", parts_.empty() ? "" : ", ", Name(pair), Count(ops, "op"));
    else if (out_.cut_outs == kMaxShownParts + 1)
      parts_ += ", ...";
    return true;
  }

  // Keeps the first part that differs, or else the first one that is not known to be equal.
  bool Remember(std::string detail, bool differs) {
    if (out_.detail.empty() || (differs && !out_.differs)) out_.detail = std::move(detail);
    out_.differs = out_.differs || differs;
    return false;
  }

  std::string Name(const Pair& pair) const {
    const OpId op = a_.module.values[pair.a.v].op;
    if (!op) return "a block argument";
    const Place place = PlaceOf(a_.module, op, a_.source);
    const std::string name = StrFormat("'{}'", a_.module.NameOf(a_.module.ops[op.v]));
    if (place.line) return StrFormat("{} at {}:{}", name, place.line, place.column);
    return place.location.empty() ? name : StrFormat("{} at {}", name, place.location);
  }

  const Side a_, b_;
  ProveOptions options_;
  WorkBudget& budget_;
  const Goals& goals_;
  std::vector<State> states_;
  std::unique_ptr<Cutter> cutter_;
  uint32_t tried_ = 0;
  PartsProof out_;
  std::string parts_;  // the first that are equal
};

}  // namespace

PartsProof CompareParts(const Side& a, const Side& b, OpId function_a, OpId function_b,
                        const ProveOptions& options, WorkBudget& budget,
                        std::vector<std::pair<OpId, OpId>>* same_ops) {
  const Goals goals = FindUnmatched(a, b, function_a, function_b);
  PartsProof proof;
  if (goals.obstacle.empty())
    proof = Solver(a, b, options, budget, goals).Run();
  else
    proof.detail = goals.obstacle;
  if (proof.equal) *same_ops = goals.same_ops;
  return proof;
}

}  // namespace shlo::prove
