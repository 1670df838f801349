// Conversion between quantized tensors and the numbers they represent (specification, "Operations on
// quantized tensors"). Internal to lib/eval.
#pragma once

#include "eval/kernel/kernel.h"

namespace shlo {

// Returns (stored - zero point) * scale, each step rounded in the expressed type.
Result<Tensor> Dequantize(KernelHost& host, const Tensor& tensor);
// Returns clamp(storage_min, round_nearest_even(number / scale) + zero point, storage_max) in a quantized
// type.
Result<Tensor> Quantize(KernelHost& host, const Tensor& tensor, const ValueTypePtr& type);

}  // namespace shlo
