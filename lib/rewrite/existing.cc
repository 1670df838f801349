// Passes of other libraries: expansion, folding and inlining.
#include "base/format.h"
#include "rewrite/pass.h"
#include "shlo/expand.h"
#include "shlo/inline.h"
#include "shlo/known_values.h"

namespace shlo::rewrite {
namespace {

// Expands what `target` lacks, if it is valid, and CHLO if `chlo`. Fails with an error, in the reference's
// words, per op of CHLO that is left.
Result<void> ExpandProgram(Version target, bool chlo, Program* program) {
  ExpandOptions options{.target = target, .chlo = chlo};
  options.convert.source = &program->source;
  SourcePlaces places = program->source.places;
  auto expansion = Expand(program->module, options, &places);
  if (!expansion) return tl::unexpected(std::move(expansion.error()));
  Diagnostics failed;
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

Result<void> ExpandChlo(const PassRun&, Program* program) {
  return ExpandProgram({}, /*chlo=*/true, program);
}

Result<void> ExpandForTarget(const PassRun& run, Program* program) {
  const auto target = ParseTarget(run.Option("target"));
  if (!target) return tl::make_unexpected(target.error());
  return ExpandProgram(*target, /*chlo=*/false, program);
}

Result<void> FoldKnown(const PassRun&, Program* program) { return FoldConstants(program); }

Result<void> Inline(const PassRun&, Program* program) {
  SourcePlaces places = program->source.places;
  auto inlined = InlineCalls(program->module, &places);
  if (!inlined) return tl::unexpected(std::move(inlined.error()));
  program->module = std::move(*inlined);
  program->source.places = std::move(places);
  return {};
}

}  // namespace shlo::rewrite
