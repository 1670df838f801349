// Programs in files, whatever the format: one call reads, one writes. What is only in one format (functions
// of a .shlo file to read, how text is printed) is in that format's own header.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "shlo/diagnostics.h"
#include "shlo/mlirbc_writer.h"
#include "shlo/module.h"
#include "shlo/shlo_writer.h"
#include "shlo/source.h"
#include "shlo/text_writer.h"
#include "shlo/trace.h"

namespace shlo {

enum class Format : uint8_t { kText, kShlo, kMlirBytecode };
std::string_view FormatName(Format format);  // "text", "shlo", "mlirbc"

// The format of a file by its first bytes. What has no magic number is text.
Format DetectFormat(std::string_view bytes);

// A program and where it came from.
struct Program {
  Module module;
  Source source;
};

struct ReadOptions {
  std::string source_name = "<input>";  // ReadProgramFile puts the path here
  Version version;                      // of a text that does not state its own; artifacts state theirs
  uint32_t first_line = 1;              // of a text
  bool allow_empty = false;             // a text without ops is an empty program, not an error
  std::string implicit_locations;       // see TextReadOptions
  uint32_t max_depth = 500;             // nesting of regions, types and attributes
  uint64_t max_unpacked = 1ull << 32;   // bytes of booleans that were stored as bits
  PoolCache* cache = nullptr;           // where modules take their memory from; must outlive them
  Trace trace;
};

// Reads one program. Constants are views into `bytes`, which `owner` keeps alive. What is unusual but
// readable is added to `warnings`, which may be null.
Result<Program> ReadProgram(std::string_view bytes, Buffer owner, const ReadOptions& options = {},
                            Diagnostics* warnings = nullptr);

// Reads every program: those of a text divided by `// -----`, or the one of an artifact. Those that cannot be
// read are left out, and `errors` says why.
std::vector<Program> ReadPrograms(std::string_view bytes, Buffer owner, const ReadOptions& options,
                                  Diagnostics* errors, Diagnostics* warnings = nullptr);

// Reads the one program of a file ("-": stdin). Several are an error (kUsage).
Result<Program> ReadProgramFile(const std::string& path, const ReadOptions& options = {},
                                Diagnostics* warnings = nullptr);

// Options of the format that is written count; `source` is that of the program, whatever they say.
struct WriteOptions {
  Format format = Format::kText;
  TextWriteOptions text;
  ShloWriteOptions shlo;
  MlirBytecodeWriteOptions bytecode;
};

// The bytes of a program in a format.
Result<std::string> WriteProgram(const Program& program, const WriteOptions& options = {});

// Writes a file ("-": stdout) by way of a temporary file next to it, so that no reader ever sees a part of
// it. Returns its size. Artifacts are streamed: constants are not copied.
Result<uint64_t> WriteProgramFile(const Program& program, const std::string& path,
                                  const WriteOptions& options = {});

}  // namespace shlo
