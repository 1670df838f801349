// Lists of ops in pieces, for work in several threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "shlo/module.h"

namespace shlo {

struct OpPiece {
  std::span<const OpId> ops;
  size_t size = 0;  // roughly the number of ops, with those in regions
};

// Divides the ops of a block into pieces of about `size` ops, those in regions included; one op is never
// divided. Ops are mostly numbered after those in their regions, so that the distance of ids is a number of
// ops.
inline std::vector<OpPiece> PiecesOf(std::span<const OpId> ops, size_t size) {
  std::vector<OpPiece> pieces;
  for (size_t from = 0, to = 0; from < ops.size(); from = to) {
    const uint32_t first = ops[from].v;
    while (to < ops.size() && (to == from || ops[to].v < first || ops[to].v - first < size)) ++to;
    const uint32_t last = std::max(ops[to - 1].v, first);
    pieces.push_back({ops.subspan(from, to - from), last - first});
  }
  return pieces;
}

}  // namespace shlo
