// Compares the working dialect with frozen data, and turns differences into findings of rules.
#include "shlo/gate.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <tuple>

#include "check/rules.h"
#include "gate/compare.h"
#include "gate/witness.h"
#include "ir/guarded.h"
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

// Which programs are accepted less, or more: by digits, or by the values of `Confined`.
std::optional<CheckRule> Stricter(std::string_view old, std::string_view now) {
  bool fewer = false, more = false;
  for (size_t i = 0; i < std::min(old.size(), now.size()); ++i) {
    fewer = fewer || (old[i] == '1' && now[i] == '0');
    more = more || (old[i] == '0' && now[i] == '1');
  }
  if (fewer) return kConstraintTightened;
  return more ? std::optional(kConstraintLoosened) : std::nullopt;
}

class Comparison {
 public:
  Comparison(const Released& frozen, const Facts& working) : frozen_(frozen), working_(working) {}

  std::vector<GateFinding> Run() {
    const std::vector<Difference> all = Compare(frozen_.facts, working_, frozen_.newest());
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
        return InBoth(Section::kAttribute, word + " attribute", d.since);
      default:
        return true;
    }
  }
  // Other dialects have no promise: an op, type or attribute of theirs may get a row at any time.
  bool MayAppear(const Difference& d) const {
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
    diagnostic.version = d.since;
    if (d.file.valid()) diagnostic.place.file = FileNameOf(d.file);
    diagnostic.place.line = d.line;
    diagnostic.place.column = d.line ? 1 : 0;
    out.consumers = ConsumersIn(d.since, d.until);
    return out;
  }

  static std::string In(const GateFinding& finding) {
    return finding.since == finding.until
               ? fmt::format("in {}", VersionName(finding.since))
               : fmt::format("in {} to {}", VersionName(finding.since), VersionName(finding.until));
  }

  static std::string Quoted(const std::optional<std::string>& value) {
    return value ? fmt::format("'{}'", *value) : "none";
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
        fmt::format("{} a frozen program: expected '{}', got '{}'", kSections[size_t(d.name.first)].words,
                    *d.frozen, *d.working);
  }

  void AddFact(CheckRule rule, const Difference& d) {
    GateFinding finding = Start(rule, d);
    const std::string& key = d.name.second;
    const std::string subject = FirstWord(key);
    Diagnostic& diagnostic = finding.finding.diagnostic;
    if (subject.find('.') != subject.npos && !subject.starts_with('k')) diagnostic.op = subject;
    const std::string what = fmt::format("{} '{}'", kSections[size_t(d.name.first)].words, key);
    diagnostic.message =
        fmt::format("{}: expected {} {}, got {}", what, Quoted(d.frozen), In(finding), Quoted(d.working));
    PickWitness(subject, d, &finding);
    findings_.push_back(std::move(finding));
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
      if (const FactRun* text = frozen_.facts.At(
              Section::kKindText, subject + (d.name.second.ends_with(" type") ? " type" : " attribute"),
              d.since)) {
        std::string_view mnemonic = text->value;
        mnemonic = mnemonic.substr(0, mnemonic.find(' '));
        mnemonic.remove_prefix(mnemonic.find('.') + 1);
        if (!mnemonic.empty())
          for (const NamedWitness& named : frozen_.witnesses)
            if (named.second.text.find(mnemonic) != std::string::npos) offer(named);
      }
    if (!best) return;
    finding->witness_name = best->first;
    finding->witness = best->second.text;
  }

  void AddReleases() {
    for (const Version version : frozen_.edited) {
      Difference d{.since = version, .until = version, .line = 1, .file = version};
      GateFinding finding = Start(kFrozenEdited, d);
      finding.finding.diagnostic.message =
          fmt::format("frozen data of {} is not what its successor states", VersionName(version));
      findings_.push_back(std::move(finding));
    }
    for (const VersionRow& row : VersionLine()) {
      if (row.version <= frozen_.newest()) continue;
      Difference d{.since = row.version, .until = row.version, .line = 1, .file = row.version};
      GateFinding finding = Start(kReleaseNotFrozen, d);
      finding.finding.diagnostic.message = fmt::format("version {} is not frozen", VersionName(row.version));
      finding.finding.diagnostic.hint = "run 'shlo-compat gate --freeze' before it is released";
      findings_.push_back(std::move(finding));
    }
  }

  const Released& frozen_;
  const Facts& working_;
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
      out.push_back(first == last
                        ? fmt::format("{} {}", first->package, first->version)
                        : fmt::format("{} {} to {}", first->package, first->version, last->version));
    i = end - 1;
  }
  return out;
}

void AddWitnessFacts(const Released& frozen, const Limits& limits, Facts* working) {
  for (const auto& [key, witness] : frozen.witnesses) {
    ReplayOptions options{.version = witness.version, .newest = witness.newest, .limits = limits};
    options.wait_ms = 60'000;
    if (const FactRun* results = frozen.facts.At(Section::kResult, key, witness.version))
      options.results = results->value;
    for (const auto& [part, value] : Replay(witness.text, options))
      working->Add(part, key, value, witness.version, frozen.newest());
  }
}

std::vector<GateFinding> CompareReleases(const Released& frozen, const Facts& working) {
  return Comparison(frozen, working).Run();
}

}  // namespace shlo::gate

namespace shlo {

Result<GateReport> CheckReleases(std::span<const ReleasedFile> released, const Limits& limits) {
  return Guarded(limits, [&]() -> Result<GateReport> {
    const auto frozen = gate::ReadReleased(released);
    if (!frozen) return tl::unexpected(frozen.error());
    gate::Facts working;
    gate::AddTableFacts(working);
    gate::AddFormatFacts(working);
    gate::AddWitnessFacts(*frozen, limits, &working);
    GateReport report;
    report.findings = gate::CompareReleases(*frozen, working);
    report.newest = frozen->newest();
    report.releases = frozen->versions.size();
    report.facts = frozen->num_facts;
    report.witnesses = frozen->witnesses.size();
    return report;
  });
}

}  // namespace shlo
