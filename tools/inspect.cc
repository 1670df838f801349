// `inspect`: summarizes a file without evaluating or converting it.
#include "commands.h"
#include "inspect/inspection.h"
#include "many.h"
#include "matrix.h"

namespace shlo::tool {
namespace {

FileResult Inspect(Context& ctx, const std::string& path) {
  Input input;
  ctx.check_constants = false;  // gigabytes; verify and conversions read them
  ctx.keeps_mhlo = true;
  int code = ReadInput(ctx, path, &input);
  Inspection inspection = InspectFile(path, input, code == kDone,
                                      {.limits = ctx.limits(),
                                       .allow_other_dialects = ctx.allow_other_dialects,
                                       .version_given = !ctx.from.empty()});
  for (const Diagnostics& failure : inspection.failures) code = ctx.Fail(failure);
  return {{std::move(inspection.json), std::move(inspection.text)}, code};
}

}  // namespace

void AddInspect(Options& options, Context& ctx) {
  AddInputs(options, ctx, "programs to inspect", [](Context& of, const uint64_t& jobs, Answer* out) {
    return of.matrix ? RunMatrix(of, out)
                     : RunOnInputs(of, jobs, {"inspecting", "inspected", "\n", {}, Inspect}, out);
  });
  options.Flag("--matrix", &ctx.matrix, "print which releases can represent each program, a line each");
  options.Flag("--allow-other-dialects", &ctx.allow_other_dialects,
               "allow ops of other dialects for targets older than 1.11.0");
  AddReadFlags(options, ctx);
}

}  // namespace shlo::tool
