// The kernels, by family. Comments in each .cc state the semantics.
#pragma once

#include <optional>

#include "eval/kernels/kernel.h"

namespace shlo {

// quantization.cc
Status EvaluateUniformQuantize(KernelCall& call);
Status EvaluateUniformDequantize(KernelCall& call);

// elementwise.cc
Status EvaluateElementwise(KernelCall& call);
Status EvaluateBroadcasting(KernelCall& call);

// structural.cc
Status EvaluateConstant(KernelCall& call);
Status EvaluateCall(KernelCall& call);
Status EvaluateComposite(KernelCall& call);
Status EvaluateReturn(KernelCall& call);
Status EvaluateIf(KernelCall& call);
Status EvaluateCase(KernelCall& call);
Status EvaluateWhile(KernelCall& call);
Status EvaluateOptimizationBarrier(KernelCall& call);
Status EvaluateToken(KernelCall& call);
Status EvaluateTuple(KernelCall& call);
Status EvaluateGetTupleElement(KernelCall& call);
Status EvaluateAsyncStart(KernelCall& call);
Status EvaluateAsyncDone(KernelCall& call);

// movement.cc
Status EvaluateReshape(KernelCall& call);
Status EvaluateDynamicReshape(KernelCall& call);
Status EvaluateTranspose(KernelCall& call);
Status EvaluateBroadcastInDim(KernelCall& call);
Status EvaluateDynamicBroadcastInDim(KernelCall& call);
Status EvaluateBroadcast(KernelCall& call);
Status EvaluateSlice(KernelCall& call);
Status EvaluateRealDynamicSlice(KernelCall& call);
Status EvaluateDynamicSlice(KernelCall& call);
Status EvaluateDynamicUpdateSlice(KernelCall& call);
Status EvaluatePad(KernelCall& call);
Status EvaluateDynamicPad(KernelCall& call);
Status EvaluateConcatenate(KernelCall& call);
Status EvaluateReverse(KernelCall& call);
Status EvaluateIota(KernelCall& call);
Status EvaluateDynamicIota(KernelCall& call);
Status EvaluateGetDimensionSize(KernelCall& call);
Status EvaluateSetDimensionSize(KernelCall& call);
Status EvaluateBitcastConvert(KernelCall& call);
Status EvaluateConstantLike(KernelCall& call);

// gather.cc
Status EvaluateGather(KernelCall& call);
Status EvaluateDynamicGather(KernelCall& call);
Status EvaluateTorchIndexSelect(KernelCall& call);
Status EvaluateScatter(KernelCall& call);

// reduction.cc
Status EvaluateReduce(KernelCall& call);
Status EvaluateReduceWindow(KernelCall& call);
Status EvaluateSelectAndScatter(KernelCall& call);
Status EvaluateMap(KernelCall& call);
Status EvaluateScan(KernelCall& call);

// sort.cc
Status EvaluateSort(KernelCall& call);
Status EvaluateTopK(KernelCall& call);

// contraction.cc
Status EvaluateDotGeneral(KernelCall& call);
Status EvaluateDot(KernelCall& call);
Status EvaluateEinsum(KernelCall& call);
Status EvaluateUnaryEinsum(KernelCall& call);
Status EvaluateRaggedDot(KernelCall& call);

// convolution.cc
Status EvaluateConvolution(KernelCall& call);
Status EvaluateDynamicConv(KernelCall& call);
Status EvaluateDynamicConvV37(KernelCall& call);

// linear_algebra.cc
Status EvaluateCholesky(KernelCall& call);
Status EvaluateTriangularSolve(KernelCall& call);

// fft.cc
Status EvaluateFft(KernelCall& call);

// batch_norm.cc
Status EvaluateBatchNormInference(KernelCall& call);
Status EvaluateBatchNormTraining(KernelCall& call);
Status EvaluateBatchNormGrad(KernelCall& call);

// random.cc
Status EvaluateRngBitGenerator(KernelCall& call);
Status EvaluateRng(KernelCall& call);

// collective.cc
Status EvaluateAllGather(KernelCall& call);
Status EvaluateAllReduce(KernelCall& call);
Status EvaluateAllToAll(KernelCall& call);
Status EvaluateCollectiveBroadcast(KernelCall& call);
Status EvaluateCollectiveReduce(KernelCall& call);
Status EvaluateCollectivePermute(KernelCall& call);
Status EvaluateCrossReplicaSum(KernelCall& call);
Status EvaluateReduceScatter(KernelCall& call);
Status EvaluateReplicaId(KernelCall& call);
Status EvaluatePartitionId(KernelCall& call);
Status EvaluateSend(KernelCall& call);
Status EvaluateRecv(KernelCall& call);
Status EvaluateInfeed(KernelCall& call);
Status EvaluateOutfeed(KernelCall& call);
Status EvaluateRunParallel(KernelCall& call);

// custom_call.cc
Status EvaluateCustomCall(KernelCall& call);
Status EvaluatePrint(KernelCall& call);
Status EvaluateProbe(KernelCall& call);

// check.cc
Status EvaluateExpectEq(KernelCall& call);
Status EvaluateExpectEqConst(KernelCall& call);
Status EvaluateExpectAlmostEq(KernelCall& call);
Status EvaluateExpectAlmostEqConst(KernelCall& call);
Status EvaluateExpectClose(KernelCall& call);
Status EvaluateExpectSerializedEq(KernelCall& call);
std::optional<Status> EvaluateCheckCall(KernelCall& call, std::string_view target);

}  // namespace shlo
