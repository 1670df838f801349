// Reports of differences between two programs, for people and as JSON.
#pragma once

#include <cstdint>
#include <string>

#include "base/printable.h"
#include "ir/json.h"
#include "shlo/diff.h"
#include "shlo/program_io.h"

namespace shlo {

// Brings both programs to one version, if they differ in it. Returns at which they are compared, or "".
std::string Align(Program* a, Program* b);

// Returns the differences as text of at most `limit` lines (0: all), without the verdict.
TerminalText DiffText(const ProgramDiff& diff, const Program& a, const Program& b, uint64_t limit,
                      bool color = false);
// Returns the verdict, with the versions that the programs had before Align.
TerminalText DiffVerdict(const ProgramDiff& diff, Version of_a, Version of_b);
// Returns the keys of the document of `diff`.
Json DiffJson(const ProgramDiff& diff, const Program& a, const Program& b);

}  // namespace shlo
