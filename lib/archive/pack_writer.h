// Writes packs (docs/archive-format.md, section 3), which appear under their names when they are complete.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "archive/codec.h"
#include "archive/pack_reader.h"
#include "shlo/file_io.h"

namespace shlo::archive {

class PackWriter {
 public:
  // `path` must not exist when the pack is complete, unless it is a bundle's. `header` needs no checksum.
  static Result<std::unique_ptr<PackWriter>> Create(const std::string& path, const PackHeader& header);

  // Appends a record. `content_size` is the size before compression. Fails with kLimit for a content that is
  // too large; Finish reports that the disk is full.
  Result<void> Add(RecordKind kind, const ContentId& id, uint64_t content_size, const StoredContent& stored,
                   uint64_t ordinal = 0);
  // Appends a record as another pack has it.
  void Copy(const RecordHeader& header, std::string_view stored);
  // Writes index and trailer, syncs, and gives the file its name. Fails with kIo if that name exists.
  Result<void> Finish();

  // Returns the bytes that were written so far.
  uint64_t size() const { return offset_; }
  const PackHeader& header() const { return header_; }
  // Returns the records so far, and after Finish the pack hash.
  const std::vector<PackRecord>& records() const { return records_; }
  const PackHash& hash() const { return hash_; }

 private:
  PackWriter(const std::string& path, bool replace) : file_(path, Sync::kAlways, replace) {}

  OutputFile file_;
  PackHeader header_;
  std::vector<PackRecord> records_;
  PackHash hash_ = {};
  uint64_t offset_ = 0;
};

}  // namespace shlo::archive
