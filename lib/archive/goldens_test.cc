// Goldens: the tolerance that evaluation justifies, and entries that do not fit their program.
#include <gtest/gtest.h>

#include "archive/test_archive.h"
#include "shlo/text_reader.h"

namespace shlo::archive {
namespace {

// Returns a program whose @main applies an op to an argument: "stablehlo.tanh %a : tensor<2xf32>".
Program Applying(const std::string& op, const std::string& from, const std::string& to) {
  const auto text = std::make_shared<std::string>(
      fmt::format("func.func @main(%a: {0}) -> {1} {{\n  %0 = {2}\n  return %0 : {1}\n}}\n", from, to, op));
  Program program;
  program.module = Must(ReadText(*text, text));
  return program;
}

TEST(JustifiedToleranceTest, FollowsTheOpsThatAreNotComputedInFixedOrder) {
  constexpr double kF32 = 0x1p-11, kF64 = 0x1p-26;
  const auto call = [](const char* target, const char* type) {
    return fmt::format("stablehlo.custom_call @{}(%a) : ({}) -> {}", target, type, type);
  };
  const std::string c = "the C library computes ", l = "LAPACK computes ";
  const struct {
    std::string type, op;
    double tolerance;
    std::string reason;
  } rows[] = {
      {"tensor<2xf64>", "stablehlo.negate %a : tensor<2xf64>", 0, "the same bits"},
      {"tensor<2xf32>", "stablehlo.tanh %a : tensor<2xf32>", 0, "the same bits"},
      {"tensor<2xf64>", "stablehlo.tanh %a : tensor<2xf64>", kF64,
       "half of the digits of f64: " + c + "'stablehlo.tanh'"},
      {"tensor<2xcomplex<f64>>", "stablehlo.exponential %a : tensor<2xcomplex<f64>>", kF64,
       "half of the digits of f64: " + c + "'stablehlo.exponential'"},
      {"tensor<2xf64>", "chlo.erf %a : tensor<2xf64> -> tensor<2xf64>", kF64,
       "half of the digits of f64: " + c + "'chlo.erf'"},
      {"tensor<2xf64>", call("mhlo.erf", "tensor<2xf64>"), kF64,
       "half of the digits of f64: " + c + "'stablehlo.custom_call'"},
      {"tensor<2xf64>", call("other", "tensor<2xf64>"), 0, "the same bits"},
      {"tensor<2x2xf32>", call("lapack_spotrf_ffi", "tensor<2x2xf32>"), kF32,
       "half of the digits of f32: " + l + "'lapack_spotrf_ffi'"},
      {"tensor<2x2xcomplex<f32>>", call("blas_ctrsm", "tensor<2x2xcomplex<f32>>"), kF32,
       "half of the digits of f32: " + l + "'blas_ctrsm'"},
      {"tensor<2x2xf64>", call("Qr", "tensor<2x2xf64>"), kF64, "half of the digits of f64: " + l + "'Qr'"},
      {"tensor<?xf32>", "stablehlo.tanh %a : tensor<?xf32>", kF64,  // of unknown size: as if it was f64
       "half of the digits of f64: " + c + "'stablehlo.tanh'"},
  };
  for (const auto& row : rows) {
    const Justified found = JustifiedTolerance(Applying(row.op, row.type, row.type).module);
    EXPECT_EQ(found.tolerance, row.tolerance) << row.op;
    EXPECT_EQ(found.reason.substr(0, row.reason.size()), row.reason) << row.op;
    EXPECT_EQ(found.tolerance == 0, found.reason.starts_with("the same bits")) << row.op;
  }
}

TEST(JustifiedToleranceTest, TheWidestOfAProgramCounts) {
  const std::string text = R"(func.func @main(%a: tensor<2x2xf64>, %b: tensor<2x2xf32>) {
  %0 = stablehlo.custom_call @lapack_spotrf_ffi(%b) : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = stablehlo.sine %a : tensor<2x2xf64>
  return
})";
  EXPECT_EQ(JustifiedTolerance(Must(ReadText(text, nullptr))).tolerance, 0x1p-11);
}

class GoldenTest : public ArchiveTest {
 protected:
  static Tensor F32(const std::vector<float>& values) {
    const int64_t shape[] = {int64_t(values.size())};
    const std::string_view bytes(reinterpret_cast<const char*>(values.data()), 4 * values.size());
    return Tensor::Copy(MakeTensorType({TypeKind::kF32}, shape), bytes);
  }
};

TEST_F(GoldenTest, KeepsTensorsOnly) {
  const std::string tensor = "tensor<2xf32>", token = "!stablehlo.token";
  const auto result = ComputeGolden(Applying("stablehlo.after_all %a : !stablehlo.token", token, token), "",
                                    {Tensor::Token()}, {});
  ASSERT_FALSE(result);
  EXPECT_EQ(Words(result.error()),
            "error: argument 0 is not a tensor, so that no golden can keep it [unsupported]\n");
  const auto tuple =
      ComputeGolden(Applying("stablehlo.tuple %a : tuple<tensor<2xf32>>", tensor, "tuple<tensor<2xf32>>"), "",
                    {F32({1, 2})}, {});
  ASSERT_FALSE(tuple);
  EXPECT_EQ(Words(tuple.error()),
            "error: result 0 is not a tensor, so that no golden can keep it [unsupported]\n");
}

// A value whose elements are equal takes no memory until the archive keeps it.
TEST_F(GoldenTest, CountsWhatIsKept) {
  EvalOptions options;
  options.limits.max_memory = 8 << 20;
  for (const auto& [count, message] : {std::pair(1 << 20, ""),
                                       {1 << 21,
                                        "error: the golden exceeds the memory limit of 8 MiB [limit]\n  "
                                        "hint: raise the limit: --max-memory (Limits::max_memory)\n"}}) {
    const std::string type = fmt::format("tensor<{}xf32>", count);
    const std::string op = fmt::format("stablehlo.constant dense<1.0> : {}", type);
    const auto golden =
        ComputeGolden(Applying(op, "tensor<1024xf32>", type), "", {F32(std::vector<float>(1024))}, options);
    EXPECT_EQ(golden ? "" : Words(golden.error()), message);
  }
}

TEST_F(GoldenTest, TensorsThatAreNotWhatTheirEntrySaysAreRefused) {
  const Archive archive = Open();
  Writer writer = Must(Writer::Begin(archive, Options()));
  const ContentId id = Must(writer.AddBytes("12345678"));
  Must(writer.Commit());
  ASSERT_EQ(Must(LoadTensors(archive, std::vector<ArchivedTensor>{{"arg0", "tensor<2xf32>", id, 8}})).size(),
            1u);
  const struct {
    const char* type;
    const char* message;
  } rows[] = {
      {"tensor<3xf32>", "the golden has 8 bytes for a tensor of type 'tensor<3xf32>'"},
      {"tensor<f32>", "the golden has 8 bytes for a tensor of type 'tensor<f32>'"},
      {"tensor<?xf32>", "the golden has a tensor of type 'tensor<?xf32>'"},
      {"tensor<2xf33>", "the golden has a tensor of type 'tensor<2xf33>'"},
      {"!stablehlo.token", "the golden has a tensor of type '!stablehlo.token'"},
      {"tensor<2xf32>, tensor<2xf32>", "the golden has a tensor of type 'tensor<2xf32>, tensor<2xf32>'"},
      {"", "the golden has a tensor of type ''"},
  };
  for (const auto& row : rows) {
    const auto loaded = LoadTensors(archive, std::vector<ArchivedTensor>{{"arg0", row.type, id, 8}});
    ASSERT_FALSE(loaded) << row.type;
    EXPECT_EQ(loaded.error()[0].message, row.message);
    EXPECT_EQ(loaded.error()[0].code, Code::kMalformed);
  }
}

TEST_F(GoldenTest, DifferencesNameTheResult) {
  const Archive archive = Open();
  const std::string type = "tensor<2xf32>";
  const Program program = Applying("stablehlo.negate %a : tensor<2xf32>", type, type);
  NewGolden golden = Must(ComputeGolden(program, "", {F32({1, 2})}, {}));
  Writer writer = Must(Writer::Begin(archive, Options()));
  const ContentId model = Add(writer, "m", "bytes");
  Must(AddGolden(writer, model, golden));
  golden.results = {F32({-1, 7})};
  Must(AddGolden(writer, model, golden));
  golden.results = {F32({-1, -2}), F32({0})};
  Must(AddGolden(writer, model, golden));
  Must(writer.Commit());
  const std::vector<ArchivedGolden> kept = Must(archive.Find("m")).goldens;
  ASSERT_EQ(kept.size(), 3u);
  using Differences = std::vector<std::string>;
  EXPECT_EQ(Must(CheckGolden(archive, kept[0], program, {})), Differences());
  EXPECT_EQ(
      Must(CheckGolden(archive, kept[1], program, {})),
      Differences{"result 0 differs in 1 of 2 elements: -2.000000e+00 at [1], but 7.000000e+00 was kept"});
  EXPECT_EQ(Must(CheckGolden(archive, kept[2], program, {})),
            Differences{"2 results were kept, but the function returns 1 result"});
}

}  // namespace
}  // namespace shlo::archive
