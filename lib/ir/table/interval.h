// Version intervals in the rows of schema/.
#pragma once

#include "ir/table/newest_version.h"

namespace shlo {

// First and last version; no last version if it still exists.
struct Interval {
  Version since, until;
  consteval Interval(uint16_t first) : since{first} {}
  consteval Interval(uint16_t first, uint16_t last) : since{first}, until{last} {}
  constexpr Version last() const { return until.valid() ? until : table::kNewestVersion; }
};
consteval Interval Between(uint16_t first, uint16_t last) { return {first, last}; }

}  // namespace shlo
