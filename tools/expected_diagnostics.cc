#include "expected_diagnostics.h"

#include <cstdio>

namespace shlo::tool {

bool MatchExpected(std::string_view text, uint32_t, std::string_view, const Diagnostics& found) {
  const bool expected = text.find("expected-error") != std::string_view::npos;
  bool failed = false;
  for (const Diagnostic& d : found) failed |= d.severity == Severity::kError;
  if (failed == expected) return true;
  if (expected) {
    std::fputs("error: an expected error did not come\n", stderr);
    return false;
  }
  for (const Diagnostic& d : found) {
    const std::string message = Render(d);
    std::fwrite(message.data(), 1, message.size(), stderr);
  }
  return false;
}

}  // namespace shlo::tool
