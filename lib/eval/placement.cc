// Jobs and outcomes of processes that are placed elsewhere.
#include "shlo/placement.h"

#include <algorithm>

#include "base/format.h"
#include "base/guarded.h"
#include "base/printable.h"
#include "base/try.h"
#include "eval/evaluator.h"
#include "eval/grid/message.h"
#include "eval/grid/remote_exchange.h"
#include "eval/kernel/kernel_args.h"
#include "eval/parallel.h"

namespace shlo {
namespace {

// Section of a place whose offset is the number of an op.
constexpr std::string_view kOpNumber = "op";

// Replaces numbers in places by what the caller knows about the ops of its program.
void FindPlaces(const Module& module, const Source* source, Diagnostics* diagnostics) {
  std::vector<OpId> ops;
  for (Diagnostic& d : *diagnostics) {
    if (d.place.section != kOpNumber) continue;
    if (ops.empty()) ops = module.OpsIn(module.top);
    Place place;
    if (d.place.offset < ops.size() && module.NameOf(module.ops[ops[d.place.offset].v]) == d.op)
      place = PlaceOf(module, ops[d.place.offset], source);
    if (place.function.empty()) place.function = std::move(d.place.function);
    d.place = std::move(place);
  }
}

// --- Jobs ------------------------------------------------------------------------------------------

std::string JobMessage(const EvalOptions& options, GridShape shape, ProcessId id, std::string_view function,
                       const std::vector<Tensor>& args) {
  const Limits& limits = options.limits;
  MessageWriter job(MessageKind::kJob);
  job.Id({shape.replicas, shape.partitions});
  job.Id(id);
  for (uint64_t limit : {limits.max_memory, limits.max_steps, limits.max_work, limits.max_output})
    job.Number(limit);
  for (uint32_t limit : {limits.max_depth, limits.threads}) job.Number(limit);
  job.Number(TimeLeft(limits.deadline));
  for (bool flag : {options.fast, bool(options.print), options.profile != nullptr}) job.Byte(flag ? 1 : 0);
  job.Number(options.custom_calls.size());
  for (const auto& [target, call] : options.custom_calls) job.Text(target);
  job.Text(function);
  job.Values(args);
  return job.Take();
}

struct Job {
  GridShape shape;
  ProcessId id;
  Limits limits;
  bool fast = false, print = false, profile = false;
  std::vector<std::string_view> custom_calls;
  std::string_view function;
  std::vector<Tensor> args;
};

// Views of `bytes`.
Result<Job> ReadJob(std::string_view bytes) {
  MessageReader message(bytes, nullptr, MessageKind::kJob);
  Job job;
  const ProcessId extent = message.Id();
  job.shape = {extent.replica, extent.partition};
  job.id = message.Id();
  for (uint64_t* limit :
       {&job.limits.max_memory, &job.limits.max_steps, &job.limits.max_work, &job.limits.max_output})
    *limit = message.Number();
  for (uint32_t* limit : {&job.limits.max_depth, &job.limits.threads}) *limit = message.Small();
  job.limits.deadline = DeadlineIn(message.Number());
  for (bool* flag : {&job.fast, &job.print, &job.profile}) *flag = message.Flag();
  job.custom_calls.resize(message.Count(8));
  for (std::string_view& target : job.custom_calls) target = message.Text();
  job.function = message.Text();
  job.args = message.Values();
  SHLO_TRY(message.End());
  if (job.id.replica >= job.shape.replicas || job.id.partition >= job.shape.partitions)
    return Error(Code::kMalformed, StrFormat("process {} is not in the grid", ProcessName(job.id)));
  return job;
}

// The output of interpreter.print in a process, up to Limits::max_output.
struct Printed {
  std::vector<std::string> texts;
  uint64_t bytes = 0;
};

Result<EvalResult> DoJob(const Module& module, const Job& job, Process& process, const EvalOptions& options,
                         const Printed& printed) {
  for (std::string_view target : job.custom_calls)
    if (!options.custom_calls.contains(target))
      return Error(Code::kUsage,
                   StrFormat("custom call {} of the caller is missing where process {} runs",
                             SymbolText(target), ProcessName(job.id)),
                   {}, "pass it in the options of RunJob (shlo_run_process)");
  Evaluator evaluator(module, options, &process);
  const OpId function = evaluator.FindByName(job.function);
  if (!function)
    return Error(Code::kUsage,
                 StrFormat("the program of process {} has no function {}", ProcessName(job.id),
                           SymbolText(job.function)),
                 {}, "run all processes on the program of the caller");
  Result<EvalResult> result = evaluator.Run(function, job.args);
  if (result && printed.bytes > job.limits.max_output)
    return Error(Code::kLimit,
                 StrFormat("process {} printed more than the limit of {} bytes", ProcessName(job.id),
                           job.limits.max_output),
                 {}, "raise the limit: --max-output (Limits::max_output)");
  return result;
}

// --- Outcomes --------------------------------------------------------------------------------------

std::string OutcomeMessage(const ProcessOutcome& outcome, const Printed& printed,
                           const EvalProfile& profile) {
  MessageWriter message(MessageKind::kOutcome);
  message.Number(printed.texts.size());
  for (const std::string& text : printed.texts) message.Text(text);
  message.Number(profile.peak_bytes);
  message.Number(profile.ops.size());
  for (const auto& [op, row] : profile.ops) {
    message.Text(op);
    for (uint64_t sum : {row.runs, row.nanoseconds, row.bytes}) message.Number(sum);
  }
  message.Byte(outcome.result ? 1 : 0);
  message.Byte(outcome.left_alone ? 1 : 0);
  message.Problems(outcome.result ? outcome.result->failed_checks : outcome.result.error());
  message.Values(outcome.result ? outcome.result->results : std::vector<Tensor>());
  return message.Take();
}

// Reads the outcome of process `id`, and hands over what it printed and measured.
Result<ProcessOutcome> ReadOutcome(std::string bytes, const Module& module, const EvalOptions& options) {
  const auto owner = std::make_shared<const std::string>(std::move(bytes));
  MessageReader message(*owner, owner, MessageKind::kOutcome);
  std::vector<std::string_view> printed(message.Count(8));
  for (std::string_view& text : printed) text = message.Text();
  EvalProfile profile;
  profile.peak_bytes = message.Number();
  const uint64_t rows = message.Count(4 * 8);
  for (uint64_t i = 0; i < rows; ++i) {
    EvalProfile::Row& row = profile.ops[std::string(message.Text())];
    for (uint64_t* sum : {&row.runs, &row.nanoseconds, &row.bytes}) *sum = message.Number();
  }
  ProcessOutcome outcome;
  const bool ok = message.Flag();
  outcome.left_alone = message.Flag();
  Diagnostics problems = message.Problems(!ok);
  std::vector<Tensor> results = message.Values();
  SHLO_TRY(message.End());
  FindPlaces(module, options.source, &problems);
  if (ok)
    outcome.result = EvalResult{std::move(results), std::move(problems)};
  else
    outcome.result = tl::make_unexpected(std::move(problems));
  if (options.print)
    for (std::string_view text : printed) options.print(text);
  if (options.profile) {
    const std::lock_guard lock(options.profile->mutex);
    options.profile->peak_bytes = std::max(options.profile->peak_bytes, profile.peak_bytes);
    for (const auto& [op, row] : profile.ops) {
      EvalProfile::Row& sum = options.profile->ops[op];
      sum.runs += row.runs;
      sum.nanoseconds += row.nanoseconds;
      sum.bytes += row.bytes;
    }
  }
  return outcome;
}

}  // namespace

uint64_t NumberOf(const Module& module, OpId op) {
  const std::vector<OpId> ops = module.OpsIn(module.top);
  return uint64_t(std::ranges::find(ops, op) - ops.begin());
}

Place PlaceByNumber(const Module& module, OpId op) {
  Place place;
  place.section = kOpNumber;
  place.offset = NumberOf(module, op);
  return place;
}

Result<EvalResult> PlaceProcesses(const Module& module, GridShape shape, std::vector<std::string> infeed,
                                  std::vector<ProcessJob> jobs, const EvalOptions& given) {
  EvalOptions options = given;
  options.limits.max_memory /= std::max<size_t>(jobs.size(), 1);
  ProcessJobs placed{shape.replicas, shape.partitions, GridMessage(shape, infeed, options.timeout_ms), {}};
  for (size_t i = 0; i < jobs.size(); ++i) {
    placed.jobs.push_back(JobMessage(options, shape, shape.At(i),
                                     module.SymbolOf(module.ops[jobs[i].callable.v]), jobs[i].args));
    jobs[i].args.clear();
  }
  std::vector<std::string> bytes = SHLO_TRY(given.place(placed));
  if (bytes.size() != jobs.size())
    return Error(Code::kUsage, StrFormat("the placement returned {}, expected {}",
                                         Count(bytes.size(), "outcome"), jobs.size()));
  std::vector<ProcessOutcome> outcomes;
  for (std::string& one : bytes) {
    ProcessOutcome outcome = SHLO_TRY(ReadOutcome(std::move(one), module, given));
    outcomes.push_back(std::move(outcome));
  }
  return JoinOutcomes(std::move(outcomes));
}

Result<std::string> RunJob(const Module& module, std::string_view bytes, const Exchange& exchange,
                           const EvalOptions& given) {
  return Guarded([&]() -> Result<std::string> {
    const Job job = SHLO_TRY(ReadJob(bytes));
    SHLO_TRY(CheckProcessCount(job.shape.size(), given));
    Printed printed;
    std::mutex printing;
    EvalProfile profile;
    EvalOptions options = given;
    options.source = nullptr;
    options.place = nullptr;
    options.limits = job.limits;
    options.fast = job.fast;
    options.profile = job.profile ? &profile : nullptr;
    options.print = nullptr;
    if (job.print)
      options.print = [&](std::string_view text) {
        const std::lock_guard lock(printing);
        printed.bytes += text.size();
        if (printed.bytes <= job.limits.max_output) printed.texts.emplace_back(text);
      };
    RemoteExchange others(exchange);
    Process process{others, job.shape, job.id, /*alone=*/false, /*elsewhere=*/true};
    ProcessOutcome outcome =
        RunProcess(others, job.id, job.limits, [&] { return DoJob(module, job, process, options, printed); });
    return OutcomeMessage(outcome, printed, profile);
  });
}

}  // namespace shlo
