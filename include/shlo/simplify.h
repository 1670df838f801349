// Simplification: rewrites of a program that keep what it computes, as the reference's passes have them
// (docs/rewrites.md). Each states how exact it is.
#pragma once

#include <cstdint>

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

}  // namespace shlo
