// `eval`: evaluates a function of a program and prints its results.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "arguments/eval_arguments.h"
#include "base/format.h"
#include "commands.h"
#include "custom_call_flags.h"
#include "interpret.h"
#include "parts.h"
#include "shlo/evaluate.h"
#include "shlo/print.h"
#include "shlo/tensor_file.h"

namespace shlo::tool {
namespace {

struct EvalFlags {
  std::string file;
  ArgumentFlags arguments{.replicas = 0, .partitions = 0};  // as the program states
  std::vector<std::string> custom_calls;                    // TARGET=PROGRAM
  std::string outputs;                                      // .npz or .safetensors for the results
  std::string format = "attribute";
  std::string probe_output_dir;
  bool fast = false;
  bool profile = false;
};

// Prints the profile to stderr, slowest op first.
void ShowProfile(Context& ctx, const EvalProfile& profile, double seconds) {
  std::vector<std::pair<std::string, EvalProfile::Row>> rows(profile.ops.begin(), profile.ops.end());
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& a, const auto& b) { return a.second.nanoseconds > b.second.nanoseconds; });
  TerminalText text = TerminalText::Of("{:<36} {:>10} {:>12} {:>12}\n", "op", "runs", "ms", "MiB");
  for (const auto& [name, row] : rows)
    text.Add("{:<36} {:>10} {:>12.3f} {:>12.3f}\n", name, row.runs, double(row.nanoseconds) / 1e6,
             double(row.bytes) / (1 << 20));
  text.Add("{:<36} {:>10} {:>12.3f} {:>12.3f}\n", "total; peak memory", "", seconds * 1e3,
           double(profile.peak_bytes) / (1 << 20));
  ctx.PutError(text);
}

// Formats a value as --print says.
std::string Shown(const Tensor& tensor, const std::string& format) {
  return format == "reference" ? PrintAsReference(tensor)
         : format == "dense"   ? PrintDense(tensor)
                               : PrintTensor(tensor);
}

// Returns about how many bytes the values of a tensor are in text, from the first of them.
uint64_t ApproximateLength(const Tensor& tensor) {
  constexpr uint64_t kSample = 1000;
  const uint64_t bytes = PrintTensor(tensor, kSample).size();
  if (!tensor.type().is_tensor() || tensor.splat() || tensor.count() <= kSample) return bytes;
  return uint64_t(double(bytes) / kSample * double(tensor.count()));
}

// Returns the names of a function's arguments in its text, "%x"; without a text, as the tool prints them.
std::vector<std::string> ArgumentNames(const Program& program, OpId function, size_t count) {
  const Module& m = program.module;
  std::vector<std::string> names;
  const auto regions = m.RegionsOf(m.ops[function.v]);
  const auto blocks = regions.empty() ? std::span<const BlockId>() : m.BlocksOf(regions[0]);
  for (uint32_t i = 0; i < count; ++i) {
    std::string_view name;
    if (!blocks.empty() && i < m.blocks[blocks[0].v].args.count)
      name = program.source.places.NameOfArg(m.ArgOf(blocks[0], i));
    names.push_back(name.empty() ? StrFormat("%arg{}", i) : StrFormat("%{}", name));
  }
  return names;
}

// Reports the arguments that a function takes, if the command line has none and it takes some.
int CheckHasArguments(Context& ctx, const EvalFlags& flags, const Program& program) {
  const ArgumentFlags& given = flags.arguments;
  if (!given.args.empty() || !given.named_args.empty() || !given.inputs.empty()) return kDone;
  std::vector<TypeId> types = DeclaredArguments(program.module, given.entry);
  const OpId function = EntryFunction(program.module, given.entry);
  const auto is_tensor = [&](TypeId type) { return program.module.As<TensorType>(type).has_value(); };
  // Others cannot be passed, and their text may be as long as it likes.
  if (!function || types.empty() || !std::ranges::all_of(types, is_tensor)) return kDone;
  std::vector<std::string> names = ArgumentNames(program, function, types.size());
  if (const auto platform = PlatformArgument(program.module, given.entry);
      platform && *platform < types.size()) {
    types.erase(types.begin() + ptrdiff_t(*platform));
    names.erase(names.begin() + ptrdiff_t(*platform));
  }
  if (types.empty()) return kDone;
  constexpr size_t kShown = 8;
  std::string list;
  for (size_t i = 0; i < std::min(types.size(), kShown); ++i)
    list += StrFormat("{}{}: {}", i ? ", " : "", names[i], TypeText(program.module, types[i]));
  if (types.size() > kShown) list += ", ...";
  return ctx.Fail(
      Code::kUsage,
      StrFormat("{} takes {}: {}", SymbolText(program.module.SymbolOf(program.module.ops[function.v])),
                Count(types.size(), "argument"), list),
      FileOnly(flags.file),
      StrFormat("pass --inputs=random:1, --inputs=FILE.npz, or {} with --args, such as "
                "--args '[1, 2]' or --args @x.npy",
                types.size() == 1 ? "it" : "them"));
}

// Prints a tensor with three elements at both ends of each dimension, in lines.
class Summary {
 public:
  static constexpr uint64_t kWhole = 1000;  // elements that are printed without one

  explicit Summary(const Tensor& tensor) : tensor_(tensor) {
    List(0, 0, tensor.count());
    text_ = StrFormat("dense<{}> : {}", text_, TypeName(tensor.type()));
  }
  const std::string& text() const { return text_; }

 private:
  static constexpr int64_t kEdge = 3;

  void List(size_t dim, uint64_t first, uint64_t count) {
    const auto& shape = tensor_.type().shape;
    if (dim == shape.size()) {
      text_ += PrintElement(tensor_, first);
      return;
    }
    const int64_t extent = shape[dim];
    const std::string between = dim + 1 < shape.size() ? ",\n" + std::string(7 + dim, ' ') : ", ";
    text_ += '[';
    for (int64_t i = 0; i < extent; ++i) {
      if (i > 0) text_ += between;
      if (extent > 2 * kEdge && i == kEdge) {
        text_ += "..." + between;
        i = extent - kEdge;
      }
      List(dim + 1, first + uint64_t(i) * (count / uint64_t(extent)), count / uint64_t(extent));
    }
    text_ += ']';
  }

  const Tensor& tensor_;
  std::string text_;
};

// Whether a result is too long for people to read.
bool IsSummarized(const Context& ctx, const EvalFlags& flags, const Tensor& tensor) {
  return !ctx.json && flags.outputs.empty() && flags.format == "attribute" && tensor.type().is_tensor() &&
         !tensor.splat() && tensor.count() > Summary::kWhole && ::isatty(STDOUT_FILENO);
}

int RunEval(Context& ctx, const EvalFlags& flags, Answer* out) {
  Json& j = out->json;
  j["files"] = Json::array({FileJson(flags.file, Json::array())});
  if (!flags.arguments.inputs.empty() && !flags.arguments.args.empty())
    return ctx.Fail(Code::kUsage, "--inputs and --args cannot be combined", {},
                    "use --arg to replace single arguments");
  Program program;
  if (const int code = ReadOne(ctx, flags.file, &program); code != kDone) return code;
  const Module& module = program.module;
  if (const int code = CheckHasArguments(ctx, flags, program); code != kDone) return code;
  j["files"] = Json::array({FileJson(flags.file, Json::array({ProgramJson(program)}))});
  EvalOptions eval;
  EvalProfile profile;
  eval.source = &program.source;
  std::string printed_by_ops;
  eval.print = [&](std::string_view text) {
    if (ctx.json) {
      printed_by_ops += text;
    } else {
      const std::string printed = TerminalText::Lines(text).str();
      std::fwrite(printed.data(), 1, printed.size(), stdout);
    }
  };
  eval.fast = flags.fast;
  if (flags.profile) eval.profile = &profile;
  WriteProbesTo(flags.probe_output_dir, &eval);
  // Values that do not fit the program are invalid input.
  const auto fail = [&](const Diagnostics& why) {
    const int code = ctx.Fail(why);
    return code == kFinding ? kBadInput : code;
  };
  SHLO_TAKE(ctx, BindCustomCalls(ctx, module, flags.custom_calls, &eval));
  const auto limits_for = [&](uint64_t bytes) { return ctx.LimitsFor(bytes); };
  ArgumentFlags arguments = flags.arguments;
  if (arguments.replicas == 0 && arguments.partitions == 0) {
    const auto counts = ProcessesOf(module, arguments.entry, eval);
    if (!counts) return fail(counts.error());
    arguments.replicas = counts->replicas;
    arguments.partitions = counts->partitions;
  }
  arguments.replicas = std::max<uint64_t>(arguments.replicas, 1);
  arguments.partitions = std::max<uint64_t>(arguments.partitions, 1);
  auto args = GetArguments(limits_for, ctx.bytes_read, module, arguments, &eval);
  if (!args) return fail(args.error());
  ctx.progress.Step("evaluating {}", NameText(flags.file));
  eval.limits.work_done = ctx.progress.Counted("op");
  const uint64_t processes = arguments.replicas * arguments.partitions;
  const auto start = std::chrono::steady_clock::now();
  const auto run = [&] {
    if (processes <= 1) return Evaluate(module, flags.arguments.entry, *args, eval);
    const std::vector<std::string> functions(processes, flags.arguments.entry);
    return EvaluateParallel(module, functions, arguments.partitions, *args, {}, eval);
  };
  auto result = run();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  if (flags.profile) {
    j["profile"] = ProfileJson(profile);
    if (!ctx.json) ShowProfile(ctx, profile, took.count());
  }
  if (!printed_by_ops.empty()) j["printed"] = std::move(printed_by_ops);
  if (!result) return fail(result.error());
  TerminalText text;  // printed only if all of it is known
  Json results = Json::array();
  uint64_t length = 0;
  bool summarized = false;
  for (const Tensor& tensor : result->results) {
    if (IsSummarized(ctx, flags, tensor)) {
      text += TerminalText::Lines(Summary(tensor).text()) + "\n";
      summarized = true;
      continue;
    }
    if (ctx.json || flags.outputs.empty()) length += ApproximateLength(tensor);
    if (length > eval.limits.max_output)
      return ctx.Fail(
          Code::kLimit,
          StrFormat("the results are longer than the limit of {} MiB", eval.limits.max_output >> 20), {},
          "pass --outputs to write them to a file, or --max-output to raise the limit");
    // Formatting large results is slow, so skip it if they go to a file.
    if (ctx.json)
      results.push_back(PrintTensor(tensor));
    else if (flags.outputs.empty())
      text += TerminalText::Lines(Shown(tensor, flags.format)) + "\n";
  }
  if (!flags.outputs.empty()) {
    NamedTensors named;
    uint64_t bytes_of_all = 0;  // splats are written in full
    for (size_t i = 0; i < result->results.size(); ++i)
      if (result->results[i].type().is_tensor()) {
        named.emplace_back(StrFormat("result{}", i), result->results[i]);
        bytes_of_all += result->results[i].type().bytes;
      }
    if (bytes_of_all > eval.limits.max_memory)
      return ctx.Fail(
          Code::kLimit,
          StrFormat("writing the results exceeds the memory limit of {} MiB", eval.limits.max_memory >> 20),
          {}, "pass --max-memory to raise the limit");
    const auto write = [&](const Sink& sink) {
      return flags.outputs.ends_with(".safetensors") ? WriteSafetensorsTo(named, sink)
                                                     : WriteNpzTo(named, sink);
    };
    if (const int code = StreamOut(ctx, flags.outputs, /*binary=*/true, write); code != kDone) return code;
    for (const auto& [name, tensor] : named)
      text.Add("{}: {}, {}\n", NameText(flags.outputs), name, TypeName(tensor.type()));
  }
  j["results"] = std::move(results);
  j["failed_checks"] = result->failed_checks.size();
  ctx.Report(result->failed_checks);
  const int code = result->failed_checks.empty() ? kDone : kFinding;
  const int printed = ctx.json ? code : std::max<int>(code, Print(ctx, text));
  if (summarized)
    ctx.PutError(TerminalText::Of(
        "results of more than {} elements are shortened on a terminal; --outputs=FILE writes them\n",
        Summary::kWhole));
  return printed;
}

}  // namespace

void AddEval(Options& options, Context& ctx) {
  auto flags = AddAnswer<EvalFlags>(options, ctx, RunEval);
  options.Argument("FILE", &flags->file, "program to evaluate");
  options.Option("--entry", &flags->arguments.entry, "NAME",
                 "function to run (default: main, or the only one)");
  options.List("--args", &flags->arguments.args, "T",
               "values of the arguments ('[1, 2]' with the type of the argument, 'dense<1> : tensor<2xi32>', "
               "@FILE.npy or "
               "random:SEED)");
  options.List("--arg", &flags->arguments.named_args, "INDEX=T", "set one argument by index: 0=@FILE.npy");
  options.Option(
      "--inputs", &flags->arguments.inputs, "FILE",
      "all arguments: .npz or .safetensors (arg0, arg1, ..., or other names in file order), or random:SEED");
  options.Option("--outputs", &flags->outputs, "FILE",
                 "write results to an .npz or .safetensors: result0, result1, ...");
  Options processes = options.Below("Processes");
  processes.Number("--platform-index", &flags->arguments.platform_index, 255,
                   "platform of a program that jax exported for several, by position (default: 0)");
  options.List("--custom-call", &flags->custom_calls, "TARGET=FILE[:FUNCTION]",
               "compute a custom call by a function of another program");
  options.Choice("--print", &flags->format, {"attribute", "dense", "reference"},
                 "output format of results (default: attribute)");
  processes.Number("--replicas", &flags->arguments.replicas, 256,
                   "number of replicas to run in parallel (default: as the program states, or 1)");
  processes.Number(
      "--partitions", &flags->arguments.partitions, 256,
      "partitions per replica; arguments of all processes, in order (default: as the program states, "
      "or 1)");
  options.Flag(
      "--fast", &flags->fast,
      "allow reassociation, FMA contraction, and errors of up to 3 ulp in exponential, logistic and tanh");
  AddEvaluationFlags(options, ctx);
  options.Flag("--profile", &flags->profile, "print per-op time and memory to stderr");
  options.Option("--probe-output-dir", &flags->probe_output_dir, "DIR",
                 "directory for the values of interpreter.probe");
  AddReadFlags(options, ctx);
}

}  // namespace shlo::tool
