#include "shlo/check.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "check/rules.h"
#include "shlo/mlirbc_writer.h"
#include "shlo/shlo_writer.h"

namespace shlo {
namespace {

// A file with what it holds; checks keep views of it.
struct File {
  explicit File(std::string content, std::string path = "m.mlir")
      : bytes(std::move(content)), path(std::move(path)) {
    Diagnostics errors;
    checked = ReadPrograms({bytes, nullptr, this->path}, {.source_name = this->path}, &errors);
    EXPECT_TRUE(errors.empty()) << (errors.empty() ? "" : Render(errors[0]));
  }
  std::string bytes, path;
  ProgramFile checked;
};

CheckSettings Settings() {
  CheckSettings s;
  s.today = {2026, 6, 1};
  return s;
}

// Returns "rule: op: message" per finding.
std::vector<std::string> Found(const File& file, const CheckSettings& settings = Settings(),
                               const File* before = nullptr) {
  const auto findings = CheckFile(file.checked, before ? &before->checked : nullptr, settings);
  if (!findings) return {"failed: " + findings.error()[0].message};
  std::vector<std::string> out;
  for (const Finding& f : *findings) {
    std::string text = std::string(RowOf(f.rule).id) + ": ";
    if (!f.diagnostic.op.empty()) text += f.diagnostic.op + ": ";
    out.push_back(text + f.diagnostic.message + (f.count > 1 ? " x" + std::to_string(f.count) : ""));
  }
  return out;
}

using Strings = std::vector<std::string>;

std::string Function(const std::string& body, const std::string& head = "%a: tensor<4xf32>") {
  return "module {\n  func.func @main(" + head + ") -> tensor<4xf32> {\n" + body + "  }\n}\n";
}
const char* const kReturn = "    return %a : tensor<4xf32>\n";

NamedConsumer At(const char* release) { return {release, *ParseVersion(release), std::nullopt}; }

TEST(Check, AProgramOfPlainOpsHasNoFindings) {
  CheckSettings s = Settings();
  s.consumers = {At("0.9.0"), At("1.9.0")};
  s.window.forward_days = 10000;
  s.custom_calls = Strings();
  s.producers = Strings();
  s.max_size = 10000;
  s.max_ops = 4;
  EXPECT_EQ(
      Found(File(Function("    %0 = stablehlo.add %a, %a : tensor<4xf32>\n    return %0 : tensor<4xf32>\n")),
            s),
      Strings());
}

TEST(Check, ConsumersThatLackAnOp) {
  const File file(
      "module {\n  func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n    %0 = stablehlo.composite "
      "\"x.y\" %a "
      "{decomposition = @d} : (tensor<4xf32>) -> tensor<4xf32>\n    return %0 : tensor<4xf32>\n  }\n  "
      "func.func private "
      "@d(%a: tensor<4xf32>) -> tensor<4xf32> {\n    return %a : tensor<4xf32>\n  }\n}\n");
  CheckSettings s = Settings();
  const RevisionId revision{RowOf(FindOp("stablehlo.composite")).first_revision};
  const Version before{uint16_t(RevisionOf(revision).since.n - 1)};
  s.window.forward_days = 10000;
  s.consumers = {{"old plugin", before, std::nullopt},
                 {"new plugin", RevisionOf(revision).since, std::nullopt}};
  const auto found = CheckFile(file.checked, nullptr, s);
  ASSERT_TRUE(found);
  ASSERT_EQ(found->size(), 1u);
  const Finding& f = (*found)[0];
  EXPECT_EQ(f.rule, CheckRule::kConsumerBlocked);
  EXPECT_EQ(f.severity, CheckSeverity::kError);
  EXPECT_EQ(f.diagnostic.op, "stablehlo.composite");
  EXPECT_EQ(f.diagnostic.place.line, 3u);
  EXPECT_EQ(f.diagnostic.version, RevisionOf(revision).since);
  EXPECT_TRUE(f.diagnostic.message.starts_with("old plugin (")) << f.diagnostic.message;
  EXPECT_NE(f.diagnostic.hint.find("--expand"), std::string::npos) << f.diagnostic.hint;
  s.severities[CheckRule::kConsumerBlocked] = CheckSeverity::kOff;
  EXPECT_EQ(Found(file, s), Strings());
}

// Findings of consumer-blocked do not depend on other rules.
TEST(Check, ConsumersThatLackADialect) {
  const auto mixed = [](const std::string& op) {
    return File(Function("    %0 = \"" + op +
                         "\"(%a) : (tensor<4xf32>) -> tensor<4xf32>\n    return %0 : "
                         "tensor<4xf32>\n"));
  };
  const File known = mixed("chlo.erf"), unknown = mixed("mhlo.copy");
  CheckSettings s = Settings();
  s.window.forward_days = 10000;
  s.severities[CheckRule::kNoGuarantee] = CheckSeverity::kOff;
  const auto at = [&](const char* requirement) {
    s.consumers = {*ResolveConsumer(requirement, KnownConsumers(), Date{2026, 9, 1})};
  };
  const std::string lacks = "consumer-blocked: mhlo.copy: jaxlib 0.7.0 does not have dialect 'mhlo'";
  at("jaxlib==0.7.0");
  EXPECT_EQ(Found(unknown, s), Strings{lacks});
  EXPECT_EQ(Found(known, s), Strings{"consumer-partly-blocked: chlo.erf: only the stablehlo deserializer of "
                                     "jaxlib 0.7.0 has dialect 'chlo'"});
  at("1.12.0");
  EXPECT_EQ(Found(unknown, s),
            Strings{"consumer-blocked: mhlo.copy: 1.12.0: jaxlib 0.7.0 does not have dialect 'mhlo'"});
  at("jaxlib==0.12.0");
  EXPECT_EQ(Found(known, s), Strings());
  EXPECT_EQ(Found(unknown, s),
            Strings{"consumer-partly-blocked: mhlo.copy: only the jax.export deserializer of "
                    "jaxlib 0.12.0 has dialect 'mhlo'"});
  s.severities[CheckRule::kConsumerPartlyBlocked] = CheckSeverity::kOff;
  EXPECT_EQ(Found(unknown, s), Strings());
  at("jaxlib==0.4.30");
  const std::string refused =
      ": jaxlib 0.4.30 (1.1.0 (54)): ops of other dialects are not allowed in version 1.1.0";
  EXPECT_EQ(Found(known, s), (Strings{"consumer-blocked: chlo.erf" + refused}));
  EXPECT_EQ(Found(unknown, s), (Strings{"consumer-blocked: mhlo.copy" + refused}));
}

// Dialects that files define have versions that go with releases of StableHLO.
TEST(Check, ConsumersThatLackADefinedDialect) {
  auto dialect = ParseDialect(
      "dialect = \"mine\"\nversion = [{ number = 1, stablehlo = \"1.12.0\" }, { number = 2, stablehlo = "
      "\"1.13.0\" }]\n[[op]]\nname = \"old\"\n[[op]]\nname = \"new\"\nsince = 2\n",
      "mine.toml");
  ASSERT_TRUE(dialect) << Render(dialect.error()[0]);
  CheckSettings s = Settings();
  s.window.forward_days = 10000;
  s.dialects = {"mine"};
  s.severities[CheckRule::kNoGuarantee] = CheckSeverity::kOff;
  s.defined = std::make_shared<std::vector<Dialect>>(std::vector{*dialect});
  const File old(Function("    \"mine.old\"() : () -> ()\n" + std::string(kReturn)));
  const File both(
      Function("    \"mine.old\"() : () -> ()\n    \"mine.new\"() : () -> ()\n" + std::string(kReturn)));
  s.consumers = {At("1.13.0")};
  EXPECT_EQ(Found(both, s), Strings());
  s.consumers = {At("1.12.0")};
  EXPECT_EQ(Found(old, s), Strings());
  EXPECT_EQ(Found(both, s), Strings{"consumer-blocked: mine.new: " + VersionName(*ParseVersion("1.12.0")) +
                                    ": op does not exist in mine 1"});
  const std::string early = VersionName(*ParseVersion("1.11.0"));
  s.consumers = {At("1.11.0")};
  EXPECT_EQ(Found(old, s), Strings{"consumer-blocked: " + early + ": no version of 'mine' goes with it"});
  EXPECT_EQ(Found(File(Function(kReturn)), s), Strings()) << "nothing of the dialect is used";
  s.severities[CheckRule::kConsumerBlocked] = CheckSeverity::kOff;
  EXPECT_EQ(Found(old, s), Strings());
}

// One op is older than what another one needs, so that no version has both.
TEST(Check, ProgramsThatNoReleaseHolds) {
  const auto with = [](const std::string& padding, const std::string& note) {
    return File(
        "module attributes {stablehlo.compat_version = 51 : i32} {\n  func.func @main(%a: "
        "tensor<1x4x4x1xf32>, "
        "%k: tensor<3x3x1x1xf32>, %p: tensor<2x2xi32>) -> tensor<1x4x4x1xf32> {\n    %0 = "
        "\"stablehlo.dynamic_conv\"(%a, %k, %p) {batch_group_count = 1 : i64, dimension_numbers = "
        "#stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64" +
        padding +
        "} : (tensor<1x4x4x1xf32>, tensor<3x3x1x1xf32>, tensor<2x2xi32>) -> tensor<1x4x4x1xf32>\n    %1 = "
        "stablehlo.abs %0" +
        note + " : tensor<1x4x4x1xf32>\n    return %1 : tensor<1x4x4x1xf32>\n  }\n}\n");
  };
  const std::string padding = ", padding = dense<1> : tensor<2x2xi64>",
                    map = " {m.x = affine_map<(d0) -> (d0)>}";
  CheckSettings s = Settings();
  for (const CheckRule rule : {CheckRule::kOutsideWindow, CheckRule::kNoGuarantee, CheckRule::kDeprecatedOp})
    s.severities[rule] = CheckSeverity::kOff;
  EXPECT_EQ(Found(with("", map), s), Strings());
  EXPECT_EQ(Found(with(padding, ""), s), Strings());
  EXPECT_EQ(
      Found(with(padding, map), s),
      Strings{"never-portable: stablehlo.abs: in no release: attribute kind 'affine_map' in attribute 'm.x' "
              "does not exist in version 0.19.0"});
  s.severities[CheckRule::kNeverPortable] = CheckSeverity::kOff;
  EXPECT_EQ(Found(with(padding, map), s), Strings());
}

TEST(Check, ConsumersOutsideOfTheWindow) {
  const File file(Function(kReturn));
  CheckSettings s = Settings();
  s.consumers = {At("1.1.0"), At("current")};
  const VersionRow& row = *FindVersion(*ParseVersion("1.1.0"));
  const auto found = Found(file, s);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(found[0].starts_with("consumer-outside-window: 1.1.0: target version 1.1.0 (54) (" +
                                   DateString(row.date) + ") is outside the compatibility window"))
      << found[0];
  s.window.forward_days = 10000;
  EXPECT_EQ(Found(file, s), Strings());
  // A program of that version is not converted.
  s.window.forward_days = 0;
  s.consumers = {At("1.1.0")};
  EXPECT_EQ(
      Found(File("module attributes {stablehlo.compat_version = 54 : i64} {\n  func.func @main() {\n    "
                 "return\n  }\n}\n"),
            s),
      Strings());
}

TEST(Check, OpsByTheirTraits) {
  EXPECT_EQ(
      Found(File(
          "module {\n  func.func @main(%t: tensor<0xi64>) -> tensor<f32> {\n    %c = stablehlo.constant "
          "dense<0.0> : tensor<f32>\n    %0 = stablehlo.rng %c, %c, %t, distribution = NORMAL : "
          "(tensor<f32>, "
          "tensor<f32>, tensor<0xi64>) -> tensor<f32>\n    %1 = stablehlo.rng %c, %0, %t, distribution = "
          "NORMAL : (tensor<f32>, tensor<f32>, tensor<0xi64>) -> tensor<f32>\n    return %1 : "
          "tensor<f32>\n  }\n}\n")),
      (Strings{"deprecated-op: stablehlo.rng: is deprecated x2",
               "random-op: stablehlo.rng: gives other results in every run x2"}));
  EXPECT_EQ(
      Found(File(Function("    %0 = stablehlo.create_token : !stablehlo.token\n" + std::string(kReturn)))),
      Strings{"deprecated-op: stablehlo.create_token: is deprecated"});
  EXPECT_EQ(Found(File("module {\n  func.func @main(%a: tensor<2x2xf32>) -> tensor<2x2xf32> {\n    %0 = "
                       "stablehlo.cholesky %a : tensor<2x2xf32>\n    return %0 : tensor<2x2xf32>\n  }\n}\n")),
            Strings{"implementation-defined: stablehlo.cholesky: is implementation-defined in part"});
}

TEST(Check, OtherDialects) {
  const File erf(Function("    %0 = chlo.erf %a : tensor<4xf32> -> tensor<4xf32>\n" + std::string(kReturn)));
  EXPECT_EQ(Found(erf),
            Strings{"no-guarantee: chlo.erf: ops of dialect 'chlo' have no compatibility guarantee"});
  const File unknown(
      Function("    \"mine.op\"() : () -> ()\n    \"mine.op\"() : () -> ()\n" + std::string(kReturn)));
  const Strings found = Found(unknown);
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.back(), "unknown-dialect: mine.op: dialect 'mine' is not known x2");
  // A dialect that a known consumer has is known, whether this consumer has it or not.
  for (const std::string dialect : {"sdy", "mhlo"})
    EXPECT_EQ(Found(File(Function("    \"" + dialect + ".op\"() : () -> ()\n" + std::string(kReturn)))),
              Strings{"no-guarantee: " + dialect + ".op: ops of dialect '" + dialect +
                      "' have no compatibility guarantee"});
  CheckSettings s = Settings();
  s.dialects = {"mi*"};
  for (const std::string& text : Found(unknown, s)) EXPECT_FALSE(text.starts_with("unknown-dialect")) << text;
}

TEST(Check, CustomCalls) {
  const auto call = [](const std::string& target) {
    return File(Function("    %0 = stablehlo.custom_call @" + target +
                         "(%a) : (tensor<4xf32>) -> tensor<4xf32>\n    return %0 : tensor<4xf32>\n"));
  };
  CheckSettings s = Settings();
  EXPECT_EQ(Found(call("mine"), s), Strings());
  s.custom_calls = {{"Sharding", "lapack_*"}};
  EXPECT_EQ(Found(call("Sharding"), s), Strings());
  EXPECT_EQ(Found(call("lapack_spotrf"), s), Strings());
  EXPECT_EQ(Found(call("mine"), s),
            Strings{"custom-call: stablehlo.custom_call: custom call 'mine' is not allowed"});
  s.custom_calls.reset();
  EXPECT_EQ(
      Found(File(Function("    %0 = \"stablehlo.custom_call\"(%a) {call_target_name = "
                          "\"stablehlo.dynamic_reduce_window\"} "
                          ": (tensor<4xf32>) -> tensor<4xf32>\n    return %0 : tensor<4xf32>\n")),
            s),
      Strings{"no-guarantee: stablehlo.custom_call: custom call 'stablehlo.dynamic_reduce_window' is an "
              "experimental op"});
}

TEST(Check, ProgramsThatDoNotVerify) {
  const File file(
      Function("    %0 = \"stablehlo.add\"(%a, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<5xf32>\n" +
               std::string(kReturn)));
  CheckSettings s = Settings();
  const Strings found = Found(file, s);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(found[0].starts_with("invalid: stablehlo.add: ")) << found[0];
}

TEST(Check, Budgets) {
  const File file(Function("    %0 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>\n" +
                           std::string(kReturn)));
  CheckSettings s = Settings();
  s.max_size = file.bytes.size();
  s.max_ops = 4;  // with the module
  s.max_constants = 16;
  s.severities[CheckRule::kInlineWeights] = CheckSeverity::kError;
  EXPECT_EQ(Found(file, s), Strings());
  s.max_size = file.bytes.size() - 1;
  s.max_ops = 3;
  s.max_constants = 15;
  EXPECT_EQ(Found(file, s), (Strings{"inline-weights: constants have 16 bytes, but the budget is 15",
                                     "file-size: the file has " + std::to_string(file.bytes.size()) +
                                         " bytes, but the budget is " + std::to_string(file.bytes.size() - 1),
                                     "op-count: 4 ops, but the budget is 3"}));
}

std::string Artifact(const std::string& text, const std::string& producer = "") {
  const File file(text);
  return *WriteShlo(file.checked.programs[0].module, {.producer = producer});
}

TEST(Check, Producers) {
  CheckSettings s = Settings();
  s.producers = {{"mine *"}};
  EXPECT_EQ(Found(File(Artifact(Function(kReturn), "mine 1"), "m.shlo"), s), Strings());
  EXPECT_EQ(Found(File(Artifact(Function(kReturn), "other"), "m.shlo"), s),
            Strings{"producer: producer 'other' is not allowed"});
  // The name of the producer follows the version of the format.
  const File text(Function(kReturn));
  std::string bytes =
      *WriteMlirBytecode(text.checked.programs[0].module, {.vhlo = false, .producer = "mine 1"});
  EXPECT_EQ(Found(File(bytes, "m.mlirbc"), s), Strings());
  bytes.erase(bytes.find("mine 1"), 6);
  EXPECT_EQ(Found(File(bytes, "m.mlirbc"), s), Strings{"producer: the file states no producer"});
  EXPECT_EQ(Found(text, s), Strings()) << "text states none";
}

TEST(Check, Windows) {
  const std::string text =
      "module attributes {stablehlo.compat_version = " + std::to_string(ParseVersion("1.0.0")->n) +
      " : i32} {\n  func.func @main() {\n    "
      "return\n  }\n}\n";
  const File file(text);
  const VersionRow& row = *FindVersion(file.checked.programs[0].module.version);
  ASSERT_EQ(row.release, "1.0.0");
  CheckSettings s = Settings();
  const int64_t end = DaysFromDate(row.date) + s.window.backward_days;
  const auto on = [&](int64_t day) {
    s.today = DateFromDays(day);
    return Found(file, s);
  };
  EXPECT_EQ(on(end - s.forecast_days), Strings());
  ASSERT_EQ(on(end - s.forecast_days + 1).size(), 1u);
  EXPECT_TRUE(on(end - s.forecast_days + 1)[0].starts_with("leaves-window: version 1.0.0"));
  EXPECT_TRUE(
      on(end)[0].ends_with("will leave the compatibility window on " + DateString(DateFromDays(end))));
  EXPECT_TRUE(on(end + 1)[0].starts_with("outside-window: "));
}

TEST(Check, ArtifactsNewerThanAConsumer) {
  const File file(Artifact(Function(kReturn)), "m.shlo");
  CheckSettings s = Settings();
  s.consumers = {At("1.0.0")};
  s.window.forward_days = 10000;
  EXPECT_EQ(Found(file, s), Strings());  // off by default
  s.severities[CheckRule::kTooNew] = CheckSeverity::kWarning;
  ASSERT_EQ(Found(file, s).size(), 1u);
  EXPECT_TRUE(Found(file, s)[0].starts_with("too-new: the artifact is of version ")) << Found(file, s)[0];
  s.consumers = {At("current")};
  EXPECT_EQ(Found(file, s), Strings());
}

TEST(Check, PathsInLocations) {
  const auto with = [](const std::string& path) {
    return File("module {\n  func.func @main() {\n    return loc(\"" + path + "\":1:2)\n  }\n}\n");
  };
  for (const char* leak : {"/home/ann/m.py", "/Users/ann/m.py", "C:\\\\work\\\\m.py", "/tmp/x.py"})
    EXPECT_EQ(Found(with(leak)).size(), 1u) << leak;
  for (const char* fine : {"m.py", "src/home/m.py", "/usr/lib/python3/jax.py", "<stdin>"})
    EXPECT_EQ(Found(with(fine)), Strings()) << fine;
}

TEST(Check, CanonicalBytes) {
  CheckSettings s = Settings();
  s.severities[CheckRule::kNotCanonical] = CheckSeverity::kWarning;
  const File file(Artifact(Function(kReturn), "mine"), "m.shlo");
  EXPECT_EQ(Found(file, s), Strings());
  const std::string canonical = *WriteProgram(file.checked.programs[0], {});
  EXPECT_EQ(Found(File(canonical), s), Strings());
  EXPECT_EQ(Found(File("// a comment\n" + canonical), s),
            Strings{"not-canonical: bytes differ from shlo-compat's for the program"});
}

// --- Against a baseline ----------------------------------------------------------------------------

// Meanings are equal.
CheckSettings Compared() {
  CheckSettings s = Settings();
  s.compare_meaning = [](const Program&, const Program&,
                         const Limits&) -> Result<std::vector<MeaningChange>> {
    return std::vector<MeaningChange>();
  };
  return s;
}

Strings Change(const std::string& before, const std::string& now, const CheckSettings& s = Compared()) {
  const File old(before), file(now);
  return Found(file, s, &old);
}

TEST(CheckBaseline, WhatIsEqual) {
  const std::string sub =
      Function("    %0 = stablehlo.subtract %a, %a : tensor<4xf32>\n    return %0 : tensor<4xf32>\n");
  for (const CheckSettings& s : {Settings(), Compared()}) {
    EXPECT_EQ(Change(sub, sub, s), Strings());
    EXPECT_EQ(Change(sub, "// a comment\n" + sub, s), Strings());
    EXPECT_EQ(Change(sub, "#loc = loc(\"m.py\":1:2)\n" + sub, s), Strings());
  }
}

TEST(CheckBaseline, Meaning) {
  const auto with = [](const char* op) {
    return Function("    %0 = stablehlo." + std::string(op) +
                    " %a, %a : tensor<4xf32>\n    return %0 : tensor<4xf32>\n");
  };
  // Nothing compares meanings.
  const Strings unknown = Change(with("add"), with("multiply"), Settings());
  ASSERT_EQ(unknown.size(), 1u);
  EXPECT_TRUE(unknown[0].starts_with("meaning-unknown: this build does not compare ")) << unknown[0];
  CheckSettings s = Settings();
  s.compare_meaning = [](const Program&, const Program&,
                         const Limits&) -> Result<std::vector<MeaningChange>> {
    return std::vector<MeaningChange>{{"main", CheckRule::kMeaningChanged, "differs"},
                                      {"helper", CheckRule::kMeaningChanged, "is not public"},
                                      {"", CheckRule::kContractChanged, "of the module"}};
  };
  EXPECT_EQ(Change(with("add"), with("multiply"), s),
            (Strings{"meaning-changed: func.func: @main: differs", "contract-changed: of the module"}));
  s.compare_meaning = [](const Program&, const Program&,
                         const Limits&) -> Result<std::vector<MeaningChange>> {
    return Error(Code::kLimit, "too long");
  };
  EXPECT_EQ(Change(with("add"), with("multiply"), s), Strings{"failed: too long"});
  for (const CheckRule rule :
       {CheckRule::kMeaningChanged, CheckRule::kContractChanged, CheckRule::kMeaningUnknown})
    s.severities[rule] = CheckSeverity::kOff;
  EXPECT_EQ(Change(with("add"), with("multiply"), s), Strings());
}

TEST(CheckBaseline, Signatures) {
  const std::string one = Function(kReturn);
  EXPECT_EQ(Change(one, Function(kReturn, "%a: tensor<4xf32>, %b: tensor<f32>")),
            Strings{"signature-changed: func.func: @main: has 2 arguments, but had 1 argument"});
  EXPECT_EQ(Change(Function(kReturn, "%a: tensor<4xf32>, %b: tensor<f32>"),
                   Function(kReturn, "%a: tensor<4xf32>, %b: tensor<f64>")),
            Strings{"signature-changed: func.func: @main: argument 2 is tensor<f64>, but was tensor<f32>"});
  EXPECT_EQ(Change(one, Function(kReturn, "%a: tensor<4xf32> {jax.buffer_donor = true}")),
            Strings{"signature-changed: func.func: @main: argument 1 has attributes {jax.buffer_donor = "
                    "true}, but had {}"});
  const auto returning = [](const std::string& op, const std::string& type) {
    return "func.func @main(%a: tensor<4xf32>) -> " + type + " {\n" + op + "}\n";
  };
  const std::string wide = returning(
      "  %0 = stablehlo.convert %a : (tensor<4xf32>) -> tensor<4xf64>\n  return %0 : tensor<4xf64>\n",
      "tensor<4xf64>");
  EXPECT_EQ(Change(returning("  return %a : tensor<4xf32>\n", "tensor<4xf32>"), wide),
            Strings{"signature-changed: func.func: @main: result 1 is tensor<4xf64>, but was tensor<4xf32>"});
  // A private function is nobody's business.
  const auto helper = [](const std::string& type) {
    return "func.func private @helper(%a: " + type + ") -> " + type + " {\n  return %a : " + type + "\n}\n";
  };
  EXPECT_EQ(Change(one + helper("tensor<f32>"), one + helper("tensor<f64>")), Strings());
}

TEST(CheckBaseline, WhatCannotBeCompared) {
  const std::string valid = Function(kReturn);
  const std::string invalid = Function("    func.call @nowhere() : () -> ()\n" + std::string(kReturn));
  EXPECT_EQ(Change(invalid, valid), Strings{"meaning-unknown: the program of the baseline does not verify"});
  CheckSettings s = Settings();
  s.severities[CheckRule::kMeaningUnknown] = CheckSeverity::kOff;
  EXPECT_EQ(Change(invalid, valid, s), Strings());
}

TEST(CheckBaseline, Removed) {
  const std::string two =
      "module {\n  func.func @a() {\n    return\n  }\n  func.func @b() {\n    return\n  }\n}\n";
  const std::string one = "module {\n  func.func @a() {\n    return\n  }\n}\n";
  EXPECT_EQ(Change(two, one), Strings{"removed: function @b is gone"});
  EXPECT_EQ(Change(one, two), Strings());
  EXPECT_EQ(Change(one + "// -----\n" + one, one), Strings{"removed: program 2 of the file is gone"});
}

// Programs of a container correspond by their names, in any order.
TEST(CheckBaseline, ProgramsWithNames) {
  const std::string a = "module {\n  func.func @a() {\n    return\n  }\n}\n";
  const std::string b = "module {\n  func.func @b() {\n    return\n  }\n}\n";
  const auto named = [](const std::string& text, const std::vector<std::string>& names) {
    File file(text);
    for (size_t i = 0; i < names.size(); ++i) file.checked.programs[i].name = names[i];
    return file;
  };
  const File before = named(a + "// -----\n" + b, {"one", "two"});
  EXPECT_EQ(Found(named(b + "// -----\n" + a, {"two", "one"}), Compared(), &before), Strings());
  EXPECT_EQ(Found(named(b, {"two"}), Compared(), &before), Strings{"removed: program 'one' is gone"});
  EXPECT_EQ(Found(named(a + "// -----\n" + a, {"one", "two"}), Compared(), &before),
            Strings{"removed: function @b is gone"});
}

TEST(CheckBaseline, LowestTarget) {
  CheckSettings s = Compared();
  const std::string old =
      Function("    %0 = stablehlo.tan %a : tensor<4xf32>\n    return %0 : tensor<4xf32>\n");
  const std::string plain =
      Function("    %0 = stablehlo.sine %a : tensor<4xf32>\n    return %0 : tensor<4xf32>\n");
  const Strings found = Change(plain, old, s);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(found[0].starts_with("lowest-target-rose: the lowest target is 1.4.0 ")) << found[0];
  EXPECT_EQ(Change(old, plain, s), Strings());
}

// --- Patterns --------------------------------------------------------------------------------------

TEST(CheckPattern, Matches) {
  struct {
    const char* pattern;
    Strings matches, others;
  } const cases[] = {
      {"a.mlir", {"a.mlir"}, {"b.mlir", "x/a.mlir", "a.mlirbc", ""}},
      {"*.mlir", {"a.mlir", ".mlir"}, {"x/a.mlir", "a.mlirx"}},
      {"**", {"", "a", "a/b/c"}, {}},
      {"**/*.mlir", {"a.mlir", "x/a.mlir", "x/y/a.mlir"}, {"a.shlo", "x/a.mlir/b"}},
      {"models/**", {"models/a", "models/x/y"}, {"models", "other/a", "xmodels/a"}},
      {"models/**/v1/*",
       {"models/v1/a", "models/x/v1/a", "models/x/y/v1/a"},
       {"models/v1/a/b", "models/v2/a"}},
      {"a?c", {"abc"}, {"a/c", "ac", "abbc"}},
      {"[a-c]x", {"ax", "cx"}, {"dx", "x"}},
      {"[!a]x", {"bx"}, {"ax", "/x"}},
      {"a*b*c", {"abc", "aXbYc", "abbbcc"}, {"ab", "acb", "a/bc"}},
      {"[", {}, {"[", "a"}},
  };
  for (const auto& c : cases) {
    for (const std::string& text : c.matches)
      EXPECT_TRUE(MatchesPattern(text, c.pattern)) << c.pattern << " " << text;
    for (const std::string& text : c.others)
      EXPECT_FALSE(MatchesPattern(text, c.pattern)) << c.pattern << " " << text;
  }
  // Not exponential: a star is tried again from its end only.
  EXPECT_FALSE(MatchesPattern(std::string(5000, 'a'), "*a*a*a*a*a*a*a*a*b"));
}

}  // namespace
}  // namespace shlo
