#include "shlo/diagnostics.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace shlo {
namespace {

using namespace std::string_literals;

Diagnostic Some() {
  Diagnostic d;
  d.code = Code::kConstraint;
  d.message = "has no meaning";
  return d;
}

TEST(Diagnostics, PartsOfTheFirstLine) {
  Diagnostic d = Some();
  EXPECT_EQ(Render(d), "error: has no meaning [constraint]\n");
  d.op = "stablehlo.add";
  EXPECT_EQ(Render(d), "error: 'stablehlo.add': has no meaning [constraint]\n");
  d.message = "'stablehlo.add' op has no meaning";
  EXPECT_EQ(Render(d), "error: 'stablehlo.add' op has no meaning [constraint]\n");
  d.message = "'stablehlo.abs' op has no meaning";
  EXPECT_EQ(Render(d), "error: 'stablehlo.add': 'stablehlo.abs' op has no meaning [constraint]\n");
  d = Some();
  d.place.function = "main";
  d.place.location = "f.py:1:2";
  EXPECT_EQ(Render(d), "error: has no meaning, in @main, at f.py:1:2 [constraint]\n");
  d.place.line = 3;
  d.place.column = 5;
  EXPECT_EQ(Render(d), "3:5: error: has no meaning, at f.py:1:2 [constraint]\n");
  d.place = {};
  d.place.file = "a.mlir";
  EXPECT_EQ(Render(d), "a.mlir: error: has no meaning [constraint]\n");
  d.place.section = "ops";
  d.place.offset = 0;
  d.hint = "give it one";
  EXPECT_EQ(Render(d), "a.mlir:ops:byte 0: error: has no meaning [constraint]\n  hint: give it one\n");
}

TEST(Diagnostics, ColorsOfTheSeverities) {
  Diagnostic d = Some();
  EXPECT_EQ(Render(d, true), "\033[1;31merror:\033[0m has no meaning [constraint]\n");
  d.severity = Severity::kWarning;
  EXPECT_EQ(Render(d, true), "\033[1;35mwarning:\033[0m has no meaning [constraint]\n");
  d.severity = Severity::kNote;
  EXPECT_EQ(Render(d, true), "\033[1;36mnote:\033[0m has no meaning\n");
  EXPECT_EQ(Render(d), "note: has no meaning\n");
}

TEST(Diagnostics, LongTextsAreShortened) {
  const std::string fits(12 << 10, 'x');
  EXPECT_EQ(Shown(fits), fits);
  EXPECT_EQ(Shown(fits + "y"),
            std::string(8192, 'x') + "... (1 byte left out) ..." + std::string(4095, 'x') + "y");
  // Characters stay whole: of those around the cuts, each has 3 bytes.
  std::string text;
  while (text.size() < 20'000) text += "\u20AC";
  const std::string shown = Shown(text);
  const size_t dots = shown.find("... (");
  EXPECT_EQ(dots, 8190u);
  EXPECT_EQ((shown.size() - shown.rfind("...") - 3) % 3, 0u);
  EXPECT_NE(shown.find(fmt::format("({} bytes left out)",
                                   text.size() - 8190 - (shown.size() - shown.rfind("...") - 3))),
            shown.npos);

  Diagnostic d = Some();
  d.message = std::string(1 << 20, 'x');
  d.hint = d.op = d.place.file = d.place.function = d.place.location = d.message;
  EXPECT_LT(Render(d).size(), 6 * 13'000u);
}

TEST(Diagnostics, ControlCharactersAreEscaped) {
  Diagnostic d = Some();
  d.message = "a\033[2Jb\x7F\0c\n\td"s;
  d.hint = "\a";
  EXPECT_EQ(Render(d), "error: a\\1B[2Jb\\7F\\00c\\0A\\09d [constraint]\n  hint: \\07\n");
}

// Returns the lines after the first.
std::string Below(std::string line, uint32_t column) {
  Diagnostic d = Some();
  d.place.line = 1;
  d.place.column = column;
  d.place.source_line = std::move(line);
  const std::string text = Render(d);
  return text.substr(text.find('\n') + 1);
}

TEST(Diagnostics, TheCaretIsBelowTheColumn) {
  EXPECT_EQ(Below("add", 1), "  add\n  ^\n");
  EXPECT_EQ(Below("add", 3), "  add\n    ^\n");
  EXPECT_EQ(Below("add", 0), "");
  EXPECT_EQ(Below("", 1), "");
  EXPECT_EQ(Below("\x01\x1f \x7f~", 2), "      ~\n   ^\n");
}

// 160 bytes are shown: those before the column 121, or from 80 before a later column.
TEST(Diagnostics, LongLinesAreCutAroundTheColumn) {
  std::string line;
  for (int i = 0; i < 500; ++i) line += char('a' + i % 26);
  const auto lines = [](const std::string& shown, size_t caret) {
    return "  " + shown + "\n  " + std::string(caret, ' ') + "^\n";
  };
  EXPECT_EQ(Below(line, 121), lines(line.substr(0, 160), 120));
  EXPECT_EQ(Below(line, 122), lines(line.substr(41, 160), 80));
  EXPECT_EQ(Below(line, 500), lines(line.substr(419), 80));
  EXPECT_EQ(Below(line.substr(0, 42), 122), lines(line.substr(41, 1), 80));
  EXPECT_EQ(Below(line.substr(0, 41), 122), "");
}

TEST(Diagnostics, EveryCodeHasAName) {
  const std::string_view names[] = {"syntax",          "malformed",      "checksum",        "limit",
                                    "unknown-version", "newer-version",  "invalid-program", "constraint",
                                    "blocked",         "outside-window", "unsupported",     "evaluation",
                                    "not-equal",       "policy",         "usage",           "io",
                                    "canceled",        "unknown"};
  for (size_t i = 0; i < std::size(names); ++i) EXPECT_EQ(CodeName(Code(i)), names[i]);
}

TEST(Diagnostics, Plurals) {
  EXPECT_EQ(Count(0, "op"), "0 ops");
  EXPECT_EQ(Count(1, "op"), "1 op");
  EXPECT_EQ(Count(2, "op"), "2 ops");
}

TEST(Diagnostics, AnErrorHasItsParts) {
  const Diagnostics one = Error(Code::kIo, "no space", {.file = "a"}, "make room").value();
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(Render(one[0]), "a: error: no space [io]\n  hint: make room\n");
}

}  // namespace
}  // namespace shlo
