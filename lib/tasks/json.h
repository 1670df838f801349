// Documents of --json: what all of them share. docs/json.md describes them, and docs/json/ has a schema per
// command. The tool and the C API make the same documents.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "shlo/diagnostics.h"
#include "shlo/program_io.h"
#include "shlo/version.h"

namespace shlo::tasks {

// Keys stay in the order they were written. An object begins as Json::object(): if memory runs out while null
// becomes one, the library destroys what was not made.
using Json = nlohmann::ordered_json;

// Exit codes, documented in --help and docs/command-line.md.
enum Exit : int {
  kDone = 0,
  kFinding = 1,   // negative result: does not verify, not equal, not representable at the target
  kUsage = 2,     // usage error
  kBadInput = 3,  // the input cannot be parsed or evaluated
  kIoError = 4,   // system error: file access, memory
};
// Returns the exit code for a diagnostic, or for the first error of several; kFinding if there is none.
int ExitCodeOf(Code code);
int ExitCodeOf(const Diagnostics& diagnostics);
// Likewise, for a file that cannot be read: invalid input, whatever the code of the diagnostic.
int ReadExitCodeOf(const Diagnostics& diagnostics);

// Returns what writes files: "shlo-compat 0.1.0".
std::string ToolName();

// The version of the documents. A new key leaves it; a key that changes or goes raises it.
inline constexpr int kJsonVersion = 1;

// Returns a document: `content`, an object or null, between the keys that all documents have.
std::string JsonText(std::string_view command, const Json& content, int code, const Diagnostics& diagnostics);
// Returns a value as documents are printed. A string that is not UTF-8 becomes a zero byte and its bytes in
// hexadecimal digits (see SymbolToJson), so that different names stay different; characters that act in
// terminals are \u escapes.
std::string Dumped(const Json& json);

Json ToJson(const Diagnostic& diagnostic);
Json ToJson(const Diagnostics& diagnostics);
Json ToJson(Version version);  // {"n": 62, "release": "1.9.0", "date": "2025-01-30"}, null if unknown
// As ToJson, but null for `last` and what is newer: it has no end.
Json VersionJson(Version version, Version last);
// A program and a file, with the keys that they have in the documents of all commands.
Json ProgramJson(const Program& program);
Json FileJson(const std::string& path, Json programs);

}  // namespace shlo::tasks
