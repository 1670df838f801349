#include "serialize/varint.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace shlo {
namespace {

TEST(VarintTest, RoundTripsAtEveryLength) {
  ByteBuffer out;
  std::vector<uint64_t> numbers = {0, 1, std::numeric_limits<uint64_t>::max()};
  for (int bits = 7; bits < 64; bits += 7)
    for (uint64_t x : {(1ull << bits) - 1, 1ull << bits, (1ull << bits) + 1}) numbers.push_back(x);
  for (uint64_t x : numbers) out.Varint(x);
  Cursor in(out.view());
  for (uint64_t x : numbers) EXPECT_EQ(in.Varint(), x);
  EXPECT_TRUE(in.done());
}

TEST(VarintTest, LowestSevenBitsComeFirst) {
  ByteBuffer out;
  out.Varint(300);
  EXPECT_EQ(out.view(), "\xAC\x02");
  out.clear();
  out.Varint(~0ull);
  EXPECT_EQ(out.view(), "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01");
}

TEST(VarintTest, RefusesWhatDoesNotFit) {
  for (const char* bad : {"\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x02",
                          "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x81\x01", "\x80", ""}) {
    Cursor in{std::string_view(bad)};
    EXPECT_EQ(in.Varint(), 0u);
    EXPECT_FALSE(in.ok());
    EXPECT_FALSE(in.done());
    EXPECT_EQ(in.left(), 0u);
  }
}

TEST(VarintTest, ZigZag) {
  EXPECT_EQ(ZigZag(0), 0u);
  EXPECT_EQ(ZigZag(-1), 1u);
  EXPECT_EQ(ZigZag(1), 2u);
  EXPECT_EQ(ZigZag(INT64_MIN), ~0ull);
  for (int64_t x : {int64_t(0), int64_t(-1), int64_t(77), INT64_MIN, INT64_MAX})
    EXPECT_EQ(UnZigZag(ZigZag(x)), x);
}

TEST(VarintTest, BytesAreBounded) {
  Cursor in("abc");
  EXPECT_EQ(in.Bytes(2), "ab");
  EXPECT_EQ(in.Bytes(2), "");
  EXPECT_FALSE(in.ok());
  Cursor words("1234567");
  EXPECT_EQ(words.Word(), 0u);
  EXPECT_FALSE(words.ok());
}

}  // namespace
}  // namespace shlo
