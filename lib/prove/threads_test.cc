// Modules in different threads are independent, and files have many writers: every thread finds what one
// alone does.
// `./dev tsan` runs these under ThreadSanitizer.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "ir/module/sample.h"
#include "shlo/convert.h"
#include "shlo/evaluate.h"
#include "shlo/expand.h"
#include "shlo/file_io.h"
#include "shlo/mlirbc_reader.h"
#include "shlo/mlirbc_writer.h"
#include "shlo/program_io.h"
#include "shlo/prove.h"
#include "shlo/random_tensor.h"
#include "shlo/shlo_reader.h"
#include "shlo/shlo_writer.h"
#include "shlo/text_reader.h"
#include "shlo/verify.h"

namespace shlo {
namespace {

constexpr size_t kThreads = 8;

void InThreads(size_t count, const std::function<void(size_t)>& work) {
  std::vector<std::thread> threads;
  for (size_t i = 0; i < count; ++i) threads.emplace_back(work, i);
  for (std::thread& thread : threads) thread.join();
}

// Large enough that evaluation splits its loops.
std::string Program1(size_t number) {
  return fmt::format(
      R"(func.func @main(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64xf32>) {{
  %c = stablehlo.constant dense<{}.5> : tensor<64x64xf32>
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = chlo.sinh %0 : tensor<64x64xf32> -> tensor<64x64xf32>
  %2 = stablehlo.add %1, %c : tensor<64x64xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %3 = stablehlo.reduce(%2 init: %z) applies stablehlo.add across dimensions = [1] : (tensor<64x64xf32>, tensor<f32>) -> tensor<64xf32>
  return %2, %3 : tensor<64x64xf32>, tensor<64xf32>
}}
)",
      number);
}

// Takes a program through every stage. Returns all that they say, as text.
std::string ThroughAllStages(size_t number) {
  std::string out;
  const auto add = [&](const auto& result) {
    if (!result)
      for (const Diagnostic& d : result.error()) out += Render(d, false);
    return result.has_value();
  };
  const std::string text = Program1(number);
  Program program;
  auto module = ReadText(text, nullptr, {}, &program.source);
  if (!add(module)) return out;
  for (const Diagnostic& d : Verify(*module)) out += Render(d, false);
  ExpandOptions expand;
  expand.target = *ParseVersion("1.0.0");
  const auto expanded = Expand(*module, expand);
  if (!add(expanded)) return out;
  const auto converted = Convert(expanded->module, expand.target, {.portable = true});
  if (!add(converted)) return out;
  const auto bytecode = WriteMlirBytecode(converted->module);
  const auto shlo = WriteShlo(converted->module);
  if (!add(bytecode) || !add(shlo)) return out;
  const auto read = ReadMlirBytecode(*bytecode, nullptr);
  const auto again = ReadShlo(*shlo, nullptr);
  if (!add(read) || !add(again)) return out;
  for (const Module* m : std::vector<const Module*>{&*module, &*read, &*again}) {
    const auto printed = WriteText(*m);
    if (!add(printed)) return out;
    out += *printed;
  }
  const auto types = ArgumentTypes(*module, "");
  if (!add(types)) return out;
  std::vector<Tensor> args;
  for (const ValueTypePtr& type : *types) args.push_back(RandomTensor(type, args.size()));
  EvalOptions options;
  options.limits.threads = 2;
  const auto results = Evaluate(*module, "", args, options);
  if (!add(results)) return out;
  for (const Tensor& result : results->results) out += PrintTensor(result);
  const auto proof = Prove(*module, *again);
  if (!add(proof)) return out;
  return out + std::string(EvidenceName(proof->evidence));
}

TEST(Threads, TakeModulesThroughAllStages) {
  std::vector<std::string> alone, together(kThreads);
  for (size_t i = 0; i < kThreads; ++i) {
    alone.push_back(ThroughAllStages(i));
    ASSERT_TRUE(alone.back().ends_with("laws")) << alone.back();
  }
  InThreads(kThreads, [&](size_t i) { together[i] = ThroughAllStages(i); });
  for (size_t i = 0; i < kThreads; ++i) EXPECT_EQ(together[i], alone[i]);
}

// A module that nobody changes is shared.
TEST(Threads, ReadOneModule) {
  const std::string text = Program1(1);
  const auto module = ReadText(text, nullptr);
  ASSERT_TRUE(module);
  const auto expected = WriteShlo(*module);
  ASSERT_TRUE(expected);
  std::atomic<size_t> same = 0;
  InThreads(kThreads, [&](size_t i) {
    const bool sound = !HasErrors(Verify(*module)) && !HasErrors(Blockers(*module, kCurrentVersion)) &&
                       LowestTarget(*module);
    const auto written = WriteShlo(*module);
    const auto copy = Convert(*module, Version{uint16_t(kCurrentVersion.n - i % 2)});
    same += sound && copy && written && *written == *expected;
  });
  EXPECT_EQ(same, kThreads);
}

// Tables that are made when they are first used are made once.
TEST(Threads, UseTheTablesOfEveryOp) {
  std::atomic<size_t> sound = 0;
  InThreads(kThreads, [&](size_t i) {
    bool all = true;
    const size_t rows = OpRows().size() - 1;
    for (size_t at = 0; at < rows; ++at) {
      const RowId row{uint16_t(1 + (at + i * 37) % rows)};
      const Version newest = std::min(RevisionOf(NewestRevision(row)).until, kCurrentVersion);
      const Module sample = MakeSample(row, newest);
      all = all && !HasErrors(Verify(sample, {.strictness = Strictness::kLenient})) && WriteText(sample) &&
            LowestTarget(sample);
    }
    sound += all;
  });
  EXPECT_EQ(sound, kThreads);
}

TEST(Threads, EveryCountOfThemEvaluatesToTheSame) {
  // Of sizes that do not divide evenly, and ops whose results depend on order: sums, sorts, scatters.
  const std::string text = R"(
    func.func @main(%a: tensor<1021x257xf32>, %i: tensor<509x1xi32>) -> (tensor<257xf32>, tensor<1021x257xf32>, tensor<1021x257xf32>, tensor<1021x1021xf32>, tensor<1021x257xf32>) {
      %z = stablehlo.constant dense<0.0> : tensor<f32>
      %0 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [0] : (tensor<1021x257xf32>, tensor<f32>) -> tensor<257xf32>
      %1 = "stablehlo.sort"(%a) <{dimension = 0 : i64, is_stable = true}> ({
        ^bb0(%x: tensor<f32>, %y: tensor<f32>):
          %c = stablehlo.compare LT, %x, %y, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
          stablehlo.return %c : tensor<i1>
      }) : (tensor<1021x257xf32>) -> tensor<1021x257xf32>
      %u = stablehlo.slice %a [0:509, 0:257] : (tensor<1021x257xf32>) -> tensor<509x257xf32>
      %2 = "stablehlo.scatter"(%a, %i, %u) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
        ^bb0(%x: tensor<f32>, %y: tensor<f32>):
          %s = stablehlo.add %x, %y : tensor<f32>
          stablehlo.return %s : tensor<f32>
      }) : (tensor<1021x257xf32>, tensor<509x1xi32>, tensor<509x257xf32>) -> tensor<1021x257xf32>
      %t = stablehlo.transpose %a, dims = [1, 0] : (tensor<1021x257xf32>) -> tensor<257x1021xf32>
      %3 = stablehlo.dot_general %a, %t, contracting_dims = [1] x [0] : (tensor<1021x257xf32>, tensor<257x1021xf32>) -> tensor<1021x1021xf32>
      %4 = stablehlo.exponential %a : tensor<1021x257xf32>
      return %0, %1, %2, %3, %4 : tensor<257xf32>, tensor<1021x257xf32>, tensor<1021x257xf32>, tensor<1021x1021xf32>, tensor<1021x257xf32>
    })";
  const auto module = ReadText(text, nullptr);
  ASSERT_TRUE(module) << module.error()[0].message;
  ASSERT_FALSE(HasErrors(Verify(*module)));
  const auto types = ArgumentTypes(*module, "");
  std::vector<int32_t> rows;
  for (int32_t i = 0; i < 509; ++i) rows.push_back(i * i % 101);  // many updates of the same rows
  const std::vector<Tensor> args{
      RandomTensor((*types)[0], 1),
      Tensor::Copy((*types)[1], {reinterpret_cast<const char*>(rows.data()), rows.size() * sizeof rows[0]})};
  EvalOptions options;
  const auto expected = Evaluate(*module, "", args, options);
  ASSERT_TRUE(expected);
  for (uint32_t threads : {2, 3, 4, 5, 7, 8, 16, 64, 0}) {
    options.limits.threads = threads;
    const auto results = Evaluate(*module, "", args, options);
    ASSERT_TRUE(results);
    for (size_t r = 0; r < expected->results.size(); ++r)
      EXPECT_TRUE(BitEqual(results->results[r], expected->results[r])) << threads << " threads, result " << r;
  }
}

// A private folder, removed with what is in it.
struct Folder {
  std::filesystem::path path;
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "shlo-threads-XXXXXX").string();
    path = ::mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(path); }
};

std::string ContentOf(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Each writes a file of its own length, all of one letter.
std::string ContentFor(size_t writer) { return std::string(100'000 + writer, char('0' + writer)); }

TEST(Writers, InThreadsLeaveOneWholeFile) {
  const Folder folder;
  const std::string path = folder.path / "file";
  std::atomic<size_t> written = 0, whole = 0, read = 0;
  InThreads(64, [&](size_t i) {
    written += WriteFile(path, ContentFor(i), true).has_value();
    const std::string now = ContentOf(path);
    ++read;
    whole += !now.empty() && now == ContentFor(size_t(now[0] - '0'));
  });
  EXPECT_EQ(written, 64u);
  EXPECT_EQ(whole, read);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path), {}), 1)
      << "temporary files are left";
}

TEST(Writers, InProcessesLeaveOneWholeFile) {
  const Folder folder;
  const std::string path = folder.path / "file";
  std::vector<pid_t> children;
  for (size_t i = 0; i < 64; ++i) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) ::_exit(WriteFile(path, ContentFor(i), true) ? 0 : 1);
    children.push_back(child);
  }
  for (pid_t child : children) {
    int status = -1;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  const std::string now = ContentOf(path);
  ASSERT_FALSE(now.empty());
  EXPECT_EQ(now, ContentFor(size_t(now[0] - '0')));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path), {}), 1)
      << "temporary files are left";
}

}  // namespace
}  // namespace shlo
