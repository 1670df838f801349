// The line of a text that a diagnostic shows.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "shlo/diagnostics.h"

namespace shlo {

// The part of a line around a place.
struct Excerpt {
  std::string line;   // of SourceLineText
  size_t column = 0;  // of the place in it, from 0
};
// Returns nullopt if the line of a place is not known.
std::optional<Excerpt> ExcerptOf(const Place& place);

}  // namespace shlo
