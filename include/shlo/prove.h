// Checks equivalence by evaluation: evaluates two programs on the same inputs, boundary values first, and
// compares the results bit by bit. Only an `exhaustive` result is a proof.
#pragma once

#include <string>
#include <vector>

#include "shlo/diagnostics.h"
#include "shlo/module.h"
#include "shlo/source.h"

namespace shlo {

// Options of Prove.
struct ProveOptions {
  const Source* source_a = nullptr;  // of the first module, for places
  const Source* source_b = nullptr;  // of the second module
  uint64_t seed = 1;                 // of random inputs; the same seed gives the same inputs everywhere
  uint32_t max_inputs = 256;         // input sets per function
  uint64_t max_elements = 1u << 20;  // limit of elements per argument
};

// Outcome of a comparison: equal on all inputs tried, different on one, or not comparable.
enum class Verdict : uint8_t { kEqual, kDifferent, kNotCovered };

// The comparison of one function.
struct FunctionProof {
  std::string function;                    // symbol name
  Verdict verdict = Verdict::kNotCovered;  // of this function
  uint32_t inputs = 0;                     // input sets evaluated
  bool exhaustive = false;                 // every possible input was evaluated
  std::string detail;  // what was compared, why it is not covered, or the first difference
};

// The comparison of two programs.
struct Proof {
  // kEqual: all functions are equal; kNotCovered: none differs, but some are not covered.
  Verdict verdict = Verdict::kNotCovered;
  uint64_t seed = 0;  // as in the options
  std::vector<FunctionProof>
      functions;  // in the order of the first program, then those that only the second has
};

// Compares every public function of `a` (or every function, if none is public) with the function of the same
// name in `b`.
//
// A function without results is compared by its intermediate values: the results of its top-level ops in
// order, whose number must be equal. Called functions are covered through their callers. Failed checks are
// compared, too. A function that cannot be evaluated is not covered, with the op and its place, and never
// counts as equal. Dynamic dimensions are evaluated with one size.
Result<Proof> Prove(const Module& a, const Module& b, const ProveOptions& options = {});

}  // namespace shlo
