#include "counterexample.h"

#include <fmt/format.h>

#include <optional>

#include "shlo/counterexample.h"

namespace shlo::tool {

namespace {

// Returns the program of the first function, or part of one, that differs; nullopt if no input is known.
std::optional<Result<Module>> FirstProgram(const Proof& proof, const Module& a, const Module& b,
                                           std::string* what) {
  for (const bool different : {true, false})
    for (const FunctionProof& f : proof.functions) {
      if ((f.verdict == Verdict::kDifferent) != different) continue;
      if (f.part) {
        auto module = CounterexampleProgram(f.part->a, f.part->b, f.part->function, f.part->counterexample);
        *what = fmt::format("{} of the first program and {} of the second one, a part of @{}",
                            Count(f.part->ops_a, "op"), Count(f.part->ops_b, "op"), f.function);
        if (!different) *what += "; its input may never occur in the function";
        if (module) return module;
      }
      *what = fmt::format("the whole of @{}", f.function);
      if (!f.counterexample.empty()) return CounterexampleProgram(a, b, f.function, f.counterexample);
    }
  return std::nullopt;
}

}  // namespace

int WriteCounterexample(Context& ctx, const Proof& proof, const Module& a, const Module& b,
                        const std::string& path, bool required) {
  std::string what;
  auto module = FirstProgram(proof, a, b, &what);
  if (!module) {
    std::string message = "no input is known that tells the programs apart";
    if (required) return ctx.Fail(Code::kNotEqual, std::move(message));
    Note(ctx, fmt::format("{}; '{}' is not written", message, path));
    return kDone;
  }
  if (!*module && required) return ctx.Fail(module->error());
  if (!*module) {
    Note(ctx, fmt::format("{}; '{}' is not written", module->error()[0].message, path));
    return kDone;
  }
  Program program;
  program.module = std::move(**module);
  WriteOptions options;
  options.text.limits = options.shlo.limits = options.bytecode.limits = ctx.limits();
  const std::string_view emit = EmitOfName(path);
  if (emit == "shlo") options.format = Format::kShlo;
  if (emit == "mlirbc") options.format = Format::kMlirBytecode;
  const auto bytes = WriteProgram(program, options);
  if (!bytes) return ctx.Fail(bytes.error());
  Note(ctx, fmt::format("the counterexample has {}", what));
  return WriteOut(ctx, path, *bytes, options.format != Format::kText);
}

}  // namespace shlo::tool
