// Explains command lines that cannot be parsed.
#pragma once

#include <CLI/CLI.hpp>
#include <span>
#include <string>
#include <string_view>

namespace shlo::tool {

struct UsageProblem {
  std::string message, hint;
};

// Explains an error of CLI11 by the arguments: the first flag that the command does not have, if there is
// one.
UsageProblem ProblemOf(const CLI::App& app, const CLI::ParseError& error, std::span<char*> arguments);

// Returns whether a flag may be before the command as well: --json, --color, --no-color, --quiet.
bool IsForEveryCommand(std::string_view flag);

// Explains that a flag of conversion has no effect before the command that was chosen.
UsageProblem FlagBeforeCommand(const CLI::App& app, const std::string& flag);

// Returns the hint that names the help of the command that was chosen.
std::string HelpHint(const CLI::App& app);

}  // namespace shlo::tool
