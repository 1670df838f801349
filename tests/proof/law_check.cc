// Checks every law, rung by rung, and prints the counts as JSON lines; with --variations also, to stderr,
// which other types make no program that can be evaluated. With --mutants it plants mistakes in the laws
// instead, and prints which of them the checks miss.
//
// usage: law_check [--whole] [--variations] [--programs N] [--law NAME] [--list]
//        law_check --show N --law NAME
//        law_check --mutants [--per-law N] [--programs N] [--law NAME] [--prove]
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <string>

#include "law_checks.h"
#include "shlo/prove.h"

namespace shlo::laws {
namespace {

struct Flags {
  bool whole = false, variations = false, mutants = false, list = false, prove = false;
  uint64_t programs = 0, per_law = 0, show = 0;
  std::string law;
};

std::string Quoted(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out + "\"";
}

int CheckAll(const Flags& flags) {
  bool failed = false;
  for (const LawRow& law : Laws()) {
    if (!flags.law.empty() && law.name != flags.law) continue;
    LawRun run{law};
    run.exhaustive = flags.whole;
    run.every_variation = flags.variations;
    run.random_programs = flags.programs ? flags.programs : flags.whole ? 1000 : 60;
    Check(&run);
    std::string counts, failures;
    for (uint64_t n : run.checks) counts += fmt::format("{}{}", counts.empty() ? "" : ", ", n);
    for (const std::string& failure : run.failures)
      failures += fmt::format("{}{}", failures.empty() ? "" : ", ", Quoted(failure));
    fmt::print("{{\"law\": {}, \"checks\": [{}], \"basis\": {}, \"failures\": [{}], \"variations\": {}}}\n",
               Quoted(law.name), counts, Quoted(run.basis), failures, run.variations);
    for (const auto& [variation, reason] : run.not_varied)
      if (flags.variations) fmt::print(stderr, "{}: {}: {}\n", law.name, variation, reason);
    std::fflush(stdout);
    failed |= !run.failures.empty();
  }
  return failed ? 1 : 0;
}

// Returns mutations of a law, the same for every run: up to `most`, from all programs that the checks see.
std::vector<Mutation> Choose(const LawRow& law, uint64_t most) {
  std::map<std::string, Mutation> by_name;
  LawRun run{law};
  run.random_programs = 24;
  uint64_t observed = 0;
  run.observe = [&](const Module& before, const Module& after) {
    if (++observed > 120) return;
    for (Mutation& mutation : MutationsOf(law, before, after))
      by_name.emplace(fmt::format("{} {}", mutation.Describe(), mutation.revision.v), std::move(mutation));
  };
  Check(&run);
  std::vector<Mutation> all;
  for (auto& entry : by_name) all.push_back(std::move(entry.second));
  if (all.size() <= most || most == 0) return all;
  std::vector<Mutation> some;
  for (uint64_t i = 0; i < most; ++i) some.push_back(std::move(all[i * all.size() / most]));
  return some;
}

int PlantAll(const Flags& flags) {
  uint64_t planted = 0, missed = 0, by_prove = 0, seen_by_prove = 0;
  std::map<int, uint64_t> by_rung;
  for (const LawRow& law : Laws()) {
    if (!flags.law.empty() && law.name != flags.law) continue;
    for (const Mutation& mutation : Choose(law, flags.per_law)) {
      LawRun run{law};
      run.mutation = &mutation;
      run.random_programs = flags.programs ? flags.programs : 400;
      bool equal = false, compared = false;
      if (flags.prove)
        run.observe = [&](const Module& before, const Module& after) {
          if (compared || run.changed == 0) return;
          compared = true;
          ProveOptions options;
          options.max_inputs = 64;
          const auto proof = Prove(before, after, options);
          equal = proof && proof->verdict == Verdict::kEqual;
        };
      Check(&run);
      // The few that pass see as much as the ladder does.
      if (run.failed_rung < 0 && run.changed > 0 && !flags.programs) {
        run.random_programs = 6000;
        run.exhaustive = true;
        Check(&run);
      }
      // An upgrade may have no guard to ignore.
      if (run.changed == 0 && run.failed_rung < 0) continue;
      ++planted;
      ++by_rung[run.failed_rung];
      seen_by_prove += compared;
      by_prove += compared && !equal;
      if (run.failed_rung >= 0) continue;
      ++missed;
      fmt::print("{{\"missed\": {}, \"law\": {}, \"changed\": {}, \"prove\": \"{}\"}}\n",
                 Quoted(mutation.Describe()), Quoted(law.name), run.changed,
                 !compared ? ""
                 : equal   ? "equal"
                           : "told apart");
      std::fflush(stdout);
    }
  }
  std::string rungs;
  for (const auto& [rung, count] : by_rung)
    if (rung >= 0) rungs += fmt::format("{}\"L{}\": {}", rungs.empty() ? "" : ", ", rung, count);
  fmt::print("{{\"planted\": {}, \"told_apart\": {}, \"by_rung\": {{{}}}", planted, planted - missed, rungs);
  if (flags.prove)
    fmt::print(", \"compared_by_prove\": {}, \"told_apart_by_prove\": {}", seen_by_prove, by_prove);
  fmt::print("}}\n");
  return 0;
}

int Main(int argc, char** argv) {
  Flags flags;
  for (int i = 1; i < argc; ++i) {
    const std::string flag = argv[i];
    const auto value = [&] { return i + 1 < argc ? argv[++i] : ""; };
    if (flag == "--whole")
      flags.whole = true;
    else if (flag == "--variations")
      flags.variations = true;
    else if (flag == "--mutants")
      flags.mutants = true;
    else if (flag == "--list")
      flags.list = true;
    else if (flag == "--prove")
      flags.prove = true;
    else if (flag == "--programs")
      flags.programs = std::strtoull(value(), nullptr, 10);
    else if (flag == "--per-law")
      flags.per_law = std::strtoull(value(), nullptr, 10);
    else if (flag == "--show")
      flags.show = std::strtoull(value(), nullptr, 10);
    else if (flag == "--law")
      flags.law = value();
    else {
      fmt::print(stderr, "law_check: unknown flag '{}'\n", flag);
      return 2;
    }
  }
  if (flags.list) {
    for (const LawRow& law : Laws())
      fmt::print("{}\t{}\t{}\t{}\n", LawKindName(law.kind), law.name, law.op ? RowOf(law.op).name : "",
                 law.exact ? "exact" : "approximate");
    return 0;
  }
  if (flags.show) {
    for (const LawRow& law : Laws())
      if (law.name == flags.law) Show(law, flags.show);
    return 0;
  }
  return flags.mutants ? PlantAll(flags) : CheckAll(flags);
}

}  // namespace
}  // namespace shlo::laws

int main(int argc, char** argv) { return shlo::laws::Main(argc, argv); }
