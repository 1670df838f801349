#include "shlo/pool.h"

#include <gtest/gtest.h>

#include <utility>

#include "base/test_sanitizers.h"

namespace shlo {
namespace {

Pool<uint32_t> UpTo(uint32_t n) {
  Pool<uint32_t> pool;
  for (uint32_t i = 0; i < n; ++i) pool.push_back(i);
  return pool;
}

TEST(PoolTest, GrowingKeepsWhatIsThere) {
  // From a few bytes over the sizes at which memory comes in large pages.
  const Pool<uint32_t> pool = UpTo(3'000'000);
  ASSERT_EQ(pool.size(), 3'000'000u);
  for (uint32_t i = 0; i < pool.size(); ++i) ASSERT_EQ(pool[i], i);
}

TEST(PoolTest, ResizeFillsAndCuts) {
  Pool<uint32_t> pool = UpTo(3);
  pool.resize(5, 7);
  EXPECT_EQ(pool[2], 2u);
  EXPECT_EQ(pool[3], 7u);
  EXPECT_EQ(pool[4], 7u);
  pool.resize(2);
  pool.resize(3);
  EXPECT_EQ(pool[1], 1u);
  EXPECT_EQ(pool[2], 0u);
}

TEST(PoolTest, MemoryThatWasUsedBeforeIsFilledToo) {
  UpTo(1'000'000);
  Pool<uint32_t> pool;
  pool.resize(1'000'000);
  for (uint32_t i = 0; i < pool.size(); ++i) ASSERT_EQ(pool[i], 0u);
}

TEST(PoolTest, CopiesAreApart) {
  Pool<uint32_t> pool = UpTo(4);
  Pool<uint32_t> copy = pool;
  copy[0] = 9;
  EXPECT_EQ(pool[0], 0u);
  copy = UpTo(2);
  EXPECT_EQ(copy.size(), 2u);
  const Pool<uint32_t> moved = std::move(pool);
  EXPECT_EQ(moved.size(), 4u);
}

TEST(PoolTest, AViewCopiesWhenItGrows) {
  const Pool<uint32_t> pool = UpTo(4);
  Pool<uint32_t> view = Pool<uint32_t>::View(pool);
  EXPECT_EQ(view.data(), pool.data());
  view.push_back(4);
  EXPECT_NE(view.data(), pool.data());
  EXPECT_EQ(view[3], 3u);
  EXPECT_EQ(view.size(), 5u);
  EXPECT_EQ(pool.size(), 4u);
}

TEST(PoolTest, RoomEndsWhereItIsSaidTo) {
  Pool<uint32_t> pool = UpTo(2);
  uint32_t* at = pool.Room(100);
  *at++ = 8;
  pool.EndAt(at);
  ASSERT_EQ(pool.size(), 3u);
  EXPECT_EQ(pool.back(), 8u);
}

TEST(PoolTest, WhatCannotBeIsRefused) {
  Pool<uint64_t> pool;
  EXPECT_THROW(pool.reserve(SIZE_MAX / 2), std::bad_alloc);
  EXPECT_TRUE(pool.empty());
}

// Pages of a large pool move where others follow them.
TEST(PoolTest, LargePoolsGrowAside) {
  Pool<uint64_t> a, b;
  for (uint64_t i = 0; i < 2'000'000; ++i) {
    a.push_back(i);
    b.push_back(~i);
  }
  for (uint64_t i = 0; i < 2'000'000; ++i) ASSERT_TRUE(a[i] == i && b[i] == ~i) << i;
  // AddressSanitizer ends the process for a size that would fit in an address.
  EXPECT_THROW(a.reserve(kSanitized ? SIZE_MAX / 2 : SIZE_MAX / 16), std::bad_alloc);
  EXPECT_EQ(a.size(), 2'000'000u);
  EXPECT_EQ(a.back(), 1'999'999u);
}

TEST(PoolTest, ACacheGivesLargeBlocksAgain) {
  constexpr size_t kMiB = 1 << 20;
  size_t odd = 3 * kMiB;
  FreePool(AllocatePool(&odd, nullptr), odd, nullptr);
  if (odd == 3 * kMiB) GTEST_SKIP() << "memory does not come in large pages here";
  PoolCache cache;
  const auto allocate = [&](size_t bytes, size_t expected) {
    void* const memory = AllocatePool(&bytes, &cache);
    EXPECT_EQ(bytes, expected);
    return memory;
  };
  void* const first = allocate(9 * kMiB, 10 * kMiB);  // large pages have 2 MiB
  FreePool(first, 10 * kMiB, &cache);
  // A block of more than twice the size would be a waste, and a smaller one is too small.
  void* const small = allocate(4 * kMiB, 4 * kMiB);
  EXPECT_NE(small, first);
  void* const large = allocate(12 * kMiB, 12 * kMiB);
  EXPECT_NE(large, first);
  void* const half = allocate(5 * kMiB, 10 * kMiB);
  EXPECT_EQ(half, first);
  void* const another = allocate(9 * kMiB, 10 * kMiB);
  EXPECT_NE(another, first);
  for (const auto& [memory, bytes] :
       {std::pair{small, 4 * kMiB}, {large, 12 * kMiB}, {half, 10 * kMiB}, {another, 10 * kMiB}})
    FreePool(memory, bytes, &cache);
  void* const last = allocate(12 * kMiB, 12 * kMiB);
  EXPECT_EQ(last, large);
  FreePool(last, 12 * kMiB, nullptr);
}

}  // namespace
}  // namespace shlo
