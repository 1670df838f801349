// `specialize`: gives a program with symbolic shapes static ones.
#include "shlo/specialize.h"

#include <charconv>

#include "base/format.h"
#include "commands.h"
#include "shlo/print.h"

namespace shlo::tool {
namespace {

struct SpecializeFlags {
  std::string file;
  std::vector<std::string> args;  // NAME=TYPE
  std::vector<std::string> dims;  // NAME=N
  bool prove = false;
  uint64_t inputs = 100;
};

// Divides NAME=VALUE at its last '='. Returns false if there is none, or no name.
bool Divide(const std::string& text, std::string* name, std::string* value) {
  const size_t equals = text.rfind('=');
  if (equals == text.npos || equals == 0) return false;
  *name = text.substr(0, equals);
  *value = text.substr(equals + 1);
  return true;
}

// Returns kDone, or reports an error.
int ReadRequest(Context& ctx, const SpecializeFlags& flags, SpecializeOptions* options) {
  std::string name, value;
  for (const std::string& text : flags.args) {
    if (!Divide(text, &name, &value))
      return ctx.Fail(Code::kUsage, StrFormat("--arg={}: expected a name and a type", text), {},
                      "write --arg x=8x128xf32");
    options->args.emplace_back(name, value);
  }
  for (const std::string& text : flags.dims) {
    int64_t number = 0;
    const bool divided = Divide(text, &name, &value);
    const auto parsed = std::from_chars(value.data(), value.data() + value.size(), number);
    if (!divided || parsed.ec != std::errc() || parsed.ptr != value.data() + value.size())
      return ctx.Fail(Code::kUsage, StrFormat("--dim={}: expected a name and a number", text), {},
                      "write --dim batch=8");
    options->dims.emplace_back(name, number);
  }
  if (flags.prove) options->max_evaluations = uint32_t(flags.inputs);
  options->limits = ctx.limits();
  return kDone;
}

Json TypesJson(const Program& program) {
  const Module& m = program.module;
  Json arguments = Json::array(), results = Json::array();
  for (const OpId op : m.BodyOpsOf(m.ops[m.top.v])) {
    const auto type = m.FunctionTypeOf(m.ops[op.v]);
    if (!type || (m.SymbolOf(m.ops[op.v]) != "main" && !arguments.empty())) continue;
    arguments = results = Json::array();
    for (const TypeId input : type->inputs) arguments.push_back(TypeText(m, input));
    for (const TypeId result : type->results) results.push_back(TypeText(m, result));
    if (m.SymbolOf(m.ops[op.v]) == "main") break;
  }
  return {{"arguments", std::move(arguments)}, {"results", std::move(results)}};
}

int Specialize(Context& ctx, const SpecializeFlags& flags, Json* j) {
  SpecializeOptions options;
  if (const int code = ReadRequest(ctx, flags, &options); code != kDone) return code;
  Program program;
  InputFile file;
  if (const int code = ReadOne(ctx, flags.file, &program, &file); code != kDone) return code;
  (*j)["files"] = Json::array({FileJson(flags.file, Json::array({ProgramJson(program)}))});
  const bool container = DetectFormat(file.bytes) == Format::kJaxExport;
  ContainerOptions of_container;
  of_container.source_name = file.name;
  of_container.limits = options.limits;
  if (container) {
    auto inputs = InputsOf(file.bytes, program.name, of_container);
    if (!inputs) return ctx.Fail(inputs.error());
    options.inputs = std::move(*inputs);
  }
  auto specialized = shlo::Specialize(program, options);
  if (!specialized) return ctx.Fail(specialized.error());
  j->update(TypesJson(*specialized));
  (*j)["evaluations"] = options.max_evaluations;
  (*j)["output"] = ctx.out;
  const std::string_view emit = EmitOfName(ctx.out);
  if (container && ctx.out != "-" && emit.empty() && ctx.program.empty()) {
    options.max_evaluations = 0;
    auto bytes = SpecializeContainer(file.bytes, options, of_container);
    return bytes ? WriteOut(ctx, ctx.out, *bytes, /*binary=*/true) : ctx.Fail(bytes.error());
  }
  WriteOptions write;
  write.limits = ctx.limits();
  if (emit == "shlo") write.format = Format::kShlo;
  if (emit == "mlirbc") write.format = Format::kMlirBytecode;
  auto bytes = WriteProgram(*specialized, write);
  if (!bytes) return ctx.Fail(bytes.error());
  if (ctx.json && ctx.out == "-") {
    (*j)["text"] = *bytes;
    return kDone;
  }
  return WriteOut(ctx, ctx.out, *bytes, write.format != Format::kText);
}

int RunSpecialize(Context& ctx, const SpecializeFlags& flags) {
  Json j;
  j["files"] = Json::array({FileJson(flags.file, Json::array())});
  const int code = Specialize(ctx, flags, &j);
  return ctx.json ? PrintJson(ctx, j, code) : code;
}

}  // namespace

void AddSpecialize(Options& options, Context& ctx) {
  auto flags = AddRun<SpecializeFlags>(options, ctx, RunSpecialize);
  options.Argument("FILE", &flags->file, "program with symbolic shapes");
  options.Repeated("--arg", &flags->args, "NAME=TYPE",
                   "type of an argument, by name or position: x=8x128xf32, 0=8x128");
  options.Repeated("--dim", &flags->dims, "NAME=N", "value of a dimension variable of jax.export: batch=8");
  options.Flag("--prove", &flags->prove, "evaluate both programs on random inputs, and compare the results");
  options.Number("--inputs", &flags->inputs, 1'000'000, "sets of inputs of --prove (default: 100)");
  options.Option(
      "-o,--output", &ctx.out, "OUT",
      "output file: .shlo, .mlirbc or .bc, otherwise text; of a jax.export file, any other name is a "
      "jax.export file with a static signature (default: -, standard output)");
  AddEvaluationFlags(options, ctx);
  AddReadFlags(options, ctx);
}

}  // namespace shlo::tool
