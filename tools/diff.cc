// `diff`: compares two programs by structure.
#include "diff.h"

#include <fmt/format.h>
#include <unistd.h>

#include "commands.h"
#include "diff/diff_report.h"
#include "shlo/diff.h"

namespace shlo::tool {

int RunDiff(Context& ctx, const DiffRequest& request) {
  Program a, b;
  InputFile file_a, file_b;
  int code = ReadOne(ctx, request.a, &a, &file_a);
  if (code == kDone) code = ReadOne(ctx, request.b, &b, &file_b);
  Json j;
  j["files"] =
      Json::array({FileJson(request.a, file_a.name.empty() ? Json::array() : Json::array({ProgramJson(a)})),
                   FileJson(request.b, file_b.name.empty() ? Json::array() : Json::array({ProgramJson(b)}))});
  if (code != kDone) return ctx.json ? PrintJson(ctx, j, code) : code;
  ctx.progress.Step("comparing");
  const Version of_a = a.module.version, of_b = b.module.version;
  if (std::string how = Align(&a, &b); !how.empty()) Note(ctx, std::move(how));
  const auto diff = Diff(a.module, b.module, {.locations = request.locations, .limits = ctx.limits()});
  if (!diff) {
    code = ctx.Fail(diff.error());
    return ctx.json ? PrintJson(ctx, j, code) : code;
  }
  code = diff->equal() ? kDone : kFinding;
  if (ctx.json) {
    j["files"][0]["programs"][0]["op_count"] = diff->ops_a;
    j["files"][1]["programs"][0]["op_count"] = diff->ops_b;
    j.update(DiffJson(*diff, a, b));
    TerminalText unused;
    if (request.more) request.more(&j, &unused);
    return PrintJson(ctx, j, code);
  }
  TerminalText out = DiffText(*diff, a, b, request.limit, WantColor(ctx, STDOUT_FILENO));
  out += DiffVerdict(*diff, of_a, of_b);
  if (request.more) request.more(&j, &out);
  const int printed = Print(ctx, out);
  return printed == kDone ? code : printed;
}

void AddDiff(Options& options, Context& ctx) {
  auto flags = AddRun<DiffRequest>(options, ctx, RunDiff);
  options.Argument("A", &flags->a, "first program");
  options.Argument("B", &flags->b, "program to compare with A");
  options.Flag("--locations", &flags->locations, "compare locations, too");
  options.Number("--limit", &flags->limit, ~uint64_t(0), "lines of the report; 0 for all (default: 200)");
  options.Remark(
      "Ops are matched along the flow of values: names of values and the order of\n"
      "independent ops make no difference. A and B may differ in format and version.\n"
      "Exit code 0: equal; 1: different.\n\n"
      "  shlo-compat diff old.mlir new.mlirbc\n"
      "  shlo-compat diff --json --locations old.mlir new.mlir");
  AddReadFlags(options, ctx);
  AddCommonFlags(options, ctx);
}

}  // namespace shlo::tool
