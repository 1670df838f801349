// Rules about consumers: versions and windows.
#include <fmt/format.h>

#include <algorithm>

#include "check/collector.h"
#include "shlo/convert.h"

namespace shlo {
namespace {

ConvertOptions OptionsFor(const Collector& out, const Program& program) {
  ConvertOptions options;
  options.source = &program.source;
  options.portable = true;
  options.limits = out.limits;
  return options;
}

// Adds blockers as findings. Notes count what is not listed.
void AddBlockers(Collector& out, CheckRule rule, const Program& program, const Diagnostics& blockers,
                 std::string_view who) {
  for (const Diagnostic& d : blockers) {
    if (d.severity == Severity::kNote) continue;
    if (d.code != Code::kBlocked && d.code != Code::kUnsupported && d.code != Code::kInvalidProgram) {
      out.Fail({d});
      return;
    }
    if (out.HasRuleForDialect(d.op)) continue;
    Diagnostic finding = d;
    finding.message = fmt::format("{}: {}", who, d.message);
    if (d.version.valid() && finding.hint.empty())
      finding.hint = fmt::format("the first release that has it is {}", VersionName(d.version));
    out.Add(rule, &program, std::move(finding));
  }
}

bool IsArtifact(Format format) { return format != Format::kText; }

}  // namespace

namespace {

// Dialects that files define, at the versions that go with the consumer's release.
void CheckDefined(Collector& out, const Program& program, const CheckConsumer& consumer) {
  if (!out.settings.defined) return;
  const std::string who = fmt::format("{} ({})", consumer.name, VersionName(consumer.version));
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
                     fmt::format("{}: no version of '{}' goes with it", who, dialect.name));
  }
}

}  // namespace

void CheckConsumers(Collector& out, const Program& program) {
  ConvertOptions options = OptionsFor(out, program);
  for (const CheckConsumer& consumer : out.settings.consumers) {
    // Which dialects a package has is known; a release promises none.
    options.allow_other_dialects = consumer.package.has_value();
    if (out.Wants(CheckRule::kConsumerBlocked)) {
      AddBlockers(out, CheckRule::kConsumerBlocked, program,
                  Blockers(program.module, consumer.version, options),
                  fmt::format("{} ({})", consumer.name, VersionName(consumer.version)));
      if (consumer.package)
        AddBlockers(out, CheckRule::kConsumerBlocked, program,
                    ConsumerBlockers(program.module, *consumer.package, &program.source), consumer.name);
    }
    if (out.Wants(CheckRule::kConsumerBlocked)) CheckDefined(out, program, consumer);
    if (IsArtifact(out.file.format) && program.module.version > consumer.version)
      out.AddMessage(
          CheckRule::kTooNew, &program,
          fmt::format("the artifact is of version {}, but {} reads up to {}",
                      VersionName(program.module.version), consumer.name, VersionName(consumer.version)),
          fmt::format("convert it: shlo-compat --target={}", ShortVersionName(consumer.version)));
  }
  if (!out.Wants(CheckRule::kNeverPortable)) return;
  options.allow_other_dialects = false;
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
      fmt::format("version {}, released {}", VersionName(program.module.version), ReleaseDateString(*row));
  constexpr const char* kHint = "rewrite it: shlo-compat --target=current --allow-outside-window";
  if (today > end)
    out.AddMessage(
        CheckRule::kOutsideWindow, &program,
        fmt::format("{}, left the compatibility window on {}", what, DateString(DateFromDays(end))), kHint);
  else if (today > end - out.settings.forecast_days)
    out.AddMessage(
        CheckRule::kLeavesWindow, &program,
        fmt::format("{}, will leave the compatibility window on {}", what, DateString(DateFromDays(end))),
        kHint);
}

}  // namespace shlo
