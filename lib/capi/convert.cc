// Verification, conversion and negotiation.
#include "shlo/convert.h"

#include <algorithm>
#include <optional>

#include "base/deadline.h"
#include "base/format.h"
#include "capi/internal.h"
#include "tasks/conversion.h"
#include "tasks/negotiation.h"
#include "tasks/program_file.h"

struct shlo_conversion {
  shlo::tasks::ConversionOutcome outcome;
};

namespace shlo::capi {
namespace {

// A request with what it refers to.
struct Request {
  tasks::ConversionRequest request;
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
    request.dialect_targets = Take(tasks::ParseDialectTargets(targets, dialects));
    if (options.window) request.window = Take(ParseCompatibilityWindow(options.window));
    request.allow_outside_window = options.allow_outside_window != 0;
    request.allow_other_dialects = options.allow_other_dialects != 0;
    request.portable = options.portable != 0;
    request.lenient = options.lenient != 0;
    request.expand = options.expand != 0;
    request.expand_composites = options.expand_composites != 0;
    request.fold = options.fold != 0;
    request.drop_hints = options.drop_hints != 0;
    request.every_place = options.every_place != 0;
    if (options.fold_limit) request.fold_limit = options.fold_limit;
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
    shlo::Diagnostics found = shlo::tasks::VerifyProgram(program->program, dialects, verify);
    if (shlo::HasErrors(found)) throw Failed{std::move(found), shlo::tasks::kFinding};
    PutDiagnostics(std::move(found), options.warnings);
  });
}

shlo_error* shlo_convert(const shlo_program* program, shlo_version target,
                         const shlo_convert_options* options, shlo_program** out,
                         shlo_conversion** conversion) {
  return Try([&] {
    Require(out, "out");
    *out = nullptr;
    if (conversion) *conversion = nullptr;
    Request how(options, Get(program).bytes);
    how.SetTarget(target);
    const shlo_program& from = Valid(program, how.request.limits);
    auto did = std::make_unique<shlo_conversion>();
    shlo::Diagnostics reported;
    shlo::Program converted = from.program;
    const shlo::DeadlineScope scope(how.request.limits);
    auto done = shlo::tasks::ConvertProgram(how.request, from.findings, &converted, &did->outcome, &reported);
    if (!done) {
      // Reports that precede the failure come first, as those of the command.
      reported.insert(reported.end(), done.error().begin(), done.error().end());
      throw Failed{std::move(reported),
                   did->outcome.invalid ? shlo::tasks::kFinding : shlo::tasks::ExitCodeOf(done.error())};
    }
    ProgramPtr made = NewProgram(std::move(converted));
    made->bytes = from.bytes;
    made->container = from.container;
    made->origin = from.origin == from.program.module.version ? did->outcome.from : from.origin;
    made->portable = how.request.portable;
    made->verified = true;
    for (const shlo::Diagnostic& d : reported)
      if (d.code == Code::kConstraint) made->findings.push_back(d);
    PutDiagnostics(std::move(reported), how.warnings);
    if (conversion) *conversion = did.release();
    *out = made.release();
  });
}

size_t shlo_conversion_step_count(const shlo_conversion* conversion) {
  return conversion ? conversion->outcome.steps.size() + conversion->outcome.expanded.size() : 0;
}

int shlo_conversion_step(const shlo_conversion* conversion, size_t i, shlo_step* out) {
  if (i >= shlo_conversion_step_count(conversion)) return 0;
  const shlo::tasks::ConversionOutcome& outcome = conversion->outcome;
  shlo_step step{};
  if (i < outcome.steps.size()) {
    const shlo::AppliedStep& from = outcome.steps[i];
    step.from = Str(from.from);
    step.to = Str(from.to);
    step.boundary = from.boundary.n;
    step.op_count = from.ops;
  } else {
    const shlo::ExpandedOps& from = outcome.expanded[i - outcome.steps.size()];
    step.from = Str(from.op);
    step.to = {"", 0};
    step.op_count = from.count;
  }
  return Put(step, out);
}

shlo_error* shlo_conversion_json(const shlo_conversion* conversion, shlo_buffer** out) {
  return Try([&] {
    Require(out, "out");
    *out = nullptr;
    Require(conversion, "conversion");
    *out = NewBuffer(shlo::tasks::Dumped(shlo::tasks::ConversionJson(conversion->outcome)));
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
    PutDiagnostics(shlo::tasks::BlockersOf(how.request, from.program), out);
  });
}

shlo_error* shlo_lowest_target(const shlo_program* program, const shlo_convert_options* options,
                               shlo_version* out) {
  return Try([&] {
    Require(out, "out");
    *out = 0;
    Request how(options, Get(program).bytes);
    const shlo_program& from = Valid(program, how.request.limits);
    *out = Take(shlo::LowestTarget(from.program.module, shlo::tasks::OptionsOf(how.request, from.program))).n;
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
        Take(shlo::PossibleTargets(from.program.module, shlo::tasks::OptionsOf(how.request, from.program)));
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
    shlo::tasks::NegotiationRequest request;
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
    *out = Take(shlo::tasks::Negotiate(request)).n;
  });
}

}  // extern "C"
