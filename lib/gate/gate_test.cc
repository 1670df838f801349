// Each rule finds the change that is meant for it, and no other rule does: changes are planted in the working
// facts, or in the frozen data.
#include "shlo/gate.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "check/rules.h"
#include "gate/compare.h"
#include "gate/witness.h"

namespace shlo::gate {
namespace {

// What this library froze, and its working facts with every part of each witness as it was frozen.
struct Both {
  Released frozen;
  Facts working;
};
const Both& Clean() {
  static const Both* const both = [] {
    auto* made = new Both{*ReadReleased(BuiltInReleases()), {}};
    AddTableFacts(made->working);
    AddFormatFacts(made->working);
    for (const auto& [name, runs] : made->frozen.facts.all)
      if (IsWitnessPart(name.first)) made->working.all[name] = runs;
    return made;
  }();
  return *both;
}

// Rules of the findings, as their ids.
std::set<std::string> RulesFor(const Facts& working, const Released& frozen = Clean().frozen) {
  std::set<std::string> rules;
  for (const GateFinding& f : CompareReleases(frozen, working)) rules.emplace(RowOf(f.finding.rule).id);
  return rules;
}
using Ids = std::set<std::string>;

// Sets a value at all versions, or removes the fact.
Facts With(Section section, const std::string& key, const std::string& value) {
  Facts working = Clean().working;
  auto& runs = working.all.at({section, key});
  for (FactRun& run : runs) run.value = value;
  return working;
}
Facts Without(Section section, const std::string& key) {
  Facts working = Clean().working;
  EXPECT_EQ(working.all.erase({section, key}), 1u) << key;
  return working;
}
// Adds a fact that no release had.
Facts Plus(Section section, const std::string& key, const std::string& value) {
  Facts working = Clean().working;
  EXPECT_FALSE(working.all.contains({section, key})) << key;
  working.Add(section, key, value, Version{60}, kCurrentVersion);
  return working;
}
// The first witness with a certain verdict that has a part.
std::string WitnessWith(std::string_view verdict, Section part = Section::kText) {
  for (const auto& entry : Clean().frozen.witnesses) {
    const auto value = [&](Section s) {
      return Clean().frozen.facts.At(s, entry.first, entry.second.version)->value;
    };
    if (value(Section::kVerdict) == verdict && value(part) != kNoPart) return entry.first;
  }
  ADD_FAILURE() << verdict;
  return "";
}

TEST(Gate, NothingIsFoundWithoutAChange) { EXPECT_EQ(RulesFor(Clean().working), Ids()); }

TEST(Gate, EveryVersionIsFrozen) {
  const auto report = CheckReleases(BuiltInReleases());
  ASSERT_TRUE(report);
  for (const GateFinding& f : report->findings)
    ADD_FAILURE() << RowOf(f.finding.rule).id << ": " << f.finding.diagnostic.message << "\n" << f.witness;
  EXPECT_EQ(report->newest, kCurrentVersion);
  EXPECT_EQ(report->releases, VersionLine().size());
  EXPECT_GT(report->witnesses, 1000u);
}

TEST(Gate, Versions) {
  EXPECT_EQ(RulesFor(Without(Section::kVersion, "62")), Ids{"version-removed"});
  EXPECT_EQ(RulesFor(With(Section::kVersion, "62", "1.9.9")), Ids{"version-changed"});
  EXPECT_EQ(RulesFor(With(Section::kFormat, "62", "5")), Ids{"version-changed"});
  EXPECT_EQ(RulesFor(With(Section::kDate, "62", "2024-01-30")), Ids{"window-changed"});
  EXPECT_EQ(RulesFor(With(Section::kWindow, "backward", "1000 days")), Ids{"window-changed"});
  EXPECT_EQ(RulesFor(With(Section::kWindow, "62 forward", "outside, outside a day less")),
            Ids{"window-changed"});
}

TEST(Gate, AVersionThatIsNotFrozenIsAWarning) {
  auto files = BuiltInReleases();
  std::erase_if(files, [](const ReleasedFile& file) {
    return file.name == FileNameOf(StablehloVersions().Of(kCurrentVersion));
  });
  const auto frozen = ReadReleased(files);
  ASSERT_TRUE(frozen);
  const auto findings = CompareReleases(*frozen, Clean().working);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(RowOf(findings[0].finding.rule).id, "release-not-frozen");
  EXPECT_EQ(findings[0].finding.severity, CheckSeverity::kWarning);
}

TEST(Gate, FrozenDataIsNotEdited) {
  auto files = BuiltInReleases();
  for (ReleasedFile& file : files)
    if (file.name == "1.9.0.tsv") file.bytes += "shlo-field\tOther 0\tstruct, x: int\n-shlo-field\tOther 0\n";
  const auto frozen = ReadReleased(files);
  ASSERT_TRUE(frozen);
  EXPECT_TRUE(RulesFor(Clean().working, *frozen).contains("frozen-edited"));
  EXPECT_EQ(frozen->edited, std::vector{Version{62}});
}

TEST(Gate, Ids) {
  EXPECT_EQ(RulesFor(With(Section::kOp, "stablehlo.gather", "999")), Ids{"id-changed"});
  EXPECT_EQ(RulesFor(With(Section::kType, "kTensor type", "99")), Ids{"id-changed"});
  const std::string id = Clean().frozen.facts.At(Section::kOp, "stablehlo.gather", kCurrentVersion)->value;
  EXPECT_EQ(RulesFor(With(Section::kOpId, id, "stablehlo.other")), Ids{"id-reused"});
  EXPECT_EQ(RulesFor(With(Section::kTypeId, "51", "kOther")), Ids{"id-reused"});
  EXPECT_EQ(RulesFor(With(Section::kCaseId, "kPrecision 1", "OTHER")), Ids{"id-reused"});
}

TEST(Gate, Intervals) {
  EXPECT_EQ(RulesFor(Without(Section::kOp, "stablehlo.tan")), Ids{"interval-changed"});
  EXPECT_EQ(RulesFor(Plus(Section::kOp, "stablehlo.other", "500")), Ids{"interval-changed"});
  EXPECT_EQ(RulesFor(Without(Section::kAttribute, "kMesh attribute")), Ids{"interval-changed"});
  // Other dialects have no promise, and nobody had the op.
  EXPECT_EQ(RulesFor(Plus(Section::kOp, "arith.other", "500")), Ids());
  // Rows of a new version leave the past alone.
  Facts working = Clean().working;
  const Version next{uint16_t(kCurrentVersion.n + 1)};
  working.Add(Section::kOp, "stablehlo.other", "500", next, next);
  EXPECT_EQ(RulesFor(working), Ids());
}

TEST(Gate, CellsOfOps) {
  EXPECT_EQ(RulesFor(With(Section::kOperands, "stablehlo.gather", "operand")), Ids{"operands-changed"});
  EXPECT_EQ(RulesFor(With(Section::kRegions, "stablehlo.while", "body, cond")), Ids{"operands-changed"});
  EXPECT_EQ(RulesFor(Without(Section::kAttr, "stablehlo.gather index_vector_dim")), Ids{"attribute-lost"});
  EXPECT_EQ(RulesFor(Plus(Section::kAttr, "stablehlo.gather other", "boolean")), Ids{"attribute-added"});
  EXPECT_EQ(RulesFor(With(Section::kAttr, "stablehlo.gather index_vector_dim", "boolean")),
            Ids{"attribute-kind-changed"});
  EXPECT_EQ(RulesFor(With(Section::kDefault, "stablehlo.gather indices_are_sorted", "true")),
            Ids{"default-changed"});
  EXPECT_EQ(RulesFor(With(Section::kAttrOrder, "stablehlo.slice", "strides limit_indices start_indices")),
            Ids{"attribute-order-changed"});
  EXPECT_EQ(RulesFor(With(Section::kTraits, "func.func", "symbol")), Ids{"trait-changed"});
  EXPECT_EQ(RulesFor(With(Section::kForm, "stablehlo.add", "operands attr-dict")), Ids{"text-form-changed"});
}

TEST(Gate, Enums) {
  EXPECT_EQ(RulesFor(With(Section::kCase, "kPrecision HIGH", "7")), Ids{"enum-renumbered"});
  EXPECT_EQ(RulesFor(Without(Section::kCase, "kPrecision HIGH")), Ids{"enum-case-removed"});
  EXPECT_EQ(RulesFor(Plus(Section::kCase, "kPrecision OTHER", "7")), Ids{"enum-case-added"});
  EXPECT_EQ(RulesFor(With(Section::kFields, "kMesh attribute", "attrs axes")), Ids{"fields-changed"});
}

TEST(Gate, Steps) {
  EXPECT_EQ(RulesFor(Without(Section::kStep, "stablehlo.gather 54")), Ids{"step-missing"});
  EXPECT_EQ(RulesFor(With(Section::kStep, "stablehlo.gather 54", "other")), Ids{"step-changed"});
}

TEST(Gate, ClassesOfTypes) {
  const std::string name =
      Clean().frozen.facts.At(Section::kTypes, "stablehlo.sine operand operand", kCurrentVersion)->value;
  std::string digits = Clean().frozen.facts.At(Section::kClass, name, kCurrentVersion)->value, more = digits;
  digits[digits.find('1')] = '0';
  more[more.find('0')] = '1';
  EXPECT_EQ(RulesFor(With(Section::kClass, name, digits)), Ids{"constraint-tightened"});
  EXPECT_EQ(RulesFor(With(Section::kClass, name, more)), Ids{"constraint-loosened"});
  // A class may get another name.
  Facts renamed = With(Section::kTypes, "stablehlo.sine operand operand", "other words");
  renamed.Add(Section::kClass, "other words",
              Clean().frozen.facts.At(Section::kClass, name, kCurrentVersion)->value, kMinimumVersion,
              kCurrentVersion);
  EXPECT_EQ(RulesFor(renamed), Ids());
}

TEST(Gate, Constraints) {
  EXPECT_EQ(RulesFor(With(Section::kConfined, "stablehlo.iota iota_dimension", "2")),
            Ids{"constraint-tightened"});
  EXPECT_EQ(RulesFor(With(Section::kConfined, "stablehlo.iota iota_dimension", "0")),
            Ids{"constraint-loosened"});
  EXPECT_EQ(RulesFor(Without(Section::kConstraint, "stablehlo.gather C1")), Ids{"constraint-loosened"});
  EXPECT_EQ(RulesFor(Without(Section::kRelation, "stablehlo.add elementwise")), Ids{"constraint-loosened"});
  EXPECT_EQ(RulesFor(Plus(Section::kRelation, "stablehlo.while elementwise", "yes")),
            Ids{"constraint-tightened"});
  const std::string valid = WitnessWith("valid"), invalid = WitnessWith("warning stablehlo.gather");
  EXPECT_EQ(RulesFor(With(Section::kVerdict, valid, "error stablehlo.add")), Ids{"constraint-tightened"});
  EXPECT_EQ(RulesFor(With(Section::kVerdict, invalid, "valid")), Ids{"constraint-loosened"});
  EXPECT_EQ(RulesFor(With(Section::kVerdict, valid, "unreadable")), Ids{"text-form-changed"});
}

TEST(Gate, Formats) {
  EXPECT_EQ(RulesFor(With(Section::kShloField, "Artifact 1", "table, other: ulong")),
            Ids{"shlo-field-changed"});
  EXPECT_EQ(RulesFor(Plus(Section::kShloField, "Artifact 9", "table, other: ulong")), Ids());
  EXPECT_EQ(RulesFor(With(Section::kTypeCode, "kVhlo 20", "kOther")), Ids{"bytecode-code-reused"});
  EXPECT_EQ(RulesFor(Without(Section::kAttrCode, "kVhlo 20")), Ids{"bytecode-encoding-changed"});
  EXPECT_EQ(RulesFor(With(Section::kEncoding, "kVhlo type 20 kTensor", "t0S2")),
            Ids{"bytecode-encoding-changed"});
  EXPECT_EQ(RulesFor(With(Section::kVhlo, "stablehlo.tan", "vhlo.tan_v9")), Ids{"bytecode-encoding-changed"});
}

TEST(Gate, Witnesses) {
  const std::pair<Section, const char*> kRules[] = {
      {Section::kText, "text-form-changed"},          {Section::kGeneric, "text-form-changed"},
      {Section::kVhloText, "text-form-changed"},      {Section::kShlo, "shlo-bytes-changed"},
      {Section::kBytecode, "bytecode-bytes-changed"}, {Section::kLowest, "conversion-changed"},
      {Section::kUpgrade, "conversion-changed"},      {Section::kDowngrade, "conversion-changed"},
      {Section::kResult, "semantics-changed"}};
  for (const auto& [part, rule] : kRules)
    EXPECT_EQ(RulesFor(With(part, WitnessWith("valid", part), "other")), Ids{rule}) << unsigned(part);
}

TEST(Gate, WhatCouldNotBeReadBackMayBeRefused) {
  for (const auto& [key, witness] : Clean().frozen.witnesses) {
    const std::string artifact = Clean().frozen.facts.At(Section::kBytecode, key, witness.version)->value;
    if (artifact.find("not readable") == artifact.npos) continue;
    EXPECT_EQ(RulesFor(With(Section::kBytecode, key, "none:invalid-program none:invalid-program")), Ids());
    EXPECT_EQ(RulesFor(With(Section::kBytecode, key, "other")), Ids{"bytecode-bytes-changed"});
    return;
  }
  ADD_FAILURE() << "no such witness";
}

TEST(Gate, AFindingHasTheSmallestWitnessAndItsConsumers) {
  const auto findings =
      CompareReleases(Clean().frozen, With(Section::kDefault, "stablehlo.gather indices_are_sorted", "true"));
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_NE(findings[0].witness.find("gather"), std::string::npos);
  for (const auto& [key, witness] : Clean().frozen.witnesses)
    if (key.starts_with("stablehlo.gather ")) {
      EXPECT_LE(findings[0].witness.size(), witness.text.size());
    }
  EXPECT_EQ(findings[0].since, kMinimumVersion);
  ASSERT_FALSE(findings[0].consumers.empty());
  EXPECT_EQ(findings[0].consumers[0].substr(0, 6), "jaxlib");
  EXPECT_EQ(ConsumersIn(Version{54}, Version{54}),
            (std::vector<std::string>{"jaxlib 0.4.29 to 0.4.30", "tensorflow-cpu 2.17.0 to 2.17.1",
                                      "torchax 0.0.4"}));
}

TEST(Gate, WitnessesOfAnOpAreOneFinding) {
  Facts working = Clean().working;
  size_t changed = 0;
  for (const auto& [key, witness] : Clean().frozen.witnesses)
    if (key.starts_with("stablehlo.tan ") &&
        Clean().frozen.facts.At(Section::kShlo, key, witness.version)->value != kNoPart) {
      working.all.at({Section::kShlo, key})[0].value = "other";
      ++changed;
    }
  const auto findings = CompareReleases(Clean().frozen, working);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_GT(changed, 1u);
  EXPECT_EQ(findings[0].finding.count, changed);
}

TEST(Gate, EveryRuleHasASectionOrATest) {
  std::set<CheckRule> tested = {CheckRule::kReleaseNotFrozen, CheckRule::kFrozenEdited};
  constexpr auto None = CheckRule::kWaiverUnused;
  using enum CheckRule;
  for (const CheckRule rule : {
#define SHLO_GATE_SECTION(name, text, words, lost, changed, added) lost, changed, added,
#include "gate/sections.inc"
       })
    tested.insert(rule);
  for (const CheckRuleRow& row : CheckRules())
    if (row.compares == CheckComparison::kReleases) {
      EXPECT_TRUE(tested.contains(row.rule)) << row.id;
    }
}

// --- Frozen data ------------------------------------------------------------------------------------------

TEST(Released, NewVersionsAreAppended) {
  auto files = BuiltInReleases();
  std::erase_if(files, [](const ReleasedFile& file) {
    return file.name == FileNameOf(StablehloVersions().Of(kCurrentVersion)) || file.name == "1.21.0.tsv";
  });
  const auto added = FreezeReleases(files, {});
  ASSERT_TRUE(added);
  ASSERT_EQ(added->size(), 2u);
  files.insert(files.end(), added->begin(), added->end());
  const auto report = CheckReleases(files);
  ASSERT_TRUE(report);
  EXPECT_TRUE(report->findings.empty());
  // A case that began in the last version is in its file only.
  EXPECT_NE(added->back().bytes.find("case\tkComparisonType WEAKORDER\t5\n"), std::string::npos);
  EXPECT_EQ(added->front().bytes.find("case\tkComparisonType WEAKORDER"), std::string::npos);
  const auto again = FreezeReleases(files, {});
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error()[0].code, Code::kUsage);
}

TEST(Released, WhatIsNotFrozenDataIsAnError) {
  const auto problem = [](std::vector<ReleasedFile> files) {
    const auto read = ReadReleased(files);
    return read ? "" : read.error()[0].message;
  };
  const std::string header = "gate 1\t37\t37\t-\n";
  EXPECT_EQ(problem({}), "no release is frozen");
  EXPECT_EQ(problem({{"37.tsv", "text"}}), "not frozen data: expected 'gate 1', N, release and checksum");
  EXPECT_EQ(problem({{"37.tsv", header + "other\ta\tb\n"}}), "unknown section 'other'");
  EXPECT_EQ(problem({{"37.tsv", header + "op\ta\n"}}), "expected 3 fields, got 2");
  EXPECT_EQ(problem({{"37.tsv", header + "-op\ta\n"}}), "a fact ends that did not hold");
  EXPECT_EQ(problem({{"37.tsv", header + "op\ta\tb"}}), "the last line is incomplete");
  EXPECT_EQ(problem({{"37.tsv", header + "text\ta\tb\n"}}), "unknown section 'text'");
  EXPECT_EQ(problem({{"37.tsv", header}, {"other.tsv", header}}), "version is frozen twice");
  const auto witness = [](std::string_view upgrade) {
    std::string line = "witness\tw";
    for (const Section part : kWitnessParts)
      line += fmt::format("\t{}", part == Section::kUpgrade ? upgrade : "-");
    return line + "\ttext\n";
  };
  EXPECT_EQ(problem({{"37.tsv", header + witness("-") + witness("-")}}), "witness is frozen twice");
  EXPECT_EQ(problem({{"37.tsv", header + witness("38 0123abcd")}}), "");
  for (const char* const upgrade : {"x 0123abcd", "70000 0123abcd", "38x", ""})
    EXPECT_EQ(problem({{"37.tsv", header + witness(upgrade)}}), "expected the number of a version and a hash")
        << upgrade;
  const auto twice =
      ReadReleased(std::vector<ReleasedFile>{{"37.tsv", header + witness("-") + witness("-")}});
  ASSERT_FALSE(twice);
  EXPECT_EQ(twice.error()[0].place.file, "37.tsv");
  EXPECT_EQ(twice.error()[0].place.line, 3u);
  EXPECT_EQ(twice.error()[0].hint, "restore the file: frozen data is never edited");
  const auto failed = CheckReleases({});
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error()[0].code, Code::kMalformed);
}

TEST(Released, TextOfWitnessesIsKept) {
  for (const auto& [key, witness] : Clean().frozen.witnesses)
    EXPECT_TRUE(key.ends_with(HashOf(witness.text))) << key;
}

// --- Replays ----------------------------------------------------------------------------------------------

TEST(Replay, TellsProgramsApart) {
  const auto replay = [](std::string_view text) {
    return Replay(text, {.version = kCurrentVersion, .newest = kCurrentVersion, .results = {}, .limits = {}});
  };
  const std::string program =
      "func.func @main(%a: tensor<3xf32>, %b: tensor<3xf32>) -> tensor<3xf32> {\n"
      "  %0 = stablehlo.add %a, %b : tensor<3xf32>\n  return %0 : tensor<3xf32>\n}\n";
  std::string other = program;
  other.replace(other.find("add"), 3, "subtract");
  WitnessParts a = replay(program), b = replay(other);
  for (const Section part : {Section::kText, Section::kGeneric, Section::kVhloText, Section::kShlo,
                             Section::kBytecode, Section::kResult})
    EXPECT_NE(a[part], b[part]) << unsigned(part);
  EXPECT_EQ(a[Section::kVerdict], "valid");
  EXPECT_EQ(a[Section::kLowest], fmt::format("37-{}", kCurrentVersion.n));
  EXPECT_EQ(SubjectOf(program, kCurrentVersion), "stablehlo.add");
  EXPECT_EQ(replay("nonsense")[Section::kVerdict], "unreadable");
}

TEST(Replay, OnlyWhatHasResultsIsEvaluatedAgain) {
  const std::string program =
      "func.func @main(%a: tensor<3xf32>) -> tensor<3xf32> {\n  return %a : tensor<3xf32>\n}\n";
  const auto parts = Replay(
      program, {.version = kCurrentVersion, .newest = kCurrentVersion, .results = "- 1 -", .limits = {}});
  const std::string& results = parts.at(Section::kResult);
  EXPECT_TRUE(results.starts_with("- ") && results.ends_with(" -")) << results;
  EXPECT_EQ(results.size(), 12u);
}

}  // namespace
}  // namespace shlo::gate
