// Passes of other libraries: expansion, folding and inlining.
#include "base/format.h"
#include "base/try.h"
#include "rewrite/pass.h"
#include "shlo/expand.h"
#include "shlo/inline.h"
#include "versioning/locations.h"

namespace shlo::rewrite {
namespace {

// Expands what the options say. Fails with an error, in the reference's words, per op of CHLO that is left,
// and as the expansions that fail.
Result<void> ExpandProgram(ExpandOptions options, const PassRun& run, Program* program) {
  options.static_batching_only = true;
  options.convert.source = &program->source;
  options.convert.limits = run.limits;
  SourcePlaces places = program->source.places;
  auto expansion = Expand(program->module, options, &places);
  if (!expansion) return tl::unexpected(std::move(expansion.error()));
  Diagnostics failed;
  for (Diagnostic& remark : expansion->remarks)
    (remark.severity == Severity::kError ? failed : run.report.remarks).push_back(std::move(remark));
  // The reference's compatibility expander leaves what it does not know, but all of CHLO is illegal
  // afterwards.
  for (Diagnostic& left : expansion->left) {
    if (!left.op.starts_with("chlo.")) continue;
    left.severity = Severity::kError;
    // Mirrors MLIR.
    left.message = StrFormat("failed to legalize operation '{}' that was explicitly marked illegal", left.op);
    failed.push_back(std::move(left));
  }
  if (!failed.empty()) return tl::unexpected(std::move(failed));
  program->module = std::move(expansion->module);
  program->source.places = std::move(places);
  return {};
}

}  // namespace

Result<void> ExpandChlo(const PassRun& run, Program* program) { return ExpandProgram({}, run, program); }

Result<void> ExpandChloAsReference(const PassRun& run, Program* program) {
  return ExpandProgram({.expansions = Expansions::kReferenceChlo}, run, program);
}

Result<void> ExpandComplexMath(const PassRun& run, Program* program) {
  return ExpandProgram({.expansions = Expansions::kReferenceMath}, run, program);
}

Result<void> BroadcastForTest(const PassRun& run, Program* program) {
  return ExpandProgram({.expansions = Expansions::kReferenceTest}, run, program);
}

Result<void> ExpandForTarget(const PassRun& run, Program* program) {
  const Version target = SHLO_TRY(ParseTarget(run.Option("target")));
  SHLO_TRY(ExpandProgram({.target = target, .chlo = false}, run, program));
  Diagnostics unread;
  LowerLocations(&program->module, target, {}, &unread);
  return {};
}

Result<void> Inline(const PassRun&, Program* program) {
  SourcePlaces places = program->source.places;
  auto inlined = InlineCalls(program->module, &places);
  if (!inlined) return tl::unexpected(std::move(inlined.error()));
  program->module = std::move(*inlined);
  program->source.places = std::move(places);
  return {};
}

}  // namespace shlo::rewrite
