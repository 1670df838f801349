#include "base/mapped_bytes.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <string>

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

}  // namespace
}  // namespace shlo
