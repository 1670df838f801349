#include "base/growing_bytes.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string_view>

namespace shlo {
namespace {

std::string_view View(const GrowingBytes<char>& bytes) { return {bytes.data(), bytes.size()}; }

TEST(GrowingBytesTest, GrowingKeepsWhatIsThere) {
  GrowingBytes<uint8_t> bytes;
  for (uint32_t i = 0; i < 3'000'000; ++i) bytes.push_back(uint8_t(i * 7));
  ASSERT_EQ(bytes.size(), 3'000'000u);
  for (uint32_t i = 0; i < bytes.size(); ++i) ASSERT_EQ(bytes[i], uint8_t(i * 7));
}

TEST(GrowingBytesTest, RoomEndsWhereItIsSaidTo) {
  GrowingBytes<char> bytes;
  std::memcpy(bytes.Extend(2), "ab", 2);
  char* at = bytes.Room(100);
  *at++ = 'c';
  bytes.EndAt(at);
  EXPECT_EQ(View(bytes), "abc");
  bytes.EndAt(bytes.data() + 1);
  EXPECT_EQ(View(bytes), "a");
}

TEST(GrowingBytesTest, MovingExchangesContents) {
  GrowingBytes<char> bytes, other;
  bytes.push_back('a');
  const char* const memory = bytes.data();
  other = std::move(bytes);
  EXPECT_EQ(other.data(), memory);
  EXPECT_EQ(View(other), "a");
  other.clear();
  EXPECT_TRUE(other.empty());
  EXPECT_EQ(other.data(), memory);
}

TEST(GrowingBytesTest, WhatCannotBeIsRefused) {
  GrowingBytes<char> bytes;
  EXPECT_THROW(bytes.reserve(SIZE_MAX), std::bad_alloc);
  EXPECT_THROW(bytes.Extend(SIZE_MAX / 2), std::bad_alloc);
  EXPECT_TRUE(bytes.empty());
}

}  // namespace
}  // namespace shlo
