// `eval`: runs a function of a program and prints what it returns.
#include <fmt/format.h>

#include "commands.h"
#include "eval/interpreter.h"
#include "serialize/text_reader.h"

namespace shlo::tool {
namespace {

struct EvalFlags {
  std::string file;
  std::string entry;
  std::vector<std::string> args;
};

// The value of an argument, written as a constant: "dense<[1, 2]> : tensor<2xi32>". The text is read as the
// attribute of an op, so whatever the grammar says of constants holds here, too.
Result<Tensor> ParseArgument(const std::string& text, size_t index) {
  auto source = std::make_shared<std::string>("\"shlo.argument\"() {value = " + text + "} : () -> ()\n");
  TextReadOptions options;
  options.source_name = fmt::format("<argument {}>", index + 1);
  auto module = ReadText(*source, {source, source->data()}, options);
  if (!module) return tl::make_unexpected(module.error());
  for (uint32_t i = 1; i < module->ops.size(); ++i) {
    const AttrId value = module->AttributeOf(module->ops[i], "value");
    if (!value) continue;
    auto tensor = TensorFromAttr(*module, value);
    if (!tensor) return tl::make_unexpected(tensor.error());
    return tensor->Owned();
  }
  return Error(Code::kSyntax, fmt::format("argument {} is not a constant", index + 1), {},
               "write it as dense<[1, 2]> : tensor<2xi32>");
}

int RunEval(Context& ctx, const EvalFlags& flags) {
  Json j;
  j["command"] = "eval";
  j["file"] = flags.file;
  const auto finish = [&](int code) { return ctx.json ? PrintJson(ctx, std::move(j), code) : code; };
  std::vector<Tensor> args;
  for (size_t i = 0; i < flags.args.size(); ++i) {
    auto tensor = ParseArgument(flags.args[i], i);
    if (!tensor) {
      ctx.Report(tensor.error());
      return finish(kUsage);
    }
    args.push_back(std::move(*tensor));
  }
  Module module;
  Buffer owner;
  if (const int code = ReadOne(ctx, flags.file, &module, &owner); code != kDone) return finish(code);
  j["version"] = ToJson(module.version);
  ctx.progress.Step("evaluating " + flags.file);
  auto result = Evaluate(module, flags.entry, args);
  if (!result) return finish(ctx.Fail(result.error()));
  std::string out;
  Json results = Json::array();
  for (const Tensor& tensor : result->results) {
    results.push_back(PrintTensor(tensor));
    out += PrintTensor(tensor) + "\n";
  }
  j["results"] = std::move(results);
  j["failed_checks"] = result->failed_checks.size();
  ctx.Report(result->failed_checks);
  const int code = result->failed_checks.empty() ? kDone : kFinding;
  if (ctx.json) return finish(code);
  const int printed = Print(ctx, out);
  return printed == kDone ? code : printed;
}

}  // namespace

void AddEval(Options& options, Context& ctx) {
  auto flags = std::make_shared<EvalFlags>();
  options.Argument("FILE", &flags->file, "the program");
  options.Option("--entry", &flags->entry, "NAME", "function to run (default: main, or the only one)");
  options.List("--args", &flags->args, "T", "its arguments, such as 'dense<[1, 2]> : tensor<2xi32>'");
  AddReadFlags(options, ctx);
  AddCommonFlags(options, ctx);
  options.OnChosen([&ctx, flags] { ctx.run = [&ctx, flags] { return RunEval(ctx, *flags); }; });
}

}  // namespace shlo::tool
