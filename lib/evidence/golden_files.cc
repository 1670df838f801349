#include "evidence/golden_files.h"

#include "arguments/eval_arguments.h"
#include "base/format.h"
#include "base/try.h"
#include "check/policy_paths.h"
#include "check/rules.h"
#include "shlo/evaluate.h"
#include "shlo/evidence.h"
#include "shlo/file_io.h"
#include "shlo/tensor_file.h"

namespace shlo {
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
  auto file = SHLO_TRY(OpenInput(path, kNoStream));
  auto open = SHLO_TRY(TensorFile::Open(file.bytes, file.owner, file.name, {.limits = limits}));
  if (open.size() != results.size())
    return Error(Code::kEvaluation,
                 StrFormat("the file has {}, but the function has {}", Count(open.size(), "result"),
                           Count(results.size(), "result")),
                 {.file = path});
  std::vector<Tensor> kept(results.size());
  for (size_t i = 0; i < kept.size(); ++i) {
    size_t at = i;  // without such names, the order of the file counts
    for (size_t k = 0; k < open.size(); ++k)
      if (open.name(k) == StrFormat("result{}", i)) at = k;
    // An array of numpy has no such type as bf16: the result's type decides, if the shape is the same.
    const auto shape = SHLO_TRY(open.Shape(at));
    auto tensor = SHLO_TRY(open.Read(at, shape == results[i].type().shape ? results[i].type_ptr() : nullptr));
    kept[i] = tensor.Owned();
    if (!kept[i]) return Error(Code::kLimit, "out of memory", {.file = path});
  }
  return kept;
}

}  // namespace

Result<void> CheckGoldens(const LimitsFor& limits_for, const CheckGolden& golden, const CheckRun& run,
                          const std::string& relative, const ProgramFile& file, CheckSeverity severity,
                          Findings* findings) {
  const auto kept_path = SHLO_TRY(PathFor(golden.outputs, run, relative));
  const auto inputs = SHLO_TRY(PathFor(golden.inputs, run, relative));
  for (const Program& program : file.programs) {
    EvalOptions eval;
    eval.source = &program.source;
    eval.limits = limits_for(file.file.bytes.size());
    ArgumentFlags flags;
    flags.entry = golden.entry;
    flags.inputs = inputs;
    const auto args = SHLO_TRY(GetArguments(limits_for, 0, program.module, flags, &eval));
    const auto result = SHLO_TRY(Evaluate(program.module, golden.entry, args, eval));
    const auto kept = SHLO_TRY(ReadKept(kept_path, result.results, eval.limits));
    for (size_t i = 0; i < kept.size(); ++i) {
      const std::string what = GoldenDifference(result.results[i], kept[i], golden.tolerance);
      if (what.empty()) continue;
      Diagnostic d;
      d.severity = SeverityOf(severity);
      d.code = Code::kPolicy;
      d.place.file = file.file.name;
      d.message = StrFormat("result {} {}", i, what);
      d.hint = StrFormat("results are those of '{}'", kept_path);
      findings->push_back({.rule = FindCheckRule("golden-differs")->rule,
                           .severity = severity,
                           .diagnostic = std::move(d),
                           .program = program.name});
    }
  }
  return {};
}

void AddEvaluation(CheckRun* run) {
  run->compare_meaning = CompareMeaning;
  run->check_goldens = CheckGoldens;
}

}  // namespace shlo
