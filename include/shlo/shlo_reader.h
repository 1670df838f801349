// `.shlo` bytes -> Module. The format is docs/shlo-format.md. Mirrored by shlo_writer.h. Nothing in the
// bytes is trusted before it is checked.
#pragma once

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

// Returns whether the bytes begin with the magic number of a .shlo file.
bool IsShlo(std::string_view bytes);

// Options of ReadShlo and InspectShlo.
struct ShloReadOptions {
  std::string source_name = "<input>";  // file name of diagnostics and of the Source
  Limits limits;                        // depth, memory of decoded sections, deadline
  bool verify_checksums = true;         // of constants, and the content hash; all others are always checked
  std::vector<std::string> functions;   // names of functions to read; empty: all
  FindOutside outside;                  // finds constants that the file does not have
  Trace trace;                          // receives each attribute and type
};

// Reads a program. Constants are views into `bytes`, which `owner` keeps alive, unless they are compressed.
// `source`, if given, receives the file's origin.
Result<Module> ReadShlo(std::string_view bytes, Buffer owner, const ShloReadOptions& options = {},
                        Source* source = nullptr);

// A section of a file (docs/shlo-format.md, "Sections"), or all chunks of one kind together.
struct ShloSection {
  std::string name;          // its content: "strings", "constants", ...
  uint64_t offset = 0;       // bytes from the start of the file
  uint64_t stored_size = 0;  // bytes in the file
  uint64_t size = 0;         // bytes after decompression
  uint64_t checksum = 0;     // XXH3 of the stored bytes; 0 for several chunks, which have one each
};
// An entry of the function table.
struct ShloFunction {
  std::string name;  // symbol name
  uint64_t ops = 0;  // including nested regions
};
// Facts about a file, available without decoding constants.
struct ShloInfo {
  uint32_t format_version = 0;           // of the container
  Version version;                       // of the program
  std::string producer;                  // what wrote the file
  std::string content_hash;              // hex; depends on the program, not on the compression
  std::string certificate;               // that the file carries (shlo/certificate.h); "" for none
  std::vector<OutsideConstant> outside;  // constants that the file does not have
  std::vector<ShloSection> sections;     // in the order of the header's lists
  std::vector<ShloFunction> functions;   // in program order
  std::vector<std::string> strings;      // the string table
};
// Reads the header, the strings and the function table. Fails as ReadShlo does if these are damaged.
Result<ShloInfo> InspectShlo(std::string_view bytes, const ShloReadOptions& options = {});

}  // namespace shlo
