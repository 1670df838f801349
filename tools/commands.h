// Every subcommand of shlo-compat, one file each, listed once. A row holds the name, the function in
// <name>.cc that adds its options and sets Context::run, and one line of help.
#pragma once

#include "common.h"

#define SHLO_COMMANDS(X)                                                      \
  X(inspect, AddInspect, "show a file's version, producer, ops and sizes")    \
  X(strings, AddStrings, "list the strings of a program and their origins")   \
  X(eval, AddEval, "evaluate a function and print its results")               \
  X(prove, AddProve, "prove that two programs are equal")                     \
  X(diff, AddDiff, "compare two programs op by op")                           \
  X(reduce, AddReduce, "shrink a program that shows a failure")               \
  X(roundtrip, AddRoundtrip, "write and read back programs in every format")  \
  X(verify, AddVerify, "check that programs are well-formed")                 \
  X(check, AddCheck, "find changes that break consumers of programs")         \
  X(gate, AddGate, "find changes that break released versions")               \
  X(rules, AddRules, "list the rules of check and gate, or explain one")      \
  X(ops, AddOps, "print the op table as documentation")                       \
  X(laws, AddLaws, "list the rewrites of conversions and their evidence")     \
  X(versions, AddVersions, "list all versions with release, date and change") \
  X(consumers, AddConsumers, "list the known consumers, such as jaxlib")      \
  X(pack, AddPack, "put external constants into a program")                   \
  X(unpack, AddUnpack, "move large constants into a tensor file")             \
  X(archive, AddArchive, "keep models for years, in all their versions")

namespace shlo::tool {

#define SHLO_COMMAND(name, add, help) void add(Options& options, Context& ctx);
SHLO_COMMANDS(SHLO_COMMAND)
#undef SHLO_COMMAND

// Returns the hint for a word that is neither a file nor a command.
std::string CommandHint(std::string_view word);

// The command without a name: conversion.
void AddConvert(Options& options, Context& ctx);

}  // namespace shlo::tool
