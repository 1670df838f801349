// `diff`: compares two programs by structure.
#include "diff.h"

#include <fmt/format.h>
#include <unistd.h>

#include "base/format.h"
#include "commands.h"
#include "diff/diff_report.h"
#include "shlo/diff.h"

namespace shlo::tool {

int RunDiff(Context& ctx, const DiffRequest& request, Answer* out) {
  Program a, b;
  InputFile file_a, file_b;
  int code = ReadOne(ctx, request.a, &a, &file_a);
  if (code == kDone) code = ReadOne(ctx, request.b, &b, &file_b);
  Json& j = out->json;
  j["files"] =
      Json::array({FileJson(request.a, file_a.name.empty() ? Json::array() : Json::array({ProgramJson(a)})),
                   FileJson(request.b, file_b.name.empty() ? Json::array() : Json::array({ProgramJson(b)}))});
  if (code != kDone) return code;
  ctx.progress.Step("comparing");
  const Version of_a = a.module.version, of_b = b.module.version;
  if (std::string how = Align(&a, &b); !how.empty()) Note(ctx, std::move(how));
  const auto diff =
      SHLO_TAKE(ctx, Diff(a.module, b.module, {.locations = request.locations, .limits = ctx.limits()}));
  if (ctx.json) {
    j["files"][0]["programs"][0]["op_count"] = diff.ops_a;
    j["files"][1]["programs"][0]["op_count"] = diff.ops_b;
    j.update(DiffJson(diff, a, b));
  } else {
    out->text = DiffText(diff, a, b, request.limit, WantColor(ctx, STDOUT_FILENO));
    out->text += DiffVerdict(diff, of_a, of_b);
  }
  if (request.more) request.more(out);
  return diff.equal() ? kDone : kFinding;
}

void AddDiffFlags(Options& options, DiffRequest* request, std::string_view what) {
  options.Argument("A", &request->a, StrFormat("first {}", what).c_str());
  options.Argument("B", &request->b, StrFormat("{} to compare with A", what).c_str());
  options.Flag("--locations", &request->locations, "compare locations, too");
  options.Number("--limit", &request->limit, ~uint64_t(0), "lines of the report; 0 for all (default: 200)");
}

void AddDiff(Options& options, Context& ctx) {
  AddDiffFlags(options, AddAnswer<DiffRequest>(options, ctx, RunDiff).get(), "program");
  options.Remark(
      "Ops are matched along the flow of values: names of values and the order of\n"
      "independent ops make no difference. A and B may differ in format and version.\n"
      "Exit code 0: equal; 1: different.\n\n"
      "  shlo-compat diff old.mlir new.mlirbc\n"
      "  shlo-compat diff --json --locations old.mlir new.mlir");
  AddReadFlags(options, ctx);
}

}  // namespace shlo::tool
