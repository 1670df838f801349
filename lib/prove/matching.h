// Lists which ops of two programs correspond, from their classes: what a certificate states, for a checker
// that knows nothing of classes.
#pragma once

#include <string_view>
#include <vector>

#include "prove/congruence.h"
#include "shlo/prove.h"

namespace shlo::prove {

// Matches the functions of these names, which are equal in both numberings, and what they use. The form of
// the result is left empty.
Matching Match(const Module& a, Numbering& of_a, const Module& b, Numbering& of_b,
               const std::vector<std::string_view>& functions);

}  // namespace shlo::prove
