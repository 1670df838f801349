// The minimal build: what it has instead of the parts that it lacks (parts.h).
#include "commands.h"
#include "parts.h"
#include "serialize/inputs.h"

namespace shlo::tool {

const bool kMinimal = true;

std::span<const CommandRow> CommandRows() {
#define SHLO_COMMAND(name, add, purpose, help) {#name, add, purpose, help},
#define SHLO_NO_COMMAND(...)
  static constexpr CommandRow kRows[] = {SHLO_COMMANDS(SHLO_COMMAND, SHLO_NO_COMMAND)};
#undef SHLO_NO_COMMAND
#undef SHLO_COMMAND
  return kRows;
}

int (*FindDropin(std::string_view))(int argc, char** argv) { return nullptr; }

void AddEvaluationFlags(Options&, Context&) {}
void AddResultRules(CheckRun*) {}

Result<InputFile> OpenModelOrFile(const Context& ctx, const std::string& path) {
  return OpenProgramInput(path, ctx.copy_below, ctx.MaxStream());
}

bool IsArchive(const std::string&) { return false; }
bool IsArchiveCommand(std::string_view) { return false; }

void AddOutsideFlags(Options&, Context&) {}

FindOutside OutsideOf(Context&, const std::string&) {
  return [](const OutsideConstant& constant) -> Result<InputFile> {
    return Error(Code::kUnsupported,
                 "the minimal build reads no external constants: " + OutsideName(constant), {},
                 "use the full build, or let it put them into the program: shlo-compat pack");
  };
}

void AddFoldFlags(Options&, FoldFlags*) {}
Folding FoldingFor(const FoldFlags&) { return {}; }
void AddProveFlags(Options&, Context&, ProveFlags*) {}

int ProveConverted(Context&, const ProveFlags&, const Program&, const InputFile&, const WriteOptions&,
                   const Program&, const std::string&, std::string*, std::string*) {
  return kDone;  // without --prove, never called
}

}  // namespace shlo::tool
