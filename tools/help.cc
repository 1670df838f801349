#include "help.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "base/format.h"
#include "option_row.h"
#include "options.h"

namespace shlo::tool {
namespace {

constexpr size_t kWidth = 79, kColumn = 30;

// Returns a line, or several, about a flag or a command.
std::string Entry(const std::string& name, const std::string& help, size_t column = kColumn) {
  std::string out = "  " + name;
  if (out.size() + 2 > column)
    out += "\n" + std::string(column, ' ');
  else
    out.resize(column, ' ');
  return out + WrapText(help, kWidth - column, column) + "\n";
}

std::string HelpOf(const OptionRow& row, bool all) {
  if (!all) return BriefHelp(row.help);
  std::string help = row.help;
  if (!row.choices.empty()) help += StrFormat("; KIND is one of {}", fmt::join(row.choices, ", "));
  return help;
}

std::string Commands(const CLI::App& app, bool all) {
  std::string out = "\nCommands:\n";
  for (const CLI::App* command : CommandsOf(app))
    out += Entry(command->get_name(),
                 all ? command->get_description() : BriefHelp(command->get_description()), 14);
  return out;
}

}  // namespace

std::string ArgumentsOf(const CLI::App& app) {
  std::string out;
  for (const OptionRow& row : RowsOf(app)) {
    if (!row.is_argument) continue;
    const std::string name = row.names[0] + (row.repeated ? "..." : "");
    out += row.required ? " " + name : " [" + name + "]";
  }
  if (!CommandsOf(app).empty() && app.get_parent()) out += " COMMAND";
  return out;
}

std::string HelpFormatter::make_help(const CLI::App* app, std::string name, CLI::AppFormatMode) const {
  const bool is_root = !app->get_parent();
  if (is_root && !all_) return short_of_all_;
  const std::vector<OptionRow> rows = RowsOf(*app);
  std::string out = StrFormat("{}{}\n\nUsage: {}{}{}\n", is_root ? "" : name + ": ", app->get_description(),
                              name, CommandsOf(*app).empty() || is_root ? " [FLAGS]" : "", ArgumentsOf(*app));
  if (is_root) out += StrFormat("       {} COMMAND ...\n", name);
  if (!CommandsOf(*app).empty()) out += Commands(*app, all_);
  size_t hidden = 0;
  std::string flags;
  for (const std::string& group : GroupsOf(rows)) {
    std::string of_group;
    for (const OptionRow& row : rows) {
      if (row.group != group) continue;
      if (!all_ && group != kOwnFlags && group != kArguments)
        ++hidden;
      else
        of_group += Entry(row.Spelled(), HelpOf(row, all_));
    }
    if (!of_group.empty()) flags += "\n" + group + ":\n" + of_group;
  }
  out += flags;
  if (!all_)
    return out + StrFormat("\n'{} --help' has {} more {}.\n", name, hidden, hidden == 1 ? "flag" : "flags");
  if (!app->get_footer().empty()) out += "\n" + app->get_footer() + "\n";
  return out;
}

}  // namespace shlo::tool
