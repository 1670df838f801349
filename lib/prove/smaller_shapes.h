// Makes the shapes of a part in which two programs differ small, so that a person can follow it. Internal to
// lib/prove.
#pragma once

#include "prove/cut_out.h"
#include "prove/work_budget.h"
#include "shlo/prove.h"

namespace shlo::prove {

// Returns the part, with extents of both programs changed alike as far as they still differ on some input.
DifferentPart SmallerShapes(CutOut a, CutOut b, std::vector<Tensor> counterexample,
                            const ProveOptions& options, WorkBudget& budget);

}  // namespace shlo::prove
