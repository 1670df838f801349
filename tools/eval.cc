// `eval`: runs a function of a program and prints what it returns.
#include <fmt/format.h>

#include <cstdio>
#include <fstream>
#include <sstream>

#include "commands.h"
#include "eval/interpreter.h"
#include "eval/npy.h"
#include "interpret.h"

namespace shlo::tool {
namespace {

struct EvalFlags {
  std::string file;
  std::string entry;
  std::vector<std::string> args;
  std::string inputs;   // .npz, in place of args
  std::string outputs;  // .npz for the results
  std::string format = "attribute";
  std::string probe_output_dir;
  uint64_t replicas = 1, partitions = 1;
};

Result<std::string> ReadWhole(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return Error(Code::kIo, fmt::format("cannot open {}", path));
  std::stringstream text;
  text << in.rdbuf();
  return std::move(text).str();
}

// An argument: a constant ("dense<[1, 2]> : tensor<2xi32>"), or "@FILE.npy".
Result<Tensor> ParseArgument(const std::string& text, size_t index) {
  if (text.starts_with('@')) {
    auto bytes = ReadWhole(text.substr(1));
    if (!bytes) return tl::make_unexpected(bytes.error());
    return ReadNpy(*bytes);
  }
  auto tensors = ParseTensors(text, fmt::format("<argument {}>", index + 1));
  if (!tensors) return tl::make_unexpected(tensors.error());
  if (tensors->size() != 1)
    return Error(Code::kSyntax, fmt::format("argument {} is not one constant", index + 1));
  return std::move((*tensors)[0]);
}

// How a value is printed, by the name of --print.
std::string Shown(const Tensor& tensor, const std::string& format) {
  return format == "reference" ? PrintAsReference(tensor)
         : format == "dense"   ? PrintDense(tensor)
                               : PrintTensor(tensor);
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
  if (!flags.inputs.empty()) {
    auto bytes = ReadWhole(flags.inputs);
    auto tensors = bytes ? ReadNpz(*bytes) : Result<NamedTensors>(tl::make_unexpected(bytes.error()));
    if (!tensors) return finish(ctx.Fail(tensors.error()));
    for (auto& [name, tensor] : *tensors) args.push_back(std::move(tensor));
  }
  Module module;
  Buffer owner;
  if (const int code = ReadOne(ctx, flags.file, &module, &owner); code != kDone) return finish(code);
  j["version"] = ToJson(module.version);
  ctx.progress.Step("evaluating " + flags.file);
  EvalOptions eval;
  eval.print = [&](std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); };
  WriteProbesTo(flags.probe_output_dir, &eval);
  const uint64_t processes = flags.replicas * flags.partitions;
  const auto run = [&] {
    if (processes <= 1) return Evaluate(module, flags.entry, args, eval);
    const std::vector<std::string> functions(processes, flags.entry);
    return EvaluateParallel(module, functions, flags.partitions, args, {}, eval);
  };
  auto result = run();
  if (!result) return finish(ctx.Fail(result.error()));
  std::string out;
  Json results = Json::array();
  for (const Tensor& tensor : result->results) {
    results.push_back(PrintTensor(tensor));
    out += Shown(tensor, flags.format) + "\n";
  }
  if (!flags.outputs.empty()) {
    NamedTensors named;
    for (size_t i = 0; i < result->results.size(); ++i)
      if (result->results[i].type().is_tensor())
        named.emplace_back(fmt::format("result{}", i), result->results[i]);
    if (const int code = WriteOut(ctx, flags.outputs, WriteNpz(named), /*binary=*/true); code != kDone)
      return finish(code);
    out.clear();
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
  options.List("--args", &flags->args, "T",
               "its arguments, such as 'dense<[1, 2]> : tensor<2xi32>', or @FILE.npy");
  options.Option("--inputs", &flags->inputs, "FILE", "its arguments, an .npz in their order");
  options.Option("--outputs", &flags->outputs, "FILE", "write the results to an .npz: result0, result1, ...");
  options.Choice("--print", &flags->format, {"attribute", "dense", "reference"}, "how results are printed");
  options.Number("--replicas", &flags->replicas, 256, "processes to run together: so many replicas");
  options.Number("--partitions", &flags->partitions, 256,
                 "of so many partitions; arguments are those of all, in order");
  options.Option("--probe-output-dir", &flags->probe_output_dir, "DIR", "where interpreter.probe writes to");
  AddReadFlags(options, ctx);
  AddCommonFlags(options, ctx);
  options.OnChosen([&ctx, flags] { ctx.run = [&ctx, flags] { return RunEval(ctx, *flags); }; });
}

}  // namespace shlo::tool
