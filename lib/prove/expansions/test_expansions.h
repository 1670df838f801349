// Shared by the tests of expansions: parsing, expanding and evaluating programs.
#pragma once

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "shlo/evaluate.h"
#include "shlo/expand.h"
#include "shlo/program_io.h"
#include "shlo/verify.h"

namespace shlo {

inline Module Parse(const std::string& text) {
  auto program = ReadProgram(text, nullptr);
  EXPECT_TRUE(program) << text << (program ? "" : program.error()[0].message);
  if (!program) return Module();
  for (const Diagnostic& d : Verify(program->module, {.strictness = Strictness::kLenient}))
    EXPECT_NE(d.severity, Severity::kError) << text << d.op << ": " << d.message;
  return std::move(program->module);
}

inline std::string Print(const Module& module) {
  Program program{module, {}};
  const auto text = WriteProgram(program, {});
  return text ? *text : text.error()[0].message;
}

// Expands, and checks that the result verifies and has none of these ops.
inline Module Expanded(const Module& module, const std::set<std::string>& unwanted, Version target = {}) {
  auto expansion = Expand(module, {.target = target, .composites = true});
  EXPECT_TRUE(expansion);
  if (!expansion) return Module();
  for (const Diagnostic& d : expansion->left) ADD_FAILURE() << d.op << ": " << d.message;
  for (const Diagnostic& d : Verify(expansion->module))
    EXPECT_NE(d.severity, Severity::kError) << d.op << ": " << d.message << "\n" << Print(expansion->module);
  for (size_t i = 1; i < expansion->module.ops.size(); ++i) {
    const std::string name(expansion->module.NameOf(expansion->module.ops[i]));
    EXPECT_FALSE(name.starts_with("chlo.") || unwanted.contains(name)) << name;
  }
  return std::move(expansion->module);
}

inline std::vector<Tensor> Results(const Module& module, std::span<const Tensor> args) {
  auto result = Evaluate(module, "", args);
  EXPECT_TRUE(result) << result.error()[0].message << "\n" << Print(module);
  return result ? std::move(result->results) : std::vector<Tensor>();
}

}  // namespace shlo
