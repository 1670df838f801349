// MLIR bytecode -> Module: portable artifacts (bytecode that holds VHLO) of every release, and bytecode that
// holds StableHLO as it is. The format is docs/mlir-bytecode.md. Mirrored by mlirbc_writer.h. The bytes have
// no checksum: nothing in them is trusted before it is checked.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "shlo/diagnostics.h"
#include "shlo/module.h"
#include "shlo/source.h"
#include "shlo/trace.h"

namespace shlo {

// Returns whether the bytes begin with the magic number of MLIR bytecode.
bool IsMlirBytecode(std::string_view bytes);

struct MlirBytecodeReadOptions {
  std::string source_name = "<input>";
  uint32_t max_depth = 500;            // nesting of regions, types and attributes
  uint64_t max_unpacked = 1ull << 32;  // memory limit for unpacking bit-packed booleans, in bytes
  PoolCache* cache = nullptr;          // where the module takes its memory from; must outlive it
  Trace trace;
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

struct MlirBytecodeSection {
  std::string name;
  uint64_t offset = 0;  // of its content, from the start of the file
  uint64_t size = 0;
};
struct MlirBytecodeDialect {
  std::string name;
  uint64_t version_size = 0;            // bytes of its version; 0: none
  std::vector<std::string> operations;  // names without the dialect
};
// Information that a file states about itself, available without reading its program.
struct MlirBytecodeInfo {
  uint64_t format = 0;
  std::string producer;
  Version version;  // of a portable artifact of a known release; invalid otherwise
  std::vector<MlirBytecodeSection> sections;
  std::vector<MlirBytecodeDialect> dialects;
  std::vector<std::string> strings;
  uint64_t attributes = 0;
  uint64_t types = 0;
};
Result<MlirBytecodeInfo> InspectMlirBytecode(std::string_view bytes,
                                             const MlirBytecodeReadOptions& options = {});

}  // namespace shlo
