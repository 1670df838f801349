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
  const std::string_view emit = EmitOfName(path);
  if (emit == "shlo") options.format = Format::kShlo;
  if (emit == "mlirbc") options.format = Format::kMlirBytecode;
  const auto bytes = WriteProgram(program, options);
  if (!bytes) return ctx.Fail(bytes.error());
  Note(ctx, StrFormat("the counterexample has {}", what));
  return WriteOut(ctx, path, *bytes, options.format != Format::kText);
}

}  // namespace shlo::tool
