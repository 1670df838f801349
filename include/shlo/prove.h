// Proof by evaluation: two programs are run on the same inputs, boundary values first, and must agree bit
// for bit.
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
  uint64_t max_elements = 1u << 20;  // larger arguments are not generated
};

enum class Verdict : uint8_t { kEqual, kDifferent, kNotCovered };

struct FunctionProof {
  std::string function;
  Verdict verdict = Verdict::kNotCovered;
  uint32_t inputs = 0;      // input sets evaluated
  bool exhaustive = false;  // every possible input was among them
  std::string detail;       // what was compared; why not covered; or the first difference with its input
};

struct Proof {
  Verdict verdict =
      Verdict::kNotCovered;  // kEqual: all functions equal; kNotCovered: none differs, some not covered
  uint64_t seed = 0;
  std::vector<FunctionProof> functions;
};

// A function without results is compared by its intermediate values: the results of its ops at top level, in
// order, which both programs must have in the same number. Functions that are called are covered through
// their callers. Failed checks of a program are compared, too. What cannot be evaluated is not covered, with
// the op and its place, and never counts as equal. Dynamic dimensions are tried with one extent.
//
// Compares every public function (or every function, when none is public) of `a` with the one of the same
// name in `b`.
Result<Proof> Prove(const Module& a, const Module& b, const ProveOptions& options = {});

}  // namespace shlo
