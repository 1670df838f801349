// Attributes of convolutions, and the kernel of depthwise ones. Internal to lib/eval.
#pragma once

#include "eval/kernel/kernel_args.h"

namespace shlo {

// Attributes of a convolution.
struct Convolution {
  size_t spatial = 0;
  Ints strides, padding, lhs_dilation, rhs_dilation, reversal;
  int64_t input_batch = 0, input_feature = 0, kernel_input = 0, kernel_output = 0, output_batch = 0,
          output_feature = 0;
  Ints input_spatial, kernel_spatial, output_spatial;
  int64_t feature_groups = 1, batch_groups = 1;

  // Returns the index in a spatial dimension of the operand, of size `extent`, for a position of the result
  // and of the window, of size `window`; -1 in padding and between dilated elements.
  int64_t At(size_t d, int64_t position, int64_t w, int64_t window, int64_t extent) const {
    const int64_t tap = reversal[d] ? window - 1 - w : w;
    const int64_t p = position * strides[d] + tap * rhs_dilation[d] - padding[2 * d];
    int64_t at = p;
    if (lhs_dilation[d] != 1) {  // divisions are slow
      if (p % lhs_dilation[d] != 0) return -1;
      at = p / lhs_dilation[d];
    }
    return p >= 0 && at < extent ? at : -1;
  }
};

// Computes a convolution whose groups have one feature and one result each (depthwise), with vectors of
// features or of positions. `kernel` has the window in row-major order, then features. Returns false if it
// does not serve the element type or the layout.
bool ConvolveDepthwise(KernelHost& host, const Convolution& c, const Ints& window, const Ints& positions,
                       const Tensor& lhs, const Tensor& kernel, Tensor* result);

}  // namespace shlo
