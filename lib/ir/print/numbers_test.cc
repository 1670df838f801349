#include "ir/print/numbers.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace shlo::text {
namespace {

TEST(Numbers, IntegersOfSeveralWords) {
  struct Row {
    std::vector<uint64_t> words;
    bool is_unsigned;
    std::string_view expected;
  };
  // The words are those of Python's int.to_bytes. Each 18 digits are converted at once.
  const Row rows[] = {
      {{}, false, "0"},
      {{0, 0}, false, "0"},
      {{7, 0}, false, "7"},
      {{~0ull, ~0ull}, false, "-1"},
      {{~0ull, ~0ull}, true, "340282366920938463463374607431768211455"},
      {{0, 1ull << 63}, false, "-170141183460469231731687303715884105728"},
      {{0, 1ull << 63}, true, "170141183460469231731687303715884105728"},
      {{0xde0b6b3a7640000, 0}, false, "1000000000000000000"},
      {{0xde0b6b3a7640007, 0}, false, "1000000000000000007"},
      {{0xde0b6b3a763ffff, 0}, false, "999999999999999999"},
      {{0xb34b9f1000000000, 0xc097ce7bc90715}, false, "1000000000000000000000000000000000000"},
      {{0xb4aee4885d8a0000, 0xc097ce7bc90715}, false, "1000000000000000000100000000000000000"},
      {{0x4cb460effffffffb, 0xff3f68318436f8ea}, false, "-1000000000000000000000000000000000005"},
      {{0x9240000000000001, 0xc51999090b65f67d, 0xa70c3c40a64e6},
       false,
       "1000000000000000000000000000000000000000000000000000001"},
  };
  for (const Row& row : rows) {
    const std::vector<int64_t> words(row.words.begin(), row.words.end());
    TextBuffer out;
    out += 'x';
    PutBigInt(out, words, row.is_unsigned);
    EXPECT_EQ(out.view(), "x" + std::string(row.expected));
  }
}

TEST(Numbers, Lexical) {
  const auto escaped = [](std::string_view bytes) {
    TextBuffer out;
    PutEscaped(out, bytes);
    return std::string(out.view());
  };
  EXPECT_EQ(escaped(""), "");
  EXPECT_EQ(escaped("\x1f\x20\x21\x22\x23"), "\\1F !\\22#");
  EXPECT_EQ(escaped("[\\]"), "[\\\\]");
  EXPECT_EQ(escaped("}~\x7f\x80\xff"), "}~\\7F\\80\\FF");
  const std::pair<std::string_view, std::string_view> keywords[] = {
      {"a", "a"},       {"z", "z"},       {"A", "A"},       {"Z", "Z"},       {"_", "_"},
      {"a0$.", "a0$."}, {"a9_", "a9_"},   {"", "\"\""},     {"0", "\"0\""},   {"$", "\"$\""},
      {".a", "\".a\""}, {"a-", "\"a-\""}, {"a`", "\"a`\""}, {"a{", "\"a{\""}, {"a@", "\"a@\""},
      {"a[", "\"a[\""}, {"a/", "\"a/\""}, {"a:", "\"a:\""}, {"aA", "aA"},     {"az", "az"}};
  for (const auto& [name, expected] : keywords) {
    TextBuffer out;
    PutKeyword(out, name);
    EXPECT_EQ(out.view(), expected);
  }
  // Longer than one piece of 2048 bytes.
  for (const size_t size : {0u, 1u, 2047u, 2048u, 2049u, 5000u}) {
    std::string bytes, expected;
    TextBuffer out;
    for (size_t i = 0; i < size; ++i) {
      bytes.push_back(char(i * 7));
      expected.push_back("0123456789ABCDEF"[i * 7 % 256 / 16]);
      expected.push_back("0123456789ABCDEF"[i * 7 % 16]);
    }
    PutHex(out, bytes);
    EXPECT_EQ(out.view(), expected);
  }
}

TEST(Numbers, SmallIntegers) {
  for (const int64_t value : {INT64_MIN, INT64_MIN + 1, int64_t(-100), int64_t(-10), int64_t(-9), int64_t(-1),
                              int64_t(0), int64_t(9), int64_t(10), int64_t(99), int64_t(100), INT64_MAX}) {
    TextBuffer out, positive;
    PutInt(out, value);
    EXPECT_EQ(out.view(), std::to_string(value));
    PutUnsigned(positive, uint64_t(value));
    EXPECT_EQ(positive.view(), std::to_string(uint64_t(value)));
  }
}

// All sizes around those that are copied in another way, at the end of pieces of all sizes.
TEST(TextBuffer, AppendsLikeAString) {
  std::string source;
  for (size_t i = 0; i < 200; ++i) source += char('!' + i % 90);
  TextBuffer out;
  std::string expected;
  for (size_t size = 0; size < source.size(); ++size) {
    // A copy of this size, so that sanitizers see what is read beyond it.
    const std::vector<char> piece(source.begin(), source.begin() + ptrdiff_t(size));
    const std::string_view text(piece.data(), piece.size());
    out.append(text);
    expected.append(text);
    (out += '|') += "<>";
    expected += "|<>";
    ASSERT_EQ(out.view(), expected) << size;
  }
  out.Cut(100);
  out.Fill(3, '-');
  out.Fill(0, '?');
  EXPECT_EQ(out.view(), expected.substr(0, 100) + "---");
  char* const room = out.Room(10);
  room[0] = 'z';
  out.EndAt(room + 1);
  EXPECT_EQ(out[out.size() - 1], 'z');
  EXPECT_EQ(out.size(), 104u);
  TextBuffer other;
  other.swap(out);
  EXPECT_TRUE(out.empty());
  EXPECT_EQ(other.size(), 104u);
  other.clear();
  EXPECT_EQ(other.view(), "");
}

}  // namespace
}  // namespace shlo::text
