// Checks equivalence by evaluation: evaluates two programs on the same inputs, boundary values first, and
// compares the results bit by bit. Only an `exhaustive` result is a proof.
#pragma once

#include <string>
#include <vector>

#include "shlo/diagnostics.h"
#include "shlo/module.h"
#include "shlo/source.h"

namespace shlo {

struct ProveOptions {
  const Source* source_a = nullptr;  // of the two modules, for places
  const Source* source_b = nullptr;
  uint64_t seed = 1;
  uint32_t max_inputs = 256;         // input sets per function
  uint64_t max_elements = 1u << 20;  // limit of elements per argument
};

enum class Verdict : uint8_t { kEqual, kDifferent, kNotCovered };

struct FunctionProof {
  std::string function;
  Verdict verdict = Verdict::kNotCovered;
  uint32_t inputs = 0;      // input sets evaluated
  bool exhaustive = false;  // every possible input was evaluated
  std::string detail;       // what was compared, why it is not covered, or the first difference
};

struct Proof {
  // kEqual: all functions are equal; kNotCovered: none differs, but some are not covered.
  Verdict verdict = Verdict::kNotCovered;
  uint64_t seed = 0;
  std::vector<FunctionProof> functions;
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
