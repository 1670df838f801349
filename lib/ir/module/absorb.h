// Appends what was read in another thread to a module.
#pragma once

#include <span>

#include "shlo/module.h"

namespace shlo {

// Where the ids of a part are now.
struct Absorbed {
  uint32_t first_op = 0;     // op i + 1 of the part is op first_op + i
  uint32_t first_value = 0;  // likewise for values
};

// Adds the ops of `part`, which are all in its block 1 of its region 1, to the open block of a builder. The
// module then equals, ids included, one in which they were built after the ops that it has, by the same
// calls.
Absorbed Absorb(Module&& part, Builder* builder);

// Gives the memory of ops and values of a module that is not needed any more to an empty one.
void ReuseMemory(Module&& spent, Module* empty);

}  // namespace shlo
