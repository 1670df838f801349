#include "shlo/strided.h"

#include <gtest/gtest.h>

#include "eval/test_program.h"
#include "shlo/evaluate.h"

namespace shlo {
namespace {

const ElementType kI32 = {TypeKind::kI32};

TEST(Strided, RowMajorIsNotCopied) {
  const int32_t data[6] = {1, 2, 3, 4, 5, 6};
  const int64_t shape[] = {2, 3}, strides[] = {3, 1};
  const ValueTypePtr type = MakeTensorType(kI32, shape);
  EXPECT_EQ(TensorAt(type, data)->data(), reinterpret_cast<const uint8_t*>(data));
  EXPECT_EQ(TensorAt(type, data, strides)->data(), reinterpret_cast<const uint8_t*>(data));
}

TEST(Strided, ColumnsBackwardsAndRepeated) {
  const int32_t data[6] = {1, 2, 3, 4, 5, 6};
  const int64_t shape[] = {3, 2}, columns[] = {1, 3}, back[] = {-2, -1}, repeated[] = {0, 1};
  const ValueTypePtr type = MakeTensorType(kI32, shape);
  EXPECT_EQ(PrintValues(*TensorAt(type, data, columns)), "[[1, 4], [2, 5], [3, 6]]");
  EXPECT_EQ(PrintValues(*TensorAt(type, data + 5, back)), "[[6, 5], [4, 3], [2, 1]]");
  EXPECT_EQ(PrintValues(*TensorAt(type, data, repeated)), "[[1, 2], [1, 2], [1, 2]]");
  const int64_t one[] = {1};
  EXPECT_FALSE(TensorAt(type, data, one));
}

TEST(Strided, FunctionOnTheBuffersOfTheCaller) {
  TestProgram p;
  const TypeId type = p.Tensor(TypeKind::kI32, {2, 2});
  p.Function("main", {type}, {type}, [&](std::vector<ValueId> args) {
    return std::vector<ValueId>{p.Op("stablehlo.add", {args[0], args[0]}, {type})};
  });
  p.Done();
  const int32_t in[4] = {1, 2, 3, 4};
  const int64_t transposed[] = {1, 2}, spread[] = {4, 2};
  const Tensor args[] = {*TensorAt(TensorTypeOf(p.module(), type), in, transposed)};
  const auto result = Evaluate(p.module(), "main", args);
  ASSERT_TRUE(result);
  int32_t out[8] = {};
  ASSERT_TRUE(CopyTo(result->results[0], out, spread));
  EXPECT_EQ(std::vector<int32_t>(out, out + 8), (std::vector<int32_t>{2, 0, 6, 0, 4, 0, 8, 0}));
  int32_t splat[4] = {};
  const int32_t seven = 7;
  ASSERT_TRUE(CopyTo(
      Tensor::View(TensorTypeOf(p.module(), type), reinterpret_cast<const uint8_t*>(&seven), nullptr, true),
      splat));
  EXPECT_EQ(std::vector<int32_t>(splat, splat + 4), std::vector<int32_t>(4, 7));
}

TEST(Strided, OnlyTensorsHaveElements) {
  const int32_t data[2] = {1, 2};
  int32_t out[2] = {};
  const auto words = [](const auto& result) {
    return result ? std::string("no error") : result.error()[0].message;
  };
  EXPECT_EQ(words(TensorAt(nullptr, data)), "expected a tensor type");
  EXPECT_EQ(words(TensorAt(Tensor::Token().type_ptr(), data)), "expected a tensor, got a token or tuple");
  EXPECT_EQ(words(CopyTo(Tensor(), out)), "expected a tensor");
  EXPECT_EQ(words(CopyTo(Tensor::Tuple({}), out)), "expected a tensor, got a token or tuple");
}

}  // namespace
}  // namespace shlo
