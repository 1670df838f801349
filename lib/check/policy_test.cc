#include <gtest/gtest.h>

#include "check/rules.h"
#include "shlo/check_policy.h"

namespace shlo {
namespace {

CheckPolicy Parsed(std::string_view text) {
  auto policy = ParseCheckPolicy(text, "p.toml");
  EXPECT_TRUE(policy) << (policy ? "" : Render(policy.error()[0]));
  return policy ? std::move(*policy) : CheckPolicy();
}

// Returns "line: message; hint" of the only error.
std::string ErrorOf(std::string_view text) {
  const auto policy = ParseCheckPolicy(text, "p.toml");
  if (policy) return "";
  EXPECT_EQ(policy.error().size(), 1u);
  const Diagnostic& d = policy.error()[0];
  EXPECT_EQ(d.place.file, "p.toml");
  EXPECT_EQ(d.code, Code::kUsage);
  return std::to_string(d.place.line) + ": " + d.message + (d.hint.empty() ? "" : "; " + d.hint);
}

CheckSettings At(const CheckPolicy& policy, std::string_view path) {
  auto settings = SettingsFor(policy, path, KnownConsumers(), {2026, 1, 1});
  EXPECT_TRUE(settings) << (settings ? "" : Render(settings.error()[0]));
  return settings ? std::move(*settings) : CheckSettings();
}

TEST(CheckPolicy, TheTemplateIsAPolicy) {
  const CheckPolicy policy = Parsed(CheckPolicyTemplate());
  EXPECT_EQ(policy.files, std::vector<std::string>{"."});
  // The lines that are commented out are valid, too.
  std::string all(CheckPolicyTemplate());
  for (size_t at = 0; (at = all.find("\n# ", at)) != all.npos; ++at) {
    const std::string line = all.substr(at + 3, all.find('\n', at + 1) - at - 3);
    if (line.find(" = ") != line.npos || line.starts_with("[")) all.erase(at + 1, 2);
  }
  const CheckPolicy full = Parsed(all);
  EXPECT_EQ(full.waivers.size(), 1u);
  EXPECT_EQ(full.paths.size(), 1u);
  EXPECT_EQ(full.goldens.size(), 1u);
  EXPECT_EQ(full.everywhere.max_size, 100'000'000u);
}

TEST(CheckPolicy, LaterTablesWin) {
  const CheckPolicy policy = Parsed(R"(
consumers = ["1.0.0"]
custom-calls = ["a"]
budget = { ops = 10, size = "2 KiB" }
[rules]
random-op = "error"
deprecated-op = "off"
[[path]]
match = "x/**"
consumers = ["1.9.0", "jaxlib==0.4.30"]
rules = { random-op = "off" }
[[path]]
match = ["x/y/*", "z"]
rules = { random-op = "note" }
budget = { ops = 20 }
)");
  const CheckSettings top = At(policy, "m.mlir"), x = At(policy, "x/m.mlir"), y = At(policy, "x/y/m.mlir");
  EXPECT_EQ(top.SeverityOf(CheckRule::kRandomOp), CheckSeverity::kError);
  EXPECT_EQ(x.SeverityOf(CheckRule::kRandomOp), CheckSeverity::kOff);
  EXPECT_EQ(y.SeverityOf(CheckRule::kRandomOp), CheckSeverity::kNote);
  EXPECT_EQ(At(policy, "z").SeverityOf(CheckRule::kRandomOp), CheckSeverity::kNote);
  EXPECT_EQ(y.SeverityOf(CheckRule::kDeprecatedOp), CheckSeverity::kOff);
  EXPECT_EQ(y.SeverityOf(CheckRule::kInvalid), CheckSeverity::kError);  // the default
  ASSERT_EQ(top.consumers.size(), 1u);
  ASSERT_EQ(y.consumers.size(), 2u);
  EXPECT_EQ(VersionName(top.consumers[0].version), VersionName(*ParseVersion("1.0.0")));
  EXPECT_TRUE(y.consumers[0].is_version);
  EXPECT_FALSE(y.consumers[1].is_version);
  EXPECT_EQ(y.consumers[1].name, "jaxlib 0.4.30");
  EXPECT_EQ(top.max_ops, 10u);
  EXPECT_EQ(y.max_ops, 20u);
  EXPECT_EQ(y.max_size, 2048u);
  EXPECT_EQ(y.custom_calls, std::vector<std::string>{"a"});
}

TEST(CheckPolicy, Values) {
  const CheckPolicy policy =
      Parsed("window = \"backward=10d\"\nforecast = \"3w\"\nfiles = \"a\"\nbaseline = \"main\"\n");
  EXPECT_EQ(policy.window.backward_days, 10);
  EXPECT_EQ(policy.forecast_days, 21);
  EXPECT_EQ(policy.files, std::vector<std::string>{"a"});
  EXPECT_EQ(policy.baseline, "main");
  for (const auto& [text, bytes] : {std::pair("7", 7ull),
                                    {"\"7\"", 0},
                                    {"\"7 B\"", 7},
                                    {"\"2kB\"", 2000},
                                    {"\"3 MB\"", 3'000'000},
                                    {"\"1 GB\"", 1'000'000'000},
                                    {"\"1 MiB\"", 1 << 20},
                                    {"\"4 GiB\"", 4ull << 30}})
    if (bytes) {
      EXPECT_EQ(Parsed("budget = { size = " + std::string(text) + " }").everywhere.max_size, bytes) << text;
    }
}

TEST(CheckPolicy, Errors) {
  EXPECT_EQ(ErrorOf("\nconsumer = []\n"), "2: unknown key 'consumer'; did you mean 'consumers'?");
  EXPECT_EQ(ErrorOf("consumers = 3\n"), "1: 'consumers' is not a list of strings");
  EXPECT_EQ(ErrorOf("[rules]\nrandom-ops = \"off\"\n"),
            "2: unknown rule 'random-ops'; did you mean 'random-op'?");
  EXPECT_EQ(ErrorOf("[rules]\nrandom-op = \"on\"\n"),
            "2: 'random-op' has no severity; write \"off\", \"note\", \"warning\" or \"error\"");
  EXPECT_EQ(ErrorOf("[budget]\nsize = \"5 X\"\n"),
            "2: 'size' is not a size; write a number, or a string such as \"100 MB\"");
  EXPECT_EQ(ErrorOf("[budget]\nops = -1\n"),
            "2: 'ops' is not a size; write a number, or a string such as \"100 MB\"");
  EXPECT_EQ(ErrorOf("forecast = \"soon\"\n"), "1: 'soon' is not a duration; write it as 180d, 12w or 6m");
  EXPECT_EQ(ErrorOf("[[path]]\nrules = {}\n"), "1: a [[path]] has no 'match'; add match = \"models/**\"");
  EXPECT_EQ(ErrorOf("[path]\nmatch = \"a\"\n"), "1: 'path' is not a list of tables; write it as [[path]]");
  EXPECT_EQ(ErrorOf("[[golden]]\nmatch = \"a\"\n"),
            "1: a [[golden]] lacks 'match', 'inputs' or 'outputs'; write inputs = \"{dir}/{stem}.in.npz\"");
  const std::string golden = "[[golden]]\nmatch = \"a\"\ninputs = \"b\"\noutputs = \"c\"\n";
  EXPECT_EQ(Parsed(golden + "tolerance = 0.5\n").goldens[0].tolerance, 0.5);
  for (const char* wrong : {"-1", "1", "\"x\"", "nan"})
    EXPECT_EQ(ErrorOf(golden + "tolerance = " + wrong + "\n"), "5: 'tolerance' is not a number from 0 to 1")
        << wrong;
  EXPECT_EQ(ErrorOf("rules = 1\n"), "1: 'rules' is not a table");
  EXPECT_NE(ErrorOf("a = \n"), "");
  const auto unknown =
      SettingsFor(Parsed("consumers = [\"jaxlob==1\"]"), "m", KnownConsumers(), {2026, 1, 1});
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error()[0].place.file, "p.toml");
}

constexpr std::string_view kWaiver = R"(
[[waiver]]
rule = "random-op"
path = "x/*"
contains = "rng"
reason = "known"
owner = "ann"
expires = 2026-05-31
)";

// The lists of a policy are compared with each file.
TEST(CheckPolicy, ListsHaveLimits) {
  const auto repeated = [](std::string_view text, int count) {
    std::string out;
    for (int i = 0; i < count; ++i) out += text;
    return out;
  };
  EXPECT_EQ(Parsed("exclude = [" + repeated("'a',", 2000) + "]").exclude.size(), 2000u);
  EXPECT_EQ(ErrorOf("exclude = [" + repeated("'a',", 2001) + "]"),
            "1: 'exclude' has more than 2000 entries; use patterns, or several files");
  EXPECT_EQ(ErrorOf("\n" + repeated("[[path]]\nmatch = 'a'\n", 2001)),
            "2: 'path' has more than 2000 entries; use patterns, or several files");
  for (int count : {99, 100}) {
    std::string text = "consumers = [";
    for (int i = 0; i < count; ++i) text += "'1.0.0', 'p==" + std::to_string(i) + "', ";
    CheckPolicy policy = Parsed(text + "]");
    const std::vector<Consumer> known = {{"p", "0", "1.9.0", {}, {}, {}}};
    const auto done = ResolveConsumers(&policy, known, {2026, 1, 1});
    ASSERT_EQ(bool(done), count == 99);
    EXPECT_EQ(policy.resolved.size(), 100u);
    if (done) continue;
    EXPECT_EQ(
        Render(done.error()[0]),
        "p.toml: error: the policy names more than 100 consumers [usage]\n  hint: name the oldest ones: "
        "newer ones read what these do\n");
  }
}

TEST(CheckPolicy, WaiversStateEverything) {
  const CheckPolicy policy = Parsed(kWaiver);
  ASSERT_EQ(policy.waivers.size(), 1u);
  EXPECT_EQ(policy.waivers[0].expires, (Date{2026, 5, 31}));
  EXPECT_EQ(policy.waivers[0].line, 2u);
  for (const std::string key : {"rule", "path", "reason", "owner", "expires"}) {
    std::string text(kWaiver);
    const size_t at = text.find("\n" + key + " ");
    text.erase(at, text.find('\n', at + 1) - at);
    EXPECT_NE(ErrorOf(text), "") << key;
  }
  std::string quoted(kWaiver);
  quoted.replace(quoted.find("2026-05-31"), 10, "\"2026-05-31\"");
  EXPECT_NE(ErrorOf(quoted).find("has no date 'expires'"), std::string::npos);
}

TEST(CheckPolicy, WaiversWaiveUntilTheirDate) {
  const CheckPolicy policy = Parsed(kWaiver);
  const auto findings = [] {
    Findings out(3);
    out[0] = {.rule = CheckRule::kRandomOp, .diagnostic = {.op = "stablehlo.rng", .message = "m"}};
    out[1] = {.rule = CheckRule::kRandomOp, .diagnostic = {.op = "other", .message = "m"}};
    out[2] = {.rule = CheckRule::kDeprecatedOp, .diagnostic = {.op = "stablehlo.rng", .message = "m"}};
    return out;
  };
  const auto waived = [&](std::string_view path, Date today, std::vector<bool>* used) {
    Findings list = findings();
    ApplyWaivers(policy, path, today, &list, used);
    EXPECT_EQ(list[1].waived, "");
    EXPECT_EQ(list[2].waived, "");
    return list[0].waived;
  };
  std::vector<bool> used;
  EXPECT_EQ(waived("x/m.mlir", {2026, 5, 31}, &used), "known");
  EXPECT_TRUE(used[0]);
  EXPECT_TRUE(CheckWaivers(policy, {2026, 5, 31}, used).empty());
  used.clear();
  EXPECT_EQ(waived("y/m.mlir", {2026, 5, 31}, &used), "");
  EXPECT_FALSE(used[0]);
  const Findings unused = CheckWaivers(policy, {2026, 5, 31}, used);
  ASSERT_EQ(unused.size(), 1u);
  EXPECT_EQ(unused[0].rule, CheckRule::kWaiverUnused);
  used.clear();
  EXPECT_EQ(waived("x/m.mlir", {2026, 6, 1}, &used), "");
  const Findings expired = CheckWaivers(policy, {2026, 6, 1}, used);
  ASSERT_EQ(expired.size(), 1u);
  EXPECT_EQ(expired[0].rule, CheckRule::kWaiverExpired);
  EXPECT_EQ(expired[0].severity, CheckSeverity::kError);
  EXPECT_EQ(expired[0].diagnostic.place.line, 2u);
}

}  // namespace
}  // namespace shlo
