// `versions`: prints the version history.
#include <fmt/format.h>

#include "commands.h"

namespace shlo::tool {
namespace {

int RunVersions(Context& ctx, const std::string& which) {
  Version only;
  if (!which.empty() && !GetVersion(ctx, "versions", which, &only)) {
    return ctx.json ? PrintJson(ctx, Json::object(), kUsage) : kUsage;
  }
  if (ctx.json) {
    Json list = Json::array();
    for (const VersionRow& row : VersionLine()) {
      if (only.valid() && row.version != only) continue;
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
    return PrintJson(ctx, j, kDone);
  }
  std::string out = fmt::format("{:>3}  {:8}  {:13}  {}\n", "N", "release", "date", "what changed");
  for (const VersionRow& row : VersionLine()) {
    if (only.valid() && row.version != only) continue;
    out += fmt::format("{:>3}  {:8}  {:13}  {}\n", row.version.n, row.release.empty() ? "-" : row.release,
                       ReleaseDateString(row), row.change);
  }
  return Print(ctx, out);
}

}  // namespace

void AddVersions(Options& options, Context& ctx) {
  auto which = std::make_shared<std::string>();
  options.Argument("V", which.get(), "show one version (any notation)", /*required=*/false);
  AddCommonFlags(options, ctx);
  options.OnChosen([&ctx, which] { ctx.run = [&ctx, which] { return RunVersions(ctx, *which); }; });
}

}  // namespace shlo::tool
