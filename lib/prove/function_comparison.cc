#include "prove/function_comparison.h"

#include <algorithm>
#include <array>

#include "base/format.h"
#include "base/stack.h"
#include "prove/argument_uses.h"
#include "prove/coverage_counter.h"
#include "prove/dependence.h"
#include "prove/difference_text.h"
#include "prove/extents.h"
#include "prove/signature.h"
#include "prove/simpler_inputs.h"
#include "prove/threshold.h"
#include "shlo/print.h"

namespace shlo {
namespace {

// Work for the inputs of a function, in approximate nanoseconds of both programs: after kBudget, no more than
// kMinSets are evaluated, and after kMaxBudget, or the share in the budget of the proof, none.
constexpr uint64_t kBudget = 800'000'000;
constexpr uint64_t kMaxBudget = 32'000'000'000;
constexpr uint32_t kMinSets = 8;
// Limits of one evaluation. Later ones may take kSlower times what the slowest that ended took.
constexpr Evaluator::Effort kFirstLimit = {.steps = 1ull << 24, .work = 1ull << 35};
constexpr Evaluator::Effort kLeastLimit = {.steps = 1ull << 18, .work = 1ull << 28};
constexpr uint64_t kSlower = 64;
// If one program ends and the other takes this many times as long, they are different.
constexpr uint64_t kWideMargin = 10;
// Input sets without any evidence after which a comparison gives up, and sizes of dynamic dimensions to use.
constexpr uint32_t kMaxFailures = 24;
constexpr size_t kMaxExtents = 8;
constexpr uint64_t kMaxExhaustiveBits = 16;
// Thresholds are searched with one in kSearchShare of the input sets, from at most kMaxSearches starts.
constexpr uint32_t kSearchShare = 3;
constexpr uint32_t kMaxSearches = 24;

// The first sets: one of each temper, those that do not saturate first.
constexpr Temper kFirstSets[] = {
    Temper::kOrdinary, Temper::kSmallIntegers, Temper::kPositive, Temper::kConstants, Temper::kMixed,
    Temper::kSparse,   Temper::kUnit,          Temper::kMatrix,   Temper::kUniform,   Temper::kFew,
    Temper::kWide,     Temper::kPairs,         Temper::kBits};
// Then these in turns, as long as they have rounds left.
constexpr Temper kLaterSets[] = {
    Temper::kConstants,     Temper::kOrdinary, Temper::kUniform,   Temper::kSparse, Temper::kFew,
    Temper::kMixed,         Temper::kPositive, Temper::kConstants, Temper::kPairs,  Temper::kSparse,
    Temper::kSmallIntegers, Temper::kUniform,  Temper::kUnit,      Temper::kMixed,  Temper::kWide,
    Temper::kMatrix,        Temper::kFew,      Temper::kBits};

uint64_t NumTopLevelOps(const Module& module, OpId function) {
  uint64_t n = 0;
  for (RegionId region : module.RegionsOf(module.ops[function.v]))
    for (BlockId block : module.BlocksOf(region)) n += module.OpsOf(block).size();
  return n;
}

// Tensors of a value: itself, or the members of a tuple. Tokens have none.
void Flatten(const Tensor& value, std::vector<Tensor>* out) {
  CheckStack();
  if (!value) return;
  if (value.type().is_tensor()) out->push_back(value);
  for (const Tensor& member : value.members()) Flatten(member, out);
}

class FunctionComparison {
 public:
  FunctionComparison(const ComparedPrograms& p, std::string_view name, OpId a, OpId b)
      : p_(p), fa_(a), fb_(b), most_(std::min(kMaxBudget, p.budget.ForOne())) {
    proof_.function = name;
    seed_ = p.options.seed ^ HashBytes(proof_.function.data(), proof_.function.size());
  }

  FunctionProof Run() {
    if (CompareSignatures() && !OutOfWork() && ChooseInputs() && CompareOnInputs()) Judge();
    if (proof_.inputs > 0 && !p_.substitutes.empty()) {
      proof_.detail += "; with arbitrary results of";
      for (const auto& [target, substitute] : p_.substitutes) proof_.detail += " @" + target;
    }
    return std::move(proof_);
  }

 private:
  // These return false: the verdict is known.
  bool Different(std::string detail) {
    proof_.verdict = Verdict::kDifferent;
    proof_.detail = std::move(detail);
    return false;
  }
  bool NotCovered(std::string detail) {
    proof_.verdict = Verdict::kNotCovered;
    proof_.detail = std::move(detail);
    return false;
  }

  // --- Signatures -----------------------------------------------------------------------------------

  bool CompareSignatures() {
    const auto sa = p_.evaluator_a.SignatureOf(fa_), sb = p_.evaluator_b.SignatureOf(fb_);
    if (!sa) return NotCovered(Describe(sa.error()[0]));
    if (!sb) return NotCovered(Describe(sb.error()[0]));
    if (sa->inputs.size() != sb->inputs.size())
      return Different(StrFormat("has {} in the first program, {} in the second",
                                 Count(sa->inputs.size(), "argument"), sb->inputs.size()));
    if (sa->results.size() != sb->results.size())
      return Different(StrFormat("has {} in the first program, {} in the second",
                                 Count(sa->results.size(), "result"), sb->results.size()));
    if (!SameTypes(sa->inputs, sb->inputs, "argument", &declared_) ||
        !SameTypes(sa->results, sb->results, "result", nullptr))
      return false;
    has_results_ = !sa->results.empty();
    const uint64_t ops_a = NumTopLevelOps(p_.a, fa_), ops_b = NumTopLevelOps(p_.b, fb_);
    if (!has_results_ && ops_a != ops_b)
      return NotCovered(StrFormat("has no results, and {} in the first program, {} in the second",
                                  Count(ops_a, "op"), ops_b));
    return true;
  }

  bool SameTypes(std::span<const TypeId> a, std::span<const TypeId> b, std::string_view what,
                 std::vector<DeclaredType>* out) {
    for (size_t i = 0; i < a.size(); ++i) {
      auto da = DeclaredTypeOf(p_.a, a[i]);
      const auto db = DeclaredTypeOf(p_.b, b[i]);
      if (!da && !db)
        return NotCovered(
            StrFormat("{} {} has a type that cannot be evaluated: {}", what, i, TypeText(p_.a, a[i])));
      if (!da || !db || !da->SameButBounds(*db))
        return Different(StrFormat("{} {} has a different type in the second program", what, i));
      if (da->bounds != db->bounds)
        return Different(StrFormat("{} {} has different bounds in the second program", what, i));
      if (out) out->push_back(std::move(*da));
    }
    return true;
  }

  // --- Inputs ---------------------------------------------------------------------------------------

  bool ChooseInputs() {
    uint64_t work = 0;
    uses_ = ArgumentUses(p_.a, fa_, &work);
    MergeUses(&uses_, ArgumentUses(p_.b, fb_, &work));
    Spend(work);
    depends_a_ = DependentValues(p_.a, fa_);
    depends_b_ = DependentValues(p_.b, fb_);
    if (has_results_) {
      for (ValueId v : ReturnedValues(p_.a, fa_)) dependent_.push_back(depends_a_[v.v]);
      const auto other = ReturnedValues(p_.b, fb_);
      for (size_t i = 0; i < std::min(dependent_.size(), other.size()); ++i)
        dependent_[i] = dependent_[i] || depends_b_[other[i].v];
    }
    p_.evaluator_a.ForgetRegions();
    p_.evaluator_b.ForgetRegions();

    std::vector<DynamicDim> dims;
    for (size_t a = 0; a < declared_.size(); ++a)
      for (size_t d = 0; d < declared_[a].shape.size(); ++d)
        if (declared_[a].shape[d] == kDynamic)
          dims.push_back({a, d, declared_[a].bounds.empty() ? kDynamic : declared_[a].bounds[d]});
    if (dims.empty()) {
      if (const auto args = TypesWith({}); !args.empty() || declared_.empty()) {
        generators_.emplace_back(args, seed_, uses_, p_.numbers);
        return true;
      }
      return false;
    }
    // Programs accept only some sizes, since dimensions depend on each other: keep those that do not fail.
    dynamic_ = true;
    std::vector<std::vector<int64_t>> accepted;
    for (const std::vector<int64_t>& sizes : ExtentsToTry(dims, p_.numbers)) {
      if (accepted.size() >= kMaxExtents || spent_ > std::min(kBudget, most_) / 2) break;
      const auto args = TypesWith(sizes);
      if (args.empty()) continue;
      generators_.emplace_back(args, seed_, uses_, p_.numbers);
      const uint32_t before = proof_.inputs;
      if (!CompareOn(generators_.back().Set(Temper::kOrdinary, 0))) return false;
      if (proof_.inputs > before)
        accepted.push_back(sizes);
      else
        generators_.pop_back();
    }
    proof_.coverage.extents = accepted;
    if (accepted.empty() && OutOfWork()) return false;
    if (accepted.empty())
      return NotCovered(StrFormat("evaluation fails with all sizes of dynamic dimensions that were tried: {}",
                                  first_failure_));
    proof_.coverage.failed = 0;  // sizes that do not fit show nothing
    return true;
  }

  // Returns the argument types with these sizes of dynamic dimensions. Empty if they are too large, which is
  // the verdict unless sizes can vary.
  std::vector<ValueTypePtr> TypesWith(std::span<const int64_t> sizes) {
    constexpr uint64_t kArguments = 8;  // limit of all arguments, in those of one
    std::vector<ValueTypePtr> out;
    uint64_t all = 0, bytes = 0;
    for (size_t i = 0; i < declared_.size(); ++i) {
      const size_t dynamic =
          size_t(std::count(declared_[i].shape.begin(), declared_[i].shape.end(), kDynamic));
      ValueTypePtr type = declared_[i].With(sizes.first(std::min(dynamic, sizes.size())));
      sizes = sizes.subspan(std::min(dynamic, sizes.size()));
      if (!type || type->count > p_.options.max_elements) {
        NotCovered(StrFormat("argument {} has more than {} elements", i, p_.options.max_elements));
        return {};
      }
      all += type->count;
      bytes += type->bytes;
      out.push_back(std::move(type));
    }
    if (all / kArguments > p_.options.max_elements) {
      NotCovered(StrFormat("arguments have more than {} elements", kArguments * p_.options.max_elements));
      return {};
    }
    // Several sets are in use at once.
    if (const uint64_t most = p_.options.limits.max_memory / 4; bytes > most) {
      NotCovered(
          StrFormat("arguments have {}, more than a quarter of the memory limit of {} MiB; raise the "
                    "limit: --max-memory",
                    Count(bytes, "byte"), p_.options.limits.max_memory >> 20));
      return {};
    }
    return out;
  }

  bool CompareOnInputs() {
    const uint64_t bits = generators_[0].total_bits();
    if (!dynamic_ && bits <= kMaxExhaustiveBits) {
      for (uint64_t i = 0; i < 1ull << bits && spent_ < most_; ++i) {
        if (!CompareOn(generators_[0].ExhaustiveSet(i))) return false;
        if (i + 1 == 1ull << bits) proof_.exhaustive = proof_.inputs == i + 1;
      }
      return true;
    }
    std::array<uint64_t, kTempers> round{};
    std::array<bool, kTempers> productive{};
    size_t turn = 0;
    const auto compare = [&](Temper temper) {
      // An argument without elements has few rounds: the others take turns.
      const InputGenerator& generator = generators_[turn++ % generators_.size()];
      const size_t t = size_t(temper);
      if (round[t] >= generator.rounds(temper)) return true;
      ++sets_;
      informative_ = false;
      if (!CompareOn(generator.Set(temper, round[t]++))) return false;
      productive[t] = productive[t] || informative_;
      return true;
    };
    // The rest of the sets is for thresholds, where there are any.
    bool search = false;
    const auto enough = [&] {
      if (sets_ >= p_.options.max_inputs - (search ? p_.options.max_inputs / kSearchShare : 0) ||
          spent_ >= most_)
        return true;
      if (proof_.inputs == 0 && proof_.coverage.failed + proof_.coverage.unfinished >= kMaxFailures)
        return true;
      return spent_ > kBudget && sets_ >= kMinSets;
    };
    for (Temper temper : kFirstSets) {
      if (enough()) return true;
      if (!compare(temper)) return false;
    }
    search = compares_ && !generators_.empty();
    // A temper whose first results told nothing apart makes way for the others.
    const bool any = std::any_of(productive.begin(), productive.end(), [](bool p) { return p; });
    uint32_t before = sets_;
    size_t idle = 0;
    for (size_t i = 0;; ++i) {
      if (i % std::size(kLaterSets) == 0) {
        // No rounds left: for one generator, and then for all.
        idle = i > 0 && sets_ == before ? idle + 1 : 0;
        if (idle > generators_.size()) break;
        before = sets_;
      }
      const Temper temper = kLaterSets[i % std::size(kLaterSets)];
      const bool random =
          temper != Temper::kConstants && temper != Temper::kUniform && temper != Temper::kPairs;
      if (any && random && !productive[size_t(temper)] && i / std::size(kLaterSets) % 4 != 0) continue;
      if (enough()) break;
      if (!compare(temper)) return false;
    }
    return !search || SearchThresholds();
  }

  // Moves single elements until the result of a comparison changes: where two numbers are equal, or nearly
  // so, is where a wrong comparison shows.
  bool SearchThresholds() {
    SplitMix64 random(seed_ + 1);
    const uint32_t first = sets_;
    for (uint32_t attempt = 0; attempt < kMaxSearches && sets_ < p_.options.max_inputs; ++attempt) {
      if (spent_ > kBudget && sets_ - first >= kMinSets) return true;
      const InputGenerator& generator = generators_[attempt % generators_.size()];
      const uint64_t round = 2000 + attempt;
      std::vector<Tensor> low = generator.Set(Temper::kOrdinary, round),
                          high = generator.Set(Temper::kWide, round);
      if (low.empty() || low.size() != high.size()) return true;
      const size_t argument = random.Next() % low.size();
      if (!low[argument].type().is_tensor() || low[argument].count() == 0) continue;
      // Sizes are not moved: their values are chosen with care.
      if (uses_[argument].count || !uses_[argument].extents.empty()) continue;
      const uint64_t element = random.Next() % low[argument].count();
      auto threshold = Threshold::Between(std::move(low), high[argument], argument, element);
      if (!threshold) continue;
      const auto compare = [&](std::vector<Tensor> args, uint64_t* comparisons) {
        ++sets_;
        if (!CompareOn(std::move(args))) return false;
        *comparisons = p_.evaluator_a.comparisons();
        return true;
      };
      uint64_t at_start = 0, at_end = 0;
      if (!compare(threshold->Start(), &at_start) || !compare(threshold->End(), &at_end)) return false;
      if (at_start == at_end) continue;
      while (!threshold->done() && sets_ < p_.options.max_inputs && spent_ < most_) {
        uint64_t at_middle = 0;
        if (!compare(threshold->Middle(), &at_middle)) return false;
        threshold->Continue(at_middle == at_start);
      }
    }
    return true;
  }

  // --- One input ------------------------------------------------------------------------------------

  // Evaluates both programs on one input. Returns false once the verdict is known.
  bool CompareOn(std::vector<Tensor> args) {
    if (args.size() != declared_.size()) return NotCovered("not enough memory for the arguments");
    Evaluator &a = p_.evaluator_a, &b = p_.evaluator_b;
    const Evaluator::Effort limit = Allowed();
    a.Limit(limit);
    b.Limit(limit);
    std::vector<Tensor> values_a, values_b;
    Result<EvalResult> ra = a.Run(fa_, args, has_results_ ? nullptr : &values_a);
    const Evaluator::Effort taken_a = a.taken();
    // If the first program does not end, the second one must end early to be different.
    if (!ra && a.stopped()) b.Limit({limit.steps / kWideMargin, limit.work / kWideMargin});
    Result<EvalResult> rb = b.Run(fb_, args, has_results_ ? nullptr : &values_b);
    const Evaluator::Effort taken_b = b.taken();
    constexpr uint64_t kWorkPerElement = 16;  // to generate it
    for (const Tensor& arg : args)
      if (arg.type().is_tensor()) Spend(arg.count() * kWorkPerElement);
    Spend(taken_a.work + taken_b.work);
    if (!ra || !rb) return CompareFailures(ra, rb, limit, taken_a, args);
    ++proof_.inputs;
    compares_ = compares_ || a.comparisons() != 0;
    Adapt(taken_a, taken_b);
    if (has_results_) {
      values_a.clear();
      values_b.clear();
      for (const Tensor& t : ra->results) Flatten(t, &values_a);
      for (const Tensor& t : rb->results) Flatten(t, &values_b);
    } else {
      values_a = Flattened(values_a);
      values_b = Flattened(values_b);
    }
    if (values_a.size() != values_b.size())
      return NotCovered(StrFormat("computes {} in the first program, {} in the second",
                                  Count(values_a.size(), What()), values_b.size()));
    compared_ = values_a.size();
    if (compared_ != dependent_.size()) dependent_.clear();  // some results are tokens or tuples
    for (size_t i = 0; i < values_a.size(); ++i) {
      const std::string what = StrFormat("{} {}", What(), i);
      if (values_a[i].type() != values_b[i].type())
        return Different(StrFormat("{} has type {} in the first program, {} in the second{}", what,
                                   TypeName(values_a[i].type()), TypeName(values_b[i].type()),
                                   ArgumentsText(args, {})));
      if (FirstDifference(values_a[i], values_b[i]))
        return DifferentOn(std::move(args), *MostVisibleOf(values_a, values_b));
    }
    informative_ = counter_.Add(values_a);
    return SameChecks(ra->failed_checks, rb->failed_checks, args);
  }

  // The values that differ most visibly on an input.
  struct Difference {
    size_t index;  // of the value
    Tensor a, b;
    ShownElement element;
  };
  // Returns nullopt if no values differ, or types do.
  static std::optional<Difference> MostVisibleOf(const std::vector<Tensor>& a, const std::vector<Tensor>& b) {
    std::optional<Difference> most;
    if (a.size() != b.size()) return most;
    for (size_t i = 0; i < a.size(); ++i) {
      if (a[i].type() != b[i].type()) return most;
      const auto element = MostVisible(a[i], b[i]);
      if (element && (!most || element->gap > most->element.gap)) most = Difference{i, a[i], b[i], *element};
    }
    return most;
  }
  std::optional<Difference> DifferenceOn(const std::vector<Tensor>& args) {
    std::vector<Tensor> values_a, values_b;
    const auto run = [&](Evaluator& e, OpId function, std::vector<Tensor>* values) {
      e.Limit(Allowed());
      const auto result = e.Run(function, args, has_results_ ? nullptr : values);
      Spend(e.taken().work);
      if (result && has_results_) *values = result->results;
      *values = Flattened(*values);
      return result.has_value();
    };
    if (!run(p_.evaluator_a, fa_, &values_a) || !run(p_.evaluator_b, fb_, &values_b)) return std::nullopt;
    return MostVisibleOf(values_a, values_b);
  }

  // Reports that a value differs, on a simple input.
  bool DifferentOn(std::vector<Tensor> args, Difference found) {
    // A trial copies the arguments, and the search looks at each element.
    uint64_t bytes = 0;
    for (const Tensor& arg : args) bytes += arg.type().is_tensor() ? arg.type().bytes : 0;
    const uint64_t to_try = 2 * bytes, to_search = 8 * bytes;
    const uint64_t end = spent_ + std::min(kBudget, p_.budget.ForOne());
    const auto compare = [&](const std::vector<Tensor>& other, Gap least) {
      if (spent_ + to_try > end) return Trial::kStop;
      Spend(to_try);
      auto still = DifferenceOn(other);
      if (!still || still->element.gap < least) return Trial::kSame;
      found = std::move(*still);
      return Trial::kDiffer;
    };
    // Zeros of different signs, and values a rounding apart, say little; other inputs are tried.
    constexpr uint64_t kOtherInputs = 4;
    for (uint64_t i = 0; i < kOtherInputs && found.element.gap != Gap::kVisible; ++i) {
      std::vector<Tensor> other = generators_[0].Set(Temper::kOrdinary, i);
      if (other.size() != args.size()) break;
      const Trial trial = compare(other, Gap(uint8_t(found.element.gap) + 1));
      if (trial == Trial::kDiffer) args = std::move(other);
      if (trial == Trial::kStop) break;
    }
    if (spent_ + to_search < end) {
      Spend(to_search);
      args = SimplerInputs(std::move(args), [&](const std::vector<Tensor>& simpler) {
        return compare(simpler, found.element.gap);
      });
    }
    Different(
        DifferenceText(StrFormat("{} {}", What(), found.index), found.a, found.b, found.element.at, args));
    if (has_results_) proof_.counterexample = std::move(args);
    return false;
  }

  void Spend(uint64_t work) {
    spent_ += work;
    p_.budget.Spend(work);
  }
  // Returns the limit of the next evaluation.
  Evaluator::Effort Allowed() const {
    const uint64_t steps = std::min(limit_.steps, p_.options.limits.max_steps);
    if (most_ == kMaxBudget) return {steps, limit_.work};
    return {steps, std::min(limit_.work, most_ - std::min(spent_, most_))};
  }

  std::string_view What() const { return has_results_ ? "result" : "intermediate value"; }

  static std::vector<Tensor> Flattened(const std::vector<Tensor>& values) {
    std::vector<Tensor> out;
    for (const Tensor& t : values) Flatten(t, &out);
    return out;
  }

  // Later runs need not take much longer than those that ended.
  void Adapt(Evaluator::Effort a, Evaluator::Effort b) {
    slowest_.steps = std::max({slowest_.steps, a.steps, b.steps});
    slowest_.work = std::max({slowest_.work, a.work, b.work});
    limit_.steps = std::clamp(slowest_.steps * kSlower, kLeastLimit.steps, kFirstLimit.steps);
    limit_.work = std::clamp(slowest_.work * kSlower, kLeastLimit.work, kFirstLimit.work);
  }

  bool CompareFailures(const Result<EvalResult>& a, const Result<EvalResult>& b, Evaluator::Effort allowed,
                       Evaluator::Effort taken_a, std::span<const Tensor> args) {
    const bool stopped_a = !a && p_.evaluator_a.stopped(), stopped_b = !b && p_.evaluator_b.stopped();
    const auto note = [&](const Diagnostic& d) {
      if (first_failure_.empty()) first_failure_ = Describe(d);
    };
    if ((stopped_a || stopped_b) && allowed.work < std::min(limit_.work, kLeastLimit.work)) {
      // Too little was left to tell a program that does not end.
      ++proof_.coverage.unfinished;
      out_of_work_ = true;
      return true;
    }
    if (stopped_a || stopped_b) {
      note(stopped_a ? a.error()[0] : b.error()[0]);
      // The second program ran with the smaller limit if the first one did not end.
      if (stopped_a && b) return Different(EndText("first", "second", allowed, args));
      if (stopped_b && a && taken_a.steps <= allowed.steps / kWideMargin &&
          taken_a.work <= allowed.work / kWideMargin)
        return Different(EndText("second", "first", allowed, args));
      ++proof_.coverage.unfinished;
      limit_ = kLeastLimit;
      return true;
    }
    // Failures that mean that the evaluator lacks something show nothing about the program.
    const auto can_fail = [](const Result<EvalResult>& r) {
      return !r && (r.error()[0].code == Code::kEvaluation || r.error()[0].code == Code::kInvalidProgram);
    };
    if (!a && !b) {
      note(a.error()[0]);
      if (can_fail(a) && can_fail(b) && a.error()[0].message != b.error()[0].message)
        return Different(StrFormat("fails with a different message: {}; {}{}", Describe(a.error()[0]),
                                   Describe(b.error()[0]), ArgumentsText(args, {})));
      ++proof_.coverage.failed;
      Unsupported(a.error()[0]);
      Unsupported(b.error()[0]);
      return true;
    }
    const Diagnostic& failure = a ? b.error()[0] : a.error()[0];
    if (can_fail(a) || can_fail(b))
      return Different(StrFormat("fails only in the {} program: {}{}", a ? "second" : "first",
                                 Describe(failure), ArgumentsText(args, {})));
    return NotCovered(Describe(failure));
  }

  void Unsupported(const Diagnostic& d) {
    if (d.code != Code::kEvaluation && d.code != Code::kInvalidProgram && unsupported_.empty())
      unsupported_ = Describe(d);
  }

  std::string EndText(std::string_view endless, std::string_view other, Evaluator::Effort allowed,
                      std::span<const Tensor> args) const {
    return StrFormat("does not end in the {} program within {} steps, and ends in the {} program within {}{}",
                     endless, allowed.steps, other, allowed.steps / kWideMargin, ArgumentsText(args, {}));
  }

  bool SameChecks(const Diagnostics& a, const Diagnostics& b, std::span<const Tensor> args) {
    failed_checks_ = std::max(failed_checks_, a.size());
    if (a.size() != b.size())
      return Different(StrFormat("{} in the first program, {} in the second; first: {}{}",
                                 Count(a.size(), "failed check"), b.size(),
                                 Describe(a.size() > b.size() ? a[0] : b[0]), ArgumentsText(args, {})));
    for (size_t i = 0; i < a.size(); ++i)
      if (a[i].op != b[i].op || a[i].message != b[i].message)
        return Different(StrFormat("failed check {} differs: {}; {}{}", i, Describe(a[i]), Describe(b[i]),
                                   ArgumentsText(args, {})));
    return true;
  }

  // --- The verdict ----------------------------------------------------------------------------------

  void Judge() {
    Coverage& e = proof_.coverage;
    e.compared = proof_.inputs;
    counter_.Conclude(dependent_, What(), &e);
    CountRegions(p_.a, p_.evaluator_a, fa_, p_.options.source_a, depends_a_, "first");
    CountRegions(p_.b, p_.evaluator_b, fb_, p_.options.source_b, depends_b_, "second");
    if (!unsupported_.empty()) {
      NotCovered(unsupported_);
    } else if (proof_.inputs == 0 && OutOfWork()) {
    } else if (proof_.inputs == 0 && e.unfinished > 0) {
      NotCovered(StrFormat("neither program ends on any of {}: {}", Count(e.unfinished, "input set"),
                           first_failure_));
    } else if (proof_.inputs == 0) {
      NotCovered(
          StrFormat("both programs fail on all of {}: {}", Count(e.failed, "input set"), first_failure_));
    } else if (!proof_.exhaustive && !e.blind.empty()) {
      NotCovered(StrFormat("nothing tells programs apart on {}: {}{}", Count(proof_.inputs, "input set"),
                           e.blind[0], More(e.blind.size())));
    } else if (!proof_.exhaustive && !e.not_run.empty()) {
      NotCovered(StrFormat("no difference on {}, but {} never ran{}", Count(proof_.inputs, "input set"),
                           e.not_run[0], More(e.not_run.size())));
    } else {
      Equal();
    }
  }

  // Returns whether the budget ended before anything was compared, which is the verdict then.
  bool OutOfWork() {
    if (out_of_work_ || most_ == 0)
      NotCovered(StrFormat("proving takes more work than the limit of {} ms; raise the limit: --max-work",
                           p_.budget.all() / 1'000'000));
    return out_of_work_ || most_ == 0;
  }

  static std::string More(size_t n) { return n > 1 ? StrFormat(", and {} more", n - 1) : std::string(); }

  void Equal() {
    const Coverage& e = proof_.coverage;
    proof_.verdict = Verdict::kEqual;
    const std::string inputs = proof_.exhaustive ? StrFormat("all {} possible inputs", proof_.inputs)
                                                 : Count(proof_.inputs, "input set");
    proof_.detail = has_results_
                        ? StrFormat("results agree on {}", inputs)
                        : StrFormat("no results; {} {} on {}", Count(compared_, "intermediate value"),
                                    compared_ == 1 ? "agrees" : "agree", inputs);
    if (!proof_.exhaustive) {
      proof_.detail +=
          StrFormat("; {} of {} finite and not constant", e.telling, Count(e.elements, "element"));
      if (e.regions > 0) proof_.detail += StrFormat("; {} ran", Count(e.regions, "region"));
    }
    if (failed_checks_ > 0)
      proof_.detail += StrFormat("; same {} in both programs", Count(failed_checks_, "failed check"));
    if (e.failed > 0) proof_.detail += StrFormat("; same failure on {}", Count(e.failed, "input set"));
    if (e.unfinished > 0) proof_.detail += StrFormat("; no end on {}", Count(e.unfinished, "input set"));
    if (dynamic_)
      proof_.detail += StrFormat("; dynamic dimensions had {}",
                                 StrFormat("{} of sizes", Count(e.extents.size(), "combination")));
  }

  static bool IsDead(const Module& m, const Op& op, const std::vector<bool>& depends) {
    const std::string_view name = m.NameOf(op);
    if (name == "stablehlo.if" || name == "stablehlo.case")
      return !m.OperandsOf(op).empty() && !depends[m.OperandsOf(op)[0].v];
    const auto regions = m.RegionsOf(op);
    if (name != "stablehlo.while" || regions.empty() || m.BlocksOf(regions[0]).empty()) return false;
    const auto ops = m.OpsOf(m.BlocksOf(regions[0])[0]);
    if (ops.empty()) return false;
    for (ValueId v : m.OperandsOf(m.ops[ops.back().v]))
      if (depends[v.v]) return false;
    return true;
  }

  // Counts the branches and bodies of a function and of those that it calls, and notes the outermost that
  // never ran.
  void CountRegions(const Module& m, const Evaluator& evaluator, OpId function, const Source* source,
                    const std::vector<bool>& depends, std::string_view which) {
    Coverage& e = proof_.coverage;
    std::vector<OpId> todo{function};  // not recursive: nesting comes from the input
    std::vector<bool> seen(m.ops.size());
    while (!todo.empty()) {
      const OpId id = todo.back();
      todo.pop_back();
      if (seen[id.v]) continue;
      seen[id.v] = true;
      const Op& op = m.ops[id.v];
      const bool is_function = m.FunctionTypeOf(op).has_value();
      // Ops of other dialects run their regions on processes, which are not recorded.
      if (!m.RevisionIdOf(op) && !is_function) continue;
      for (size_t r = 0; r < m.RegionsOf(op).size(); ++r) {
        const RegionId region = m.RegionsOf(op)[r];
        if (m.BlocksOf(region).empty()) continue;
        if (!is_function) {
          // A branch that does not depend on the arguments is dead if it did not run.
          if (!evaluator.HasRun(region) && proof_.inputs > 0 && IsDead(m, op, depends)) continue;
          ++e.regions;
          if (!evaluator.HasRun(region)) {
            const Place place = PlaceOf(m, id, source);
            std::string at;
            if (place.line != 0) at = StrFormat(" at {}:{}", place.line, place.column);
            e.not_run.push_back(
                StrFormat("region {} of '{}'{} of the {} program", r, m.NameOf(op), at, which));
            continue;
          }
          ++e.regions_run;
        }
        for (BlockId block : m.BlocksOf(region)) {
          for (OpId nested : m.OpsOf(block)) {
            const Op& next = m.ops[nested.v];
            if (!m.RegionsOf(next).empty()) todo.push_back(nested);
            std::string_view callee;
            for (std::string_view name : {"callee", "decomposition"})
              if (const AttrId attr = m.InherentAttrOf(next, name); attr && m.AsSymbol(attr, &callee))
                if (const OpId called = evaluator.FindByName(callee)) todo.push_back(called);
          }
        }
      }
    }
  }

  const ComparedPrograms& p_;
  const OpId fa_, fb_;
  uint64_t seed_;
  FunctionProof proof_;
  std::vector<DeclaredType> declared_;  // of the arguments
  std::vector<ArgumentUse> uses_;
  std::vector<bool> depends_a_, depends_b_;  // by value
  std::vector<bool> dependent_;              // by result
  std::vector<InputGenerator> generators_;   // one per combination of sizes
  bool has_results_ = false;
  bool dynamic_ = false;
  bool compares_ = false;     // a comparison ran
  bool informative_ = false;  // the last results differ from all before, and are finite somewhere
  uint32_t sets_ = 0;
  const uint64_t most_;       // work that this comparison may take
  uint64_t spent_ = 0;        // work that it took
  bool out_of_work_ = false;  // an evaluation had to stop for that
  Evaluator::Effort limit_ = kFirstLimit, slowest_ = {0, 0};
  CoverageCounter counter_;
  size_t compared_ = 0;
  size_t failed_checks_ = 0;
  std::string first_failure_, unsupported_;
};

}  // namespace

FunctionProof CompareByEvaluation(const ComparedPrograms& programs, std::string_view name, OpId a, OpId b) {
  return FunctionComparison(programs, name, a, b).Run();
}

}  // namespace shlo
