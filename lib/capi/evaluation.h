// Shared by the functions of the C API that evaluate.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "capi/internal.h"
#include "shlo/evaluate.h"

namespace shlo::capi {

// Returns the custom calls of options, which must outlive them, as must the program.
std::map<std::string, CustomCall, std::less<>> CustomCallsOf(const shlo_eval_options& options,
                                                             const shlo_program& program);

}  // namespace shlo::capi
