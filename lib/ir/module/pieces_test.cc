#include "ir/module/pieces.h"

#include <gtest/gtest.h>

namespace shlo {
namespace {

// An op comes after those in its regions: the first function has 9 ops, the third 4,979.
TEST(Pieces, AFunctionCountsWithItsOps) {
  const OpId ops[] = {OpId(10), OpId(20), OpId(5000), OpId(5010), OpId(5130)};
  const auto pieces = PiecesOf(ops, 100);
  ASSERT_EQ(pieces.size(), 4U);
  EXPECT_EQ(pieces[0].size(), 2U);
  EXPECT_EQ(pieces[1][0], OpId(5000));
}

// Ops that were added later have larger numbers than the op that they are in.
TEST(Pieces, EveryOpIsInOnePiece) {
  const OpId ops[] = {OpId(900), OpId(3), OpId(4), OpId(950), OpId(2), OpId(1200)};
  size_t count = 0;
  const OpId* next = ops;
  for (const std::span<const OpId> piece : PiecesOf(ops, 100)) {
    EXPECT_EQ(piece.data(), next);
    EXPECT_FALSE(piece.empty());
    next += piece.size();
    count += piece.size();
  }
  EXPECT_EQ(count, std::size(ops));
  EXPECT_TRUE(PiecesOf({}, 100).empty());
}

}  // namespace
}  // namespace shlo
