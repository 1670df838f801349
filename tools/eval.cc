// `eval`: evaluates a function of a program and prints its results.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <optional>
#include <sstream>

#include "commands.h"
#include "interpret.h"
#include "shlo/evaluate.h"
#include "shlo/npy.h"
#include "shlo/random_tensor.h"

namespace shlo::tool {
namespace {

struct EvalFlags {
  std::string file;
  std::string entry;
  std::vector<std::string> args;
  std::vector<std::string> named_args;  // INDEX=VALUE
  std::string inputs;                   // .npz or random:SEED
  std::string outputs;                  // .npz for the results
  std::string format = "attribute";
  std::string probe_output_dir;
  uint64_t replicas = 1, partitions = 1;
  uint64_t threads = 0;
  uint64_t max_memory_mib = EvalOptions().max_memory >> 20;
  bool fast = false;
  bool profile = false;
};

Result<std::string> ReadWhole(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return Error(Code::kIo, fmt::format("cannot open {}", path));
  std::stringstream text;
  text << in.rdbuf();
  return std::move(text).str();
}

constexpr std::string_view kRandom = "random:";

// Parses the seed of "random:SEED".
Result<uint64_t> SeedOf(std::string_view text) {
  const std::string_view digits = text.substr(kRandom.size());
  uint64_t seed = 0;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), seed);
  if (parsed.ec != std::errc() || parsed.ptr != digits.data() + digits.size())
    return Error(Code::kUsage, fmt::format("invalid seed in '{}'", text), {},
                 "pass a number, such as random:1");
  return seed;
}

Result<Tensor> RandomArgument(const ValueTypePtr& type, uint64_t seed, const EvalOptions& eval) {
  Tensor tensor = type->bytes <= eval.max_memory ? RandomTensor(type, seed) : Tensor();
  if (!tensor)
    return Error(Code::kLimit,
                 fmt::format("{} exceeds the memory limit of {} MiB", TypeName(*type), eval.max_memory >> 20),
                 {}, "pass --max-memory to raise the limit");
  return tensor;
}

// Builds the arguments of the entry function from the command line.
class Arguments {
 public:
  Arguments(const Module& module, const EvalFlags& flags, const EvalOptions& eval)
      : module_(module), flags_(flags), eval_(eval) {}

  Result<std::vector<Tensor>> Get() {
    if (!flags_.inputs.empty()) {
      if (auto s = TakeInputs(); !s) return tl::make_unexpected(s.error());
    }
    for (size_t i = 0; i < flags_.args.size(); ++i)
      if (auto s = Put(i, flags_.args[i]); !s) return tl::make_unexpected(s.error());
    for (const std::string& arg : flags_.named_args) {
      const size_t equals = arg.find('=');
      const auto index = IndexOf(std::string_view(arg).substr(0, equals));
      if (equals == std::string::npos || !index || *index > kMost)
        return Error(Code::kUsage, fmt::format("invalid --arg '{}'; expected INDEX=VALUE", arg), {},
                     "write INDEX as 0 or arg0");
      if (auto s = Put(*index, arg.substr(equals + 1)); !s) return tl::make_unexpected(s.error());
    }
    std::vector<Tensor> all;
    for (size_t i = 0; i < values_.size(); ++i) {
      if (!values_[i])
        return Error(Code::kEvaluation, fmt::format("argument {} has no value", i), EntryPlace(),
                     fmt::format("pass a value with --arg {}=@FILE.npy", i));
      all.push_back(std::move(values_[i]));
    }
    return all;
  }

 private:
  static constexpr size_t kMost = 1 << 20;  // arguments

  // Parses "3", "arg3" or NumPy's "arr_3".
  static std::optional<size_t> IndexOf(std::string_view name) {
    for (std::string_view prefix : {"arg", "arr_"})
      if (name.starts_with(prefix)) {
        name.remove_prefix(prefix.size());
        break;
      }
    size_t index = 0;
    const auto parsed = std::from_chars(name.data(), name.data() + name.size(), index);
    if (name.empty() || parsed.ec != std::errc() || parsed.ptr != name.data() + name.size()) return {};
    return index;
  }

  Place EntryPlace() const {
    Place place;
    if (eval_.source) place.file = eval_.source->name;
    return place;
  }

  // Returns the argument types of the entry function, repeated for every process.
  Result<const std::vector<ValueTypePtr>*> Types() {
    if (types_.empty()) {
      auto types = ArgumentTypes(module_, flags_.entry, eval_.source);
      if (!types) return tl::make_unexpected(types.error());
      for (uint64_t i = 0; i < flags_.replicas * flags_.partitions; ++i)
        types_.insert(types_.end(), types->begin(), types->end());
    }
    return &types_;
  }

  Result<void> Put(size_t index, const std::string& text) {
    if (index >= values_.size()) values_.resize(index + 1);
    auto tensor = Parse(index, text);
    if (!tensor) return tl::make_unexpected(tensor.error());
    values_[index] = std::move(*tensor);
    return {};
  }

  // Parses a constant ("dense<[1, 2]> : tensor<2xi32>"), "@FILE.npy", or "random:SEED".
  Result<Tensor> Parse(size_t index, const std::string& text) {
    if (text.starts_with('@')) {
      auto bytes = ReadWhole(text.substr(1));
      if (!bytes) return tl::make_unexpected(bytes.error());
      return Read(index, *bytes);
    }
    if (text.starts_with(kRandom)) {
      auto seed = SeedOf(text);
      auto types = Types();
      if (!seed) return tl::make_unexpected(seed.error());
      if (!types) return tl::make_unexpected(types.error());
      if (index >= (*types)->size())
        return Error(Code::kEvaluation,
                     fmt::format("expected {}, got more", Count((*types)->size(), "argument")), EntryPlace());
      return RandomArgument((**types)[index], *seed, eval_);
    }
    auto tensors = ParseTensors(text, fmt::format("<argument {}>", index));
    if (!tensors) return tl::make_unexpected(tensors.error());
    if (tensors->size() != 1)
      return Error(Code::kSyntax, fmt::format("argument {} must be a single constant", index));
    return std::move((*tensors)[0]);
  }

  // NumPy files hold element types that NumPy does not have as integers of the same size.
  Result<Tensor> Read(size_t index, std::string_view bytes) {
    auto tensor = ReadNpy(bytes);
    const auto types = tensor ? Types() : Result<const std::vector<ValueTypePtr>*>(nullptr);
    if (!tensor || !types || index >= (*types)->size()) return tensor;
    const ValueTypePtr& type = (**types)[index];
    if (*type == tensor->type() || !type->is_tensor() || type->shape != tensor->type().shape) return tensor;
    auto typed = ReadNpy(bytes, type);
    return typed ? typed : tensor;  // evaluation reports the wrong type
  }

  Result<void> TakeInputs() {
    if (flags_.inputs.starts_with(kRandom)) {
      auto seed = SeedOf(flags_.inputs);
      auto types = Types();
      if (!seed) return tl::make_unexpected(seed.error());
      if (!types) return tl::make_unexpected(types.error());
      for (const ValueTypePtr& type : **types) {
        auto tensor = RandomArgument(type, *seed + values_.size(), eval_);
        if (!tensor) return tl::make_unexpected(tensor.error());
        values_.push_back(std::move(*tensor));
      }
      return {};
    }
    auto bytes = ReadWhole(flags_.inputs);
    auto tensors = bytes ? ReadNpz(*bytes) : Result<NamedTensors>(tl::make_unexpected(bytes.error()));
    if (!tensors) return tl::make_unexpected(tensors.error());
    // Use the numbers in the names if all members have one, otherwise the order of the file.
    bool numbered = true;
    for (const auto& [name, tensor] : *tensors) {
      const auto index = IndexOf(name);
      numbered = numbered && index && *index < tensors->size();
    }
    values_.resize(tensors->size());
    for (size_t i = 0; i < tensors->size(); ++i) {
      const size_t index = numbered ? *IndexOf((*tensors)[i].first) : i;
      auto npy = WriteNpy((*tensors)[i].second);
      if (!npy) return tl::make_unexpected(npy.error());
      auto typed = Read(index, *npy);
      if (!typed) return tl::make_unexpected(typed.error());
      values_[index] = std::move(*typed);
    }
    return {};
  }

  const Module& module_;
  const EvalFlags& flags_;
  const EvalOptions& eval_;
  std::vector<ValueTypePtr> types_;
  std::vector<Tensor> values_;
};

// Prints the profile to stderr, slowest op first.
void ShowProfile(Context& ctx, const EvalProfile& profile, double seconds) {
  std::vector<std::pair<std::string, EvalProfile::Row>> rows(profile.ops.begin(), profile.ops.end());
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& a, const auto& b) { return a.second.nanoseconds > b.second.nanoseconds; });
  std::string text = fmt::format("{:<36} {:>10} {:>12} {:>12}\n", "op", "runs", "ms", "MiB");
  for (const auto& [name, row] : rows)
    text += fmt::format("{:<36} {:>10} {:>12.3f} {:>12.3f}\n", name, row.runs, double(row.nanoseconds) / 1e6,
                        double(row.bytes) / (1 << 20));
  text += fmt::format("{:<36} {:>10} {:>12.3f} {:>12.3f}\n", "total; peak memory", "", seconds * 1e3,
                      double(profile.peak_bytes) / (1 << 20));
  ctx.progress.Clear();
  std::fwrite(text.data(), 1, text.size(), stderr);
}

Json ToJson(const EvalProfile& profile) {
  Json ops = Json::object();
  for (const auto& [name, row] : profile.ops)
    ops[name] = {{"runs", row.runs}, {"nanoseconds", row.nanoseconds}, {"bytes", row.bytes}};
  return {{"ops", std::move(ops)}, {"peak_bytes", profile.peak_bytes}};
}

// Formats a value as --print says.
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
  if (!flags.inputs.empty() && !flags.args.empty())
    return finish(ctx.Fail(Code::kUsage, "--inputs and --args cannot be combined", {},
                           "use --arg to replace single arguments"));
  Program program;
  if (const int code = ReadOne(ctx, flags.file, &program); code != kDone) return finish(code);
  const Module& module = program.module;
  j["version"] = tool::ToJson(module.version);
  EvalOptions eval;
  EvalProfile profile;
  eval.source = &program.source;
  eval.print = [&](std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); };
  eval.max_memory = flags.max_memory_mib << 20;
  eval.threads = uint32_t(flags.threads);
  eval.fast = flags.fast;
  if (flags.profile) eval.profile = &profile;
  WriteProbesTo(flags.probe_output_dir, &eval);
  // Arguments that do not match the program are invalid input.
  const auto fail = [&](const Diagnostics& why) {
    const int code = ctx.Fail(why);
    return finish(code == kFinding || code == kUsage ? kBadInput : code);
  };
  auto args = Arguments(module, flags, eval).Get();
  if (!args) return fail(args.error());
  ctx.progress.Step("evaluating " + flags.file);
  const uint64_t processes = flags.replicas * flags.partitions;
  const auto start = std::chrono::steady_clock::now();
  const auto run = [&] {
    if (processes <= 1) return Evaluate(module, flags.entry, *args, eval);
    const std::vector<std::string> functions(processes, flags.entry);
    return EvaluateParallel(module, functions, flags.partitions, *args, {}, eval);
  };
  auto result = run();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  if (flags.profile) {
    j["profile"] = ToJson(profile);
    if (!ctx.json) ShowProfile(ctx, profile, took.count());
  }
  if (!result) return fail(result.error());
  std::string out;
  Json results = Json::array();
  for (const Tensor& tensor : result->results) {
    // Formatting large results is slow, so skip it if they go to a file.
    if (ctx.json)
      results.push_back(PrintTensor(tensor));
    else if (flags.outputs.empty())
      out += Shown(tensor, flags.format) + "\n";
  }
  if (!flags.outputs.empty()) {
    NamedTensors named;
    for (size_t i = 0; i < result->results.size(); ++i)
      if (result->results[i].type().is_tensor())
        named.emplace_back(fmt::format("result{}", i), result->results[i]);
    const auto npz = WriteNpz(named);
    if (!npz) return finish(ctx.Fail(npz.error()));
    if (const int code = WriteOut(ctx, flags.outputs, *npz, /*binary=*/true); code != kDone)
      return finish(code);
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
  options.Argument("FILE", &flags->file, "program to evaluate");
  options.Option("--entry", &flags->entry, "NAME", "function to run (default: main, or the only one)");
  options.List("--args", &flags->args, "T",
               "arguments, such as 'dense<[1, 2]> : tensor<2xi32>', @FILE.npy or random:SEED");
  options.List("--arg", &flags->named_args, "INDEX=T", "set one argument by index: 0=@FILE.npy");
  options.Option("--inputs", &flags->inputs, "FILE",
                 "all arguments: an .npz (arg0, arg1, ..., or in file order) or random:SEED");
  options.Option("--outputs", &flags->outputs, "FILE", "write results to an .npz: result0, result1, ...");
  options.Choice("--print", &flags->format, {"attribute", "dense", "reference"},
                 "output format of results (default: attribute)");
  options.Number("--replicas", &flags->replicas, 256, "number of replicas to run in parallel (default: 1)");
  options.Number("--partitions", &flags->partitions, 256,
                 "number of partitions per replica; arguments of all processes, in order (default: 1)");
  options.Flag("--fast", &flags->fast, "allow reassociation and FMA contraction in dot products");
  options.Number("--threads", &flags->threads, 1024, "number of threads (default: one per core)");
  options.Number("--max-memory", &flags->max_memory_mib, uint64_t(1) << 40,
                 "memory limit for tensors, in MiB (default: 8192)");
  options.Flag("--profile", &flags->profile, "print per-op time and memory to stderr");
  options.Option("--probe-output-dir", &flags->probe_output_dir, "DIR",
                 "directory for the values of interpreter.probe");
  AddReadFlags(options, ctx);
  AddCommonFlags(options, ctx);
  options.OnChosen([&ctx, flags] { ctx.run = [&ctx, flags] { return RunEval(ctx, *flags); }; });
}

}  // namespace shlo::tool
