#include "archive/pack_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "archive/codec.h"
#include "base/format.h"
#include "base/try.h"

namespace shlo::archive {
namespace {

tl::unexpected<Diagnostics> At(const std::string& name, Code code, uint64_t offset, std::string what) {
  return Error(code, std::move(what), {.file = name, .offset = offset});
}

tl::unexpected<Diagnostics> ReadFailure(const std::string& name, int error) {
  return Error(Code::kIo, StrFormat("cannot read: {}", strerror(error)), {.file = name});
}

template <typename T>
int ReadStruct(const ByteSource& pack, uint64_t offset, T* out) {
  return pack.ReadAt(offset, sizeof *out, reinterpret_cast<char*>(out));
}

// Finds the records by walking from one to the next. Returns an errno.
int Walk(const ByteSource& pack, uint64_t end, PackIndex* out) {
  uint64_t at = sizeof(PackHeader);
  while (at + sizeof(RecordHeader) <= end) {
    PackRecord record{at, {}};
    if (const int error = ReadStruct(pack, at, &record.header)) return error;
    const std::string problem = Problem(record.header);
    // The index begins with the header of the first record.
    if (!out->records.empty() && record.header == out->records[0].header) break;
    if (problem.empty() && record.header.stored > end - at - sizeof(RecordHeader)) {
      out->damage.push_back({at, "the pack ends within a record"});
      break;
    }
    if (!problem.empty()) {
      out->damage.push_back({at, problem});
      break;
    }
    out->records.push_back(record);
    at += sizeof(RecordHeader) + record.header.stored;
  }
  return 0;
}

// Reads the index that the trailer describes. Returns false with the damage noted if it is not usable.
Result<bool> ReadIndexed(const ByteSource& pack, const std::string& name, PackIndex* out) {
  PackTrailer trailer;
  const uint64_t size = pack.size();
  if (size < sizeof(PackHeader) + sizeof trailer) {
    out->damage.push_back({size, "the pack is cut short"});
    return false;
  }
  if (const int error = ReadStruct(pack, size - sizeof trailer, &trailer)) return ReadFailure(name, error);
  if (std::string problem = Problem(trailer, size); !problem.empty()) {
    out->damage.push_back({size - sizeof trailer, std::move(problem)});
    return false;
  }
  out->hash = trailer.hash;
  std::string index(trailer.records * sizeof(RecordHeader), '\0');
  if (const int error = pack.ReadAt(trailer.index_offset, index.size(), index.data()))
    return ReadFailure(name, error);
  if (Checksum(index) != trailer.index_checksum) {
    out->damage.push_back({trailer.index_offset, "the index is damaged"});
    return false;
  }
  uint64_t at = sizeof(PackHeader);
  std::vector<PackRecord> records(trailer.records);
  for (uint64_t i = 0; i < trailer.records; ++i) {
    PackRecord& record = records[i];
    std::memcpy(&record.header, index.data() + i * sizeof(RecordHeader), sizeof(RecordHeader));
    record.offset = at;
    const std::string problem = Problem(record.header);
    const uint64_t left = trailer.index_offset - at;
    if (!problem.empty() || left < sizeof(RecordHeader) ||
        left - sizeof(RecordHeader) < record.header.stored) {
      out->damage.push_back({trailer.index_offset, "the index does not fit the records"});
      return false;
    }
    at += sizeof(RecordHeader) + record.header.stored;
  }
  if (at != trailer.index_offset) {
    out->damage.push_back({at, "there are bytes between the records and the index"});
    return false;
  }
  if (HashOf(out->header, index) != trailer.hash)
    out->damage.push_back({size - sizeof trailer, "the pack hash does not match the header and the index"});
  out->records = std::move(records);
  return true;
}

}  // namespace

int MemorySource::ReadAt(uint64_t offset, uint64_t size, char* out) const {
  if (offset > bytes_.size() || size > bytes_.size() - offset) return EIO;
  std::memcpy(out, bytes_.data() + offset, size);
  return 0;
}

Result<std::shared_ptr<FileSource>> FileSource::Open(const std::string& path, int* error) {
  // A pipe that has the name of a pack must not be waited for.
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat info;
  int why = fd < 0 || ::fstat(fd, &info) != 0 ? errno : S_ISREG(info.st_mode) ? 0 : EINVAL;
  if (why != 0) {
    if (fd >= 0) ::close(fd);
    if (error) *error = why;
    return Error(Code::kIo, StrFormat("cannot open: {}", strerror(why)), {.file = path});
  }
  return std::make_shared<FileSource>(fd, uint64_t(info.st_size));
}

FileSource::~FileSource() { ::close(fd_); }

int FileSource::ReadAt(uint64_t offset, uint64_t size, char* out) const {
  if (offset > size_ || size > size_ - offset) return EIO;
  while (size > 0) {
    const ssize_t n = ::pread(fd_, out, std::min<uint64_t>(size, 1 << 30), off_t(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    if (n == 0) return EIO;  // it became shorter
    out += n;
    offset += uint64_t(n);
    size -= uint64_t(n);
  }
  return 0;
}

Result<PackIndex> ReadPackIndex(const ByteSource& pack, const std::string& name) {
  PackIndex out;
  out.size = pack.size();
  if (out.size < sizeof(PackHeader)) {
    out.damage.push_back({0, "the pack is cut short"});
    return out;
  }
  if (const int error = ReadStruct(pack, 0, &out.header)) return ReadFailure(name, error);
  if (std::string problem = Problem(out.header); !problem.empty()) {
    const bool newer = out.header.format_version > kFormatVersion && problem.starts_with("the pack has");
    if (newer || problem.find("does not know") != problem.npos)
      return Error(Code::kNewerVersion, std::move(problem), {.file = name}, "update shlo-compat");
    out.damage.push_back({0, std::move(problem)});
  }
  const auto indexed = SHLO_TRY(ReadIndexed(pack, name, &out));
  if (indexed) return out;
  if (const int error = Walk(pack, out.size, &out)) return ReadFailure(name, error);
  return out;
}

Result<std::string> ReadStored(const ByteSource& pack, const std::string& name, const PackRecord& record,
                               bool whole) {
  const RecordHeader& header = record.header;
  const uint64_t size = pack.size();
  if (record.offset > size || size - record.offset < sizeof header ||
      size - record.offset - sizeof header < header.stored)
    return At(name, Code::kChecksum, record.offset, "the pack is cut short");
  if (whole) {
    RecordHeader there;
    if (const int error = ReadStruct(pack, record.offset, &there)) return ReadFailure(name, error);
    if (there != header) return At(name, Code::kChecksum, record.offset, "the header of a record is damaged");
  }
  std::string stored(header.stored, '\0');
  if (const int error = pack.ReadAt(record.offset + sizeof header, stored.size(), stored.data()))
    return ReadFailure(name, error);
  if (Checksum(stored) != header.checksum)
    return At(name, Code::kChecksum, record.offset, "the bytes of a record are damaged");
  return stored;
}

Result<std::string> DecodeRecord(const std::string& name, const PackRecord& record, std::string stored) {
  if (record.header.encoding == Encoding::kRaw) return stored;
  auto content = DecodeContent(record.header, stored);
  if (!content) return At(name, Code::kMalformed, record.offset, content.error()[0].message);
  return content;
}

}  // namespace shlo::archive
