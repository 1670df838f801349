#include "dialect/toml_reader.h"

#include <algorithm>

#include "base/format.h"
#include "base/nearest.h"
#include "base/utf8.h"

namespace shlo {
namespace {

// After this number of errors, more of them help nobody.
constexpr size_t kMostErrors = 100;

// Parts of a key. toml++ nests a table for each, and recurses into tables when it destroys them.
constexpr int kMostParts = 16;

// Returns the offset after the string that begins at an offset.
size_t EndOfString(std::string_view text, size_t at) {
  const char quote = text[at];
  const std::string_view thrice = quote == '"' ? "\"\"\"" : "'''";
  const bool is_long = text.substr(at, 3) == thrice;
  const std::string_view mark = thrice.substr(0, is_long ? 3 : 1);
  for (at += mark.size(); at < text.size(); ++at) {
    if (text.substr(at, mark.size()) == mark) {
      // Up to two quotes before the end are of the string.
      size_t end = at + mark.size();
      while (is_long && end < std::min(at + 5, text.size()) && text[end] == quote) ++end;
      return end;
    }
    if (!is_long && text[at] == '\n') return at;  // an error
    if (quote == '"' && text[at] == '\\') ++at;
  }
  return text.size();
}

// Returns the offset in a key where it has too many parts, or npos.
size_t FindLongKey(std::string_view text) {
  int parts = 1;
  for (size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '#') {
      at = std::min(text.find('\n', at), text.size());
    } else if (c == '"' || c == '\'') {
      at = EndOfString(text, at);
    } else {
      parts = c == '.' ? parts + 1 : std::string_view("\n=,{[").find(c) != text.npos ? 1 : parts;
      if (parts > kMostParts) return at;
      ++at;
    }
  }
  return text.npos;
}

}  // namespace

std::optional<toml::table> TomlReader::Parse(std::string_view text) {
  text_ = text;
  const std::string hint = StrFormat("the file is TOML; see {}", manual_);
  const auto fail = [&](size_t at, std::string message) {
    FailAt(at, std::move(message), hint);
    return std::nullopt;
  };
  if (const size_t at = FirstNotUtf8(text); at != text.npos) return fail(at, "the text is not UTF-8");
  if (const size_t at = FindLongKey(text); at != text.npos) return fail(at, "a key has more than 16 parts");
  toml::parse_result parsed = toml::parse(text);
  if (parsed) return std::move(parsed).table();
  const size_t at = OffsetOf(parsed.error().source().begin);
  if (at < text.size() && static_cast<unsigned char>(text[at]) >= 0x80)
    return fail(at, "a character beyond ASCII is not in a string or a comment");
  // The rest of the message quotes the file, which may be any file and must not be shown.
  std::string problem(parsed.error().description());
  problem.resize(std::min(problem.size(), problem.find(", saw ")));
  return fail(at, std::move(problem));
}

size_t TomlReader::OffsetOf(const toml::source_position& place) const {
  size_t at = text_.starts_with("\xEF\xBB\xBF") && place.line <= 1 ? 3 : 0;
  for (uint32_t line = 1; line < place.line; ++line) {
    const size_t end = text_.find('\n', at);
    if (end == text_.npos) break;
    at = end + 1;
  }
  for (uint32_t column = 1; column < place.column && at < text_.size(); ++column) do
      ++at;
    while (at < text_.size() && (uint8_t(text_[at]) & 0xC0) == 0x80);
  return at;
}

void TomlReader::Fail(const toml::source_region& at, std::string message, std::string hint) {
  if (!full()) FailAt(OffsetOf(at.begin), std::move(message), std::move(hint));
}

void TomlReader::FailAt(size_t offset, std::string message, std::string hint) {
  const std::string_view before = text_.substr(0, offset);
  Place place;
  place.file = file_;
  place.line = uint32_t(1 + std::ranges::count(before, '\n'));
  place.column = uint32_t(offset - (before.rfind('\n') + 1) + 1);
  errors.push_back({.code = Code::kUsage,
                    .place = std::move(place),
                    .message = std::move(message),
                    .hint = std::move(hint)});
}

bool TomlReader::Fits(const toml::array& list, std::string_view key) {
  if (list.size() <= most_entries_) return true;
  Fail(list.source(), StrFormat("'{}' has more than {} entries", key, most_entries_),
       "use patterns, or several files");
  return false;
}

bool TomlReader::full() const { return errors.size() >= kMostErrors; }

void TomlReader::Keys(const toml::table& table, std::initializer_list<std::string_view> known) {
  for (const auto& [key, value] : table) {
    if (full()) return;
    if (std::ranges::find(known, key.str()) != known.end()) continue;
    const std::string name(key.str());
    Nearest nearest(name);
    for (const std::string_view other : known) nearest.Try(other);
    Fail(key.source(), StrFormat("unknown key '{}'", name),
         DidYouMean(nearest.best(), StrFormat("{} lists the keys", manual_)));
  }
}

bool TomlReader::String(const toml::table& table, std::string_view key, std::string* out) {
  const toml::node* node = table.get(key);
  if (!node) return false;
  const auto value = node->value_exact<std::string>();
  if (!value || value->empty()) {
    Fail(node->source(), StrFormat("'{}' is not a string", key));
    return false;
  }
  *out = *value;
  return true;
}

bool TomlReader::Boolean(const toml::table& table, std::string_view key, bool* out) {
  const toml::node* node = table.get(key);
  if (!node) return false;
  const auto value = node->value_exact<bool>();
  if (!value) {
    Fail(node->source(), StrFormat("'{}' is not true or false", key));
    return false;
  }
  *out = *value;
  return true;
}

bool TomlReader::Strings(const toml::table& table, std::string_view key, std::vector<std::string>* out) {
  const toml::node* node = table.get(key);
  if (!node) return false;
  const auto add = [&](const toml::node& item) {
    const auto value = item.value_exact<std::string>();
    if (value)
      out->push_back(*value);
    else
      Fail(item.source(), StrFormat("'{}' is not a list of strings", key));
  };
  if (const toml::array* list = node->as_array()) {
    if (!Fits(*list, key)) return false;
    for (const toml::node& item : *list) add(item);
  } else {
    add(*node);
  }
  return true;
}

std::vector<const toml::table*> TomlReader::Tables(const toml::table& root, std::string_view key) {
  std::vector<const toml::table*> out;
  const toml::node* node = root.get(key);
  if (!node) return out;
  const toml::array* list = node->as_array();
  if (list && !Fits(*list, key)) return out;
  for (size_t i = 0; list && i < list->size(); ++i)
    if (const toml::table* table = list->get(i)->as_table()) out.push_back(table);
  if (!list || out.size() != list->size())
    Fail(node->source(), StrFormat("'{}' is not a list of tables", key),
         StrFormat("write it as [[{}]]", key));
  return out;
}

const toml::table* TomlReader::Table(const toml::table& parent, std::string_view key) {
  const toml::node* node = parent.get(key);
  if (node && !node->is_table()) Fail(node->source(), StrFormat("'{}' is not a table", key));
  return node ? node->as_table() : nullptr;
}

}  // namespace shlo
