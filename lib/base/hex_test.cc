#include "base/hex.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace shlo {
namespace {

std::string Numbers(size_t count) {
  std::string bytes;
  for (size_t i = 0; i < count; ++i) bytes.push_back(char(i * 37 + 11 + i / 256));
  return bytes;
}

// As one would write it by hand.
std::string DigitsOf(std::string_view bytes) {
  std::string digits;
  for (const char c : bytes) {
    digits += "0123456789ABCDEF"[uint8_t(c) >> 4];
    digits += "0123456789ABCDEF"[uint8_t(c) & 15];
  }
  return digits;
}

// Returns what is visited, which does not depend on the number of threads.
std::string All(bool (*visit)(const StoredBytes&, const Sink&, size_t), const StoredBytes& bytes) {
  std::string all[2];
  for (size_t i : {0, 1}) {
    const auto add = [&](std::string_view piece) { return all[i] += piece, true; };
    EXPECT_TRUE(visit(bytes, add, 1 + 2 * i));
  }
  EXPECT_TRUE(all[0] == all[1]);
  return all[0];
}

TEST(Hex, DigitsOfAnyLength) {
  for (size_t count : {0, 1, 15, 16, 17, 31, 32, 33, 100, 256}) {
    const std::string bytes = Numbers(count), digits = DigitsOf(bytes);
    std::string encoded = "before ";
    AppendHex(bytes, &encoded);
    EXPECT_EQ(encoded, "before " + digits);
    std::string decoded(count, '\0');
    EXPECT_TRUE(DecodeHex(digits, reinterpret_cast<uint8_t*>(decoded.data())));
    EXPECT_EQ(decoded, bytes);
    std::string lower = digits;
    for (char& c : lower) c = char(std::tolower(c));
    EXPECT_TRUE(DecodeHex(lower, reinterpret_cast<uint8_t*>(decoded.data())));
    EXPECT_EQ(decoded, bytes);
  }
}

TEST(Hex, OtherCharactersAreFoundAnywhere) {
  for (size_t count : {1, 16, 17, 40, 100, 330}) {
    const std::string digits = DigitsOf(Numbers(count));
    std::string decoded(count, '\0');
    for (size_t i = 0; i < digits.size(); ++i) {
      for (char bad : {'g', '/', ':', '@', 'G', '`', '\0', '\xb1', '\xff'}) {
        std::string broken = digits;
        broken[i] = bad;
        EXPECT_FALSE(DecodeHex(broken, reinterpret_cast<uint8_t*>(decoded.data()))) << i << bad;
        EXPECT_EQ(CountUpperHex(broken), i) << bad;
      }
      std::string lower = digits;
      lower[i] = 'a';
      EXPECT_EQ(CountUpperHex(lower), i);
    }
    EXPECT_EQ(CountUpperHex(digits), digits.size());
    EXPECT_FALSE(DecodeHex(digits + "0", reinterpret_cast<uint8_t*>(decoded.data())));
  }
}

TEST(Hex, EveryCharacter) {
  const std::string digits = DigitsOf(Numbers(600));
  std::vector<uint8_t> decoded(600);
  for (size_t at : {size_t(101), digits.size() - 1})
    for (int c = 0; c < 256; ++c) {
      std::string text = digits;
      text[at] = char(c);
      const bool upper = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'F'), lower = c >= 'a' && c <= 'f';
      EXPECT_EQ(DecodeHex(text, decoded.data()), upper || lower) << c;
      EXPECT_EQ(CountUpperHex(text), upper ? digits.size() : at) << c;
      if (upper || lower) {
        EXPECT_EQ(decoded[at / 2] & 15, HexValue(char(c))) << c;
      }
    }
}

// Sizes around those that are converted at once.
TEST(Hex, PiecesMakeTheWhole) {
  for (size_t count : {size_t(0), size_t(1), (size_t(64) << 10) - 1, size_t(64) << 10, (size_t(64) << 10) + 1,
                       (size_t(4) << 20) + 3}) {
    const std::string bytes = Numbers(count), digits = DigitsOf(bytes);
    EXPECT_TRUE(All(VisitBytes, {bytes, false}) == bytes) << count;
    EXPECT_TRUE(All(VisitBytes, {digits, true}) == bytes) << count;
    EXPECT_TRUE(All(VisitDigits, {bytes, false}) == digits) << count;
    EXPECT_TRUE(All(VisitDigits, {digits, true}) == digits) << count;
  }
}

TEST(Hex, VisitsEndWhenAsked) {
  const std::string bytes = Numbers(size_t(5) << 20), digits = DigitsOf(bytes);
  for (const StoredBytes& stored : {StoredBytes{bytes, false}, StoredBytes{digits, true}})
    for (const auto visit : {VisitBytes, VisitDigits}) {
      for (size_t threads : {1, 3}) {
        int calls = 0;
        EXPECT_FALSE(visit(
            stored, [&](std::string_view) { return ++calls < 2; }, threads));
        EXPECT_EQ(calls, 2);
      }
    }
}

TEST(Hex, EqualHoweverTheyAreStored) {
  const std::string bytes = Numbers(size_t(5) << 20), digits = DigitsOf(bytes);
  std::string other = bytes;
  other.back() = char(other.back() ^ 1);
  const std::string other_digits = DigitsOf(other);
  const StoredBytes a{bytes, false}, b{digits, true}, c{other, false}, d{other_digits, true};
  for (const StoredBytes& x : {a, b})
    for (const StoredBytes& y : {a, b}) EXPECT_TRUE(EqualStored(x, y));
  for (const StoredBytes& x : {a, b})
    for (const StoredBytes& y : {c, d}) EXPECT_FALSE(EqualStored(x, y) || EqualStored(y, x));
  EXPECT_FALSE(EqualStored(a, b.First(b.size() - 1)));
  EXPECT_TRUE(EqualStored(a.Part(7, 100), b.Part(7, 100)));
  EXPECT_EQ(CopyOf(b.Part(7, 3)), bytes.substr(7, 3));
}

}  // namespace
}  // namespace shlo
