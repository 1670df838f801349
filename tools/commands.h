// Every subcommand of shlo-compat, one file each, listed once: those of the CORE, which the minimal build has
// as well, and those of the FULL tool. A row holds the name, the function in <name>.cc that adds its options
// and sets Context::run, what it is for, and one line of help.
#pragma once

#include "common.h"

#define SHLO_COMMANDS(CORE, FULL)                                                                  \
  CORE(inspect, AddInspect, "look at programs", "show a file's version, producer, ops and sizes")  \
  CORE(strings, AddStrings, "look at programs", "list the strings of a program and their origins") \
  FULL(diff, AddDiff, "look at programs", "compare two programs op by op")                         \
  CORE(verify, AddVerify, "check programs", "check that programs are well-formed")                 \
  CORE(check, AddCheck, "check programs", "find changes that break consumers of programs")         \
  FULL(prove, AddProve, "check programs", "prove that two programs are equal")                     \
  CORE(roundtrip, AddRoundtrip, "check programs", "write and read back programs in every format")  \
  FULL(eval, AddEval, "run and rewrite", "evaluate a function and print its results")              \
  FULL(reduce, AddReduce, "run and rewrite", "shrink a program that shows a failure")              \
  FULL(simplify, AddSimplify, "run and rewrite", "rewrite a program into a simpler equal one")     \
  FULL(specialize, AddSpecialize, "run and rewrite", "make a program with symbolic shapes static") \
  FULL(archive, AddArchive, "keep programs", "keep models for years, in all their versions")       \
  FULL(pack, AddPack, "keep programs", "put external constants into a program")                    \
  FULL(unpack, AddUnpack, "keep programs", "move large constants into a tensor file")              \
  FULL(ops, AddOps, "look things up", "print the op table as documentation")                       \
  CORE(versions, AddVersions, "look things up", "list all versions with release, date and change") \
  CORE(consumers, AddConsumers, "look things up", "list the known consumers, such as jaxlib")      \
  FULL(laws, AddLaws, "look things up", "list the rewrites of conversions and their evidence")     \
  CORE(rules, AddRules, "look things up", "list the rules of check and gate, or explain one")      \
  FULL(gate, AddGate, "look things up", "find changes that break released versions")

namespace shlo::tool {

#define SHLO_COMMAND(name, add, purpose, help) void add(Options& options, Context& ctx);
SHLO_COMMANDS(SHLO_COMMAND, SHLO_COMMAND)
#undef SHLO_COMMAND

// Returns the hint for a word that is neither a file nor a command.
std::string CommandHint(std::string_view word);

// The command without a name: conversion.
void AddConvert(Options& options, Context& ctx);

}  // namespace shlo::tool
