// `prove --counterexample`: writes a program that shows the first difference.
#pragma once

#include "common.h"
#include "shlo/prove.h"

namespace shlo::tool {

// Writes the program for the first part, or else function, with a known input that tells `a` and `b` apart.
// Without one, reports that there is none, as an error if it is required. Returns kDone, or reports an error
// and returns its exit code.
int WriteCounterexample(Context& ctx, const Proof& proof, const Module& a, const Module& b,
                        const std::string& path, bool required = false);

}  // namespace shlo::tool
