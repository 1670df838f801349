// Kernels that code other than their row calls. All others are declared by kernel_rows.inc.
#pragma once

#include <optional>

#include "eval/kernels/kernel.h"

namespace shlo {

// elementwise.cc
Status EvaluateElementwise(KernelCall& call);
Status EvaluateBroadcasting(KernelCall& call);

// check.cc
std::optional<Status> EvaluateCheckCall(KernelCall& call, std::string_view target);

}  // namespace shlo
