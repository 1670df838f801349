// The rules of the gate that evaluate programs: changes of meaning, and results that were kept.
#pragma once

#include <string>
#include <vector>

#include "shlo/check.h"
#include "shlo/tensor.h"

namespace shlo {

// Proves the public functions of two programs equal (shlo/prove.h), and returns those that are not known to
// be. For CheckSettings::compare_meaning.
Result<std::vector<MeaningChange>> CompareMeaning(const Program& before, const Program& now,
                                                  const Limits& limits);

// Compares a result with the one that was kept: same type, and each element x near y: |x - y| <= tolerance *
// (1 + |y|), or of the same bits. Any NaN is near any other, if there is a tolerance. Returns the first
// difference, or "".
std::string GoldenDifference(const Tensor& result, const Tensor& kept, double tolerance);

}  // namespace shlo
