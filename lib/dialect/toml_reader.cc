#include "dialect/toml_reader.h"

#include <algorithm>

#include "base/format.h"
#include "base/nearest.h"

namespace shlo {
namespace {

// After this number of errors, more of them help nobody.
constexpr size_t kMostErrors = 100;

// Decodes all strings below a node. It nests as deeply as AsciiToml and TOML_MAX_NESTED_VALUES allow.
void DecodeStrings(toml::node& node) {
  if (auto* text = node.as_string()) {
    if (text->get().find('~') != std::string::npos) *text = AsciiToml::Decode(text->get());
  } else if (toml::table* table = node.as_table()) {
    for (auto&& [key, value] : *table) DecodeStrings(value);
  } else if (toml::array* list = node.as_array()) {
    for (toml::node& item : *list) DecodeStrings(item);
  }
}

}  // namespace

std::optional<toml::table> TomlReader::Parse(std::string_view text) {
  text_ = text;
  ascii_.emplace(text);
  const std::string hint = StrFormat("the file is TOML; see {}", manual_);
  if (!ascii_->problem().empty()) {
    FailAt(ascii_->problem_at(), std::string(ascii_->problem()), hint);
    return std::nullopt;
  }
  toml::parse_result parsed = toml::parse(ascii_->text());
  if (parsed) {
    DecodeStrings(parsed.table());
    return std::move(parsed).table();
  }
  // The rest of the message quotes the file, which may be any file and must not be shown.
  std::string problem = AsciiToml::Decode(parsed.error().description());
  problem.resize(std::min(problem.size(), problem.find(", saw ")));
  const toml::source_position& where = parsed.error().source().begin;
  const size_t at = ascii_->Original(where.line, where.column);
  if (at < text.size() && static_cast<unsigned char>(text[at]) >= 0x80)
    FailAt(at, "a character beyond ASCII is not in a string or a comment", hint);
  else
    FailAt(at, std::move(problem), hint);
  return std::nullopt;
}

void TomlReader::Fail(const toml::source_region& at, std::string message, std::string hint) {
  if (!full()) FailAt(ascii_->Original(at.begin.line, at.begin.column), std::move(message), std::move(hint));
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
    const std::string name = AsciiToml::Decode(key.str());
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
