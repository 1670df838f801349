// Help, the manual page, and completions for shells: all from the options that the commands declare
// (options.h).
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>

namespace shlo::tool {

// Formats `-h` in a screen of 24 lines, and `--help` with every flag, under headings.
class HelpFormatter : public CLI::FormatterBase {
 public:
  // `short_of_all` is what -h prints for the tool itself.
  HelpFormatter(bool all, std::string short_of_all) : all_(all), short_of_all_(std::move(short_of_all)) {}
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;

 private:
  const bool all_;
  const std::string short_of_all_;
};

// Returns "PATH...", "[MODEL...]": the arguments of a command, for its usage.
std::string ArgumentsOf(const CLI::App& app);

// Returns the manual page of the tool, in roff, from an app that has all commands.
std::string ManualPage(const CLI::App& app);

// The shells that there are completions for.
inline constexpr std::string_view kShells[] = {"bash", "zsh", "fish"};
// Returns the script that completes command lines in a shell, from an app that has all commands.
std::string Completions(const CLI::App& app, std::string_view shell);

}  // namespace shlo::tool
