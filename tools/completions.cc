// Completions for shells. A script has everything in it, so that completing starts no process.
#include <fmt/ranges.h>

#include <algorithm>

#include "base/format.h"
#include "help.h"
#include "option_row.h"
#include "options.h"

namespace shlo::tool {
namespace {

// A command by its words: "", "inspect", "archive add".
struct Command {
  std::string name;
  const CLI::App* app;
};

std::vector<Command> AllCommands(const CLI::App& app) {
  std::vector<Command> out = {{"", &app}};
  for (const CLI::App* command : CommandsOf(app)) {
    out.push_back({command->get_name(), command});
    for (const CLI::App* inner : CommandsOf(*command))
      out.push_back({command->get_name() + " " + inner->get_name(), inner});
  }
  return out;
}

// The values of a flag that are known without a file.
std::vector<std::string> ValuesOf(const OptionRow& row) {
  if (row.type == "V") return {"current", "minimum", "WEEK_4", "WEEK_12", "MAX"};
  return row.choices;
}

// Returns text between single quotes, after `escaped` characters got a backslash.
std::string Quoted(std::string_view text, std::string_view escaped, std::string_view quote) {
  std::string out = "'";
  for (const char c : text) {
    if (escaped.find(c) != escaped.npos) out += '\\';
    out += c == '\'' ? std::string(quote) : std::string(1, c);
  }
  return out + "'";
}

// The lines that find out which command a line is of, in bash and zsh: `words` is the array, `index` its
// word.
std::string FindCommand(const std::vector<Command>& commands, std::string_view word) {
  std::vector<std::string> outer, inner;
  for (const Command& c : commands) {
    const size_t blank = c.name.find(' ');
    if (c.name.empty()) continue;
    (blank == c.name.npos ? outer : inner)
        .push_back(blank == c.name.npos ? "' " + c.name + "'" : "'" + c.name + "'");
  }
  return StrFormat(
      "    case \"$command {0}\" in\n      {1}) command={0} ;;\n      {2}) command=\"$command {0}\" ;;\n    "
      "esac\n",
      word, fmt::join(outer, "|"), fmt::join(inner, "|"));
}

std::string Bash(const std::vector<Command>& commands) {
  std::string flags, values;
  for (const Command& c : commands) {
    std::vector<std::string> words;
    for (const CLI::App* inner : CommandsOf(*c.app)) words.push_back(inner->get_name());
    const std::string names = StrFormat("{}", fmt::join(words, " "));
    words.clear();
    for (const OptionRow& row : RowsOf(*c.app)) {
      if (row.is_argument) continue;
      for (const std::string& name : row.names)
        words.push_back(name.starts_with("--") && !row.type.empty() && !row.optional_value ? name + "="
                                                                                           : name);
      if (const auto of = ValuesOf(row); !of.empty())
        values += StrFormat("    '{} {}') values='{}' ;;\n", c.name, row.names.back(), fmt::join(of, " "));
    }
    flags += StrFormat("    '{}') flags='{}' words='{}' ;;\n", c.name, fmt::join(words, " "), names);
  }
  return "# Completions of shlo-compat for bash: source <(shlo-compat completions bash)\n"
         "_shlo_compat() {\n"
         "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command= flags= values= "
         "words= word i\n"
         "  for ((i = 1; i < COMP_CWORD; ++i)); do\n"
         "    word=${COMP_WORDS[i]}\n" +
         FindCommand(commands, "$word") +
         "  done\n"
         "  # bash divides words at '='.\n"
         "  if [[ $cur == '=' ]]; then cur=; elif [[ $prev == '=' ]]; then prev=${COMP_WORDS[COMP_CWORD-2]}; "
         "fi\n"
         "  case $command in\n" +
         flags + "  esac\n  case \"$command $prev\" in\n" + values +
         "  esac\n"
         "  if [[ -n $values ]]; then\n"
         "    COMPREPLY=($(compgen -W \"$values\" -- \"$cur\"))\n"
         "  elif [[ $cur == -* ]]; then\n"
         "    COMPREPLY=($(compgen -W \"$flags\" -- \"$cur\"))\n"
         "    [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace\n"
         "  else\n"
         "    COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
         "  fi\n"
         "  return 0\n"
         "}\n"
         "complete -o bashdefault -o default -F _shlo_compat shlo-compat\n";
}

std::string ZshFlag(const OptionRow& row) {
  const auto escaped = [](const std::string& text) {
    std::string out = Quoted(text, "[]:\\", "'\\''");
    return out.substr(1, out.size() - 2);
  };
  if (row.is_argument) return StrFormat("'*:{}:_files'", row.names[0]);
  std::string action;
  if (!row.type.empty()) {
    const auto values = ValuesOf(row);
    action = StrFormat("{}{}:{}", row.optional_value ? "::" : ":", escaped(row.type),
                       values.empty() ? "_files" : StrFormat("({})", fmt::join(values, " ")));
  }
  std::string out;
  for (const std::string& name : row.names) {
    std::string spelled = name;
    if (!row.type.empty()) spelled += !name.starts_with("--") ? "+" : row.optional_value ? "=-" : "=";
    out += StrFormat("{}'{}{}[{}]{}'", out.empty() ? "" : " ", row.repeated ? "*" : "", spelled,
                     escaped(BriefHelp(row.help)), action);
  }
  return out;
}

std::string Zsh(const std::vector<Command>& commands) {
  std::string cases;
  for (const Command& c : commands) {
    std::string specs;
    for (const OptionRow& row : RowsOf(*c.app)) specs += " \\\n        " + ZshFlag(row);
    std::string names;
    for (const CLI::App* inner : CommandsOf(*c.app))
      names += " " + Quoted(inner->get_name() + ":" + BriefHelp(inner->get_description()), "\\", "'\\''");
    cases += StrFormat("    '{}')\n", c.name);
    if (!names.empty())
      cases += StrFormat("      names=({})\n      [[ $PREFIX != -* ]] && _describe command names\n",
                         names.substr(1));
    cases += StrFormat("      _arguments{} ;;\n", specs);
  }
  return "#compdef shlo-compat\n"
         "# Completions of shlo-compat for zsh: a file _shlo-compat in a folder of $fpath.\n"
         "_shlo-compat() {\n"
         "  local command= word\n"
         "  local -a names\n"
         "  integer i\n"
         "  for ((i = 2; i < CURRENT; ++i)); do\n"
         "    word=${words[i]}\n" +
         FindCommand(commands, "$word") + "  done\n  case $command in\n" + cases +
         "  esac\n"
         "}\n"
         "# zsh reads a file of $fpath when it completes the first word; the script may also be sourced.\n"
         "if [[ $funcstack[1] == _shlo-compat ]]; then\n"
         "  _shlo-compat \"$@\"\n"
         "else\n"
         "  compdef _shlo-compat shlo-compat\n"
         "fi\n";
}

std::string Fish(const std::vector<Command>& commands) {
  std::string out = "# Completions of shlo-compat for fish: shlo-compat completions fish | source\n";
  for (const Command& c : commands) {
    const size_t blank = c.name.find(' ');
    std::string when = "__fish_use_subcommand";
    if (blank != c.name.npos)
      when = StrFormat("'__fish_seen_subcommand_from {}; and __fish_seen_subcommand_from {}'",
                       c.name.substr(0, blank), c.name.substr(blank + 1));
    else if (!c.name.empty() && CommandsOf(*c.app).empty())
      when =
          StrFormat("'__fish_seen_subcommand_from {}; and not __fish_seen_subcommand_from archive'", c.name);
    else if (!c.name.empty())
      when = StrFormat("'__fish_seen_subcommand_from {}'", c.name);
    for (const CLI::App* inner : CommandsOf(*c.app))
      out += StrFormat("complete -c shlo-compat -n {} -a {} -d {}\n", when, inner->get_name(),
                       Quoted(BriefHelp(inner->get_description()), "\\", "\\'"));
    for (const OptionRow& row : RowsOf(*c.app)) {
      if (row.is_argument) continue;
      out += StrFormat("complete -c shlo-compat -n {}", when);
      for (const std::string& name : row.names)
        out += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      if (!row.type.empty() && !row.optional_value) out += " -r";
      if (const auto values = ValuesOf(row); !values.empty())
        out += StrFormat(" -f -a '{}'", fmt::join(values, " "));
      out += StrFormat(" -d {}\n", Quoted(BriefHelp(row.help), "\\", "\\'"));
    }
  }
  return out;
}

// --- The manual page ----------------------------------------------------------------------------------

// Returns text for roff, in which a dash, a backslash and a dot at the beginning of a line are special.
std::string Roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n'))
      out += std::string("\\&") + c;
    else
      out += c;
  }
  return out;
}

std::string RoffFlags(const CLI::App& app, bool own) {
  std::string out;
  const std::vector<OptionRow> rows = RowsOf(app);
  for (const std::string& group : GroupsOf(rows)) {
    // The flags of archives are not among those of conversion, which the page has in full.
    const bool is_own =
        group == kArchiveFlags || std::ranges::find(kSharedFlags, group) == std::end(kSharedFlags);
    if (!is_own && own) continue;
    if (!own) out += StrFormat(".SS \"{}\"\n", group);
    for (const OptionRow& row : rows) {
      if (row.group != group) continue;
      out += StrFormat(".TP\n.B {}\n{}", Roff(row.Spelled()), Roff(row.help));
      if (!row.choices.empty())
        out += Roff(StrFormat("; {} is one of {}", row.type, fmt::join(row.choices, ", ")));
      out += ".\n";
    }
  }
  return out;
}

// Keeps lines as they are.
std::string RoffText(const std::string& text) { return text.empty() ? "" : ".nf\n" + Roff(text) + "\n.fi\n"; }

}  // namespace

std::string ManualPage(const CLI::App& app) {
  std::string out = StrFormat(
      ".TH SHLO\\-COMPAT 1 \"\" \"shlo\\-compat {}\"\n.SH NAME\nshlo\\-compat \\- {}\n.SH SYNOPSIS\n"
      ".B shlo\\-compat\n[FLAGS] [PATH...]\n.br\n.B shlo\\-compat\nCOMMAND ...\n.SH DESCRIPTION\n{}.SH "
      "FLAGS\n{}",
      ToolVersion(), "converts StableHLO programs between versions and formats", RoffText(app.get_footer()),
      RoffFlags(app, /*own=*/false));
  out +=
      ".SH COMMANDS\nCommands also have the flags of the headings Reading, Limits and General above, as far "
      "as their\n"
      "\\-\\-help lists them.\n";
  for (const Command& c : AllCommands(app)) {
    if (c.name.empty()) continue;
    out += StrFormat(".SS \"{}{}\"\n{}.\n{}", c.name, Roff(ArgumentsOf(*c.app)),
                     Roff(c.app->get_description()), RoffFlags(*c.app, /*own=*/true));
    if (!c.app->get_footer().empty() && c.app->get_footer() != c.app->get_parent()->get_footer())
      out += ".PP\n" + RoffText(c.app->get_footer());
  }
  return out;
}

std::string Completions(const CLI::App& app, std::string_view shell) {
  const std::vector<Command> commands = AllCommands(app);
  return shell == "bash" ? Bash(commands) : shell == "zsh" ? Zsh(commands) : Fish(commands);
}

}  // namespace shlo::tool
