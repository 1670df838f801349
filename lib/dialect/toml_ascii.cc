#include "dialect/toml_ascii.h"

#include <algorithm>

#include "base/hex.h"
#include "base/utf8.h"

namespace shlo {
namespace {

constexpr char kMark = '~';
// Parts of a key. toml++ nests a table for each, and recurses into tables when it destroys them.
constexpr int kMostParts = 16;

}  // namespace

AsciiToml::AsciiToml(std::string_view text) : in_(text) {
  if (const size_t at = FirstNotUtf8(text); at != text.npos) {
    Problem(at, "the text is not UTF-8");
    return;
  }
  out_.reserve(text.size());
  size_t at = text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  if (at) Replace("", 0, at);
  int parts = 1;
  while (at < in_.size() && problem_.empty()) {
    const char c = in_[at];
    if (c == '#') {
      const size_t end = std::min(in_.find('\n', at), in_.size());
      Put(in_.substr(at, end - at));
      at = end;
    } else if (c == '"' || c == '\'') {
      at = String(at);
    } else {
      parts = c == '.' ? parts + 1 : std::string_view("\n=,{[").find(c) != std::string_view::npos ? 1 : parts;
      if (parts > kMostParts) Problem(at, "a key has more than 16 parts");
      Put(in_.substr(at++, 1));
    }
  }
}

// Copies the string that begins at an offset, and returns that after it.
size_t AsciiToml::String(size_t at) {
  const char quote = in_[at];
  const std::string_view thrice = quote == '"' ? "\"\"\"" : "'''";
  const bool is_long = in_.substr(at, 3) == thrice;
  const std::string_view mark = thrice.substr(0, is_long ? 3 : 1);
  Put(mark);
  at += mark.size();
  while (at < in_.size() && in_.substr(at, mark.size()) != mark) {
    if (!is_long && in_[at] == '\n') return at;  // an error
    if (quote == '"' && in_[at] == '\\')
      at = Escape(at);
    else
      Put(in_.substr(at++, 1));
  }
  if (at >= in_.size()) return in_.size();
  // Up to two quotes before the end are of the string.
  size_t end = at + mark.size();
  while (is_long && end < std::min(at + 5, in_.size()) && in_[end] == quote) ++end;
  Put(in_.substr(at, end - at));
  return end;
}

// Copies a backslash and what it escapes. A tilde that is written as a number would be taken for our mark.
size_t AsciiToml::Escape(size_t at) {
  for (const std::string_view tilde : {"\\u007e", "\\U0000007e"})
    if (std::ranges::equal(in_.substr(at, tilde.size()), tilde, {},
                           [](char c) { return c == 'E' ? 'e' : c; })) {
      Replace("~7e", at, at + tilde.size());
      return at + tilde.size();
    }
  const size_t end = std::min(at + 2, in_.size());
  // Characters beyond ASCII cannot be escaped; they stay apart for the message.
  const bool escapes = end == at + 2 && uint8_t(in_[at + 1]) < 0x80;
  Put(in_.substr(at, escapes ? 2 : 1));
  return escapes ? end : at + 1;
}

void AsciiToml::Put(std::string_view original) {
  for (size_t i = 0; i < original.size();) {
    const auto c = uint8_t(original[i]);
    const size_t at = size_t(original.data() - in_.data()) + i;
    if (c < 0x80 && c != uint8_t(kMark)) {
      out_ += char(c);
      ++i;
      continue;
    }
    const char spelling[] = {kMark, "0123456789abcdef"[c >> 4], "0123456789abcdef"[c & 15]};
    Replace({spelling, 3}, at, at + 1);
    ++i;
  }
}

void AsciiToml::Replace(std::string_view by, size_t from, size_t end) {
  out_ += by;
  if (by.size() != end - from) shifts_.emplace_back(out_.size(), end);
}

void AsciiToml::Problem(size_t at, std::string_view what) {
  if (!problem_.empty()) return;
  problem_ = what;
  problem_at_ = at;
}

size_t AsciiToml::Original(uint32_t line, uint32_t column) const {
  size_t begin = 0;
  for (uint32_t i = 1; i < line && begin < out_.size(); ++i)
    begin = std::min(out_.find('\n', begin), out_.size() - 1) + 1;
  const size_t at = begin + std::max(column, 1u) - 1;
  const auto after = std::ranges::upper_bound(shifts_, at, {}, &std::pair<size_t, size_t>::first);
  const auto [ours, original] = after == shifts_.begin() ? std::pair<size_t, size_t>() : *std::prev(after);
  const size_t limit = after == shifts_.end() ? in_.size() : after->second;
  return std::min(original + (at - ours), limit);
}

std::string AsciiToml::Decode(std::string_view encoded) {
  std::string out;
  out.reserve(encoded.size());
  for (size_t i = 0; i < encoded.size(); ++i) {
    uint8_t byte = 0;
    if (encoded[i] == kMark && i + 2 < encoded.size() && DecodeHex(encoded.substr(i + 1, 2), &byte)) {
      out += char(byte);
      i += 2;
    } else {
      out += encoded[i];
    }
  }
  return out;
}

}  // namespace shlo
