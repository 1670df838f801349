// The parts of the full tool that belong to no command (parts.h).
#include "commands.h"
#include "dropin.h"
#include "evidence/golden_files.h"
#include "parts.h"
#include "shlo/archive.h"
#include "shlo/known_values.h"

namespace shlo::tool {

const bool kMinimal = false;

std::span<const CommandRow> CommandRows() {
#define SHLO_COMMAND(name, add, purpose, help) {#name, add, purpose, help},
  static constexpr CommandRow kRows[] = {SHLO_COMMANDS(SHLO_COMMAND, SHLO_COMMAND)};
#undef SHLO_COMMAND
  return kRows;
}

int (*FindDropin(std::string_view name))(int argc, char** argv) {
  return name == "stablehlo-opt" ? RunOpt : name == "stablehlo-translate" ? RunTranslate : nullptr;
}

void AddEvaluationFlags(Options& of_command, Context& ctx) {
  Options options = of_command.Below(kLimitFlags);
  options.Number("--max-steps", &ctx.max_steps, ~uint64_t(0),
                 "limit of ops to evaluate (default: 4194304 per MiB of programs and arguments)");
  options.Number("--max-work", &ctx.max_work, uint64_t(1) << 40,
                 "limit of work, in estimated ms (default: 1000 per MiB of programs and arguments)");
}

void AddResultRules(CheckRun* run) { AddEvaluation(run); }

bool IsArchive(const std::string& folder) { return archive::Archive::IsArchive(folder); }

void AddOutsideFlags(Options& options, Context& ctx) {
  options.Repeated("--weights", &ctx.weights, "PATH", "tensor file or archive with external constants");
}

void AddFoldFlags(Options& options, FoldFlags* flags) {
  options.Flag("--fold", &flags->fold, "fold constants");
  options.Number("--fold-limit", &flags->limit, uint64_t(1) << 40,
                 "largest constant to create, in elements (default: 65536)");
}

Folding FoldingFor(const FoldFlags& flags) { return flags.fold ? FoldingOf(flags.limit) : Folding(); }

}  // namespace shlo::tool
