// What `inspect` and `verify` say about a file and its programs, without evaluating or converting them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/printable.h"
#include "ir/json.h"
#include "shlo/container.h"
#include "shlo/dialect.h"
#include "shlo/limits.h"
#include "shlo/program_io.h"

namespace shlo {

// Options of InspectFile.
struct InspectOptions {
  Limits limits;
  bool allow_other_dialects = false;  // as ConvertOptions::allow_other_dialects
  bool version_given = false;         // the caller stated the version of texts that state none
};

// The report about a file.
struct Inspection {
  Json json;                          // its entry in the document
  TerminalText text;                  // for people
  std::vector<Diagnostics> failures;  // of parts that could not be inspected
};
// Inspects a file, of which more than the header was read only if `is_read`.
Inspection InspectFile(const std::string& path, const ProgramFile& file, bool is_read,
                       const InspectOptions& options);

// Returns the entry of a program.
Result<Json> InspectProgram(const Program& program, const InspectOptions& options);

// Returns the entry of a file in the document of `verify`.
Json VerifyJson(const std::string& path, const ProgramFile& file, std::span<const Dialect> dialects,
                bool verifies);

}  // namespace shlo
