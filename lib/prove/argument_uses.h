// Uses of the arguments of a function, so that inputs can be chosen that matter to the program: which
// ones are indices, and into what; which bound loops; which constants they are compared with. The analysis
// follows values forward, and visits each op a few times. It may miss uses, which then are tried by chance
// only. Internal to lib/prove.
#pragma once

#include <vector>

#include "eval/input_generator.h"
#include "shlo/module.h"

namespace shlo {

// Returns the uses of the arguments of a function, one per argument. Adds to `work`, if given, what the
// analysis took, in approximate nanoseconds.
std::vector<ArgumentUse> ArgumentUses(const Module& module, OpId function, uint64_t* work = nullptr);
// Adds the uses that another program has for the same arguments.
void MergeUses(std::vector<ArgumentUse>* uses, std::vector<ArgumentUse> more);

// Returns the numbers of both programs: constants and integers in attributes. Those that do not occur equally
// often in both come first, then constants in program order, up to a limit.
std::vector<Number> NumbersOf(const Module& a, const Module& b);

}  // namespace shlo
