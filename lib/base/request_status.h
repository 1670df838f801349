// The outcome of a request, which callers act on: the command line exits with it, the C API returns it.
#pragma once

#include <cstdint>

#include "shlo/diagnostics.h"

namespace shlo {

// Outcomes, from the best to the worst. The numbers are in documents and in the C API (SHLO_STATUS_DONE).
enum class RequestStatus : uint8_t {
  kDone,
  kNegative,  // negative result: does not verify, not equal, not representable at the target
  kUsage,     // the request is invalid for any input
  kBadInput,  // the input cannot be parsed or evaluated
  kSystem,    // system error: file access, memory
};

// Returns the status for a diagnostic, or for the first error of several; kNegative if there is none.
RequestStatus StatusOf(Code code);
RequestStatus StatusOf(const Diagnostics& diagnostics);
// Likewise, for a file that cannot be read: invalid input, whatever the code of the diagnostic.
RequestStatus ReadStatusOf(const Diagnostics& diagnostics);

}  // namespace shlo
