#include "ir/mapped_bytes.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <map>
#include <mutex>

namespace shlo {
namespace {

struct Mappings {
  std::mutex mutex;
  std::map<uintptr_t, size_t> sizes;  // by address
};

Mappings& AllMappings() {
  static Mappings* const mappings = new Mappings;  // never destroyed: files may be closed at exit
  return *mappings;
}

}  // namespace

void AddMapping(const void* data, size_t size) {
  Mappings& all = AllMappings();
  const std::lock_guard lock(all.mutex);
  all.sizes[reinterpret_cast<uintptr_t>(data)] = size;
}

void RemoveMapping(const void* data) {
  Mappings& all = AllMappings();
  const std::lock_guard lock(all.mutex);
  all.sizes.erase(reinterpret_cast<uintptr_t>(data));
}

void ReleasePages(std::string_view bytes) {
  static const uintptr_t page = uintptr_t(::sysconf(_SC_PAGESIZE));
  const uintptr_t first = reinterpret_cast<uintptr_t>(bytes.data());
  const uintptr_t begin = (first + page - 1) / page * page, end = (first + bytes.size()) / page * page;
  if (begin >= end) return;
  Mappings& all = AllMappings();
  // Under the lock, so that the file stays mapped.
  const std::lock_guard lock(all.mutex);
  auto mapping = all.sizes.upper_bound(first);
  if (mapping == all.sizes.begin()) return;
  --mapping;
  if (first - mapping->first < mapping->second && bytes.size() <= mapping->second - (first - mapping->first))
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
