// Makes an input on which two programs differ simple, so that a person can follow it. Internal to lib/prove.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "shlo/tensor.h"

namespace shlo {

// Returns an input on which differ() holds, as it does for `args`, with as many zeros, then ones, and then
// -1, as were found: whole arguments first, then halves of the other elements, and so on. Calls differ() at
// most `max_evaluations` times; it may return false to end the search early.
std::vector<Tensor> SimplerInputs(std::vector<Tensor> args,
                                  const std::function<bool(const std::vector<Tensor>&)>& differ,
                                  uint32_t max_evaluations = 200);

// Returns "dense<0.0> : tensor<92x3xf32>, but 1.5 at [3, 1]" for a tensor with few elements that are not
// zero; nullopt for others.
std::optional<std::string> PrintSparse(const Tensor& tensor, uint64_t max_elements);

}  // namespace shlo
