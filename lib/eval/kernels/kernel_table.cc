// The kernel table: one row per evaluable op, which serves all its revisions, or those that other rows leave:
// an op cannot gain a revision that nothing evaluates. A misspelled name does not compile.
#include <array>

#include "eval/kernels/kernel.h"
#include "eval/kernels/kernels.h"
#include "eval/loops/element_loops.h"
#include "ir/table/op_rows.h"
#include "shlo/evaluate.h"

namespace shlo {
namespace {

using table::kCells, table::kNumRevisions, table::kNumRows;

struct KernelRow {
  RowId op;
  uint16_t until;  // serves the revisions that end by then; 0: the others
  KernelEntry entry;
};

consteval KernelRow Row(std::string_view name, Kernel kernel, Takes takes = Takes::kNumbers,
                        Reach reach = Reach::kOperands) {
  return {OpNamed(name), 0, {kernel, nullptr, takes, reach}};
}
// An op that depends on or affects other processes, functions or the caller.
consteval KernelRow Outside(std::string_view name, Kernel kernel, Takes takes = Takes::kNumbers) {
  return {OpNamed(name), 0, {kernel, nullptr, takes, Reach::kOutside}};
}
// An op that computes each element of its result from the operands' elements at the same index.
consteval KernelRow Elementwise(std::string_view name, LoopPicker picker) {
  return {OpNamed(name), 0, {EvaluateElementwise, picker, Takes::kNumbers}};
}
// Like Elementwise, with operands that broadcast to a common shape.
consteval KernelRow Broadcasting(std::string_view name, LoopPicker picker) {
  return {OpNamed(name), 0, {EvaluateBroadcasting, picker, Takes::kNumbers}};
}
// A kernel for older revisions only.
consteval KernelRow Until(uint16_t version, KernelRow row) {
  row.until = version;
  return row;
}

constexpr KernelRow kKernels[] = {
    // Element-wise ops.
    Elementwise("stablehlo.abs", PickAbs),
    Elementwise("stablehlo.add", PickAdd),
    Elementwise("stablehlo.and", PickAnd),
    Elementwise("stablehlo.atan2", PickAtan2),
    Elementwise("stablehlo.cbrt", PickCbrt),
    Elementwise("stablehlo.ceil", PickCeil),
    Elementwise("stablehlo.clamp", PickClamp),
    Elementwise("stablehlo.compare", PickCompare),
    Elementwise("stablehlo.complex", PickComplex),
    Elementwise("stablehlo.convert", PickConvert),
    Elementwise("stablehlo.cosine", PickCosine),
    Elementwise("stablehlo.count_leading_zeros", PickCountLeadingZeros),
    Elementwise("stablehlo.divide", PickDivide),
    Elementwise("stablehlo.exponential", PickExponential),
    Elementwise("stablehlo.exponential_minus_one", PickExponentialMinusOne),
    Elementwise("stablehlo.floor", PickFloor),
    Elementwise("stablehlo.imag", PickImag),
    Elementwise("stablehlo.is_finite", PickIsFinite),
    Elementwise("stablehlo.log", PickLog),
    Elementwise("stablehlo.log_plus_one", PickLogPlusOne),
    Elementwise("stablehlo.logistic", PickLogistic),
    Elementwise("stablehlo.maximum", PickMaximum),
    Elementwise("stablehlo.minimum", PickMinimum),
    Elementwise("stablehlo.multiply", PickMultiply),
    Elementwise("stablehlo.negate", PickNegate),
    Elementwise("stablehlo.not", PickNot),
    Elementwise("stablehlo.or", PickOr),
    Elementwise("stablehlo.popcnt", PickPopcnt),
    Elementwise("stablehlo.power", PickPower),
    Elementwise("stablehlo.real", PickReal),
    Elementwise("stablehlo.reduce_precision", PickReducePrecision),
    Elementwise("stablehlo.remainder", PickRemainder),
    Elementwise("stablehlo.round_nearest_afz", PickRoundNearestAfz),
    Elementwise("stablehlo.round_nearest_even", PickRoundNearestEven),
    Elementwise("stablehlo.rsqrt", PickRsqrt),
    Elementwise("stablehlo.select", PickSelect),
    Elementwise("stablehlo.shift_left", PickShiftLeft),
    Elementwise("stablehlo.shift_right_arithmetic", PickShiftRightArithmetic),
    Elementwise("stablehlo.shift_right_logical", PickShiftRightLogical),
    Elementwise("stablehlo.sign", PickSign),
    Elementwise("stablehlo.sine", PickSine),
    Elementwise("stablehlo.sqrt", PickSqrt),
    Elementwise("stablehlo.sub", PickSubV37),
    Elementwise("stablehlo.subtract", PickSubtract),
    Elementwise("stablehlo.tan", PickTan),
    Elementwise("stablehlo.tanh", PickTanh),
    Elementwise("stablehlo.xor", PickXor),
    Elementwise("chlo._asin_acos_kernel", PickAsinAcosKernel),
    Elementwise("chlo.acos", PickAcos),
    Elementwise("chlo.acosh", PickAcosh),
    Elementwise("chlo.asin", PickAsin),
    Elementwise("chlo.asinh", PickAsinh),
    Elementwise("chlo.atan", PickAtan),
    Elementwise("chlo.atanh", PickAtanh),
    Elementwise("chlo.bessel_i1e", PickBesselI1e),
    Elementwise("chlo.conj", PickConj),
    Elementwise("chlo.cosh", PickCosh),
    Elementwise("chlo.digamma", PickDigamma),
    Elementwise("chlo.erf", PickErf),
    Elementwise("chlo.erf_inv", PickErfInv),
    Elementwise("chlo.erfc", PickErfc),
    Elementwise("chlo.is_inf", PickIsInf),
    Elementwise("chlo.is_neg_inf", PickIsNegInf),
    Elementwise("chlo.is_pos_inf", PickIsPosInf),
    Elementwise("chlo.lgamma", PickLgamma),
    Elementwise("chlo.mulhi", PickMulhi),
    Elementwise("chlo.next_after", PickNextAfter),
    Elementwise("chlo.polygamma", PickPolygamma),
    Elementwise("chlo.sinh", PickSinh),
    Elementwise("chlo.square", PickSquare),
    Elementwise("chlo.tan", PickTan),
    Elementwise("chlo.zeta", PickZeta),
    Broadcasting("chlo.broadcast_add", PickAdd),
    Broadcasting("chlo.broadcast_and", PickAnd),
    Broadcasting("chlo.broadcast_atan2", PickAtan2),
    Broadcasting("chlo.broadcast_compare", PickCompare),
    Broadcasting("chlo.broadcast_complex", PickComplex),
    Broadcasting("chlo.broadcast_divide", PickDivide),
    Broadcasting("chlo.broadcast_maximum", PickMaximum),
    Broadcasting("chlo.broadcast_minimum", PickMinimum),
    Broadcasting("chlo.broadcast_multiply", PickMultiply),
    Broadcasting("chlo.broadcast_next_after", PickNextAfter),
    Broadcasting("chlo.broadcast_or", PickOr),
    Broadcasting("chlo.broadcast_polygamma", PickPolygamma),
    Broadcasting("chlo.broadcast_power", PickPower),
    Broadcasting("chlo.broadcast_remainder", PickRemainder),
    Broadcasting("chlo.broadcast_select", PickSelect),
    Broadcasting("chlo.broadcast_shift_left", PickShiftLeft),
    Broadcasting("chlo.broadcast_shift_right_arithmetic", PickShiftRightArithmetic),
    Broadcasting("chlo.broadcast_shift_right_logical", PickShiftRightLogical),
    Broadcasting("chlo.broadcast_subtract", PickSubtract),
    Broadcasting("chlo.broadcast_xor", PickXor),
    Broadcasting("chlo.broadcast_zeta", PickZeta),
    Elementwise("arith.addi", PickAdd),
    Elementwise("arith.divsi", PickDivide),
    Elementwise("arith.maxsi", PickMaximum),
    Elementwise("arith.minsi", PickMinimum),
    Elementwise("arith.muli", PickMultiply),
    Elementwise("arith.select", PickSelect),
    Elementwise("arith.subi", PickSubtract),
    Elementwise("arith.extsi", PickConvert),
    Elementwise("arith.index_cast", PickConvert),
    Elementwise("arith.trunci", PickConvert),
    // Quantization.
    Row("stablehlo.uniform_quantize", EvaluateUniformQuantize, Takes::kStored),
    Row("stablehlo.uniform_dequantize", EvaluateUniformDequantize, Takes::kStored),
    // Constants, control flow, tokens and tuples.
    Row("stablehlo.constant", EvaluateConstant, Takes::kStored),
    Row("chlo.constant", EvaluateConstant, Takes::kStored),
    Row("arith.constant", EvaluateConstant, Takes::kStored),
    Outside("func.call", EvaluateCall, Takes::kAny),
    Outside("stablehlo.composite", EvaluateComposite, Takes::kAny),
    Row("stablehlo.return", EvaluateReturn, Takes::kAny),
    Row("func.return", EvaluateReturn, Takes::kAny),
    Row("ml_program.return", EvaluateReturn, Takes::kAny),
    Row("ml_program.output", EvaluateReturn, Takes::kAny),
    Row("shape.assuming_yield", EvaluateReturn, Takes::kAny),
    Row("stablehlo.if", EvaluateIf, Takes::kAny),
    Row("stablehlo.case", EvaluateCase, Takes::kAny),
    Row("stablehlo.while", EvaluateWhile, Takes::kAny),
    Outside("stablehlo.optimization_barrier", EvaluateOptimizationBarrier, Takes::kAny),
    Row("tensor.cast", EvaluateOptimizationBarrier, Takes::kAny),
    Row("builtin.unrealized_conversion_cast", EvaluateOptimizationBarrier, Takes::kAny),
    Outside("stablehlo.after_all", EvaluateToken, Takes::kAny),
    Outside("stablehlo.create_token", EvaluateToken, Takes::kAny),
    Outside("ml_program.token", EvaluateToken, Takes::kAny),
    Row("stablehlo.tuple", EvaluateTuple, Takes::kAny),
    Row("stablehlo.get_tuple_element", EvaluateGetTupleElement, Takes::kAny),
    Outside("stablehlo.async_start", EvaluateAsyncStart, Takes::kAny),
    Outside("stablehlo.async_done", EvaluateAsyncDone, Takes::kAny),
    // Moving elements.
    Row("stablehlo.reshape", EvaluateReshape, Takes::kStored),
    Row("stablehlo.dynamic_reshape", EvaluateDynamicReshape, Takes::kStored),
    Row("stablehlo.transpose", EvaluateTranspose, Takes::kStored),
    Row("stablehlo.broadcast_in_dim", EvaluateBroadcastInDim, Takes::kStored),
    Row("stablehlo.dynamic_broadcast_in_dim", EvaluateDynamicBroadcastInDim, Takes::kStored),
    Row("stablehlo.broadcast", EvaluateBroadcast, Takes::kStored),
    Row("stablehlo.slice", EvaluateSlice, Takes::kStored),
    Row("stablehlo.real_dynamic_slice", EvaluateRealDynamicSlice, Takes::kStored),
    Row("stablehlo.dynamic_slice", EvaluateDynamicSlice, Takes::kStored),
    Row("stablehlo.dynamic_update_slice", EvaluateDynamicUpdateSlice, Takes::kStored),
    Row("stablehlo.pad", EvaluatePad, Takes::kStored),
    Row("stablehlo.dynamic_pad", EvaluateDynamicPad, Takes::kStored),
    Row("stablehlo.concatenate", EvaluateConcatenate, Takes::kStored),
    Row("stablehlo.reverse", EvaluateReverse, Takes::kStored),
    Row("stablehlo.get_dimension_size", EvaluateGetDimensionSize, Takes::kStored),
    Row("stablehlo.set_dimension_size", EvaluateSetDimensionSize, Takes::kStored),
    Row("stablehlo.bitcast_convert", EvaluateBitcastConvert, Takes::kStored),
    Row("stablehlo.gather", EvaluateGather, Takes::kStored),
    Row("stablehlo.dynamic_gather", EvaluateDynamicGather, Takes::kStored),
    Row("stablehlo.torch_index_select", EvaluateTorchIndexSelect, Takes::kStored),
    Row("stablehlo.iota", EvaluateIota),
    Row("stablehlo.dynamic_iota", EvaluateDynamicIota),
    Row("chlo.constant_like", EvaluateConstantLike),
    // Bodies applied to elements.
    Row("stablehlo.scatter", EvaluateScatter, Takes::kStored),
    Row("stablehlo.reduce", EvaluateReduce, Takes::kStored),
    Row("stablehlo.reduce_window", EvaluateReduceWindow, Takes::kStored),
    Row("stablehlo.select_and_scatter", EvaluateSelectAndScatter, Takes::kStored),
    Row("stablehlo.map", EvaluateMap, Takes::kStored),
    Row("stablehlo.sort", EvaluateSort, Takes::kStored),
    Row("chlo.scan", EvaluateScan, Takes::kStored),
    Row("chlo.top_k", EvaluateTopK),
    // Contractions, linear algebra, normalization.
    Row("stablehlo.dot_general", EvaluateDotGeneral),
    Row("stablehlo.dot", EvaluateDot),
    Row("stablehlo.einsum", EvaluateEinsum),
    Row("stablehlo.unary_einsum", EvaluateUnaryEinsum),
    Row("chlo.ragged_dot", EvaluateRaggedDot),
    Row("stablehlo.convolution", EvaluateConvolution),
    Until(51, Row("stablehlo.dynamic_conv", EvaluateDynamicConvV37)),
    Row("stablehlo.dynamic_conv", EvaluateDynamicConv),
    Row("stablehlo.cholesky", EvaluateCholesky),
    Row("stablehlo.triangular_solve", EvaluateTriangularSolve),
    Row("stablehlo.fft", EvaluateFft),
    Row("stablehlo.batch_norm_inference", EvaluateBatchNormInference),
    Row("stablehlo.batch_norm_training", EvaluateBatchNormTraining),
    Row("stablehlo.batch_norm_grad", EvaluateBatchNormGrad),
    Row("stablehlo.rng_bit_generator", EvaluateRngBitGenerator),
    Outside("stablehlo.rng", EvaluateRng),
    // Processes.
    Outside("stablehlo.all_gather", EvaluateAllGather, Takes::kStored),
    Outside("stablehlo.all_reduce", EvaluateAllReduce, Takes::kStored),
    Outside("stablehlo.all_to_all", EvaluateAllToAll, Takes::kStored),
    Outside("stablehlo.collective_broadcast", EvaluateCollectiveBroadcast, Takes::kStored),
    Outside("stablehlo.collective_reduce", EvaluateCollectiveReduce, Takes::kStored),
    Outside("stablehlo.collective_permute", EvaluateCollectivePermute, Takes::kStored),
    Outside("stablehlo.cross-replica-sum", EvaluateCrossReplicaSum, Takes::kStored),
    Outside("stablehlo.reduce_scatter", EvaluateReduceScatter, Takes::kStored),
    Outside("stablehlo.replica_id", EvaluateReplicaId, Takes::kStored),
    Outside("stablehlo.partition_id", EvaluatePartitionId, Takes::kStored),
    Outside("stablehlo.send", EvaluateSend, Takes::kAny),
    Outside("stablehlo.recv", EvaluateRecv, Takes::kAny),
    Outside("stablehlo.infeed", EvaluateInfeed, Takes::kAny),
    Outside("stablehlo.outfeed", EvaluateOutfeed, Takes::kAny),
    Outside("interpreter.run_parallel", EvaluateRunParallel, Takes::kAny),
    // Custom calls and statements about values.
    Outside("stablehlo.custom_call", EvaluateCustomCall, Takes::kAny),
    Outside("interpreter.print", EvaluatePrint, Takes::kStored),
    Outside("interpreter.probe", EvaluateProbe, Takes::kStored),
    Outside("check.expect_eq", EvaluateExpectEq, Takes::kStored),
    Outside("check.expect_eq_const", EvaluateExpectEqConst, Takes::kStored),
    Outside("check.expect_almost_eq", EvaluateExpectAlmostEq, Takes::kStored),
    Outside("check.expect_almost_eq_const", EvaluateExpectAlmostEqConst, Takes::kStored),
    Outside("check.expect_close", EvaluateExpectClose, Takes::kStored),
    Outside("check.expect_serialized_eq", EvaluateExpectSerializedEq, Takes::kStored),
};

struct Dispatch {
  std::array<KernelEntry, kNumRevisions> kernels{};
  std::array<uint8_t, kNumRows> twice{};   // two rows for one revision of the op
  std::array<uint8_t, kNumRows> unused{};  // a row that serves no revision of the op
};

constexpr Dispatch kDispatch = [] {
  Dispatch d;
  // Rows are counted, because under sanitizers comparing pointers to functions is not a constant expression.
  std::array<uint8_t, std::size(kKernels)> serves{};
  uint16_t row = 0;
  size_t revision = 0;
  for (const Cell& cell : kCells) {
    if (cell.tag == CellTag::kOp) ++row;
    if (cell.tag != CellTag::kRevision) continue;
    ++revision;
    size_t chosen = std::size(kKernels);
    for (size_t k = 0; k < std::size(kKernels); ++k) {
      if (kKernels[k].op != RowId{row}) continue;
      const uint16_t until = kKernels[k].until;
      if (until && (cell.y == 0 || cell.y > until)) continue;
      const bool before = chosen < std::size(kKernels);
      if (before && kKernels[chosen].until == until) d.twice[row] = 1;
      if (!before || until) chosen = k;
    }
    if (chosen == std::size(kKernels)) continue;
    d.kernels[revision] = kKernels[chosen].entry;
    serves[chosen] = 1;
  }
  for (size_t k = 0; k < std::size(kKernels); ++k)
    if (!serves[k]) d.unused[kKernels[k].op.v] = 1;
  return d;
}();

constexpr int kFirstRow = __COUNTER__ + 1;
#define SHLO_OP_KERNEL(row, op)                                            \
  constexpr size_t row = __COUNTER__ - kFirstRow + 1;                      \
  static_assert(!kDispatch.twice[row], op ": a revision has two kernels"); \
  static_assert(!kDispatch.unused[row], op ": a kernel serves no revision of it");
#define SHLO_OP(...) SHLO_OP_KERNEL(SHLO_AT_LINE(row_, __LINE__), SHLO_OP_NAME(__VA_ARGS__))
#include "schema/ops.inc"

}  // namespace

const KernelEntry& KernelOf(RevisionId revision) {
  return kDispatch.kernels[revision.v < kNumRevisions ? revision.v : 0];
}

LoopPicker PickerOf(RevisionId revision) { return KernelOf(revision).picker; }

bool CanEvaluate(RevisionId revision) { return KernelOf(revision).kernel != nullptr; }

}  // namespace shlo
