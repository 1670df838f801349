// Reads policies.
#include "base/format.h"
#include "base/nearest.h"
#include "check/rules.h"
#include "dialect/toml_reader.h"
#include "shlo/check_policy.h"

namespace shlo {
namespace {

class Reader : TomlReader {
 public:
  explicit Reader(std::string name) : TomlReader(name, "docs/check.md", kMostPolicyEntries) {
    policy_.name = std::move(name);
  }

  Result<CheckPolicy> Run(std::string_view text) {
    const std::optional<toml::table> parsed = Parse(text);
    if (!parsed) return tl::unexpected(std::move(errors));
    const toml::table& root = *parsed;
    Keys(root, {"files", "exclude", "consumers", "consumer-files", "dialect-files", "baseline", "window",
                "forecast", "custom-calls", "dialects", "producers", "rules", "budget", "path", "golden",
                "waiver"});
    Strings(root, "files", &policy_.files);
    Strings(root, "exclude", &policy_.exclude);
    Strings(root, "consumer-files", &policy_.consumer_files);
    Strings(root, "dialect-files", &policy_.dialect_files);
    String(root, "baseline", &policy_.baseline);
    std::string window, forecast;
    if (String(root, "window", &window)) {
      if (auto parsed_window = ParseCompatibilityWindow(window))
        policy_.window = *parsed_window;
      else
        Fail(root["window"].node()->source(), parsed_window.error()[0].message,
             parsed_window.error()[0].hint);
    }
    if (String(root, "forecast", &forecast)) {
      // The same notation as a window.
      if (auto days = ParseCompatibilityWindow("backward=" + forecast))
        policy_.forecast_days = days->backward_days;
      else
        Fail(root["forecast"].node()->source(), StrFormat("'{}' is not a duration", forecast),
             "write it as 180d, 12w or 6m");
    }
    Overrides(root, &policy_.everywhere);
    for (const toml::table* table : Tables(root, "path")) {
      Keys(*table, {"match", "consumers", "custom-calls", "dialects", "producers", "rules", "budget"});
      CheckOverrides& scope = policy_.paths.emplace_back();
      Strings(*table, "match", &scope.match);
      if (scope.match.empty())
        Fail(table->source(), "a [[path]] has no 'match'", "add match = \"models/**\"");
      Overrides(*table, &scope);
    }
    for (const toml::table* table : Tables(root, "golden")) Golden(*table);
    for (const toml::table* table : Tables(root, "waiver")) Waiver(*table);
    if (!errors.empty()) return tl::unexpected(std::move(errors));
    return std::move(policy_);
  }

 private:
  void OptionalStrings(const toml::table& table, std::string_view key,
                       std::optional<std::vector<std::string>>* out) {
    std::vector<std::string> list;
    if (Strings(table, key, &list)) *out = std::move(list);
  }

  // Bytes or a count: 200000, "100 MB", "1 GiB".
  void Size(const toml::table& table, std::string_view key, std::optional<uint64_t>* out) {
    const toml::node* node = table.get(key);
    if (!node) return;
    if (const auto number = node->value_exact<int64_t>(); number && *number >= 0) {
      *out = uint64_t(*number);
      return;
    }
    const auto text = node->value_exact<std::string>();
    constexpr std::pair<std::string_view, uint64_t> kUnits[] = {
        {"kB", 1000},        {"MB", 1000'000}, {"GB", 1000'000'000}, {"KiB", 1 << 10}, {"MiB", 1 << 20},
        {"GiB", 1ull << 30}, {"B", 1}};
    if (text) {
      uint64_t number = 0;
      const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
      std::string_view unit(end, size_t(text->data() + text->size() - end));
      while (unit.starts_with(' ')) unit.remove_prefix(1);
      for (const auto& [name, bytes] : kUnits)
        if (error == std::errc() && unit == name && number <= UINT64_MAX / bytes) {
          *out = number * bytes;
          return;
        }
    }
    Fail(node->source(), StrFormat("'{}' is not a size", key),
         "write a number, or a string such as \"100 MB\"");
  }

  void Overrides(const toml::table& table, CheckOverrides* out) {
    OptionalStrings(table, "consumers", &out->consumers);
    OptionalStrings(table, "custom-calls", &out->custom_calls);
    OptionalStrings(table, "dialects", &out->dialects);
    OptionalStrings(table, "producers", &out->producers);
    if (const toml::table* rules = Table(table, "rules")) Rules(*rules, &out->rules);
    if (const toml::table* budget = Table(table, "budget")) {
      Keys(*budget, {"size", "ops", "constants"});
      Size(*budget, "size", &out->max_size);
      Size(*budget, "ops", &out->max_ops);
      Size(*budget, "constants", &out->max_constants);
    }
  }

  const CheckRuleRow* Rule(std::string_view id, const toml::source_region& at) {
    const CheckRuleRow* row = FindCheckRule(id);
    if (row || full()) return row;
    Nearest nearest(id);
    for (const CheckRuleRow& other : CheckRules()) nearest.Try(other.id);
    Fail(at, StrFormat("unknown rule '{}'", id),
         DidYouMean(nearest.best(), "'shlo-compat rules' lists the rules"));
    return nullptr;
  }

  void Rules(const toml::table& table, std::vector<std::pair<CheckRule, CheckSeverity>>* out) {
    for (const auto& [key, value] : table) {
      const std::string id(key.str());
      const CheckRuleRow* row = Rule(id, key.source());
      const auto text = value.value_exact<std::string>();
      const auto severity = text ? CheckSeverityOfName(*text) : std::nullopt;
      if (!severity)
        Fail(value.source(), StrFormat("'{}' has no severity", id),
             "write \"off\", \"note\", \"warning\" or \"error\"");
      else if (row)
        out->emplace_back(row->rule, *severity);
    }
  }

  void Golden(const toml::table& table) {
    Keys(table, {"match", "inputs", "outputs", "entry", "tolerance"});
    CheckGolden& golden = policy_.goldens.emplace_back();
    Strings(table, "match", &golden.match);
    String(table, "inputs", &golden.inputs);
    String(table, "outputs", &golden.outputs);
    String(table, "entry", &golden.entry);
    if (golden.match.empty() || golden.inputs.empty() || golden.outputs.empty())
      Fail(table.source(), "a [[golden]] lacks 'match', 'inputs' or 'outputs'",
           "write inputs = \"{dir}/{stem}.in.npz\"");
    if (const toml::node* node = table.get("tolerance")) {
      const auto value = node->value<double>();
      if (value && *value >= 0 && *value < 1)
        golden.tolerance = *value;
      else
        Fail(node->source(), "'tolerance' is not a number from 0 to 1");
    }
  }

  // A waiver says who accepts what, why and until when. Without any of these it would be a hole.
  void Waiver(const toml::table& table) {
    Keys(table, {"rule", "path", "contains", "reason", "owner", "expires"});
    CheckWaiver waiver{};
    waiver.line = table.source().begin.line;
    std::string rule;
    for (const auto& [key, out] : {std::pair("rule", &rule),
                                   {"path", &waiver.path},
                                   {"reason", &waiver.reason},
                                   {"owner", &waiver.owner}})
      if (!String(table, key, out) && !table.contains(key))
        Fail(table.source(), StrFormat("a waiver has no '{}'", key),
             "a waiver states rule, path, reason, owner and expires");
    String(table, "contains", &waiver.contains);
    const toml::node* expires = table.get("expires");
    const auto day = expires ? expires->value_exact<toml::date>() : std::nullopt;
    if (day)
      waiver.expires = {int16_t(day->year), day->month, day->day};
    else
      Fail(expires ? expires->source() : table.source(), "a waiver has no date 'expires'",
           "write its last day, without quotes: expires = 2027-03-31");
    const CheckRuleRow* row = rule.empty() ? nullptr : Rule(rule, table.get("rule")->source());
    if (row) waiver.rule = row->rule;
    policy_.waivers.push_back(std::move(waiver));
  }

  CheckPolicy policy_;
};

}  // namespace

Result<CheckPolicy> ParseCheckPolicy(std::string_view text, std::string name) {
  return Reader(std::move(name)).Run(text);
}

}  // namespace shlo
