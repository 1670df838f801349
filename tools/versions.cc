// `versions`: prints the version history.
#include <fmt/format.h>

#include "commands.h"
#include "release_diff.h"

namespace shlo::tool {
namespace {

int RunVersions(Context& ctx, const std::string& which) {
  Version only;
  VersionRange range;
  int code = kDone;
  const bool compare = GetRange(ctx, "versions", which, &range, &code);
  if (!compare && !which.empty() && !GetVersion(ctx, "versions", which, &only)) code = kUsage;
  if (code != kDone) return ctx.json ? PrintJson(ctx, Json::object(), code) : code;
  // Of two versions, those after the older one.
  const auto listed = [&](Version version) {
    if (compare) return std::min(range.from, range.to) < version && version <= std::max(range.from, range.to);
    return !only.valid() || version == only;
  };
  if (ctx.json) {
    Json list = Json::array();
    for (const VersionRow& row : VersionLine()) {
      if (!listed(row.version)) continue;
      Json j = ToJson(row.version);
      j["mlir_bytecode"] = row.bytecode_format < 0 ? Json(nullptr) : Json(int(row.bytecode_format));
      j["date_is_bound"] = row.date_is_bound;
      j["change"] = std::string(row.change);
      list.push_back(std::move(j));
    }
    Json j;
    j["minimum"] = ToJson(kMinimumVersion);
    j["current"] = ToJson(kCurrentVersion);
    j["versions"] = std::move(list);
    if (compare) j.update(ChangesJson(range, /*only_ops=*/false));
    return PrintJson(ctx, j, kDone);
  }
  std::string out = fmt::format("{:>3}  {:8}  {:13}  {}\n", "N", "release", "date", "what changed");
  for (const VersionRow& row : VersionLine()) {
    if (!listed(row.version)) continue;
    out += fmt::format("{:>3}  {:8}  {:13}  {}\n", row.version.n, row.release.empty() ? "-" : row.release,
                       ReleaseDateString(row), row.change);
  }
  if (compare) out += ChangesText(range, false);
  return Print(ctx, out);
}

}  // namespace

void AddVersions(Options& options, Context& ctx) {
  auto which = std::make_shared<std::string>();
  options.Argument("V", which.get(), "show one version (any notation), or what changed from A to B: A..B",
                   /*required=*/false);
  options.Remark("  shlo-compat versions 1.9.0\n  shlo-compat versions 1.0.0..1.9.0");
  AddCommonFlags(options, ctx);
  options.OnChosen([&ctx, which] { ctx.run = [&ctx, which] { return RunVersions(ctx, *which); }; });
}

}  // namespace shlo::tool
