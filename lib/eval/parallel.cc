#include "eval/parallel.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <memory>

#include "base/format.h"
#include "base/guarded.h"
#include "base/printable.h"
#include "base/try.h"
#include "base/workers.h"
#include "eval/evaluator.h"
#include "eval/grid/process_grid.h"
#include "eval/kernel/kernel_args.h"

namespace shlo {

ProcessOutcome RunProcess(ProcessExchange& others, ProcessId id, const Limits& limits,
                          const std::function<Result<EvalResult>()>& work) {
  ProcessOutcome out;
  out.result = Guarded(limits, work);
  const Result<bool> left_alone = Guarded([&] { return others.End(id, !out.result); });
  if (left_alone)
    out.left_alone = *left_alone;
  else if (out.result)
    out.result = tl::make_unexpected(left_alone.error());
  return out;
}

Result<void> CheckProcessCount(uint64_t processes, const EvalOptions& options) {
  if (processes <= options.max_processes) return {};
  return Error(Code::kLimit, StrFormat("number of processes exceeds the limit of {}", options.max_processes));
}

Result<EvalResult> JoinOutcomes(std::vector<ProcessOutcome> outcomes) {
  EvalResult out;
  const Diagnostics* failure = nullptr;
  for (ProcessOutcome& outcome : outcomes) {
    if (outcome.result) {
      std::ranges::move(outcome.result->failed_checks, std::back_inserter(out.failed_checks));
      std::ranges::move(outcome.result->results, std::back_inserter(out.results));
      continue;
    }
    if (!failure || !outcome.left_alone) failure = &outcome.result.error();
  }
  if (failure) return tl::make_unexpected(*failure);
  return out;
}

Result<EvalResult> RunProcesses(const Module& module, GridShape shape, std::vector<std::string> infeed,
                                std::vector<ProcessJob> jobs, const EvalOptions& given) {
  struct Running {
    std::unique_ptr<Process> process;
    std::unique_ptr<Evaluator> evaluator;
  };
  ProcessGrid grid(shape, std::move(infeed), given.timeout_ms);
  std::vector<Running> running(jobs.size());
  std::vector<ProcessOutcome> outcomes(jobs.size());
  EvalOptions options = given;
  options.limits.max_memory /= std::max<size_t>(jobs.size(), 1);
  for (size_t i = 0; i < jobs.size(); ++i) {
    running[i].process = std::make_unique<Process>(Process{grid, shape, shape.At(i)});
    running[i].evaluator = std::make_unique<Evaluator>(module, options, running[i].process.get());
  }
  std::atomic<size_t> next = 0;
  Threads threads([&] {
    const size_t i = next++;
    // A function of two references needs no memory, which would be outside of what RunProcess guards.
    outcomes[i] = RunProcess(grid, running[i].process->id, options.limits, [&r = running[i], &job = jobs[i]] {
      return r.evaluator->Run(job.callable, job.args);
    });
  });
  while (threads.size() < jobs.size() && threads.Start()) {
  }
  const bool started = threads.size() == jobs.size();
  if (!started) grid.Abandon();  // those that run would wait for the others
  threads.Join();
  if (!started) return Error(Code::kIo, "cannot create a thread");
  return JoinOutcomes(std::move(outcomes));
}

namespace {

Result<EvalResult> RunFunctions(const Module& module, std::span<const std::string> functions,
                                size_t partitions, std::span<const Tensor> args,
                                std::span<const std::string> infeed, const EvalOptions& options) {
  if (functions.empty() || partitions == 0 || functions.size() % partitions != 0)
    return Invalid("programs do not form a grid of replicas and partitions");
  SHLO_TRY(CheckProcessCount(functions.size(), options));
  const Evaluator evaluator(module, options);
  std::vector<ProcessJob> jobs;
  size_t next = 0, taken = 0;
  for (const std::string& function : functions) {
    ProcessJob job{evaluator.FindFunction(function), {}};
    if (!job.callable) return Invalid(StrFormat("there is no function {}", SymbolText(function)));
    const Evaluator::Signature signature = SHLO_TRY(evaluator.SignatureOf(job.callable));
    taken += signature.inputs.size();
    while (next < std::min(taken, args.size())) job.args.push_back(args[next++]);
    jobs.push_back(std::move(job));
  }
  if (taken != args.size())
    return Error(Code::kUsage, StrFormat("expected {} of {} process{}, got {}", Count(taken, "argument"),
                                         functions.size(), functions.size() == 1 ? "" : "es", args.size()));
  const GridShape shape{uint32_t(functions.size() / partitions), uint32_t(partitions)};
  return (options.place ? PlaceProcesses : RunProcesses)(module, shape, {infeed.begin(), infeed.end()},
                                                         std::move(jobs), options);
}

}  // namespace

Result<EvalResult> EvaluateParallel(const Module& module, std::span<const std::string> functions,
                                    size_t partitions, std::span<const Tensor> args,
                                    std::span<const std::string> infeed, const EvalOptions& options) {
  return Guarded(options.limits,
                 [&] { return RunFunctions(module, functions, partitions, args, infeed, options); });
}

}  // namespace shlo
