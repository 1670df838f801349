// Every stage of a program stops at Limits::deadline and by Limits::cancellation, and the next call continues
// as if nothing had been.
#include "base/deadline.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/workers.h"
#include "shlo/convert.h"
#include "shlo/evaluate.h"
#include "shlo/expand.h"
#include "shlo/known_values.h"
#include "shlo/mlirbc_reader.h"
#include "shlo/mlirbc_writer.h"
#include "shlo/program_io.h"
#include "shlo/prove.h"
#include "shlo/reduce.h"
#include "shlo/shlo_reader.h"
#include "shlo/shlo_writer.h"
#include "shlo/text_reader.h"
#include "shlo/verify.h"

namespace shlo {
namespace {

// Twice an argument, in two ways that only evaluation shows to be equal.
constexpr std::string_view kSum = "stablehlo.add %x, %x", kProduct = "stablehlo.multiply %x, %two";

std::string Twice(std::string_view function, std::string_view way) {
  return fmt::format(R"(func.func @{}(%a: tensor<64x64xf32>) -> tensor<64x64xf32> {{
  %two = stablehlo.constant dense<2.0> : tensor<64x64xf32>
  %x = stablehlo.tan %a : tensor<64x64xf32>
  %0 = {} : tensor<64x64xf32>
  %1 = chlo.sinh %0 : tensor<64x64xf32> -> tensor<64x64xf32>
  return %1 : tensor<64x64xf32>
}}
)",
                     function, way);
}

Program Read(std::string_view text) {
  auto owner = std::make_shared<const std::string>(text);
  auto program = ReadProgram(*owner, owner);
  EXPECT_TRUE(program) << (program ? "" : program.error()[0].message);
  return program ? std::move(*program) : Program();
}

Diagnostics ErrorsOf(const Diagnostics& diagnostics) { return diagnostics; }
template <typename T>
Diagnostics ErrorsOf(const Result<T>& result) {
  return result ? Diagnostics() : result.error();
}

Tensor Zeros(const ValueTypePtr& type) { return Tensor::Copy(type, std::string(type->bytes, '\0')); }

struct Stage {
  std::string name;
  std::function<Diagnostics(const Limits& limits)> run;
};

std::vector<Stage> Stages() {
  static const std::string text = Twice("main", kSum);
  static const Program program = Read(text), other = Read(Twice("main", kProduct));
  static const Module& module = program.module;
  static const std::string shlo = *WriteShlo(module), bytecode = *WriteMlirBytecode(module);
  static const std::vector<Tensor> args{Zeros(TensorTypeOf(module, DeclaredArguments(module, "")[0]))};
  return {
      {"ReadText", [](const Limits& l) { return ErrorsOf(ReadText(text, nullptr, {.limits = l})); }},
      {"ReadShlo", [](const Limits& l) { return ErrorsOf(ReadShlo(shlo, nullptr, {.limits = l})); }},
      {"ReadMlirBytecode",
       [](const Limits& l) { return ErrorsOf(ReadMlirBytecode(bytecode, nullptr, {.limits = l})); }},
      {"ReadProgram",
       [](const Limits& l) {
         ReadOptions options;
         options.limits = l;
         return ErrorsOf(ReadProgram(text, nullptr, options));
       }},
      {"ReadPrograms",
       [](const Limits& l) {
         ReadOptions options;
         options.limits = l;
         Diagnostics errors;
         ReadPrograms({text, nullptr, ""}, options, &errors);
         return errors;
       }},
      {"Verify", [](const Limits& l) { return ErrorsOf(Verify(module, {.limits = l})); }},
      {"Convert", [](const Limits& l) { return ErrorsOf(Convert(module, kCurrentVersion, {.limits = l})); }},
      {"LowestTarget", [](const Limits& l) { return ErrorsOf(LowestTarget(module, {.limits = l})); }},
      {"Expand",
       [](const Limits& l) {
         ExpandOptions options;
         options.convert.limits = l;
         return ErrorsOf(Expand(module, options));
       }},
      {"WriteText", [](const Limits& l) { return ErrorsOf(WriteText(module, {.limits = l})); }},
      {"WriteShlo", [](const Limits& l) { return ErrorsOf(WriteShlo(module, {.limits = l})); }},
      {"WriteMlirBytecode",
       [](const Limits& l) { return ErrorsOf(WriteMlirBytecode(module, {.limits = l})); }},
      {"Evaluate",
       [](const Limits& l) {
         EvalOptions options;
         options.limits = l;
         return ErrorsOf(Evaluate(module, "", args, options));
       }},
      {"EvaluateParallel",
       [](const Limits& l) {
         EvalOptions options;
         options.limits = l;
         const std::vector<std::string> functions{"main", "main"};
         return ErrorsOf(EvaluateParallel(module, functions, 2, std::vector{args[0], args[0]}, {}, options));
       }},
      {"KnownValues", [](const Limits& l) { return ErrorsOf(KnownValues(module, {.limits = l})); }},
      {"Prove", [](const Limits& l) { return ErrorsOf(Prove(module, other.module, {.limits = l})); }},
  };
}

TEST(Deadline, StopsEveryStage) {
  Limits passed;
  passed.deadline = Limits::Clock::time_point();
  for (const Stage& stage : Stages()) {
    EXPECT_TRUE(stage.run(Limits()).empty()) << stage.name;
    const Diagnostics errors = stage.run(passed);
    ASSERT_EQ(errors.size(), 1u) << stage.name;
    EXPECT_EQ(errors[0].code, Code::kLimit) << stage.name;
    EXPECT_EQ(errors[0].message, "not done at the deadline") << stage.name;
    EXPECT_EQ(errors[0].hint, "raise the limit: --timeout (Limits::deadline)") << stage.name;
    EXPECT_TRUE(stage.run(Limits()).empty()) << stage.name << ", after a deadline";
  }
}

TEST(Cancellation, StopsEveryStage) {
  Cancellation cancellation;
  Limits limits;
  limits.cancellation = &cancellation;
  for (const Stage& stage : Stages()) {
    cancellation.requested = true;
    const Diagnostics errors = stage.run(limits);
    ASSERT_EQ(errors.size(), 1u) << stage.name;
    EXPECT_EQ(errors[0].code, Code::kCanceled) << stage.name;
    EXPECT_EQ(errors[0].message, "the call was canceled") << stage.name;
    cancellation.requested = false;
    EXPECT_TRUE(stage.run(limits).empty()) << stage.name << ", after a cancellation";
  }
}

// Each is one op that takes seconds.
struct LargeOp {
  std::string name, arguments, body;
};
const LargeOp kLargeOps[] = {
    {"dot_general", "%a: tensor<6000x6000xf32>",
     "%0 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] : (tensor<6000x6000xf32>, "
     "tensor<6000x6000xf32>) -> tensor<6000x6000xf32>"},
    {"convolution", "%a: tensor<1x512x512x32xf32>, %k: tensor<15x15x32x64xf32>",
     "%0 = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} "
     "{batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x512x512x32xf32>, "
     "tensor<15x15x32x64xf32>) -> tensor<1x498x498x64xf32>"},
    {"sort", "%a: tensor<33554432xf32>",
     R"(%0 = "stablehlo.sort"(%a) <{dimension = 0 : i64, is_stable = true}> ({
     ^bb0(%x: tensor<f32>, %y: tensor<f32>):
       %1 = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
       stablehlo.return %1 : tensor<i1>
     }) : (tensor<33554432xf32>) -> tensor<33554432xf32>)"},
    {"reduce_window", "%a: tensor<4000x4000xf32>",
     R"(%i = stablehlo.constant dense<0.0> : tensor<f32>
     %0 = "stablehlo.reduce_window"(%a, %i) <{window_dimensions = array<i64: 30, 30>}> ({
     ^bb0(%x: tensor<f32>, %y: tensor<f32>):
       %1 = stablehlo.add %x, %y : tensor<f32>
       stablehlo.return %1 : tensor<f32>
     }) : (tensor<4000x4000xf32>, tensor<f32>) -> tensor<3971x3971xf32>)"},
    {"fft", "%a: tensor<4194304xcomplex<f32>>",
     "%0 = stablehlo.fft %a, type = FFT, length = [4194304] : (tensor<4194304xcomplex<f32>>) -> "
     "tensor<4194304xcomplex<f32>>"},
    {"cholesky", "%a: tensor<3000x3000xf64>",
     "%0 = stablehlo.cholesky %a, lower = true : tensor<3000x3000xf64>"},
    {"triangular_solve", "%a: tensor<3000x3000xf64>",
     R"(%0 = "stablehlo.triangular_solve"(%a, %a) <{left_side = true, lower = true, unit_diagonal = true,
       transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> :
       (tensor<3000x3000xf64>, tensor<3000x3000xf64>) -> tensor<3000x3000xf64>)"},
};

TEST(Cancellation, IsPolledWithinOneLargeOp) {
  for (const LargeOp& op : kLargeOps)
    for (const uint32_t threads : {1, 2}) {
      SCOPED_TRACE(op.name + ", threads: " + std::to_string(threads));
      const Program program = Read("func.func @main(" + op.arguments + ") {\n" + op.body + "\nreturn\n}\n");
      std::vector<Tensor> args;
      for (const TypeId type : DeclaredArguments(program.module, ""))
        args.push_back(Zeros(TensorTypeOf(program.module, type)));
      Cancellation cancellation;
      cancellation.context = &cancellation;
      cancellation.poll = [](void* self) { static_cast<Cancellation*>(self)->requested = true; };
      EvalOptions options;
      options.limits.threads = threads;
      options.limits.cancellation = &cancellation;
      const auto result = Evaluate(program.module, "", args, options);
      ASSERT_FALSE(result);
      EXPECT_EQ(result.error()[0].code, Code::kCanceled) << result.error()[0].message;
    }
}

TEST(Cancellation, IsPolledByAThreadThatWaits) {
  struct Polled {
    Cancellation cancellation;
    const std::thread::id caller = std::this_thread::get_id();
  } polled;
  polled.cancellation.context = &polled;
  polled.cancellation.poll = [](void* context) {
    auto& of = *static_cast<Polled*>(context);
    if (std::this_thread::get_id() == of.caller) of.cancellation.requested = true;
  };
  Limits limits;
  limits.cancellation = &polled.cancellation;
  const DeadlineScope scope(limits);
  std::atomic<bool> begun = false;
  const auto work = [&](size_t) {
    if (std::this_thread::get_id() == polled.caller) return begun.wait(false);
    begun = true;
    begun.notify_all();
    for (;;) Tick();
  };
  EXPECT_THROW(RunParts(2, 2, work), Canceled);
}

TEST(Deadline, InAnHourStopsNothing) {
  Limits later;
  later.deadline = Limits::Clock::now() + std::chrono::hours(1);
  for (const Stage& stage : Stages()) EXPECT_TRUE(stage.run(later).empty()) << stage.name;
}

TEST(Deadline, OuterOneCountsIfItIsEarlier) {
  Limits passed, later;
  passed.deadline = Limits::Clock::time_point();
  later.deadline = Limits::Clock::now() + std::chrono::hours(1);
  const DeadlineScope outer(passed);
  {
    const DeadlineScope inner(later);
    EXPECT_EQ(CurrentDeadline(), passed.deadline);
    EXPECT_THROW(Tick(), DeadlinePassed);
    EXPECT_THROW(Tick(), DeadlinePassed) << "goes on";
  }
  EXPECT_EQ(CurrentDeadline(), passed.deadline);
}

TEST(Deadline, InterruptsOneLargeOp) {
  // 10^10 multiplications, one op. Without the deadline it would take seconds.
  const Program program = Read(R"(func.func @main(%a: tensor<2000x2000xf32>) -> tensor<2000x2000xf32> {
  %0 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] : (tensor<2000x2000xf32>, tensor<2000x2000xf32>) -> tensor<2000x2000xf32>
  %1 = stablehlo.tan %0 : tensor<2000x2000xf32>
  return %1 : tensor<2000x2000xf32>
})");
  EvalOptions options;
  options.limits.deadline = Limits::Clock::now() + std::chrono::milliseconds(1);
  const auto type = TensorTypeOf(program.module, DeclaredArguments(program.module, "")[0]);
  const auto result = Evaluate(program.module, "", std::vector{Zeros(type)}, options);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error()[0].code, Code::kLimit);
}

TEST(Deadline, LeavesTheSmallestProgramSoFar) {
  const Program program = Read(Twice("main", kSum));
  ReduceOptions options;
  options.limits.deadline = Limits::Clock::time_point();
  const auto reduced = Reduce(
      program.module, [](const Module&) -> Result<bool> { return true; }, options);
  ASSERT_TRUE(reduced);
  EXPECT_FALSE(reduced->complete);
  EXPECT_EQ(reduced->ops_after, reduced->ops_before);
}

TEST(WorkBudget, OfAProofIsSharedByItsFunctions) {
  // Each function takes most of the rest; the last ones get nothing.
  std::string sums, products;
  for (int i = 0; i < 12; ++i) {
    sums += Twice(fmt::format("f{}", i), kSum);
    products += Twice(fmt::format("f{}", i), kProduct);
  }
  const Program a = Read(sums), b = Read(products);
  const auto whole = Prove(a.module, b.module);
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->verdict, Verdict::kEqual);
  ProveOptions options;
  options.limits.max_work = 20'000'000;
  const auto limited = Prove(a.module, b.module, options);
  ASSERT_TRUE(limited);
  EXPECT_EQ(limited->verdict, Verdict::kNotCovered);
  EXPECT_NE(
      limited->functions.back().detail.find("more work than the limit of 20 ms; raise the limit: --max-work"),
      std::string::npos)
      << limited->functions.back().detail;
  EXPECT_EQ(limited->functions.front().verdict, Verdict::kEqual) << limited->functions.front().detail;
}

}  // namespace
}  // namespace shlo
