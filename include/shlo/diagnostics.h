// Errors as values: one diagnostic type, one result type. The library never prints, aborts or asserts on
// input; it returns diagnostics, which Render() formats for all tools.
//
// A function that returns a Result or Diagnostics never throws: running out of memory or threads is a
// diagnostic, too. Classes that hold programs and values (Module, ModuleEditor, Tensor) and functions that
// return a string behave like the standard library, and throw std::bad_alloc.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "shlo/version.h"

namespace shlo {

// Severity of a diagnostic.
enum class Severity : uint8_t { kError, kWarning, kNote };
// Returns the name of a severity: "error".
std::string_view SeverityName(Severity severity);

// Category of a diagnostic, with a stable name for scripts (see CodeName).
enum class Code : uint8_t {
  kSyntax,          // text that does not follow the grammar
  kMalformed,       // bytes that do not follow the format
  kChecksum,        // bytes changed after they were written
  kLimit,           // a documented limit was exceeded
  kUnknownVersion,  // not a known version
  kNewerVersion,    // written by a newer release than this one knows
  kInvalidProgram,  // a program that does not verify
  kConstraint,      // legal structure, but outside the specification's constraints
  kBlocked,         // the target version cannot represent this
  kOutsideWindow,   // outside the compatibility window
  kUnsupported,     // valid, but not implemented
  kEvaluation,      // evaluation failed
  kNotEqual,        // two programs or values differ
  kPolicy,          // a rule of the gate was broken
  kUsage,           // the request is invalid for any program
  kIo,              // system error: file access, memory
  kCanceled,        // the caller ended it: see Limits::cancellation
};
// Returns the name of a code: "invalid-program".
std::string_view CodeName(Code code);

// Anchor of a diagnostic: a position in a text, an offset in a binary section, or a position in the program.
// Zero means unknown; lines and columns count from 1, columns in bytes.
struct Place {
  std::string file;                         // name of the source, such as its path
  uint32_t line = 0;                        // of the file
  uint32_t column = 0;                      // of the line
  std::string section;                      // binary section that `offset` is relative to
  uint64_t offset = kNone;                  // bytes from the start of that section (or file)
  std::string function;                     // symbol of the enclosing function
  std::string location;                     // the op's MLIR location, as text
  std::string source_line;                  // the line of text, to print with a caret
  static constexpr uint64_t kNone = ~0ull;  // offset that is unknown
};

// An error, warning or note.
struct Diagnostic {
  Severity severity = Severity::kError;  // only errors make a call fail
  Code code = Code::kSyntax;             // for scripts; the message is for people
  Place place;                           // as far as it is known
  std::string op;                        // op name, such as "stablehlo.add"
  Version version;                       // the version concerned, if any
  std::string message;                   // lower case, no full stop; mirrored messages keep MLIR's style
  std::string hint;                      // the remedy; may be empty
  uint64_t count = 1;                    // places with this cause, of which `place` is the first
};

// Several diagnostics, in the order in which they were found unless a function promises another one.
using Diagnostics = std::vector<Diagnostic>;

// Return type of fallible functions (ParseVersion and ParseDate return a message instead). An error holds at
// least one diagnostic.
template <typename T>
using Result = tl::expected<T, Diagnostics>;

// Builds the error side of a Result from one diagnostic.
tl::unexpected<Diagnostics> Error(Code code, std::string message, Place place = {}, std::string hint = {});
tl::unexpected<Diagnostics> Error(Diagnostic diagnostic);
// Returns a warning.
Diagnostic Warning(Code code, std::string message, Place place = {}, std::string hint = {});

// Returns "file:3:5: error: message [code]", the source line with a caret if known, and the hint, ending in a
// newline. Long texts are shortened (see Shown), and everything that a file may have chosen is escaped:
// control characters, line ends, invisible characters and bytes that are not UTF-8 as \HH, symbols as MLIR
// prints them. `color` wraps the severity in ANSI colors.
std::string Render(const Diagnostic& diagnostic, bool color = false);

// Returns a text of a diagnostic as people see it: of more than 12 KiB, the middle is left out, with a note
// of the number of bytes. Render() does this.
std::string Shown(std::string_view text);

// Returns "1 op", "2 ops", for messages.
std::string Count(uint64_t n, std::string_view noun);

}  // namespace shlo
