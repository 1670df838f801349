// Casts between the dialects of a mixed program. In the portable spelling a value has a portable type when a
// portable op defines it; an op of another dialect that uses it wants the builtin type of the same meaning,
// and the other way round. The reference puts `builtin.unrealized_conversion_cast` between them, one for each
// value. In memory both are one type, so readers leave such casts out again.
#pragma once

#include <vector>

#include "shlo/module.h"

namespace shlo {

// Whether some op has no portable spelling, so that casts may be needed.
bool MixesSpellings(const Module& module);

// Adds the casts that a program needs before it is written in the portable spelling, where the reference has
// them. Returns for each value whether its type is spelled portably, or nothing when all ops have a portable
// spelling and so no value needs to be told apart.
std::vector<bool> AddVhloCasts(Module* module);

// Whether an op casts values to the type that they have: from one spelling to the other.
bool IsSpellingCast(const Module& module, const Op& op);

}  // namespace shlo
