// Speed of evaluation: programs of one op each, and generated models of realistic size.
#pragma once

#include <cstdint>
#include <string>

namespace shlo::bench {

// Prints the time of each op, and the speedup over the reference interpreter.
void EvalTable();
// Evaluates a program on random arguments; prints time and peak memory of this process.
int EvalFile(const std::string& path, bool fast, uint32_t threads);

}  // namespace shlo::bench
