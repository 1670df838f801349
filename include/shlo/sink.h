// The destination of writers.
#pragma once

#include <functional>
#include <string_view>

namespace shlo {

// Receives an output in consecutive pieces, each valid during the call; returns false to stop the writer.
using Sink = std::function<bool(std::string_view)>;

}  // namespace shlo
