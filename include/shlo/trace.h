// Tracing of reads and writes for `--trace`: one call per attribute or type.
#pragma once

#include <functional>
#include <string_view>

namespace shlo {

// Receives one line without its newline, such as "readType kTensor tensor<2xf32>". If empty, tracing is
// off.
using Trace = std::function<void(std::string_view line)>;

}  // namespace shlo
