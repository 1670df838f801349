#include "eval_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <vector>

#include "shlo/evaluate.h"
#include "shlo/file_io.h"
#include "shlo/program_io.h"
#include "shlo/random_tensor.h"
#include "shlo/text_reader.h"

namespace shlo::bench {
namespace {

using Clock = std::chrono::steady_clock;

template <typename T>
T Get(Result<T> result) {
  if (result) return std::move(*result);
  for (const Diagnostic& d : result.error()) std::fputs(Render(d).c_str(), stderr);
  std::exit(1);
}

std::vector<Tensor> RandomArguments(const Module& module) {
  std::vector<Tensor> args;
  for (const ValueTypePtr& type : Get(ArgumentTypes(module, "")))
    args.push_back(RandomTensor(type, args.size()));
  return args;
}

// Returns the best time of many runs, in milliseconds.
double Best(const Module& module, const EvalOptions& options) {
  const std::vector<Tensor> args = RandomArguments(module);
  double best = 1e300, all = 0;
  for (int i = 0; i < 5 || (i < 200 && all < 1500); ++i) {
    const auto start = Clock::now();
    Get(Evaluate(module, "", args, options));
    const double ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    best = std::min(best, ms);
    all += ms;
  }
  return best;
}

std::string Dot(int n) {
  const std::string type = fmt::format("tensor<{0}x{0}xf32>", n);
  return fmt::format(
      "func.func @main(%a: {0}, %b: {0}) -> {0} {{\n"
      "  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : ({0}, {0}) -> {0}\n"
      "  return %0 : {0}\n}}\n",
      type);
}

constexpr const char* kAdd =
    "func.func @main(%a: tensor<1000000xf32>, %b: tensor<1000000xf32>) -> tensor<1000000xf32> {\n"
    "  %0 = stablehlo.add %a, %b : tensor<1000000xf32>\n"
    "  return %0 : tensor<1000000xf32>\n}\n";
constexpr const char* kReduce =
    "func.func @main(%a: tensor<1000000xf32>) -> tensor<f32> {\n"
    "  %z = stablehlo.constant dense<0.0> : tensor<f32>\n"
    "  %0 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [0] : "
    "(tensor<1000000xf32>, tensor<f32>) -> tensor<f32>\n"
    "  return %0 : tensor<f32>\n}\n";
constexpr const char* kConvolution =
    "func.func @main(%a: tensor<1x32x32x16xf32>, %b: tensor<3x3x16x16xf32>) -> tensor<1x32x32x16xf32> {\n"
    "  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], "
    "window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : "
    "(tensor<1x32x32x16xf32>, tensor<3x3x16x16xf32>) -> tensor<1x32x32x16xf32>\n"
    "  return %0 : tensor<1x32x32x16xf32>\n}\n";
constexpr int kIterations = 100000;
constexpr const char* kWhile =
    "func.func @main(%z: tensor<i32>) -> tensor<i32> {\n"
    "  %n = stablehlo.constant dense<100000> : tensor<i32>\n"
    "  %w = stablehlo.while(%i = %z) : tensor<i32>\n"
    "  cond {\n"
    "    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
    "    stablehlo.return %c : tensor<i1>\n"
    "  } do {\n"
    "    %one = stablehlo.constant dense<1> : tensor<i32>\n"
    "    %j = stablehlo.add %i, %one : tensor<i32>\n"
    "    stablehlo.return %j : tensor<i32>\n"
    "  }\n"
    "  return %w : tensor<i32>\n}\n";

}  // namespace

void EvalTable() {
  struct Row {
    const char* what;
    std::string program;
    double reference_ms;  // stablehlo-translate --interpret 1.13.8 on two cores of this kind; 0: not measured
    double aim;           // times faster
    bool fast = false;
  };
  const Row rows[] = {
      {"dot 256^3 f32", Dot(256), 10900, 10000},
      {"add of 1M f32", kAdd, 390, 300},
      {"reduce of 1M f32", kReduce, 1900, 1000},
      {"conv 3x3x16->16, 32x32", kConvolution, 1600, 5000},
      {"while, 100k iterations", kWhile, 0.0021 * kIterations, 50},
      {"dot 1024^3 f32", Dot(1024), 0, 0},
      {"dot 1024^3 f32, fast", Dot(1024), 0, 0, true},
  };
  std::printf("evaluation (best of many runs)\n  %-24s %12s %12s %14s %8s\n", "program", "1 core ms",
              "all cores ms", "x reference", "aim");
  for (const Row& row : rows) {
    const Module module = Get(ReadText(row.program, nullptr));
    EvalOptions options;
    options.fast = row.fast;
    const double one = Best(module, options);
    options.limits.threads = 0;
    const double all = Best(module, options);
    const double times = row.reference_ms / std::min(one, all);
    std::printf("  %-24s %12.4f %12.4f %14s %8s\n", row.what, one, all,
                row.aim > 0 ? fmt::format("{:.0f}", times).c_str() : "-",
                row.aim > 0 ? fmt::format("{:.0f}", row.aim).c_str() : "-");
    std::fflush(stdout);
  }
}

int EvalFile(const std::string& path, bool fast, uint32_t threads) {
  const InputFile file = Get(OpenInput(path));
  const Module module = Get(ReadProgram(file.bytes, file.owner)).module;
  EvalOptions options;
  options.fast = fast;
  options.limits.threads = threads;
  const std::vector<Tensor> args = RandomArguments(module);
  std::vector<double> times;
  double all = 0, processor = 1e300;
  for (int i = 0; i < 5 || (i < 100 && all < 500); ++i) {
    const auto start = Clock::now();
    const std::clock_t processor_start = std::clock();
    Get(Evaluate(module, "", args, options));
    times.push_back(std::chrono::duration<double, std::milli>(Clock::now() - start).count());
    processor = std::min(processor, double(std::clock() - processor_start) * 1000 / CLOCKS_PER_SEC);
    all += times.back();
  }
  uint64_t peak_kib = 0;
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) peak_kib = std::strtoull(line.c_str() + 6, nullptr, 10);
  std::printf("first %.1f ms, best %.1f ms, peak %.1f MiB, processor %.3f ms\n", times[0],
              *std::min_element(times.begin(), times.end()), double(peak_kib) / 1024, processor);
  return 0;
}

}  // namespace shlo::bench
