// The worth of evaluating two programs on the same inputs: which inputs ended, which results could tell
// programs apart, and which parts of the programs ran. Two programs that return NaN for every input agree,
// but that shows nothing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace shlo {

// Counts for one function.
struct Coverage {
  uint32_t compared = 0;             // input sets on which both programs returned results
  uint32_t failed = 0;               // input sets on which both failed with the same message
  uint32_t unfinished = 0;           // input sets on which neither ended within the limit
  uint64_t elements = 0;             // elements of results; of large results, a sample
  uint64_t telling = 0;              // of these: finite, and not the same for all inputs
  uint32_t distinct = 0;             // different results; as many inputs are told apart
  uint32_t regions = 0;              // branches and bodies of both programs
  uint32_t regions_run = 0;          // number that ran for some input
  std::vector<std::string> not_run;  // branches and bodies that never ran, with their places
  std::vector<std::string> blind;    // results that cannot distinguish programs, with the reason
  // Sizes of dynamic dimensions with which both programs ran, in the order of the arguments.
  std::vector<std::vector<int64_t>> extents;
};

}  // namespace shlo
