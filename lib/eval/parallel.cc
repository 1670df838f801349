// EvaluateParallel(): a thread and an evaluator per process of a grid.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <thread>

#include "eval/evaluator.h"
#include "eval/kernels/kernel_args.h"
#include "eval/process_grid.h"
#include "ir/guarded.h"
#include "shlo/evaluate.h"

namespace shlo {
namespace {

Result<EvalResult> RunProcesses(const Module& module, std::span<const std::string> functions,
                                size_t partitions, std::span<const Tensor> args,
                                std::span<const std::string> infeed, const EvalOptions& given) {
  if (functions.empty() || partitions == 0 || functions.size() % partitions != 0)
    return Invalid("programs do not form a grid of replicas and partitions");
  if (functions.size() > given.max_processes)
    return Error(Code::kLimit,
                 fmt::format("number of processes exceeds the limit of {}", given.max_processes));
  ProcessGrid grid(uint32_t(functions.size() / partitions), uint32_t(partitions),
                   {infeed.begin(), infeed.end()}, given.timeout_ms);
  struct Running {
    std::unique_ptr<Process> process;
    std::unique_ptr<Evaluator> evaluator;
    OpId function;
    std::vector<Tensor> args;
    Result<EvalResult> result;
    std::thread thread;
  };
  std::vector<Running> running(functions.size());
  EvalOptions options = given;
  options.max_memory /= functions.size();
  size_t next = 0;
  for (size_t i = 0; i < functions.size(); ++i) {
    Running& r = running[i];
    r.process =
        std::make_unique<Process>(grid, ProcessId{uint32_t(i / partitions), uint32_t(i % partitions)});
    r.evaluator = std::make_unique<Evaluator>(module, options, r.process.get());
    r.function = r.evaluator->FindFunction(functions[i]);
    if (!r.function) return Invalid(fmt::format("there is no function @{}", functions[i]));
    SHLO_ASSIGN(const Evaluator::Signature signature, r.evaluator->SignatureOf(r.function));
    if (signature.inputs.size() > args.size() - next)
      return Invalid("programs have more arguments than inputs");
    for (size_t a = 0; a < signature.inputs.size(); ++a) r.args.push_back(args[next++]);
  }
  if (next != args.size()) return Invalid("programs have fewer arguments than inputs");
  const auto start = [&grid](Running& r) {
    r.thread = std::thread([&r, &grid] {
      r.result = Guarded([&] { return r.evaluator->Run(r.function, r.args); });
      r.result ? grid.Finish() : grid.Abandon();
    });
  };
  const Result<void> started = Guarded([&]() -> Result<void> {
    for (Running& r : running) start(r);
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

}  // namespace

Result<EvalResult> EvaluateParallel(const Module& module, std::span<const std::string> functions,
                                    size_t partitions, std::span<const Tensor> args,
                                    std::span<const std::string> infeed, const EvalOptions& options) {
  return Guarded([&] { return RunProcesses(module, functions, partitions, args, infeed, options); });
}

}  // namespace shlo
