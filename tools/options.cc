#include "options.h"

#include <CLI/CLI.hpp>

namespace shlo::tool {

void Options::Argument(const char* name, std::string* value, const char* help, bool required) {
  app_.add_option(name, *value, help)->required(required);
}

void Options::Arguments(const char* name, std::vector<std::string>* values, const char* help) {
  app_.add_option(name, *values, help)->required();
}

void Options::Flag(const char* name, bool* value, const char* help) { app_.add_flag(name, *value, help); }

void Options::Option(const char* name, std::string* value, const char* type, const char* help) {
  app_.add_option(name, *value, help)->type_name(type);
}

void Options::Choice(const char* name, std::string* value, std::vector<std::string> choices,
                     const char* help) {
  app_.add_option(name, *value, help)->check(CLI::IsMember(std::move(choices)))->type_name("KIND");
}

void Options::List(const char* name, std::vector<std::string>* values, const char* type, const char* help) {
  app_.add_option(name, *values, help)->type_name(type);
}

void Options::Number(const char* name, uint64_t* value, uint64_t max, const char* help) {
  app_.add_option(name, *value, help)->check(CLI::Range(uint64_t(0), max))->type_name("N");
}

void Options::Remark(const char* text) { app_.footer(std::string(text) + "\n\n" + app_.get_footer()); }

void Options::OnChosen(std::function<void()> callback) { app_.callback(std::move(callback)); }

}  // namespace shlo::tool
