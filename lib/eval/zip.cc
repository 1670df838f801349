#include "eval/zip.h"

#include <zlib.h>

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <unordered_set>

#include "base/deadline.h"
#include "base/format.h"
#include "base/try.h"
#include "base/utf8.h"

namespace shlo {
namespace {

constexpr uint32_t kLocal = 0x04034B50, kCentral = 0x02014B50, kEnd = 0x06054B50;
constexpr uint32_t kEnd64 = 0x06064B50, kLocator64 = 0x07064B50;
constexpr size_t kLocalSize = 30, kCentralSize = 46, kEndSize = 22, kEnd64Size = 56, kLocatorSize = 20;
constexpr uint32_t kSignature = 0x08074B50;  // of a descriptor; optional
constexpr uint16_t kExtra64 = 1, kExtraName = 0x7075;
constexpr uint64_t kNewest = 63;  // version of ZIP, in tenths
constexpr uint16_t kStored = 0, kDeflated = 8;
// Flags of members. Two more are options of deflate.
constexpr uint64_t kEncrypted = 1, kDescriptor = 8, kUtf8 = 0x800, kKnownFlags = kDescriptor | kUtf8 | 6;
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
  constexpr size_t kPiece = 1 << 20;
  for (; !bytes.empty(); bytes.remove_prefix(std::min(kPiece, bytes.size()))) {
    const std::string_view piece = bytes.substr(0, kPiece);
    Tick(piece.size() / 16);
    before = uint32_t(crc32_z(before, reinterpret_cast<const Bytef*>(piece.data()), piece.size()));
  }
  return before;
}

bool IsAscii(std::string_view name) {
  return std::ranges::all_of(name, [](char c) { return uint8_t(c) < 0x80; });
}

tl::unexpected<Diagnostics> Damaged(std::string_view name) {
  return Error(Code::kChecksum, StrFormat("'{}' in the ZIP archive is damaged", name));
}

struct Directory {
  uint64_t at = 0, size = 0, count = 0;
};

// Returns whether a field is `number`, or full because the number is in a field of ZIP64.
bool Says(std::string_view bytes, uint64_t at, size_t count, uint64_t number) {
  const uint64_t field = Get(bytes, at, count);
  return field == number || field == (1ull << (8 * count)) - 1;
}

// The end of the directory is the end of the file: after a comment, readers disagree about which end it is.
Result<Directory> FindDirectory(std::string_view bytes) {
  if (bytes.size() < kEndSize || Get(bytes, bytes.size() - kEndSize, 4) != kEnd)
    return BadArchive("the ZIP archive does not end with its directory");
  const uint64_t end = bytes.size() - kEndSize;
  Directory directory{Get(bytes, end + 16, 4), Get(bytes, end + 12, 4), Get(bytes, end + 10, 2)};
  uint64_t after = end;
  if (end >= kLocatorSize && Get(bytes, end - kLocatorSize, 4) == kLocator64) {
    const uint64_t end64 = Get(bytes, end - kLocatorSize + 8, 8);
    if (end < kLocatorSize + kEnd64Size || end64 != end - kLocatorSize - kEnd64Size ||
        Get(bytes, end64, 4) != kEnd64 || Get(bytes, end64 + 4, 8) != kEnd64Size - 12 ||
        Get(bytes, end64 + 16, 8) != 0 || Get(bytes, end64 + 24, 8) != Get(bytes, end64 + 32, 8))
      return BadArchive("malformed ZIP directory");
    directory = {Get(bytes, end64 + 48, 8), Get(bytes, end64 + 40, 8), Get(bytes, end64 + 32, 8)};
    after = end64;
  }
  // Parts on other disks, other counts or another size than those of the directory.
  if (!Says(bytes, end + 4, 2, 0) || !Says(bytes, end + 6, 2, 0) ||
      !Says(bytes, end + 8, 2, directory.count) || !Says(bytes, end + 10, 2, directory.count) ||
      !Says(bytes, end + 12, 4, directory.size) || !Says(bytes, end + 16, 4, directory.at) ||
      Get(bytes, end + 20, 2) != 0 || directory.at > after || directory.size != after - directory.at ||
      directory.count > directory.size / kCentralSize)
    return BadArchive("malformed ZIP directory");
  return directory;
}

// A member as a header describes it.
struct Entry {
  uint64_t version = 0, flags = 0, method = 0, checksum = 0, packed = 0, size = 0, local = 0;
  std::string_view name;
  uint64_t next = 0;  // place after the header

  bool has_descriptor() const { return (flags & kDescriptor) != 0; }
};

// Takes those numbers that are full from the field of ZIP64, which has them in this order. Returns false if
// the fields are malformed, or one of them could change the name.
bool TakeExtra(std::string_view rest, std::initializer_list<uint64_t*> numbers) {
  bool found = false;
  while (!rest.empty()) {
    const uint64_t id = Get(rest, 0, 2), size = Get(rest, 2, 2);
    if (rest.size() < 4 || size > rest.size() - 4 || id == kExtraName || (id == kExtra64 && found))
      return false;
    const std::string_view field = rest.substr(4, size);
    size_t from = 0;
    for (uint64_t* number : numbers)
      if (id == kExtra64 && *number == kFull) {
        if (field.size() - from < 8) return false;
        *number = Get(field, from, 8);
        from += 8;
      }
    found = found || id == kExtra64;
    rest.remove_prefix(4 + size);
  }
  for (const uint64_t* number : numbers)
    if (*number == kFull && !found) return false;
  return true;
}

// Reads the header at an offset: a central one, or the local one.
Result<Entry> ReadHeader(std::string_view bytes, uint64_t at, bool central) {
  const size_t fixed = central ? kCentralSize : kLocalSize;
  if (at > bytes.size() || bytes.size() - at < fixed || Get(bytes, at, 4) != (central ? kCentral : kLocal))
    return BadArchive("malformed ZIP directory");
  // Both have these fields, in the central one after the version that wrote it.
  const uint64_t common = at + (central ? 8 : 6);
  Entry entry{.version = Get(bytes, common - 2, 1),
              .flags = Get(bytes, common, 2),
              .method = Get(bytes, common + 2, 2),
              .checksum = Get(bytes, common + 8, 4),
              .packed = Get(bytes, common + 12, 4),
              .size = Get(bytes, common + 16, 4),
              .local = central ? Get(bytes, at + 42, 4) : at};
  const uint64_t name = Get(bytes, common + 20, 2), extra = Get(bytes, common + 22, 2),
                 comment = central ? Get(bytes, at + 32, 2) : 0;
  if (bytes.size() - at - fixed < name + extra + comment) return BadArchive("truncated ZIP directory");
  entry.name = bytes.substr(at + fixed, name);
  entry.next = at + fixed + name + extra + comment;
  const std::string_view fields = bytes.substr(at + fixed + name, extra);
  if (!(central ? TakeExtra(fields, {&entry.size, &entry.packed, &entry.local})
                : TakeExtra(fields, {&entry.size, &entry.packed})))
    return BadArchive(StrFormat("'{}' in the ZIP archive has malformed extra fields", entry.name));
  return entry;
}

// Fails if other readers might take another name, or none, from the header.
Result<void> CheckHeader(const Entry& entry) {
  if (entry.flags & kEncrypted) return Error(Code::kUnsupported, StrFormat("'{}' is encrypted", entry.name));
  if (entry.version > kNewest)
    return Error(Code::kUnsupported, StrFormat("'{}' in the ZIP archive needs a newer reader", entry.name));
  if (entry.flags & ~kKnownFlags)
    return Error(Code::kUnsupported, StrFormat("'{}' in the ZIP archive has unknown flags", entry.name));
  if (entry.name.find('\0') != entry.name.npos || (!IsAscii(entry.name) && !(entry.flags & kUtf8)) ||
      FirstNotUtf8(entry.name) != std::string_view::npos)
    return BadArchive("a name in the ZIP archive is not UTF-8 text");
  return {};
}

// Returns whether the bytes after a member say once more what the directory says.
bool IsDescriptor(std::string_view bytes, const Entry& entry) {
  if (bytes.size() % 8 == 0 && Get(bytes, 0, 4) == kSignature) bytes.remove_prefix(4);
  const size_t width = bytes.size() == 20 ? 8 : 4;
  return bytes.size() == 4 + 2 * width && Get(bytes, 0, 4) == entry.checksum &&
         Get(bytes, 4, width) == entry.packed && Get(bytes, 4 + width, width) == entry.size;
}

// Returns the bytes of a member as they are stored. They end where the next one begins, at `end`: bytes
// between members have no meaning, and bytes in two members have two.
Result<std::string_view> PackedBytes(std::string_view bytes, const Entry& entry, uint64_t end) {
  const auto differs = [&] {
    return BadArchive(
        StrFormat("the header of '{}' in the ZIP archive is not what the directory says", entry.name));
  };
  const auto header = ReadHeader(bytes, entry.local, /*central=*/false);
  if (!header) return differs();
  const auto agrees = [&](uint64_t number, uint64_t stated) {
    return number == stated || (entry.has_descriptor() && number == 0);
  };
  if (header->name != entry.name || header->flags != entry.flags || header->method != entry.method ||
      !agrees(header->checksum, entry.checksum) || !agrees(header->packed, entry.packed) ||
      !agrees(header->size, entry.size))
    return differs();
  if (header->next > end || entry.packed > end - header->next)
    return BadArchive(StrFormat("'{}' in the ZIP archive is truncated", entry.name));
  const uint64_t after = header->next + entry.packed;
  if (entry.has_descriptor() ? !IsDescriptor(bytes.substr(after, end - after), entry) : after != end)
    return BadArchive(StrFormat("the ZIP archive has bytes after '{}' that belong to no member", entry.name));
  return bytes.substr(header->next, entry.packed);
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
  // The end of the data is the end of the stream.
  if (status != Z_STREAM_END || done != out.size() || stream.avail_in != 0 || in != packed.size() ||
      Checksum(out) != entry.checksum)
    return Damaged(entry.name);
  return out;
}

}  // namespace

bool IsZip(std::string_view bytes) {
  return bytes.size() >= kEndSize && (Get(bytes, 0, 4) == kLocal || Get(bytes, 0, 4) == kEnd);
}

namespace {

// Reads the directory: members in its order, with different names.
Result<std::vector<Entry>> ReadEntries(std::string_view bytes, const Directory& directory) {
  std::vector<Entry> entries;
  std::unordered_set<std::string_view> names;
  uint64_t at = directory.at;
  for (uint64_t n = directory.count; n > 0; --n) {
    auto entry = SHLO_TRY(ReadHeader(bytes, at, /*central=*/true));
    SHLO_TRY(CheckHeader(entry));
    if (!names.insert(entry.name).second)
      return BadArchive(StrFormat("the ZIP archive has two members '{}'", entry.name));
    at = entry.next;
    entries.push_back(entry);
  }
  if (at != directory.at + directory.size) return BadArchive("malformed ZIP directory");
  return entries;
}

// Returns the bytes of a member, decompressed, with the checksum of the directory.
Result<ZipMember> ReadMember(std::string_view packed, const Entry& entry, const Buffer& owner,
                             uint64_t* max_memory) {
  ZipMember member{std::string(entry.name), packed, owner};
  if (entry.method == kStored) {
    if (entry.size != entry.packed)
      return BadArchive(StrFormat("sizes of '{}' in the ZIP archive differ", entry.name));
    if (Checksum(packed) != entry.checksum) return Damaged(entry.name);
    return member;
  }
  if (entry.method != kDeflated)
    return Error(Code::kUnsupported,
                 StrFormat("'{}' is compressed by the unknown method {}", entry.name, entry.method), {},
                 "write it with np.savez_compressed");
  // Deflate shrinks data by less than a factor of 1040, so a damaged size cannot ask for much memory.
  if (entry.size / 1040 > entry.packed)
    return BadArchive(StrFormat("'{}' in the ZIP archive has an impossible size", entry.name));
  if (entry.size > *max_memory)
    return Error(Code::kLimit,
                 StrFormat("'{}' has {}, which exceeds the memory limit of {} MiB", entry.name,
                           Count(entry.size, "byte"), *max_memory >> 20),
                 {}, "pass --max-memory to raise the limit");
  *max_memory -= entry.size;
  auto inflated = SHLO_TRY(Inflate(packed, entry));
  auto text = std::make_shared<const std::string>(std::move(inflated));
  member.bytes = *text;
  member.owner = std::move(text);
  return member;
}

}  // namespace

Result<std::vector<ZipMember>> ReadZip(std::string_view bytes, const Buffer& owner, uint64_t max_memory) {
  const auto directory = SHLO_TRY(FindDirectory(bytes));
  const auto entries = SHLO_TRY(ReadEntries(bytes, directory));
  // Where each member ends: where the next one begins, in the order of the file.
  std::vector<uint64_t> begins{directory.at};
  for (const Entry& entry : entries) begins.push_back(entry.local);
  std::ranges::sort(begins);
  if (begins[0] != 0 || std::ranges::adjacent_find(begins) != begins.end() || begins.back() != directory.at)
    return BadArchive("members of the ZIP archive overlap, or there are bytes before them");
  std::vector<ZipMember> members;
  for (const Entry& entry : entries) {
    const auto packed = SHLO_TRY(PackedBytes(bytes, entry, *std::ranges::upper_bound(begins, entry.local)));
    auto member = SHLO_TRY(ReadMember(packed, entry, owner, &max_memory));
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
    Put(common, IsAscii(member.name) ? 0 : kUtf8, 2), Put(common, 0, 2), Put(common, 0, 2),
        Put(common, 0x21, 2);
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
