// Passes: named changes of a program, as the reference's stablehlo-opt has them (docs/rewrites.md). A program
// is changed in place; a pass that fails leaves it as it was.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "shlo/diagnostics.h"
#include "shlo/limits.h"
#include "shlo/program.h"

namespace shlo {

// A pass with its options, to be run.
struct PassCall {
  std::string name;                                          // "stablehlo-refine-arguments"
  std::vector<std::pair<std::string, std::string>> options;  // {"types", "tensor<f32>,tensor<1xf32>"}
};

// A pass that exists.
struct PassInfo {
  std::string_view name;     // "stablehlo-refine-arguments"
  std::string_view options;  // names of its options, divided by spaces
  std::string_view summary;  // what it does, in a few words
};

// What RunPasses did.
struct PassReport {
  Diagnostics remarks;  // warnings and notes
};

// Returns all passes, sorted by name.
std::span<const PassInfo> AllPasses();
// Parses the options of a pass as a command line has them, "a=1 b=x,y c": a value may be quoted or in braces,
// and an option without one is "true". Fails with kUsage if the pass does not exist, or lacks an option.
Result<PassCall> ParsePass(std::string_view name, std::string_view options);
// Parses a pipeline, "builtin.module(a,func.func(b{c=1}))". Every pass in it runs on the whole program.
Result<std::vector<PassCall>> ParsePipeline(std::string_view text);
// Runs passes, one after the other. Fails as the first one that fails does.
Result<void> RunPasses(std::span<const PassCall> passes, Program* program, PassReport* report = nullptr,
                       const Limits& limits = {});

}  // namespace shlo
