// Lists of ops in pieces, for work in several threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "shlo/module.h"

namespace shlo {

// Divides the ops of a block into pieces of about `size` ops, those in regions included; one op is never
// divided. Ops are mostly numbered after those in their regions, so that the distance of ids is a number of
// ops.
inline std::vector<std::span<const OpId>> PiecesOf(std::span<const OpId> ops, size_t size) {
  std::vector<std::span<const OpId>> pieces;
  uint32_t before = 0;  // the last op of the piece before
  for (size_t from = 0, to = 0; from < ops.size(); from = to) {
    while (to < ops.size() && (to == from || ops[to].v < before || ops[to].v - before < size)) ++to;
    pieces.push_back(ops.subspan(from, to - from));
    before = std::max(ops[to - 1].v, before);
  }
  return pieces;
}

}  // namespace shlo
