// Verification, conversion and negotiation.
#include <algorithm>
#include <optional>

#include "base/format.h"
#include "capi/internal.h"
#include "conversion/conversion_json.h"
#include "shlo/conversion.h"
#include "shlo/negotiation.h"

struct shlo_conversion {
  shlo::ConversionReport report;
};

namespace shlo::capi {
namespace {

// A request with what it refers to.
struct Request {
  ConversionRequest request;
  std::vector<Consumer> consumers;
  std::vector<Dialect> dialects;
  Version oldest;  // that all consumers read; invalid: there are none
  shlo_diagnostics** warnings = nullptr;

  Request(const shlo_convert_options* given, uint64_t bytes) {
    const shlo_convert_options options = OptionsOf(given, "shlo_convert_options");
    warnings = options.warnings;
    if (warnings) *warnings = nullptr;
    for (size_t i = 0; i < options.consumer_count; ++i) {
      Require(options.consumers, "consumers");
      Require(options.consumers[i], "consumers[i]");
      const NamedConsumer& consumer = options.consumers[i]->consumer;
      if (!oldest.valid() || consumer.version < oldest) oldest = consumer.version;
      if (consumer.package) consumers.push_back(*consumer.package);
    }
    dialects = DialectsOf(options.dialects, options.dialect_count);
    std::vector<std::string> targets;
    for (size_t i = 0; i < options.dialect_target_count; ++i) {
      Require(options.dialect_targets, "dialect_targets");
      targets.push_back(Text(options.dialect_targets[i]));
    }
    request.dialect_targets = Take(ParseDialectTargets(targets, dialects));
    if (options.window) request.window = Take(ParseCompatibilityWindow(options.window));
    request.allow_outside_window = options.allow_outside_window != 0;
    request.allow_other_dialects = options.allow_other_dialects != 0;
    request.portable = options.portable != 0;
    request.lenient = options.lenient != 0;
    request.expand = options.expand != 0;
    request.expand_composites = options.expand_composites != 0;
    if (options.fold) request.fold = FoldingFor(options.fold_limit);
    request.drop_hints = options.drop_hints != 0;
    request.every_place = options.every_place != 0;
    if (options.max_blockers) request.max_blockers = options.max_blockers;
    request.consumers = consumers;
    request.dialects = dialects;
    request.limits = LimitsOf(options.limits, bytes);
  }
  Request(const Request&) = delete;
  Request& operator=(const Request&) = delete;

  void SetTarget(shlo_version target) {
    request.target = oldest;
    if (!target) return;
    if (target > UINT16_MAX || !FindVersion(Version{uint16_t(target)}))
      Fail(Code::kUnknownVersion, shlo::StrFormat("unknown version {}", target),
           shlo::StrFormat("pass a version from {} to {}", kMinimumVersion.n, kCurrentVersion.n));
    request.target = Version{uint16_t(target)};
  }
};

}  // namespace
}  // namespace shlo::capi

using namespace shlo::capi;
using shlo::Code;

extern "C" {

shlo_error* shlo_verify(const shlo_program* program, const shlo_verify_options* given) {
  return Try([&] {
    const shlo_verify_options options = OptionsOf(given, "shlo_verify_options");
    if (options.warnings) *options.warnings = nullptr;
    const std::vector<shlo::Dialect> dialects = DialectsOf(options.dialects, options.dialect_count);
    shlo::VerifyOptions verify;
    if (options.lenient) verify.strictness = shlo::Strictness::kLenient;
    if (options.max_diagnostics) verify.max_diagnostics = options.max_diagnostics;
    verify.limits = LimitsOf(options.limits, Get(program).bytes);
    shlo::Diagnostics found = shlo::VerifyProgram(program->program, dialects, verify);
    if (shlo::HasErrors(found)) throw Failed{std::move(found), shlo::RequestStatus::kNegative};
    PutDiagnostics(std::move(found), options.warnings);
  });
}

shlo_error* shlo_convert(const shlo_program* program, shlo_version target,
                         const shlo_convert_options* options, shlo_program** out,
                         shlo_conversion** conversion) {
  return Make(out, [&] {
    if (conversion) *conversion = nullptr;
    Request how(options, Get(program).bytes);
    how.SetTarget(target);
    const shlo_program& from = Valid(program, how.request.limits);
    how.request.findings = &from.findings;
    auto did = std::make_unique<shlo_conversion>();
    auto converted = shlo::Convert(from.program, how.request, &did->report);
    shlo::Diagnostics reported = did->report.warnings;
    if (!converted) {
      // Reports that precede the failure come first, as those of the command.
      reported.insert(reported.end(), converted.error().begin(), converted.error().end());
      throw Failed{std::move(reported),
                   did->report.invalid ? shlo::RequestStatus::kNegative : shlo::StatusOf(converted.error())};
    }
    ProgramPtr made = NewProgram(std::move(*converted));
    made->bytes = from.bytes;
    made->container = from.container;
    made->origin = from.origin == from.program.module.version ? did->report.from : from.origin;
    made->portable = how.request.portable;
    made->verified = true;
    for (const shlo::Diagnostic& d : reported)
      if (d.code == Code::kConstraint) made->findings.push_back(d);
    PutDiagnostics(std::move(reported), how.warnings);
    if (conversion) *conversion = did.release();
    return made.release();
  });
}

size_t shlo_conversion_step_count(const shlo_conversion* conversion) {
  return conversion ? conversion->report.steps.size() + conversion->report.expanded.size() : 0;
}

int shlo_conversion_step(const shlo_conversion* conversion, size_t i, shlo_step* out) {
  if (i >= shlo_conversion_step_count(conversion)) return 0;
  const shlo::ConversionReport& report = conversion->report;
  shlo_step step{};
  if (i < report.steps.size()) {
    const shlo::AppliedStep& from = report.steps[i];
    step.from = Str(from.from);
    step.to = Str(from.to);
    step.boundary = from.boundary.n;
    step.op_count = from.ops;
  } else {
    const shlo::ExpandedOps& from = report.expanded[i - report.steps.size()];
    step.from = Str(from.op);
    step.to = {"", 0};
    step.op_count = from.count;
  }
  return Put(step, out);
}

shlo_error* shlo_conversion_json(const shlo_conversion* conversion, shlo_buffer** out) {
  return Make(out, [&] {
    Require(conversion, "conversion");
    return NewBuffer(shlo::Dumped(shlo::ConversionJson(conversion->report)));
  });
}

void shlo_conversion_free(shlo_conversion* conversion) { delete conversion; }

shlo_error* shlo_blockers(const shlo_program* program, shlo_version target,
                          const shlo_convert_options* options, shlo_diagnostics** out) {
  return Try([&] {
    Require(out, "out");
    *out = nullptr;
    Request how(options, Get(program).bytes);
    how.SetTarget(target);
    const shlo_program& from = Valid(program, how.request.limits);
    PutDiagnostics(shlo::Blockers(from.program, how.request), out);
  });
}

shlo_error* shlo_lowest_target(const shlo_program* program, const shlo_convert_options* options,
                               shlo_version* out) {
  return Try([&] {
    Require(out, "out");
    *out = 0;
    Request how(options, Get(program).bytes);
    const shlo_program& from = Valid(program, how.request.limits);
    *out = Take(shlo::LowestTarget(from.program.module, shlo::OptionsOf(how.request, from.program))).n;
  });
}

shlo_error* shlo_possible_targets(const shlo_program* program, const shlo_convert_options* options,
                                  shlo_version* out, size_t capacity, size_t* count) {
  return Try([&] {
    Require(count, "count");
    *count = 0;
    if (capacity) Require(out, "out");
    Request how(options, Get(program).bytes);
    const shlo_program& from = Valid(program, how.request.limits);
    const auto targets =
        Take(shlo::PossibleTargets(from.program.module, shlo::OptionsOf(how.request, from.program)));
    for (size_t i = 0; i < targets.size() && i < capacity; ++i) out[i] = targets[i].n;
    *count = targets.size();
  });
}

shlo_error* shlo_negotiate(const shlo_negotiation* given, shlo_version* out) {
  return Try([&] {
    Require(out, "out");
    *out = 0;
    Require(given, "negotiation");
    const shlo_negotiation stated = OptionsOf(given, "shlo_negotiation");
    Request how(stated.convert, stated.program ? stated.program->bytes : 0);
    shlo::NegotiationRequest request;
    if (stated.program) request.program = &Valid(stated.program, how.request.limits).program;
    request.producer = {Text(stated.producer_minimum), Text(stated.producer_current)};
    request.consumer = {Text(stated.consumer_minimum), Text(stated.consumer_current)};
    if (stated.consumer) {
      request.named = stated.consumer->consumer;
      if (request.named->package) {
        how.consumers.push_back(*request.named->package);
        how.request.consumers = how.consumers;
      }
    }
    request.today = TodayOf(stated.today);
    request.conversion = how.request;
    *out = Take(shlo::Negotiate(request)).n;
  });
}

}  // extern "C"
