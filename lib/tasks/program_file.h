// A file and the programs in it: reading all of them, and verifying them.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shlo/diagnostics.h"
#include "shlo/dialect.h"
#include "shlo/program_io.h"
#include "shlo/verify.h"
#include "tasks/json.h"

namespace shlo::tasks {

// A file and the programs in it: the chunks of a text, the one program of an artifact, or those of a
// container.
struct ProgramFile {
  InputFile file;
  Format format = Format::kText;
  std::vector<Program> programs;
  std::vector<Diagnostics> findings;  // of each program, from VerifyPrograms
  bool was_mhlo = false;              // LeaveMhlo made its programs StableHLO
};

// Reads the programs of `out->file`, whose format is detected from its first bytes. Appends warnings and
// errors to `reported`, and returns an exit code. Text with several programs is read to the end, so that the
// errors of all programs are reported.
int ReadProgramsOf(const ReadOptions& options, ProgramFile* out, Diagnostics* reported);

// Makes MHLO programs StableHLO. Ops without a counterpart are left: they are in the way of conversions only.
// Returns whether there were any.
bool LeaveMhlo(std::span<Program> programs);
// Makes an MHLO program StableHLO. Fails with a blocker for each op without a counterpart.
Result<void> LeaveMhlo(Program* program);

// Verifies a program, and what it has of dialects that files define.
Diagnostics VerifyProgram(const Program& program, std::span<const Dialect> dialects,
                          VerifyOptions options = {});

// Verifies every program of a file, and returns an exit code. Appends errors and notes to `reported`, and
// warnings if `show_warnings`.
int VerifyPrograms(std::span<const Dialect> dialects, const VerifyOptions& options, bool show_warnings,
                   ProgramFile* file, Diagnostics* reported);
// Returns the dialects of a program whose ops nothing verifies, and how many ops they have.
std::map<std::string, uint64_t> UncheckedOps(const Module& module, std::span<const Dialect> dialects);
// Returns the entry of a file in the document of `verify`.
Json VerifyJson(const std::string& path, const ProgramFile& file, std::span<const Dialect> dialects,
                int code);

// Returns the remedy for a file that has several programs where one is expected.
std::string ChooseHint(const ProgramFile& file);

}  // namespace shlo::tasks
