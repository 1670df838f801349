// `.shlo` bytes -> Module. The format is docs/shlo-format.md. Mirrored by shlo_writer.h. Nothing in the
// bytes is trusted before it is checked.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "shlo/diagnostics.h"
#include "shlo/module.h"
#include "shlo/source.h"
#include "shlo/trace.h"

namespace shlo {

// Whether the bytes begin with the magic of a .shlo file.
bool IsShlo(std::string_view bytes);

struct ShloReadOptions {
  std::string source_name = "<input>";
  uint64_t max_memory = 1ull << 40;  // bytes of decoded sections; more is an error
  uint32_t max_depth = 500;
  bool verify_checksums = true;        // of constants, and the content hash; all others are always checked
  std::vector<std::string> functions;  // names of functions to read; empty: all
  PoolCache* cache = nullptr;          // where the module takes its memory from; must outlive it
  Trace trace;
};

// Reads a program. Constants are views into `bytes`, which `owner` keeps alive, where they are stored raw.
// `source`, when given, receives what the file says of its origin.
Result<Module> ReadShlo(std::string_view bytes, Buffer owner, const ShloReadOptions& options = {},
                        Source* source = nullptr);

struct ShloSection {
  std::string name;
  uint64_t offset = 0;       // bytes from the start of the file
  uint64_t stored_size = 0;  // bytes in the file
  uint64_t size = 0;         // bytes after decompression
  uint64_t checksum = 0;     // XXH3 of the stored bytes
};
struct ShloFunction {
  std::string name;
  uint64_t ops = 0;
};
// What a file says about itself, without decoding constants.
struct ShloInfo {
  uint32_t format_version = 0;
  Version version;
  std::string producer;
  std::string content_hash;  // hex; the same program gives the same hash whatever compressed it
  std::vector<ShloSection> sections;
  std::vector<ShloFunction> functions;
  std::vector<std::string> strings;  // the string table
};
Result<ShloInfo> InspectShlo(std::string_view bytes, const ShloReadOptions& options = {});

}  // namespace shlo
