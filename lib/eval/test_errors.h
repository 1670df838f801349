// Programs that fail when they run, with the words for each. Arguments are zeros.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "eval/naive/program.h"

namespace shlo {

// Returns "op: message" of the first error.
inline std::string Words(const Diagnostics& diagnostics) { return naive::Message(diagnostics); }

// Returns zeros of the types of a function's arguments.
inline std::vector<Tensor> ZeroArguments(const Module& module, std::string_view function) {
  std::vector<Tensor> args;
  const auto types = ArgumentTypes(module, function);
  EXPECT_TRUE(types) << (types ? "" : Words(types.error()));
  if (types)
    for (const ValueTypePtr& type : *types) {
      Tensor zero = Tensor::Uninitialized(type);
      std::memset(zero.mutable_data(), 0, zero.stored_bytes());
      args.push_back(std::move(zero));
    }
  return args;
}

struct ErrorRow {
  std::string_view args;      // of @main: "%x: tensor<2xf32>"
  std::string_view body;      // its ops
  std::string_view words;     // "op: message"
  std::string_view top = {};  // other functions
};

// Evaluates each program, which must fail with its words. `processes`: in a grid of that many replicas.
inline void ExpectErrors(std::span<const ErrorRow> rows, const EvalOptions& options = {},
                         size_t processes = 0) {
  for (const ErrorRow& row : rows) {
    const std::string text = std::string(row.top) + "\nfunc.func @main(" + std::string(row.args) + ") {\n" +
                             std::string(row.body) + "\nreturn\n}\n";
    SCOPED_TRACE(text);
    const Result<Module> module = naive::Read(text);
    if (!module) {
      ADD_FAILURE() << Words(module.error());
      continue;
    }
    std::vector<Tensor> args;
    for (size_t i = 0; i < std::max<size_t>(processes, 1); ++i)
      for (Tensor& arg : ZeroArguments(*module, "main")) args.push_back(std::move(arg));
    const std::vector<std::string> functions(processes, "main");
    const auto result = processes ? EvaluateParallel(*module, functions, 1, args, {}, options)
                                  : Evaluate(*module, "main", args, options);
    EXPECT_EQ(result ? "evaluates" : Words(result.error()), row.words);
  }
}

}  // namespace shlo
