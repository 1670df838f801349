// The structures of packs that readers and writers share (docs/archive-format.md, section 3).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "archive/content_id.h"

namespace shlo::archive {

inline constexpr std::string_view kPackMagic("\x89SHLA\r\n\x1a", 8);
inline constexpr std::string_view kTrailerMagic("\x89SHLZ\r\n\x1a", 8);
inline constexpr uint32_t kRecordMark = 0x524C4853;  // "SHLR"
inline constexpr uint32_t kFormatVersion = 1;
inline constexpr uint64_t kMaxData = uint64_t(4) << 20;   // bytes of the content of a data record
inline constexpr uint64_t kMaxList = uint64_t(64) << 20;  // of a list
inline constexpr uint64_t kMaxLine = uint64_t(16) << 20;  // of an entry or a census
// Of sizes before and after compression: of data, such as zeros, and of other records above kSmallLine bytes.
inline constexpr uint64_t kMaxRatio = 33000, kMaxLineRatio = 32;
inline constexpr uint64_t kSmallLine = uint64_t(64) << 10;
inline constexpr int kMaxListDepth = 4;

using PackHash = std::array<uint8_t, 16>;
using ArchiveId = std::array<uint8_t, 16>;

enum PackFlag : uint32_t { kBundle = 1, kThin = 2, kAllPackFlags = 3 };
enum class RecordKind : uint8_t { kData = 1, kList = 2, kEntry = 3, kCensus = 4 };
enum class Encoding : uint8_t { kRaw = 0, kZstd = 1 };
enum class PartCode : uint8_t { kLiteral = 0, kPiece = 1, kHexPiece = 2 };

struct PackHeader {
  char magic[8] = {};
  uint32_t format_version = 0;
  uint32_t flags = 0;
  ArchiveId archive = {};
  uint64_t sequence = 0;
  PackHash previous = {};
  uint64_t checksum = 0;
};
static_assert(sizeof(PackHeader) == 64);

struct RecordHeader {
  uint32_t mark = kRecordMark;
  RecordKind kind{};
  Encoding encoding{};
  uint8_t planes = 1;
  uint8_t zero = 0;
  uint64_t stored = 0;
  uint64_t size = 0;
  uint64_t ordinal = 0;
  ContentId id;
  uint64_t checksum = 0;
  uint64_t header_checksum = 0;
  friend bool operator==(const RecordHeader&, const RecordHeader&) = default;
};
static_assert(sizeof(RecordHeader) == 80 && offsetof(RecordHeader, id) == 32);

struct PackTrailer {
  char magic[8] = {};
  uint64_t index_offset = 0;
  uint64_t records = 0;
  uint64_t file_size = 0;
  uint64_t index_checksum = 0;
  PackHash hash = {};
  uint64_t checksum = 0;
};
static_assert(sizeof(PackTrailer) == 64);

template <typename T>
std::string_view BytesOf(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

// XXH3-64.
uint64_t Checksum(std::string_view bytes);

// Set the checksums of a structure.
void Seal(PackHeader* header);
void Seal(RecordHeader* header);
void Seal(PackTrailer* trailer);

// Return what is wrong with a structure by itself; "" for nothing. `size` is that of the file.
std::string Problem(const PackHeader& header);
std::string Problem(const RecordHeader& header);
std::string Problem(const PackTrailer& trailer, uint64_t size);

// Returns the most bytes that a record of a kind can have as its content; with `stored`, if it is compressed
// to that many bytes.
uint64_t MaxContent(RecordKind kind);
uint64_t MaxContent(RecordKind kind, uint64_t stored);

// The pack hash: of the header, and of the index, which is the headers of all records.
PackHash HashOf(const PackHeader& header, std::string_view index);
std::string HashText(const PackHash& hash);

// "packs/0000000017.pack".
std::string PackName(uint64_t sequence);
// Returns the sequence number of a name below packs/, or 0 if it is not that of a pack.
uint64_t SequenceOf(std::string_view name);

}  // namespace shlo::archive
