// The command line as a whole: its commands, and what help says of them all.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "commands.h"

namespace shlo::tool {

struct CommandRow {
  const char* name;
  void (*add)(Options&, Context&);
  const char* help;
};
std::span<const CommandRow> CommandRows();

extern const char* const kDescription;
extern const char* const kShortHelp;  // what -h prints

// Adds the commands, and conversion as what the tool does without one. A command has its options if `wanted`
// says so: making those of all takes longer than most commands.
void AddCommands(CLI::App* app, Options* root, Context& ctx,
                 const std::function<bool(std::string_view)>& wanted);

// A command line with the options of all commands, to be looked at.
struct WholeApp {
  WholeApp();
  Context ctx;
  CLI::App app;
  Options root{&app};
};

// Returns the name of the command that was chosen: "archive add"; "" for conversion.
std::string ChosenName(const CLI::App& app);

}  // namespace shlo::tool
