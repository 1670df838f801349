#include "base/printable.h"

#include <gtest/gtest.h>

#include "shlo/diagnostics.h"

namespace shlo {
namespace {

using namespace std::string_literals;

std::string ForTerminal(std::string_view text) { return EscapedFor(Medium::kTerminal, text); }

TEST(Printable, PlainTextStays) {
  for (const std::string_view text :
       {"", "main", "a b", "caf\xC3\xA9", "\xE6\x97\xA5\xE6\x9C\xAC", "a\\b", "100%", "\xF0\x9F\x98\x80"})
    EXPECT_EQ(ForTerminal(text), text);
}

TEST(Printable, WhatIsNotShownIsEscaped) {
  const std::pair<std::string, std::string> rows[] = {
      {"a\033[2J", "a\\1B[2J"},
      {"a\0b"s, "a\\00b"},
      {"\r\n\t\a\b", "\\0D\\0A\\09\\07\\08"},
      {"\x7F", "\\7F"},
      {"\xC2\x9B", "\\C2\\9B"},
      {"\x9B", "\\9B"},  // C1, and its byte
      {"\xC2\xAD", "\\C2\\AD"},
      {"\xE2\x80\xAE", "\\E2\\80\\AE"},  // soft hyphen; right to left
      {"\xE2\x81\xA6", "\\E2\\81\\A6"},
      {"\xE2\x80\x8B", "\\E2\\80\\8B"},  // isolate; zero width
      {"\xE2\x80\xA8", "\\E2\\80\\A8"},
      {"\xEF\xBB\xBF", "\\EF\\BB\\BF"},  // line separator; byte order mark
      {"\xEF\xBF\xBE", "\\EF\\BF\\BE"},
      {"\xEF\xBF\xBF", "\\EF\\BF\\BF"},  // noncharacters
      {"\xF0\x9F\xBF\xBE", "\\F0\\9F\\BF\\BE"},
      {"\xF3\xA0\x81\x81", "\\F3\\A0\\81\\81"},  // of plane 1; a tag
      {"\xC0\xAF", "\\C0\\AF"},
      {"\xED\xA0\x80", "\\ED\\A0\\80"},  // too long; a surrogate
      {"a\xE2\x82", "a\\E2\\82"},
      {"\xFF", "\\FF"},
      {"\xEF\xB7\x90", "\\EF\\B7\\90"},
      {"\xEF\xBF\xBD", "\xEF\xBF\xBD"},  // U+FFFD is a character
  };
  for (const auto& [text, shown] : rows) {
    EXPECT_EQ(ForTerminal(text), shown);
    for (const Medium medium : {Medium::kXml, Medium::kCommand, Medium::kProperty})
      EXPECT_EQ(EscapedFor(medium, text), shown);
  }
}

TEST(Printable, Media) {
  EXPECT_EQ(EscapedFor(Medium::kXml, "<a b=\"c\" d='e'>&]]>"),
            "&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;]]&gt;");
  EXPECT_EQ(EscapedFor(Medium::kCommand, "50%: a,b::"), "50%25: a,b::");
  EXPECT_EQ(EscapedFor(Medium::kProperty, "50%: a,b::"), "50%25%3A a%2Cb%3A%3A");
  EXPECT_EQ(EscapedLinesFor(Medium::kCommand, "a\nb\r"), "a%0Ab\\0D");
  EXPECT_EQ(EscapedLinesFor(Medium::kXml, "<a>\nb\r"), "&lt;a&gt;\nb\\0D");
  EXPECT_EQ(EscapedFor(Medium::kXml, "##[error]###"), "#\\23[error]#\\23\\23");
  EXPECT_EQ(EscapedFor(Medium::kMarkdown, "not checked"), "not checked");
  EXPECT_EQ(EscapedFor(Medium::kMarkdown, ""), "");
  EXPECT_EQ(EscapedFor(Medium::kMarkdown, "@octocat"), "`@octocat`");
  EXPECT_EQ(EscapedFor(Medium::kMarkdown, "a|b`c``<d>\n"), "`a\\7Cb\\60c\\60\\60<d>\\0A`");
  EXPECT_EQ(EscapedFor(Medium::kMarkdown, " a"), "` a`");
  EXPECT_EQ(EscapedFor(Medium::kMarkdown, "Word"), "`Word`");  // GH-1 would be a link
}

TEST(Printable, SymbolsAndNames) {
  EXPECT_EQ(SymbolText("main"), "@main");
  EXPECT_EQ(SymbolText("main\033[8m"), "@\"main\\1B[8m\"");
  EXPECT_EQ(SymbolText("main: equal"), "@\"main: equal\"");
  for (const std::string_view plain :
       {"a.mlir", "dir/a b.mlir", "-", "<stdin>", "caf\xC3\xA9", "C:\\x", "a@1", "a:b"})
    EXPECT_EQ(NameText(plain), plain);
  const std::pair<std::string_view, std::string_view> rows[] = {{"", "\"\""},
                                                                {"a: verifies", "\"a: verifies\""},
                                                                {"::error::", "\"::error::\""},
                                                                {"##[error]", "\"##[error]\""},
                                                                {" a", "\" a\""},
                                                                {"a ", "\"a \""},
                                                                {"a\"b\\", "\"a\\\"b\\\\\""},
                                                                {"a\nb", "\"a\\0Ab\""},
                                                                {"a\\\xFF", "\"a\\\\\\FF\""},
                                                                {"a  b", "\"a  b\""}};
  for (const auto& [name, shown] : rows) EXPECT_EQ(NameText(name), shown);
  EXPECT_LT(NameText(std::string(1 << 20, 'x')).size(), 13'000u);
  EXPECT_LT(SymbolText(std::string(1 << 20, '\n')).size(), 40'000u);
}

TEST(Printable, WordsOfCommands) {
  EXPECT_EQ(ShellText("a.b/c=1"), "a.b/c=1");
  EXPECT_EQ(ShellText(""), "''");
  EXPECT_EQ(ShellText("a; b $(c) `d` 'e'"), "'a; b $(c) `d` '\\''e'\\'''");
}

TEST(Printable, LinesOfSources) {
  EXPECT_EQ(SourceLineText("a\tb\033c"), "a b c");
  EXPECT_EQ(SourceLineText("\xE2\x80\xAE\xFF\xC2\x9B\xC3\xA9"), "??????\xC3\xA9");
}

TEST(Printable, Documents) {
  EXPECT_EQ(JsonForTerminals("{\n \"\xC3\xA9\"}"), "{\n \"\xC3\xA9\"}");
  EXPECT_EQ(JsonForTerminals("\"\xC2\x9B\xE2\x80\xAE\x7F\""), "\"\\u009b\\u202e\\u007f\"");
  EXPECT_EQ(JsonForTerminals("\"\xF3\xA0\x81\x81\""), "\"\\udb40\\udc41\"");
  EXPECT_EQ(JsonForTerminals("\"###[\""), "\"#\\u0023\\u0023[\"");
  EXPECT_EQ(Utf8Text("\xC2\x9B\xFF"), "\xC2\x9B\\FF");
}

TEST(Printable, ArgumentsAreEscaped) {
  const std::string name = "a\nb";
  EXPECT_EQ(TerminalText::Of("{}: {:>4}\n", name, 1).str(), "a\\0Ab:    1\n");
  EXPECT_EQ(TerminalText::Of("{:{}}|", "\n", 5).str(), "\\0A  |");
  EXPECT_EQ(XmlText::Of("<b>{}</b>", "<i>").str(), "<b>&lt;i&gt;</b>");
  // A text is not escaped again in a text for the same medium.
  EXPECT_EQ(XmlText::Of("<p>{}</p>", XmlText::Of("<b>{}</b>", '<')).str(), "<p><b>&lt;</b></p>");
  EXPECT_EQ(CommandText::Of("::error file={}::{}", PropertyText::Of("{}", "a:b"), "a:b").str(),
            "::error file=a%3Ab::a:b");
  EXPECT_EQ(MarkdownText::Of("| {} |\n", name).str(), "| `a\\0Ab` |\n");
  EXPECT_EQ(Joined(std::vector<std::string>{"a", "\n"}, ", ").str(), "a, \\0A");
  EXPECT_EQ(TerminalText::Lines("a\nb\033").str(), "a\nb\\1B");
}

// This holds for all parts, wherever they come from.
TEST(Printable, NoLineIsAWorkflowCommand) {
  const std::string parts[] = {"", ":"};
  EXPECT_EQ(TerminalText::Of("{}", "::error::x").str(), "\\3A:error::x");
  EXPECT_EQ(TerminalText::Of("a\n  {}{}", parts[1], ":error::x").str(), "a\n  \\3A:error::x");
  EXPECT_EQ(TerminalText::Of("{}::error::x", parts[0]).str(), "\\3A:error::x");
  EXPECT_EQ(TerminalText::Of("a {}", "::b").str(), "a ::b");
  EXPECT_EQ(TerminalText::Of("a #{}", "#[error]").str(), "a #\\23[error]");
}

TEST(Printable, DiagnosticsShowNothingElse) {
  Diagnostic d;
  d.code = Code::kSyntax;
  d.message = "no '\n::error::\033'";
  d.op = "a\nb";
  d.hint = "pass 'x\ny'";
  d.place.file = "::a\n";
  d.place.function = "f\n: equal";
  d.place.location = "g\n";
  d.place.section = "s\n";
  EXPECT_EQ(
      Render(d),
      "\"::a\\0A\":s\\0A: error: 'a\\0Ab': no '\\0A::error::\\1B', in @\"f\\0A: equal\", at g\\0A [syntax]\n"
      "  hint: pass 'x\\0Ay'\n");
  EXPECT_EQ(RenderText(d, false, "some-rule").str().find("[some-rule]") != std::string::npos, true);
  d = {};
  d.place.line = d.place.column = 1;
  d.place.source_line = "::error::\xE2\x80\xAE";
  EXPECT_EQ(Render(d).find("\n  \\3A:error::???\n  ^\n") != std::string::npos, true) << Render(d);
}

}  // namespace
}  // namespace shlo
