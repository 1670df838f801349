// Fuzzes what processes elsewhere send: the input is one message, after a byte that says where it arrives. It
// may be that of another process, or damaged: what reads it must end with values or a diagnostic.
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "eval/test_placement.h"
#include "fuzz/require.h"
#include "shlo/placement.h"
#include "shlo/text_reader.h"
#include "shlo/verify.h"

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

namespace {

using namespace shlo;
using fuzz::Require;

// Two processes exchange values of several types, and print, fail a check and call another function.
constexpr std::string_view kProgram = R"(
func.func @feed() -> (tensor<2xi4>) {
  %c = stablehlo.constant dense<[1, -2]> : tensor<2xi4>
  return %c : tensor<2xi4>
}
func.func @f(%x: tensor<2x2xf32>, %b: tensor<3xi1>) -> (tensor<2x2xf32>, tuple<tensor<3xi1>, !stablehlo.token>) {
  %p = "stablehlo.collective_permute"(%x) {source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}
    : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %q = stablehlo.uniform_quantize %p : (tensor<2x2xf32>) -> tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25:3}>>
  %a = "stablehlo.all_to_all"(%q) {split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 2 : i64,
    replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25:3}>>)
    -> tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25:3}>>
  %d = stablehlo.uniform_dequantize %a : (tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25:3}>>) -> tensor<2x2xf32>
  interpreter.print %d : tensor<2x2xf32>
  %t = stablehlo.create_token : !stablehlo.token
  %i:2 = "stablehlo.infeed"(%t) : (!stablehlo.token) -> (tensor<2xi4>, !stablehlo.token)
  %s = "stablehlo.send"(%i#0, %i#1) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}
    : (tensor<2xi4>, !stablehlo.token) -> !stablehlo.token
  %r:2 = "stablehlo.recv"(%s) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}
    : (!stablehlo.token) -> (tensor<2xi4>, !stablehlo.token)
  "check.expect_eq"(%x, %d) : (tensor<2x2xf32>, tensor<2x2xf32>) -> ()
  %u = stablehlo.tuple %b, %r#1 : tuple<tensor<3xi1>, !stablehlo.token>
  return %d, %u : tensor<2x2xf32>, tuple<tensor<3xi1>, !stablehlo.token>
}
func.func @main() -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  %x = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %y = stablehlo.constant dense<0.5> : tensor<2x2xf32>
  %b = stablehlo.constant dense<true> : tensor<3xi1>
  %r:4 = "interpreter.run_parallel"(%x, %b, %y, %b) {infeed = [@feed, @feed], programs = [[@f], [@f]]}
    : (tensor<2x2xf32>, tensor<3xi1>, tensor<2x2xf32>, tensor<3xi1>) -> (tensor<2x2xf32>,
    tuple<tensor<3xi1>, !stablehlo.token>, tensor<2x2xf32>, tuple<tensor<3xi1>, !stablehlo.token>)
  return %r#0, %r#2 : tensor<2x2xf32>, tensor<2x2xf32>
}
)";

// Where a message arrives.
enum Place : uint8_t { kGrid, kRequest, kJob, kAnswer, kOutcome, kPlaces };

const EvalOptions& Options() {
  static const EvalOptions options = [] {
    EvalOptions made;
    made.limits.max_memory = 1 << 20;
    made.limits.max_steps = 2'000;
    made.timeout_ms = 1;
    made.print = [](std::string_view) {};
    return made;
  }();
  return options;
}

// The program, and the messages of a run.
struct Run {
  Module module;
  std::string grid;
  std::vector<std::string> jobs, outcomes;
  std::vector<std::pair<Place, std::string>> messages;
};

const Run& ValidRun() {
  static const Run run = [] {
    auto text = std::make_shared<const std::string>(kProgram);
    auto module = ReadText(*text, text);
    Require(module, "the program cannot be read");
    Run made{std::move(*module), {}, {}, {}, {}};
    std::mutex mutex;
    EvalOptions options = Options();
    options.timeout_ms = 60'000;
    options.place = [&](const ProcessJobs& jobs) -> Result<std::vector<std::string>> {
      made.jobs.assign(jobs.jobs.begin(), jobs.jobs.end());
      auto server = GridServer::Create(jobs.grid);
      Require(server, "a grid cannot be read");
      const auto outcomes = RunPlaced(made.module, jobs, {}, [&](std::string_view request) {
        std::string answer = server->Answer(request);
        const std::lock_guard lock(mutex);
        made.messages.emplace_back(kRequest, request);
        made.messages.emplace_back(kAnswer, answer);
        return answer;
      });
      Require(outcomes, "processes cannot be run");
      made.outcomes = *outcomes;
      return outcomes;
    };
    const auto result = Evaluate(made.module, "main", {}, options);
    Require(result, "the program cannot be evaluated");
    // A grid whose processes do not wait for each other for long.
    options = Options();
    options.place = [&](const ProcessJobs& jobs) -> Result<std::vector<std::string>> {
      made.grid = jobs.grid;
      return made.outcomes;
    };
    Require(Evaluate(made.module, "main", {}, options), "outcomes cannot be read");
    made.messages.emplace_back(kGrid, made.grid);
    for (const std::string& job : made.jobs) made.messages.emplace_back(kJob, job);
    for (const std::string& outcome : made.outcomes) made.messages.emplace_back(kOutcome, outcome);
    return made;
  }();
  return run;
}

template <typename T>
void RequireEnd(const Result<T>& result) {
  Require(result || HasErrors(result.error()), "a message is refused without an error");
}

}  // namespace

// Now and then starts again from a message of a run: nobody writes such seeds by hand.
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
  constexpr unsigned kSeldom = 256;
  if (size > 1 && seed % kSeldom != 0) return LLVMFuzzerMutate(data, size, max_size);
  const auto& messages = ValidRun().messages;
  const auto& [place, message] = messages[seed / kSeldom % messages.size()];
  if (message.size() >= max_size) return LLVMFuzzerMutate(data, size, max_size);
  data[0] = place;
  std::memcpy(data + 1, message.data(), message.size());
  return message.size() + 1;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const Run& run = ValidRun();
  const std::string message(reinterpret_cast<const char*>(data) + 1, size - 1);
  auto server = GridServer::Create(data[0] % kPlaces == kGrid ? message : run.grid);
  RequireEnd(server);
  const Exchange ask = [&](std::string_view request) { return server->Answer(request); };
  switch (data[0] % kPlaces) {
    case kGrid:
      break;
    case kRequest:
      Require(!server->Answer(message).empty(), "a request has no answer");
      Require(!server->Answer(message).empty(), "a second request has no answer");
      break;
    case kJob:
      RequireEnd(RunJob(run.module, message, ask, Options()));
      break;
    case kAnswer:
      RequireEnd(RunJob(
          run.module, run.jobs[0], [&](std::string_view) { return message; }, Options()));
      break;
    case kOutcome: {
      EvalOptions options = Options();
      options.place = [&](const ProcessJobs&) -> Result<std::vector<std::string>> {
        return std::vector{run.outcomes[0], message};
      };
      RequireEnd(Evaluate(run.module, "main", {}, options));
      break;
    }
    default:
      break;
  }
  return 0;
}
