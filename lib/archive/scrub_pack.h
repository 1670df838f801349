// Reads one pack from its first byte to its last.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "archive/census.h"
#include "archive/state.h"

namespace shlo::archive {

struct PackFinding {
  uint64_t offset = 0;
  std::string what;
  std::vector<ContentId> ids;  // of the records that it concerns
  bool lost = false;           // their content is
  bool of_pack = false;        // the pack is not what it was, rather than one of its records
};

struct ScrubbedPack {
  bool readable = false;  // its header is as it was
  PackHeader header;
  PackHash hash = {};
  uint64_t records = 0, bytes = 0;
  std::map<uint64_t, Census> census;  // by the number of the pack
  std::vector<PackFinding> findings;  // by offset
};

// Compares all checksums, and with `content` also decompresses and compares ids. `read` is told of bytes as
// they are read.
ScrubbedPack ScrubPack(const State& state, uint64_t sequence, bool content,
                       const std::function<void(uint64_t bytes)>& read);
// Reads only the header, the hash and the census.
ScrubbedPack ReadPackHead(const State& state, uint64_t sequence);

}  // namespace shlo::archive
