#include "base/mapped_bytes.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "base/large_page.h"

namespace shlo {
namespace {

// The bytes are the same after their pages were given back; other memory is left alone.
TEST(MappedBytes, KeepTheirContent) {
  std::string content(size_t(9) << 20, 'x');
  for (size_t i = 0; i < content.size(); i += 1000) content[i] = char(i / 1000);
  std::FILE* file = std::tmpfile();
  ASSERT_NE(file, nullptr);
  ASSERT_EQ(std::fwrite(content.data(), 1, content.size(), file), content.size());
  std::fflush(file);
  void* const data = ::mmap(nullptr, content.size(), PROT_READ, MAP_PRIVATE, ::fileno(file), 0);
  ASSERT_NE(data, MAP_FAILED);
  const std::string_view mapped(static_cast<const char*>(data), content.size());
  AddMapping(data, content.size(), ::fileno(file), "a file");
  ReleasePages(mapped);
  EXPECT_TRUE(EqualBytes(mapped, content));
  ASSERT_NE(MappedAt(mapped.data() + mapped.size() - 1), nullptr);
  EXPECT_EQ(*MappedAt(mapped.data() + mapped.size() - 1), "a file");
  EXPECT_EQ(MappedAt(mapped.data() + mapped.size()), nullptr);
  EXPECT_EQ(MappedAt(content.data()), nullptr);
  EXPECT_EQ(ShorterFile(), "");
  EXPECT_TRUE(EqualBytes(content, mapped.substr(0)));
  EXPECT_FALSE(EqualBytes(content, mapped.substr(1)));
  std::string other = content;
  other[other.size() - 5] ^= 1;
  EXPECT_FALSE(EqualBytes(mapped, other));
  size_t seen = 0;
  EXPECT_TRUE(VisitPieces(mapped, [&](std::string_view piece) {
    seen += piece.size();
    return true;
  }));
  EXPECT_EQ(seen, mapped.size());
  TouchPages(mapped.substr(12345));
  TouchPages(mapped.substr(mapped.size() - 1));  // nothing beyond the end
  TouchPages({});
  EXPECT_EQ(mapped, content);
  // Not mapped from a file: giving pages back would clear them.
  ReleasePages(content);
  EXPECT_EQ(mapped, content);
  ASSERT_EQ(::ftruncate(::fileno(file), long(content.size()) - 1), 0);
  EXPECT_EQ(ShorterFile(), "a file");
  RemoveMapping(data);
  EXPECT_EQ(ShorterFile(), "");
  ::munmap(data, content.size());
  std::fclose(file);
}

// Returns how many KiB of the mapping that begins at an address are in memory.
size_t Resident(const void* data) {
  std::ifstream maps("/proc/self/smaps");
  char begin[32];
  std::snprintf(begin, sizeof begin, "%lx-", static_cast<unsigned long>(reinterpret_cast<uintptr_t>(data)));
  bool found = false;
  for (std::string line; std::getline(maps, line);) {
    if (line.starts_with(begin)) found = true;
    if (found && line.starts_with("Rss:")) return std::stoul(line.substr(4));
  }
  return 0;
}

// Large pages are given back when all of them was read, by however many runs.
TEST(MappedBytes, AreGivenBackInLargePages) {
  const size_t size = 6 * kLargePage;
  std::FILE* file = std::tmpfile();
  ASSERT_NE(file, nullptr);
  ASSERT_EQ(std::fwrite(std::string(size, 'x').data(), 1, size, file), size);
  std::fflush(file);
  void* const data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, ::fileno(file), 0);
  ASSERT_NE(data, MAP_FAILED);
  AddMapping(data, size, ::fileno(file), "a file");
  const std::string_view mapped(static_cast<const char*>(data), size);
  TouchPages(mapped);
  for (size_t i = 0; i < size; i += 4096) ASSERT_EQ(mapped[i], 'x');
  EXPECT_EQ(Resident(data), size / 1024);
  BytesRead read;
  const size_t part = 3 * kLargePage / 2 - 1000;  // the runs are 1000 bytes apart
  for (size_t i = 0; i < 4; ++i) read.Add(mapped.substr(i * (part + 1000), part));
  EXPECT_EQ(read.size(), 4 * part);
  read.GiveBack();
  EXPECT_EQ(read.size(), 0u);
  EXPECT_LE(Resident(data), 2 * kLargePage / 1024);
  read.GiveBackAll();
  EXPECT_LE(Resident(data), 8u);  // the last page was not read to its end
  for (size_t i = 0; i < size; i += 4096) ASSERT_EQ(mapped[i], 'x');
  RemoveMapping(data);
  ::munmap(data, size);
  std::fclose(file);
}

}  // namespace
}  // namespace shlo
