// What functions of both C libraries do with the evaluator; lite.cc has its place in the other library.
#include "capi/internal.h"
#include "evidence/golden_files.h"
#include "shlo/known_values.h"

namespace shlo::capi {

Folding FoldingFor(uint64_t limit) { return limit ? FoldingOf(limit) : FoldingOf(); }

void AddEvaluation(CheckRun* run) { shlo::AddEvaluation(run); }

}  // namespace shlo::capi
