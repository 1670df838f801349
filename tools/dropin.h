// What the drop-ins for the reference's tools share: the command line, files, and passes. main.cc runs a
// drop-in if the binary is called by its name.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common.h"
#include "shlo/passes.h"
#include "shlo/text_reader.h"

namespace shlo::tool {

enum class Dropin : uint8_t { kOpt = 1, kTranslate = 2 };

// The flags of both tools; dropin.cc has their names. A value is none if the flag is not given.
struct DropinFlags {
  using Value = std::optional<std::string>;
  std::string file = "-";
  Value out;
  bool help = false;
  bool split = false;
  bool verify_diagnostics = false;
  bool strip_debug_info = false;
  bool allow_other_dialects = false;
  Value writer;  // --as-written-by

  // Of stablehlo-opt.
  bool allow_unregistered = false, generic = false, debug_info = false, local_scope = false;
  bool to_vhlo = false, emit_bytecode = false;
  bool trace = false;  // -debug-only=stablehlo-bytecode
  Value elide_elements, bytecode_format, pipeline, debug_only;
  std::vector<PassCall> passes;  // in the order of the command line

  // Of stablehlo-translate.
  bool serialize = false, interpret = false, compat = false, legalize_chlo = false;
  bool print_version = false, print_dense = false;
  Value args, probe_dir;

  bool deserialize = false;  // a command of translate, and a pass of opt
  Value target;              // of opt: -vhlo-to-version
};

// Parses a command line. Returns false after it has reported an error.
bool ParseDropinFlags(Context& ctx, Dropin tool, int argc, char** argv, DropinFlags* flags);
// Reports an error in the command line, with a hint that names --help. Returns false.
bool DropinUsageError(Context& ctx, Dropin tool, std::string message);
// Parses a release as the reference's tools do: three numbers. Errors are in their words.
bool ParseTarget(Context& ctx, const std::string& text, Version* version);

// A file, and the texts to read in it; of an artifact, all of it.
struct DropinFile {
  InputFile file;
  Format format = Format::kText;
  std::vector<TextChunk> chunks;
};
// Opens a file, and divides a text at its `// -----` lines if `split`.
Result<DropinFile> OpenDropinFile(const std::string& path, bool split);
// Returns the options of reading a chunk.
ReadOptions ReadChunkOptions(const DropinFile& file, const TextChunk& chunk);

// Converts a program as a pass of the reference does, which checks neither the window nor the program.
Result<Program> ConvertTo(Version target, bool allow_other_dialects, Program program,
                          Diagnostics* warnings = nullptr);
// Upgrades a program to the newest version, and drops attributes that have their default.
Result<Program> UpgradeToNewest(Program program);

// Returns the options of text in MLIR's style, as the tools of the releases whose tests run on the drop-ins.
WriteOptions MlirText();

int RunOpt(int argc, char** argv);
int RunTranslate(int argc, char** argv);

}  // namespace shlo::tool
