// The kernel table: one row per shape of each evaluable op. A row names the op (a misspelled name does not
// compile) and the version its shape begins at; an op in the table that lacks a kernel for one of its shapes
// does not compile either, so that an op cannot gain a shape without gaining its meaning.
#include <array>

#include "eval/interpreter.h"
#include "eval/kernel.h"
#include "eval/kernels.h"

namespace shlo {
namespace {

using table::kCells;

struct KernelRow {
  RowId op;
  Version since;  // the first version of the shape
  Kernel kernel;
};

consteval KernelRow Row(std::string_view name, uint16_t since, Kernel kernel) {
  return {OpNamed(name), Version{since}, kernel};
}

constexpr KernelRow kKernels[] = {
    Row("stablehlo.add", 37, EvaluateAdd),
    Row("stablehlo.and", 37, EvaluateAnd),
    Row("stablehlo.constant", 37, EvaluateConstant),
    Row("stablehlo.maximum", 37, EvaluateMaximum),
    Row("stablehlo.minimum", 37, EvaluateMinimum),
    Row("stablehlo.not", 37, EvaluateNot),
    Row("stablehlo.or", 37, EvaluateOr),
    Row("stablehlo.sub", 37, EvaluateSubV37),
    Row("stablehlo.subtract", 40, EvaluateSubtract),
    Row("stablehlo.xor", 37, EvaluateXor),
    Row("stablehlo.return", 37, EvaluateReturn),
    Row("chlo.constant", 37, EvaluateConstant),
    Row("func.call", 37, EvaluateCall),
    Row("func.return", 37, EvaluateReturn),
    Row("ml_program.return", 37, EvaluateReturn),
    Row("ml_program.output", 37, EvaluateReturn),
    Row("check.expect_eq", 64, EvaluateExpectEq),
    Row("check.expect_eq_const", 64, EvaluateExpectEqConst),
    Row("check.expect_almost_eq", 64, EvaluateExpectAlmostEq),
    Row("check.expect_almost_eq_const", 64, EvaluateExpectAlmostEqConst),
    Row("check.expect_close", 64, EvaluateExpectClose),
};

constexpr size_t kNumShapes = [] {
  size_t n = 1;  // index 0: an op without a row
  for (const Cell& cell : kCells) n += cell.tag == CellTag::kShape;
  return n;
}();

struct Dispatch {
  std::array<Kernel, kNumShapes> kernels{};
  size_t used = 0;       // rows that name a shape
  bool complete = true;  // every shape of every op in the table has a kernel
  bool unique = true;    // and only one
};

constexpr Dispatch kDispatch = [] {
  Dispatch d;
  uint16_t row = 0;
  size_t shape = 0;
  for (const Cell& cell : kCells) {
    if (cell.tag == CellTag::kOp) ++row;
    if (cell.tag != CellTag::kShape) continue;
    ++shape;
    bool evaluable = false;
    size_t kernels = 0;  // counted, because under sanitizers comparing pointers to functions is no constant
    for (const KernelRow& k : kKernels) {
      if (k.op != RowId{row}) continue;
      evaluable = true;
      if (k.since != Version{cell.x}) continue;
      d.kernels[shape] = k.kernel;
      ++kernels;
      ++d.used;
    }
    d.unique = d.unique && kernels <= 1;
    if (evaluable && kernels == 0) d.complete = false;
  }
  return d;
}();
static_assert(kDispatch.complete, "an evaluable op has a shape without a kernel");
static_assert(kDispatch.unique, "a shape has two kernels");
static_assert(kDispatch.used == std::size(kKernels),
              "a kernel is for a version in which its op has no shape");

}  // namespace

Kernel KernelOf(ShapeId shape) { return shape.v < kNumShapes ? kDispatch.kernels[shape.v] : nullptr; }

bool CanEvaluate(ShapeId shape) { return KernelOf(shape) != nullptr; }

}  // namespace shlo
