// Elements of a file as a tensor. Internal to lib/eval.
#pragma once

#include <string_view>

#include "shlo/tensor.h"

namespace shlo {

// Returns `bytes`, which must have the size of `type`, as a tensor: a view if `owner` keeps them alive and
// they are already in the layout of tensors, a copy otherwise. `swapped` reverses the bytes of each number.
// Bits that a type does not use are cleared (ml_dtypes sign-extends int4), and booleans become 0 or 1.
Result<Tensor> UnpackElements(const ValueTypePtr& type, std::string_view bytes, bool swapped,
                              const Buffer& owner);

}  // namespace shlo
