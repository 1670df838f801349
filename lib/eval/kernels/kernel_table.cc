// The kernel table. A row states an evaluable op and the first versions of the revisions that the kernel
// implements. Misspelled names do not compile, and neither does an op with a revision without a kernel, so
// that a new revision cannot be forgotten.
#include <array>

#include "eval/kernels/kernel.h"
#include "eval/kernels/kernels.h"
#include "eval/loops/element_loops.h"
#include "shlo/evaluate.h"

namespace shlo {
namespace {

using table::kCells;

struct KernelRow {
  RowId op;
  std::array<Version, 4> since{};  // first versions of the supported revisions
  KernelEntry entry;
};

using Since = std::array<uint16_t, 4>;

constexpr KernelRow MakeRow(RowId op, Since since, KernelEntry entry) {
  KernelRow row{op, {}, entry};
  for (size_t i = 0; i < since.size(); ++i) row.since[i] = Version{since[i]};
  return row;
}
consteval KernelRow Row(std::string_view name, Since since, Kernel kernel, Takes takes = Takes::kNumbers,
                        Reach reach = Reach::kOperands) {
  return MakeRow(OpNamed(name), since, {kernel, nullptr, takes, reach});
}
// An op that depends on or affects other processes, functions or the caller.
consteval KernelRow Outside(std::string_view name, Since since, Kernel kernel,
                            Takes takes = Takes::kNumbers) {
  return Row(name, since, kernel, takes, Reach::kOutside);
}
// An op that computes each element of its result from the operands' elements at the same index.
consteval KernelRow Elementwise(std::string_view name, Since since, LoopPicker picker) {
  return MakeRow(OpNamed(name), since, {EvaluateElementwise, picker, Takes::kNumbers});
}
// Like Elementwise, with operands that broadcast to a common shape.
consteval KernelRow Broadcasting(std::string_view name, Since since, LoopPicker picker) {
  return MakeRow(OpNamed(name), since, {EvaluateBroadcasting, picker, Takes::kNumbers});
}

constexpr KernelRow kKernels[] = {
    // Element-wise ops.
    Elementwise("stablehlo.abs", {37}, PickAbs),
    Elementwise("stablehlo.add", {37}, PickAdd),
    Elementwise("stablehlo.and", {37}, PickAnd),
    Elementwise("stablehlo.atan2", {37}, PickAtan2),
    Elementwise("stablehlo.cbrt", {37, 63}, PickCbrt),
    Elementwise("stablehlo.ceil", {37}, PickCeil),
    Elementwise("stablehlo.clamp", {37}, PickClamp),
    Elementwise("stablehlo.compare", {37}, PickCompare),
    Elementwise("stablehlo.complex", {37}, PickComplex),
    Elementwise("stablehlo.convert", {37}, PickConvert),
    Elementwise("stablehlo.cosine", {37, 63}, PickCosine),
    Elementwise("stablehlo.count_leading_zeros", {37}, PickCountLeadingZeros),
    Elementwise("stablehlo.divide", {37}, PickDivide),
    Elementwise("stablehlo.exponential", {37, 62}, PickExponential),
    Elementwise("stablehlo.exponential_minus_one", {37, 63}, PickExponentialMinusOne),
    Elementwise("stablehlo.floor", {37}, PickFloor),
    Elementwise("stablehlo.imag", {37}, PickImag),
    Elementwise("stablehlo.is_finite", {37}, PickIsFinite),
    Elementwise("stablehlo.log", {37, 63}, PickLog),
    Elementwise("stablehlo.log_plus_one", {37, 63}, PickLogPlusOne),
    Elementwise("stablehlo.logistic", {37, 63}, PickLogistic),
    Elementwise("stablehlo.maximum", {37}, PickMaximum),
    Elementwise("stablehlo.minimum", {37}, PickMinimum),
    Elementwise("stablehlo.multiply", {37}, PickMultiply),
    Elementwise("stablehlo.negate", {37}, PickNegate),
    Elementwise("stablehlo.not", {37}, PickNot),
    Elementwise("stablehlo.or", {37}, PickOr),
    Elementwise("stablehlo.popcnt", {37}, PickPopcnt),
    Elementwise("stablehlo.power", {37}, PickPower),
    Elementwise("stablehlo.real", {37}, PickReal),
    Elementwise("stablehlo.reduce_precision", {37}, PickReducePrecision),
    Elementwise("stablehlo.remainder", {37}, PickRemainder),
    Elementwise("stablehlo.round_nearest_afz", {37}, PickRoundNearestAfz),
    Elementwise("stablehlo.round_nearest_even", {37}, PickRoundNearestEven),
    Elementwise("stablehlo.rsqrt", {37, 63}, PickRsqrt),
    Elementwise("stablehlo.select", {37}, PickSelect),
    Elementwise("stablehlo.shift_left", {37}, PickShiftLeft),
    Elementwise("stablehlo.shift_right_arithmetic", {37}, PickShiftRightArithmetic),
    Elementwise("stablehlo.shift_right_logical", {37}, PickShiftRightLogical),
    Elementwise("stablehlo.sign", {37}, PickSign),
    Elementwise("stablehlo.sine", {37, 63}, PickSine),
    Elementwise("stablehlo.sqrt", {37, 63}, PickSqrt),
    Elementwise("stablehlo.sub", {37}, PickSubV37),
    Elementwise("stablehlo.subtract", {40}, PickSubtract),
    Elementwise("stablehlo.tan", {57, 63}, PickTan),
    Elementwise("stablehlo.tanh", {37, 63}, PickTanh),
    Elementwise("stablehlo.xor", {37}, PickXor),
    Elementwise("chlo._asin_acos_kernel", {37}, PickAsinAcosKernel),
    Elementwise("chlo.acos", {37}, PickAcos),
    Elementwise("chlo.acosh", {37}, PickAcosh),
    Elementwise("chlo.asin", {37}, PickAsin),
    Elementwise("chlo.asinh", {37}, PickAsinh),
    Elementwise("chlo.atan", {37}, PickAtan),
    Elementwise("chlo.atanh", {37}, PickAtanh),
    Elementwise("chlo.bessel_i1e", {37}, PickBesselI1e),
    Elementwise("chlo.conj", {37}, PickConj),
    Elementwise("chlo.cosh", {37}, PickCosh),
    Elementwise("chlo.digamma", {37}, PickDigamma),
    Elementwise("chlo.erf", {37}, PickErf),
    Elementwise("chlo.erf_inv", {37}, PickErfInv),
    Elementwise("chlo.erfc", {37}, PickErfc),
    Elementwise("chlo.is_inf", {37}, PickIsInf),
    Elementwise("chlo.is_neg_inf", {37}, PickIsNegInf),
    Elementwise("chlo.is_pos_inf", {37}, PickIsPosInf),
    Elementwise("chlo.lgamma", {37}, PickLgamma),
    Elementwise("chlo.mulhi", {37}, PickMulhi),
    Elementwise("chlo.next_after", {37}, PickNextAfter),
    Elementwise("chlo.polygamma", {37}, PickPolygamma),
    Elementwise("chlo.sinh", {37}, PickSinh),
    Elementwise("chlo.square", {37}, PickSquare),
    Elementwise("chlo.tan", {37}, PickTan),
    Elementwise("chlo.zeta", {37}, PickZeta),
    Broadcasting("chlo.broadcast_add", {37}, PickAdd),
    Broadcasting("chlo.broadcast_and", {37}, PickAnd),
    Broadcasting("chlo.broadcast_atan2", {37}, PickAtan2),
    Broadcasting("chlo.broadcast_compare", {37}, PickCompare),
    Broadcasting("chlo.broadcast_complex", {37}, PickComplex),
    Broadcasting("chlo.broadcast_divide", {37}, PickDivide),
    Broadcasting("chlo.broadcast_maximum", {37}, PickMaximum),
    Broadcasting("chlo.broadcast_minimum", {37}, PickMinimum),
    Broadcasting("chlo.broadcast_multiply", {37}, PickMultiply),
    Broadcasting("chlo.broadcast_next_after", {37}, PickNextAfter),
    Broadcasting("chlo.broadcast_or", {37}, PickOr),
    Broadcasting("chlo.broadcast_polygamma", {37}, PickPolygamma),
    Broadcasting("chlo.broadcast_power", {37}, PickPower),
    Broadcasting("chlo.broadcast_remainder", {37}, PickRemainder),
    Broadcasting("chlo.broadcast_select", {37}, PickSelect),
    Broadcasting("chlo.broadcast_shift_left", {37}, PickShiftLeft),
    Broadcasting("chlo.broadcast_shift_right_arithmetic", {37}, PickShiftRightArithmetic),
    Broadcasting("chlo.broadcast_shift_right_logical", {37}, PickShiftRightLogical),
    Broadcasting("chlo.broadcast_subtract", {37}, PickSubtract),
    Broadcasting("chlo.broadcast_xor", {37}, PickXor),
    Broadcasting("chlo.broadcast_zeta", {37}, PickZeta),
    Elementwise("arith.addi", {37}, PickAdd),
    Elementwise("arith.divsi", {37}, PickDivide),
    Elementwise("arith.maxsi", {37}, PickMaximum),
    Elementwise("arith.minsi", {37}, PickMinimum),
    Elementwise("arith.muli", {37}, PickMultiply),
    Elementwise("arith.select", {37}, PickSelect),
    Elementwise("arith.subi", {37}, PickSubtract),
    Elementwise("arith.extsi", {37}, PickConvert),
    Elementwise("arith.index_cast", {37}, PickConvert),
    Elementwise("arith.trunci", {37}, PickConvert),
    // Quantization.
    Row("stablehlo.uniform_quantize", {37}, EvaluateUniformQuantize, Takes::kStored),
    Row("stablehlo.uniform_dequantize", {37}, EvaluateUniformDequantize, Takes::kStored),
    // Constants, control flow, tokens and tuples.
    Row("stablehlo.constant", {37}, EvaluateConstant, Takes::kStored),
    Row("chlo.constant", {37}, EvaluateConstant, Takes::kStored),
    Row("arith.constant", {37}, EvaluateConstant, Takes::kStored),
    Outside("func.call", {37}, EvaluateCall, Takes::kAny),
    Outside("stablehlo.composite", {51, 67}, EvaluateComposite, Takes::kAny),
    Row("stablehlo.return", {37}, EvaluateReturn, Takes::kAny),
    Row("func.return", {37}, EvaluateReturn, Takes::kAny),
    Row("ml_program.return", {37}, EvaluateReturn, Takes::kAny),
    Row("ml_program.output", {37}, EvaluateReturn, Takes::kAny),
    Row("shape.assuming_yield", {37}, EvaluateReturn, Takes::kAny),
    Row("stablehlo.if", {37}, EvaluateIf, Takes::kAny),
    Row("stablehlo.case", {37}, EvaluateCase, Takes::kAny),
    Row("stablehlo.while", {37}, EvaluateWhile, Takes::kAny),
    Outside("stablehlo.optimization_barrier", {37}, EvaluateOptimizationBarrier, Takes::kAny),
    Row("tensor.cast", {37}, EvaluateOptimizationBarrier, Takes::kAny),
    Row("builtin.unrealized_conversion_cast", {37}, EvaluateOptimizationBarrier, Takes::kAny),
    Outside("stablehlo.after_all", {37}, EvaluateToken, Takes::kAny),
    Outside("stablehlo.create_token", {37}, EvaluateToken, Takes::kAny),
    Outside("ml_program.token", {37}, EvaluateToken, Takes::kAny),
    Row("stablehlo.tuple", {37}, EvaluateTuple, Takes::kAny),
    Row("stablehlo.get_tuple_element", {37}, EvaluateGetTupleElement, Takes::kAny),
    Outside("stablehlo.async_start", {68}, EvaluateAsyncStart, Takes::kAny),
    Outside("stablehlo.async_done", {68}, EvaluateAsyncDone, Takes::kAny),
    // Data movement.
    Row("stablehlo.reshape", {37}, EvaluateReshape, Takes::kStored),
    Row("stablehlo.dynamic_reshape", {37}, EvaluateDynamicReshape, Takes::kStored),
    Row("stablehlo.transpose", {37}, EvaluateTranspose, Takes::kStored),
    Row("stablehlo.broadcast_in_dim", {37}, EvaluateBroadcastInDim, Takes::kStored),
    Row("stablehlo.dynamic_broadcast_in_dim", {37}, EvaluateDynamicBroadcastInDim, Takes::kStored),
    Row("stablehlo.broadcast", {37}, EvaluateBroadcast, Takes::kStored),
    Row("stablehlo.slice", {37}, EvaluateSlice, Takes::kStored),
    Row("stablehlo.real_dynamic_slice", {37}, EvaluateRealDynamicSlice, Takes::kStored),
    Row("stablehlo.dynamic_slice", {37}, EvaluateDynamicSlice, Takes::kStored),
    Row("stablehlo.dynamic_update_slice", {37}, EvaluateDynamicUpdateSlice, Takes::kStored),
    Row("stablehlo.pad", {37}, EvaluatePad, Takes::kStored),
    Row("stablehlo.dynamic_pad", {37}, EvaluateDynamicPad, Takes::kStored),
    Row("stablehlo.concatenate", {37}, EvaluateConcatenate, Takes::kStored),
    Row("stablehlo.reverse", {37}, EvaluateReverse, Takes::kStored),
    Row("stablehlo.get_dimension_size", {37}, EvaluateGetDimensionSize, Takes::kStored),
    Row("stablehlo.set_dimension_size", {37}, EvaluateSetDimensionSize, Takes::kStored),
    Row("stablehlo.bitcast_convert", {37}, EvaluateBitcastConvert, Takes::kStored),
    Row("stablehlo.gather", {37, 54}, EvaluateGather, Takes::kStored),
    Row("stablehlo.dynamic_gather", {37, 54}, EvaluateDynamicGather, Takes::kStored),
    Row("stablehlo.torch_index_select", {37}, EvaluateTorchIndexSelect, Takes::kStored),
    Row("stablehlo.iota", {37}, EvaluateIota),
    Row("stablehlo.dynamic_iota", {37}, EvaluateDynamicIota),
    Row("chlo.constant_like", {37}, EvaluateConstantLike),
    // Regions applied to elements.
    Row("stablehlo.scatter", {37, 54}, EvaluateScatter, Takes::kStored),
    Row("stablehlo.reduce", {37}, EvaluateReduce, Takes::kStored),
    Row("stablehlo.reduce_window", {37}, EvaluateReduceWindow, Takes::kStored),
    Row("stablehlo.select_and_scatter", {37}, EvaluateSelectAndScatter, Takes::kStored),
    Row("stablehlo.map", {37}, EvaluateMap, Takes::kStored),
    Row("stablehlo.sort", {37}, EvaluateSort, Takes::kStored),
    Row("chlo.scan", {37}, EvaluateScan, Takes::kStored),
    Row("chlo.top_k", {37}, EvaluateTopK),
    // Contractions, linear algebra, normalization.
    Row("stablehlo.dot_general", {37, 59}, EvaluateDotGeneral),
    Row("stablehlo.dot", {37}, EvaluateDot),
    Row("stablehlo.einsum", {37}, EvaluateEinsum),
    Row("stablehlo.unary_einsum", {37}, EvaluateUnaryEinsum),
    Row("chlo.ragged_dot", {37}, EvaluateRaggedDot),
    Row("stablehlo.convolution", {37}, EvaluateConvolution),
    Row("stablehlo.dynamic_conv", {37}, EvaluateDynamicConvV37),
    Row("stablehlo.dynamic_conv", {52}, EvaluateDynamicConv),
    Row("stablehlo.cholesky", {37}, EvaluateCholesky),
    Row("stablehlo.triangular_solve", {37}, EvaluateTriangularSolve),
    Row("stablehlo.fft", {37}, EvaluateFft),
    Row("stablehlo.batch_norm_inference", {37}, EvaluateBatchNormInference),
    Row("stablehlo.batch_norm_training", {37}, EvaluateBatchNormTraining),
    Row("stablehlo.batch_norm_grad", {37}, EvaluateBatchNormGrad),
    Row("stablehlo.rng_bit_generator", {37}, EvaluateRngBitGenerator),
    Outside("stablehlo.rng", {37}, EvaluateRng),
    // Parallel processes.
    Outside("stablehlo.all_gather", {37, 58}, EvaluateAllGather, Takes::kStored),
    Outside("stablehlo.all_reduce", {37, 58}, EvaluateAllReduce, Takes::kStored),
    Outside("stablehlo.all_to_all", {37, 58}, EvaluateAllToAll, Takes::kStored),
    Outside("stablehlo.collective_broadcast", {48, 73}, EvaluateCollectiveBroadcast, Takes::kStored),
    Outside("stablehlo.collective_reduce", {72}, EvaluateCollectiveReduce, Takes::kStored),
    Outside("stablehlo.collective_permute", {37}, EvaluateCollectivePermute, Takes::kStored),
    Outside("stablehlo.cross-replica-sum", {37}, EvaluateCrossReplicaSum, Takes::kStored),
    Outside("stablehlo.reduce_scatter", {37}, EvaluateReduceScatter, Takes::kStored),
    Outside("stablehlo.replica_id", {37}, EvaluateReplicaId, Takes::kStored),
    Outside("stablehlo.partition_id", {37}, EvaluatePartitionId, Takes::kStored),
    Outside("stablehlo.send", {37, 65}, EvaluateSend, Takes::kAny),
    Outside("stablehlo.recv", {37, 65}, EvaluateRecv, Takes::kAny),
    Outside("stablehlo.infeed", {37}, EvaluateInfeed, Takes::kAny),
    Outside("stablehlo.outfeed", {37}, EvaluateOutfeed, Takes::kAny),
    Outside("interpreter.run_parallel", {64}, EvaluateRunParallel, Takes::kAny),
    // Custom calls and checks.
    Outside("stablehlo.custom_call", {41, 71}, EvaluateCustomCall, Takes::kAny),
    Outside("interpreter.print", {64}, EvaluatePrint, Takes::kStored),
    Outside("interpreter.probe", {64}, EvaluateProbe, Takes::kStored),
    Outside("check.expect_eq", {64}, EvaluateExpectEq, Takes::kStored),
    Outside("check.expect_eq_const", {64}, EvaluateExpectEqConst, Takes::kStored),
    Outside("check.expect_almost_eq", {64}, EvaluateExpectAlmostEq, Takes::kStored),
    Outside("check.expect_almost_eq_const", {64}, EvaluateExpectAlmostEqConst, Takes::kStored),
    Outside("check.expect_close", {64}, EvaluateExpectClose, Takes::kStored),
    Outside("check.expect_serialized_eq", {64}, EvaluateExpectSerializedEq, Takes::kStored),
};

constexpr size_t kNumVersions = [] {
  size_t n = 0;
  for (const KernelRow& k : kKernels)
    for (Version v : k.since) n += v != Version{};
  return n;
}();

constexpr size_t kNumRevisions = [] {
  size_t n = 1;  // index 0: ops not in the op table
  for (const Cell& cell : kCells) n += cell.tag == CellTag::kRevision;
  return n;
}();

struct Dispatch {
  std::array<KernelEntry, kNumRevisions> kernels{};
  size_t used = 0;       // versions that match a revision
  bool complete = true;  // every revision of every op in the table has a kernel
  bool unique = true;    // and exactly one
};

constexpr Dispatch kDispatch = [] {
  Dispatch d;
  uint16_t row = 0;
  size_t shape = 0;
  for (const Cell& cell : kCells) {
    if (cell.tag == CellTag::kOp) ++row;
    if (cell.tag != CellTag::kRevision) continue;
    ++shape;
    bool evaluable = false;
    size_t kernels = 0;  // counted, because sanitizers make comparing function pointers non-constant
    for (const KernelRow& k : kKernels) {
      if (k.op != RowId{row}) continue;
      evaluable = true;
      for (Version since : k.since) {
        if (since != Version{cell.x}) continue;
        d.kernels[shape] = k.entry;
        ++kernels;
        ++d.used;
      }
    }
    d.unique = d.unique && kernels <= 1;
    if (evaluable && kernels == 0) d.complete = false;
  }
  return d;
}();
static_assert(kDispatch.complete, "an evaluable op has a revision without a kernel");
static_assert(kDispatch.unique, "a revision has two kernels");
static_assert(kDispatch.used == kNumVersions,
              "a kernel states a version in which no revision of its op begins");

}  // namespace

const KernelEntry& KernelOf(RevisionId revision) {
  return kDispatch.kernels[revision.v < kNumRevisions ? revision.v : 0];
}

LoopPicker PickerOf(RevisionId revision) { return KernelOf(revision).picker; }

bool CanEvaluate(RevisionId revision) { return KernelOf(revision).kernel != nullptr; }

}  // namespace shlo
