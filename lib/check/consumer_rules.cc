// Rules about consumers: versions and windows.
#include <algorithm>
#include <iterator>

#include "base/format.h"
#include "check/collector.h"
#include "ir/module/node_versions.h"
#include "shlo/convert.h"

namespace shlo {
namespace {

ConvertOptions OptionsFor(const Collector& out, const Program& program) {
  ConvertOptions options;
  options.source = &program.source;
  options.portable = true;
  options.every_place = true;  // the collector counts those of an op
  options.limits = out.limits;
  return options;
}

// Adds blockers as findings, with `who` before their messages. Notes count what is not listed.
void AddBlockers(Collector& out, CheckRule rule, const Program& program, const Diagnostics& blockers,
                 std::string_view who) {
  for (const Diagnostic& d : blockers) {
    if (d.severity == Severity::kNote) continue;
    if (d.code != Code::kBlocked && d.code != Code::kUnsupported && d.code != Code::kInvalidProgram) {
      out.Fail({d});
      return;
    }
    // That the dialect is not known already says why no release has the op.
    if (rule == CheckRule::kNeverPortable && out.HasRuleForDialect(d.op)) continue;
    Diagnostic finding = d;
    // The flags are those of conversion, which a check has not.
    if (const size_t at = finding.hint.find("pass --"); at != finding.hint.npos)
      finding.hint.replace(at, 4, "convert with");
    if (!who.empty()) finding.message = StrFormat("{}: {}", who, d.message);
    out.Add(rule, &program, std::move(finding));
  }
}

// Returns "jaxlib 0.4.30 (1.1.0 (54))", or "1.1.0 (54)" for a release.
std::string WhoIs(const NamedConsumer& consumer) {
  const std::string version = VersionName(consumer.version);
  return consumer.name == ShortVersionName(consumer.version) ? version
                                                             : StrFormat("{} ({})", consumer.name, version);
}

bool IsWarning(const Diagnostic& d) { return d.severity == Severity::kWarning; }

// Adds what the release of a consumer lacks, and what its package does.
void AddConsumerBlockers(Collector& out, const Program& program, const NamedConsumer& consumer,
                         const ConvertOptions& options) {
  const Diagnostics of_release = Blockers(program.module, consumer.version, options);
  AddBlockers(out, CheckRule::kConsumerBlocked, program, of_release, WhoIs(consumer));
  if (!consumer.package) return;
  Diagnostics of_package = ConsumerBlockers(program.module, *consumer.package, options);
  // A release that takes no op of other dialects has said so, with the remedy.
  if (consumer.version < kOtherDialects)
    std::erase_if(of_package, [&](const Diagnostic& d) {
      return !d.op.starts_with("stablehlo.") &&
             std::ranges::any_of(of_release, [&](const Diagnostic& r) { return r.op == d.op; });
    });
  // The user did not name the package that a version stands for, so both are named.
  const std::string_view who = consumer.is_version ? std::string_view(consumer.name) : "";
  Diagnostics partial;
  std::ranges::copy_if(of_package, std::back_inserter(partial), IsWarning);
  std::erase_if(of_package, IsWarning);
  AddBlockers(out, CheckRule::kConsumerBlocked, program, of_package, who);
  AddBlockers(out, CheckRule::kConsumerPartlyBlocked, program, partial, who);
  if (out.Wants(CheckRule::kConsumerCannotCompile))
    AddBlockers(out, CheckRule::kConsumerCannotCompile, program,
                CompileWarnings(program.module, *consumer.package, options), who);
}

bool IsArtifact(Format format) { return format != Format::kText; }

// Dialects that files define, at the versions that go with the consumer's release.
void CheckDefined(Collector& out, const Program& program, const NamedConsumer& consumer) {
  if (!out.settings.defined) return;
  const std::string who = WhoIs(consumer);
  for (const Dialect& dialect : *out.settings.defined) {
    if (!dialect.versions.back().stablehlo.valid() || !UsesDialect(program.module, dialect)) continue;
    const uint16_t target = DialectVersionFor(dialect, consumer.version);
    if (target)
      AddBlockers(
          out, CheckRule::kConsumerBlocked, program,
          DialectBlockers(program.module, dialect, target, {.source = &program.source, .limits = out.limits}),
          who);
    else
      out.AddMessage(CheckRule::kConsumerBlocked, &program,
                     StrFormat("{}: no version of '{}' goes with it", who, dialect.name));
  }
}

}  // namespace

void CheckConsumers(Collector& out, const Program& program) {
  ConvertOptions options = OptionsFor(out, program);
  for (const NamedConsumer& consumer : out.settings.consumers) {
    if (out.Wants(CheckRule::kConsumerBlocked) || out.Wants(CheckRule::kConsumerPartlyBlocked) ||
        out.Wants(CheckRule::kConsumerCannotCompile))
      AddConsumerBlockers(out, program, consumer, options);
    // The artifact as it is, whatever a conversion makes of it.
    if (out.file.format == Format::kMlirBytecode && program.module.version <= consumer.version)
      AddBlockers(out, CheckRule::kConsumerBlocked, program,
                  ReaderFaults(program.module, consumer.version, options), WhoIs(consumer));
    if (program.module.version > consumer.version)
      if (const auto inside =
              CheckCompatibilityWindow(program.module.version, consumer.version, out.settings.window);
          !inside) {
        Diagnostic finding = inside.error()[0];
        finding.message = StrFormat("{}: {}", consumer.name, finding.message);
        finding.hint = "raise the consumer, or convert with --allow-outside-window";
        out.Add(CheckRule::kConsumerOutsideWindow, &program, std::move(finding));
      }
    if (out.Wants(CheckRule::kConsumerBlocked)) CheckDefined(out, program, consumer);
    if (IsArtifact(out.file.format) && program.module.version > consumer.version)
      out.AddMessage(
          CheckRule::kTooNew, &program,
          StrFormat("the artifact is of version {}, but {} reads up to {}",
                    VersionName(program.module.version), consumer.name, VersionName(consumer.version)),
          StrFormat("convert it: shlo-compat --target={}", ShortVersionName(consumer.version)));
  }
  if (!out.Wants(CheckRule::kNeverPortable)) return;
  // A program that some other version can hold is only in the wrong one.
  const auto targets = PossibleTargets(program.module, options);
  if (!targets) return out.Fail(targets.error());
  const Diagnostics own = Blockers(program.module, program.module.version, options);
  if (own.empty() || targets->size() > 1) return;
  AddBlockers(out, CheckRule::kNeverPortable, program, own, "in no release");
}

void CheckWindow(Collector& out, const Program& program) {
  // Text without a version has none that could age.
  if (!IsArtifact(out.file.format) && !program.source.version_written) return;
  const VersionRow* row = FindVersion(program.module.version);
  if (!row) return;
  const int64_t today = DaysFromDate(out.settings.today);
  const int64_t end = DaysFromDate(row->date) + out.settings.window.backward_days;
  const std::string what =
      StrFormat("version {}, released {}", VersionName(program.module.version), ReleaseDateString(*row));
  constexpr const char* kHint = "rewrite it: shlo-compat --target=current --allow-outside-window";
  if (today > end)
    out.AddMessage(CheckRule::kOutsideWindow, &program,
                   StrFormat("{}, left the compatibility window on {}", what, DateString(DateFromDays(end))),
                   kHint);
  else if (today > end - out.settings.forecast_days)
    out.AddMessage(
        CheckRule::kLeavesWindow, &program,
        StrFormat("{}, will leave the compatibility window on {}", what, DateString(DateFromDays(end))),
        kHint);
}

}  // namespace shlo
