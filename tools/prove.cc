// `prove`: evaluates two programs on the same inputs and compares their results bit by bit.
#include "shlo/prove.h"

#include <fmt/format.h>

#include "commands.h"

namespace shlo::tool {
namespace {

std::string_view VerdictName(Verdict verdict) {
  switch (verdict) {
    case Verdict::kEqual:
      return "equal";
    case Verdict::kDifferent:
      return "different";
    case Verdict::kNotCovered:
      return "not covered";
  }
  return "not covered";
}

int RunProve(Context& ctx, const std::string& path_a, const std::string& path_b, ProveOptions options) {
  Program read_a, read_b;
  int code = ReadOne(ctx, path_a, &read_a);
  if (code == kDone) code = ReadOne(ctx, path_b, &read_b);
  const Module &a = read_a.module, &b = read_b.module;
  options.source_a = &read_a.source;
  options.source_b = &read_b.source;
  Json j;
  j["command"] = "prove";
  j["files"] = {path_a, path_b};
  if (code != kDone) return ctx.json ? PrintJson(ctx, std::move(j), code) : code;
  ctx.progress.Step("evaluating");
  auto proof = Prove(a, b, options);
  if (!proof) {
    code = ctx.Fail(proof.error());
    return ctx.json ? PrintJson(ctx, std::move(j), code) : code;
  }
  // "Not covered" is a negative result, too.
  code = proof->verdict == Verdict::kEqual ? kDone : kFinding;
  j["versions"] = {ToJson(a.version), ToJson(b.version)};
  j["verdict"] = std::string(VerdictName(proof->verdict));
  j["seed"] = proof->seed;
  Json functions = Json::array();
  std::string out;
  for (const FunctionProof& f : proof->functions) {
    out += fmt::format("@{}: {}", f.function, VerdictName(f.verdict));
    if (f.verdict == Verdict::kEqual) {
      out += f.exhaustive ? fmt::format(", on every possible input ({})", f.inputs)
                          : fmt::format(", on {}", Count(f.inputs, "input set"));
    }
    if (!f.detail.empty()) out += fmt::format(": {}", f.detail);
    out += '\n';
    Json e;
    e["function"] = f.function;
    e["verdict"] = std::string(VerdictName(f.verdict));
    e["inputs"] = f.inputs;
    e["exhaustive"] = f.exhaustive;
    if (!f.detail.empty()) e["detail"] = f.detail;
    functions.push_back(std::move(e));
  }
  j["functions"] = std::move(functions);
  if (ctx.json) return PrintJson(ctx, std::move(j), code);
  out += fmt::format("{} ({} against {}, seed {})\n", VerdictName(proof->verdict), VersionName(a.version),
                     VersionName(b.version), proof->seed);
  const int printed = Print(ctx, out);
  return printed == kDone ? code : printed;
}

}  // namespace

void AddProve(Options& options, Context& ctx) {
  struct Flags {
    std::string a, b;
    uint64_t seed = ProveOptions().seed;
    uint64_t inputs = ProveOptions().max_inputs;
  };
  auto flags = std::make_shared<Flags>();
  options.Argument("A", &flags->a, "first program");
  options.Argument("B", &flags->b, "program to compare with A");
  options.Number("--seed", &flags->seed, ~uint64_t(0), "seed for generating inputs (default: 1)");
  options.Number("--inputs", &flags->inputs, 1u << 20, "input sets per function (default: 256)");
  AddReadFlags(options, ctx);
  AddCommonFlags(options, ctx);
  options.OnChosen([&ctx, flags] {
    ctx.run = [&ctx, flags] {
      ProveOptions prove;
      prove.seed = flags->seed;
      prove.max_inputs = uint32_t(flags->inputs);
      return RunProve(ctx, flags->a, flags->b, prove);
    };
  });
}

}  // namespace shlo::tool
