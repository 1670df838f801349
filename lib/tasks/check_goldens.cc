#include "tasks/check_goldens.h"

#include "base/format.h"
#include "shlo/evaluate.h"
#include "shlo/file_io.h"
#include "shlo/tensor_file.h"
#include "tasks/policy_paths.h"

namespace shlo::tasks {
namespace {

namespace fs = std::filesystem;

// Returns the path that a golden names for a program.
Result<std::string> PathFor(std::string name, const CheckRun& run, const std::string& relative) {
  const fs::path path = relative;
  const auto replace = [&](std::string_view word, const std::string& by) {
    for (size_t at = 0; (at = name.find(word, at)) != name.npos; at += by.size())
      name.replace(at, word.size(), by);
  };
  replace("{dir}", path.has_parent_path() ? path.parent_path().generic_string() : ".");
  replace("{stem}", path.stem().string());
  return PathInPolicy(run, name, "keep goldens below the policy's folder");
}

Result<std::vector<Tensor>> ReadKept(const std::string& path, std::span<const Tensor> results,
                                     const Limits& limits) {
  auto file = OpenInput(path, kNoStream);
  if (!file) return tl::make_unexpected(file.error());
  auto open = TensorFile::Open(file->bytes, file->owner, file->name, {.limits = limits});
  if (!open) return tl::make_unexpected(open.error());
  if (open->size() != results.size())
    return Error(Code::kEvaluation,
                 StrFormat("the file has {}, but the function has {}", Count(open->size(), "result"),
                           Count(results.size(), "result")),
                 {.file = path});
  std::vector<Tensor> kept(results.size());
  for (size_t i = 0; i < kept.size(); ++i) {
    size_t at = i;  // without such names, the order of the file counts
    for (size_t k = 0; k < open->size(); ++k)
      if (open->name(k) == StrFormat("result{}", i)) at = k;
    // An array of numpy has no such type as bf16: the result's type decides, if the shape is the same.
    const auto shape = open->Shape(at);
    if (!shape) return tl::make_unexpected(shape.error());
    auto tensor = open->Read(at, *shape == results[i].type().shape ? results[i].type_ptr() : nullptr);
    if (!tensor) return tl::make_unexpected(tensor.error());
    kept[i] = tensor->Owned();
    if (!kept[i]) return Error(Code::kLimit, "out of memory", {.file = path});
  }
  return kept;
}

}  // namespace

Result<void> CheckGoldens(const LimitsFor& limits_for, const CheckGolden& golden, const CheckRun& run,
                          const std::string& relative, const ProgramFile& file, CheckSeverity severity,
                          Findings* findings) {
  const auto kept_path = PathFor(golden.outputs, run, relative);
  if (!kept_path) return tl::make_unexpected(kept_path.error());
  const auto inputs = PathFor(golden.inputs, run, relative);
  if (!inputs) return tl::make_unexpected(inputs.error());
  for (const Program& program : file.programs) {
    EvalOptions eval;
    eval.source = &program.source;
    eval.limits = limits_for(file.file.bytes.size());
    ArgumentFlags flags;
    flags.entry = golden.entry;
    flags.inputs = *inputs;
    const auto args = GetArguments(limits_for, 0, program.module, flags, &eval);
    if (!args) return tl::make_unexpected(args.error());
    const auto result = Evaluate(program.module, golden.entry, *args, eval);
    if (!result) return tl::make_unexpected(result.error());
    const auto kept = ReadKept(*kept_path, result->results, eval.limits);
    if (!kept) return tl::make_unexpected(kept.error());
    for (size_t i = 0; i < kept->size(); ++i) {
      const std::string what = GoldenDifference(result->results[i], (*kept)[i], golden.tolerance);
      if (what.empty()) continue;
      Diagnostic d;
      d.severity = severity == CheckSeverity::kError     ? Severity::kError
                   : severity == CheckSeverity::kWarning ? Severity::kWarning
                                                         : Severity::kNote;
      d.code = Code::kPolicy;
      d.place.file = file.file.name;
      d.message = StrFormat("result {} {}", i, what);
      d.hint = StrFormat("results are those of '{}'", *kept_path);
      findings->push_back({.rule = FindCheckRule("golden-differs")->rule,
                           .severity = severity,
                           .diagnostic = std::move(d),
                           .program = program.name});
    }
  }
  return {};
}

}  // namespace shlo::tasks
