// `verify`: checks that programs are valid: well-formed, and within the constraints of the specification.
#include <map>

#include "base/format.h"
#include "commands.h"
#include "inspect/inspection.h"
#include "many.h"

namespace shlo::tool {
namespace {

// Returns "; 3 ops of 'linalg' and 'tosa' were not checked", or "".
std::string UncheckedText(const std::map<std::string, uint64_t>& unchecked) {
  uint64_t count = 0;
  std::string names;
  for (const auto& [dialect, ops] : unchecked) {
    names += StrFormat("{}'{}'", count ? " and " : "", NameText(dialect));
    count += ops;
  }
  if (count == 0) return {};
  return StrFormat("; {} of {} {} not checked", Count(count, "op"), names, count == 1 ? "was" : "were");
}

FileResult VerifyFile(Context& ctx, const std::string& path) {
  FileResult result;
  Input input;
  const int code = result.code =
      ReadVerified(ctx, path, &input, ctx.strict ? Strictness::kStrict : Strictness::kSpecification);
  std::string versions;
  std::map<std::string, uint64_t> unchecked;
  for (const Program& program : input.programs) {
    versions += StrFormat("{}{}", versions.empty() ? "" : ", ", VersionName(program.module.version));
    for (const auto& [dialect, count] : UncheckedOps(program.module, ctx.Dialects()))
      unchecked[dialect] += count;
  }
  result.json = VerifyJson(path, input, ctx.Dialects(), code == kDone);
  if (code == kDone && input.was_mhlo)
    ctx.Report({.severity = Severity::kNote,
                .code = Code::kUnsupported,
                .place = FileOnly(path),
                .message = "the program is MHLO, and was verified as StableHLO",
                .hint = "make it StableHLO: shlo-compat --target=current FILE"});
  if (ctx.quiet && code == kDone) return result;
  const std::string verdict = code == kDone
                                  ? StrFormat("verifies at {}{}", versions, UncheckedText(unchecked))
                              : code == kFinding ? "does not verify"
                                                 : "cannot be read";
  result.text.Add("{}: {}\n", NameText(path), verdict);
  return result;
}

}  // namespace

void AddVerify(Options& options, Context& ctx) {
  AddInputs(options, ctx, "programs to verify", [](Context& of, const uint64_t& jobs, Answer* out) {
    return RunOnInputs(of, jobs, {"verifying", "verified", "", {{"verifies", false}}, VerifyFile}, out);
  });
  AddReadFlags(options, ctx);
  options.Flag("--strict", &ctx.strict, "refuse violations of the specification that the reference accepts");
}

}  // namespace shlo::tool
