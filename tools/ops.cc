// `ops`: prints the op table as documentation.
#include "base/format.h"
#include "commands.h"
#include "inspect/release_diff.h"
#include "ir/nearest_names.h"
#include "pages/op_pages.h"

namespace shlo::tool {
namespace {

struct OpsFlags {
  std::string name, diff;
};

int RunOps(Context& ctx, const OpsFlags& flags, Answer* out) {
  const auto& [name, diff] = flags;
  if (!diff.empty()) {
    if (!name.empty()) return ctx.Fail(Code::kUsage, "--diff compares all ops; it takes no name");
    VersionRange range;
    int code = kDone;
    if (!GetRange(ctx, "--diff", diff, &range, &code))
      return ctx.Fail(Code::kUsage, StrFormat("--diff={}: expected two versions", diff), {}, "write A..B");
    if (code != kDone) return code;
    out->text = TerminalText::Lines(ChangesText(range, /*only_ops=*/true));
    if (!ctx.json) return kDone;
    out->json["ops"] = Json::array();
    for (const OpChange& change : OpChanges(range)) out->json["ops"].push_back(OpJson(change.row));
    out->json.update(ChangesJson(range, true));
    return kDone;
  }
  std::vector<RowId> rows;
  if (name.empty())
    for (uint16_t i = 1; i < OpRows().size(); ++i) rows.push_back(RowId{i});
  else
    rows = FindOps(name);
  if (rows.empty())
    return ctx.Fail(Code::kUsage, StrFormat("unknown op '{}'", name), {},
                    DidYouMean(NearestOp(name), "run 'shlo-compat ops' for the list"));
  if (ctx.json) out->json = OpsJson(rows);
  std::string text;
  for (const RowId row : rows) text += name.empty() ? OpLine(row) : OpText(row);
  out->text = TerminalText::Lines(text);
  return kDone;
}

}  // namespace

void AddOps(Options& options, Context& ctx) {
  auto flags = AddAnswer<OpsFlags>(options, ctx, RunOps);
  options.Argument("NAME", &flags->name,
                   "op name, such as stablehlo.gather, gather or vhlo.gather_v2 (default: list all)",
                   /*required=*/false);
  options.Option("--diff", &flags->diff, "A..B", "list what changed between two versions");
  options.Remark("  shlo-compat ops gather\n  shlo-compat ops --diff 1.0.0..1.9.0");
}

}  // namespace shlo::tool
