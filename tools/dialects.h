// Dialects of the user's files (--dialect): loading, verification, conversion.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "common.h"
#include "shlo/dialect.h"

namespace shlo::tool {

// Reads files of dialects, in addition to those that are known. Returns kDone, or reports an error.
int LoadDialects(Context& ctx, const std::vector<std::string>& files);

// Verifies a program, and what it has of the dialects.
Diagnostics VerifyProgram(const Context& ctx, const Program& program, VerifyOptions options = {});

// The versions to convert to, by the name of the dialect.
using DialectTargets = std::map<std::string, uint16_t>;
// Parses the values of --dialect-target. Returns kDone, or reports an error.
int ParseDialectTargets(Context& ctx, const std::vector<std::string>& requests, DialectTargets* out);

// The conversion of one dialect, for --json.
struct ConvertedDialect {
  std::string name;
  uint16_t from = 0, to = 0;
  std::vector<DialectStep> steps;
};
// Converts each dialect to its target, or to the version that goes with a release of StableHLO; without
// either it stays. Returns kDone, or reports every blocker.
int ConvertDialects(Context& ctx, const DialectTargets& targets, Version stablehlo, Program* program,
                    std::vector<ConvertedDialect>* out);

Json ToJson(const ConvertedDialect& converted);

}  // namespace shlo::tool
