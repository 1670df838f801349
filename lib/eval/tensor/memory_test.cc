#include "eval/tensor/memory.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

#include "base/test_sanitizers.h"

namespace shlo {
namespace {

// Tensors keep their bytes while others come and go.
TEST(TensorArena, KeepsTensorsApart) {
  struct Block {
    uint8_t* bytes;
    uint64_t size;
    uint8_t value;
  };
  TensorArena arena;
  std::vector<Block> blocks;
  std::mt19937 random(1);
  uint8_t value = 0;
  const auto free_one = [&](size_t i) {
    const Block block = blocks[i];
    for (const uint64_t at : {uint64_t(0), block.size / 2, block.size - 1})
      ASSERT_EQ(block.bytes[at], block.value);
    arena.Free(block.bytes, block.size);
    blocks[i] = blocks.back();
    blocks.pop_back();
  };
  for (int i = 0; i < 3000; ++i) {
    if (!blocks.empty() && (blocks.size() > 30 || random() % 2)) {
      free_one(random() % blocks.size());
    } else {
      const uint64_t size = TensorArena::kLeast + random() % (1 << (10 + random() % 13));
      uint8_t* const bytes = arena.Allocate(size);
      ASSERT_NE(bytes, nullptr);
      EXPECT_EQ(reinterpret_cast<uintptr_t>(bytes) % 16, 0u);
      std::memset(bytes, ++value, size);
      blocks.push_back({bytes, size, value});
    }
  }
  while (!blocks.empty()) free_one(0);
}

// The arena uses the memory of dead tensors again, so that it has no more than live ones need at a time.
TEST(TensorArena, UsesMemoryAgain) {
  TensorArena arena;
  constexpr uint64_t kSize = 5 << 20;
  for (int i = 0; i < 100; ++i) {
    uint8_t* const first = arena.Allocate(kSize + uint64_t(i) * 1000);
    uint8_t* const second = arena.Allocate(kSize / 2);
    arena.Free(first, kSize + uint64_t(i) * 1000);
    arena.Free(second, kSize / 2);
  }
  EXPECT_LE(arena.mapped(), uint64_t(16) << 20);
  uint8_t* const large = arena.Allocate(uint64_t(40) << 20);
  ASSERT_NE(large, nullptr);
  EXPECT_LE(arena.mapped(), uint64_t(40) << 20);
  arena.Free(large, uint64_t(40) << 20);
}

TEST(TensorArena, RefusesTooMuch) {
  TensorArena arena;
  EXPECT_EQ(arena.Allocate(UINT64_MAX - 5), nullptr);
  if (kSanitized) return;  // they stop the test
  EXPECT_EQ(arena.Allocate(uint64_t(1) << 62), nullptr);
}

}  // namespace
}  // namespace shlo
