#include "ir/module/pieces.h"

#include <gtest/gtest.h>

namespace shlo {
namespace {

std::vector<size_t> SizesOf(std::span<const OpPiece> pieces) {
  std::vector<size_t> sizes;
  for (const OpPiece& piece : pieces) sizes.push_back(piece.size);
  return sizes;
}

// An op comes after those in its regions: the first function has 9 ops, the third 4,979.
TEST(Pieces, AFunctionCountsWithItsOps) {
  const OpId ops[] = {OpId(10), OpId(20), OpId(5000), OpId(5010), OpId(5130)};
  const std::vector<OpPiece> pieces = PiecesOf(ops, 100);
  EXPECT_EQ(SizesOf(pieces), (std::vector<size_t>{20, 4980, 10, 120}));
  EXPECT_EQ(pieces[0].ops.size(), 2U);
  EXPECT_EQ(pieces[1].ops[0], OpId(5000));
  EXPECT_EQ(EarlyPiece(pieces, 100), 1U);
  EXPECT_EQ(EarlyPiece(pieces, 2490), SIZE_MAX);
  EXPECT_EQ(EarlyPiece({}, 100), SIZE_MAX);
}

// Ops that were added later have larger numbers than the op that they are in.
TEST(Pieces, EveryOpIsInOnePiece) {
  const OpId ops[] = {OpId(900), OpId(3), OpId(4), OpId(950), OpId(2), OpId(1200)};
  size_t count = 0;
  const OpId* next = ops;
  for (const OpPiece& piece : PiecesOf(ops, 100)) {
    EXPECT_EQ(piece.ops.data(), next);
    EXPECT_FALSE(piece.ops.empty());
    next += piece.ops.size();
    count += piece.ops.size();
  }
  EXPECT_EQ(count, std::size(ops));
  EXPECT_TRUE(PiecesOf({}, 100).empty());
}

}  // namespace
}  // namespace shlo
