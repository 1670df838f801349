// Checks of laws by rung: structure, guards, meaning. Every check applies a law through LawRun, which can
// plant a mistake in the result, so that the checks themselves are tested (mutations.cc).
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "prove/laws.h"
#include "shlo/evaluate.h"
#include "shlo/module.h"
#include "shlo/tensor.h"

namespace shlo::laws {

using Dims = std::vector<int64_t>;

// Decides what a generator makes: at random, or every structure once.
class Source {
 public:
  // Random choices. The same seed gives the same choices everywhere.
  explicit Source(uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15u + 1) {}
  // Every sequence of choices in turn, by Next().
  static Source Every() {
    Source source(1);
    source.every_ = true;
    return source;
  }
  bool every() const { return every_; }

  // Returns a choice among `n`, n > 0. Every sequence of these is tried if every().
  uint64_t Pick(uint64_t n);
  int64_t Between(int64_t low, int64_t high) { return low + int64_t(Pick(uint64_t(high - low + 1))); }
  bool Flip() { return Pick(2) != 0; }
  // Returns random bits, which are never enumerated.
  uint64_t Any();
  int64_t AnyBetween(int64_t low, int64_t high) { return low + int64_t(Any() % uint64_t(high - low + 1)); }
  // Shuffles; a list that is enumerated is reversed or not.
  template <typename T>
  void Shuffle(std::vector<T>* items) {
    if (items->size() < 2) return;
    if (every_) {
      if (Flip()) std::reverse(items->begin(), items->end());
      return;
    }
    for (size_t i = items->size(); i > 1; --i) std::swap((*items)[i - 1], (*items)[Pick(i)]);
  }
  // Goes to the next sequence of choices. Returns false after the last one.
  bool Next();

 private:
  struct Choice {
    uint64_t n, chosen;
  };
  uint64_t state_;
  bool every_ = false;
  std::vector<Choice> path_;
  size_t position_ = 0;
};

// How far results may be from each other.
struct Tolerance {
  double ulps = 0;   // 0: equal bits
  double floor = 0;  // smaller results are measured in last places of this one
  double part = 0;   // what each part of a complex number may differ by in its own last places; 0: any
};

// A program with inputs and, if the generator has computed them itself, results.
struct Program {
  Module module;
  std::vector<Tensor> args;
  std::vector<std::string> grid;  // a function per process; empty: "main", in one process
  size_t partitions = 1;
  EvalOptions options;
  std::vector<Tensor> expected;  // by the reference; empty: there is none
  Tolerance of_reference;
  Tolerance of_law;
};

// Makes a program that contains `op` at `version`; false if the choices do not make one.
using Generator = std::function<bool(RowId op, Version version, Source& source, Program* program)>;
// Returns the generator for a step of an op: programs without anything that the older revision lacks.
Generator StepGenerator(RowId op);
// Returns the generators for an expansion of an op, all of which are tried.
std::vector<Generator> ExpansionGenerators(RowId op);
// Returns a generator of calls for inlining.
Generator CallGenerator();
// Returns a generator of programs for exact rewrites.
Generator SimplifiedGenerator();

Result<std::vector<Tensor>> Run(const Program& program, const Module& module);
// Returns "" if the results are equal, up to the tolerance; otherwise the first difference.
std::string Differ(const std::vector<Tensor>& values, const std::vector<Tensor>& right, Tolerance tolerance);

// A mistake in a conversion.
struct Mutation {
  enum Kind : uint8_t {
    kLoseAttr,          // an attribute becomes absent
    kChangeAttr,        // an attribute has another value
    kSetAbsent,         // an absent attribute gets a value other than its default
    kSwapAttrs,         // two attributes are swapped
    kSwapOperands,      // two operands are swapped
    kRepeatOperand,     // an operand is replaced by the one before
    kTruncateOperands,  // the last operand is missing
    kLoseRegion,        // a region is missing
    kSkip,              // the op stays as it is, in a program of the other version
    kOtherOp,           // the op becomes one that looks the same
    kLoseDiscardable,   // discardable attributes are lost
    kLoseLocation,      // the location is lost
    kSwapResults,       // uses of a result use another one
    kForget,            // uses of the result use an operand
    kOtherConstant,     // a constant has another value
    kIgnoreGuard,       // what the target cannot represent is dropped
    kRefuse,            // everything is refused
  } kind{};
  std::string op;    // whose ops are changed: "stablehlo.select"
  uint32_t nth = 0;  // only the n-th of them, if `one`
  bool one = false;
  uint32_t slot = 0, other = 0;
  RevisionId revision;  // kOtherOp
  std::string Describe() const;
};
// Returns the mistakes that can be planted where a law has made `after` of `before`.
std::vector<Mutation> MutationsOf(const LawRow& law, const Module& before, const Module& after);
// Plants a mistake. Returns whether the module changes.
bool Plant(const Mutation& mutation, const LawRow& law, Module* module);
// Makes a module that the law accepts, as a converter would that ignores its guard.
void DropWhatIsLost(const LawRow& law, Module* module);

// One run of the checks of a law.
struct LawRun {
  const LawRow& law;
  const Mutation* mutation = nullptr;
  uint64_t random_programs = 100;
  bool exhaustive = false;
  bool every_variation = false;  // of types; otherwise, unless exhaustive, a third of them
  bool stop_at_failure = true;

  std::array<uint64_t, kNumRungs> checks{};
  std::string basis;
  std::vector<std::string> failures;
  int failed_rung = -1;
  uint64_t changed = 0;  // modules that the mutation has changed
  // Variations of types that were tried, and for each that made no program the reason.
  uint64_t variations = 0;
  std::map<std::string, std::string> not_varied;
  std::function<void(const Module& before, const Module& after)> observe;

  // The versions between which the law rewrites.
  Version from, to;

  // Applies the law, and the mutation to its result.
  Result<Module> Apply(const Module& module);
  // Counts a check of a rung.
  bool Expect(bool holds, int rung, const std::function<std::string()>& failure, uint64_t count = 1);
  bool done() const { return stop_at_failure && failed_rung >= 0; }
};

// Runs all rungs of a law.
void Check(LawRun* run);
void CheckStep(LawRun* run);
void CheckExpansion(LawRun* run);
void CheckProgramLaw(LawRun* run);
// Evaluates generated programs before and after the law; counts rungs 2, 3 and 4.
void CheckMeaning(const Generator& generator, LawRun* run);

// Prints up to `count` small programs before and after the law, as JSON.
void Show(const LawRow& law, uint64_t count);

// --- Tensors ------------------------------------------------------------------------------------------

Tensor TensorOfInts(TypeKind kind, const Dims& shape, const std::vector<int64_t>& values);
std::vector<int64_t> IntsOfTensor(const Tensor& tensor);
int64_t CountOf(const Dims& shape);
// Visits the indices of a shape, row-major.
void ForEachIndex(const Dims& shape, const std::function<void(const Dims&)>& visit);
int64_t Offset(const Dims& shape, const Dims& index);

}  // namespace shlo::laws
