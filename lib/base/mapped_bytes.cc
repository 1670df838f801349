#include "base/mapped_bytes.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <map>
#include <mutex>
#include <utility>

namespace shlo {
namespace {

struct Mapping {
  size_t size;
  int fd;
  std::string path;
};

struct Mappings {
  // Not held while mapped bytes are read, so that a handler of SIGBUS can wait for it.
  std::mutex mutex;
  std::map<uintptr_t, Mapping> all;  // by address
};

Mappings& AllMappings() {
  static Mappings* const mappings = new Mappings;  // never destroyed: files may be closed at exit
  return *mappings;
}

// Returns the mapping that holds these bytes, or null.
const Mapping* Find(const Mappings& mappings, uintptr_t at, size_t size) {
  auto found = mappings.all.upper_bound(at);
  if (found == mappings.all.begin()) return nullptr;
  --found;
  const size_t before = at - found->first;
  return before < found->second.size && size <= found->second.size - before ? &found->second : nullptr;
}

}  // namespace

void AddMapping(const void* data, size_t size, int fd, std::string path) {
  Mappings& mappings = AllMappings();
  const std::lock_guard lock(mappings.mutex);
  mappings.all[reinterpret_cast<uintptr_t>(data)] = {size, fd, std::move(path)};
}

void RemoveMapping(const void* data) {
  Mappings& mappings = AllMappings();
  const std::lock_guard lock(mappings.mutex);
  mappings.all.erase(reinterpret_cast<uintptr_t>(data));
}

const std::string* MappedAt(const void* address) {
  Mappings& mappings = AllMappings();
  const std::lock_guard lock(mappings.mutex);
  const Mapping* const found = Find(mappings, reinterpret_cast<uintptr_t>(address), 1);
  return found ? &found->path : nullptr;
}

std::string ShorterFile() {
  Mappings& mappings = AllMappings();
  const std::lock_guard lock(mappings.mutex);
  for (const auto& [begin, mapping] : mappings.all) {
    struct stat info;
    if (::fstat(mapping.fd, &info) == 0 && uint64_t(info.st_size) < mapping.size) return mapping.path;
  }
  return "";
}

void ReleasePages(std::string_view bytes) {
  static const uintptr_t page = uintptr_t(::sysconf(_SC_PAGESIZE));
  const uintptr_t first = reinterpret_cast<uintptr_t>(bytes.data());
  const uintptr_t begin = (first + page - 1) / page * page, end = (first + bytes.size()) / page * page;
  if (begin >= end) return;
  Mappings& mappings = AllMappings();
  // Under the lock, so that the file stays mapped.
  const std::lock_guard lock(mappings.mutex);
  if (Find(mappings, first, bytes.size()))
    ::madvise(const_cast<char*>(bytes.data()) + (begin - first), end - begin, MADV_DONTNEED);
}

bool EqualBytes(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  const char* other = b.data();
  return VisitPieces(a, [&](std::string_view piece) {
    const std::string_view counterpart(other, piece.size());
    const bool equal = piece == counterpart;
    other += piece.size();
    if (a.size() > piece.size()) ReleasePages(counterpart);
    return equal;
  });
}

}  // namespace shlo
