// Makes an input on which two programs differ simple, so that a person can follow it. Internal to lib/prove.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "shlo/tensor.h"

namespace shlo {

// The outcome of trying an input: the programs differ on it or not, or no more inputs can be tried.
enum class Trial : uint8_t { kDiffer, kSame, kStop };
using TryInput = std::function<Trial(const std::vector<Tensor>&)>;

// Returns an input on which the programs differ, as they do on `args`, with as many zeros, then ones, and
// then -1, as were found: whole arguments first, then halves of the other elements, and so on. Tries at most
// `max_trials` inputs.
std::vector<Tensor> SimplerInputs(std::vector<Tensor> args, const TryInput& differ,
                                  uint32_t max_trials = 200);

// Returns "dense<0.0> : tensor<92x3xf32>, but 1.5 at [3, 1]" for a tensor with few elements that are not
// zero; nullopt for others.
std::optional<std::string> PrintSparse(const Tensor& tensor, uint64_t max_elements);

}  // namespace shlo
