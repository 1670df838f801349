// `ops`: prints the op table as documentation.
#include "base/format.h"
#include "commands.h"
#include "inspect/release_diff.h"
#include "ir/nearest_names.h"
#include "pages/op_pages.h"

namespace shlo::tool {
namespace {

int RunDiff(Context& ctx, const std::string& word) {
  VersionRange range;
  int code = kDone;
  if (!GetRange(ctx, "--diff", word, &range, &code))
    code = ctx.Fail(Code::kUsage, StrFormat("--diff={}: expected two versions", word), {}, "write A..B");
  if (code != kDone) return ctx.json ? PrintJson(ctx, Json::object(), code) : code;
  if (!ctx.json) return Print(ctx, TerminalText::Lines(ChangesText(range, /*only_ops=*/true)));
  Json j;
  j["ops"] = Json::array();
  for (const OpChange& change : OpChanges(range)) j["ops"].push_back(OpJson(change.row));
  j.update(ChangesJson(range, true));
  return PrintJson(ctx, j, kDone);
}

int RunOps(Context& ctx, const std::string& name, const std::string& diff) {
  if (!diff.empty()) {
    if (name.empty()) return RunDiff(ctx, diff);
    const int code = ctx.Fail(Code::kUsage, "--diff compares all ops; it takes no name");
    return ctx.json ? PrintJson(ctx, Json::object(), code) : code;
  }
  std::vector<RowId> rows;
  if (name.empty()) {
    for (uint16_t i = 1; i < OpRows().size(); ++i) rows.push_back(RowId{i});
  } else {
    rows = FindOps(name);
  }
  Json j;
  if (rows.empty()) {
    const int code = ctx.Fail(Code::kUsage, StrFormat("unknown op '{}'", name), {},
                              DidYouMean(NearestOp(name), "run 'shlo-compat ops' for the list"));
    return ctx.json ? PrintJson(ctx, j, code) : code;
  }
  if (ctx.json) return PrintJson(ctx, OpsJson(rows), kDone);
  std::string out;
  for (const RowId row : rows) out += name.empty() ? OpLine(row) : OpText(row);
  return Print(ctx, TerminalText::Lines(out));
}

}  // namespace

void AddOps(Options& options, Context& ctx) {
  auto name = std::make_shared<std::string>(), diff = std::make_shared<std::string>();
  options.Argument("NAME", name.get(),
                   "op name, such as stablehlo.gather, gather or vhlo.gather_v2 (default: list all)",
                   /*required=*/false);
  options.Option("--diff", diff.get(), "A..B", "list what changed between two versions");
  options.Remark("  shlo-compat ops gather\n  shlo-compat ops --diff 1.0.0..1.9.0");
  AddCommonFlags(options, ctx);
  options.OnChosen(
      [&ctx, name, diff] { ctx.run = [&ctx, name, diff] { return RunOps(ctx, *name, *diff); }; });
}

}  // namespace shlo::tool
