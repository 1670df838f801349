// The remedy for what only hints hold.
#pragma once

#include <functional>

#include "shlo/hints.h"

namespace shlo {

// Lets the diagnostics that `find` returned for a module suggest --drop-hints if it does not return them for
// the module without hints.
void SuggestDroppingHints(const Module& module, const std::function<Diagnostics(const Module&)>& find,
                          Diagnostics* found);

}  // namespace shlo
