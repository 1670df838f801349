// `versions`: prints the version history.
#include <optional>

#include "base/format.h"
#include "commands.h"
#include "inspect/release_diff.h"

namespace shlo::tool {
namespace {

int RunVersions(Context& ctx, const std::string& which, Answer* answer) {
  Version only;
  VersionRange range;
  int code = kDone;
  const bool compare = GetRange(ctx, "versions", which, &range, &code);
  if (!compare && !which.empty() && !GetVersion(ctx, "versions", which, &only)) code = kUsage;
  if (code != kDone) return code;
  const std::optional<VersionRange> both = compare ? std::optional(range) : std::nullopt;
  answer->json = VersionsJson(only, both);
  std::string out = StrFormat("{:>3}  {:8}  {:13}  {}\n", "N", "release", "date", "what changed");
  for (const VersionRow& row : VersionLine()) {
    if (!IsListed(row.version, only, both)) continue;
    out += StrFormat("{:>3}  {:8}  {:13}  {}\n", row.version.n, row.release.empty() ? "-" : row.release,
                     ReleaseDateString(row), row.change);
  }
  if (compare) out += ChangesText(range, false);
  answer->text = TerminalText::Lines(out);
  return kDone;
}

}  // namespace

void AddVersions(Options& options, Context& ctx) {
  auto which = AddAnswer<std::string>(options, ctx, RunVersions);
  options.Argument("V", which.get(), "show one version (any notation), or what changed from A to B: A..B",
                   /*required=*/false);
  options.Remark("  shlo-compat versions 1.9.0\n  shlo-compat versions 1.0.0..1.9.0");
}

}  // namespace shlo::tool
