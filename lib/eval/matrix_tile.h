// The innermost loop of a product of matrices: a tile of the result that stays in vector registers while k
// runs. Each element takes in its products in the order of k, so that tiles of any size give the same bits;
// vectors lie across the columns. Included once per instruction set, by sources compiled for it, which is why
// everything but the table of tiles has internal linkage and nothing of the standard library is inlined here.
// Internal to lib/eval.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

namespace shlo {

// c[r][j] += sum over p of a[p * rows + r] * b[p * b_step + j], for all rows and columns of a tile.
template <typename T>
struct MatrixTile {
  using Run = void (*)(const T* a, const T* b, int64_t b_step, int64_t k, T* c, int64_t c_step);
  int64_t rows;
  int64_t columns;
  Run exact;  // rounds every product and every sum
  Run fused;  // rounds sums only, where the machine can
};
template <typename T>
struct MatrixTiles {
  MatrixTile<T> wide;
  MatrixTile<T> narrow;  // for few columns
};
struct MatrixTileTable {
  MatrixTiles<float> f32;
  MatrixTiles<double> f64;
  MatrixTiles<uint32_t> i32;
  MatrixTiles<uint64_t> i64;
};
#if defined(__x86_64__)
extern const MatrixTileTable kAvx2Tiles, kAvx512Tiles;
#endif

namespace {

// A vector's own multiplication and addition, which the compiler does not contract (-ffp-contract=off).
struct Exact {
  template <typename T, typename V>
  [[gnu::always_inline]] static inline V Add(V sum, T a, V b) {
    return sum + a * b;
  }
};

template <typename T, int kBytes, int kRows, int kVectors, typename Arithmetic>
void RunTile(const T* a, const T* b, int64_t b_step, int64_t k, T* c, int64_t c_step) {
  constexpr int kLanes = kBytes / int(sizeof(T));
  typedef T V __attribute__((vector_size(kBytes)));
  V sums[kRows][kVectors];
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 2
    for (int v = 0; v < kVectors; ++v) memcpy(&sums[r][v], c + r * c_step + v * kLanes, sizeof(V));
  for (int64_t p = 0; p < k; ++p, a += kRows, b += b_step) {
    V right[kVectors];
#pragma GCC unroll 2
    for (int v = 0; v < kVectors; ++v) memcpy(&right[v], b + v * kLanes, sizeof(V));
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 2
      for (int v = 0; v < kVectors; ++v) sums[r][v] = Arithmetic::Add(sums[r][v], a[r], right[v]);
  }
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 2
    for (int v = 0; v < kVectors; ++v) memcpy(c + r * c_step + v * kLanes, &sums[r][v], sizeof(V));
}

template <typename T, int kBytes, int kRows, typename Fused>
constexpr MatrixTiles<T> MakeTiles() {
  constexpr int kLanes = kBytes / int(sizeof(T));
  return {{kRows, 2 * kLanes, RunTile<T, kBytes, kRows, 2, Exact>, RunTile<T, kBytes, kRows, 2, Fused>},
          {kRows, kLanes, RunTile<T, kBytes, kRows, 1, Exact>, RunTile<T, kBytes, kRows, 1, Fused>}};
}

template <int kBytes, int kRows, typename Fused>
constexpr MatrixTileTable MakeTileTable() {
  return {MakeTiles<float, kBytes, kRows, Fused>(), MakeTiles<double, kBytes, kRows, Fused>(),
          MakeTiles<uint32_t, kBytes, kRows, Exact>(), MakeTiles<uint64_t, kBytes, kRows, Exact>()};
}

}  // namespace
}  // namespace shlo
