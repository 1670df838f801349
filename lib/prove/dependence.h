// Which values of a program depend on the arguments of a function. A branch whose condition does not depend
// on them is dead if it did not run once. Internal to lib/prove.
#pragma once

#include <vector>

#include "shlo/module.h"

namespace shlo {

// Returns for each value of the module whether it may depend on an argument of `function`.
std::vector<bool> DependentValues(const Module& module, OpId function);

// Returns the values that a function returns; empty if its body is not one block.
std::span<const ValueId> ReturnedValues(const Module& module, OpId function);

}  // namespace shlo
