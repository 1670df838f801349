// Texts about a difference between two programs: values, the input that shows it, failures. Internal to
// lib/prove.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>

#include "shlo/diagnostics.h"
#include "shlo/tensor.h"

namespace shlo {

// Returns a diagnostic as part of a sentence, with its op and place.
std::string Describe(const Diagnostic& d);

// How far two elements of different bits are from each other.
enum class Gap : uint8_t {
  kNone,      // the same number: zeros of different signs, or NaNs
  kRounding,  // a rounding apart
  kVisible    // anything else
};
Gap GapOf(const Tensor& a, const Tensor& b, uint64_t element);

// The element in which two tensors of one type differ most visibly; of several, the first.
struct ShownElement {
  uint64_t at;
  Gap gap;
};
// Returns nullopt if all elements have the same bits.
std::optional<ShownElement> MostVisible(const Tensor& a, const Tensor& b);

// Returns "result 0 differs at [3]: ..." with the number of elements that differ, and the input.
std::string DifferenceText(const std::string& what, const Tensor& a, const Tensor& b, uint64_t at,
                           std::span<const Tensor> args);

// Returns "; for %arg0 = ...": small arguments and those with few elements that are not zero as a whole,
// others at the index of the difference if their shape is that of the value that differs.
std::string ArgumentsText(std::span<const Tensor> args,
                          std::optional<std::pair<const ValueType*, uint64_t>> where);

}  // namespace shlo
