// Evaluation of functions.
#include "shlo/evaluate.h"

#include <algorithm>

#include "arguments/eval_arguments.h"
#include "base/format.h"
#include "base/printable.h"
#include "capi/evaluation.h"
#include "capi/tensor.h"
#include "shlo/print.h"
#include "shlo/strided.h"

namespace shlo::capi {
namespace {

// Calls a function of the caller for a custom call.
Result<std::vector<Tensor>> CallBack(const shlo_custom_call& custom, const shlo_program& program,
                                     const Module& module, const Op& op, std::span<const Tensor> operands) {
  std::vector<TensorPtr> handles;
  std::vector<const shlo_tensor*> passed;
  for (const Tensor& operand : operands) {
    handles.push_back(NewTensor(operand));
    passed.push_back(handles.back().get());
  }
  shlo_custom_call_info info{};
  info.struct_size = sizeof info;
  info.target = custom.target;
  // Only ops of the caller's program have numbers that mean something to it.
  if (&module == &program.program.module) {
    info.program = &program;
    info.op = uint32_t(&op - module.ops.data());
  }
  std::vector<shlo_tensor*> returned(module.NumResults(op));
  shlo_error* const error =
      custom.function(custom.context, &info, passed.data(), passed.size(), returned.data(), returned.size());
  std::vector<TensorPtr> owned(returned.size());
  for (size_t i = 0; i < returned.size(); ++i) owned[i].reset(returned[i]);
  if (error) return tl::unexpected(DiagnosticsOf(error));
  std::vector<Tensor> results;
  for (uint32_t i = 0; i < module.NumResults(op); ++i) {
    if (!owned[i])
      return Error(Code::kEvaluation,
                   shlo::StrFormat("the custom call {} sets no result {}", SymbolText(custom.target), i));
    const TypeId declared = module.TypeOf(module.ResultOf(op, i));
    const ValueTypePtr type = TensorTypeOf(module, declared);
    if (type && !(*type == owned[i]->tensor.type()))
      return Error(Code::kEvaluation,
                   shlo::StrFormat("the custom call {} returns {} for result {}, expected {}",
                                   SymbolText(custom.target), owned[i]->type, i, TypeText(module, declared)));
    results.push_back(owned[i]->tensor);
  }
  return results;
}

// Calls a function of the caller for a placement.
Result<std::vector<std::string>> CallPlacement(const shlo_eval_options& options, const ProcessJobs& given) {
  std::vector<shlo_str> texts;
  for (const std::string& job : given.jobs) texts.push_back(Str(job));
  shlo_process_jobs jobs{};
  jobs.struct_size = sizeof jobs;
  jobs.replicas = given.replicas;
  jobs.partitions = given.partitions;
  jobs.grid = Str(given.grid);
  jobs.jobs = texts.data();
  jobs.job_count = texts.size();
  std::vector<shlo_buffer*> returned(texts.size());
  shlo_error* const error = options.place(options.place_context, &jobs, returned.data(), returned.size());
  std::vector<std::unique_ptr<shlo_buffer>> owned(returned.size());
  for (size_t i = 0; i < returned.size(); ++i) owned[i].reset(returned[i]);
  if (error) return tl::unexpected(DiagnosticsOf(error));
  std::vector<std::string> outcomes;
  for (const auto& outcome : owned) {
    if (!outcome)
      return Error(Code::kUsage, shlo::StrFormat("the placement sets no outcome {}", outcomes.size()));
    outcomes.push_back(std::move(outcome->bytes));
  }
  return outcomes;
}

// Arguments that do not match the program are invalid input.
[[noreturn]] void FailToEvaluate(Diagnostics why) {
  const RequestStatus status = StatusOf(why);
  const bool mismatch = status == RequestStatus::kNegative || status == RequestStatus::kUsage;
  throw Failed{std::move(why), mismatch ? RequestStatus::kBadInput : status};
}

std::vector<std::string> Names(const char* const* names, size_t count, const char* what) {
  std::vector<std::string> out;
  if (count) Require(names, what);
  for (size_t i = 0; i < count; ++i) out.push_back(Text(names[i]));
  return out;
}

// Results, and what the options hand out once nothing can fail any more.
struct Evaluated {
  std::vector<Tensor> results;
  Diagnostics failed_checks;
  std::unique_ptr<shlo_buffer> profile;

  void HandOut(const shlo_eval_options& options) {
    PutDiagnostics(std::move(failed_checks), options.failed_checks);
    if (options.profile) *options.profile = profile.release();
  }
};

Evaluated Evaluate(const shlo_program* given, const shlo_tensor* const* args, size_t arg_count,
                   const shlo_eval_options& options) {
  constexpr uint32_t kMostProcesses = 256;
  if (options.failed_checks) *options.failed_checks = nullptr;
  if (options.profile) *options.profile = nullptr;
  std::vector<Tensor> values;
  uint64_t bytes = Get(given).bytes;
  if (arg_count) Require(args, "args");
  for (size_t i = 0; i < arg_count; ++i) {
    Require(args[i], "args[i]");
    values.push_back(args[i]->tensor);
    bytes += args[i]->tensor.type().bytes;
  }
  EvalOptions eval;
  eval.limits = LimitsOf(options.limits, bytes);
  const shlo_program& program = Valid(given, eval.limits);
  const Module& module = program.program.module;
  eval.source = &program.program.source;
  eval.fast = options.fast != 0;
  if (options.wait_timeout_ms) eval.timeout_ms = options.wait_timeout_ms;
  if (options.print)
    eval.print = [&](std::string_view text) {
      options.print(options.print_context, text.data(), text.size());
    };
  eval.custom_calls = CustomCallsOf(options, program);
  if (options.place) eval.place = [&](const ProcessJobs& jobs) { return CallPlacement(options, jobs); };
  EvalProfile profile;
  if (options.profile) eval.profile = &profile;
  const std::string function = Text(options.function);
  uint32_t replicas = std::max(options.replicas, 1u), partitions = std::max(options.partitions, 1u);
  if (options.replicas == 0 && options.partitions == 0 && !options.functions) {
    const auto counts = ProcessesOf(module, function, eval);
    if (!counts) FailToEvaluate(counts.error());
    replicas = uint32_t(counts->replicas), partitions = uint32_t(counts->partitions);
  }
  if (replicas > kMostProcesses || partitions > kMostProcesses || replicas * partitions > kMostProcesses)
    Fail(Code::kUsage, shlo::StrFormat("{} replicas of {} partitions are more than {} processes", replicas,
                                       partitions, kMostProcesses));
  const size_t processes = size_t(replicas) * partitions;
  auto all = shlo::WithPlatformIndex(module, function, std::move(values), processes, options.platform_index);
  if (!all) FailToEvaluate(std::move(all.error()));
  auto result = [&] {
    if (processes == 1 && !options.functions && !options.infeed_count)
      return shlo::Evaluate(module, function, *all, eval);
    const std::vector<std::string> functions = options.functions
                                                   ? Names(options.functions, processes, "functions")
                                                   : std::vector<std::string>(processes, function);
    return EvaluateParallel(module, functions, partitions, *all,
                            Names(options.infeed, options.infeed_count, "infeed"), eval);
  }();
  if (!result) FailToEvaluate(std::move(result.error()));
  if (!result->failed_checks.empty() && !options.failed_checks)
    throw Failed{std::move(result->failed_checks), shlo::RequestStatus::kNegative};
  // Results may be views of constants, or of arguments.
  for (Tensor& tensor : result->results) {
    tensor = tensor.Owned();
    if (!tensor) throw std::bad_alloc();
  }
  Evaluated out{std::move(result->results), std::move(result->failed_checks), nullptr};
  if (options.profile) out.profile.reset(NewBuffer(shlo::Dumped(shlo::ProfileJson(profile))));
  return out;
}

}  // namespace

std::map<std::string, CustomCall, std::less<>> CustomCallsOf(const shlo_eval_options& options,
                                                             const shlo_program& program) {
  std::map<std::string, CustomCall, std::less<>> out;
  if (options.custom_call_count) Require(options.custom_calls, "custom_calls");
  for (size_t i = 0; i < options.custom_call_count; ++i) {
    const shlo_custom_call& custom = options.custom_calls[i];
    Require(custom.target, "custom_calls[i].target");
    if (!custom.function)
      Fail(Code::kUsage, shlo::StrFormat("custom call {} has no function", SymbolText(custom.target)));
    out[custom.target] = [&](const Module& m, const Op& op, std::span<const Tensor> operands) {
      return CallBack(custom, program, m, op, operands);
    };
  }
  return out;
}

}  // namespace shlo::capi

using namespace shlo::capi;
using shlo::Code;
using shlo::Tensor;

extern "C" {

int shlo_has_evaluator(void) { return 1; }

shlo_error* shlo_evaluate(const shlo_program* program, const shlo_tensor* const* args, size_t arg_count,
                          const shlo_eval_options* given, shlo_tensors** out) {
  return Make(out, [&] {
    const shlo_eval_options options = OptionsOf(given, "shlo_eval_options");
    auto list = std::make_unique<shlo_tensors>();
    Evaluated evaluated = Evaluate(program, args, arg_count, options);
    for (size_t i = 0; i < evaluated.results.size(); ++i)
      Add(NewTensor(std::move(evaluated.results[i])), shlo::StrFormat("result{}", i), list.get());
    evaluated.HandOut(options);
    return list.release();
  });
}

shlo_error* shlo_evaluate_into(const shlo_program* program, const shlo_tensor* const* args, size_t arg_count,
                               const shlo_eval_options* given, const shlo_tensor_desc* results,
                               size_t result_count) {
  return Try([&] {
    const shlo_eval_options options = OptionsOf(given, "shlo_eval_options");
    if (result_count) Require(results, "results");
    // The array has elements of the size that the caller knows.
    std::vector<shlo_tensor_desc> wanted;
    std::vector<shlo::ValueTypePtr> types;
    const char* at = reinterpret_cast<const char*>(results);
    for (size_t i = 0; i < result_count; ++i) {
      const auto* one = reinterpret_cast<const shlo_tensor_desc*>(at);
      wanted.push_back(OptionsOf(one, "shlo_tensor_desc"));
      types.push_back(TypeOf(wanted.back()));
      if (types.back()->bytes) Require(wanted.back().data, "data");
      at += one->struct_size;
    }
    Evaluated evaluated = Evaluate(program, args, arg_count, options);
    const std::vector<Tensor>& computed = evaluated.results;
    if (computed.size() != result_count)
      Fail(Code::kUsage, shlo::StrFormat("the function has {}, got memory for {}",
                                         shlo::Count(computed.size(), "result"), result_count));
    for (size_t i = 0; i < result_count; ++i)
      if (!(computed[i].type() == *types[i]))
        Fail(Code::kUsage, shlo::StrFormat("result {} is {}, got memory for {}", i,
                                           shlo::TypeName(computed[i].type()), shlo::TypeName(*types[i])));
    for (size_t i = 0; i < result_count; ++i)
      Take(shlo::CopyTo(computed[i], wanted[i].data, StridesOf(wanted[i])));
    evaluated.HandOut(options);
  });
}

}  // extern "C"
