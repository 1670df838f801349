// Declares the options of a command: a thin wrapper of CLI11, so that few files compile that library.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace shlo::tool {

// The headings of --help: arguments, the flags of one command, and flags that several have, which come last.
inline constexpr const char* kArguments = "Arguments";
inline constexpr const char* kOwnFlags = "Flags";
inline constexpr const char* kWindowFlags = "Consumers and window";
inline constexpr const char* kArchiveFlags = "Archive";
inline constexpr const char* kReadingFlags = "Reading";
inline constexpr const char* kLimitFlags = "Limits";
inline constexpr const char* kGeneralFlags = "General";
inline constexpr std::string_view kSharedFlags[] = {kWindowFlags, kArchiveFlags, kReadingFlags, kLimitFlags,
                                                    kGeneralFlags};

class Options {
 public:
  explicit Options(CLI::App* app, const char* group = kOwnFlags) : app_(*app), group_(group) {}
  // Returns the options of the same command below another heading.
  Options Below(const char* group) const { return Options(&app_, group); }

  // Positional arguments. A missing required argument is a usage error.
  void Argument(const char* name, std::string* value, const char* help, bool required = true);
  void Arguments(const char* name, std::vector<std::string>* values, const char* help, bool required = true);
  void Flag(const char* name, bool* value, const char* help);
  void Option(const char* name, std::string* value, const char* type, const char* help);
  // Makes an option that was added required.
  void Required(const char* name);
  // An option whose value may be left out, which then is "*". A value follows '='.
  void OptionalValue(const char* name, std::string* value, const char* type, const char* help);
  void Choice(const char* name, std::string* value, std::vector<std::string> choices, const char* help);
  // A list takes several values after one flag; with Repeated, each value has its own flag.
  void List(const char* name, std::vector<std::string>* values, const char* type, const char* help);
  void Repeated(const char* name, std::vector<std::string>* values, const char* type, const char* help);
  void Number(const char* name, uint64_t* value, uint64_t max, const char* help);
  // Returns the flags that the command line gives and their values, but for `except`, by their long names.
  std::string Given(std::initializer_list<std::string_view> except) const;
  // Adds a paragraph of help after the options.
  void Remark(const char* text);
  // Adds a command of this one, which then requires one of them.
  Options Subcommand(const char* name, const char* help);
  // Sets the function that runs if this command is chosen.
  void OnChosen(std::function<void()> callback);

 private:
  CLI::App& app_;
  const char* group_;
};

}  // namespace shlo::tool
