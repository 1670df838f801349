#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <bit>
#include <cmath>
#include <cstdio>

#include "base/mapped_bytes.h"
#include "base/test_sanitizers.h"
#include "eval/loops/element_loop.h"
#include "eval/loops/instruction_set.h"
#include "eval/test_program.h"
#include "ir/table/float_format.h"
#include "shlo/evaluate.h"
#include "shlo/random_tensor.h"

namespace shlo {
namespace {

constexpr InstructionSet kSets[] = {InstructionSet::kPlain, InstructionSet::kAvx2, InstructionSet::kAvx512};

struct Case {
  int64_t b, m, k, n;
};

// Dimensions of an operand, as they are in memory: of the batch, of rows and of columns.
struct Order {
  size_t b, row, column;
  std::vector<int64_t> Of(int64_t batch, int64_t rows, int64_t columns) const {
    std::vector<int64_t> shape(3);
    shape[b] = batch, shape[row] = rows, shape[column] = columns;
    return shape;
  }
  int64_t At(const std::vector<int64_t>& shape, int64_t batch, int64_t i, int64_t j) const {
    std::vector<int64_t> index(3);
    index[b] = batch, index[row] = i, index[column] = j;
    return (index[0] * shape[1] + index[1]) * shape[2] + index[2];
  }
};
constexpr Order kInOrder{0, 1, 2};
const Order kOrders[] = {kInOrder, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

// Returns the elements as a view at an address that is a multiple of 1 only, as in files.
Tensor Unaligned(const Tensor& tensor) {
  const auto bytes = std::make_shared<const std::string>("x" + tensor.ToBytes());
  return Tensor::View(tensor.type_ptr(), reinterpret_cast<const uint8_t*>(bytes->data()) + 1, bytes);
}

Result<EvalResult> Multiply(const Case& c, TypeKind kind, const EvalOptions& options,
                            std::vector<Tensor>* args, const Order& l = kInOrder, const Order& r = kInOrder,
                            const Tensor* given_right = nullptr) {
  TestProgram p;
  const TypeId left = p.Tensor(kind, l.Of(c.b, c.m, c.k)), right = p.Tensor(kind, r.Of(c.b, c.k, c.n));
  const TypeId result = p.Tensor(kind, {c.b, c.m, c.n});
  const auto dimension = [](size_t d) { return std::vector<int64_t>{int64_t(d)}; };
  Module& m = p.module();
  p.Function("main", {left, right}, {result}, [&](std::vector<ValueId> values) {
    return std::vector<ValueId>{p.Op("stablehlo.dot_general", {values[0], values[1]}, {result},
                                     {{"lhs_batching_dimensions", m.I64s(dimension(l.b))},
                                      {"rhs_batching_dimensions", m.I64s(dimension(r.b))},
                                      {"lhs_contracting_dimensions", m.I64s(dimension(l.column))},
                                      {"rhs_contracting_dimensions", m.I64s(dimension(r.row))}})};
  });
  p.Done();
  *args = {Unaligned(RandomTensor(TensorTypeOf(m, left), 1)),
           Unaligned(RandomTensor(TensorTypeOf(m, right), 2))};
  if (given_right) (*args)[1] = *given_right;
  return Evaluate(m, "main", *args, options);
}

// Sizes just below and above those of tiles, panels and blocks.
const Case kCases[] = {{1, 1, 1, 1},     {1, 1, 5, 100},    {2, 3, 7, 15},   {1, 13, 384, 16},
                       {1, 14, 385, 17}, {1, 15, 400, 33},  {1, 225, 3, 31}, {3, 29, 770, 65},
                       {1, 450, 64, 48}, {1, 5, 0, 4},      {1, 8, 257, 48}, {1, 9, 256, 49},
                       {2, 33, 513, 96}, {1, 30, 40, 4},    {1, 30, 40, 8},  {1, 30, 40, 16},
                       {1, 30, 40, 32},  {1, 150, 530, 310}};

// The reference's order: one product after the other, each rounded.
template <typename T>
void ExpectInOrder(TypeKind kind) {
  for (const Case& c : kCases) {
    std::vector<Tensor> args;
    std::optional<Tensor> first;
    for (const uint32_t threads : {1u, 3u}) {
      std::optional<Result<EvalResult>> result;
      for (const InstructionSet set : kSets) {
        const LimitInstructionSet limit(set);
        EvalOptions options;
        options.limits.threads = threads;
        result = Multiply(c, kind, options, &args);
        ASSERT_TRUE(*result) << Render(result->error()[0]);
        if (!first) first = (*result)->results[0];
        ASSERT_TRUE(BitEqual((*result)->results[0], *first)) << threads << " threads, set " << int(set);
      }
      if (threads > 1) break;  // the same bits
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
            ASSERT_EQ(at(*first, (b * c.m + i) * c.n + j), sum)
                << c.m << "x" << c.k << "x" << c.n << " at " << i << ", " << j;
          }
    }
  }
}

TEST(MatrixProduct, F32InOrder) { ExpectInOrder<float>(TypeKind::kF32); }
TEST(MatrixProduct, F64InOrder) { ExpectInOrder<double>(TypeKind::kF64); }
TEST(MatrixProduct, I32) { ExpectInOrder<uint32_t>(TypeKind::kI32); }
TEST(MatrixProduct, I64) { ExpectInOrder<uint64_t>(TypeKind::kI64); }

// Operands in any order of their dimensions are read where they are.
TEST(MatrixProduct, StridedOperandsInOrder) {
  SomeCases cases(5);
  for (const Case& c : {Case{3, 14, 130, 33}, Case{2, 5, 7, 50}, Case{1, 30, 260, 1}, Case{4, 1, 9, 24}})
    for (const Order& l : kOrders)
      for (const Order& r : kOrders) {
        if (!cases.Next()) continue;
        std::vector<Tensor> args;
        EvalOptions options;
        options.limits.threads = 2;
        const auto result = Multiply(c, TypeKind::kF32, options, &args, l, r);
        ASSERT_TRUE(result) << Render(result.error()[0]);
        const auto at = [](const Tensor& t, int64_t i) {
          float value;
          std::memcpy(&value, t.at(uint64_t(i)), sizeof value);
          return value;
        };
        const std::vector<int64_t>&ls = args[0].type().shape, &rs = args[1].type().shape;
        for (int64_t b = 0; b < c.b; ++b)
          for (int64_t i = 0; i < c.m; ++i)
            for (int64_t j = 0; j < c.n; ++j) {
              float sum = 0;
              for (int64_t p = 0; p < c.k; ++p) {
                const float product = at(args[0], l.At(ls, b, i, p)) * at(args[1], r.At(rs, b, p, j));
                sum += product;
              }
              ASSERT_EQ(at(result->results[0], (b * c.m + i) * c.n + j), sum)
                  << l.b << l.row << l.column << " " << r.b << r.row << r.column << " at " << i << ", " << j;
            }
      }
}

// Products of random bits, of infinities and NaN too, each product and sum rounded to the format.
TEST(MatrixProduct, NarrowTypesInOrder) {
  for (const TypeKind kind : {TypeKind::kBF16, TypeKind::kF16})
    for (const Case& c : {Case{2, 9, 70, 51}, Case{1, 3, 300, 5}, Case{1, 40, 20, 33}}) {
      std::vector<Tensor> args;
      for (const Order& order : {kInOrder, Order{0, 2, 1}, Order{2, 1, 0}})
        for (const InstructionSet set : kSets) {
          const LimitInstructionSet limit(set);
          const auto result = Multiply(c, kind, {}, &args, order, order);
          ASSERT_TRUE(result) << Render(result.error()[0]);
          const std::vector<int64_t>&ls = args[0].type().shape, &rs = args[1].type().shape;
          const auto at = [&](const Tensor& t, int64_t i) {
            return float(DecodeFloat(kind, ElementBits(t, uint64_t(i))));
          };
          const auto rounded = [&](float v) {
            return float(DecodeFloat(kind, EncodeFloat(kind, CanonicalNan(double(v)))));
          };
          for (int64_t b = 0; b < c.b; ++b)
            for (int64_t i = 0; i < c.m; ++i)
              for (int64_t j = 0; j < c.n; ++j) {
                float sum = 0;
                for (int64_t p = 0; p < c.k; ++p)
                  sum = rounded(
                      sum + rounded(at(args[0], order.At(ls, b, i, p)) * at(args[1], order.At(rs, b, p, j))));
                ASSERT_EQ(ElementBits(result->results[0], uint64_t((b * c.m + i) * c.n + j)),
                          EncodeFloat(kind, CanonicalNan(double(sum))))
                    << c.m << "x" << c.k << "x" << c.n << " at " << i << ", " << j << ", set " << int(set);
              }
        }
    }
}

// Operands in mapped files are read in parts: the same results as from memory.
TEST(MatrixProduct, OperandsInFiles) {
  for (const Case& c : {Case{1, 5, 1100, 2000}, Case{3, 5, 400, 500}, Case{1, 2, 30, 90'000}})
    for (const Order& order : {kInOrder, Order{0, 2, 1}})
      for (const TypeKind kind : {TypeKind::kF32, TypeKind::kBF16}) {
        std::vector<Tensor> args;
        EvalOptions options;
        options.fast = kind == TypeKind::kBF16;
        const auto expected = Multiply(c, kind, options, &args, kInOrder, order);
        ASSERT_TRUE(expected) << Render(expected.error()[0]);
        std::FILE* const file = std::tmpfile();
        ASSERT_NE(file, nullptr);
        const std::string bytes = "123" + args[1].ToBytes();  // at any address
        ASSERT_EQ(std::fwrite(bytes.data(), 1, bytes.size(), file), bytes.size());
        std::fflush(file);
        void* const data = ::mmap(nullptr, bytes.size(), PROT_READ, MAP_PRIVATE, ::fileno(file), 0);
        ASSERT_NE(data, MAP_FAILED);
        AddMapping(data, bytes.size(), ::fileno(file), "a file");
        for (const uint32_t threads : {1u, 3u}) {
          options.limits.threads = threads;
          const Tensor mapped =
              Tensor::View(args[1].type_ptr(), static_cast<const uint8_t*>(data) + 3, nullptr);
          const auto result = Multiply(c, kind, options, &args, kInOrder, order, &mapped);
          ASSERT_TRUE(result) << Render(result.error()[0]);
          EXPECT_TRUE(BitEqual(result->results[0], expected->results[0]))
              << c.n << ", " << threads << " threads";
        }
        RemoveMapping(data);
        ::munmap(data, bytes.size());
        std::fclose(file);
      }
}

// With the option `fast`, sums of bf16 are sums of f32, rounded once.
TEST(MatrixProduct, FastNarrowTypesSumInF32) {
  const Case c{1, 3, 300, 5};
  std::vector<Tensor> args;
  EvalOptions options;
  options.fast = true;
  const auto result = Multiply(c, TypeKind::kBF16, options, &args);
  ASSERT_TRUE(result) << Render(result.error()[0]);
  const auto at = [](const Tensor& t, int64_t i) {
    return DecodeFloat(TypeKind::kBF16, ElementBits(t, uint64_t(i)));
  };
  for (int64_t i = 0; i < c.m; ++i)
    for (int64_t j = 0; j < c.n; ++j) {
      double sum = 0, size = 0;
      for (int64_t p = 0; p < c.k; ++p) {
        const double product = at(args[0], i * c.k + p) * at(args[1], p * c.n + j);
        sum += product, size += std::fabs(product);
      }
      // Half a unit in the last of 8 bits, and the errors of the sum.
      EXPECT_NEAR(at(result->results[0], i * c.n + j), sum, std::fabs(sum) / 256 + size * 1e-5);
    }
}

// NaN that any part of k adds are canonical in the end, in whole tiles and at edges.
TEST(MatrixProduct, NansAreCanonical) {
  const Case c{1, 17, 1700, 99};
  const int64_t shape[3] = {c.b, c.k, c.n};
  for (const int64_t p : {int64_t(0), c.k / 2, c.k - 1}) {
    std::vector<float> right(size_t(c.k * c.n), 0.5f);
    for (const int64_t j : {int64_t(0), int64_t(50), c.n - 1})
      right[size_t(p * c.n + j)] = std::bit_cast<float>(0xFFC12345u);
    const Tensor given =
        Tensor::Copy(MakeTensorType({TypeKind::kF32}, shape),
                     {reinterpret_cast<const char*>(right.data()), right.size() * sizeof(float)});
    for (const InstructionSet set : kSets)
      for (const bool fast : {false, true}) {
        const LimitInstructionSet limit(set);
        std::vector<Tensor> args;
        EvalOptions options;
        options.fast = fast;
        const auto result = Multiply(c, TypeKind::kF32, options, &args, kInOrder, kInOrder, &given);
        ASSERT_TRUE(result) << Render(result.error()[0]);
        for (int64_t i = 0; i < c.m; ++i)
          for (int64_t j = 0; j < c.n; ++j) {
            const uint64_t bits = ElementBits(result->results[0], uint64_t(i * c.n + j));
            if (j == 0 || j == 50 || j == c.n - 1)
              ASSERT_EQ(bits, 0x7FC00000u) << p << ' ' << i << ' ' << j;
            else
              ASSERT_LT(bits & 0x7FFFFFFFu, 0x7F800000u) << p << ' ' << i << ' ' << j;
          }
      }
  }
}

TEST(MatrixProduct, FastIsNear) {
  for (const InstructionSet set : kSets)
    for (const Case& c : kCases) {
      const LimitInstructionSet limit(set);
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
