// Dominators of the blocks of one region, for the verifier.
#pragma once

#include <cstdint>
#include <vector>

#include "shlo/module.h"

namespace shlo {

// Blocks are numbered by their position in the region. `visits` walks the dominator tree depth first: a block
// is entered after its dominators and before any of them is left.
struct DominatorTree {
  struct Visit {
    uint32_t block;
    bool leave;
  };
  std::vector<Visit> visits;
  std::vector<uint32_t> unreachable;  // blocks without a path from the entry
};

DominatorTree BuildDominatorTree(const Module& module, RegionId region);

}  // namespace shlo
