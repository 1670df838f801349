#include "prove/by_evaluation.h"

#include "eval/evaluator.h"
#include "prove/argument_uses.h"
#include "prove/function_comparison.h"
#include "prove/substitutes.h"

namespace shlo {
namespace {

using CustomCalls = std::map<std::string, CustomCall, std::less<>>;

EvalOptions OptionsWith(const Limits& limits, const Source* source, const CustomCalls& custom_calls) {
  EvalOptions options;
  options.custom_calls = custom_calls;
  options.limits = limits;
  options.limits.max_memory /= 3;  // both programs keep buffers, and there are arguments
  options.source = source;
  options.one_process = false;
  return options;
}

}  // namespace

struct ByEvaluation::Programs {
  Programs(const Module& a, const Module& b, const ProveOptions& o, prove::WorkBudget& budget)
      : substitutes(SubstitutesFor(a, b)),
        evaluator_a(a, OptionsWith(o.limits, o.source_a, substitutes)),
        evaluator_b(b, OptionsWith(o.limits, o.source_b, substitutes)),
        numbers(NumbersOf(a, b)),
        compared{a, b, evaluator_a, evaluator_b, numbers, substitutes, o, budget} {}

  const CustomCalls substitutes;
  Evaluator evaluator_a, evaluator_b;
  const std::vector<Number> numbers;
  const ComparedPrograms compared;
};

ByEvaluation::ByEvaluation(const Module& a, const Module& b, const ProveOptions& options,
                           prove::WorkBudget& budget)
    : a_(a), b_(b), options_(options), budget_(budget) {}
ByEvaluation::~ByEvaluation() = default;

FunctionProof ByEvaluation::Compare(std::string_view name, OpId function_a, OpId function_b) {
  if (!programs_) programs_ = std::make_unique<Programs>(a_, b_, options_, budget_);
  return CompareByEvaluation(programs_->compared, name, function_a, function_b);
}

}  // namespace shlo
