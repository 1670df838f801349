#include "base/mapped_bytes.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <map>
#include <mutex>
#include <utility>

#include "base/large_page.h"

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

void BytesRead::GiveBack() {
  constexpr uintptr_t kBetween = 64 << 10;  // of headers and small tensors, which may be read again
  std::ranges::sort(runs_, {}, &std::string_view::data);
  std::vector<std::string_view> rest;
  for (size_t i = 0; i < runs_.size();) {
    const char* const first = runs_[i].data();
    const uintptr_t begin = reinterpret_cast<uintptr_t>(first);
    uintptr_t end = begin + runs_[i].size();
    for (++i; i < runs_.size() && reinterpret_cast<uintptr_t>(runs_[i].data()) <= end + kBetween; ++i)
      end = std::max(end, reinterpret_cast<uintptr_t>(runs_[i].data()) + runs_[i].size());
    const std::string_view run(first, end - begin);
    const size_t before = (kLargePage - begin % kLargePage) % kLargePage;
    if (before + kLargePage > run.size()) {
      rest.push_back(run);
      continue;
    }
    const size_t large = (run.size() - before) / kLargePage * kLargePage;
    ReleasePages(run.substr(before, large));
    if (before > 0) rest.push_back(run.substr(0, before));
    if (before + large < run.size()) rest.push_back(run.substr(before + large));
  }
  runs_ = std::move(rest);
  size_ = 0;
  constexpr size_t kMostLeft = 64;  // a few per file; otherwise they would take memory, and time to sort
  if (runs_.size() > kMostLeft) GiveBackAll();
}

void BytesRead::GiveBackAll() {
  for (const std::string_view run : runs_) ReleasePages(run);
  runs_.clear();
  size_ = 0;
}

void TouchPages(std::string_view bytes) {
  // Linux maps the pages of a file in memory that are in the same 64 KiB as the one that is missing.
  constexpr uintptr_t kAround = 64 << 10;
  const char* const end = bytes.data() + bytes.size();
  for (const char* at = bytes.data(); at < end; at += kAround - reinterpret_cast<uintptr_t>(at) % kAround) {
    const volatile char byte = *at;
    static_cast<void>(byte);
  }
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
