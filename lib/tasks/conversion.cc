#include "tasks/conversion.h"

#include <algorithm>
#include <optional>

#include "base/format.h"
#include "base/nearest.h"
#include "ir/module/node_versions.h"
#include "shlo/known_values.h"
#include "tasks/fold.h"
#include "tasks/program_file.h"

namespace shlo::tasks {
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
    const auto target = TargetOf(request, dialect, *program);
    if (!target) return tl::unexpected(target.error());
    if (!*target) continue;
    auto conversion = ConvertDialect(program->module, dialect, **target, options);
    if (!conversion) return tl::unexpected(std::move(conversion.error()));
    program->module = std::move(conversion->module);
    out->push_back({dialect.name, conversion->from, conversion->to, std::move(conversion->steps)});
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

// Folds first, because the target need not have ops that folding removes.
Result<void> Fold(const ConversionRequest& request, Program* program) {
  KnownOptions known{.max_elements = request.fold_limit};
  // Values, the constants that replace them, and what is written of these.
  known.limits.max_memory = std::min(known.limits.max_memory, request.limits.max_memory / 3);
  known.limits.deadline = request.limits.deadline;
  known.limits.cancellation = request.limits.cancellation;
  auto folded = FoldConstants(program->module, known, &program->source.places);
  if (!folded) return tl::unexpected(std::move(folded.error()));
  program->module = std::move(*folded);
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
    const auto version = ParseDialectVersion(*found, std::string_view(request).substr(sign + 1));
    if (!version) return tl::unexpected(version.error());
    if (!out.emplace(found->name, *version).second)
      return Error(Code::kUsage, StrFormat("--dialect-target names '{}' twice", found->name));
  }
  return out;
}

Result<void> ConvertProgram(const ConversionRequest& request, const Diagnostics& findings, Program* program,
                            ConversionOutcome* outcome, Diagnostics* reported) {
  Module* const module = &program->module;
  outcome->from = module->version;
  outcome->to = request.target.valid() ? request.target : module->version;
  if (outcome->to != module->version && !request.allow_outside_window)
    if (auto inside = CheckCompatibilityWindow(module->version, outcome->to, request.window); !inside)
      return tl::unexpected(std::move(inside.error()));
  const bool leaves_mhlo = LeavesMhlo(request, *program);
  if (leaves_mhlo)
    if (auto left = LeaveMhlo(program); !left) return left;
  if (auto done = ConvertDialects(request, program, &outcome->dialects); !done) return done;
  bool changed = leaves_mhlo || !outcome->dialects.empty() || request.fold || request.expand ||
                 request.expand_composites;
  if (request.drop_hints) {
    auto without = DropHints(*module, &program->source.places);
    if (!without) return tl::unexpected(std::move(without.error()));
    *module = std::move(without->module);
    outcome->dropped = std::move(without->dropped);
    changed = changed || !outcome->dropped.empty();
  }
  if (request.fold)
    if (auto folded = Fold(request, program); !folded) return folded;
  const ConvertOptions options = OptionsOf(request, *program);
  if (const auto expand = ExpansionOf(request, outcome->to, options)) {
    auto expansion = Expand(*module, *expand, &program->source.places);
    if (!expansion) return tl::unexpected(std::move(expansion.error()));
    Append(expansion->left, reported);
    outcome->expanded = std::move(expansion->ops);
    *module = std::move(expansion->module);
  }
  if (outcome->to != module->version || (options.portable && outcome->to < kOtherDialects)) {
    auto conversion = Convert(std::move(*module), outcome->to, options);
    if (!conversion) return tl::unexpected(std::move(conversion.error()));
    Append(conversion->warnings, reported);
    outcome->steps = std::move(conversion->steps);
    *module = std::move(conversion->module);
    // Without steps all ops have their revisions, whose constraints hold in every version that has them.
    changed = changed || !outcome->steps.empty();
  }
  for (const Consumer& consumer : request.consumers) {
    Diagnostics lacks = ConsumerBlockers(*module, consumer, options);
    if (options.portable) Append(FaultsOf(*module, consumer, options), &lacks);
    if (HasErrors(lacks)) return tl::unexpected(std::move(lacks));
    Append(lacks, reported);
    Append(CompileWarnings(*module, consumer, options), reported);
  }
  if (options.portable && request.consumers.empty())
    Append(ReaderFaults(*module, kCurrentVersion, options), reported);
  VerifyOptions verify;
  verify.strictness = request.lenient ? Strictness::kLenient : Strictness::kReference;
  verify.limits = request.limits;
  // Findings depend on the version, and on how strict the caller is.
  Diagnostics found;
  if (changed || !findings.empty()) found = VerifyProgram(*program, request.dialects, verify);
  outcome->invalid = HasErrors(found);
  if (outcome->invalid) return tl::unexpected(std::move(found));
  Append(found, reported);
  return {};
}

Diagnostics BlockersOf(const ConversionRequest& request, const Program& program) {
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
  const bool rewrites =
      leaves_mhlo || request.fold || request.expand || request.expand_composites || request.drop_hints;
  if (rewrites) rewritten = program;
  if (leaves_mhlo)
    if (auto left = LeaveMhlo(&rewritten); !left) {
      Append(left.error(), &found);
      return found;
    }
  if (request.drop_hints) {
    auto without = DropHints(rewritten.module, &rewritten.source.places);
    if (!without) return std::move(without.error());
    rewritten.module = std::move(without->module);
  }
  if (request.fold)
    if (auto folded = Fold(request, &rewritten); !folded) return std::move(folded.error());
  const Program& subject = rewrites ? rewritten : program;
  const ConvertOptions convert = OptionsOf(request, subject);
  if (const auto expand = ExpansionOf(request, target, convert)) {
    auto expansion = Expand(rewritten.module, *expand, &rewritten.source.places);
    if (!expansion) return std::move(expansion.error());
    rewritten.module = std::move(expansion->module);
  }
  Append(Blockers(subject.module, target, convert), &found);
  for (const Consumer& consumer : request.consumers)
    Append(ConsumerBlockers(subject.module, consumer, convert), &found);
  return found;
}

Json ConversionJson(const ConversionOutcome& outcome) {
  Json j = Json::object();
  j["from"] = ToJson(outcome.from);
  j["to"] = ToJson(outcome.to);
  Json steps = Json::array(), expanded = Json::array(), dropped = Json::array(), dialects = Json::array();
  for (const AppliedStep& step : outcome.steps)
    steps.push_back(
        {{"from", step.from}, {"to", step.to}, {"boundary", ToJson(step.boundary)}, {"op_count", step.ops}});
  for (const ExpandedOps& ops : outcome.expanded)
    expanded.push_back({{"name", ops.op}, {"op_count", ops.count}});
  for (const DroppedHints& hints : outcome.dropped)
    dropped.push_back({{"name", hints.name}, {"count", hints.count}});
  for (const ConvertedDialect& dialect : outcome.dialects) {
    Json converted = Json::object();
    converted["name"] = dialect.name;
    converted["from"] = dialect.from;
    converted["to"] = dialect.to;
    converted["steps"] = Json::array();
    for (const DialectStep& step : dialect.steps)
      converted["steps"].push_back(
          {{"change", step.change}, {"boundary", step.boundary}, {"op_count", step.ops}});
    dialects.push_back(std::move(converted));
  }
  j["steps"] = std::move(steps);
  j["expanded"] = std::move(expanded);
  j["dropped_hints"] = std::move(dropped);
  j["dialects"] = std::move(dialects);
  return j;
}

}  // namespace shlo::tasks
