#include "counterexample.h"

#include "base/format.h"
#include "prove/proof_report.h"

namespace shlo::tool {

int WriteCounterexample(Context& ctx, const Proof& proof, const Module& a, const Module& b,
                        const std::string& path, bool required) {
  std::string what;
  auto module = FirstCounterexample(proof, a, b, &what);
  if (!module) {
    std::string message = "no input is known that tells the programs apart";
    if (required) return ctx.Fail(Code::kNotEqual, std::move(message));
    Note(ctx, StrFormat("{}; '{}' is not written", message, path));
    return kDone;
  }
  if (!*module && required) return ctx.Fail(module->error());
  if (!*module) {
    Note(ctx, StrFormat("{}; '{}' is not written", module->error()[0].message, path));
    return kDone;
  }
  Program program;
  program.module = std::move(**module);
  WriteOptions options;
  options.limits = ctx.limits();
  options.format = FormatOfEmit(EmitOfName(path));
  const auto bytes = SHLO_TAKE(ctx, WriteProgram(program, options));
  Note(ctx, StrFormat("the counterexample has {}", what));
  return WriteOut(ctx, path, bytes, options.format != Format::kText);
}

}  // namespace shlo::tool
