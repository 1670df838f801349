// Attributes and types that are stored as text: the canonical spelling of affine maps, sparse tensor
// encodings, and attributes and types of dialects without kinds.
#include <algorithm>
#include <string>
#include <vector>

#include "serialize/text/lexer.h"

namespace shlo::text {

std::string CanonicalMap(std::string_view text) {
  constexpr size_t kLong = 1 << 16;
  if (text.size() > kLong) return std::string(text);
  std::string out;
  // Names in the order of declaration: dimensions in the first parentheses, then symbols in brackets.
  std::vector<std::string_view> dims, symbols;
  enum { kBefore, kDims, kBehindDims, kSymbols, kDeclared } state = kBefore;
  Cursor c(text);
  std::string_view before;
  bool sign = false;  // the previous token is the sign of the next
  while (!c.AtEnd()) {
    const char* from = c.p;
    if (Is(*c.p, kWordChar)) {
      while (c.p < c.end && Is(*c.p, kWordChar)) ++c.p;
    } else if (*c.p == '"') {
      RawText text;
      if (!c.RawString(&text)) ++c.p;
    } else {
      const bool arrow = *c.p == '-' && c.At(1) == '>';
      const bool comparison = (*c.p == '=' || *c.p == '>') && c.At(1) == '=';
      c.p += arrow || comparison ? 2 : 1;
    }
    const std::string_view token(from, size_t(c.p - from));
    const bool word = Is(token[0], kLetterChar);
    const bool opens = token == "(" || token == "[" || token == "<";
    const bool behind = !before.empty() && (Is(before[0], kWordChar) || (token == "[" && before == ")"));
    const bool tight = before.empty() || before == "(" || before == "[" || before == "<" || before == "." ||
                       before == "#" || token == "," || token == ")" || token == "]" || token == ">" ||
                       token == "." || (opens && behind);
    if (!tight && !sign) out.push_back(' ');
    sign = token == "-" && (before.empty() || before == "(" || before == "," || before == "*");
    before = token;
    if (state == kBehindDims) state = token == "[" ? kSymbols : kDeclared;
    if (state == kBefore && token == "(") state = kDims;
    if (state == kDims && token == ")") state = kBehindDims;
    if (state == kSymbols && token == "]") state = kDeclared;
    if (word && state == kDims && dims.size() < 64) dims.push_back(token);
    if (word && state == kSymbols && symbols.size() < 64) symbols.push_back(token);
    const auto dim = std::find(dims.begin(), dims.end(), token);
    const auto symbol = std::find(symbols.begin(), symbols.end(), token);
    if (dim != dims.end())
      out += "d" + std::to_string(dim - dims.begin());
    else if (symbol != symbols.end())
      out += "s" + std::to_string(symbol - symbols.begin());
    else
      out += token;
  }
  return out;
}

std::string CanonicalOpaque(std::string_view dialect, std::string_view text) {
  // #127<x> is an attribute, but #127 in #127.x is an alias.
  if (!text.starts_with('<') || (dialect[0] >= '0' && dialect[0] <= '9')) return std::string(text);
  const std::string_view inner = text.substr(1, text.size() - 2);
  Cursor c(inner);
  if (inner.empty() || !Is(inner[0], kLetterChar)) return std::string(text);
  c.Name();
  const bool plain = c.p == c.end || (*c.p == '<' && c.SkipBalanced() && c.p == c.end);
  return plain ? "." + std::string(inner) : std::string(text);
}

}  // namespace shlo::text
