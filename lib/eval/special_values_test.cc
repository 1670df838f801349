// Functions of CHLO at infinities, zeros, poles, subnormal and extreme numbers, against mpmath and SciPy.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <map>

#include "eval/test_program.h"
#include "ir/table/ulp_distance.h"
#include "shlo/evaluate.h"

namespace shlo {
namespace {

struct SpecialValue {
  std::string_view op;
  double x, y, right;
};
constexpr SpecialValue kSpecialValues[] = {
#define SHLO_VALUE(...) {__VA_ARGS__},
#include "eval/special_values.inc"
};

TEST(SpecialValues, AreThoseOfSciPy) {
  std::map<std::string_view, std::vector<SpecialValue>> by_op;
  for (const SpecialValue& value : kSpecialValues) by_op[value.op].push_back(value);
  EXPECT_GE(by_op.size(), 17u);
  for (const auto& [op, values] : by_op) {
    const size_t operands = RevisionOf(NewestRevision(FindOp(op))).operands.size();
    const std::vector<int64_t> shape{int64_t(values.size())};
    std::vector<double> numbers[2];
    for (const SpecialValue& value : values) numbers[0].push_back(value.x), numbers[1].push_back(value.y);
    TestProgram p;
    const TypeId type = p.Tensor(TypeKind::kF64, shape);
    std::vector<Tensor> args;
    for (size_t i = 0; i < operands; ++i) args.push_back(TensorOf({TypeKind::kF64}, shape, numbers[i]));
    p.Function("main", std::vector<TypeId>(operands, type), {type}, [&, name = op](std::vector<ValueId> a) {
      return std::vector<ValueId>{p.Op(name, a, {type})};
    });
    const auto result = Evaluate(p.Done(), "main", args);
    ASSERT_TRUE(result) << op << ": " << result.error()[0].message;
    for (size_t i = 0; i < values.size(); ++i) {
      const double value = std::bit_cast<double>(ElementBits(result->results[0], i)), right = values[i].right;
      EXPECT_LE(UlpDistance(TypeKind::kF64, value, right, 0), 1)
          << op << " of " << values[i].x << ", " << values[i].y << " is " << value << ", expected " << right;
      EXPECT_TRUE(right != 0 || std::signbit(value) == std::signbit(right)) << op << " of " << values[i].x;
    }
  }
}

}  // namespace
}  // namespace shlo
