// `consumers`: lists the consumers that --for knows.
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "base/format.h"
#include "base/nearest.h"
#include "commands.h"
#include "shlo/consumers.h"
#include "versioning/consumers_json.h"

namespace shlo::tool {
namespace {

// Returns "1.9.0", or "?" if the release is older than the first one.
std::string TargetText(const Consumer& consumer) {
  const auto version = VersionFor(consumer);
  return version ? VersionName(*version) : "none";
}

// Returns "chlo; jax.export: arith, sdy".
std::string DialectsText(const Consumer& consumer) {
  std::map<std::string, std::vector<std::string>> by_reader;
  for (const auto& [dialect, reader] : consumer.partial_dialects) by_reader[reader].push_back(dialect);
  std::string out = StrFormat("{}", fmt::join(consumer.dialects, ", "));
  for (const auto& [reader, dialects] : by_reader)
    out += StrFormat("{}{}: {}", out.empty() ? "" : "; ", reader, fmt::join(dialects, ", "));
  return out.empty() ? "-" : out;
}

// One line per package.
TerminalText PackagesText(std::span<const Consumer> consumers) {
  TerminalText out = TerminalText::Of("{:20} {:>8}  {:10} {:10} {}\n", "package", "versions", "oldest",
                                      "newest", "StableHLO");
  for (size_t i = 0; i < consumers.size();) {
    size_t end = i;
    while (end < consumers.size() && consumers[end].package == consumers[i].package) ++end;
    const Consumer &oldest = consumers[i], &newest = consumers[end - 1];
    out.Add("{:20} {:>8}  {:10} {:10} {} to {}\n", NameText(oldest.package), end - i,
            NameText(oldest.version), NameText(newest.version), oldest.release, newest.release);
    i = end;
  }
  return out += "'shlo-compat consumers PACKAGE' lists its versions; --for=jaxlib==0.4.30 names one\n";
}

// One line per version of a package, newest first.
TerminalText VersionsText(std::span<const Consumer> consumers) {
  TerminalText out =
      TerminalText::Of("{:10} {:9} {:12} {}\n", "version", "StableHLO", "target", "dialects besides VHLO");
  for (size_t i = consumers.size(); i-- > 0;)
    out.Add("{:10} {:9} {:12} {}\n", NameText(consumers[i].version), consumers[i].release,
            TargetText(consumers[i]), NameText(DialectsText(consumers[i])));
  return out;
}

int RunConsumers(Context& ctx, const std::string& package, Answer* answer) {
  std::vector<Consumer> all;
  if (const int code = ListConsumers(ctx, &all); code != kDone) return code;
  if (!package.empty()) {
    Nearest nearest(package);
    for (const Consumer& consumer : all) nearest.Try(consumer.package);
    const std::string nearest_name(nearest.best());
    std::erase_if(all, [&](const Consumer& consumer) { return consumer.package != package; });
    if (all.empty())
      return ctx.Fail(Code::kUsage, StrFormat("unknown consumer '{}'", package), {},
                      DidYouMean(nearest_name, "'shlo-compat consumers' lists the packages"));
  }
  answer->json["consumers"] = Json::array();
  for (const Consumer& consumer : all) {
    Json entry = shlo::ToJson(consumer);
    const auto version = VersionFor(consumer);
    entry["target"] = version ? ToJson(*version) : Json(nullptr);
    answer->json["consumers"].push_back(std::move(entry));
  }
  answer->text = package.empty() ? PackagesText(all) : VersionsText(all);
  return kDone;
}

}  // namespace

void AddConsumers(Options& options, Context& ctx) {
  auto package = AddAnswer<std::string>(options, ctx, RunConsumers);
  options.Argument("PACKAGE", package.get(), "package whose versions to list (default: list the packages)",
                   /*required=*/false);
  options.Repeated("--consumers", &ctx.consumers.files, "FILE", "JSON file with more consumers");
  options.Remark("  shlo-compat consumers jaxlib");
}

}  // namespace shlo::tool
