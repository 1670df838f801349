// Reads packs (docs/archive-format.md, section 3). Nothing in them is trusted before it is checked. The
// records of a pack whose index is damaged are found by walking it.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "archive/pack_format.h"
#include "shlo/diagnostics.h"

namespace shlo::archive {

// Bytes at offsets: a file, or memory.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  virtual uint64_t size() const = 0;
  // Fills `size` bytes at `out`. Returns 0, or an errno; reading beyond the end is EIO.
  virtual int ReadAt(uint64_t offset, uint64_t size, char* out) const = 0;
};

// A source in memory, which must outlive it.
class MemorySource : public ByteSource {
 public:
  explicit MemorySource(std::string_view bytes) : bytes_(bytes) {}
  uint64_t size() const override { return bytes_.size(); }
  int ReadAt(uint64_t offset, uint64_t size, char* out) const override;

 private:
  std::string_view bytes_;
};

// An open file. Packs are read, not mapped: a network file system may lose one while it is used.
class FileSource : public ByteSource {
 public:
  // Fails with kIo. `error`, if given, receives the errno.
  static Result<std::shared_ptr<FileSource>> Open(const std::string& path, int* error = nullptr);
  explicit FileSource(int fd, uint64_t size) : fd_(fd), size_(size) {}
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;
  ~FileSource() override;
  uint64_t size() const override { return size_; }
  int ReadAt(uint64_t offset, uint64_t size, char* out) const override;

 private:
  const int fd_;
  const uint64_t size_;
};

// A record and its place.
struct PackRecord {
  uint64_t offset = 0;  // of its header in the pack
  RecordHeader header;
};

// Damage in a pack.
struct PackDamage {
  uint64_t offset = 0;
  std::string what;
};

// A pack's table of contents.
struct PackIndex {
  PackHeader header;
  PackHash hash = {};
  uint64_t size = 0;  // of the file
  std::vector<PackRecord> records;
  std::vector<PackDamage> damage;  // empty: header, index and trailer are intact
};

// Reads the table of contents. Damage is not an error; kIo and a newer format are. `name` is for diagnostics.
Result<PackIndex> ReadPackIndex(const ByteSource& pack, const std::string& name);

// Reads the stored bytes of a record, and compares them with their checksum; with `whole` also its header
// with the one in the file, of which the index has a copy. Fails with kChecksum or kIo, at its offset.
Result<std::string> ReadStored(const ByteSource& pack, const std::string& name, const PackRecord& record,
                               bool whole = false);
// Decodes them. Fails with kMalformed, at the record's offset.
Result<std::string> DecodeRecord(const std::string& name, const PackRecord& record, std::string stored);

}  // namespace shlo::archive
