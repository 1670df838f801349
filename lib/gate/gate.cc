// Compares the working dialect with frozen data, and turns differences into findings of rules.
#include "shlo/gate.h"

#include <algorithm>
#include <optional>
#include <tuple>

#include "base/format.h"
#include "base/guarded.h"
#include "base/try.h"
#include "check/rules.h"
#include "gate/compare.h"
#include "gate/dialect_facts.h"
#include "gate/witness.h"
#include "shlo/consumers.h"

namespace shlo::gate {
namespace {

// A row of sections.inc.
struct SectionRow {
  std::string_view name, words;
  std::optional<CheckRule> lost, changed, added;
};
constexpr std::nullopt_t None = std::nullopt;
using enum CheckRule;
const SectionRow kSections[] = {
#define SHLO_GATE_SECTION(enumerator, name, words, lost, changed, added) {name, words, lost, changed, added},
#include "gate/sections.inc"
};

std::string FirstWord(const std::string& key) { return key.substr(0, key.find(' ')); }

// Which types are accepted less, or more: by digits, or by "name=digits" between spaces. A type that only one
// of them has is a finding by itself.
std::optional<CheckRule> Stricter(std::string_view old, std::string_view now) {
  const std::string padded = StrFormat(" {}", now);
  bool fewer = false, more = false;
  for (size_t begin = 0; begin <= old.size();) {
    const size_t end = std::min(old.find(' ', begin), old.size());
    const std::string_view part = old.substr(begin, end - begin);
    begin = end + 1;
    const std::string name = StrFormat(" {}", part.substr(0, part.find('=') + 1));
    const size_t at = padded.find(name);
    if (at == padded.npos) continue;
    const std::string_view other = std::string_view(padded).substr(at + 1);
    for (size_t i = name.size() - 1; i < std::min(part.size(), other.size()); ++i) {
      fewer = fewer || (part[i] == '1' && other[i] == '0');
      more = more || (part[i] == '0' && other[i] == '1');
    }
  }
  if (fewer) return kConstraintTightened;
  return more ? std::optional(kConstraintLoosened) : std::nullopt;
}

class Comparison {
 public:
  Comparison(const Released& frozen, const Facts& working, const Versions& versions)
      : frozen_(frozen), working_(working), versions_(versions) {}

  std::vector<GateFinding> Run() {
    const std::vector<Difference> all =
        Compare(frozen_.facts, working_, versions_.rows.front().version, frozen_.newest());
    for (const Difference& d : all)
      if (const auto rule = RuleOfWitness(d)) AddWitness(*rule, d);
    for (const Difference& d : all)
      if (const auto rule = RuleOf(d)) AddFact(*rule, d);
    for (auto& [name, finding] : by_witness_) findings_.push_back(std::move(finding));
    AddReleases();
    std::ranges::stable_sort(findings_, {}, [](const GateFinding& f) { return f.finding.rule; });
    return std::move(findings_);
  }

 private:
  using NamedWitness = std::pair<const std::string, Witness>;

  // Returns whether an op or kind exists at a version in both, so that its parts can be compared.
  bool InBoth(Section section, const std::string& key, Version version) const {
    return frozen_.facts.At(section, key, version) && working_.At(section, key, version);
  }
  bool PartOfBoth(const Difference& d) const {
    const std::string word = FirstWord(d.name.second);
    switch (d.name.first) {
      case Section::kVhlo:
      case Section::kForm:
      case Section::kTraits:
      case Section::kRelation:
      case Section::kOperands:
      case Section::kResults:
      case Section::kRegions:
      case Section::kTypes:
      case Section::kAttr:
      case Section::kAttrOrder:
      case Section::kDefault:
      case Section::kConfined:
      case Section::kStruct:
      case Section::kCondition:
      case Section::kConstraint:
      case Section::kStep:
        return InBoth(Section::kOp, word, d.since);
      case Section::kKindText:
      case Section::kKindVhlo:
      case Section::kFields:
        return InBoth(d.name.second.ends_with(" type") ? Section::kType : Section::kAttribute, d.name.second,
                      d.since);
      case Section::kCase:
        return InBoth(Section::kAttribute, word + " attribute", d.since) ||
               InBoth(Section::kType, word + " type", d.since);
      default:
        return true;
    }
  }
  // Other dialects have no promise: an op, type or attribute of theirs may get a row at any time.
  bool MayAppear(const Difference& d) const {
    if (!versions_.stablehlo) return false;
    if (d.name.first == Section::kOp) {
      const std::string dialect = d.name.second.substr(0, d.name.second.find('.'));
      return dialect != "stablehlo" && dialect != "func";
    }
    if (d.name.first != Section::kType && d.name.first != Section::kAttribute) return false;
    const FactRun* vhlo = working_.At(Section::kKindVhlo, d.name.second, d.since);
    return !vhlo || vhlo->value.empty();
  }

  std::optional<CheckRule> RuleOf(const Difference& d) const {
    const SectionRow& row = kSections[size_t(d.name.first)];
    if (IsWitnessPart(d.name.first) || !PartOfBoth(d)) return {};
    if (!d.frozen) return MayAppear(d) ? std::nullopt : row.added;
    if (!d.working) return row.lost;
    switch (d.name.first) {
      case Section::kClass:
        return Stricter(*d.frozen, *d.working);
      case Section::kTypes: {
        const FactRun* old = frozen_.facts.At(Section::kClass, *d.frozen, frozen_.newest());
        const FactRun* now = working_.At(Section::kClass, *d.working, frozen_.newest());
        return old && now ? Stricter(old->value, now->value) : row.changed;
      }
      case Section::kConfined:
        return *d.frozen < *d.working ? kConstraintTightened : kConstraintLoosened;
      case Section::kAttrOrder: {
        // Attributes that come or go are reported themselves.
        const auto sorted = [](std::string names) {
          std::ranges::sort(names);
          return names;
        };
        return sorted(*d.frozen) == sorted(*d.working) ? row.changed : std::nullopt;
      }
      default:
        return row.changed;
    }
  }

  std::optional<CheckRule> RuleOfWitness(const Difference& d) const {
    if (!IsWitnessPart(d.name.first)) return {};
    if (!d.frozen || !d.working || *d.frozen == kNoPart) return {};
    const std::string& key = d.name.second;
    if (d.name.first == Section::kVerdict) {
      if (*d.working == "unreadable") return kTextFormChanged;
      if (*d.frozen == "unreadable" || *d.working == "valid") return kConstraintLoosened;
      // Diagnostics are divided by commas.
      const auto count = [](std::string_view text) {
        return text == "valid" ? 0 : 1 + std::ranges::count(text, ',');
      };
      return count(*d.working) < count(*d.frozen) ? kConstraintLoosened : kConstraintTightened;
    }
    // A program that cannot be read, or is not valid anymore, has no other parts.
    if (*d.working == kNoPart) {
      const FactRun *old = frozen_.facts.At(Section::kVerdict, key, d.since),
                    *now = working_.At(Section::kVerdict, key, d.since);
      if (old && now && old->value != now->value) return {};
    }
    // An artifact that could not be read back may be refused.
    if (d.frozen->find(kNotReadable) != d.frozen->npos && d.working->starts_with(kRefused)) return {};
    return kSections[size_t(d.name.first)].changed;
  }

  GateFinding Start(CheckRule rule, const Difference& d) const {
    GateFinding out;
    out.since = d.since;
    out.until = d.until;
    out.finding.rule = rule;
    out.finding.severity = RowOf(rule).severity;
    Diagnostic& diagnostic = out.finding.diagnostic;
    diagnostic.severity =
        out.finding.severity == CheckSeverity::kError ? Severity::kError : Severity::kWarning;
    diagnostic.code = Code::kPolicy;
    if (versions_.stablehlo) diagnostic.version = d.since;
    if (d.file.valid()) diagnostic.place.file = FileNameOf(versions_.Of(d.file));
    diagnostic.place.line = d.line;
    diagnostic.place.column = d.line ? 1 : 0;
    if (versions_.stablehlo) out.consumers = ConsumersIn(d.since, d.until);
    return out;
  }

  std::string In(const GateFinding& finding) const {
    return finding.since == finding.until
               ? StrFormat("in {}", versions_.Of(finding.since).name)
               : StrFormat("in {} to {}", versions_.Of(finding.since).name, versions_.Of(finding.until).name);
  }

  static std::string Quoted(const std::optional<std::string>& value) {
    return value ? StrFormat("'{}'", *value) : "none";
  }

  void AddWitness(CheckRule rule, const Difference& d) {
    const NamedWitness& named = *frozen_.witnesses.find(d.name.second);
    const Witness& witness = named.second;
    const std::string subject = FirstWord(d.name.second);
    auto& broken = broken_[subject];
    if (std::ranges::find(broken, &named) == broken.end()) broken.push_back(&named);
    const auto [at, added] = by_witness_.try_emplace({rule, d.name.first, subject});
    GateFinding& finding = at->second;
    const uint64_t count = finding.finding.count + !added;
    if (!added && finding.witness.size() <= witness.text.size()) {
      finding.finding.count = count;
      return;
    }
    finding = Start(rule, d);
    finding.finding.count = count;
    finding.witness_name = d.name.second;
    finding.witness = witness.text;
    finding.finding.diagnostic.op = subject == "text" ? "" : subject;
    finding.finding.diagnostic.message =
        StrFormat("{} a frozen program: expected '{}', got '{}'", kSections[size_t(d.name.first)].words,
                  *d.frozen, *d.working);
  }

  void AddFact(CheckRule rule, const Difference& d) {
    GateFinding finding = Start(rule, d);
    const std::string& key = d.name.second;
    const std::string subject = FirstWord(key);
    Diagnostic& diagnostic = finding.finding.diagnostic;
    if (subject.find('.') != subject.npos && !subject.starts_with('k')) diagnostic.op = subject;
    const std::string what = StrFormat("{} '{}'", kSections[size_t(d.name.first)].words, key);
    diagnostic.message =
        StrFormat("{}: expected {} {}, got {}", what, Quoted(d.frozen), In(finding), Quoted(d.working));
    PickWitness(subject, d, &finding);
    findings_.push_back(std::move(finding));
  }

  // Returns what text with a kind holds, or "".
  std::string WordOfKind(const std::string& subject, const Difference& d) const {
    const std::string& key = d.name.second;
    if (!versions_.stablehlo && d.name.first == Section::kCase) return key.substr(key.rfind(' ') + 1);
    const FactRun* text = frozen_.facts.At(
        Section::kKindText, subject + (key.ends_with(" type") ? " type" : " attribute"), d.since);
    if (!text) return "";
    const std::string mnemonic = text->value.substr(0, text->value.find(' '));
    return mnemonic.substr(mnemonic.find('.') + 1);
  }

  // The smallest program of an op that breaks; else the smallest that holds it. For a kind, one with its
  // name.
  void PickWitness(const std::string& subject, const Difference& d, GateFinding* finding) const {
    const NamedWitness* best = nullptr;
    const auto offer = [&](const NamedWitness& named) {
      const Witness& witness = named.second;
      if (witness.version > d.until || (best && best->second.text.size() <= witness.text.size())) return;
      best = &named;
    };
    if (const auto broken = broken_.find(subject); broken != broken_.end())
      for (const NamedWitness* named : broken->second) offer(*named);
    if (!best)
      for (const NamedWitness& named : frozen_.witnesses)
        if (FirstWord(named.first) == subject) offer(named);
    if (!best && d.name.first >= Section::kType && d.name.first <= Section::kCaseId)
      if (const std::string word = WordOfKind(subject, d); !word.empty())
        for (const NamedWitness& named : frozen_.witnesses)
          if (named.second.text.find(word) != std::string::npos) offer(named);
    if (!best) return;
    finding->witness_name = best->first;
    finding->witness = best->second.text;
  }

  void AddReleases() {
    for (const Version version : frozen_.edited) {
      Difference d{.since = version, .until = version, .line = 1, .file = version};
      GateFinding finding = Start(kFrozenEdited, d);
      finding.finding.diagnostic.message =
          StrFormat("frozen data of {} is not what its successor states", versions_.Of(version).name);
      findings_.push_back(std::move(finding));
    }
    for (const Versions::Row& row : versions_.rows) {
      if (row.version <= frozen_.newest()) continue;
      Difference d{.since = row.version, .until = row.version, .line = 1, .file = row.version};
      GateFinding finding = Start(kReleaseNotFrozen, d);
      finding.finding.diagnostic.message = StrFormat("version {} is not frozen", row.name);
      finding.finding.diagnostic.hint = "run 'shlo-compat gate --freeze' before it is released";
      findings_.push_back(std::move(finding));
    }
  }

  const Released& frozen_;
  const Facts& working_;
  const Versions& versions_;
  std::vector<GateFinding> findings_;
  std::map<std::tuple<CheckRule, Section, std::string>, GateFinding> by_witness_;
  std::map<std::string, std::vector<const NamedWitness*>> broken_;  // by op
};

}  // namespace

std::vector<std::string> ConsumersIn(Version since, Version until) {
  std::vector<std::string> out;
  const std::vector<Consumer> known = KnownConsumers();
  for (size_t i = 0; i < known.size(); ++i) {
    const Consumer *first = nullptr, *last = nullptr;
    size_t end = i;
    for (; end < known.size() && known[end].package == known[i].package; ++end) {
      const auto version = VersionFor(known[end]);
      if (!version || *version < since || *version > until) continue;
      if (!first) first = &known[end];
      last = &known[end];
    }
    if (first)
      out.push_back(first == last ? StrFormat("{} {}", first->package, first->version)
                                  : StrFormat("{} {} to {}", first->package, first->version, last->version));
    i = end - 1;
  }
  return out;
}

void AddWitnessFacts(const Released& frozen, const Limits& limits, Facts* working, const Replayer& replay) {
  for (const auto& [key, witness] : frozen.witnesses) {
    ReplayOptions options{.version = witness.version, .newest = witness.newest, .limits = limits};
    options.wait_ms = 60'000;
    if (const FactRun* results = frozen.facts.At(Section::kResult, key, witness.version))
      options.results = results->value;
    for (const auto& [part, value] : replay(witness.text, options))
      working->Add(part, key, value, witness.version, frozen.newest());
  }
}

std::vector<GateFinding> CompareReleases(const Released& frozen, const Facts& working,
                                         const Versions& versions) {
  return Comparison(frozen, working, versions).Run();
}

}  // namespace shlo::gate

namespace shlo {

namespace {

GateReport ReportOf(const gate::Released& frozen, const gate::Facts& working,
                    const gate::Versions& versions) {
  GateReport report;
  report.findings = gate::CompareReleases(frozen, working, versions);
  report.newest = frozen.newest();
  report.releases = frozen.versions.size();
  report.facts = frozen.num_facts;
  report.witnesses = frozen.witnesses.size();
  return report;
}

}  // namespace

Result<GateReport> CheckReleases(std::span<const ReleasedFile> released, const Limits& limits) {
  return Guarded(limits, [&]() -> Result<GateReport> {
    const auto frozen = SHLO_TRY(gate::ReadReleased(released));
    gate::Facts working;
    gate::AddTableFacts(working);
    gate::AddFormatFacts(working);
    gate::AddWitnessFacts(frozen, limits, &working);
    return ReportOf(frozen, working, gate::StablehloVersions());
  });
}

Result<GateReport> CheckDialectReleases(const Dialect& dialect, std::span<const ReleasedFile> released,
                                        const Limits& limits) {
  return Guarded(limits, [&]() -> Result<GateReport> {
    const auto frozen = SHLO_TRY(gate::ReadReleased(released));
    gate::Facts working;
    gate::AddDialectFacts(dialect, working);
    gate::AddWitnessFacts(frozen, limits, &working,
                          [&](std::string_view text, const gate::ReplayOptions& options) {
                            return gate::ReplayDialect(dialect, text, options);
                          });
    return ReportOf(frozen, working, gate::VersionsOf(dialect));
  });
}

Result<std::vector<ReleasedFile>> FreezeDialectReleases(const Dialect& dialect,
                                                        std::span<const ReleasedFile> released,
                                                        std::span<const WitnessSource> programs,
                                                        const Limits& limits) {
  return Guarded(limits, [&]() -> Result<std::vector<ReleasedFile>> {
    const auto before = SHLO_TRY(gate::StateOf(released));
    const Version newest{dialect.newest()};
    if (before.last >= newest)
      return Error(
          Code::kUsage,
          StrFormat("every version is frozen already; the newest is {}", dialect.VersionName(newest.n)), {},
          StrFormat("add a [[version]] to '{}' first", dialect.file));
    gate::Facts facts;
    gate::AddDialectFacts(dialect, facts);
    std::map<std::string, gate::Witness> witnesses;
    for (const WitnessSource& program : programs) {
      const auto about = SHLO_TRY(gate::ProgramOf(dialect, program));
      const Version version{about.version};
      const std::string key = StrFormat("{} {} {}", about.subject, version.n, gate::HashOf(program.text));
      if (version <= before.last || witnesses.contains(key)) continue;
      for (const auto& [part, value] :
           gate::ReplayDialect(dialect, program.text,
                               {.version = version, .newest = newest, .results = {}, .limits = limits}))
        facts.Add(part, key, value, version, newest);
      witnesses[key] = {version, newest, program.text, 0};
    }
    return gate::WriteReleases(gate::VersionsOf(dialect), before, facts, witnesses);
  });
}

}  // namespace shlo
