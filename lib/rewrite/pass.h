// Rows of passes. A pass is a function in a folder of this library, and a row in passes.cc.
#pragma once

#include <string>
#include <string_view>

#include "shlo/passes.h"
#include "shlo/version.h"

namespace shlo::rewrite {

// What a pass gets, besides the program.
struct PassRun {
  const PassCall& call;
  const Limits& limits;
  PassReport& report;

  // Returns the value of an option, or what it is without it.
  std::string_view Option(std::string_view name, std::string_view absent = {}) const;
  // The same for true and false, and for numbers. Fail with kUsage if the value is none.
  Result<bool> Flag(std::string_view name, bool absent) const;
  Result<int64_t> Number(std::string_view name, int64_t absent) const;
  // Returns the elements of a list, "a,b": commas in brackets, braces and quotes do not divide it.
  std::vector<std::string_view> List(std::string_view name) const;
};

// Changes a program, or fails and leaves it as it was.
using PassFunction = Result<void> (*)(const PassRun& run, Program* program);

// Parses the target of a pass as the reference does: every release up to the current one, whether it exists
// or not. Fails with kUsage, in its words.
Result<Version> ParseTarget(std::string_view text);

Result<void> BroadcastForTest(const PassRun& run, Program* program);
Result<void> Canonicalize(const PassRun& run, Program* program);
Result<void> CanonicalizeShapes(const PassRun& run, Program* program);
Result<void> CheckAssertions(const PassRun& run, Program* program);
Result<void> ConvertToSignless(const PassRun& run, Program* program);
Result<void> EliminateCommonSubexpressions(const PassRun& run, Program* program);
Result<void> ExpandChlo(const PassRun& run, Program* program);
Result<void> ExpandChloAsReference(const PassRun& run, Program* program);
Result<void> ExpandComplexMath(const PassRun& run, Program* program);
Result<void> ExpandForTarget(const PassRun& run, Program* program);
Result<void> Fold(const PassRun& run, Program* program);
Result<void> FoldAndSimplify(const PassRun& run, Program* program);
Result<void> InferForTest(const PassRun& run, Program* program);
Result<void> Inline(const PassRun& run, Program* program);
Result<void> InstrumentWithProbe(const PassRun& run, Program* program);
Result<void> LegalizeCompositeToCall(const PassRun& run, Program* program);
Result<void> LegalizeDeprecatedOps(const PassRun& run, Program* program);
Result<void> LegalizeQdqToQuantizedOp(const PassRun& run, Program* program);
Result<void> LegalizeQuantToMath(const PassRun& run, Program* program);
Result<void> LegalizeQuantizedOpToQdq(const PassRun& run, Program* program);
Result<void> LegalizeShape(const PassRun& run, Program* program);
Result<void> RefineArguments(const PassRun& run, Program* program);
Result<void> RefineShapes(const PassRun& run, Program* program);
Result<void> SimplifyAggressively(const PassRun& run, Program* program);
Result<void> WrapInComposite(const PassRun& run, Program* program);

}  // namespace shlo::rewrite
