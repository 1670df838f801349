// Documents of --json: what all of them share. docs/json.md describes them, and docs/json/ has a schema per
// command. The tool and the C API make the same documents.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "shlo/diagnostics.h"
#include "shlo/program.h"
#include "shlo/version.h"

namespace shlo {

// Keys stay in the order they were written. An object begins as Json::object(): if memory runs out while null
// becomes one, the library destroys what was not made.
using Json = nlohmann::ordered_json;

// Returns the version of this release, which ends with NUL, and what writes files: "shlo-compat 0.1.0".
std::string_view ToolVersion();
std::string ToolName();

// The version of the documents. A new key leaves it; a key that changes or goes raises it.
inline constexpr int kJsonVersion = 1;

// Returns a document: `content`, an object or null, between the keys that all documents have. `exit` is the
// number of a RequestStatus.
std::string JsonText(std::string_view command, const Json& content, int exit, const Diagnostics& diagnostics);
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

}  // namespace shlo
