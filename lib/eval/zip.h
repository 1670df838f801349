// ZIP archives, as far as NumPy uses them: stored and deflated members, ZIP64, no encryption, one file.
// Internal to lib/eval.
//
//   local header, name, extra, data      per member; the sizes in here are not used
//   central header, name, extra, comment per member: sizes, checksum, place of the local header
//   ZIP64 end of directory, its locator  if a size or place does not fit in 32 bits, or a count in 16
//   end of directory                     place and size of the central headers
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "shlo/diagnostics.h"
#include "shlo/node_table.h"
#include "shlo/sink.h"

namespace shlo {

struct ZipMember {
  std::string name;
  std::string_view bytes;  // decompressed
  Buffer owner;            // of the bytes; the archive's, if they are stored
};

bool IsZip(std::string_view bytes);
// Reads all members. Decompressing more than `max_memory` bytes in all is an error.
Result<std::vector<ZipMember>> ReadZip(std::string_view bytes, const Buffer& owner, uint64_t max_memory);

struct NewMember {
  std::string name;
  uint64_t size = 0;
  std::function<bool(const Sink&)> write;  // passes on the bytes; is called twice, first for the checksum
};

// Writes an archive of stored members. Returns false if the sink stopped.
bool WriteZip(const std::vector<NewMember>& members, const Sink& sink);

}  // namespace shlo
