#include "archive/pack_format.h"

#include "base/format.h"
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <charconv>

#include "archive/limits.h"

namespace shlo::archive {
namespace {

constexpr std::string_view kPackEnding = ".pack";

template <typename T>
uint64_t ChecksumBefore(const T& value, size_t size) {
  return Checksum(BytesOf(value).substr(0, size));
}

}  // namespace

uint64_t Checksum(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

void Seal(PackHeader* header) {
  std::memcpy(header->magic, kPackMagic.data(), kPackMagic.size());
  header->format_version = kFormatVersion;
  header->checksum = ChecksumBefore(*header, offsetof(PackHeader, checksum));
}

void Seal(RecordHeader* header) {
  header->header_checksum = ChecksumBefore(*header, offsetof(RecordHeader, header_checksum));
}

void Seal(PackTrailer* trailer) {
  std::memcpy(trailer->magic, kTrailerMagic.data(), kTrailerMagic.size());
  trailer->checksum = ChecksumBefore(*trailer, offsetof(PackTrailer, checksum));
}

std::string Problem(const PackHeader& h) {
  if (std::string_view(h.magic, sizeof h.magic) != kPackMagic) return "not a pack";
  if (h.checksum != ChecksumBefore(h, offsetof(PackHeader, checksum))) return "the header is damaged";
  if (h.format_version != kFormatVersion)
    return StrFormat("the pack has format version {}, this release reads version {}", h.format_version,
                     kFormatVersion);
  if (h.flags & ~uint32_t(kAllPackFlags)) return "the pack has flags that this release does not know";
  if (h.sequence > kMaxNumber) return "the sequence number exceeds the limit";
  return "";
}

std::string Problem(const RecordHeader& h) {
  if (h.mark != kRecordMark ||
      h.header_checksum != ChecksumBefore(h, offsetof(RecordHeader, header_checksum)))
    return "the header of a record is damaged";
  const bool planes = h.planes == 1 || h.planes == 2 || h.planes == 4 || h.planes == 8;
  const bool kind = h.kind >= RecordKind::kData && h.kind <= RecordKind::kCensus;
  if (!kind || h.encoding > Encoding::kZstd || !planes || h.zero != 0)
    return "the header of a record has values that this release does not know";
  const bool raw = h.encoding == Encoding::kRaw;
  if (h.size > MaxContent(h.kind) || (raw && (h.stored != h.size || h.planes != 1)) ||
      (!raw && (h.stored == 0 || h.size > MaxContent(h.kind, h.stored))) || h.stored > 2 * MaxContent(h.kind))
    return "the header of a record has sizes that cannot be right";
  if ((h.kind == RecordKind::kEntry) != (h.ordinal != 0) || h.ordinal > kMaxNumber)
    return "the header of a record has no valid ordinal";
  return "";
}

uint64_t MaxContent(RecordKind kind) {
  if (kind == RecordKind::kData) return kMaxData;
  return kind == RecordKind::kList ? kMaxList : kMaxLine;
}

uint64_t MaxContent(RecordKind kind, uint64_t stored) {
  const uint64_t most = MaxContent(kind);
  if (stored >= most) return most;
  if (kind == RecordKind::kData) return std::min(most, kMaxRatio * stored);
  return std::min(most, std::max(kSmallLine, kMaxLineRatio * stored));
}

std::string Problem(const PackTrailer& t, uint64_t size) {
  if (std::string_view(t.magic, sizeof t.magic) != kTrailerMagic ||
      t.checksum != ChecksumBefore(t, offsetof(PackTrailer, checksum)))
    return "the trailer is damaged";
  constexpr uint64_t kAround = sizeof(PackHeader) + sizeof(PackTrailer);
  if (t.file_size != size || size < kAround || t.records > (size - kAround) / sizeof(RecordHeader) ||
      t.index_offset != size - sizeof(PackTrailer) - t.records * sizeof(RecordHeader))
    return "the trailer does not fit the size of the file";
  return "";
}

PackHash HashOf(const PackHeader& header, std::string_view index) {
  IdHasher hasher;
  hasher.Add(BytesOf(header));
  hasher.Add(index);
  const ContentId id = hasher.Finish();
  PackHash hash;
  std::copy_n(id.bytes.begin(), hash.size(), hash.begin());
  return hash;
}

std::string HashText(const PackHash& hash) {
  std::string text;
  for (const uint8_t byte : hash) text += StrFormat("{:02x}", byte);
  return text;
}

std::string PackName(uint64_t sequence) { return StrFormat("packs/{:010}{}", sequence, kPackEnding); }

uint64_t SequenceOf(std::string_view name) {
  if (!name.ends_with(kPackEnding)) return 0;
  name.remove_suffix(kPackEnding.size());
  uint64_t sequence = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), sequence);
  if (name.size() < 10 || error != std::errc() || end != name.data() + name.size() || sequence > kMaxNumber)
    return 0;
  // One number has one name.
  return PackName(sequence) == StrFormat("packs/{}{}", name, kPackEnding) ? sequence : 0;
}

}  // namespace shlo::archive
