// Lists of ops in pieces, for work in several threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
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
  uint32_t before = 0;  // the last op of the piece before
  for (size_t from = 0, to = 0; from < ops.size(); from = to) {
    while (to < ops.size() && (to == from || ops[to].v < before || ops[to].v - before < size)) ++to;
    const uint32_t last = std::max(ops[to - 1].v, before);
    pieces.push_back({ops.subspan(from, to - from), last - before});
    before = last;
  }
  return pieces;
}

// Returns the piece to begin before all others because they would wait for it: the largest one, often the
// last, if it is much larger than `size`. SIZE_MAX if there is none.
inline size_t EarlyPiece(std::span<const OpPiece> pieces, size_t size) {
  const auto largest = std::ranges::max_element(pieces, {}, &OpPiece::size);
  const bool waits = largest != pieces.end() && largest->size > 2 * size;
  return waits ? size_t(largest - pieces.begin()) : SIZE_MAX;
}

}  // namespace shlo
