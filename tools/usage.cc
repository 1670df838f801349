#include "usage.h"

#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <optional>

#include "base/format.h"
#include "base/nearest.h"
#include "command_line.h"
#include "help.h"
#include "option_row.h"

namespace shlo::tool {
namespace {

// Words of other tools, and what does the same here.
struct OtherWord {
  std::string_view word, ours;
};
constexpr OtherWord kOtherFlags[] = {{"--to", "--target"},
                                     {"--to-version", "--target"},
                                     {"--target-version", "--target"},
                                     {"--version-to", "--target"},
                                     {"-t", "--target"},
                                     {"--format", "--emit"},
                                     {"--output-format", "--emit"},
                                     {"-f", "--emit"},
                                     {"--out", "--output"},
                                     {"--outdir", "--out-dir"},
                                     {"--output-dir", "--out-dir"},
                                     {"--recursive", "--out-dir"},
                                     {"--input", "--inputs"},
                                     {"--function", "--entry"},
                                     {"--consumer", "--for"},
                                     {"--strip", "--strip-debuginfo"}};
constexpr OtherWord kOtherCommands[] = {{"compare", "diff"},  {"validate", "verify"}, {"lint", "check"},
                                        {"run", "eval"},      {"interpret", "eval"},  {"execute", "eval"},
                                        {"info", "inspect"},  {"show", "inspect"},    {"dump", "inspect"},
                                        {"cat", "inspect"},   {"equal", "prove"},     {"minimize", "reduce"},
                                        {"man", "help --man"}};
constexpr std::string_view kConversions[] = {"convert",   "upgrade",   "downgrade",
                                             "translate", "serialize", "deserialize"};

const CLI::App& ChosenOf(const CLI::App& app) {
  const CLI::App* at = &app;
  while (!at->get_subcommands().empty()) at = at->get_subcommands()[0];
  return *at;
}

// Returns "shlo-compat archive add".
std::string FullName(const CLI::App& app) {
  const std::string name = ChosenName(app);
  return name.empty() ? "shlo-compat" : "shlo-compat " + name;
}

const OptionRow* FindRow(const std::vector<OptionRow>& rows, std::string_view name) {
  for (const OptionRow& row : rows)
    if (!row.is_argument && std::ranges::find(row.names, name) != row.names.end()) return &row;
  return nullptr;
}

// Returns the flag of the command that has another name elsewhere, or "".
std::string OurNameOf(const std::vector<OptionRow>& rows, std::string_view name) {
  for (const OtherWord& other : kOtherFlags)
    if (other.word == name && FindRow(rows, other.ours)) return std::string(other.ours);
  return "";
}

// Returns the flag of the command that was meant by a name, or "".
std::string MeantFlag(const std::vector<OptionRow>& rows, const std::string& name) {
  // "-target" is MLIR's way to write it.
  if (!name.starts_with("--") && FindRow(rows, "-" + name)) return "-" + name;
  std::string by_prefix;
  size_t with_prefix = 0;
  Nearest nearest(name);
  for (const OptionRow& row : rows)
    for (const std::string& known : row.names) {
      if (row.is_argument || !known.starts_with("--")) continue;
      nearest.Try(known);
      if (name.size() > 3 && known.starts_with(name) && ++with_prefix) by_prefix = known;
    }
  return with_prefix == 1 ? by_prefix : std::string(nearest.best());
}

// Returns the commands that have a flag, of all the tool has: "inspect", "archive get".
std::vector<std::string> CommandsWith(std::string_view flag) {
  const WholeApp whole;
  std::vector<std::string> out;
  for (const CLI::App* command : CommandsOf(whole.app)) {
    if (FindRow(RowsOf(*command), flag)) out.push_back(command->get_name());
    for (const CLI::App* inner : CommandsOf(*command))
      if (FindRow(RowsOf(*inner), flag)) out.push_back(command->get_name() + " " + inner->get_name());
  }
  return out;
}

UsageProblem UnknownFlag(const CLI::App& app, const std::vector<OptionRow>& rows,
                         const std::string& argument) {
  const std::string name = argument.substr(0, argument.find('='));
  const bool is_short = !name.starts_with("--");
  const std::string whole = FullName(app);
  UsageProblem problem{StrFormat("unknown flag '{}'", name), {}};
  if (is_short && (name.find('.') != name.npos || ::access(argument.c_str(), F_OK) == 0)) {
    problem.hint = StrFormat("for a file of this name, pass './{}'", argument);
  } else if (const std::string ours = OurNameOf(rows, name); !ours.empty()) {
    problem.hint = DidYouMean(ours);
  } else if (const OptionRow* row = FindRow(RowsOf(app), name); row && &ChosenOf(app) != &app) {
    problem.hint = StrFormat("it is a flag of conversion, which has no name: shlo-compat {} FILE",
                             row->type.empty() ? name : name + "=" + row->type);
  } else if (const auto having = CommandsWith(name); !having.empty() && having.size() <= 3) {
    problem.hint = StrFormat("it is a flag of 'shlo-compat {}'", fmt::join(having, "', 'shlo-compat "));
  } else {
    problem.hint = DidYouMean(MeantFlag(rows, name), HelpHint(app));
  }
  return problem;
}

// Finds the first flag that the command does not have.
std::optional<UsageProblem> FindUnknownFlag(const CLI::App& app, std::span<char*> arguments) {
  const CLI::App& command = ChosenOf(app);
  const std::vector<OptionRow> rows = RowsOf(command), of_all = RowsOf(app);
  for (size_t i = 1; i < arguments.size(); ++i) {
    const std::string argument = arguments[i];
    if (argument == "--") break;
    if (!argument.starts_with('-') || argument == "-") continue;
    const bool is_long = argument.starts_with("--");
    const size_t end = is_long ? argument.find('=') : 2;
    const std::string name = argument.substr(0, end);
    const OptionRow* row = FindRow(rows, name);
    if (!row && IsForEveryCommand(name)) row = FindRow(of_all, name);
    // "-o" may be followed by its value at once; other short flags have none.
    if (!row || (!is_long && argument.size() > 2 && row->type.empty()))
      return UnknownFlag(app, rows, argument);
    const bool value_follows = argument.size() == (is_long ? name.size() : 2);
    if (!row->type.empty() && !row->optional_value && value_follows) ++i;
  }
  return std::nullopt;
}

}  // namespace

bool IsForEveryCommand(std::string_view flag) {
  constexpr std::string_view kFlags[] = {"--json", "--color", "--no-color", "--quiet"};
  return std::ranges::find(kFlags, flag) != std::end(kFlags);
}

UsageProblem FlagBeforeCommand(const CLI::App& app, const std::string& flag) {
  const std::string name = ChosenName(app);
  const std::vector<OptionRow> rows = RowsOf(ChosenOf(app));
  const OptionRow* const row = FindRow(rows, flag);
  return {StrFormat("{} has no effect before '{}'", flag, name),
          row ? StrFormat("pass it after the command: shlo-compat {} {}", name,
                          row->type.empty() ? flag : flag + "=" + row->type)
              : StrFormat("it is a flag of conversion, and '{}' has none of this name", name)};
}

std::string HelpHint(const CLI::App& app) { return StrFormat("run '{} --help' for usage", FullName(app)); }

std::string CommandHint(std::string_view word) {
  if (std::ranges::find(kConversions, word) != std::end(kConversions))
    return "conversion has no name: shlo-compat --target=V FILE";
  Nearest nearest(word);
  for (const CommandRow& row : CommandRows()) nearest.Try(row.name);
  for (std::string_view name : {"help", "version", "completions"}) nearest.Try(name);
  if (!nearest.best().empty()) return DidYouMean(nearest.best());
  for (const OtherWord& other : kOtherCommands)
    if (other.word == word && (RowOfCommand(other.ours) || other.ours.starts_with("help")))
      return DidYouMean(other.ours);
  if (IsArchiveCommand(word)) return StrFormat("did you mean 'archive {}'?", word);
  return kMinimal ? "this is the minimal build; run 'shlo-compat help' for its commands"
                  : "run 'shlo-compat help' for the commands";
}

UsageProblem ProblemOf(const CLI::App& app, const CLI::ParseError& error, std::span<char*> arguments) {
  if (auto unknown = FindUnknownFlag(app, arguments)) return std::move(*unknown);
  const CLI::App& command = ChosenOf(app);
  const std::string usage = StrFormat("usage: {}{}", FullName(app), ArgumentsOf(command));
  if (dynamic_cast<const CLI::RequiredError*>(&error)) {
    const bool no_command =
        !CommandsOf(command).empty() && command.get_subcommands().empty() && &command != &app;
    if (!no_command) return {error.what(), usage};
    // CLI11 misses the command before it finds that a word is left over.
    const std::string name = command.get_name();
    const auto at = std::ranges::find(arguments, name, [](const char* a) { return std::string(a); });
    if (at != arguments.end() && at + 1 != arguments.end() && (*(at + 1))[0] != '-') {
      const std::string word = *(at + 1);
      std::vector<std::string> names;
      for (const CLI::App* inner : CommandsOf(command)) names.push_back(inner->get_name());
      Nearest nearest(word);
      for (const std::string& known : names) nearest.Try(known);
      std::string meant(nearest.best());
      if (meant.empty())
        for (const std::string& known : names)
          if (meant.empty() && known.starts_with(word)) meant = known;
      return {StrFormat("'{}' has no command '{}'", name, word), DidYouMean(meant, HelpHint(app))};
    }
    return {StrFormat("'{}' needs a command", name), HelpHint(app)};
  }
  if (const auto* missing = dynamic_cast<const CLI::ArgumentMismatch*>(&error)) {
    const std::string what = missing->what();
    const std::string flag = what.substr(0, what.find(':'));
    if (what.find("required") != what.npos && flag.starts_with("-"))
      return {StrFormat("'{}' has no value", flag), HelpHint(app)};
  }
  if (dynamic_cast<const CLI::ExtrasError*>(&error)) {
    const auto left = app.remaining(/*recurse=*/true);
    if (!left.empty()) return {StrFormat("unexpected argument '{}'", left.front()), usage};
  }
  return {error.what(), HelpHint(app)};
}

}  // namespace shlo::tool
