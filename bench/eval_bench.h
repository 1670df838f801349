// Speed of evaluation: small programs that are one op each, and generated models of the size of real ones.
#pragma once

#include <cstdint>
#include <string>

namespace shlo::bench {

// Prints a table: time of each op, and how many times faster than the reference interpreter that is.
void EvalTable();
// Evaluates a program on random arguments; prints time, and peak memory of this process.
int EvalFile(const std::string& path, bool fast, uint32_t threads);

}  // namespace shlo::bench
