// A flag or argument of a command, as help, the manual page and completions need it.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace shlo::tool {

struct OptionRow {
  std::vector<std::string> names;    // "-o", "--output"; of an argument, "PATH"
  std::string type;                  // "V"; "" for a flag without a value
  std::vector<std::string> choices;  // the values, if only some are allowed
  std::string help;
  std::string group;
  bool is_argument = false, optional_value = false, repeated = false, required = false;

  // Returns "-o, --output=OUT", "--extract[=NAME]".
  std::string Spelled() const;
};

// Returns the arguments and flags of a command, in the order in which they were added.
std::vector<OptionRow> RowsOf(const CLI::App& app);
// Returns the headings of flags, in the order of the page: those of the command itself first, and those that
// all commands have last.
std::vector<std::string> GroupsOf(const std::vector<OptionRow>& rows);
// Returns the commands of a command.
std::vector<const CLI::App*> CommandsOf(const CLI::App& app);

// Returns what a help text begins with, without its default, examples and exceptions.
std::string BriefHelp(std::string_view help);

// Breaks text into lines of at most `width` characters, of which all but the first are indented.
std::string WrapText(std::string_view text, size_t width, size_t indent);

}  // namespace shlo::tool
