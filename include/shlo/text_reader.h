// Parses MLIR text into a Module: the generic form of any op, the custom forms named by the op table and by
// schema/other_ops.inc, and the types and attributes of builtin, stablehlo, chlo, vhlo, quant and
// sparse_tensor; attributes of sdy get MLIR's spelling. Mirrored by text_writer.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "shlo/diagnostics.h"
#include "shlo/limits.h"
#include "shlo/module.h"
#include "shlo/outside.h"
#include "shlo/source.h"
#include "shlo/trace.h"

namespace shlo {

// Options of reading text.
struct TextReadOptions {
  std::string source_name = "<input>";  // file name of diagnostics and of the Source
  // The version that the text is written for. If invalid: the version that the text states
  // (stablehlo.compat_version on the module or a function), else the newest version in which every name in
  // it exists, else the current one.
  Version version;
  bool allow_empty = false;      // a text without ops is an empty module, not an error
  uint32_t first_line = 1;       // line number of the first line, for chunks of a split file
  Limits limits;                 // depth, deadline
  size_t max_diagnostics = 100;  // reading stops after this number of errors
  // A file name. If not empty, ops and block arguments without a location get their place in that file,
  // with lines counted from 1, as in MLIR's parser.
  std::string implicit_locations;
  FindOutside outside;  // finds constants that the text does not have
  Trace trace;
};

// Reads one program. `owner` keeps `text` alive for constants that are views into it. On failure, returns
// every syntax error that recovery could find, in order. `source`, if given, receives the places of ops,
// attributes and types, and keeps `owner`.
Result<Module> ReadText(std::string_view text, Buffer owner, const TextReadOptions& options = {},
                        Source* source = nullptr);

// The line that separates programs, as for MLIR's `-split-input-file`: nothing but blanks may be around
// it. Other lines that hold it, such as a banner of dashes or the end of a comment, are comments.
inline constexpr std::string_view kSplitMarker = "// -----";
// Returns whether the text at `at`, which begins with kSplitMarker, is such a line.
bool IsSplitLine(std::string_view text, size_t at);

// A program of a split file, and the line on which it begins.
struct TextChunk {
  std::string_view text;  // a view into the file
  uint32_t first_line;    // from 1
};
// Splits a file at its lines `// -----`. The chunks are views into `text`, without the marker; some may hold
// nothing but comments. Fails only if memory runs out. `threads` is as in Limits. With `anywhere`, a marker
// need not be a line: so does the reference, whose tests rely on it.
Result<std::vector<TextChunk>> SplitText(std::string_view text, uint32_t threads = 1, bool anywhere = false);

}  // namespace shlo
