// Meanings of the versions of the calling convention, for people.
#pragma once

#include <cstdint>
#include <string_view>

namespace shlo::container {

// Returns what a version brought, or "".
constexpr std::string_view CallingConventionText(uint64_t version) {
  switch (version) {
#define CALLING_CONVENTION(number, text) \
  case number:                           \
    return text;
#include "schema/calling_conventions.inc"
#undef CALLING_CONVENTION
    default:
      return "";
  }
}

}  // namespace shlo::container
