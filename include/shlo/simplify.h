// Simplification: rewrites of a program that keep what it computes, as the reference's passes have them
// (docs/rewrites.md). Each states how exact it is.
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

// How the results of a rewritten program may differ from those of the program: a set.
struct Exactness {
  bool nan = false;        // payloads and signs of NaNs
  bool zero_sign = false;  // signs of zeros
  bool rounding = false;   // rounded values
  bool wrong = false;      // other values
  // Returns whether a rewrite is exact, but for what `allowed` has.
  constexpr bool Within(Exactness allowed) const {
    return (!nan || allowed.nan) && (!zero_sign || allowed.zero_sign) && (!rounding || allowed.rounding) &&
           (!wrong || allowed.wrong);
  }
  friend constexpr bool operator==(Exactness, Exactness) = default;
};

// A rewrite that exists.
struct RewriteInfo {
  std::string_view name;            // "AddOp_RemoveNoop", as the reference has it; once per class of elements
  std::string_view op;              // "stablehlo.add"; empty: any
  std::string_view elements;        // "integers" or "floats", of the first result; empty: any
  Exactness exactness;              // what results may differ in
  std::string_view summary;         // "add(x, 0) -> x"
  std::string_view counterexample;  // values for which a result differs; empty if exact
  std::string_view reference;       // how the pattern of the reference differs; empty if it does not
};

// Returns all rewrites, in the order in which they are tried at an op.
std::span<const RewriteInfo> AllRewrites();

// Options of Simplify.
struct SimplifyOptions {
  Exactness allowed;                   // what results may differ in
  std::vector<std::string> only;       // names of the rewrites to apply; empty: all
  uint64_t max_elements = 1ull << 16;  // limit of elements of a constant that replaces ops
  Limits limits;                       // changes of the program, deadline
};

// What Simplify did.
struct SimplifyReport {
  uint64_t ops_before = 0;                                // ops of the program, without the module
  uint64_t ops_after = 0;                                 // the same after all rewrites
  std::vector<std::pair<std::string, uint64_t>> applied;  // how often each rewrite was applied, by name
};

// Applies rewrites until none applies, and erases ops without uses and effects. Fails with kUsage if a
// rewrite does not exist, and as limits are exceeded; then the program is as it was.
Result<SimplifyReport> Simplify(Program* program, const SimplifyOptions& options = {});

}  // namespace shlo
