#include "shlo/conversion.h"

#include <algorithm>
#include <optional>

#include "base/format.h"
#include "base/guarded.h"
#include "base/nearest.h"
#include "base/try.h"
#include "ir/module/node_versions.h"
#include "shlo/mhlo.h"

namespace shlo {
namespace {

void Append(const Diagnostics& from, Diagnostics* to) { to->insert(to->end(), from.begin(), from.end()); }

// Returns the version to convert a dialect to: the one that was asked for, or the one that goes with a
// release of StableHLO; none if it stays.
Result<std::optional<uint16_t>> TargetOf(const ConversionRequest& request, const Dialect& dialect,
                                         const Program& program) {
  const auto found = request.dialect_targets.find(dialect.name);
  if (found != request.dialect_targets.end()) return std::optional(found->second);
  const bool stated = dialect.versions.back().stablehlo.valid();
  if (!request.target.valid() || !stated || !UsesDialect(program.module, dialect)) return std::nullopt;
  const uint16_t target = DialectVersionFor(dialect, request.target);
  if (target != 0) return std::optional(target);
  return Error(
      Code::kBlocked,
      StrFormat("no version of '{}' goes with StableHLO {}", dialect.name, VersionName(request.target)),
      {.file = program.source.name},
      StrFormat("target {} or newer", VersionName(dialect.versions.front().stablehlo)));
}

// Converts each dialect to its target.
Result<void> ConvertDialects(const ConversionRequest& request, Program* program,
                             std::vector<ConvertedDialect>* out) {
  const DialectOptions options{.source = &program->source, .limits = request.limits};
  for (const Dialect& dialect : request.dialects) {
    const auto target = SHLO_TRY(TargetOf(request, dialect, *program));
    if (!target) continue;
    auto conversion = SHLO_TRY(ConvertDialect(program->module, dialect, *target, options));
    program->module = std::move(conversion.module);
    out->push_back({dialect.name, conversion.from, conversion.to, std::move(conversion.steps)});
  }
  return {};
}

std::optional<ExpandOptions> ExpansionOf(const ConversionRequest& request, Version target,
                                         const ConvertOptions& convert) {
  if (!request.expand && !request.expand_composites) return std::nullopt;
  ExpandOptions expand;
  expand.target = target;
  // Ops that a consumer reads but cannot compile are expanded, too.
  for (const Consumer& consumer : request.consumers)
    if (const auto compiled = CompiledVersionFor(consumer))
      expand.target = std::min(expand.target, *compiled);
  expand.chlo = request.expand;
  expand.composites = request.expand_composites;
  expand.convert = convert;
  return expand;
}

bool LeavesMhlo(const ConversionRequest& request, const Program& program) {
  return program.source.mhlo && (request.target.valid() || !request.keep_mhlo);
}

// Returns why a consumer refuses a portable artifact that it should read, as errors.
Diagnostics FaultsOf(const Module& module, const Consumer& consumer, const ConvertOptions& options) {
  const auto reader = VersionFor(consumer);
  if (!reader) return reader.error();
  Diagnostics faults = ReaderFaults(module, *reader, options);
  for (Diagnostic& d : faults) {
    if (d.severity == Severity::kNote) continue;
    d.severity = Severity::kError;
    d.message += StrFormat(", so {} refuses the artifact", NameOf(consumer));
  }
  return faults;
}

// Rewrites the program in its own version. Folds before it expands, because the target need not have ops that
// folding removes.
Result<void> Rewrite(const ConversionRequest& request, Version target, Program* program,
                     ConversionReport* report) {
  if (request.drop_hints) {
    auto without = SHLO_TRY(DropHints(program->module, &program->source.places));
    program->module = std::move(without.module);
    report->dropped = std::move(without.dropped);
  }
  if (request.fold) SHLO_TRY(request.fold(program, request.limits));
  if (const auto expand = ExpansionOf(request, target, OptionsOf(request, *program))) {
    auto expansion = SHLO_TRY(Expand(program->module, *expand, &program->source.places));
    Append(expansion.left, &report->warnings);
    report->expanded = std::move(expansion.ops);
    program->module = std::move(expansion.module);
  }
  return {};
}

// Changes the version. Returns whether that changed any op.
Result<bool> ChangeVersion(Version target, bool verified, const ConvertOptions& options, Module* module,
                           ConversionReport* report) {
  const bool differs = target != module->version || (options.portable && target < kOtherDialects);
  // Nobody says that a program which is not verified has only ops of its version.
  if (!differs && verified) return false;
  auto conversion = SHLO_TRY(Convert(std::move(*module), target, options));
  *module = std::move(conversion.module);
  Append(conversion.warnings, &report->warnings);
  report->steps = std::move(conversion.steps);
  // Without steps all ops have their revisions, whose constraints hold in every version that has them.
  return !report->steps.empty();
}

Result<void> CheckConsumers(const ConversionRequest& request, const Module& module,
                            const ConvertOptions& options, Diagnostics* warnings) {
  for (const Consumer& consumer : request.consumers) {
    Diagnostics lacks = ConsumerBlockers(module, consumer, options);
    if (options.portable) Append(FaultsOf(module, consumer, options), &lacks);
    if (HasErrors(lacks)) return tl::unexpected(std::move(lacks));
    Append(lacks, warnings);
    Append(CompileWarnings(module, consumer, options), warnings);
  }
  if (options.portable && request.consumers.empty())
    Append(ReaderFaults(module, kCurrentVersion, options), warnings);
  return {};
}

// Returns what the verifier finds, or fails if that has errors.
Result<Diagnostics> Verified(const ConversionRequest& request, const Program& program,
                             ConversionReport* report) {
  VerifyOptions verify;
  verify.strictness = request.lenient ? Strictness::kLenient : Strictness::kReference;
  verify.limits = request.limits;
  Diagnostics found = VerifyProgram(program, request.dialects, verify);
  report->invalid = HasErrors(found);
  if (report->invalid) return tl::unexpected(std::move(found));
  return found;
}

Result<void> ConvertInPlace(const ConversionRequest& request, Program* program, ConversionReport* report) {
  Module* const module = &program->module;
  report->from = module->version;
  report->to = request.target.valid() ? request.target : module->version;
  Diagnostics findings;
  if (request.findings)
    findings = *request.findings;
  else if (request.verify)
    findings = SHLO_TRY(Verified(request, *program, report));
  if (report->to != module->version && !request.allow_outside_window)
    SHLO_TRY(CheckCompatibilityWindow(module->version, report->to, request.window));
  const bool leaves_mhlo = LeavesMhlo(request, *program);
  if (leaves_mhlo) SHLO_TRY(LeaveMhlo(program));
  SHLO_TRY(ConvertDialects(request, program, &report->dialects));
  SHLO_TRY(Rewrite(request, report->to, program, report));
  const ConvertOptions options = OptionsOf(request, *program);
  auto stepped = SHLO_TRY(ChangeVersion(report->to, request.verify, options, module, report));
  SHLO_TRY(CheckConsumers(request, *module, options, &report->warnings));
  const bool changed = leaves_mhlo || !report->dialects.empty() || !report->dropped.empty() || request.fold ||
                       request.expand || request.expand_composites || stepped;
  // Findings depend on the version, and on how strict the caller is.
  if (!request.verify || (!changed && findings.empty())) return {};
  findings = SHLO_TRY(Verified(request, *program, report));
  Append(findings, &report->warnings);
  return {};
}

}  // namespace

ConvertOptions OptionsOf(const ConversionRequest& request, const Program& program) {
  ConvertOptions options;
  options.limits = request.limits;
  // Below kOtherDialects a portable artifact has fewer attributes than text of the same version.
  options.portable = request.portable;
  options.source = &program.source;
  options.allow_other_dialects = request.allow_other_dialects;
  options.every_place = request.every_place;
  options.max_blockers = request.max_blockers;
  return options;
}

Result<DialectTargets> ParseDialectTargets(std::span<const std::string> requests,
                                           std::span<const Dialect> dialects) {
  DialectTargets out;
  for (const std::string& request : requests) {
    const size_t sign = request.find('=');
    const std::string_view name = std::string_view(request).substr(0, sign);
    const Dialect* found = nullptr;
    Nearest nearest(name);
    for (const Dialect& dialect : dialects) {
      if (dialect.name == name) found = &dialect;
      nearest.Try(dialect.name);
    }
    if (sign == request.npos)
      return Error(Code::kUsage, StrFormat("--dialect-target={} has no version", request), {},
                   "write --dialect-target=NAME=VERSION");
    if (!found)
      return Error(Code::kUsage, StrFormat("--dialect-target={}: no dialect has this name", request), {},
                   DidYouMean(nearest.best(), "pass its file: --dialect=FILE"));
    const auto version = SHLO_TRY(ParseDialectVersion(*found, std::string_view(request).substr(sign + 1)));
    if (!out.emplace(found->name, version).second)
      return Error(Code::kUsage, StrFormat("--dialect-target names '{}' twice", found->name));
  }
  return out;
}

Result<Program> Convert(Program program, const ConversionRequest& request, ConversionReport* report) {
  ConversionReport unread;
  if (!report) report = &unread;
  SHLO_TRY(Guarded(request.limits, [&]() -> Result<void> {
    if (!request.prove) return ConvertInPlace(request, &program, report);
    Program original = program;
    // Ops that CHLO has are proved as ops of CHLO.
    if (original.source.mhlo) LeaveMhlo(&original.module, nullptr);
    SHLO_TRY(ConvertInPlace(request, &program, report));
    return request.prove(original, program.module, request.limits);
  }));
  return program;
}

Diagnostics Blockers(const Program& program, const ConversionRequest& request) {
  const Version target = request.target.valid() ? request.target : program.module.version;
  Diagnostics found;
  for (const Dialect& dialect : request.dialects) {
    const auto version = TargetOf(request, dialect, program);
    if (!version)
      Append(version.error(), &found);
    else if (*version)
      Append(DialectBlockers(program.module, dialect, **version,
                             {.source = &program.source, .limits = request.limits}),
             &found);
  }
  Program rewritten;
  const bool leaves_mhlo = LeavesMhlo(request, program);
  const bool rewrites = leaves_mhlo || request.rewrites();
  if (rewrites) rewritten = program;
  if (leaves_mhlo)
    if (auto left = LeaveMhlo(&rewritten); !left) {
      Append(left.error(), &found);
      return found;
    }
  ConversionReport unread;
  if (auto done = Rewrite(request, target, &rewritten, &unread); !done) return std::move(done.error());
  const Program& subject = rewrites ? rewritten : program;
  const ConvertOptions convert = OptionsOf(request, subject);
  Append(Blockers(subject.module, target, convert), &found);
  for (const Consumer& consumer : request.consumers)
    Append(ConsumerBlockers(subject.module, consumer, convert), &found);
  return found;
}

}  // namespace shlo
