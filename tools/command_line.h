// The command line as a whole: its commands, and what help says of them all.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <string_view>

#include "parts.h"

namespace shlo::tool {

// Returns a command by name, or null.
const CommandRow* RowOfCommand(std::string_view name);

std::string Description();
std::string ShortHelp();  // what -h prints

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
