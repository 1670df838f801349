// Every subcommand of shlo-compat, one file each, listed once. A row is the name, the function in
// <name>.cc that adds its options and sets Context::run, and one line of help.
#pragma once

#include "common.h"

#define SHLO_COMMANDS(X)                                                                            \
  X(inspect, AddInspect, "what a file holds: format, version, producer, ops, sizes, lowest target") \
  X(strings, AddStrings, "every string of a program with where it comes from")                      \
  X(eval, AddEval, "evaluate a function and print its results")                                     \
  X(prove, AddProve, "show by evaluation that two programs mean the same")                          \
  X(roundtrip, AddRoundtrip, "write and read a program in every format and compare")                \
  X(verify, AddVerify, "check that programs are well-formed")                                       \
  X(ops, AddOps, "the op table as documentation")                                                   \
  X(versions, AddVersions, "the version line: numbers, releases, dates, changes")

namespace shlo::tool {

#define SHLO_COMMAND(name, add, help) void add(Options& options, Context& ctx);
SHLO_COMMANDS(SHLO_COMMAND)
#undef SHLO_COMMAND

// The job without a subcommand name: conversion.
void AddConvert(Options& options, Context& ctx);

}  // namespace shlo::tool
