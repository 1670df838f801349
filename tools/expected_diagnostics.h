// `-verify-diagnostics`: a text states the diagnostics it must cause, in comments such as
//   // expected-error@+1 {{part of the message}}
// and the run succeeds when it causes exactly these.
#pragma once

#include <string_view>

#include "shlo/diagnostics.h"

namespace shlo::tool {

// Whether `found` is what the comments of `text` expect. `first_line` is the line the text begins at in its
// file, `file` its name. A text may expect every error, or the first of each function: `first_found`, when
// there are any. What is missing or too much is reported on stderr.
bool MatchExpected(std::string_view text, uint32_t first_line, std::string_view file,
                   const Diagnostics& found, const Diagnostics& first_found);

}  // namespace shlo::tool
