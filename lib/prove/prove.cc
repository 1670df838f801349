#include "shlo/prove.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <unordered_map>

#include "base/format.h"
#include "base/guarded.h"
#include "ir/table/trait.h"
#include "prove/attempt.h"
#include "prove/by_evaluation.h"
#include "prove/contract.h"
#include "prove/parts.h"

namespace shlo {
namespace {

using prove::Attempt;

bool IsPublic(const Module& module, OpId function) {
  return module.VisibilityOf(module.ops[function.v]) == "public";
}

// The functions of a program, in order and by name.
struct Functions {
  explicit Functions(const Module& m) : module(m) {
    for (OpId id : m.BodyOpsOf(m.ops[m.top.v])) {
      const Op& op = m.ops[id.v];
      if (!m.Has(op, Trait::kFunction)) continue;
      in_order.push_back(id);
      by_name.emplace(m.SymbolOf(op), id);
    }
  }
  OpId FindByName(std::string_view name) const {
    const auto found = by_name.find(name);
    return found == by_name.end() ? OpId() : found->second;
  }
  bool any_public() const {
    return std::ranges::any_of(in_order, [&](OpId f) { return IsPublic(module, f); });
  }

  const Module& module;
  std::vector<OpId> in_order;
  std::unordered_map<std::string_view, OpId> by_name;
};

class Prover {
 public:
  // `work_done` is not that of the options, which evaluations would set.
  Prover(const Module& a, const Module& b, const ProveOptions& options, WorkDone* work_done)
      : work_done_(work_done),
        a_(a),
        b_(b),
        options_(options),
        in_a_(a),
        in_b_(b),
        budget_(options.limits.max_work),
        evaluation_(a, b, options, budget_) {}

  Result<Proof> Run() {
    proof_.seed = options_.seed;
    FindFunctions();
    if (!options_.evaluate_only) MakeAttempts();
    if (best_) {
      proof_.laws = best_->laws();
      proof_.contract = best_->ContractOfModules();
    }
    proof_.functions.reserve(pairs_.size() + missing_.size());
    for (const auto& [name, fa, fb] : pairs_) {
      if (work_done_) work_done_->all = pairs_.size(), work_done_->done = proof_.functions.size();
      proof_.functions.push_back(ProveFunction(name, fa, fb));
    }
    for (FunctionProof& f : missing_) proof_.functions.push_back(std::move(f));
    Conclude();
    if (options_.matching && best_) MatchEqual();
    return std::move(proof_);
  }

 private:
  struct Functions2 {
    std::string_view name;
    OpId a, b;
  };

  void FindFunctions() {
    const bool all = !in_a_.any_public() && !in_b_.any_public();
    const auto missing = [&](std::string_view name, std::string_view where) {
      FunctionProof f;
      f.function = name;
      f.verdict = Verdict::kDifferent;
      f.detail = StrFormat("not in the {} program", where);
      return f;
    };
    for (OpId fa : in_a_.in_order) {
      if (!all && !IsPublic(a_, fa)) continue;
      const std::string_view name = a_.SymbolOf(a_.ops[fa.v]);
      if (const OpId fb = in_b_.FindByName(name))
        pairs_.push_back({name, fa, fb});
      else
        missing_.push_back(missing(name, "second"));
    }
    for (OpId fb : in_b_.in_order) {
      const std::string_view name = b_.SymbolOf(b_.ops[fb.v]);
      if ((all || IsPublic(b_, fb)) && !in_a_.FindByName(name)) missing_.push_back(missing(name, "first"));
    }
  }

  // Keeps the common form in which most functions are equal, and of these the one that needs the fewest laws.
  void MakeAttempts() {
    std::vector<std::string_view> names;
    for (const Functions2& pair : pairs_) names.push_back(pair.name);
    std::vector<Law> laws;
    prove::Form best_form{};
    for (prove::Form form : prove::kForms) {
      auto attempt = Attempt::Make(a_, b_, form, options_);
      if (!attempt) {
        if (obstacle_.empty()) obstacle_ = Describe(attempt.error()[0]);
        continue;
      }
      // Nothing more to rewrite.
      if (best_ && (*attempt)->laws() == laws) continue;
      laws = (*attempt)->laws();
      (*attempt)->Compare(names);
      if (!best_ || (*attempt)->num_equal() > best_->num_equal()) {
        if (best_ && best_form == prove::Form::kSteps) steps_ = std::move(best_);
        best_ = std::move(*attempt);
        best_form = form;
      }
      if (best_->num_equal() == names.size()) return;
    }
  }

  FunctionProof ProveFunction(std::string_view name, OpId fa, OpId fb) {
    FunctionProof f;
    f.function = name;
    if (best_ && best_->Equal(name)) {
      f.verdict = Verdict::kEqual;
      f.evidence = best_->laws().empty() ? Evidence::kCongruence : Evidence::kLaws;
      f.contract = best_->ContractOf(name);
    } else {
      prove::PartsProof parts;
      if (best_) parts = best_->CompareParts(name, options_, budget_);
      if (parts.equal) {
        f.verdict = Verdict::kEqual;
        f.evidence = parts.evidence;
        f.inputs = parts.inputs;
        f.exhaustive = parts.evidence >= Evidence::kExhaustive;
        f.cut_outs = parts.cut_outs;
        f.coverage = parts.coverage;
        f.detail = parts.detail;
      } else {
        f = evaluation_.Compare(name, fa, fb);
        if (differing_ < kMostKept)
          f.part = parts.part;
        else
          f.counterexample.clear();
        differing_ += f.verdict == Verdict::kDifferent || parts.part;
        f.evidence = f.verdict != Verdict::kEqual ? Evidence::kNone
                     : f.exhaustive               ? Evidence::kExhaustive
                                                  : Evidence::kSampled;
        if (!effects_a_) {
          effects_a_.emplace(a_);
          effects_b_.emplace(b_);
        }
        Restrict(parts, effects_a_->Has(fa) || effects_b_->Has(fb), &f);
      }
      if (best_) f.contract = best_->ContractOf(name);
    }
    // Rewrites may lose what the ops that they replace promise.
    if (steps_) {
      for (Diagnostic& d : steps_->ContractOfMatched(name))
        if (std::ranges::none_of(f.contract,
                                 [&](const Diagnostic& other) { return other.message == d.message; }))
          f.contract.push_back(std::move(d));
    }
    if (f.verdict == Verdict::kEqual && !f.contract.empty()) f.verdict = Verdict::kOtherContract;
    return f;
  }

  // Evaluation of the whole function sees neither side effects nor that a part differs.
  void Restrict(const prove::PartsProof& parts, bool effects, FunctionProof* f) {
    const std::string& why = parts.detail.empty() ? obstacle_ : parts.detail;
    if (f->verdict == Verdict::kNotCovered && !why.empty()) f->detail += "; " + why;
    if (f->verdict != Verdict::kEqual) return;
    const bool told_apart = parts.differs && !f->exhaustive;
    if (!told_apart && !effects) return;
    f->verdict = Verdict::kNotCovered;
    f->evidence = Evidence::kNone;
    f->detail = told_apart ? StrFormat(
                                 "not told apart as a whole ({}), but a part differs for inputs that "
                                 "may never occur: {}",
                                 f->detail, why)
                           : "side effects are not known to be equal" + (why.empty() ? "" : ": " + why);
  }

  void MatchEqual() {
    std::vector<std::string_view> equal;
    for (const FunctionProof& f : proof_.functions)
      if (f.verdict == Verdict::kEqual && f.evidence >= Evidence::kLaws) equal.push_back(f.function);
    if (!equal.empty()) proof_.matching = best_->MatchingOf(equal);
  }

  void Conclude() {
    const auto any = [&](Verdict v) {
      return std::ranges::any_of(proof_.functions, [&](const FunctionProof& f) { return f.verdict == v; });
    };
    if (any(Verdict::kDifferent))
      proof_.verdict = Verdict::kDifferent;
    else if (any(Verdict::kNotCovered))
      proof_.verdict = Verdict::kNotCovered;
    else if (any(Verdict::kOtherContract) || !proof_.contract.empty())
      proof_.verdict = Verdict::kOtherContract;
    else if (!proof_.functions.empty())  // a program without functions is not covered
      proof_.verdict = Verdict::kEqual;
    if (proof_.functions.empty()) return;
    proof_.evidence = std::ranges::min(proof_.functions, {}, &FunctionProof::evidence).evidence;
  }

  static std::string Describe(const Diagnostic& d) {
    return d.op.empty() ? d.message : StrFormat("'{}': {}", d.op, d.message);
  }

  // A program may have thousands of functions that differ.
  static constexpr size_t kMostKept = 16;
  size_t differing_ = 0;

  WorkDone* const work_done_;  // functions; may be null
  const Module& a_;
  const Module& b_;
  const ProveOptions options_;
  const Functions in_a_, in_b_;
  prove::WorkBudget budget_;
  ByEvaluation evaluation_;
  std::optional<prove::UnseenEffects> effects_a_, effects_b_;  // once they matter
  std::vector<Functions2> pairs_;
  std::vector<FunctionProof> missing_;
  std::unique_ptr<Attempt> best_, steps_;  // steps_: with conversion steps only, unless that is best_
  std::string obstacle_;                   // why there is no common form
  Proof proof_;
};

}  // namespace

namespace {

// In the order of the enum.
constexpr std::string_view kEvidenceNames[] = {"none", "sampled", "exhaustive", "laws", "congruence"};

}  // namespace

std::string_view VerdictName(Verdict verdict, Evidence evidence) {
  switch (verdict) {
    case Verdict::kEqual:
      return evidence == Evidence::kSampled ? "not told apart" : "equal";
    case Verdict::kOtherContract:
      return "different contract";
    case Verdict::kDifferent:
      return "different";
    case Verdict::kNotCovered:
      break;
  }
  return "not covered";
}

std::string_view EvidenceName(Evidence evidence) { return kEvidenceNames[size_t(evidence)]; }

std::optional<Evidence> EvidenceOfName(std::string_view name) {
  const auto* const found = std::ranges::find(kEvidenceNames, name);
  if (found == std::end(kEvidenceNames)) return std::nullopt;
  return Evidence(found - std::begin(kEvidenceNames));
}

Result<Proof> Prove(const Module& a, const Module& b, const ProveOptions& options) {
  return Guarded(options.limits, [&] {
    ProveOptions own = options;
    own.limits.work_done = nullptr;
    return Prover(a, b, own, options.limits.work_done).Run();
  });
}

}  // namespace shlo
