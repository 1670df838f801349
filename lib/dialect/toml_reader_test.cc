#include "dialect/toml_reader.h"

#include <gtest/gtest.h>

namespace shlo {
namespace {

// Returns the string 'x' of a text, and the first error if there is none.
std::string Read(std::string_view text) {
  TomlReader reader("f.toml", "docs");
  const auto table = reader.Parse(text);
  std::string out;
  if (table && reader.String(*table, "x", &out)) return out;
  return reader.errors.empty() ? "nothing" : Render(reader.errors[0]);
}

TEST(TomlReader, StringsKeepTheirBytes) {
  for (const std::string text :
       {"\xC3\xA9", "~", "~~7e", "~c3~a9", "a~\xF0\x9F\x98\x80~", "\xED\x9F\xBF\xEE\x80\x80"}) {
    EXPECT_EQ(Read("x = '" + text + "'"), text);
    EXPECT_EQ(Read("x = \"" + text + "\""), text);
    EXPECT_EQ(Read("x = \"\"\"\n" + text + "\"\"\""), text);
    EXPECT_EQ(Read("# " + text + "\nx = '''" + text + "'''# " + text), text);
    EXPECT_EQ(Read("\xEF\xBB\xBFx = '" + text + "'"), text);
  }
  // Escapes stay escapes.
  EXPECT_EQ(Read(R"(x = "\u007e7e\u007E\U0000007E\u00e9\\u007e\"~")"), "~7e~~\xC3\xA9\\u007e\"~");
  EXPECT_EQ(Read(R"(x = '\u007e')"), "\\u007e");
  EXPECT_EQ(Read("x = \"\"\"\xC3\xA9\\\n  \xC3\xA9\"\"\""), "\xC3\xA9\xC3\xA9");
  // Quotes at the end of a long string, and dots after it.
  EXPECT_EQ(Read("x = '''a'''''\ny.z = 1.5"), "a''");
  EXPECT_EQ(Read("x = '''a''''\ny = '1.1.1.1.1.1.1.1.1.1.1.1.1.1.1.1.1.1.1.1'"), "a'");
}

// Columns count bytes of the original.
TEST(TomlReader, PlacesAreThoseOfTheOriginal) {
  EXPECT_EQ(Read("y = '\xC3\xA9~' ?").substr(0, 13), "f.toml:1:11: ");
  EXPECT_EQ(Read("y = '\xC3\xA9'\n~ = 1").substr(0, 12), "f.toml:2:1: ");
  EXPECT_EQ(Read("y = \"\\u007e\\u007e\" ?").substr(0, 13), "f.toml:1:20: ");
  EXPECT_EQ(Read("\xEF\xBB\xBFx = 1").substr(0, 12), "f.toml:1:8: ");
  TomlReader reader("f.toml", "docs");
  const auto table = reader.Parse("y = '~~'\n'\xC3\xA9~' = '~'\nz = {a = '\xC3\xA9', b = 1}");
  ASSERT_TRUE(table);
  reader.Keys(*table, {"y", "z"});
  ASSERT_EQ(reader.errors.size(), 1u);
  EXPECT_EQ(Render(reader.errors[0]),
            "f.toml:2:1: error: unknown key '\xC3\xA9~' [usage]\n  hint: docs lists the keys\n");
  reader.Keys(*table->get("z")->as_table(), {"a"});
  EXPECT_EQ(Render(reader.errors[1]).substr(0, 13), "f.toml:3:16: ");
}

TEST(TomlReader, ErrorsEnd) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "a" + std::to_string(i) + " = 1\n";
  TomlReader reader("f.toml", "docs");
  const auto table = reader.Parse(text);
  ASSERT_TRUE(table);
  reader.Keys(*table, {});
  EXPECT_EQ(reader.errors.size(), 100u);
  EXPECT_TRUE(reader.full());
}

TEST(TomlReader, ListsHaveALimit) {
  for (size_t count : {3, 4}) {
    TomlReader reader("f.toml", "docs", 3);
    std::string text = "x = [";
    for (size_t i = 0; i < count; ++i) text += "'a',";
    text += "]\n";
    for (size_t i = 0; i < count; ++i) text += "[[t]]\n";
    const auto table = reader.Parse(text);
    ASSERT_TRUE(table);
    std::vector<std::string> list;
    EXPECT_EQ(reader.Strings(*table, "x", &list), count == 3);
    EXPECT_EQ(reader.Tables(*table, "t").size(), count == 3 ? 3u : 0u);
    ASSERT_EQ(reader.errors.size(), count == 3 ? 0u : 2u);
    if (count == 3) continue;
    EXPECT_EQ(reader.errors[0].message, "'x' has more than 3 entries");
    EXPECT_EQ(reader.errors[0].place.line, 1u);
    EXPECT_EQ(reader.errors[1].message, "'t' has more than 3 entries");
    EXPECT_EQ(reader.errors[1].place.line, 2u);
  }
}

}  // namespace
}  // namespace shlo
