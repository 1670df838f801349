// For tests and fuzzing of the `.shlo` reader: repairs the checksums of damaged bytes, so that the damage
// reaches the code after the checks.
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "artifact_generated.h"
#include "serialize/shlo/format.h"
#include "serialize/shlo/reader_file.h"
#include "serialize/shlo/writer_tables.h"

namespace shlo {

inline void RepairChecksums(std::string* bytes) {
  using namespace format;
  if (bytes->size() < kPreambleSize) return;
  Preamble p;
  std::memcpy(&p, bytes->data(), sizeof p);
  std::memcpy(p.magic, kMagic.data(), kMagic.size());
  p.file_size = bytes->size();
  if (p.header_size <= bytes->size() - kPreambleSize) {
    std::string header = bytes->substr(kPreambleSize, p.header_size);
    std::vector<uint64_t> words(header.size() / 8 + 1);  // aligned
    std::memcpy(words.data(), header.data(), header.size());
    const auto* data = reinterpret_cast<const uint8_t*>(words.data());
    if (const artifact::Artifact* root = ParseHeader(data, header.size())) {
      // Damaged tables may overlap: reads use a copy while `header` is repaired.
      const auto repair = [&](const artifact::Chunk& chunk) {
        if (chunk.offset() > bytes->size() || chunk.stored_size() > bytes->size() - chunk.offset()) return;
        const artifact::Chunk good(
            chunk.offset(), chunk.stored_size(), chunk.size(),
            ChecksumOf(std::string_view(*bytes).substr(chunk.offset(), chunk.stored_size())));
        std::memcpy(header.data() + (reinterpret_cast<const uint8_t*>(&chunk) - data), &good, sizeof good);
      };
      if (root->sections())
        for (const artifact::Section* section : *root->sections()) repair(section->chunk());
      if (root->pages())
        for (const artifact::Chunk* chunk : *root->pages()) repair(*chunk);
      if (root->debug_pages())
        for (const artifact::Chunk* chunk : *root->debug_pages()) repair(*chunk);
      bytes->replace(kPreambleSize, header.size(), header);
    }
    p.header_checksum = ChecksumOf(header);
  }
  std::memcpy(bytes->data(), &p, sizeof p);
  p.checksum = ChecksumOf(std::string_view(*bytes).substr(0, offsetof(Preamble, checksum)));
  std::memcpy(bytes->data(), &p, sizeof p);
}

}  // namespace shlo
