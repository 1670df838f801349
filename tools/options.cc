#include "options.h"

#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "ir/format.h"

namespace shlo::tool {
namespace {

// Breaks a help text so that it fits to the right of the option names.
std::string Wrapped(std::string text) {
  constexpr size_t kWidth = 49;  // columns 31 to 79
  for (size_t line = 0; text.size() - line > kWidth;) {
    const size_t blank = text.rfind(' ', line + kWidth);
    if (blank == std::string::npos || blank <= line) break;
    text[blank] = '\n';
    line = blank + 1;
  }
  return text;
}

}  // namespace

void Options::Argument(const char* name, std::string* value, const char* help, bool required) {
  app_.add_option(name, *value, Wrapped(help))->required(required);
}

void Options::Arguments(const char* name, std::vector<std::string>* values, const char* help, bool required) {
  app_.add_option(name, *values, Wrapped(help))->required(required);
}

void Options::Flag(const char* name, bool* value, const char* help) {
  app_.add_flag(name, *value, Wrapped(help));
}

void Options::Option(const char* name, std::string* value, const char* type, const char* help) {
  app_.add_option(name, *value, Wrapped(help))->type_name(type);
}

void Options::Required(const char* name) { app_.get_option(name)->required(); }

void Options::OptionalValue(const char* name, std::string* value, const char* type, const char* help) {
  app_.add_flag(std::string(name) + "{*}", *value, Wrapped(help))->type_name(type);
}

void Options::Choice(const char* name, std::string* value, std::vector<std::string> choices,
                     const char* help) {
  const std::string listed = StrFormat("{{{}}}", fmt::join(choices, ","));
  const auto check = [choices = std::move(choices)](const std::string& text) {
    if (std::ranges::find(choices, text) != choices.end()) return std::string();
    return StrFormat("invalid value '{}'; expected one of {}", text, fmt::join(choices, ", "));
  };
  app_.add_option(name, *value, Wrapped(help))->check(check, listed)->type_name("KIND");
}

void Options::List(const char* name, std::vector<std::string>* values, const char* type, const char* help) {
  app_.add_option(name, *values, Wrapped(help))->type_name(type);
}

void Options::Repeated(const char* name, std::vector<std::string>* values, const char* type,
                       const char* help) {
  app_.add_option(name, *values, Wrapped(help))->type_name(type)->allow_extra_args(false);
}

void Options::Number(const char* name, uint64_t* value, uint64_t max, const char* help) {
  CLI::Validator range = CLI::Range(uint64_t(0), max);
  // CLI11 would print the range, which is wide, after "N".
  app_.add_option(name, *value, Wrapped(help))->check(range.description(""))->type_name("N");
}

std::string Options::Given(std::initializer_list<std::string_view> except) const {
  std::string out;
  for (const CLI::Option* option : app_.get_options()) {
    const std::string name = option->get_name();
    if (option->count() == 0 || std::ranges::find(except, name) != except.end()) continue;
    out += name;
    for (const std::string& value : option->results()) out += StrFormat(" {}:{}", value.size(), value);
    out += '\n';
  }
  return out;
}

void Options::Remark(const char* text) { app_.footer(std::string(text) + "\n\n" + app_.get_footer()); }

Options Options::Subcommand(const char* name, const char* help) {
  app_.require_subcommand(1);
  CLI::App* const sub = app_.add_subcommand(name, help);
  sub->formatter(app_.get_formatter());
  return Options(sub);
}

void Options::OnChosen(std::function<void()> callback) { app_.callback(std::move(callback)); }

}  // namespace shlo::tool
