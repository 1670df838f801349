// Dimensions of jax.export: expressions of dimension variables.
//
//     sum     := product (("+" | "-") product)*
//     product := power ("*" power)*
//     power   := "-" power | atom ("^" number)?
//     atom    := number | variable | function "(" sum ("," sum)* ")" | "(" sum ")"
//     function: mod, floordiv, ceildiv, max, min, non_negative
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "shlo/diagnostics.h"

namespace shlo::rewrite {

using DimensionValues = std::map<std::string, int64_t, std::less<>>;

// Returns the value of an expression. A variable without a value is an error (kUsage) that names it; division
// by zero, and a number beyond 64 bits, are errors, too.
Result<int64_t> Evaluated(std::string_view text, const DimensionValues& values);
// Adds the variables of an expression. Fails with kSyntax if it is none.
Result<void> AddVariables(std::string_view text, std::set<std::string, std::less<>>* names);
// Finds the value of the only variable of an expression that makes it equal to `size`, if the expression is
// linear in it; nullopt if there is none.
std::optional<std::pair<std::string, int64_t>> Solved(std::string_view text, int64_t size,
                                                      const DimensionValues& values);

}  // namespace shlo::rewrite
