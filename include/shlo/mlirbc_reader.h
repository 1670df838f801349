// MLIR bytecode -> Module: portable artifacts (bytecode that holds VHLO) of every release, and bytecode that
// holds StableHLO as it is. The format is docs/mlir-bytecode.md. Mirrored by mlirbc_writer.h. The bytes have
// no checksum: nothing in them is trusted before it is checked.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "shlo/diagnostics.h"
#include "shlo/limits.h"
#include "shlo/module.h"
#include "shlo/source.h"
#include "shlo/trace.h"

namespace shlo {

// Returns whether the bytes begin with the magic number of MLIR bytecode.
bool IsMlirBytecode(std::string_view bytes);

// Options of ReadMlirBytecode and InspectMlirBytecode.
struct MlirBytecodeReadOptions {
  std::string source_name = "<input>";  // file name of diagnostics and of the Source
  Limits limits;                        // depth, memory of unpacked booleans, deadline
  Trace trace;                          // receives each attribute and type
};

// Reads a program. Constants are views into `bytes`, which `owner` keeps alive; only bit-packed booleans are
// copied. Warnings about unusual files are added to `warnings`; `source` receives the producer. Both may be
// null.
Result<Module> ReadMlirBytecode(std::string_view bytes, Buffer owner,
                                const MlirBytecodeReadOptions& options = {}, Diagnostics* warnings = nullptr,
                                Source* source = nullptr);

// Returns the release in the producer of a portable artifact ("1.9.0" of "StableHLO_v1.9.0"): the text up to
// the end of the producer; "" if the bytes are not a portable artifact.
std::string_view PortableArtifactVersion(std::string_view bytes);

// A section of a file (docs/mlir-bytecode.md, "The file").
struct MlirBytecodeSection {
  std::string name;     // what the section holds: "strings", "operations", ...
  uint64_t offset = 0;  // of its content, from the start of the file
  uint64_t size = 0;    // bytes of its content
};
// A dialect in the dialect section of a file.
struct MlirBytecodeDialect {
  std::string name;                     // its namespace, such as "vhlo"
  uint64_t version_size = 0;            // bytes of its version; 0: none
  std::vector<std::string> operations;  // names without the dialect
};
// Information that a file states about itself, available without reading its program.
struct MlirBytecodeInfo {
  uint64_t format = 0;                        // version of the bytecode format
  std::string producer;                       // "StableHLO_v1.9.0" for a portable artifact of that release
  Version version;                            // of a portable artifact of a known release; invalid otherwise
  std::vector<MlirBytecodeSection> sections;  // by offset; absent ones are not listed
  std::vector<MlirBytecodeDialect> dialects;  // in the order of the dialect section
  std::vector<std::string> strings;           // the string section
  uint64_t attributes = 0;                    // number of distinct attributes
  uint64_t types = 0;                         // number of distinct types
};
// Reads the header, the strings, the dialects and the sizes of the other sections, even if the program cannot
// be read. Only `source_name` of the options applies. Fails as ReadMlirBytecode does if these are damaged.
Result<MlirBytecodeInfo> InspectMlirBytecode(std::string_view bytes,
                                             const MlirBytecodeReadOptions& options = {});

}  // namespace shlo
