// Text from a format string and values: fmt::format, compiled once (format.cc). In a header it would be a
// sixth of the build.
#pragma once

#include <fmt/format.h>

#include <string>

namespace shlo {

// As fmt::vformat.
std::string StrFormatArgs(fmt::string_view format, fmt::format_args args);

// As fmt::format.
template <typename... Args>
std::string StrFormat(fmt::format_string<Args...> format, Args&&... args) {
  return StrFormatArgs(format, fmt::make_format_args(args...));
}

}  // namespace shlo
