// The words for custom calls whose operands, results, options or layouts do not fit their target.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "eval/test_errors.h"

namespace shlo {
namespace {

// "%0:N = stablehlo.custom_call @target(%a0, ...)" with these operand types, which are those of @main.
struct CallRow {
  std::string_view target;
  std::vector<std::string_view> operands;
  std::vector<std::string_view> results;
  std::string_view attributes;
  std::string_view message;
  std::string_view top = {};
};

void ExpectCallErrors(std::span<const CallRow> rows, const EvalOptions& options = {}) {
  for (const CallRow& row : rows) {
    std::string args, names;
    for (size_t i = 0; i < row.operands.size(); ++i) {
      args += fmt::format("{}%a{}: {}", i ? ", " : "", i, row.operands[i]);
      names += fmt::format("{}%a{}", i ? ", " : "", i);
    }
    const std::string call =
        fmt::format("{} \"stablehlo.custom_call\"({}) {{call_target_name = \"{}\"{}{}}} : ({}) -> ({})",
                    row.results.empty() ? "" : fmt::format("%0:{} =", row.results.size()), names, row.target,
                    row.attributes.empty() ? "" : ", ", row.attributes, fmt::join(row.operands, ", "),
                    fmt::join(row.results, ", "));
    const std::string words = fmt::format("stablehlo.custom_call: {}", row.message);
    const ErrorRow error[] = {{args, call, words, row.top}};
    ExpectErrors(error, options);
  }
}

constexpr std::string_view kGreater =
    R"(func.func @greater(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<i1> {
  %0 = "stablehlo.compare"(%a, %b) {comparison_direction = #stablehlo<comparison_direction GT>} : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
})";

TEST(CustomCallErrors, DynamicCalls) {
  const std::vector<std::string_view> operands = {"tensor<4xf32>", "tensor<4xi32>", "tensor<f32>",
                                                  "tensor<i32>"};
  const std::vector<std::string_view> results = {"tensor<2xf32>", "tensor<2xi32>"};
  const std::string_view window = "tensor<1xi32>";
  const CallRow rows[] = {
      {"ApproxTopK", operands, results,
       "called_computations = [@greater], mhlo.backend_config = {reduction_dim = 1 : i64, top_k = 2 : i64}",
       "reduction_dim is out of range", kGreater},
      {"ApproxTopK", operands, results,
       "called_computations = [@greater], mhlo.backend_config = {reduction_dim = 0 : i64, top_k = 5 : i64}",
       "k is out of range for the operand", kGreater},
      {"ApproxTopK",
       operands,
       {"tensor<1x2xf32>", "tensor<1x2xi32>"},
       "called_computations = [@greater], mhlo.backend_config = {aggregate_to_topk = false, reduction_dim = "
       "0 "
       ": i64, top_k = 2 : i64}",
       "result shape does not match the operand",
       kGreater},
      {"ApproxTopK", operands, results,
       "called_computations = [@greater], indices_of_shape_operands = dense<0> : tensor<1xi64>",
       "shape operands are not the last operands", kGreater},
      // One number of padding, although the window has one dimension.
      {"stablehlo.dynamic_reduce_window",
       {"tensor<4xi32>", "tensor<i32>", window, window, window, window, window},
       {"tensor<?xi32>"},
       "called_computations = [@sum]",
       "window attributes do not match the operand rank",
       R"(func.func @sum(%a: tensor<i32>, %b: tensor<i32>) -> tensor<i32> {
            %0 = "stablehlo.add"(%a, %b) : (tensor<i32>, tensor<i32>) -> tensor<i32>
            return %0 : tensor<i32>
          })"},
  };
  ExpectCallErrors(rows);
}

TEST(CustomCallErrors, CalledComputationsCountAsCalls) {
  EvalOptions options;
  options.limits.max_depth = 0;
  const CallRow rows[] = {
      {"ApproxTopK",
       {"tensor<4xf32>", "tensor<4xi32>", "tensor<f32>", "tensor<i32>"},
       {"tensor<2xf32>", "tensor<2xi32>"},
       "called_computations = [@greater], mhlo.backend_config = {reduction_dim = 0 : i64, top_k = 2 : i64}",
       "calls nest more than 0 levels deep",
       R"(func.func @greater(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<i1> {
            %0 = func.call @compare(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<i1>
            return %0 : tensor<i1>
          }
          func.func @compare(%a: tensor<f32>, %b: tensor<f32>) -> tensor<i1> {
            %0 = "stablehlo.compare"(%a, %b) {comparison_direction = #stablehlo<comparison_direction GT>} : (tensor<f32>, tensor<f32>) -> tensor<i1>
            return %0 : tensor<i1>
          })"}};
  ExpectCallErrors(rows, options);
}

TEST(CustomCallErrors, Lapack) {
  const std::string_view matrix = "tensor<2x2xf32>", wide = "tensor<2x3xf32>", tall = "tensor<3x2xf32>",
                         pair = "tensor<2xf32>", i32 = "tensor<i32>", three = "tensor<3xf32>";
  const std::string_view trsm =
      "mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}";
  const CallRow rows[] = {
      {"lapack_sgetrf_ffi", {matrix, matrix}, {matrix}, "", "expected 1 operand, got 2"},
      {"lapack_sgetrf", {matrix}, {matrix}, "", "expected 4 operands, got 1"},
      {"lapack_sgetrf_ffi",
       {"tensor<2x2xf64>"},
       {matrix},
       "",
       "operand 0 has type tensor<2x2xf64>, expected matrices of f32"},
      {"lapack_cgetrf",
       {i32, i32, i32, pair},
       {matrix},
       "",
       "operand 3 has type tensor<2xf32>, expected matrices of complex<f32>"},
      {"lapack_sorgqr_ffi",
       {matrix, "tensor<f32>"},
       {matrix},
       "",
       "operand 1 has type tensor<f32>, expected vectors of f32"},
      {"lapack_sgetrf_ffi", {matrix}, {matrix}, "", "expected more than 1 result"},
      {"lapack_spotrf_ffi",
       {matrix},
       {matrix, i32},
       "mhlo.backend_config = {uplo = 65 : ui8}",
       "option 'uplo' has the unknown value 65"},
      {"lapack_spotrf_ffi",
       {wide},
       {wide, i32},
       "mhlo.backend_config = {uplo = 76 : ui8}",
       "expected square matrices, got 2x3"},
      // 2^28 elements each, of no matrices.
      {"lapack_sgetrf_ffi",
       {"tensor<0x16384x16384xf32>"},
       {"tensor<0x16384x16384xf32>"},
       "",
       "a matrix exceeds the limit of 134217728 elements"},
      {"lapack_strsm_ffi", {matrix, tall}, {tall}, trsm, "operand shapes do not match"},
      {"lapack_sgeqp3_ffi",
       {matrix, "tensor<3xi32>"},
       {matrix, "tensor<3xi32>", pair},
       "",
       "operand shapes do not match"},
      {"lapack_sorgqr_ffi", {wide, pair}, {wide}, "", "operand shapes do not match"},
      {"lapack_sormqr_ffi",
       {matrix, pair, tall},
       {tall},
       "mhlo.backend_config = {left = true, transpose = false}",
       "operand shapes do not match"},
      {"lapack_sgtsv_ffi",
       {pair, three, pair, matrix},
       {pair, three, pair, matrix, i32},
       "",
       "operand shapes do not match"},
      {"lapack_sgees_ffi",
       {matrix},
       {matrix, matrix, pair, pair, i32, i32},
       "mhlo.backend_config = {mode = 86 : ui8, sort = 83 : ui8}",
       "sorting eigenvalues of a Schur form is not supported"},
      {"lapack_sgehrd_ffi",
       {matrix},
       {matrix, "tensor<1xf32>", i32},
       "mhlo.backend_config = {high = 3 : i32, low = 1 : i32}",
       "rows of the Hessenberg form are out of range"},
      // Layouts, from the innermost dimension on.
      {"lapack_sorgqr_ffi",
       {matrix, pair},
       {matrix},
       "operand_layouts = [dense<[0, 1]> : tensor<2xindex>]",
       "'operand_layouts' has only 1 layout"},
      {"lapack_sgetrf_ffi",
       {matrix},
       {matrix, "tensor<2xi32>", i32},
       "operand_layouts = [dense<[0, 1, 2]> : tensor<3xindex>]",
       "'operand_layouts' has 3 dimensions, expected 2"},
      {"lapack_sgetrf_ffi",
       {matrix},
       {matrix, "tensor<2xi32>", i32},
       "operand_layouts = [dense<[0, 0]> : tensor<2xindex>]",
       "operand_layouts: duplicate dimension 0"},
  };
  ExpectCallErrors(rows);
}

TEST(CustomCallErrors, OlderTriangularSolveWithAnUnknownForm) {
  // side, lower, trans = 3, unit diagonal, rows, columns, batch, alpha.
  const ErrorRow rows[] = {
      {"%a: tensor<2x2xf32>, %n: tensor<i32>, %one: tensor<f32>",
       R"(%t = "stablehlo.constant"() {value = dense<3> : tensor<i32>} : () -> tensor<i32>
          %0 = "stablehlo.custom_call"(%n, %n, %t, %n, %n, %n, %n, %one, %a, %a) {call_target_name = "blas_strsm"} : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>)",
       "stablehlo.custom_call: option 'trans_a' is out of range"}};
  ExpectErrors(rows);
}

TEST(CustomCallErrors, SparseProducts) {
  const std::string_view values = "tensor<2xf32>", starts = "tensor<3xi32>", columns = "tensor<2xi32>";
  const CallRow rows[] = {
      {"cpu_csr_sparse_dense_ffi",
       {values, starts, "tensor<3xi32>", "tensor<3xf32>"},
       {values},
       "",
       "operand shapes do not match"},
      {"cpu_csr_sparse_dense_ffi",
       {values, starts, columns, "tensor<3x2xf32>"},
       {"tensor<2x2xf32>"},
       "operand_layouts = [dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<0> : "
       "tensor<1xindex>, "
       "dense<[0, 1]> : tensor<2xindex>]",
       "'operand_layouts' that are not row-major are not supported"},
  };
  ExpectCallErrors(rows);
}

// Custom calls that a function of another program computes.
TEST(CustomCallErrors, FunctionsOfOtherPrograms) {
  const auto program = std::make_shared<const Module>(*naive::Read(R"(
func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }
func.func @g(%x: tensor<2xf64>) -> tensor<2xf64> { return %x : tensor<2xf64> }
func.func @h() { return })"));
  const auto words = [](const auto& result) {
    return result ? std::string("no error") : result.error()[0].message + "|" + result.error()[0].hint;
  };
  EXPECT_EQ(words(CustomCallOf(program, "", {})),
            "no entry function|append the function to the file: FILE:FUNCTION");
  EXPECT_EQ(words(CustomCallOf(program, "k", {})),
            "there is no function @k|append the function to the file: FILE:FUNCTION");
  const auto module = naive::Read(R"(func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.custom_call"(%x) {call_target_name = "t"} : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
})");
  ASSERT_TRUE(module);
  const Op* call = nullptr;
  for (uint32_t i = 1; i < module->ops.size(); ++i)
    if (module->NameOf(module->ops[i]) == "stablehlo.custom_call") call = &module->ops[i];
  ASSERT_TRUE(call);
  EXPECT_EQ(words(FitsCustomCall(*module, *call, *program, "f")), "no error");
  EXPECT_EQ(words(FitsCustomCall(*module, *call, *program, "k")), "there is no function @k|");
  EXPECT_EQ(words(FitsCustomCall(*module, *call, *program, "g")),
            "operand 0 of @t has type tensor<2xf32>, but @g has tensor<2xf64>|");
  EXPECT_EQ(words(FitsCustomCall(*module, *call, *program, "h")),
            "@t has 1 operand and 1 result, but @h has 0 arguments and 0 results|");
}

}  // namespace
}  // namespace shlo
