// `verify`: checks that programs are well-formed, and reports violated constraints of the specification.
#include "shlo/verify.h"

#include <fmt/format.h>

#include "commands.h"

namespace shlo::tool {
namespace {

int RunVerify(Context& ctx) {
  Json files = Json::array();
  std::string out;
  int worst = kDone;
  for (const std::string& path : ctx.files) {
    Input input;
    const int code = ReadVerified(ctx, path, &input, /*show_warnings=*/true);
    worst = std::max(worst, code);
    Json programs = Json::array();
    std::string versions;
    for (const Program& program : input.programs) {
      Json p = ProgramJson(program);
      p["op_count"] = program.module.ops.size() - 1;
      programs.push_back(std::move(p));
      if (!versions.empty()) versions += ", ";
      versions += VersionName(program.module.version);
    }
    Json j = FileJson(path, std::move(programs));
    j["verifies"] = code == kDone;
    files.push_back(std::move(j));
    if (code == kDone) out += fmt::format("{}: verifies at {}\n", path, versions);
    if (code == kFinding) out += fmt::format("{}: does not verify\n", path);
    if (code > kFinding) out += fmt::format("{}: cannot be read\n", path);
  }
  if (!ctx.json) {
    const int printed = Print(ctx, out);
    return printed == kDone ? worst : printed;
  }
  Json j;
  j["files"] = std::move(files);
  return PrintJson(ctx, j, worst);
}

}  // namespace

void AddVerify(Options& options, Context& ctx) {
  options.Arguments("FILE", &ctx.files, "programs to verify");
  options.Flag("--strict", &ctx.strict, "treat constraint warnings as errors");
  AddReadFlags(options, ctx);
  AddCommonFlags(options, ctx);
  options.OnChosen([&ctx] { ctx.run = [&ctx] { return RunVerify(ctx); }; });
}

}  // namespace shlo::tool
