// Dialects of the user's files: --dialect.
#include "dialects.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/nearest.h"

namespace shlo::tool {

int LoadDialects(Context& ctx, const std::vector<std::string>& files) {
  if (files.empty()) return kDone;
  auto dialects = std::make_shared<std::vector<Dialect>>(ctx.Dialects().begin(), ctx.Dialects().end());
  for (const std::string& path : files) {
    const auto file = OpenInput(path);
    if (!file) return ctx.Fail(file.error());
    auto dialect = ParseDialect(file->bytes, path);
    if (!dialect) return ctx.Fail(dialect.error());
    if (std::ranges::find(*dialects, dialect->name, &Dialect::name) != dialects->end())
      return ctx.Fail(Code::kUsage, fmt::format("dialect '{}' is defined twice", dialect->name),
                      {.file = path}, "pass --dialect once for each dialect");
    dialects->push_back(std::move(*dialect));
  }
  ctx.dialects = std::move(dialects);
  return kDone;
}

Diagnostics VerifyProgram(const Context& ctx, const Program& program, VerifyOptions options) {
  options.source = &program.source;
  options.limits = ctx.limits();
  Diagnostics found = Verify(program.module, options);
  if (HasErrors(found)) return found;
  for (const Dialect& dialect : ctx.Dialects()) {
    Diagnostics own =
        VerifyDialect(program.module, dialect, {.source = options.source, .limits = options.limits});
    std::ranges::move(own, std::back_inserter(found));
  }
  return found;
}

int ParseDialectTargets(Context& ctx, const std::vector<std::string>& requests, DialectTargets* out) {
  for (const std::string& request : requests) {
    const size_t sign = request.find('=');
    const std::string_view name = std::string_view(request).substr(0, sign);
    const Dialect* found = nullptr;
    Nearest nearest(name);
    for (const Dialect& dialect : ctx.Dialects()) {
      if (dialect.name == name) found = &dialect;
      nearest.Try(dialect.name);
    }
    if (sign == request.npos)
      return ctx.Fail(Code::kUsage, fmt::format("--dialect-target={} has no version", request), {},
                      "write --dialect-target=NAME=VERSION");
    if (!found)
      return ctx.Fail(Code::kUsage, fmt::format("--dialect-target={}: no dialect has this name", request), {},
                      DidYouMean(nearest.best(), "pass its file: --dialect=FILE"));
    const auto version = ParseDialectVersion(*found, std::string_view(request).substr(sign + 1));
    if (!version) return ctx.Fail(version.error());
    if (!out->emplace(found->name, *version).second)
      return ctx.Fail(Code::kUsage, fmt::format("--dialect-target names '{}' twice", found->name));
  }
  return kDone;
}

int ConvertDialects(Context& ctx, const DialectTargets& targets, Version stablehlo, Program* program,
                    std::vector<ConvertedDialect>* out) {
  const DialectOptions options{.source = &program->source, .limits = ctx.limits()};
  for (const Dialect& dialect : ctx.Dialects()) {
    uint16_t target = 0;
    const bool stated = dialect.versions.back().stablehlo.valid();
    if (const auto found = targets.find(dialect.name); found != targets.end())
      target = found->second;
    else if (!stablehlo.valid() || !stated || !UsesDialect(program->module, dialect))
      continue;
    else
      target = DialectVersionFor(dialect, stablehlo);
    if (target == 0)
      return ctx.Fail(
          Code::kBlocked,
          fmt::format("no version of '{}' goes with StableHLO {}", dialect.name, VersionName(stablehlo)),
          {.file = program->source.name},
          fmt::format("target {} or newer", VersionName(dialect.versions.front().stablehlo)));
    auto conversion = ConvertDialect(program->module, dialect, target, options);
    if (!conversion) return ctx.Fail(conversion.error());
    program->module = std::move(conversion->module);
    out->push_back({dialect.name, conversion->from, conversion->to, std::move(conversion->steps)});
  }
  return kDone;
}

Json ToJson(const ConvertedDialect& converted) {
  Json j;
  j["name"] = converted.name;
  j["from"] = converted.from;
  j["to"] = converted.to;
  Json steps = Json::array();
  for (const DialectStep& step : converted.steps) {
    Json s;
    s["change"] = step.change;
    s["boundary"] = step.boundary;
    s["op_count"] = step.ops;
    steps.push_back(std::move(s));
  }
  j["steps"] = std::move(steps);
  return j;
}

}  // namespace shlo::tool
