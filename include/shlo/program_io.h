// Reads and writes program files of any format, each in one call; conversion.h has the call between. The
// header of each format has its own options, such as which functions of a .shlo file to read.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shlo/diagnostics.h"
#include "shlo/file_io.h"
#include "shlo/limits.h"
#include "shlo/mlirbc_writer.h"
#include "shlo/program.h"
#include "shlo/shlo_writer.h"
#include "shlo/sink.h"
#include "shlo/text_writer.h"
#include "shlo/trace.h"

namespace shlo {

// File formats of programs. The last two are containers (shlo/container.h), which are read but not written
// here.
enum class Format : uint8_t { kText, kShlo, kMlirBytecode, kJaxExport, kSavedModel };
// Returns the name of a format: "text", "shlo", "mlirbc", "jax-export" or "saved-model".
std::string_view FormatName(Format format);

// Detects the format of a file by its first bytes. A file that nothing else recognizes is text.
Format DetectFormat(std::string_view bytes);
// Returns whether the content of a file is a program, complete or not, rather than any other text or data:
// artifacts and containers by their first bytes, a text by its first words after comments. For files that
// nobody names: DetectFormat takes everything else for a text.
bool LooksLikeProgram(std::string_view bytes);

// A file and its programs: of a text divided by `// -----`, of an artifact (one), or of a
// container.
struct ProgramFile {
  InputFile file;                 // as it was read
  Format format = Format::kText;  // of the file
  std::vector<Program> programs;  // in the order of the file
};

// Options of reading. Some apply to text only.
struct ReadOptions {
  std::string source_name = "<input>";  // ReadProgramFile puts the path here
  Version version;                      // of a text that does not state its version; artifacts always do
  uint32_t first_line = 1;              // of a text
  std::string program;                  // name of the program to read; empty: all, or the main one
  bool allow_empty = false;             // a text without ops is an empty program, not an error
  std::string implicit_locations;       // see TextReadOptions
  bool check_constants = true;          // compare the hashes of a .shlo's constants, which reads all of them
  Limits limits;                        // depth, memory of unpacked data, deadline
  FindOutside outside;                  // finds external constants of a .shlo or a text
  Trace trace;                          // receives each attribute and type
};

// Opens a file of programs, or the saved_model.pb in the folder of a SavedModel. Otherwise as OpenInput.
Result<InputFile> OpenProgramInput(const std::string& path, uint64_t copy_below = 0,
                                   uint64_t max_stream = kMaxStream);

// Reads one program. Constants are views into `bytes`, which `owner` keeps alive. Appends to `warnings`,
// which may be null, if the file is unusual but readable. In a container, reads the program
// `options.program`, or the only one; in a jax.export file, the function without its gradients.
Result<Program> ReadProgram(std::string_view bytes, Buffer owner, const ReadOptions& options = {},
                            Diagnostics* warnings = nullptr);

// Reads every program of a file. Programs with errors are omitted, and `errors`, which must not be null,
// explains why. A file that became shorter while it was read is an error, too (kIo).
ProgramFile ReadPrograms(InputFile file, const ReadOptions& options, Diagnostics* errors,
                         Diagnostics* warnings = nullptr);

// Reads the only program of a file ("-": stdin), or what ReadProgram reads of a container. It is an error
// (kUsage) if the file holds several.
Result<Program> ReadProgramFile(const std::string& path, const ReadOptions& options = {},
                                Diagnostics* warnings = nullptr);

// Options of writing. Of `text`, `shlo` and `bytecode`, only the written format's apply. Their source, limits
// and trace do not: the program's source and the members here replace these.
struct WriteOptions {
  Sync sync = Sync::kReplaced;        // see OutputFile
  Format format = Format::kText;      // not a container
  Limits limits;                      // deadline, threads, length of text
  Trace trace;                        // receives each attribute and type
  TextWriteOptions text;              // for kText
  ShloWriteOptions shlo;              // for kShlo
  MlirBytecodeWriteOptions bytecode;  // for kMlirBytecode
};

// Returns the bytes of a program in a format.
Result<std::string> WriteProgram(const Program& program, const WriteOptions& options = {});

// Likewise, in pieces: see WriteTextTo, WriteShloTo and WriteMlirBytecodeTo. Returns the size.
Result<uint64_t> WriteProgramTo(const Program& program, const WriteOptions& options, const Sink& sink);

// Writes a file ("-": stdout) through a temporary file next to it, so readers never see a partial file.
// Returns its size. The file is streamed without copying constants.
Result<uint64_t> WriteProgramFile(const Program& program, const std::string& path,
                                  const WriteOptions& options = {});

// Likewise, of one artifact, or of texts divided by `// -----`. `options` has an entry per program.
Result<uint64_t> WriteProgramsFile(std::span<const Program> programs, const std::string& path,
                                   std::span<const WriteOptions> options);

}  // namespace shlo
