// `verify`: checks that programs are valid: well-formed, and within the constraints of the specification.
#include "commands.h"
#include "ir/format.h"
#include "many.h"

namespace shlo::tool {
namespace {

FileResult VerifyFile(Context& ctx, const std::string& path) {
  FileResult result;
  Input input;
  const int code = result.code =
      ReadVerified(ctx, path, &input, ctx.strict ? Strictness::kStrict : Strictness::kSpecification);
  std::string versions;
  for (const Program& program : input.programs)
    versions += StrFormat("{}{}", versions.empty() ? "" : ", ", VersionName(program.module.version));
  result.json = VerifyJson(path, input, code);
  if (ctx.json) return result;
  const std::string verdict = code == kDone      ? StrFormat("verifies at {}", versions)
                              : code == kFinding ? "does not verify"
                                                 : "cannot be read";
  const int printed = Print(ctx, TerminalText::Of("{}: {}\n", NameText(path), verdict));
  if (printed != kDone) result.code = printed;
  return result;
}

}  // namespace

void AddVerify(Options& options, Context& ctx) {
  auto jobs = AddInputs(options, ctx, "programs to verify");
  AddReadFlags(options, ctx);
  options.Flag("--strict", &ctx.strict,
               "refuse what violates the specification, even if the reference accepts it");
  AddCommonFlags(options, ctx);
  options.OnChosen([&ctx, jobs] {
    ctx.run = [&ctx, jobs] {
      return RunOnInputs(ctx, *jobs, {"verifying", "verified", "", {{"verifies", false}}, VerifyFile});
    };
  });
}

}  // namespace shlo::tool
