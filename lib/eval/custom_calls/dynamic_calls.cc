// Custom calls of programs with dynamic shapes, as jax exports them (jax/_src/interpreters/mlir.py), of
// approximate top-k, and of MHLO ops that StableHLO holds as custom calls.
#include <algorithm>

#include "base/format.h"
#include "base/try.h"
#include "eval/kernel/custom_call_args.h"
#include "eval/kernel/move_elements.h"
#include "eval/kernels/elementwise.h"
#include "eval/kernels/kernels.h"
#include "eval/loops/comparison.h"
#include "shlo/op_table.h"

namespace shlo {
namespace {

// A call with some of the operands.
KernelCall With(const KernelCall& call, std::span<const Tensor* const> operands,
                std::span<const ValueTypePtr> types, std::span<Tensor> results) {
  return {call.module, call.id, call.op, operands, types, results, call.host, call.frame};
}

}  // namespace

// shape_assertion: operand 0 is the assertion; if it is false, evaluation fails with error_message, in which
// {i} is the value of operand 1 + i. Braces are doubled to stand for themselves.
Status EvaluateShapeAssertion(KernelCall& call) {
  if (call.operands.empty() || !call.operand(0).type().is_tensor() || !call.operand(0).element().is_bool() ||
      call.operand(0).count() != 1 || !call.results.empty())
    return Invalid("expected a boolean scalar and no results");
  if (*call.operand(0).data()) return {};
  const std::string_view text = SHLO_TRY(StringOf(call, "error_message"));
  const Ints values = SHLO_TRY(IndexOf(call.operands.subspan(1)));
  std::string message;
  for (size_t i = 0; i < text.size(); ++i) {
    const size_t end = text.find('}', i);
    if ((text[i] == '{' || text[i] == '}') && i + 1 < text.size() && text[i + 1] == text[i]) {
      message += text[i++];
    } else if (text[i] == '{' && end != std::string_view::npos && end - i - 1 <= 3 &&
               std::all_of(text.begin() + ptrdiff_t(i) + 1, text.begin() + ptrdiff_t(end),
                           [](char c) { return c >= '0' && c <= '9'; })) {
      size_t index = end == i + 1 ? values.size() : 0;
      for (char c : text.substr(i + 1, end - i - 1)) index = 10 * index + size_t(c - '0');
      message += index < values.size() ? std::to_string(values[index]) : text.substr(i, end - i + 1);
      i = end;
    } else {
      message += text[i];
    }
  }
  return Error(Code::kEvaluation, std::move(message));
}

// stablehlo.dynamic_reduce_window: reduce_window whose attributes are operands: after the inputs and initial
// values, window dimensions, strides, base dilations, window dilations and padding. The body is the called
// computation.
Status EvaluateDynamicReduceWindow(KernelCall& call) {
  constexpr size_t kSizes = 5;
  if (call.operands.size() < kSizes + 2) return Invalid("too few operands");
  const size_t values = call.operands.size() - kSizes;
  const RegionId body = SHLO_TRY(CalledComputation(call));
  WindowReduction window;
  Ints* const sizes[kSizes] = {&window.dimensions, &window.strides, &window.base_dilations,
                               &window.window_dilations, &window.padding};
  for (size_t i = 0; i < kSizes; ++i) {
    *sizes[i] = SHLO_TRY(IndexOf(call.operand(values + i)));
  }
  KernelCall inner = With(call, call.operands.first(values), call.result_types, call.results);
  return ReduceWindow(inner, body, window);
}

// stablehlo.dynamic_rng_bit_generator: rng_bit_generator whose result has the shape in operand 1.
Status EvaluateDynamicRngBitGenerator(KernelCall& call) {
  SHLO_TRY(CheckArity(call, 2, 2));
  const Ints shape = SHLO_TRY(IndexOf(call.operand(1)));
  KernelCall inner = With(call, call.operands.first(1), call.result_types, call.results);
  return RngBits(inner, shape);
}

// stablehlo.dynamic_top_k: chlo.top_k with k in operand 1.
Status EvaluateDynamicTopK(KernelCall& call) {
  SHLO_TRY(CheckArity(call, 2, 2));
  const Ints k = SHLO_TRY(IndexOf(call.operand(1)));
  if (k.size() != 1) return Invalid("k is not a scalar");
  return TopK(call, k[0]);
}

// mhlo.topk: the k largest elements of the last dimension, and their indices.
Status EvaluateMhloTopK(KernelCall& call) {
  SHLO_TRY(CheckArity(call, 1, 2));
  const int64_t k = SHLO_TRY(ConfigInt(call, "k"));
  const bool largest = SHLO_TRY(ConfigFlag(call, "largest", true));
  if (!largest) return Error(Code::kUnsupported, "top-k of the least elements is not supported");
  return TopK(call, k);
}

// ApproxTopK, stablehlo.dynamic_approx_top_k: operands are values and indices, then their initial values, and
// in the dynamic form k; the results are the first k of them along reduction_dim, ordered by the called
// computation. XLA may miss some on accelerators; here, as on its CPU, the result is exact. Without
// aggregate_to_topk, the result has more elements than k, of which XLA on a CPU also returns the first.
Status EvaluateApproxTopK(KernelCall& call) {
  const std::string_view target = SHLO_TRY(StringOf(call, "call_target_name"));
  const bool dynamic = target != "ApproxTopK";
  const size_t values = SHLO_TRY(CountValues(call));
  const size_t count = call.results.size();
  if (count == 0 || values != 2 * count + dynamic) return Invalid("wrong number of operands or results");
  const RegionId comparator = SHLO_TRY(CalledComputation(call));
  const int64_t dimension = SHLO_TRY(ConfigInt(call, "reduction_dim"));
  const Ints& in = call.operand(0).type().shape;
  if (dimension < 0 || size_t(dimension) >= in.size()) return Invalid("reduction_dim is out of range");
  int64_t k = 0;
  if (dynamic) {
    const Ints operand = SHLO_TRY(IndexOf(call.operands.subspan(2 * count, 1)));
    k = operand[0];
  } else {
    k = SHLO_TRY(ConfigInt(call, "top_k"));
  }
  const bool aggregate = SHLO_TRY(ConfigFlag(call, "aggregate_to_topk", true));
  if (!aggregate) {
    const Ints declared = SHLO_TRY(ShapeOfResult(call, 0));
    if (declared.size() != in.size()) return Invalid("result shape does not match the operand");
    k = declared[size_t(dimension)];
  }
  if (k < 0 || k > in[size_t(dimension)]) return Invalid("k is out of range for the operand");
  std::vector<Tensor> sorted(count);
  const std::vector<ValueTypePtr> types(count);
  KernelCall inner = With(call, call.operands.first(count), types, sorted);
  // NaN is greater than all numbers, as on XLA's CPU, which finds the k largest in total order.
  const bool total = aggregate && IsDescending(call.module, comparator);
  SHLO_TRY(SortBy(inner, comparator, dimension, total ? kTotalOrder : kWeakOrder));
  Ints out = in;
  out[size_t(dimension)] = k;
  for (size_t i = 0; i < count; ++i) {
    const ValueTypePtr type = SHLO_TRY(ResultType(call, i, out, sorted[i]));
    call.results[i] = SHLO_TRY(Slice(call.host, sorted[i], Ints(in.size(), 0), Ints(in.size(), 1), type));
  }
  return {};
}

// mhlo.erf and its like: the CHLO op of the same name.
Status EvaluateChloNamesake(KernelCall& call) {
  SHLO_TRY(CheckArity(call, 1));
  std::string_view target = call.module.NameOf(call.op);
  if (!target.starts_with("mhlo.")) {
    target = SHLO_TRY(StringOf(call, "call_target_name"));
  }
  const RowId row = FindOp(StrFormat("chlo.{}", target.substr(target.find('.') + 1)));
  call.results[0] = SHLO_TRY(ApplyOp(call.host, row, {&call.operand(0)}));
  return {};
}

// Sharding, LayoutConstraint, sdy.sharding_constraint, mhlo.copy: values are unchanged.
Status EvaluateAnnotation(KernelCall& call) {
  if (call.operands.size() != 1 || call.results.size() > 1) return CheckArity(call, 1);
  if (!call.results.empty()) call.results[0] = call.operand(0);
  return {};
}

}  // namespace shlo
