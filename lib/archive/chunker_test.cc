#include "archive/chunker.h"

#include <gtest/gtest.h>

#include <numeric>
#include <set>
#include <string>

#include "archive/test_archive.h"
#include "shlo/archive.h"

namespace shlo::archive {
namespace {

// Returns the ids of the chunks.
std::multiset<ContentId> ChunksOf(std::string_view bytes) {
  std::multiset<ContentId> ids;
  for (const size_t size : ChunkSizes(bytes)) {
    ids.insert(IdOf(bytes.substr(0, size)));
    bytes.remove_prefix(size);
  }
  return ids;
}

TEST(ChunkerTest, CutsAllBytesWithinTheLimits) {
  const std::string bytes = RandomBytes(4 << 20, 1);
  const std::vector<size_t> sizes = ChunkSizes(bytes);
  EXPECT_EQ(std::accumulate(sizes.begin(), sizes.end(), size_t(0)), bytes.size());
  for (size_t i = 0; i + 1 < sizes.size(); ++i) {
    EXPECT_GE(sizes[i], kMinChunk);
    EXPECT_LE(sizes[i], kMaxChunk);
  }
  const size_t mean = bytes.size() / sizes.size();
  EXPECT_GT(mean, 48u << 10);
  EXPECT_LT(mean, 112u << 10);
}

TEST(ChunkerTest, SmallAndUniformBytesHaveTheLargestChunks) {
  EXPECT_TRUE(ChunkSizes("").empty());
  EXPECT_EQ(ChunkSizes(std::string(kMinChunk, 'x')), std::vector<size_t>{kMinChunk});
  EXPECT_EQ(ChunkSizes(std::string(3 * kMaxChunk, '\0')), std::vector<size_t>(3, kMaxChunk));
}

TEST(ChunkerTest, AnInsertionAffectsOnlyItsSurroundings) {
  const std::string before = RandomBytes(4 << 20, 2);
  const std::string after = before.substr(0, 2'000'001) + "inserted" + before.substr(2'000'001);
  const auto old_chunks = ChunksOf(before), new_chunks = ChunksOf(after);
  size_t added = 0;
  for (const ContentId& id : new_chunks) added += !old_chunks.contains(id);
  EXPECT_GE(added, 1u);
  EXPECT_LE(added, 3u);
}

// The rules are part of the format's page: another writer that follows them shares pieces with this one.
TEST(ChunkerTest, CutsWhereThePageSays) {
  const std::string bytes = RandomBytes(1 << 20, 3);
  std::vector<uint64_t> gear(256);
  for (size_t b = 0; b < 256; ++b) {
    const ContentId id = IdOf(std::string("shlo gear\0", 10) + char(b));
    for (size_t i = 0; i < 8; ++i) gear[b] |= uint64_t(id.bytes[i]) << (8 * i);
  }
  std::vector<size_t> expected;
  for (size_t start = 0; start < bytes.size();) {
    size_t n = 0;
    uint64_t h = 0;
    for (;;) {
      if (n >= (16 << 10) - 64) h = (h << 1) + gear[uint8_t(bytes[start + n])];
      ++n;
      const int zeros = h == 0 ? 64 : __builtin_clzll(h);
      if (start + n == bytes.size() || n == 256 << 10) break;
      if (n >= 64 << 10 ? zeros >= 14 : n >= 16 << 10 && zeros >= 18) break;
    }
    expected.push_back(n);
    start += n;
  }
  EXPECT_EQ(ChunkSizes(bytes), expected);
}

}  // namespace
}  // namespace shlo::archive
