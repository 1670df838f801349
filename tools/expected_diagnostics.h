// `-verify-diagnostics`: comments in a text state the expected diagnostics, such as
//   // expected-error@+1 {{part of the message}}
// and the run succeeds if exactly these are produced.
#pragma once

#include <string_view>

#include "shlo/diagnostics.h"

namespace shlo::tool {

// Returns whether the comments of `text` expect exactly `found`. A text may instead expect the first error of
// each function only, `first_found`, if that is not empty. `first_line` is the line at which the text begins
// in `file`. Prints missing and unexpected diagnostics to stderr.
bool MatchExpected(std::string_view text, uint32_t first_line, std::string_view file,
                   const Diagnostics& found, const Diagnostics& first_found);

}  // namespace shlo::tool
