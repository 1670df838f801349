#include "check_report.h"

#include <fmt/format.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace shlo::tool {

std::string FingerprintOf(const Finding& f, std::string_view path) {
  std::string text;
  const Diagnostic& d = f.diagnostic;
  for (const std::string_view part :
       {RowOf(f.rule).id, path, std::string_view(f.program), std::string_view(d.place.function),
        std::string_view(d.op), std::string_view(d.message)}) {
    text += part;
    text += '\0';
  }
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

}  // namespace shlo::tool
