#include "options.h"

#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>

#include "base/format.h"

namespace shlo::tool {
void Options::Argument(const char* name, std::string* value, const char* help, bool required) {
  app_.add_option(name, *value, help)->required(required)->group(kArguments);
}

void Options::Arguments(const char* name, std::vector<std::string>* values, const char* help, bool required) {
  app_.add_option(name, *values, help)->required(required)->group(kArguments);
}

void Options::Flag(const char* name, bool* value, const char* help) {
  app_.add_flag(name, *value, help)->group(group_);
}

void Options::Option(const char* name, std::string* value, const char* type, const char* help) {
  app_.add_option(name, *value, help)->type_name(type)->group(group_);
}

void Options::Required(const char* name) { app_.get_option(name)->required(); }

void Options::OptionalValue(const char* name, std::string* value, const char* type, const char* help) {
  app_.add_flag(std::string(name) + "{*}", *value, help)->type_name(type)->group(group_);
}

void Options::Choice(const char* name, std::string* value, std::vector<std::string> choices,
                     const char* help) {
  const std::string listed = StrFormat("{{{}}}", fmt::join(choices, ","));
  const auto check = [choices = std::move(choices)](const std::string& text) {
    if (std::ranges::find(choices, text) != choices.end()) return std::string();
    return StrFormat("invalid value '{}'; expected one of {}", text, fmt::join(choices, ", "));
  };
  app_.add_option(name, *value, help)->check(check, listed)->type_name("KIND")->group(group_);
}

void Options::List(const char* name, std::vector<std::string>* values, const char* type, const char* help) {
  app_.add_option(name, *values, help)->type_name(type)->group(group_);
}

void Options::Repeated(const char* name, std::vector<std::string>* values, const char* type,
                       const char* help) {
  app_.add_option(name, *values, help)->type_name(type)->allow_extra_args(false)->group(group_);
}

void Options::Number(const char* name, uint64_t* value, uint64_t max, const char* help) {
  const auto check = [max](const std::string& text) {
    uint64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data(), end, number);
    if (parsed.ec == std::errc() && parsed.ptr == end && number <= max) return std::string();
    return StrFormat("'{}' is not a number{}", text,
                     max == ~uint64_t(0) ? "" : StrFormat(" from 0 to {}", max));
  };
  app_.add_option(name, *value, help)->check(check)->type_name("N")->group(group_);
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

void Options::Remark(const char* text) { app_.footer(text); }

Options Options::Subcommand(const char* name, const char* help) {
  app_.require_subcommand(1);
  CLI::App* const sub = app_.add_subcommand(name, help);
  sub->get_help_ptr()->group(kGeneralFlags);
  return Options(sub);
}

void Options::OnChosen(std::function<void()> callback) { app_.callback(std::move(callback)); }

}  // namespace shlo::tool
