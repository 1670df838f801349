#include "eval/zip.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <limits>
#include <memory>

namespace shlo {
namespace {

constexpr uint32_t kLocal = 0x04034B50, kCentral = 0x02014B50, kEnd = 0x06054B50;
constexpr uint32_t kEnd64 = 0x06064B50, kLocator64 = 0x07064B50;
constexpr size_t kLocalSize = 30, kCentralSize = 46, kEndSize = 22, kEnd64Size = 56, kLocatorSize = 20;
constexpr uint16_t kExtra64 = 1;
constexpr uint32_t kFull = ~0u;  // the number is in the ZIP64 field
constexpr uint64_t kMost = kFull - 1;

tl::unexpected<Diagnostics> BadArchive(std::string message) {
  return Error(Code::kMalformed, std::move(message));
}

// Reads a little-endian number; 0 past the end, so callers check sizes first.
uint64_t Get(std::string_view bytes, size_t at, size_t count) {
  uint64_t value = 0;
  for (size_t i = 0; i < count && at < bytes.size() && i < bytes.size() - at; ++i)
    value |= uint64_t(uint8_t(bytes[at + i])) << (8 * i);
  return value;
}
void Put(std::string& out, uint64_t value, int count) {
  for (int i = 0; i < count; ++i) out += char(value >> (8 * i));
}

// `before`: that of the bytes before these.
uint32_t Checksum(std::string_view bytes, uint32_t before = 0) {
  return uint32_t(crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

struct Directory {
  uint64_t at = 0, count = 0;
};

Result<Directory> FindDirectory(std::string_view bytes) {
  // A comment of up to 65535 bytes may follow the end of the directory.
  const size_t first = bytes.size() < kEndSize + 0xFFFF ? 0 : bytes.size() - kEndSize - 0xFFFF;
  size_t end = bytes.size();
  if (bytes.size() >= kEndSize)
    for (size_t i = bytes.size() - kEndSize + 1; i-- > first && end == bytes.size();)
      if (Get(bytes, i, 4) == kEnd) end = i;
  if (end == bytes.size()) return BadArchive("ZIP archive has no directory");
  Directory directory{Get(bytes, end + 16, 4), Get(bytes, end + 10, 2)};
  if (end >= kLocatorSize && Get(bytes, end - kLocatorSize, 4) == kLocator64) {
    const uint64_t end64 = Get(bytes, end - kLocatorSize + 8, 8);
    if (end64 > bytes.size() || bytes.size() - end64 < kEnd64Size || Get(bytes, end64, 4) != kEnd64)
      return BadArchive("malformed ZIP directory");
    directory = {Get(bytes, end64 + 48, 8), Get(bytes, end64 + 32, 8)};
  }
  return directory;
}

// A member as its central header describes it.
struct Entry {
  uint64_t method = 0, checksum = 0, packed = 0, size = 0, local = 0;
  std::string_view name;
  size_t next = 0;  // place of the next header
};

Result<Entry> ReadEntry(std::string_view bytes, uint64_t at) {
  if (at > bytes.size() || bytes.size() - at < kCentralSize || Get(bytes, at, 4) != kCentral)
    return BadArchive("malformed ZIP directory");
  Entry entry{Get(bytes, at + 10, 2),
              Get(bytes, at + 16, 4),
              Get(bytes, at + 20, 4),
              Get(bytes, at + 24, 4),
              Get(bytes, at + 42, 4),
              {},
              0};
  const uint64_t name = Get(bytes, at + 28, 2), extra = Get(bytes, at + 30, 2),
                 comment = Get(bytes, at + 32, 2);
  const uint64_t flags = Get(bytes, at + 8, 2);
  if (bytes.size() - at - kCentralSize < name + extra + comment) return BadArchive("truncated ZIP directory");
  entry.name = bytes.substr(at + kCentralSize, name);
  entry.next = at + kCentralSize + name + extra + comment;
  if (flags & 1) return Error(Code::kUnsupported, fmt::format("'{}' is encrypted", entry.name));
  // The ZIP64 field has those numbers, in this order, that do not fit above.
  std::string_view rest = bytes.substr(at + kCentralSize + name, extra);
  while (rest.size() >= 4) {
    const uint64_t id = Get(rest, 0, 2), size = Get(rest, 2, 2);
    if (size > rest.size() - 4) break;
    size_t from = 0;
    const std::string_view field = rest.substr(4, size);
    if (id == kExtra64)
      for (uint64_t* number : {&entry.size, &entry.packed, &entry.local})
        if (*number == kFull && field.size() - from >= 8) {
          *number = Get(field, from, 8);
          from += 8;
        }
    rest.remove_prefix(4 + size);
  }
  return entry;
}

Result<std::string> Inflate(std::string_view packed, const Entry& entry) {
  std::string out(entry.size, '\0');
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return Error(Code::kLimit, "out of memory");
  const std::unique_ptr<z_stream, int (*)(z_stream*)> guard(&stream, inflateEnd);
  constexpr uint64_t kStep = 1 << 30;  // sizes of zlib have 32 bits
  int status = Z_OK;
  size_t in = 0, done = 0;
  while (status == Z_OK) {
    if (stream.avail_in == 0) {
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data() + in));
      stream.avail_in = uInt(std::min<uint64_t>(kStep, packed.size() - in));
      in += stream.avail_in;
    }
    const uInt room = uInt(std::min<uint64_t>(kStep, out.size() - done));
    stream.next_out = reinterpret_cast<Bytef*>(out.data() + done);
    stream.avail_out = room;
    status = inflate(&stream, Z_NO_FLUSH);
    done += room - stream.avail_out;
    if (status == Z_BUF_ERROR && stream.avail_in == 0 && in < packed.size()) status = Z_OK;
  }
  if (status != Z_STREAM_END || done != out.size() || Checksum(out) != entry.checksum)
    return Error(Code::kChecksum, fmt::format("'{}' in the ZIP archive is damaged", entry.name));
  return out;
}

}  // namespace

bool IsZip(std::string_view bytes) {
  return bytes.size() >= kEndSize && (Get(bytes, 0, 4) == kLocal || Get(bytes, 0, 4) == kEnd);
}

Result<std::vector<ZipMember>> ReadZip(std::string_view bytes, const Buffer& owner, uint64_t max_memory) {
  auto directory = FindDirectory(bytes);
  if (!directory) return tl::make_unexpected(directory.error());
  std::vector<ZipMember> members;
  uint64_t at = directory->at;
  for (uint64_t n = directory->count; n > 0; --n) {
    auto entry = ReadEntry(bytes, at);
    if (!entry) return tl::make_unexpected(entry.error());
    at = entry->next;
    if (entry->local > bytes.size() || bytes.size() - entry->local < kLocalSize ||
        Get(bytes, entry->local, 4) != kLocal)
      return BadArchive(fmt::format("'{}' is not in the ZIP archive", entry->name));
    const uint64_t start =
        entry->local + kLocalSize + Get(bytes, entry->local + 26, 2) + Get(bytes, entry->local + 28, 2);
    if (start > bytes.size() || entry->packed > bytes.size() - start)
      return BadArchive(fmt::format("'{}' in the ZIP archive is truncated", entry->name));
    const std::string_view packed = bytes.substr(start, entry->packed);
    ZipMember member{std::string(entry->name), packed, owner};
    if (entry->method == 0) {
      if (entry->size != entry->packed)
        return BadArchive(fmt::format("sizes of '{}' in the ZIP archive differ", entry->name));
    } else if (entry->method == 8) {
      // Deflate shrinks data by less than a factor of 1040, so a damaged size cannot ask for much memory.
      if (entry->size / 1040 > entry->packed)
        return BadArchive(fmt::format("'{}' in the ZIP archive has an impossible size", entry->name));
      if (entry->size > max_memory)
        return Error(Code::kLimit,
                     fmt::format("'{}' has {}, which exceeds the memory limit of {} MiB", entry->name,
                                 Count(entry->size, "byte"), max_memory >> 20),
                     {}, "pass --max-memory to raise the limit");
      max_memory -= entry->size;
      auto inflated = Inflate(packed, *entry);
      if (!inflated) return tl::make_unexpected(inflated.error());
      auto text = std::make_shared<const std::string>(std::move(*inflated));
      member.bytes = *text;
      member.owner = std::move(text);
    } else {
      return Error(Code::kUnsupported,
                   fmt::format("'{}' is compressed by the unknown method {}", entry->name, entry->method), {},
                   "write it with np.savez_compressed");
    }
    members.push_back(std::move(member));
  }
  return members;
}

namespace {

// Returns the ZIP64 numbers of a header: nothing if there are none.
std::string Extra(const std::string& numbers) {
  std::string field;
  if (!numbers.empty()) Put(field, kExtra64, 2), Put(field, numbers.size(), 2);
  return field + numbers;
}

std::string EndOfDirectory(uint64_t start, uint64_t size, uint64_t count) {
  std::string out;
  const bool many = count >= 0xFFFF, far = start > kMost;
  if (many || far) {
    Put(out, kEnd64, 4), Put(out, kEnd64Size - 12, 8), Put(out, 45, 2), Put(out, 45, 2), Put(out, 0, 8);
    Put(out, count, 8), Put(out, count, 8), Put(out, size, 8), Put(out, start, 8);
    Put(out, kLocator64, 4), Put(out, 0, 4), Put(out, start + size, 8), Put(out, 1, 4);
  }
  const uint64_t short_count = many ? 0xFFFF : count;
  Put(out, kEnd, 4), Put(out, 0, 4), Put(out, short_count, 2), Put(out, short_count, 2);
  Put(out, std::min<uint64_t>(size, kFull), 4), Put(out, far ? kFull : start, 4), Put(out, 0, 2);
  return out;
}

}  // namespace

bool WriteZip(const std::vector<NewMember>& members, const Sink& sink) {
  std::string directory;
  uint64_t at = 0;
  for (const NewMember& member : members) {
    uint32_t checksum = 0;
    member.write([&](std::string_view piece) {
      checksum = Checksum(piece, checksum);
      return true;
    });
    const bool large = member.size > kMost, far = at > kMost;
    const int version = large || far ? 45 : 20;
    std::string common;  // fields of both headers: flags, method, time, date, checksum, sizes, length of name
    Put(common, 0, 2), Put(common, 0, 2), Put(common, 0, 2), Put(common, 0x21, 2);
    Put(common, checksum, 4);
    Put(common, large ? kFull : member.size, 4), Put(common, large ? kFull : member.size, 4);
    Put(common, member.name.size(), 2);
    std::string sizes;
    if (large) Put(sizes, member.size, 8), Put(sizes, member.size, 8);
    const std::string local_extra = Extra(sizes);
    if (far) Put(sizes, at, 8);
    const std::string central_extra = Extra(sizes);
    Put(directory, kCentral, 4), Put(directory, uint64_t(version), 2), Put(directory, uint64_t(version), 2);
    directory += common;
    Put(directory, central_extra.size(), 2);
    Put(directory, 0, 2), Put(directory, 0, 2), Put(directory, 0, 2), Put(directory, 0, 4);
    Put(directory, far ? kFull : at, 4);
    directory.append(member.name).append(central_extra);
    std::string local;
    Put(local, kLocal, 4), Put(local, uint64_t(version), 2);
    local += common;
    Put(local, local_extra.size(), 2);
    local.append(member.name).append(local_extra);
    if (!sink(local) || !member.write(sink)) return false;
    at += local.size() + member.size;
  }
  return sink(directory + EndOfDirectory(at, directory.size(), members.size()));
}

}  // namespace shlo
