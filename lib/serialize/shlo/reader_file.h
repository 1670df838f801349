// The frame of a `.shlo` file for reading: preamble, header, layout and chunks, all checked. Their contents
// are decoded elsewhere.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string_view>
#include <vector>

#include "serialize/shlo/format.h"
#include "serialize/varint.h"
#include "shlo/diagnostics.h"
#include "shlo/node_table.h"
#include "shlo/shlo_reader.h"

namespace shlo::artifact {
struct Artifact;
struct Chunk;
struct Payload;
}  // namespace shlo::artifact

namespace shlo::format {

// The bytes of a chunk after decompression; if they are stored raw, `owner` is the file's.
struct Content {
  std::string_view bytes;
  Buffer owner;
};

class FileReader {
 public:
  FileReader(std::string_view bytes, Buffer owner, const ShloReadOptions& options);
  ~FileReader();

  // Checks preamble, header, the layout of the whole file and its padding. Must be called first.
  Result<void> Open();

  const Preamble& preamble() const { return preamble_; }
  const artifact::Artifact& header() const { return *header_; }
  // Returns null if the section does not exist.
  const artifact::Chunk* Section(SectionId id) const;
  bool has_debug() const { return preamble_.flags & kDebug; }
  // Returns whether a constant is in the file as it is in memory.
  bool IsRaw(uint32_t index) const;

  // Checks the checksum of a chunk and decompresses it.
  Result<Content> Load(const artifact::Chunk& chunk, std::string_view name);
  // As Load, by index; checks the hash, too. With verify_checksums off an uncompressed constant is not
  // checked. One outside of the file is looked for, and always compared with its SHA-256.
  Result<Content> LoadPayload(uint32_t index, bool verify);
  // Compares uncompressed constants with their hashes.
  Result<void> CheckHashes(const std::vector<uint32_t>& indices) const;
  // Returns the constants that lie outside, by the index of their payload.
  const std::map<uint32_t, OutsideConstant>& outside() const { return outside_; }
  // Reserves memory within the reader's limit; returns false if there is not enough.
  bool Take(uint64_t bytes);

 private:
  Result<void> ReadOutsideTable();
  Result<void> ReadBitsTable();
  // Returns the size of a constant before compression.
  uint64_t PackedSize(uint32_t index) const;
  Result<void> CheckLayout();
  Result<Content> Decompress(std::string_view stored, uint64_t size, std::string_view name, uint64_t offset);
  Result<Content> Unpack(std::string_view bits, uint64_t count, uint64_t offset);

  std::string_view bytes_;
  Buffer owner_;
  const ShloReadOptions& options_;
  uint64_t memory_left_;
  Preamble preamble_;
  std::vector<uint64_t> header_words_;  // aligned copy of the header
  const artifact::Artifact* header_ = nullptr;
  std::map<uint32_t, OutsideConstant> outside_;
  std::set<uint32_t> bits_;  // indices of constants stored as bits
  struct Context;
  std::unique_ptr<Context> context_;
};

// Returns the header, in memory aligned to 8 bytes; null if it is not a valid FlatBuffers table, or if a
// vector of structs does not fit or is not aligned, which the FlatBuffers verifier does not check.
const artifact::Artifact* ParseHeader(const uint8_t* data, size_t size);

// The parts of a chunk of columns. Reads header varints and sizes; returns false if they do not fill the
// bytes.
bool SplitColumns(std::string_view bytes, std::span<uint64_t> header, std::span<Cursor> columns);

tl::unexpected<Diagnostics> Malformed(std::string_view section, std::string message,
                                      uint64_t offset = Place::kNone);
tl::unexpected<Diagnostics> OutOfMemory(std::string_view section);

}  // namespace shlo::format
