// ZIP archives, as far as NumPy uses them: stored and deflated members, ZIP64, no encryption, one file.
// Internal to lib/eval.
//
//   local header, name, extra, data      per member, from the first byte on; says what the central header
//   says descriptor                           checksum and sizes of a member whose local header lacks them
//   central header, name, extra, comment per member: sizes, checksum, place of the local header
//   ZIP64 end of directory, its locator  if a size or place does not fit in 32 bits, or a count in 16
//   end of directory                     place and size of the central headers; the last 22 bytes
//
// Readers of ZIP differ in what they look at: the directory or local headers, the first or the last of two
// members with one name, the comment or the file's end. An archive is read only if it means the same to all:
// each byte belongs to one header or member, and headers agree.
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
// Reads all members, and compares their checksums. Decompressing more than `max_memory` bytes in all is an
// error.
Result<std::vector<ZipMember>> ReadZip(std::string_view bytes, const Buffer& owner, uint64_t max_memory);

struct NewMember {
  std::string name;
  uint64_t size = 0;
  std::function<bool(const Sink&)> write;  // passes on the bytes; is called twice, first for the checksum
};

// Writes an archive of stored members, whose names are UTF-8 of up to 65,535 bytes. Returns false if the sink
// stopped.
bool WriteZip(const std::vector<NewMember>& members, const Sink& sink);

}  // namespace shlo
