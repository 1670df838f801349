// How the C library gets memory from the system. Page faults can take as long as all other work on a program.
#pragma once

#include <cstdint>

namespace shlo::tool {

// For commands that do not evaluate: what one part of a program took is free for the next one. Each time it
// goes back to the system, every page of it costs a page fault.
void KeepFreedMemory();

// Before reading a file of this many bytes, after KeepFreedMemory: lets small allocations use large pages if
// there will be many of them. Does nothing if the system limits data, of which this reserves more than it
// uses.
void UseLargePages(uint64_t bytes);

}  // namespace shlo::tool
