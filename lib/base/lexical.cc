#include "base/lexical.h"

#include <charconv>
#include <cstddef>

#include "base/hex.h"

namespace shlo::text {

void PutInt(TextBuffer& out, int64_t value) {
  if (value < 0) out.push_back('-');
  PutUnsigned(out, value < 0 ? 0 - uint64_t(value) : uint64_t(value));
}

void PutUnsigned(TextBuffer& out, uint64_t value) {
  if (value < 10) return out.push_back(char('0' + value));
  constexpr size_t kMost = 20;
  char* const at = out.Room(kMost);
  out.EndAt(std::to_chars(at, at + kMost, value).ptr);
}

namespace {

constexpr char kDigits[] = "0123456789ABCDEF";

constexpr bool IsAlpha(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }

bool IsBareIdentifier(std::string_view name) {
  if (name.empty() || !(IsAlpha(name[0]) || name[0] == '_')) return false;
  for (char c : name)
    if (!(IsAlpha(c) || IsDigit(c) || c == '_' || c == '$' || c == '.')) return false;
  return true;
}

}  // namespace

void PutEscaped(TextBuffer& out, std::string_view bytes) {
  size_t plain = 0;
  for (size_t i = 0; i < bytes.size(); ++i) {
    const unsigned char c = static_cast<unsigned char>(bytes[i]);
    if (c >= 0x20 && c < 0x7F && c != '"' && c != '\\') continue;
    out.append(bytes.substr(plain, i - plain));
    out.push_back('\\');
    if (c == '\\')
      out.push_back('\\');
    else
      (out += kDigits[c >> 4]) += kDigits[c & 15];
    plain = i + 1;
  }
  out.append(bytes.substr(plain));
}

void PutQuoted(TextBuffer& out, std::string_view bytes) {
  out.push_back('"');
  PutEscaped(out, bytes);
  out.push_back('"');
}

void PutKeyword(TextBuffer& out, std::string_view name) {
  if (IsBareIdentifier(name))
    out.append(name);
  else
    PutQuoted(out, name);
}

void PutSymbol(TextBuffer& out, std::string_view name) {
  out.push_back('@');
  PutKeyword(out, name);
}

void PutHex(TextBuffer& out, std::string_view bytes) {
  char* const at = out.Room(2 * bytes.size());
  EncodeHex(bytes, at);
  out.EndAt(at + 2 * bytes.size());
}

}  // namespace shlo::text
