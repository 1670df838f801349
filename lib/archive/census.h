// Census records: which packs count (docs/archive-format.md, section 6).
#pragma once

#include <map>
#include <optional>
#include <string>

#include "archive/pack_format.h"

namespace shlo::archive {

// Packs by sequence number.
struct Census {
  std::map<uint64_t, PackHash> live;      // that count
  std::map<uint64_t, PackHash> replaced;  // that do not
};

std::string WriteCensus(const Census& census);
// Returns nothing for a malformed record.
std::optional<Census> ReadCensus(std::string_view content);

}  // namespace shlo::archive
