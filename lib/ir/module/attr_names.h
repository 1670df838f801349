// Names of attributes that have a meaning on ops of any row.
#pragma once

#include <string_view>

namespace shlo {

// The version of a text, on its module or functions.
inline constexpr std::string_view kCompatVersion = "stablehlo.compat_version";

// The sizes of variadic operands and results. Properties in MLIR, discardable attributes here.
inline constexpr std::string_view kOperandSegmentSizes = "operandSegmentSizes";
inline constexpr std::string_view kResultSegmentSizes = "resultSegmentSizes";
constexpr bool IsSegmentSizes(std::string_view name) {
  return name == kOperandSegmentSizes || name == kResultSegmentSizes;
}

}  // namespace shlo
