#include "dialect/toml_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/nearest.h"

namespace shlo {
namespace {

// Returns whether a quote after `before` begins a string. In a word it does not: toml++ reads the whole word
// first.
bool BeginsString(std::string_view before) {
  if (before.empty() || std::string_view(" \t\r\n=[,{").find(before.back()) != before.npos) return true;
  if (before.back() != '.') return false;
  // A key, not a number.
  before.remove_suffix(1);
  const size_t other = before.find_last_of(" \t\r\n=[,{");
  const size_t word = other == before.npos ? 0 : other + 1;
  return word == before.size() || std::string_view("+-0123456789").find(before[word]) == before.npos;
}

// Returns the offset of the first byte beyond ASCII that is neither in a string nor in a comment, or that
// follows a line break that a string escapes, or npos. TOML has none in the first place, and toml++ 3.3 takes
// some of them for impossible in both.
size_t ForeignByte(std::string_view text) {
  size_t at = text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  while (at < text.size()) {
    const char c = text[at];
    if (static_cast<unsigned char>(c) >= 0x80) return at;
    if (c == '#') {
      at = std::min(text.find('\n', at), text.size());
    } else if ((c == '"' || c == '\'') && BeginsString(text.substr(0, at))) {
      const std::string thrice(3, c);
      const bool long_string = text.substr(at, 3) == thrice;
      const std::string_view end = long_string ? std::string_view(thrice) : std::string_view(&thrice[0], 1);
      for (at += end.size(); at < text.size() && text.substr(at, end.size()) != end; ++at) {
        if (c == '"' && text[at] == '\\') {
          const size_t next = std::min(text.find_first_not_of(" \t\r\n", at + 1), text.size());
          // At the end of a line it skips what begins the next one.
          if (next > at + 1 && next < text.size() && static_cast<unsigned char>(text[next]) >= 0x80)
            return next;
          ++at;
        }
        if (!long_string && at < text.size() && text[at] == '\n') break;  // an error
      }
      at += end.size();
    } else {
      ++at;
    }
  }
  return text.npos;
}

}  // namespace

std::optional<toml::table> TomlReader::Parse(std::string_view text) {
  if (const size_t at = ForeignByte(text); at != text.npos) {
    toml::source_region where;
    const std::string_view before = text.substr(0, at);
    where.begin.line = toml::source_index(1 + std::ranges::count(before, '\n'));
    where.begin.column = toml::source_index(at - (before.rfind('\n') + 1) + 1);
    Fail(where,
         "a character beyond ASCII is not in a string or a comment, or begins a line that continues a string",
         fmt::format("the file is TOML; see {}", manual_));
    return std::nullopt;
  }
  toml::parse_result parsed = toml::parse(text);
  if (parsed) return std::move(parsed).table();
  Fail(parsed.error().source(), std::string(parsed.error().description()),
       fmt::format("the file is TOML; see {}", manual_));
  return std::nullopt;
}

void TomlReader::Fail(const toml::source_region& at, std::string message, std::string hint) {
  Place place;
  place.file = file_;
  place.line = at.begin.line;
  place.column = at.begin.column;
  errors.push_back({.code = Code::kUsage,
                    .place = std::move(place),
                    .message = std::move(message),
                    .hint = std::move(hint)});
}

void TomlReader::Keys(const toml::table& table, std::initializer_list<std::string_view> known) {
  for (const auto& [key, value] : table) {
    Nearest nearest(key.str());
    bool found = false;
    for (const std::string_view name : known) {
      found = found || name == key.str();
      nearest.Try(name);
    }
    if (!found)
      Fail(key.source(), fmt::format("unknown key '{}'", key.str()),
           DidYouMean(nearest.best(), fmt::format("{} lists the keys", manual_)));
  }
}

bool TomlReader::String(const toml::table& table, std::string_view key, std::string* out) {
  const toml::node* node = table.get(key);
  if (!node) return false;
  const auto value = node->value_exact<std::string>();
  if (!value || value->empty()) {
    Fail(node->source(), fmt::format("'{}' is not a string", key));
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
    Fail(node->source(), fmt::format("'{}' is not true or false", key));
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
      Fail(item.source(), fmt::format("'{}' is not a list of strings", key));
  };
  if (const toml::array* list = node->as_array()) {
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
  for (size_t i = 0; list && i < list->size(); ++i)
    if (const toml::table* table = list->get(i)->as_table()) out.push_back(table);
  if (!list || out.size() != list->size())
    Fail(node->source(), fmt::format("'{}' is not a list of tables", key),
         fmt::format("write it as [[{}]]", key));
  return out;
}

const toml::table* TomlReader::Table(const toml::table& parent, std::string_view key) {
  const toml::node* node = parent.get(key);
  if (node && !node->is_table()) Fail(node->source(), fmt::format("'{}' is not a table", key));
  return node ? node->as_table() : nullptr;
}

}  // namespace shlo
