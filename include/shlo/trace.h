// Tracing of reads and writes, one call per attribute or type, as `--trace` prints them.
#pragma once

#include <functional>
#include <string_view>

namespace shlo {

// Receives lines without newline, such as "readType kTensor tensor<2xf32>". Empty: no tracing.
using Trace = std::function<void(std::string_view line)>;

}  // namespace shlo
