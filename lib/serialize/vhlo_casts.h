// Casts between VHLO and other dialects in one program. In VHLO spelling, a value that a VHLO op defines has
// a VHLO type; an op of another dialect that uses it needs the equivalent builtin type, and vice versa. The
// reference inserts one `builtin.unrealized_conversion_cast` per value. In memory both are one type, so
// readers drop such casts.
#pragma once

#include <vector>

#include "shlo/module.h"

namespace shlo {

// Adds the casts that a program needs before it is written in VHLO spelling, at the reference's places.
// Returns for each value whether it has a VHLO type, or an empty vector if all ops have a VHLO equivalent.
std::vector<bool> AddVhloCasts(Module* module);

// Returns whether an op is a cast between the two spellings of the same types.
bool IsSpellingCast(const Module& module, const Op& op);

}  // namespace shlo
