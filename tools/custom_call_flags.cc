#include "custom_call_flags.h"

#include <filesystem>
#include <memory>

#include "base/format.h"
#include "base/printable.h"
#include "base/try.h"

namespace shlo::tool {
namespace {

Result<void> Bind(Context& ctx, const Module& module, const std::string& flag, EvalOptions* options) {
  const size_t equals = flag.find('=');
  if (equals == 0 || equals == std::string::npos || equals + 1 == flag.size())
    return Error(Code::kUsage, StrFormat("invalid --custom-call '{}'; expected TARGET=FILE", flag), {},
                 "write TARGET=FILE, or TARGET=FILE:FUNCTION");
  const std::string target = flag.substr(0, equals);
  std::string path = flag.substr(equals + 1), function;
  std::error_code ignored;
  const size_t colon = path.rfind(':');
  if (colon != std::string::npos && !std::filesystem::exists(path, ignored)) {
    function = path.substr(colon + 1);
    path.resize(colon);
  }
  auto file = SHLO_TRY(OpenInput(path));
  auto program =
      SHLO_TRY(ReadProgram(file.bytes, file.owner, ctx.MakeReadOptions(file.name, file.bytes.size())));
  const auto shared = std::make_shared<const Program>(std::move(program));
  auto bound = SHLO_TRY(CustomCallOf({shared, &shared->module}, function, *options, &shared->source));
  bool called = false;
  for (uint32_t i = 1; i < module.ops.size(); ++i) {
    const Op& op = module.ops[i];
    std::string_view name;
    if (module.NameOf(op) != "stablehlo.custom_call" ||
        !module.AsString(module.AttributeOf(op, "call_target_name"), &name) || name != target)
      continue;
    called = true;
    SHLO_TRY(FitsCustomCall(module, op, shared->module, function));
  }
  if (!called)
    return Error(Code::kUsage, StrFormat("the program has no custom call {}", SymbolText(target)), {},
                 "check the target in --custom-call");
  options->custom_calls[target] = std::move(bound);
  return {};
}

}  // namespace

Result<void> BindCustomCalls(Context& ctx, const Module& module, const std::vector<std::string>& flags,
                             EvalOptions* options) {
  for (const std::string& flag : flags) SHLO_TRY(Bind(ctx, module, flag, options));
  return {};
}

}  // namespace shlo::tool
