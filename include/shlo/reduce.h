// Reduces a program to a small one that still shows something: a failure of a compiler, a blocker, a finding
// of the verifier. Parts are removed or replaced by simpler ones, large parts first, as long as a test says
// that the rest still shows it. docs/reduce.md describes it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "shlo/diagnostics.h"
#include "shlo/limits.h"
#include "shlo/module.h"

namespace shlo {

// Returns whether a program still shows it. An error ends the reduction.
using StillShows = std::function<Result<bool>(const Module& candidate)>;

// Options of Reduce.
struct ReduceOptions {
  uint64_t max_tests = 2000;     // limit of tests
  Limits limits;                 // deadline: the smallest program so far is the result
  bool keep_signatures = false;  // public functions keep their arguments and results
  bool allow_invalid = false;    // also tests programs that do not verify
  // Functions whose signatures stay equal to each other's, because the test compares them. They lose
  // arguments and results together, and get no new ones.
  std::vector<std::string> together;
  // Returns whether the reduction is to end, with the smallest program so far. Asked before and after each
  // test; what a test says after that does not count.
  std::function<bool()> stopped;
  // Receives the name of each step and the number of ops when it begins.
  std::function<void(std::string_view step, uint64_t ops)> progress;
};

// The result of a reduction.
struct Reduced {
  Module module;            // the smallest program that shows it
  uint64_t ops_before = 0;  // ops of the program, without the module and without terminators
  uint64_t ops_after = 0;   // ops of `module`, counted alike
  uint64_t tests = 0;       // tests that ran, the first one, of the program itself, included
  bool complete = true;     // false: a limit or `stopped` ended it, and more might be removed
};

// Returns the smallest program that was found. Each program that is tested verifies, without warnings if
// `module` has none, unless options.allow_invalid. The same module, test and options give the same result.
// Fails with kNotEqual if `module` does not show it, and with kLimit if it ends before that is known.
Result<Reduced> Reduce(const Module& module, const StillShows& still_shows,
                       const ReduceOptions& options = {});

}  // namespace shlo
