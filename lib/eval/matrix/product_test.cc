#include <gtest/gtest.h>

#include <cmath>

#include "eval/test_program.h"
#include "shlo/evaluate.h"
#include "shlo/random_tensor.h"

namespace shlo {
namespace {

struct Case {
  int64_t b, m, k, n;
};

Result<EvalResult> Multiply(const Case& c, TypeKind kind, const EvalOptions& options,
                            std::vector<Tensor>* args) {
  TestProgram p;
  const TypeId left = p.Tensor(kind, {c.b, c.m, c.k}), right = p.Tensor(kind, {c.b, c.k, c.n});
  const TypeId result = p.Tensor(kind, {c.b, c.m, c.n});
  const std::vector<int64_t> zero = {0}, one = {1}, two = {2};
  Module& m = p.module();
  p.Function("main", {left, right}, {result}, [&](std::vector<ValueId> values) {
    return std::vector<ValueId>{p.Op("stablehlo.dot_general", {values[0], values[1]}, {result},
                                     {{"lhs_batching_dimensions", m.I64s(zero)},
                                      {"rhs_batching_dimensions", m.I64s(zero)},
                                      {"lhs_contracting_dimensions", m.I64s(two)},
                                      {"rhs_contracting_dimensions", m.I64s(one)}})};
  });
  p.Done();
  *args = {RandomTensor(TensorTypeOf(m, left), 1), RandomTensor(TensorTypeOf(m, right), 2)};
  return Evaluate(m, "main", *args, options);
}

// Sizes just below and above those of tiles, panels and blocks.
const Case kCases[] = {{1, 1, 1, 1},     {1, 1, 5, 100},   {2, 3, 7, 15},   {1, 13, 384, 16},
                       {1, 14, 385, 17}, {1, 15, 400, 33}, {1, 225, 3, 31}, {3, 29, 770, 65},
                       {1, 450, 64, 48}, {1, 5, 0, 4},     {1, 8, 257, 48}, {1, 9, 256, 49},
                       {2, 33, 513, 96}, {1, 30, 40, 4},   {1, 30, 40, 8},  {1, 30, 40, 16},
                       {1, 30, 40, 32}};

// The reference's order: one product after the other, each rounded.
template <typename T>
void ExpectInOrder(TypeKind kind) {
  for (const Case& c : kCases) {
    std::vector<Tensor> args;
    for (const uint32_t threads : {1u, 3u}) {
      EvalOptions options;
      options.threads = threads;
      const auto result = Multiply(c, kind, options, &args);
      ASSERT_TRUE(result) << Render(result.error()[0]);
      const auto at = [](const Tensor& t, int64_t i) {
        T value;
        std::memcpy(&value, t.at(uint64_t(i)), sizeof value);
        return value;
      };
      for (int64_t b = 0; b < c.b; ++b)
        for (int64_t i = 0; i < c.m; ++i)
          for (int64_t j = 0; j < c.n; ++j) {
            T sum = 0;
            for (int64_t p = 0; p < c.k; ++p) {
              const T product = at(args[0], (b * c.m + i) * c.k + p) * at(args[1], (b * c.k + p) * c.n + j);
              sum = T(sum + product);
            }
            ASSERT_EQ(at(result->results[0], (b * c.m + i) * c.n + j), sum)
                << c.m << "x" << c.k << "x" << c.n << " at " << i << ", " << j;
          }
    }
  }
}

TEST(MatrixProduct, F32InOrder) { ExpectInOrder<float>(TypeKind::kF32); }
TEST(MatrixProduct, F64InOrder) { ExpectInOrder<double>(TypeKind::kF64); }
TEST(MatrixProduct, I32) { ExpectInOrder<uint32_t>(TypeKind::kI32); }
TEST(MatrixProduct, I64) { ExpectInOrder<uint64_t>(TypeKind::kI64); }

TEST(MatrixProduct, FastIsNear) {
  for (const Case& c : kCases) {
    std::vector<Tensor> args;
    EvalOptions options;
    const auto exact = Multiply(c, TypeKind::kF32, options, &args);
    options.fast = true;
    const auto fast = Multiply(c, TypeKind::kF32, options, &args);
    ASSERT_TRUE(exact && fast);
    for (uint64_t i = 0; i < exact->results[0].count(); ++i) {
      float a, b;
      std::memcpy(&a, exact->results[0].at(i), sizeof a);
      std::memcpy(&b, fast->results[0].at(i), sizeof b);
      EXPECT_LE(std::fabs(a - b), 1e-6f * float(c.k));
    }
  }
}

}  // namespace
}  // namespace shlo
