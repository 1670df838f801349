#include "option_row.h"

#include <algorithm>

#include "base/format.h"
#include "options.h"

namespace shlo::tool {

std::string OptionRow::Spelled() const {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
  if (is_argument || type.empty()) return out;
  return out + (optional_value ? "[=" + type + "]" : "=" + type);
}

std::vector<OptionRow> RowsOf(const CLI::App& app) {
  std::vector<OptionRow> rows;
  for (const CLI::Option* option : app.get_options()) {
    OptionRow row;
    row.help = option->get_description();
    row.group = option->get_group();
    row.is_argument = option->get_positional();
    row.required = option->get_required();
    row.repeated = option->get_items_expected_max() > 1;
    if (row.is_argument) {
      row.names = {option->get_name(/*positional=*/true)};
    } else {
      for (const std::string& name : option->get_snames()) row.names.push_back("-" + name);
      for (const std::string& name : option->get_lnames()) row.names.push_back("--" + name);
      // "KIND:{text,shlo}" has the values that are allowed; "[=NAME]" may be left out.
      std::string type = option->get_type_name();
      if (const size_t at = type.find(":{"); at != type.npos) {
        std::string_view values = std::string_view(type).substr(at + 2);
        values.remove_suffix(1);
        while (!values.empty()) {
          const size_t comma = std::min(values.find(','), values.size());
          row.choices.emplace_back(values.substr(0, comma));
          values.remove_prefix(std::min(comma + 1, values.size()));
        }
        type.resize(at);
      }
      row.optional_value = type.starts_with("[=");
      row.type = row.optional_value ? type.substr(2, type.size() - 3) : type;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<std::string> GroupsOf(const std::vector<OptionRow>& rows) {
  std::vector<std::string> groups = {kArguments, kOwnFlags};
  for (const OptionRow& row : rows)
    if (std::ranges::find(groups, row.group) == groups.end()) groups.push_back(row.group);
  const auto place = [](const std::string& group) {
    const auto found = std::ranges::find(kSharedFlags, group);
    if (group == kArguments || group == kOwnFlags) return group == kArguments ? -2 : -1;
    return found == std::end(kSharedFlags) ? 0 : int(1 + (found - kSharedFlags));
  };
  std::ranges::stable_sort(groups, {}, place);
  return groups;
}

std::vector<const CLI::App*> CommandsOf(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

std::string BriefHelp(std::string_view help) {
  size_t end = help.size();
  for (std::string_view rest : {" (", "; ", ", such as ", ", which "}) end = std::min(end, help.find(rest));
  return std::string(help.substr(0, end));
}

std::string WrapText(std::string_view text, size_t width, size_t indent) {
  std::string out;
  while (text.size() > width) {
    size_t blank = text.rfind(' ', width);
    if (blank == text.npos || blank == 0) blank = std::min(text.find(' '), text.size());
    out += std::string(text.substr(0, blank)) + "\n" + std::string(indent, ' ');
    text.remove_prefix(std::min(blank + 1, text.size()));
  }
  return out += text;
}

}  // namespace shlo::tool
