#include "base/printable.h"

#include <algorithm>
#include <cstdint>

#include "base/lexical.h"
#include "base/utf8.h"
#include "shlo/diagnostics.h"

namespace shlo {
namespace {

struct CharRange {
  uint32_t first, last;
};
// Characters that are not seen, or that change how others are seen: controls, formats, separators of lines,
// fillers and noncharacters (the Unicode standard, chapter 23). In order.
constexpr CharRange kNotShown[] = {
    {0x00, 0x1F},       {0x7F, 0x9F},       {0xAD, 0xAD},     {0x34F, 0x34F},   {0x61C, 0x61C},
    {0x115F, 0x1160},   {0x17B4, 0x17B5},   {0x180B, 0x180F}, {0x200B, 0x200F}, {0x2028, 0x202E},
    {0x2060, 0x206F},   {0x3164, 0x3164},   {0xD800, 0xDFFF}, {0xFDD0, 0xFDEF}, {0xFE00, 0xFE0F},
    {0xFEFF, 0xFEFF},   {0xFFA0, 0xFFA0},   {0xFFF0, 0xFFFB}, {0xFFFE, 0xFFFF}, {0x1BCA0, 0x1BCA3},
    {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF},
};

bool IsShown(uint32_t c) {
  if ((c & 0xFFFE) == 0xFFFE) return false;  // noncharacters of every plane
  const auto* const range = std::ranges::lower_bound(kNotShown, c, {}, &CharRange::last);
  return range == std::end(kNotShown) || c < range->first;
}

bool IsPlainByte(char c) { return c >= 0x20 && c < 0x7F; }

// Calls visit(bytes, code point, is shown) for each character, and for each byte that is not part of one,
// with its value.
template <typename VisitT>
void ForEachCharacter(std::string_view text, const VisitT& visit) {
  for (size_t i = 0; i < text.size();) {
    uint32_t c = 0;
    const size_t length = CharacterAt(text.substr(i), &c);
    if (length == 0) c = uint8_t(text[i]);
    visit(text.substr(i, std::max<size_t>(length, 1)), c, length != 0 && IsShown(c));
    i += std::max<size_t>(length, 1);
  }
}

void AppendEscaped(std::string_view bytes, std::string* out) {
  for (const char c : bytes) *out += StrFormat("\\{:02X}", uint8_t(c));
}

// Escapes what is not shown anywhere, and "##": CI systems look for "##[" in every line of a log, also in
// reports.
std::string Visible(std::string_view text, bool keep_lines) {
  if (std::ranges::all_of(text, [&](char c) { return IsPlainByte(c) || (keep_lines && c == '\n'); }) &&
      text.find("##") == text.npos)
    return std::string(text);
  std::string out;
  bool after_hash = false;
  ForEachCharacter(text, [&](std::string_view bytes, uint32_t c, bool shown) {
    if ((shown && !(c == '#' && after_hash)) || (keep_lines && c == '\n'))
      out += bytes;
    else
      AppendEscaped(bytes, &out);
    after_hash = c == '#';
  });
  return out;
}

// Words that mean nothing in Markdown, wherever they are in a line.
bool IsPlainWords(std::string_view text) {
  return !text.empty() && text.front() != ' ' && text.back() != ' ' && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == ' ' || c == '-' || c == ',' || c == ';';
  });
}

std::string_view XmlEntity(char c) {
  switch (c) {
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '&':
      return "&amp;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return {};
  }
}

// Escapes what has a meaning in a medium.
std::string ForMedium(Medium medium, std::string text) {
  if (medium == Medium::kTerminal) return text;
  if (medium == Medium::kMarkdown && IsPlainWords(text)) return text;
  std::string out;
  const std::string_view percent = medium == Medium::kCommand ? "%\n" : "%\n:,";
  for (const char c : text) {
    if (medium == Medium::kXml && !XmlEntity(c).empty())
      out += XmlEntity(c);
    else if (medium == Medium::kMarkdown && (c == '`' || c == '|'))  // these end a code span, or its cell
      AppendEscaped({&c, 1}, &out);
    else if (medium >= Medium::kCommand && percent.find(c) != percent.npos)
      out += StrFormat("%{:02X}", uint8_t(c));
    else
      out += c;
  }
  return medium == Medium::kMarkdown && !out.empty() ? "`" + out + "`" : out;
}

}  // namespace

std::string EscapedFor(Medium medium, std::string_view text) {
  return ForMedium(medium, Visible(text, /*keep_lines=*/false));
}

std::string EscapedLinesFor(Medium medium, std::string_view text) {
  return ForMedium(medium, Visible(text, /*keep_lines=*/true));
}

std::string SymbolText(std::string_view name) {
  text::TextBuffer out;
  text::PutSymbol(out, Shown(name));
  return std::string(out.view());
}

std::string NameText(std::string_view name) {
  const std::string shown = Shown(name), visible = Visible(shown, /*keep_lines=*/false);
  const bool plain = visible == shown && !name.empty() &&
                     std::string_view(" :#").find(name[0]) == name.npos && name.back() != ' ' &&
                     name.find('"') == name.npos && name.find(": ") == name.npos &&
                     name.find("  ") == name.npos && name.find("##") == name.npos;
  return plain ? shown : QuotedText(shown);
}

std::string ShellText(std::string_view word) {
  const bool plain = !word.empty() && std::ranges::all_of(word, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_./@:=+,-").find(c) != std::string_view::npos;
  });
  if (plain) return std::string(word);
  std::string out = "'";
  for (const char c : Shown(word)) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

std::string QuotedText(std::string_view text) {
  std::string out = "\"";
  ForEachCharacter(text, [&](std::string_view bytes, uint32_t c, bool is_shown) {
    if (c == '"' || c == '\\') out += '\\';
    if (is_shown)
      out += bytes;
    else
      AppendEscaped(bytes, &out);
  });
  return out + '"';
}

std::string SourceLineText(std::string_view line) {
  std::string out;
  ForEachCharacter(line, [&](std::string_view bytes, uint32_t c, bool shown) {
    if (shown)
      out += bytes;
    else
      out.append(bytes.size(), bytes.size() == 1 && (c < 0x20 || c == 0x7F) ? ' ' : '?');
  });
  return out;
}

std::string Utf8Text(std::string_view text) {
  if (FirstNotUtf8(text) == text.npos) return std::string(text);
  std::string out;
  for (size_t i = 0; i < text.size();) {
    uint32_t unused = 0;
    const size_t length = CharacterAt(text.substr(i), &unused);
    if (length)
      out += text.substr(i, length);
    else
      AppendEscaped(text.substr(i, 1), &out);
    i += std::max<size_t>(length, 1);
  }
  return out;
}

std::string JsonForTerminals(std::string_view document) {
  std::string out;
  out.reserve(document.size());
  const auto unit = [&](uint32_t u) { out += StrFormat("\\u{:04x}", u); };
  bool after_hash = false;
  ForEachCharacter(document, [&](std::string_view bytes, uint32_t c, bool shown) {
    if (c == '#' && after_hash)
      unit('#');
    else if (shown || c == '\n')
      out += bytes;
    else if (c > 0xFFFF)
      unit(0xD800 + ((c - 0x10000) >> 10)), unit(0xDC00 + ((c - 0x10000) & 0x3FF));
    else
      unit(c);
    after_hash = c == '#';
  });
  return out;
}

namespace printable {

std::string WithoutCommands(std::string text) {
  if (text.find("::") == text.npos && text.find("##") == text.npos) return text;
  std::string out;
  bool begins = true;  // only spaces since the line began
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool command = begins && c == ':' && i + 1 < text.size() && text[i + 1] == ':';
    if (command || (c == '#' && i > 0 && text[i - 1] == '#'))
      AppendEscaped({&c, 1}, &out);
    else
      out += c;
    begins = c == '\n' || (begins && (c == ' ' || c == '\t'));
  }
  return out;
}

}  // namespace printable
}  // namespace shlo
