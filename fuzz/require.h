// For fuzz targets: what must hold for every input, and choices that depend on the input only.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "shlo/diagnostics.h"

namespace shlo::fuzz {

// Ends the run with a finding unless `condition` holds. `detail` is printed with it.
inline void Require(bool condition, std::string_view what, std::string_view detail = "") {
  if (condition) return;
  std::fprintf(stderr, "FINDING: %.*s\n%.*s\n", int(what.size()), what.data(), int(detail.size()),
               detail.data());
  std::abort();
}

// Requires a result.
template <typename T>
void Require(const Result<T>& result, std::string_view what) {
  if (result) return;
  Require(false, what, result.error().empty() ? "no diagnostic" : Render(result.error()[0]));
}

// Choices that an input makes. They are a hash of its bytes, so that every program is a valid seed.
class Choices {
 public:
  explicit Choices(std::string_view bytes) : state_(bytes.size()) {
    for (const char c : bytes) state_ = (state_ ^ uint8_t(c)) * 0x100000001B3ull;
    state_ ^= state_ >> 29;
  }
  // Returns a number below `n`, which must not be 0.
  uint64_t Below(uint64_t n) {
    state_ = state_ * 6364136223846793005ull + 1442695040888963407ull;
    return (state_ >> 33) % n;
  }

 private:
  uint64_t state_;
};

}  // namespace shlo::fuzz
