// Proves that two programs are equal: in their results, bit by bit, and in their contract.
//
// Equal ops on equal operands are equal, whatever they compute. So converted programs are proved at any size
// and with unknown ops. Laws explain differences: conversion steps and expansions. The rest is cut out and
// evaluated. See docs/proof.md.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shlo/coverage.h"
#include "shlo/diagnostics.h"
#include "shlo/limits.h"
#include "shlo/module.h"
#include "shlo/program.h"
#include "shlo/source.h"
#include "shlo/tensor.h"

namespace shlo {

// Options of Prove.
struct ProveOptions {
  const Source* source_a = nullptr;  // of the first module, for places
  const Source* source_b = nullptr;  // of the second module
  uint64_t seed = 1;                 // of random inputs; the same seed gives the same inputs everywhere
  uint32_t max_inputs = 256;         // input sets per function or cut-out
  uint64_t max_elements = 1u << 24;  // limit of elements per argument
  // Memory of one evaluation; work of all of them, beyond which functions are not covered; deadline.
  Limits limits = {.max_memory = 4ull << 30};
  bool evaluate_only = false;  // compare functions by evaluating them only; the contract is not compared
  bool matching = false;       // fill in Proof::matching
};

// Outcome of a comparison.
enum class Verdict : uint8_t {
  kEqual,          // values and contract; Evidence says how strongly that is known
  kOtherContract,  // equal values, but different promises, permissions or requests
  kDifferent,      // in the value of a result for an input that the report states, or in the signature
  kNotCovered,     // not known
};

// The grounds of a verdict of equality, from weak to strong.
enum class Evidence : uint8_t {
  kNone,
  kSampled,     // not told apart by some inputs
  kExhaustive,  // equal on all inputs
  kLaws,        // equal by congruence and laws
  kCongruence,  // equal by congruence
};
// Returns the name of a verdict; sampled equality is "not told apart", not "equal".
std::string_view VerdictName(Verdict verdict, Evidence evidence);
// Returns "sampled".
std::string_view EvidenceName(Evidence evidence);
// Returns the evidence of that name, if there is one.
std::optional<Evidence> EvidenceOfName(std::string_view name);

// A law that was used.
struct Law {
  std::string name;          // "stablehlo.sub -> stablehlo.subtract", "expansion of chlo.erf"
  uint64_t count = 0;        // ops that it was applied to, in either program
  bool approximate = false;  // equal up to the error that docs/expansion.md states
  friend bool operator==(const Law&, const Law&) = default;
};

// Consecutive ops of one program, and their counterparts.
struct MatchRun {
  uint32_t first = 0;  // number of the first op
  uint32_t to = 0;     // number of the op that the first one corresponds to
  uint32_t count = 0;  // ops in the run
  friend bool operator==(const MatchRun&, const MatchRun&) = default;
};

// How the ops of two programs correspond, after both were rewritten by laws. Ops are numbered from 1 in the
// order in which text has them, an op before those in its regions; the module is not counted.
struct Matching {
  std::string form;               // which laws were applied: "steps", "expanded", ... (docs/proof.md)
  std::vector<MatchRun> matches;  // ops of the second program, and ops of the first that are equal
  std::vector<MatchRun> repeats;  // ops of the first program, and earlier ones of the same program
};

// A part in which two functions differ: two programs with one function each, of the same name and arguments.
struct DifferentPart {
  Module a;              // of the first program, in the common form of both
  Module b;              // of the second program
  std::string function;  // its name in both
  uint64_t ops_a = 0;    // ops of the first one, without called functions
  uint64_t ops_b = 0;    // of the second one
  std::vector<Tensor>
      counterexample;  // arguments on which the result differs; they may never occur in the functions
};

// The comparison of one function.
struct FunctionProof {
  std::string function;                    // symbol name
  Verdict verdict = Verdict::kNotCovered;  // of this function
  uint64_t inputs = 0;                     // input sets evaluated, of the function and of all cut-outs
  bool exhaustive = false;                 // these were all possible inputs
  std::string detail;                   // the comparison, the reason for no coverage, or the first difference
  Evidence evidence = Evidence::kNone;  // of equality
  Coverage coverage = {};               // of the inputs of the function, or of its parts
  uint32_t cut_outs = 0;                // parts of the function that are equal by evaluation
  std::vector<Tensor>
      counterexample;  // arguments on which a result differs, simple ones; empty if none are known
  // The first one that differs; null: none is known. Kept, as the counterexample, for the first 16 such
  // functions.
  std::shared_ptr<const DifferentPart> part;
  Diagnostics contract;  // differences of the contract, also if the values are not known to be equal
};

// The comparison of two programs.
struct Proof {
  // kEqual: all functions and the modules are equal; kNotCovered: none differs, but some are not covered.
  Verdict verdict = Verdict::kNotCovered;
  Evidence evidence = Evidence::kNone;  // the weakest of all functions
  uint64_t seed = 0;                    // as in the options
  std::vector<FunctionProof>
      functions;          // in the order of the first program, then functions only in the second
  std::vector<Law> laws;  // that bring both programs into a common form
  Diagnostics contract;   // differences between the modules, outside of functions
  Matching matching;      // of functions that are equal by congruence or laws, if it was asked for
};

// Compares every public function of `a` (or every function, if none is public) with the function of the same
// name in `b`, and the contracts of both modules. Called functions are covered through their callers,
// with any names.
//
// Where evaluation is needed, a function without results is compared by its intermediate values: the results
// of its top-level ops in order, whose number must be equal. Failed checks are compared, too. A function that
// cannot be evaluated is not covered, with the op and its place, and never counts as equal. A
// function whose results could not tell programs apart, or with a branch or body that never ran, is not
// covered either. Dynamic dimensions are evaluated with several sizes. docs/evaluation.md describes the
// inputs.
Result<Proof> Prove(const Module& a, const Module& b, const ProveOptions& options = {});

// Proves that a conversion of a program, which may have been written and read again, kept its meaning. Fails
// with each function that is not proved equal with this evidence or stronger one (kNotEqual); these errors
// are about `file`.
Result<Proof> ProveConversion(const Program& original, const Module& converted, Evidence at_least,
                              const std::string& file, ProveOptions options = {});
// Returns the same for ConversionRequest::prove.
std::function<Result<void>(const Program& original, const Module& converted, const Limits& limits)> ProofOf(
    Evidence at_least);

}  // namespace shlo
