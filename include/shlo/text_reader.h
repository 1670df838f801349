// MLIR text -> Module: the generic form of any op, the custom forms named by the op table, builtin,
// stablehlo, chlo, vhlo, quant and sparse_tensor types and attributes. Mirrored by text_writer.h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "shlo/diagnostics.h"
#include "shlo/module.h"
#include "shlo/source.h"
#include "shlo/trace.h"

namespace shlo {

struct TextReadOptions {
  std::string source_name = "<input>";
  // The version the text is written for. Invalid: what the text says (stablehlo.compat_version on the module
  // or a function), else the newest version at which every name in it exists, else the current one.
  Version version;
  bool allow_empty = false;  // a text without ops is an empty module, not an error
  uint32_t first_line = 1;   // line number of the first line, for chunks of a split file
  uint32_t max_depth = 500;  // nesting of regions, types and attributes; deeper is an error, not a crash
  size_t max_diagnostics = 100;
  // Name of a file. When it is not empty, ops and block arguments that state no location get the place they
  // are written at, in that file and counted from line 1, as the reference's parser gives it to them.
  std::string implicit_locations;
  PoolCache* cache = nullptr;  // where the module takes its memory from; must outlive it
  Trace trace;
};

// Reads one program. `owner` keeps `text` alive for constants that are views into it. On failure every
// syntax error that recovery could find, in order. `source`, when given, receives the places of ops,
// attributes and types; it keeps `owner`.
Result<Module> ReadText(std::string_view text, Buffer owner, const TextReadOptions& options = {},
                        Source* source = nullptr);

// The chunks of a file divided by `// -----`, wherever that stands, and the line each begins at.
struct TextChunk {
  std::string_view text;
  uint32_t first_line;
};
std::vector<TextChunk> SplitText(std::string_view text);

}  // namespace shlo
