#include "eval/parallel.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <thread>

#include "eval/evaluator.h"
#include "eval/kernels/kernel_args.h"
#include "ir/guarded.h"

namespace shlo {

Result<EvalResult> RunProcesses(const Module& module, ProcessGrid& grid, std::vector<ProcessJob> jobs,
                                const EvalOptions& given) {
  struct Running {
    std::unique_ptr<Process> process;
    std::unique_ptr<Evaluator> evaluator;
    Result<EvalResult> result;
    std::thread thread;
  };
  std::vector<Running> running(jobs.size());
  EvalOptions options = given;
  options.limits.max_memory /= std::max<size_t>(jobs.size(), 1);
  for (size_t i = 0; i < jobs.size(); ++i) {
    const uint32_t id = uint32_t(i);
    running[i].process =
        std::make_unique<Process>(grid, ProcessId{id / grid.partitions(), id % grid.partitions()});
    running[i].evaluator = std::make_unique<Evaluator>(module, options, running[i].process.get());
  }
  const Result<void> started = Guarded([&]() -> Result<void> {
    for (size_t i = 0; i < jobs.size(); ++i)
      running[i].thread = std::thread([&r = running[i], &job = jobs[i], &grid, &options] {
        r.result = Guarded(options.limits, [&] { return r.evaluator->Run(job.callable, job.args); });
        r.result ? grid.Finish() : grid.Abandon();
      });
    return {};
  });
  if (!started) grid.Abandon();  // those that run would wait for the others
  for (Running& r : running)
    if (r.thread.joinable()) r.thread.join();
  if (!started) return tl::make_unexpected(started.error());
  // Errors of processes that were left alone follow from those of others.
  EvalResult out;
  const Diagnostics* failure = nullptr;
  for (Running& r : running) {
    if (r.result) {
      std::ranges::move(r.result->failed_checks, std::back_inserter(out.failed_checks));
      std::ranges::move(r.result->results, std::back_inserter(out.results));
      continue;
    }
    if (!failure || !grid.WasLeftAlone(r.process->id())) failure = &r.result.error();
  }
  if (failure) return tl::make_unexpected(*failure);
  return out;
}

namespace {

Result<EvalResult> RunFunctions(const Module& module, std::span<const std::string> functions,
                                size_t partitions, std::span<const Tensor> args,
                                std::span<const std::string> infeed, const EvalOptions& options) {
  if (functions.empty() || partitions == 0 || functions.size() % partitions != 0)
    return Invalid("programs do not form a grid of replicas and partitions");
  if (functions.size() > options.max_processes)
    return Error(Code::kLimit,
                 fmt::format("number of processes exceeds the limit of {}", options.max_processes));
  ProcessGrid grid(uint32_t(functions.size() / partitions), uint32_t(partitions),
                   {infeed.begin(), infeed.end()}, options.timeout_ms);
  const Evaluator evaluator(module, options);
  std::vector<ProcessJob> jobs;
  size_t next = 0;
  for (const std::string& function : functions) {
    ProcessJob job{evaluator.FindFunction(function), {}};
    if (!job.callable) return Invalid(fmt::format("there is no function @{}", function));
    SHLO_ASSIGN(const Evaluator::Signature signature, evaluator.SignatureOf(job.callable));
    if (signature.inputs.size() > args.size() - next)
      return Invalid("programs have more arguments than inputs");
    for (size_t a = 0; a < signature.inputs.size(); ++a) job.args.push_back(args[next++]);
    jobs.push_back(std::move(job));
  }
  if (next != args.size()) return Invalid("programs have fewer arguments than inputs");
  return RunProcesses(module, grid, std::move(jobs), options);
}

}  // namespace

Result<EvalResult> EvaluateParallel(const Module& module, std::span<const std::string> functions,
                                    size_t partitions, std::span<const Tensor> args,
                                    std::span<const std::string> infeed, const EvalOptions& options) {
  return Guarded(options.limits,
                 [&] { return RunFunctions(module, functions, partitions, args, infeed, options); });
}

}  // namespace shlo
