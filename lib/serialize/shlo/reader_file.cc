#include "serialize/shlo/reader_file.h"

#include <zstd.h>

#include <new>

#include "artifact_generated.h"
#include "base/format.h"
#include "base/try.h"
#include "base/workers.h"
#include "serialize/bits.h"
#include "serialize/shlo/writer_tables.h"

namespace shlo::format {

struct FileReader::Context {
  ZSTD_DCtx* zstd = ZSTD_createDCtx();
  ~Context() { ZSTD_freeDCtx(zstd); }
};

tl::unexpected<Diagnostics> Malformed(std::string_view section, std::string message, uint64_t offset) {
  Place place;
  place.section = section;
  place.offset = offset;
  return Error(Code::kMalformed, std::move(message), std::move(place));
}

tl::unexpected<Diagnostics> OutOfMemory(std::string_view section) {
  Place place;
  place.section = section;
  return Error(Code::kLimit, "unpacking would exceed the memory limit", std::move(place),
               "raise the limit: --max-memory (Limits::max_memory)");
}

bool SplitColumns(std::string_view bytes, std::span<uint64_t> header, std::span<Cursor> columns) {
  Cursor in(bytes);
  for (uint64_t& x : header) x = in.Varint();
  std::array<uint64_t, 16> sizes{};
  for (size_t i = 0; i < columns.size(); ++i) sizes[i] = in.Varint();
  for (size_t i = 0; i < columns.size(); ++i) columns[i] = Cursor(in.Bytes(sizes[i]));
  return in.done();
}

const artifact::Artifact* ParseHeader(const uint8_t* data, size_t size) {
  if (size < 8) return nullptr;
  flatbuffers::Verifier verifier(data, size);
  if (!verifier.VerifyBuffer<artifact::Artifact>(nullptr)) return nullptr;
  const artifact::Artifact* root = artifact::GetArtifact(data);
  // The verifier counts a vector of structs as one of pointers, and does not check the alignment of its
  // items.
  const auto fits = [&](const auto* vector, uint64_t item) {
    if (!vector || vector->size() == 0) return true;
    const uint64_t offset = uint64_t(vector->Data() - data);
    return offset % 8 == 0 && offset <= size && vector->size() <= (size - offset) / item;
  };
  const bool ok =
      fits(root->sections(), sizeof(artifact::Section)) && fits(root->pages(), sizeof(artifact::Chunk)) &&
      fits(root->debug_pages(), sizeof(artifact::Chunk)) && fits(root->payloads(), sizeof(artifact::Payload));
  return ok ? root : nullptr;
}

FileReader::FileReader(std::string_view bytes, Buffer owner, const ShloReadOptions& options)
    : bytes_(bytes), owner_(std::move(owner)), options_(options), memory_left_(options.limits.max_memory) {}
FileReader::~FileReader() = default;

bool FileReader::Take(uint64_t bytes) {
  if (bytes > memory_left_) return false;
  memory_left_ -= bytes;
  return true;
}

Result<void> FileReader::Open() {
  constexpr std::string_view kName = "preamble";
  if (!IsShlo(bytes_)) return Malformed(kName, "not a .shlo file: the magic number is missing", 0);
  if (bytes_.size() < kPreambleSize)
    return Malformed(kName,
                     StrFormat("file ends within its preamble, after {}", Count(bytes_.size(), "byte")),
                     bytes_.size());
  std::memcpy(&preamble_, bytes_.data(), kPreambleSize);
  const Preamble& p = preamble_;
  if (ChecksumOf(bytes_.substr(0, offsetof(Preamble, checksum))) != p.checksum)
    return Error(Code::kChecksum, "preamble checksum mismatch", {.section = std::string(kName)});
  if (p.format_version != kFormatVersion)
    return Error(p.format_version > kFormatVersion ? Code::kNewerVersion : Code::kUnknownVersion,
                 StrFormat("unknown .shlo format version {}; this reader supports version {}",
                           p.format_version, kFormatVersion),
                 {.section = std::string(kName)}, "update shlo-compat");
  if (p.program_version > kCurrentVersion.n)
    return Error(Code::kNewerVersion,
                 StrFormat("program version {} is newer than {}, the newest known version", p.program_version,
                           VersionName(kCurrentVersion)),
                 {.section = std::string(kName)}, "ask the producer for an older target");
  if (!FindVersion(Version{uint16_t(p.program_version)}))
    return Error(Code::kUnknownVersion, StrFormat("unknown program version {}", p.program_version),
                 {.section = std::string(kName)});
  if (p.flags & ~uint32_t(kAllFlags) || p.zero) return Malformed(kName, "unknown flags are set", 16);
  if (p.file_size != bytes_.size())
    return Malformed(
        kName,
        StrFormat("expected a file of {}, got {}", Count(p.file_size, "byte"), Count(bytes_.size(), "byte")),
        40);
  if (p.header_offset != kPreambleSize || p.header_size > bytes_.size() - kPreambleSize)
    return Malformed(kName, "header is not within the file", 24);

  const std::string_view header = bytes_.substr(kPreambleSize, p.header_size);
  if (ChecksumOf(header) != p.header_checksum)
    return Error(Code::kChecksum, "header checksum mismatch", {.section = "header"});
  if (!Take(header.size())) return OutOfMemory("header");
  header_words_.resize(header.size() / 8 + 1);
  std::memcpy(header_words_.data(), header.data(), header.size());
  const auto* data = reinterpret_cast<const uint8_t*>(header_words_.data());
  header_ = ParseHeader(data, header.size());
  if (!header_) return Malformed("header", "header is not a valid FlatBuffers table");
  context_ = std::make_unique<Context>();
  if (!context_->zstd) return OutOfMemory("header");
  SHLO_TRY(ReadOutsideTable());
  SHLO_TRY(ReadBitsTable());
  return CheckLayout();
}

Result<void> FileReader::ReadOutsideTable() {
  const auto* const table = header_->outside();
  const bool stated = (preamble_.flags & kOutside) != 0;
  if (stated != (table && table->size() > 0))
    return Malformed("header", "the list of constants outside does not match the flags");
  if (!stated) return {};
  for (const artifact::Outside* entry : *table) {
    const uint64_t number = entry->payload(), last = outside_.empty() ? 0 : outside_.rbegin()->first + 1;
    if (!header_->payloads() || number <= last || number > header_->payloads()->size() || !entry->sha256() ||
        entry->sha256()->size() != sizeof(Sha256) || !entry->file() || !entry->key())
      return Malformed("header", "the list of constants outside is malformed");
    OutsideConstant& constant = outside_[uint32_t(number - 1)];
    std::memcpy(constant.sha256.data(), entry->sha256()->data(), constant.sha256.size());
    constant.size = header_->payloads()->Get(uint32_t(number - 1))->size();
    constant.file = entry->file()->str();
    constant.key = entry->key()->str();
  }
  return {};
}

Result<void> FileReader::ReadBitsTable() {
  const auto* const table = header_->bits();
  if (((preamble_.flags & kBits) != 0) != (table && table->size() > 0))
    return Malformed("header", "the list of constants of bits does not match the flags");
  if (!table) return {};
  for (const uint32_t number : *table) {
    const bool ascends = number > (bits_.empty() ? 0 : *bits_.rbegin() + 1);
    if (!ascends || !header_->payloads() || number > header_->payloads()->size() ||
        outside_.contains(number - 1))
      return Malformed("header", "the list of constants of bits is malformed");
    bits_.insert(number - 1);
  }
  return {};
}

uint64_t FileReader::PackedSize(uint32_t index) const {
  const uint64_t size = header_->payloads()->Get(index)->size();
  return bits_.contains(index) ? BytesOfBits(size) : size;
}

bool FileReader::IsRaw(uint32_t index) const {
  const artifact::Payload& payload = *header_->payloads()->Get(index);
  return !bits_.contains(index) && payload.stored_size() == payload.size();
}

const artifact::Chunk* FileReader::Section(SectionId id) const {
  for (const artifact::Section* section : *header_->sections())
    if (section->id() == id) return &section->chunk();
  return nullptr;
}

// Every byte after the header is part of a chunk or a zero between constants.
Result<void> FileReader::CheckLayout() {
  const artifact::Artifact& h = *header_;
  if (!h.sections() || !h.pages() || !h.debug_pages() || !h.payloads() || !h.content_hash() || !h.producer())
    return Malformed("header", "header table is missing");
  const size_t num_sections = has_debug() ? kSections.size() : kNumProgramSections;
  if (h.sections()->size() != num_sections) return Malformed("header", "unexpected number of sections");
  if (h.debug_pages()->size() != (has_debug() ? h.pages()->size() : 0))
    return Malformed("header", "numbers of pages and debug pages differ");

  uint64_t end = kPreambleSize + preamble_.header_size;
  const auto place = [&](uint64_t offset, uint64_t stored_size, uint64_t size) {
    const bool ok = offset == end && stored_size <= bytes_.size() - offset && stored_size <= size &&
                    (size == stored_size || size / kMaxRatio <= stored_size);
    if (ok) end = offset + stored_size;
    return ok;
  };
  const auto chunk = [&](const artifact::Chunk& c) {
    return c.offset() <= bytes_.size() && place(c.offset(), c.stored_size(), c.size());
  };
  for (size_t i = 0; i < num_sections; ++i) {
    const artifact::Section& section = *h.sections()->Get(uint32_t(i));
    if (section.id() != kSections[i]) return Malformed("header", "unknown section, or sections out of order");
    if (i == kNumProgramSections)
      for (const artifact::Chunk* c : *h.pages())
        if (!chunk(*c)) return Malformed("header", "page is not at the expected offset");
    if (!chunk(section.chunk()))
      return Malformed("header",
                       StrFormat("section {} is not at the expected offset", SectionName(section.id())));
  }
  if (!has_debug())
    for (const artifact::Chunk* c : *h.pages())
      if (!chunk(*c)) return Malformed("header", "page is not at the expected offset");
  for (const artifact::Chunk* c : *h.debug_pages())
    if (!chunk(*c)) return Malformed("header", "debug page is not at the expected offset");
  for (uint32_t i = 0; i < h.payloads()->size(); ++i) {
    const artifact::Payload* const p = h.payloads()->Get(i);
    if (outside_.contains(i)) {
      if (p->offset() || p->stored_size() || p->checksum() || !p->size())
        return Malformed("header", "a constant outside has a place in the file");
      continue;
    }
    const uint64_t gap_end = AlignUp(end);
    if (gap_end > bytes_.size()) return Malformed("header", "constant is not within the file");
    for (; end < gap_end; ++end)
      if (bytes_[end] != 0) return Malformed("constants", "padding between constants is not zero", end);
    const uint64_t packed = PackedSize(i);
    if (p->offset() > bytes_.size() || !place(p->offset(), p->stored_size(), packed))
      return Malformed("header", "constant is not at the expected offset");
    if (p->stored_size() == packed && p->checksum())
      return Malformed("header", "uncompressed constant has a checksum");
  }
  if (end != bytes_.size()) return Malformed("header", "trailing bytes after the last chunk", end);
  return {};
}

Result<Content> FileReader::Decompress(std::string_view stored, uint64_t size, std::string_view name,
                                       uint64_t offset) {
  if (ZSTD_getFrameContentSize(stored.data(), stored.size()) != size ||
      ZSTD_findFrameCompressedSize(stored.data(), stored.size()) != stored.size())
    return Malformed(name, "expected one zstd frame of the size stated in the header", offset);
  if (!Take(size)) return OutOfMemory(name);
  std::shared_ptr<char[]> memory(new (std::nothrow) char[size]);
  if (!memory) return OutOfMemory(name);
  const size_t got = ZSTD_decompressDCtx(context_->zstd, memory.get(), size, stored.data(), stored.size());
  if (got != size) return Malformed(name, "zstd frame is damaged", offset);
  return Content{{memory.get(), size}, memory};
}

Result<Content> FileReader::Unpack(std::string_view bits, uint64_t count, uint64_t offset) {
  if (count % 8 && uint8_t(bits.back()) >> count % 8)
    return Malformed("constants", "bits after the last element are not 0", offset);
  if (!Take(count)) return OutOfMemory("constants");
  std::shared_ptr<char[]> memory(new (std::nothrow) char[count]);
  if (!memory) return OutOfMemory("constants");
  UnpackBits(bits, count, memory.get());
  return Content{{memory.get(), count}, memory};
}

Result<Content> FileReader::Load(const artifact::Chunk& chunk, std::string_view name) {
  const std::string_view stored = bytes_.substr(chunk.offset(), chunk.stored_size());
  if (ChecksumOf(stored) != chunk.checksum())
    return Error(Code::kChecksum, StrFormat("section {} checksum mismatch", name),
                 {.section = std::string(name), .offset = 0});
  if (chunk.stored_size() == chunk.size()) return Content{stored, owner_};
  return Decompress(stored, chunk.size(), name, 0);
}

namespace {

constexpr std::string_view kConstants = "constants";

tl::unexpected<Diagnostics> Changed(const artifact::Payload& payload) {
  return Error(Code::kChecksum, "constant hash mismatch",
               {.section = std::string(kConstants), .offset = payload.offset()});
}

bool IsUnchanged(std::string_view bytes, const artifact::Payload& payload) {
  return HashOf(bytes) == Hash{payload.hash().low(), payload.hash().high()};
}

}  // namespace

Result<void> FileReader::CheckHashes(const std::vector<uint32_t>& indices) const {
  std::vector<char> unchanged(indices.size());
  const auto payload = [&](size_t i) -> const artifact::Payload& {
    return *header_->payloads()->Get(indices[i]);
  };
  RunParts(indices.size(), NumThreads(options_.limits.threads), [&](size_t i) {
    unchanged[i] = IsUnchanged(bytes_.substr(payload(i).offset(), payload(i).size()), payload(i));
  });
  for (size_t i = 0; i < indices.size(); ++i)
    if (!unchanged[i]) return Changed(payload(i));
  return {};
}

Result<Content> FileReader::LoadPayload(uint32_t index, bool verify) {
  const artifact::Payload& payload = *header_->payloads()->Get(index);
  const std::string_view stored = bytes_.substr(payload.offset(), payload.stored_size());
  Content content{stored, owner_};
  if (const auto outside = outside_.find(index); outside != outside_.end()) {
    auto found = SHLO_TRY(ReadOutside(options_.outside, outside->second));
    content = {found.bytes, std::move(found.owner)};
  } else if (const uint64_t packed = PackedSize(index); payload.stored_size() != packed) {
    if (verify && ChecksumOf(stored) != payload.checksum()) return Changed(payload);
    content = SHLO_TRY(Decompress(stored, packed, kConstants, payload.offset()));
  }
  if (bits_.contains(index)) {
    content = SHLO_TRY(Unpack(content.bytes, payload.size(), payload.offset()));
  }
  if (verify && !IsUnchanged(content.bytes, payload)) return Changed(payload);
  return content;
}

}  // namespace shlo::format
