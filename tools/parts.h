// What the full tool has and the minimal build lacks (docs/libraries.md): the evaluator, proofs, archives,
// tensor files and drop-ins. full.cc and the files of these commands define all of it, or minimal.cc.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "common.h"
#include "shlo/conversion.h"

namespace shlo {
struct CheckRun;
}

namespace shlo::tool {

extern const bool kMinimal;

struct CommandRow {
  const char* name;
  void (*add)(Options&, Context&);
  const char* purpose;
  const char* help;
};
// Returns the commands, in the order of help: those of a purpose are together.
std::span<const CommandRow> CommandRows();

// Returns the command line of the tool that the binary is called by, such as stablehlo-opt; null: it is none.
int (*FindDropin(std::string_view name))(int argc, char** argv);

// Adds the limits of commands that evaluate (--max-steps, --max-work).
void AddEvaluationFlags(Options& options, Context& ctx);
// Adds the rules about results to a run of `check`.
void AddResultRules(CheckRun* run);

// --- Files -------------------------------------------------------------------------------------------

// Opens a file, or the model of an archive ("DIR:MODEL").
Result<InputFile> OpenModelOrFile(const Context& ctx, const std::string& path);
// Returns whether a folder is an archive of models, and whether a word is one of the commands of `archive`.
bool IsArchive(const std::string& folder);
bool IsArchiveCommand(std::string_view word);
// Adds --weights.
void AddOutsideFlags(Options& options, Context& ctx);
// Returns what finds the constants of a file for a command.
FindOutside OutsideOf(Context& ctx, const std::string& source_name);

// --- Conversion --------------------------------------------------------------------------------------

// --fold and --fold-limit.
struct FoldFlags {
  bool fold = false;
  uint64_t limit = 1 << 16;
};
void AddFoldFlags(Options& options, FoldFlags* flags);
// Returns what folds; null without --fold.
Folding FoldingFor(const FoldFlags& flags);

// --certificate and --in-toto.
struct CertificateFlags {
  std::string file;
  bool in_toto = false;
};

// Conversion with --prove.
struct ProveFlags {
  std::string prove;  // "" without the flag, "*" or "carry"
  std::string at_least = "exhaustive";
  CertificateFlags certificate;
  bool any() const { return !prove.empty() || !certificate.file.empty(); }
};
void AddProveFlags(Options& options, Context& ctx, ProveFlags* flags);
// Proves that a converted program, as `written` for the file `to`, is equal to what was read from `file`.
// Reports what is not known to be equal. Sets the text of the certificate if one is wanted. With
// --prove=carry, `written` is written again with it.
int ProveConverted(Context& ctx, const ProveFlags& flags, const Program& original, const InputFile& file,
                   const WriteOptions& options, const Program& converted, const std::string& to,
                   std::string* written, std::string* certificate);

}  // namespace shlo::tool
