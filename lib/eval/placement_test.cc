// Processes elsewhere: the same results and words as threads, and what placements can do wrong.
#include "shlo/placement.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <mutex>
#include <thread>

#include "eval/grid/message.h"
#include "eval/grid/remote_exchange.h"
#include "eval/naive/program.h"
#include "eval/test_placement.h"
#include "shlo/source.h"

namespace shlo {
namespace {

// A program, where it was read from, and a copy without that.
struct Read {
  Source source;
  Result<Module> module, copy;
  explicit Read(const std::string& text) {
    const auto owner = std::make_shared<const std::string>(text);
    module = ReadText(*owner, owner, {}, &source);
    copy = naive::Read(text);
    source.name = "grid.mlir";
    EXPECT_TRUE(module && copy) << text << (module ? "" : naive::Message(module.error()));
  }
};

std::string Words(const Result<EvalResult>& result) {
  std::string out;
  if (!result)
    for (const Diagnostic& d : result.error()) out += Render(d);
  else
    for (const Diagnostic& d : result->failed_checks) out += Render(d);
  return out;
}

// Evaluates `main` in threads and placed. Returns what is said, which must be the same, as must be results.
std::string Both(const std::string& text, EvalOptions options = {}, const EvalOptions& there = {}) {
  Read read(text);
  options.source = &read.source;
  std::string printed;
  std::mutex printing;
  options.print = [&](std::string_view piece) {
    const std::lock_guard lock(printing);
    printed += piece;
  };
  options.custom_calls = there.custom_calls;
  const auto threads = Evaluate(*read.module, "main", {}, options);
  std::string in_threads;
  in_threads.swap(printed);
  options.place = PlacedOn(*read.copy, there);
  const auto placed = Evaluate(*read.module, "main", {}, options);
  EXPECT_EQ(Words(placed), Words(threads)) << text;
  EXPECT_EQ(bool(placed), bool(threads));
  std::ranges::sort(in_threads);  // threads print in any order
  std::ranges::sort(printed);
  EXPECT_EQ(printed, in_threads);
  if (threads && placed) {
    EXPECT_EQ(placed->results.size(), threads->results.size());
    for (size_t i = 0; i < std::min(threads->results.size(), placed->results.size()); ++i)
      EXPECT_TRUE(BitEqual(placed->results[i], threads->results[i])) << text;
  }
  return Words(placed);
}

// A program that runs one function in four processes.
std::string Grid(const std::string& body, const std::string& type = "tensor<2x2xf32>",
                 const std::string& more = "", const std::string& infeed = "") {
  return more + "func.func @f(%x: " + type + ") -> " + type + " {\n" + body + "\n}\nfunc.func @main() -> (" +
         type + ", " + type + ", " + type + ", " + type +
         ") {\n  %a = stablehlo.constant dense<1> : tensor<2x2xi32>\n"
         "  %i = stablehlo.iota dim = 1 : tensor<2x2xi32>\n  %b = stablehlo.add %a, %i : tensor<2x2xi32>\n"
         "  %c = stablehlo.multiply %b, %b : tensor<2x2xi32>\n"
         "  %x = stablehlo.convert %a : (tensor<2x2xi32>) -> " +
         type + "\n  %y = stablehlo.convert %b : (tensor<2x2xi32>) -> " + type +
         "\n  %z = stablehlo.convert %c : (tensor<2x2xi32>) -> " + type +
         "\n  %r:4 = \"interpreter.run_parallel\"(%x, %y, %z, %x) {" + infeed +
         "programs = [[@f, @f], [@f, @f]]} : (" + type + ", " + type + ", " + type + ", " + type + ") -> (" +
         type + ", " + type + ", " + type + ", " + type + ")\n  return %r#0, %r#1, %r#2, %r#3 : " + type +
         ", " + type + ", " + type + ", " + type + "\n}\n";
}

constexpr std::string_view kChannel = "channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>";

TEST(Placement, ResultsAreThoseOfThreads) {
  EXPECT_EQ(
      Both(Grid("  %r = stablehlo.replica_id : tensor<ui32>\n  %p = stablehlo.partition_id : tensor<ui32>\n"
                "  %s = stablehlo.add %r, %p : tensor<ui32>\n"
                "  %f = stablehlo.convert %s : (tensor<ui32>) -> tensor<f32>\n"
                "  %b = stablehlo.broadcast_in_dim %f, dims = [] : (tensor<f32>) -> tensor<2x2xf32>\n"
                "  %y = stablehlo.add %x, %b : tensor<2x2xf32>\n"
                "  %z = \"stablehlo.all_to_all\"(%y) {split_dimension = 1 : i64, concat_dimension = 1 : i64, "
                "split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : "
                "(tensor<2x2xf32>) -> tensor<2x2xf32>\n"
                "  interpreter.print %z : tensor<2x2xf32>\n  return %z : tensor<2x2xf32>")),
      "");
}

TEST(Placement, SendInfeedAndChecks) {
  EXPECT_EQ(
      Both(Grid(
          "  %t = stablehlo.create_token : !stablehlo.token\n"
          "  %i:2 = \"stablehlo.infeed\"(%t) : (!stablehlo.token) -> (tensor<2x2xf32>, !stablehlo.token)\n"
          "  %s = \"stablehlo.send\"(%x, %i#1) {" +
              std::string(kChannel) +
              "} : (tensor<2x2xf32>, !stablehlo.token) -> !stablehlo.token\n"
              "  %r:2 = \"stablehlo.recv\"(%s) {" +
              std::string(kChannel) +
              "} : (!stablehlo.token) -> (tensor<2x2xf32>, !stablehlo.token)\n"
              "  %o = \"stablehlo.outfeed\"(%x, %r#1) : (tensor<2x2xf32>, !stablehlo.token) -> "
              "!stablehlo.token\n  return %i#0 : tensor<2x2xf32>",
          "tensor<2x2xf32>",
          "func.func @feed() -> tensor<2x2xf32> {\n  %c = stablehlo.constant dense<7.0> : "
          "tensor<2x2xf32>\n  return %c : tensor<2x2xf32>\n}\n",
          "infeed = [@feed, @feed, @feed, @feed], ")),
      "");
  const std::string failed =
      Both(Grid("  check.expect_eq_const %x, dense<1> : tensor<2x2xi32>\n  return %x : tensor<2x2xi32>",
                "tensor<2x2xi32>"));
  EXPECT_NE(failed.find("grid.mlir:"), std::string::npos) << failed;
}

TEST(Placement, ErrorsAreThoseOfThreads) {
  // One process fails, and the others wait for it.
  EXPECT_NE(Both(Grid("  %t = stablehlo.create_token : !stablehlo.token\n"
                      "  %r:2 = \"stablehlo.recv\"(%t) {" +
                      std::string(kChannel) +
                      "} : (!stablehlo.token) -> (tensor<2x2xf32>, !stablehlo.token)\n  return %r#0 : "
                      "tensor<2x2xf32>"))
                .find("process (0, 0) timed out waiting for a value on channel 1 (deadlock?)"),
            std::string::npos);
  const std::string none =
      Both(Grid("  %t = stablehlo.create_token : !stablehlo.token\n"
                "  %i:2 = \"stablehlo.infeed\"(%t) : (!stablehlo.token) -> "
                "(tensor<2x2xf32>, !stablehlo.token)\n  return %i#0 : tensor<2x2xf32>"));
  EXPECT_NE(none.find("grid.mlir:"), std::string::npos) << none;
  EXPECT_NE(none.find("infeed is empty"), std::string::npos) << none;
  EXPECT_NE(Both(Grid("  %r = stablehlo.custom_call @t(%x) : (tensor<2x2xf32>) -> tensor<2x2xf32>\n"
                      "  return %r : tensor<2x2xf32>"))
                .find("@t"),
            std::string::npos);
}

// Devices pass the results of the body to each other.
TEST(Placement, ManualComputation) {
  EXPECT_EQ(Both(R"(
"sdy.mesh"() {mesh = #sdy.mesh<["x"=2, "y"=2]>, sym_name = "mesh"} : () -> ()
func.func @f(%v: tensor<2x4xi32>) -> tensor<2x4xi32> {
  %r = "sdy.manual_computation"(%v) ({
  ^bb0(%part: tensor<1x2xi32>):
    %id = stablehlo.partition_id : tensor<ui32>
    %i = stablehlo.convert %id : (tensor<ui32>) -> tensor<i32>
    %wide = stablehlo.broadcast_in_dim %i, dims = [] : (tensor<i32>) -> tensor<1x2xi32>
    %more = stablehlo.add %part, %wide : tensor<1x2xi32>
    "sdy.return"(%more) : (tensor<1x2xi32>) -> ()
  }) {in_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>,
    manual_axes = #sdy<manual_axes{"x", "y"}>,
    out_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>} : (tensor<2x4xi32>) -> tensor<2x4xi32>
  check.expect_eq_const %r, dense<[[1, 2, 4, 5], [7, 8, 10, 11]]> : tensor<2x4xi32>
  return %r : tensor<2x4xi32>
}
func.func @main() -> (tensor<2x4xi32>, tensor<2x4xi32>) {
  %v = stablehlo.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8]]> : tensor<2x4xi32>
  %r:4 = "interpreter.run_parallel"(%v, %v, %v, %v) {programs = [[@f, @f, @f, @f]]}
    : (tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4xi32>)
    -> (tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4xi32>)
  return %r#0, %r#3 : tensor<2x4xi32>, tensor<2x4xi32>
})"),
            "");
}

TEST(Placement, CustomCallsOfTheCaller) {
  const std::string text = Grid(
      "  %r = stablehlo.custom_call @t(%x) : (tensor<2x2xf32>) -> tensor<2x2xf32>\n"
      "  return %r : tensor<2x2xf32>");
  EvalOptions there;
  there.custom_calls["t"] = [](const Module&, const Op&, std::span<const Tensor> operands) {
    return Result<std::vector<Tensor>>(std::vector<Tensor>(operands.begin(), operands.end()));
  };
  EXPECT_EQ(Both(text, {}, there), "");
  Read read(text);
  EvalOptions options = there;
  options.place = PlacedOn(*read.copy);
  EXPECT_EQ(naive::Message(Evaluate(*read.module, "main", {}, options).error()),
            "interpreter.run_parallel: custom call @t of the caller is missing where process (1, 1) runs");
  const Result<Module> other = naive::Read("func.func @g() { return }");
  options.custom_calls.clear();
  options.place = PlacedOn(*other);
  EXPECT_EQ(naive::Message(Evaluate(*read.module, "main", {}, options).error()),
            "interpreter.run_parallel: the program of process (1, 1) has no function @f");
}

TEST(Placement, LimitsAndProfileTravel) {
  Read read(Grid("  interpreter.print %x : tensor<2x2xf32>\n  return %x : tensor<2x2xf32>"));
  EvalOptions options;
  options.print = [](std::string_view) {};
  options.place = PlacedOn(*read.copy);
  EvalProfile profile;
  options.profile = &profile;
  ASSERT_TRUE(Evaluate(*read.module, "main", {}, options));
  EXPECT_EQ(profile.ops["interpreter.print"].runs, 4u);
  options.limits.max_output = 10;
  EXPECT_EQ(naive::Message(Evaluate(*read.module, "main", {}, options).error()),
            "interpreter.run_parallel: process (1, 1) printed more than the limit of 10 bytes");
  options.limits = {};
  // A job states any number.
  EvalOptions there;
  there.max_processes = 3;
  options.place = PlacedOn(*read.copy, there);
  EXPECT_EQ(naive::Message(Evaluate(*read.module, "main", {}, options).error()),
            "interpreter.run_parallel: number of processes exceeds the limit of 3");
  options.place = PlacedOn(*read.copy);
  options.limits.deadline = Limits::Clock::now();
  EXPECT_FALSE(Evaluate(*read.module, "main", {}, options));
  EXPECT_EQ(DeadlineIn(TimeLeft(Limits::Clock::time_point::max())), Limits::Clock::time_point::max());
}

TEST(Placement, WhatAPlacementDoesWrong) {
  Read read(Grid("  return %x : tensor<2x2xf32>"));
  EvalOptions options;
  const auto words = [&] { return naive::Message(Evaluate(*read.module, "main", {}, options).error()); };
  options.place = [](const ProcessJobs&) { return std::vector<std::string>(3); };
  EXPECT_EQ(words(), "interpreter.run_parallel: the placement returned 3 outcomes, expected 4");
  options.place = [](const ProcessJobs&) { return std::vector<std::string>(4); };
  EXPECT_EQ(words(), "interpreter.run_parallel: message of a process has another format");
  options.place = [](const ProcessJobs&) -> Result<std::vector<std::string>> {
    return Error(Code::kIo, "no machines");
  };
  EXPECT_EQ(words(), "interpreter.run_parallel: no machines");
  options.place = [&](const ProcessJobs& jobs) -> Result<std::vector<std::string>> {
    const auto lost = [](std::string_view) -> Result<std::string> {
      return Error(Code::kIo, "connection lost");
    };
    std::vector<std::string> outcomes;
    for (const std::string& job : jobs.jobs) outcomes.push_back(*RunJob(*read.copy, job, lost));
    return outcomes;
  };
  EXPECT_EQ(words(), "interpreter.run_parallel: connection lost");
  // Jobs, grids and outcomes that are cut, or whose bits change.
  options.place = [&](const ProcessJobs& jobs) -> Result<std::vector<std::string>> {
    const auto exchange = [](std::string_view) -> Result<std::string> { return Error(Code::kIo, "none"); };
    for (const std::string& bytes : {jobs.jobs[0], jobs.grid})
      for (size_t at = 0; at < bytes.size(); ++at) {
        EXPECT_FALSE(RunJob(*read.copy, std::string_view(bytes).substr(0, at), exchange));
        EXPECT_FALSE(GridServer::Create(std::string_view(bytes).substr(0, at)));
        std::string damaged = bytes;
        damaged[at] = char(~damaged[at]);
        (void)RunJob(*read.copy, damaged, exchange);
        (void)GridServer::Create(damaged);
      }
    return Error(Code::kIo, "done");
  };
  EXPECT_EQ(words(), "interpreter.run_parallel: done");
  const auto good = PlacedOn(*read.copy);
  std::vector<std::string> outcomes;
  options.place = [&](const ProcessJobs& jobs) {
    auto out = good(jobs);
    if (out) outcomes = *out;
    return out;
  };
  ASSERT_TRUE(Evaluate(*read.module, "main", {}, options));
  for (size_t at = 0; at < outcomes[1].size(); ++at) {
    auto damaged = outcomes;
    options.place = [&](const ProcessJobs&) { return damaged; };
    damaged[1][at] = char(~damaged[1][at]);
    (void)Evaluate(*read.module, "main", {}, options);
    damaged[1].resize(at);
    EXPECT_FALSE(Evaluate(*read.module, "main", {}, options));
  }
}

// --- The server ---

struct Served {
  explicit Served(uint32_t timeout_ms = 200)
      : server(GridServer::Create(GridMessage({1, 2}, {"feed"}, timeout_ms))) {}
  Result<GridServer> server;
  std::string request;  // the last one
  Exchange exchange = [this](std::string_view bytes) -> Result<std::string> {
    request = bytes;
    return server->Answer(bytes);
  };
  RemoteExchange remote{exchange};
};

template <typename T>
std::string WordsOf(const Result<T>& result) {
  return result ? "no error" : result.error()[0].message;
}

TEST(GridServer, OneRequestAtATimeAndNoneAfterTheLast) {
  Served grid;
  const ProcessId first{0, 0}, second{0, 1};
  EXPECT_EQ(*grid.remote.NextInfeed(first), "feed");
  EXPECT_EQ(WordsOf(grid.remote.NextInfeed(first)), "infeed is empty");
  EXPECT_EQ(WordsOf(grid.remote.NextInfeed({1, 0})), "process (1, 0) is not in the grid or the group");
  EXPECT_EQ(WordsOf(grid.remote.Gather({second}, 1, first, {})),
            "process (0, 0) is not in the grid or the group");
  EXPECT_EQ(WordsOf(grid.remote.Gather({first, second}, 1, first, {})),
            "process (0, 0) timed out waiting for process (0, 1) on channel 1 (deadlock?)");
  EXPECT_EQ(*grid.remote.End(first, true), true);
  EXPECT_EQ(WordsOf(grid.remote.End(first, true)), "process (0, 0) has ended");
  EXPECT_EQ(*grid.remote.End(second, true), false);
  EXPECT_EQ(WordsOf(GridServer::Create(GridMessage({0, 2}, {}, 0))), "grid has no processes, or too many");

  Served waiting(60'000);
  constexpr std::string_view kBusy = "process (0, 0) waits for another answer";
  // Either may ask while the other does.
  std::thread thread([&] {
    while (WordsOf(waiting.remote.Receive(1, first)) == kBusy) std::this_thread::yield();
  });
  const Exchange ask = [&](std::string_view bytes) -> Result<std::string> {
    return waiting.server->Answer(bytes);
  };
  RemoteExchange again(ask);
  std::string words;
  while (words != kBusy) words = WordsOf(again.NextInfeed(first));
  waiting.server->Abandon();
  thread.join();
  EXPECT_EQ(WordsOf(again.Receive(1, second)),
            "process (0, 1) timed out waiting for a value on channel 1 (deadlock?)");
}

TEST(GridServer, DamagedRequestsAndAnswers) {
  Served grid;
  ASSERT_TRUE(grid.remote.Send(1, {0, 0}, {Tensor::Token()}));
  const std::string send = grid.request;
  for (size_t at = 0; at < send.size(); ++at) {
    const std::string answer = grid.server->Answer(std::string_view(send).substr(0, at));
    const Exchange fixed = [&](std::string_view) { return answer; };
    EXPECT_FALSE(RemoteExchange(fixed).Send(1, {0, 0}, {})) << at;
    std::string damaged = send;
    damaged[at] = char(~damaged[at]);
    if (at != 2) (void)grid.server->Answer(damaged);  // another call might wait
  }
  ASSERT_TRUE(grid.remote.Gather({{0, 0}}, 5, {0, 0}, {Tensor::Token()}));
  const std::string answer = grid.server->Answer(grid.request);
  for (size_t at = 0; at < answer.size(); ++at) {
    std::string damaged = answer.substr(0, at);
    const Exchange fixed = [&](std::string_view) { return damaged; };
    EXPECT_FALSE(RemoteExchange(fixed).Gather({{0, 0}}, 5, {0, 0}, {})) << at;
    damaged = answer;
    damaged[at] = char(~damaged[at]);
    (void)RemoteExchange(fixed).Gather({{0, 0}}, 5, {0, 0}, {});
  }
  const Exchange fixed = [&](std::string_view) { return answer; };
  EXPECT_EQ(WordsOf(RemoteExchange(fixed).Gather({{0, 1}}, 5, {0, 1}, {})),
            "answer to a process has the values of other processes");
  std::string unknown = send;
  unknown[2] = 9;
  const std::string refused = grid.server->Answer(unknown);
  EXPECT_NE(refused.find("request of a process asks for something unknown"), std::string::npos);
}

}  // namespace
}  // namespace shlo
