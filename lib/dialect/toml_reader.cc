#include "dialect/toml_reader.h"

#include <fmt/format.h>

#include "ir/nearest.h"

namespace shlo {

std::optional<toml::table> TomlReader::Parse(std::string_view text) {
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
