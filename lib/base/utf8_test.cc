#include "base/utf8.h"

#include <gtest/gtest.h>

namespace shlo {
namespace {

using namespace std::string_literals;

TEST(Utf8, FirstByteThatIsNoCharacter) {
  for (const std::string& text :
       {""s, "a\0b"s, "\x7F\xC2\x80\xDF\xBF"s, "\xE0\xA0\x80\xED\x9F\xBF\xEE\x80\x80\xEF\xBF\xBF"s,
        "\xF0\x90\x80\x80\xF4\x8F\xBF\xBF"s})
    EXPECT_EQ(FirstNotUtf8(text), text.npos) << text;
  for (const std::string& text :
       {"\x80"s, "\xBF"s, "\xC0\xAF"s, "\xC1\xBF"s, "\xC3"s, "\xC3\x28"s, "\xE0\x9F\xBF"s, "\xE2\x82"s,
        "\xE2\x28\xA1"s, "\xED\xA0\x80"s, "\xF0\x8F\xBF\xBF"s, "\xF0\x9F\x98"s, "\xF4\x90\x80\x80"s,
        "\xF5\x80\x80\x80"s, "\xFF"s}) {
    EXPECT_EQ(FirstNotUtf8(text), 0u) << text;
    EXPECT_EQ(FirstNotUtf8("\xC3\xA9" + text + "a"), 2u) << text;
  }
}

TEST(Utf8, SymbolsInJson) {
  EXPECT_EQ(SymbolToJson("main"), "main");
  EXPECT_EQ(SymbolToJson("\xC3\xA9"), "\xC3\xA9");
  EXPECT_EQ(SymbolToJson("a\xFF"),
            "\0"
            "61FF"s);
  EXPECT_EQ(SymbolToJson("\0"
                         "61FF"s),
            "\0"
            "0036314646"s);
  for (const std::string& symbol : {""s, "main"s, "\xC3\xA9"s, "a\xFF"s, "\0"s,
                                    "\0"
                                    "61FF"s,
                                    "\xFF\xFE\xFD"s})
    EXPECT_EQ(SymbolFromJson(SymbolToJson(symbol)), symbol);
  // Strings that nobody writes stay as they are.
  EXPECT_EQ(SymbolFromJson("\0"
                           "6"s),
            "\0"
            "6"s);
  EXPECT_EQ(SymbolFromJson("\0"
                           "xy"s),
            "\0"
            "xy"s);
}

}  // namespace
}  // namespace shlo
