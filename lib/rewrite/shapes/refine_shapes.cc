// The passes stablehlo-refine-shapes and stablehlo-refine-arguments.
#include "base/format.h"
#include "base/guarded.h"
#include "ir/table/ops.h"
#include "ir/verify/infer.h"
#include "rewrite/driver.h"
#include "rewrite/pass.h"
#include "rewrite/shapes/arguments.h"
#include "rewrite/shapes/refiner.h"
#include "shlo/print.h"
#include "shlo/types.h"
#include "shlo/verify.h"

namespace shlo::rewrite {
namespace {

// Returns the errors of a program, as the reference reports them after a pass.
Diagnostics ErrorsOf(const Program& program) {
  VerifyOptions options;
  options.as_reference = true;
  options.first_of_function = true;
  Diagnostics found = Verify(program, options);
  std::erase_if(found, [](const Diagnostic& d) { return d.severity != Severity::kError; });
  return found;
}

}  // namespace

Result<void> RefineShapes(const PassRun& run, Program* program) {
  return Guarded(run.limits, [&]() -> Result<void> {
    ModuleEditor editor(program->module);
    const auto entry = EntryFunction(editor, &program->source);
    if (!entry) return tl::make_unexpected(entry.error());
    auto refined = ShapeRefiner(&editor, &program->source, nullptr, run.limits).Run(*entry);
    if (refined) {
      if (auto cleaned = Apply({}, &editor, {.limits = run.limits}); !cleaned)
        return tl::unexpected(std::move(cleaned.error()));
    }
    Program out;
    out.source = program->source;
    out.name = program->name;
    out.module = std::move(editor).Finish(&out.source.places);
    Diagnostics errors = refined ? Diagnostics() : std::move(refined.error());
    const Diagnostics found = ErrorsOf(out);
    errors.insert(errors.end(), found.begin(), found.end());
    if (!errors.empty()) return tl::unexpected(std::move(errors));
    *program = std::move(out);
    return {};
  });
}

Result<void> RefineArguments(const PassRun& run, Program* program) {
  return Guarded(run.limits, [&]() -> Result<void> {
    ModuleEditor editor(program->module);
    std::vector<TypeId> types;
    for (const std::string_view text : run.List("types")) {
      const TypeId type = ParsedType(&editor.module(), text);
      // Mirrors MLIR.
      if (!type) return Error(Code::kUsage, StrFormat("Invalid type string: {}", text));
      types.push_back(type);
    }
    const auto entry = EntryFunction(editor, &program->source);
    if (!entry) return tl::make_unexpected(entry.error());
    if (auto set = SetArgumentTypes(&editor, *entry, types, &program->source); !set) return set;
    program->module = std::move(editor).Finish(&program->source.places);
    return {};
  });
}

}  // namespace shlo::rewrite
