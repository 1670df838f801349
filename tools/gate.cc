// `gate`: compares the dialect of this binary with what every release froze, or freezes new releases.
#include "shlo/gate.h"

#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "base/format.h"
#include "check/rules.h"
#include "check_report.h"
#include "commands.h"
#include "serialize/inputs.h"
#include "shlo/text_reader.h"

namespace shlo::tool {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kReleasedFolder = "schema/released";

// The dialect that is compared with its releases: that of this tool, or one of the user's.
struct Subject {
  const Dialect* dialect = nullptr;
  Result<GateReport> Check(std::span<const ReleasedFile> released, const Limits& limits) const {
    return dialect ? CheckDialectReleases(*dialect, released, limits) : CheckReleases(released, limits);
  }
  Result<std::vector<ReleasedFile>> Freeze(std::span<const ReleasedFile> released,
                                           std::span<const WitnessSource> programs,
                                           const Limits& limits) const {
    return dialect ? FreezeDialectReleases(*dialect, released, programs, limits)
                   : FreezeReleases(released, programs, limits);
  }
  Json VersionJson(Version version) const {
    if (dialect) return version.valid() ? Json(version.n) : Json(nullptr);
    return version.valid() ? ToJson(version) : Json(nullptr);
  }
};

struct GateFlags {
  std::string released;              // --released
  bool freeze = false;               // --freeze
  std::vector<std::string> reports;  // --report
  std::vector<std::string> rules;    // --rule
};

// Reads the frozen files of a folder; other files, such as schemas, are left out.
int ReadFolder(Context& ctx, const std::string& folder, std::vector<ReleasedFile>* out) {
  std::error_code error;
  std::vector<std::string> paths;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (entry.path().extension() == ".tsv") paths.push_back(entry.path().string());
  if (error)
    return ctx.Fail(Code::kIo, StrFormat("cannot read the folder '{}': {}", folder, error.message()));
  std::ranges::sort(paths);
  for (const std::string& path : paths) {
    const auto file = SHLO_TAKE(ctx, OpenInput(path));
    out->push_back({fs::path(path).filename().string(), std::string(file.bytes)});
  }
  return kDone;
}

int ReadWitnesses(Context& ctx, std::vector<WitnessSource>* out) {
  const Inputs inputs = CollectInputs(ctx.files);
  for (const InputPath& input : inputs.files) {
    if (!input.problem.empty()) return ctx.Fail(input.problem);
    const auto file = SHLO_TAKE(ctx, OpenInput(input.path));
    const auto chunks = SHLO_TAKE(ctx, SplitText(file.bytes));
    for (const TextChunk& chunk : chunks) {
      // Comments are about the test that a program was written for.
      std::string text;
      for (std::string_view rest = chunk.text; !rest.empty();) {
        const size_t end = std::min(rest.find('\n'), rest.size() - 1);
        const std::string_view line = rest.substr(0, end + 1);
        rest.remove_prefix(end + 1);
        const size_t begin = line.find_first_not_of(" \n");
        if (begin != line.npos && !line.substr(begin).starts_with("//")) text += line;
      }
      if (!text.empty()) out->push_back({input.path, std::move(text)});
    }
  }
  return kDone;
}

int RunFreeze(Context& ctx, const GateFlags& flags, const Subject& subject) {
  if (flags.released.empty())
    return ctx.Fail(Code::kUsage, "--freeze needs a folder to write to", {},
                    "pass --released schema/released");
  std::vector<ReleasedFile> released;
  // The first freeze makes the folder.
  std::error_code error;
  fs::create_directories(flags.released, error);
  if (const int code = ReadFolder(ctx, flags.released, &released); code != kDone) return code;
  std::vector<WitnessSource> programs;
  if (const int code = ReadWitnesses(ctx, &programs); code != kDone) return code;
  // A break must not become the past.
  if (!released.empty()) {
    const auto report = SHLO_TAKE(ctx, subject.Check(released, ctx.limits()));
    if (std::ranges::any_of(report.findings,
                            [](const GateFinding& f) { return f.finding.severity == CheckSeverity::kError; }))
      return ctx.Fail(Code::kPolicy, "the dialect differs from releases that are frozen", {},
                      "run the command without --freeze for the findings");
  }
  const auto files = SHLO_TAKE(ctx, subject.Freeze(released, programs, ctx.limits()));
  for (const ReleasedFile& file : files) {
    const std::string path = (fs::path(flags.released) / file.name).string();
    if (const int code = WriteOut(ctx, path, file.bytes, /*binary=*/false); code != kDone) return code;
  }
  Note(ctx, StrFormat("{} written to '{}'{}", Count(files.size(), "file"), flags.released,
                      subject.dialect ? "" : "; build again to take them in"));
  return kDone;
}

Json GateJson(const Subject& subject, const GateReport& gate, const CheckReport& report) {
  Json j;
  j["dialect"] = subject.dialect ? Json(subject.dialect->name) : Json(nullptr);
  j["newest"] = subject.VersionJson(gate.newest);
  j["releases"] = gate.releases;
  j["facts"] = gate.facts;
  j["witnesses"] = gate.witnesses;
  Json findings = Json::array(), failures = Json::array();
  for (const GateFinding& f : gate.findings) {
    if (f.finding.severity == CheckSeverity::kOff) continue;
    Json g = FindingJson(report, f.finding, f.finding.diagnostic.place.file);
    g["since"] = subject.VersionJson(f.since);
    g["until"] = subject.VersionJson(f.until);
    g["consumers"] = f.consumers;
    g["witness"] =
        f.witness.empty() ? Json(nullptr) : Json({{"name", f.witness_name}, {"program", f.witness}});
    findings.push_back(std::move(g));
  }
  for (const CheckedEntry& entry : report.files)
    for (const Diagnostic& d : entry.failures) failures.push_back(ToJson(d));
  j["findings"] = std::move(findings);
  j["failures"] = std::move(failures);
  j["totals"] = TotalsJson(report);
  return j;
}

// Returns a program on one line: hints have no others.
std::string OnOneLine(std::string_view program) {
  std::string out;
  for (const char c : program) {
    const bool blank = c == ' ' || c == '\n';
    if (!blank || (!out.empty() && out.back() != ' ')) out += blank ? ' ' : c;
  }
  while (out.ends_with(' ')) out.pop_back();
  return out;
}

// Returns the remedy with what a finding breaks, for reports that have no other place for it.
std::string HintOf(const GateFinding& f) {
  std::string hint = f.finding.diagnostic.hint;
  if (!f.consumers.empty())
    hint += StrFormat("{}breaks {}", hint.empty() ? "" : "; ", fmt::join(f.consumers, ", "));
  if (!f.witness.empty())
    hint += StrFormat("{}witness {}: {}", hint.empty() ? "" : "; ", f.witness_name, OnOneLine(f.witness));
  return hint;
}

int RunGate(Context& ctx, const GateFlags& flags, Answer* out) {
  Subject subject;
  if (ctx.Dialects().size() > 1)
    return ctx.Fail(Code::kUsage, "the gate compares one dialect at a time", {}, "pass one --dialect");
  if (!ctx.Dialects().empty()) {
    subject.dialect = &ctx.Dialects()[0];
    if (flags.released.empty())
      return ctx.Fail(Code::kUsage, "the releases of a dialect are in a folder", {}, "pass --released=DIR");
  }
  if (flags.freeze) return RunFreeze(ctx, flags, subject);
  if (!ctx.files.empty())
    return ctx.Fail(Code::kUsage, "programs are frozen with --freeze only", {},
                    "run 'shlo-compat check' for programs");
  std::vector<ReportTarget> targets;
  if (const int code = ParseReports(ctx, flags.reports, &targets); code != kDone) return code;
  std::map<CheckRule, CheckSeverity> severities;
  for (const std::string& text : flags.rules) {
    CheckRule rule{};
    CheckSeverity severity{};
    if (!GetRuleSeverity(ctx, text, &rule, &severity)) return kUsage;
    severities[rule] = severity;
  }
  std::vector<ReleasedFile> released;
  if (flags.released.empty())
    released = BuiltInReleases();
  else if (const int code = ReadFolder(ctx, flags.released, &released); code != kDone)
    return code;

  const std::string folder = flags.released.empty() ? std::string(kReleasedFolder) : flags.released;
  const auto path_of = [&](const std::string& name) { return (fs::path(folder) / name).generic_string(); };
  auto checked = subject.Check(released, ctx.limits());
  GateReport gate;
  CheckReport report;
  report.command = "gate";
  std::map<std::string, CheckedEntry> entries;
  for (const ReleasedFile& file : released) entries[path_of(file.name)].path = path_of(file.name);
  int code = kDone;
  if (!checked) {
    for (Diagnostic d : checked.error()) {
      d.place.file = d.place.file.empty() ? folder : path_of(d.place.file);
      CheckedEntry& entry = entries[d.place.file];
      entry.path = d.place.file;
      code = std::max(code, std::max<int>(kBadInput, ExitCodeOf(d.code)));
      ctx.Report(d);
      entry.failures.push_back(std::move(d));
    }
  } else {
    gate = std::move(*checked);
    for (GateFinding& f : gate.findings) {
      if (const auto found = severities.find(f.finding.rule); found != severities.end()) {
        f.finding.severity = found->second;
        f.finding.diagnostic.severity = SeverityOf(found->second);
      }
      f.finding.diagnostic.place.file = path_of(f.finding.diagnostic.place.file);
      if (f.finding.severity == CheckSeverity::kOff) continue;
      CheckedEntry& entry = entries[f.finding.diagnostic.place.file];
      entry.path = f.finding.diagnostic.place.file;
      Finding finding = f.finding;
      finding.diagnostic.hint = HintOf(f);
      entry.findings.push_back(std::move(finding));
    }
  }
  for (auto& [path, entry] : entries) report.files.push_back(std::move(entry));
  if (code == kDone && report.Count().errors) code = kFinding;
  out->json = GateJson(subject, gate, report);
  return WriteReports(ctx, targets, report, out->json, code);
}

}  // namespace

void AddGate(Options& options, Context& ctx) {
  auto flags = AddAnswer<GateFlags>(options, ctx, RunGate);
  options.Arguments("PROGRAM", &ctx.files, "with --freeze: programs whose meaning is frozen, too",
                    /*required=*/false);
  options.Option("--released", &flags->released, "DIR",
                 "frozen releases (default: those this tool was built with)");
  options.Repeated("--dialect", &ctx.dialect_files, "FILE",
                   "TOML file that defines a dialect: compare it, instead of StableHLO, with --released");
  options.Flag("--freeze", &flags->freeze, "write the releases that are not frozen yet to --released");
  options.Repeated("--rule", &flags->rules, "ID=SEVERITY",
                   "set the severity of a rule: off, note, warning or error");
  options.Repeated("--report", &flags->reports, "FORMAT[=FILE]",
                   "text, json, sarif, junit, github, gitlab, markdown or html (default: text)");
}

}  // namespace shlo::tool
