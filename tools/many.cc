#include "many.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <new>
#include <utility>

#include "base/deadline.h"
#include "base/stack.h"
#include "base/workers.h"
#include "parts.h"
#include "shlo/text_writer.h"

namespace shlo::tool {
namespace {

using Clock = Limits::Clock;

// Ends the process if a file is not done long after its deadline, because it reads from a pipe.
class Watchdog {
 public:
  Watchdog(const Settings& settings, const std::vector<std::string>& names)
      : settings_(settings), names_(names), thread_([this] { Watch(); }) {
    if (settings.timeout) thread_.Start();
  }
  ~Watchdog() {
    const std::lock_guard lock(mutex_);
    stop_ = true;
    wake_.notify_all();
  }  // joins

  void Begin(size_t i) {
    const std::lock_guard lock(mutex_);
    running_[i] = Clock::now();
  }
  void End(size_t i) {
    const std::lock_guard lock(mutex_);
    running_.erase(i);
  }

 private:
  void Watch() {
    // Threads may outnumber the processors.
    constexpr auto kGrace = std::chrono::seconds(2);
    std::unique_lock lock(mutex_);
    while (!stop_) {
      for (const auto& [i, start] : running_)
        if (Clock::now() > start + std::chrono::seconds(settings_.timeout) + kGrace)
          EndByTimeout(settings_, WantColor(settings_, STDERR_FILENO), names_[i]);
      wake_.wait_for(lock, std::chrono::milliseconds(250));
    }
  }

  const Settings settings_;
  const std::vector<std::string>& names_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stop_ = false;
  std::map<size_t, Clock::time_point> running_;
  Threads thread_;  // last, so that it ends first
};

// The output and the result of one file, until its turn.
struct Kept {
  Captured printed;
  FileResult result;
  Diagnostics reported;
};

Json UnreadableJson(const ManyWork& work, size_t i) {
  Json j = FileJson(work.names[i], Json::array());
  if (work.unreadable.is_object()) j.update(work.unreadable);
  return j;
}

// Prints the text of a result.
FileResult Printed(Context& ctx, FileResult result) {
  if (!ctx.json) result.code = PrintAnswer(ctx, result, result.code);
  result.text = {};
  return result;
}

FileResult RunOne(const ManyWork& work, size_t i, Context& ctx) {
  FileResult result;
  try {
    return Printed(ctx, work.file(ctx, i));
  } catch (const StackExhausted&) {
    result.code = ctx.Fail(Code::kLimit, kStackMessage, {.file = work.names[i]}, kStackHint);
  } catch (const std::bad_alloc&) {
    result.code = ctx.Fail(Code::kIo, "out of memory", {.file = work.names[i]});
  } catch (const std::exception& e) {
    result.code = ctx.Fail(Code::kUnsupported, e.what(), {.file = work.names[i]});
  }
  result.json = UnreadableJson(work, i);
  return result;
}

void PrintSummary(Context& ctx, const ManyWork& work, const ManyResult& result) {
  TerminalText text = TerminalText::Of("{} {}", result.done, work.done);
  if (result.up_to_date) text.Add(", {} up to date", result.up_to_date);
  if (result.failed) text.Add(", {} failed", result.failed);
  if (result.not_programs == 1) text += ", 1 is not a program";
  if (result.not_programs > 1) text.Add(", {} are not programs", result.not_programs);
  if (result.left) text.Add(", {} left; pass --keep-going to go on after a failure", result.left);
  ctx.PutError(text += "\n");
}

}  // namespace

void AddJobsFlag(Options& options, uint64_t* jobs) {
  options.Number("-j,--jobs", jobs, 1024, "files to process at the same time (default: one per processor)");
}

void AddInputs(Options& options, Context& ctx, const char* help,
               int (*run)(Context& ctx, const uint64_t& jobs, Answer* out)) {
  options.Arguments("PATH", &ctx.files, help);
  AddJobsFlag(options, AddAnswer<uint64_t>(options, ctx, run).get());
}

ManyResult RunMany(Context& ctx, const ManyWork& work) {
  constexpr uint64_t kCopyBelow = uint64_t(16) << 20;
  ctx.copy_below = kCopyBelow;
  const size_t count = work.names.size();
  std::vector<Kept> kept(count);
  ManyResult result;
  result.not_programs = work.not_programs;
  result.files = Json::array();
  bool printed_before = false;
  std::mutex progress;  // a thread must not show progress while this one prints
  Watchdog watchdog(ctx, work.names);
  const auto file = [&](size_t i) {
    {
      const std::lock_guard lock(progress);
      ctx.progress.Step("{} {} of {}: {}", work.verb, i + 1, count, NameText(work.names[i]));
    }
    watchdog.Begin(i);
    Context own(ctx, &kept[i].printed);
    own.about = work.names[i];
    kept[i].result = RunOne(work, i, own);
    kept[i].reported = std::move(own.reported);
    watchdog.End(i);
  };
  const auto take = [&](size_t i) {
    const Kept of = std::exchange(kept[i], {});
    const std::lock_guard lock(progress);
    if (!of.printed.err.empty()) ctx.PutError(of.printed.err);  // it erases the progress
    int code = of.result.code;
    if (!of.printed.out.empty())
      code = std::max(
          code, WriteOut(ctx, "-",
                         std::exchange(printed_before, true) ? work.between + of.printed.out : of.printed.out,
                         /*binary=*/false));
    result.code = std::max(result.code, code);
    const bool failed = code != kDone;
    (failed ? result.failed : of.result.up_to_date ? result.up_to_date : result.done)++;
    if (ctx.json) {
      Json entry = of.result.json;
      entry["exit"] = of.result.code;
      entry["diagnostics"] = Json::array();
      for (const Diagnostic& d : of.reported) entry["diagnostics"].push_back(ToJson(d));
      result.files.push_back(std::move(entry));
    }
    ctx.reported.insert(ctx.reported.end(), of.reported.begin(), of.reported.end());
    const bool stops = IsCanceled() || (failed && (!work.keep_going || code != of.result.code));
    if (stops) result.left = count - i - 1;
    return !stops;
  };
  RunInOrder(count, NumThreads(uint32_t(work.jobs)), count, file, take);
  if (!ctx.quiet) PrintSummary(ctx, work, result);
  return result;
}

int CheckInputs(Context& ctx, const Inputs& inputs, const std::vector<std::string>& arguments) {
  if (!inputs.files.empty()) return kDone;
  Place place;
  if (arguments.size() == 1) place.file = arguments[0];
  if (arguments.size() == 1 && IsArchive(arguments[0]))
    return ctx.Fail(Code::kUsage, "the folder is an archive of models", std::move(place),
                    StrFormat("list them: shlo-compat archive ls --archive={}", arguments[0]));
  return ctx.Fail(Code::kUsage, "found no programs", std::move(place),
                  inputs.not_programs ? Count(inputs.not_programs, "file") + " of other kinds found" : "");
}

Json SummaryJson(const ManyResult& result) {
  Json j;
  j["done"] = result.done;
  j["up_to_date"] = result.up_to_date;
  j["failed"] = result.failed;
  j["not_programs"] = result.not_programs;
  j["left"] = result.left;
  return j;
}

int RunOnInputs(Context& ctx, uint64_t jobs, const ReadingCommand& command, Answer* out) {
  ctx.StopTimer();
  const Inputs inputs = CollectInputs(ctx.files);
  out->json["files"] = Json::array();
  if (!inputs.many) {
    ctx.StartTimer();
    FileResult result = Printed(ctx, command.file(ctx, ctx.files[0]));
    out->json["files"].push_back(std::move(result.json));
    return result.code;
  }
  ManyWork work;
  work.verb = command.verb;
  work.done = command.done;
  work.between = command.between;
  work.unreadable = command.unreadable;
  work.jobs = jobs;
  work.not_programs = inputs.not_programs;
  for (const InputPath& input : inputs.files) work.names.push_back(input.path);
  work.file = [&](Context& own, size_t i) {
    const InputPath& input = inputs.files[i];
    if (input.problem.empty()) return command.file(own, input.path);
    return FileResult{{UnreadableJson(work, i), {}}, own.Fail(input.problem)};
  };
  if (const int code = CheckInputs(ctx, inputs, ctx.files); code != kDone) return code;
  ManyResult result = RunMany(ctx, work);
  out->json["files"] = std::move(result.files);
  out->json["summary"] = SummaryJson(result);
  return result.code;
}

}  // namespace shlo::tool
