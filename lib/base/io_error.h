// The error of a system call. Internal to the library.
#pragma once

#include <string.h>

#include <string>
#include <string_view>

#include "base/format.h"
#include "shlo/diagnostics.h"

namespace shlo {

// Returns "cannot open: No such file or directory" about a path.
inline tl::unexpected<Diagnostics> IoError(const std::string& path, std::string_view what, int error) {
  return Error(Code::kIo, StrFormat("{}: {}", what, strerror(error)), {.file = path});
}

}  // namespace shlo
