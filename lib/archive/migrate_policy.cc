// Reads policies of migration.
#include "base/format.h"
#include "dialect/toml_reader.h"
#include "shlo/archive_work.h"

namespace shlo::archive {
namespace {

class Reader : TomlReader {
 public:
  explicit Reader(std::string name) : TomlReader(std::move(name), "docs/archive.md", kMostPolicyEntries) {}

  Result<std::vector<MigrateRule>> Run(std::string_view text) {
    const std::optional<toml::table> root = Parse(text);
    if (!root) return tl::unexpected(std::move(errors));
    Keys(*root, {"migrate"});
    std::vector<MigrateRule> rules;
    for (const toml::table* table : Tables(*root, "migrate")) {
      Keys(*table, {"match", "target", "at-least", "expand", "skip"});
      MigrateRule& rule = rules.emplace_back();
      Strings(*table, "match", &rule.match);
      if (rule.match.empty()) Fail(table->source(), "a [[migrate]] has no 'match'", "add match = [\"**\"]");
      Boolean(*table, "expand", &rule.expand);
      Boolean(*table, "skip", &rule.skip);
      const bool target = String(*table, "target", &rule.target);
      if (!target && !rule.skip)
        Fail(table->source(), "a [[migrate]] has no 'target'", "add target = \"current\", or skip = true");
      if (target)
        if (const auto version = ParseVersion(rule.target); !version)
          Fail(table->source(), StrFormat("'target' is '{}': {}", rule.target, version.error()));
      std::string evidence;
      if (!String(*table, "at-least", &evidence)) continue;
      if (const auto known = EvidenceOfName(evidence); known && *known != Evidence::kNone)
        rule.at_least = *known;
      else
        Fail(table->source(), StrFormat("'at-least' is '{}'", evidence),
             "write sampled, exhaustive, laws or congruence");
    }
    if (rules.empty() && errors.empty())
      return Error(Code::kUsage, "the policy has no [[migrate]]", {}, "see docs/archive.md, \"Migration\"");
    if (!errors.empty()) return tl::unexpected(std::move(errors));
    return rules;
  }
};

}  // namespace

Result<std::vector<MigrateRule>> ParseMigratePolicy(std::string_view text, std::string name) {
  return Reader(std::move(name)).Run(text);
}

}  // namespace shlo::archive
