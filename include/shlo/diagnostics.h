// Errors as values: one diagnostic type, one result type. The library never prints, aborts, throws
// across its interface or asserts on input; it returns these. Rendering is the tool's work, except for
// Render(), which gives the text every front end shares.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "shlo/version.h"

namespace shlo {

enum class Severity : uint8_t { kError, kWarning, kNote };

// What went wrong, as a stable name for scripts (see CodeName).
enum class Code : uint8_t {
  kSyntax,          // text that does not follow the grammar
  kMalformed,       // bytes that do not follow the format
  kChecksum,        // bytes that were changed after they were written
  kLimit,           // a documented limit was exceeded
  kUnknownVersion,  // a version that is not on the line
  kNewerVersion,    // written by a newer release than this one knows
  kInvalidProgram,  // a program that does not verify
  kConstraint,      // legal structure, but outside the specification's constraints
  kBlocked,         // the target version cannot say this
  kOutsideWindow,   // outside the compatibility window
  kUnsupported,     // valid, but not implemented
  kEvaluation,      // evaluation failed
  kNotEqual,        // two programs or values differ
  kUsage,           // the request itself makes no sense
  kIo,              // the operating system said no
};
std::string_view CodeName(Code code);

// Where: a position in a text, an offset in a binary section, or a position in the program. Zero means
// unknown; lines and columns count from 1, columns in bytes.
struct Place {
  std::string file;
  uint32_t line = 0;
  uint32_t column = 0;
  std::string section;      // name of the binary section `offset` counts in
  uint64_t offset = kNone;  // bytes from the start of that section (or file)
  std::string function;     // symbol of the enclosing function
  std::string location;     // the program's own location, printed
  std::string source_line;  // the text line, for the caret
  static constexpr uint64_t kNone = ~0ull;
};

struct Diagnostic {
  Severity severity = Severity::kError;
  Code code = Code::kSyntax;
  Place place;
  std::string op;       // name of the op concerned, as the specification spells it
  Version version;      // the version concerned; invalid when none is
  std::string message;  // one sentence, lower case, no full stop
  std::string hint;     // what to do about it; may be empty
};

using Diagnostics = std::vector<Diagnostic>;

// Every fallible function returns this; the error holds at least one diagnostic.
template <typename T>
using Result = tl::expected<T, Diagnostics>;

// Builds the error side of a Result from one diagnostic.
tl::unexpected<Diagnostics> Error(Code code, std::string message, Place place = {}, std::string hint = {});
tl::unexpected<Diagnostics> Error(Diagnostic diagnostic);

// "file:3:5: error: message [code]", the source line with a caret when known, and the hint; ends in a
// newline. `colour` wraps the severity in ANSI colours.
std::string Render(const Diagnostic& diagnostic, bool colour = false);

}  // namespace shlo
