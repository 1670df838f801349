// The innermost loop of a matrix product: accumulates a tile of the result in vector registers. Each element
// accumulates its products in the order of k, so results do not depend on the tile size; vectors span
// columns. Sources for each instruction set include this file, so everything except the table of tiles has
// internal linkage, and nothing here inlines standard library functions. Internal to lib/eval.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

namespace shlo {

// Computes c[r][j] += sum over p of a[p * rows + r] * b[p * b_step + j], for all rows and columns of a tile.
// `first` says that `c` is not set and counts as zero.
template <typename T>
struct MatrixTile {
  using Run = void (*)(const T* a, const T* b, int64_t b_step, int64_t k, T* c, int64_t c_step, bool first);
  int64_t rows;
  int64_t columns;
  Run exact;  // rounds every product and every sum
  Run fused;  // rounds sums only, if the machine supports it
};
template <typename T>
struct MatrixTiles {
  MatrixTile<T> wide;    // the fastest, for many columns
  MatrixTile<T> middle;  // two vectors
  MatrixTile<T> narrow;  // one vector, for few columns
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

// Separate multiplication and addition, which the compiler does not contract (-ffp-contract=off).
struct Exact {
  static constexpr bool kInOrder = true;  // `c` is added first
  template <typename T, typename V>
  [[gnu::always_inline]] static inline V Add(V sum, T a, V b) {
    return sum + a * b;
  }
};

template <typename T, int kBytes, int kRows, int kVectors, typename Arithmetic>
void RunTile(const T* a, const T* b, int64_t b_step, int64_t k, T* c, int64_t c_step, bool first) {
  constexpr int kLanes = kBytes / int(sizeof(T));
  constexpr int kAhead = 16;  // prefetch distance in `a`, in steps of k
  typedef T V __attribute__((vector_size(kBytes)));
  V sums[kRows][kVectors];
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      T* from = c + r * c_step + v * kLanes;
      sums[r][v] = V{};
      if constexpr (Arithmetic::kInOrder) {
        if (!first) memcpy(&sums[r][v], from, sizeof(V));
      } else {
        __builtin_prefetch(from, 1);  // added at the end, so that its load overlaps with the loop
      }
    }
  for (int64_t p = 0; p < k; ++p, a += kRows, b += b_step) {
    V right[kVectors];
    __builtin_prefetch(a + kAhead * kRows);
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) memcpy(&right[v], b + v * kLanes, sizeof(V));
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) sums[r][v] = Arithmetic::Add(sums[r][v], a[r], right[v]);
  }
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      T* to = c + r * c_step + v * kLanes;
      if (!Arithmetic::kInOrder && !first) {
        V before;
        memcpy(&before, to, sizeof(V));
        sums[r][v] += before;
      }
      memcpy(to, &sums[r][v], sizeof(V));
    }
}

template <typename T, int kBytes, int kRows, int kVectors, typename Fused>
constexpr MatrixTile<T> MakeTile() {
  return {kRows, kVectors * kBytes / int(sizeof(T)), RunTile<T, kBytes, kRows, kVectors, Exact>,
          RunTile<T, kBytes, kRows, kVectors, Fused>};
}

template <typename T, int kBytes, int kRows, int kWideRows, int kWideVectors, typename Fused>
constexpr MatrixTiles<T> MakeTiles() {
  return {MakeTile<T, kBytes, kWideRows, kWideVectors, Fused>(), MakeTile<T, kBytes, kRows, 2, Fused>(),
          MakeTile<T, kBytes, kRows, 1, Fused>()};
}

// Tiles of `kRows` rows, and wide tiles of `kWideRows` rows of `kWideVectors` vectors, limited by the number
// of registers.
template <int kBytes, int kRows, int kWideRows, int kWideVectors, typename Fused>
constexpr MatrixTileTable MakeTileTable() {
  return {MakeTiles<float, kBytes, kRows, kWideRows, kWideVectors, Fused>(),
          MakeTiles<double, kBytes, kRows, kWideRows, kWideVectors, Fused>(),
          MakeTiles<uint32_t, kBytes, kRows, kWideRows, kWideVectors, Exact>(),
          MakeTiles<uint64_t, kBytes, kRows, kWideRows, kWideVectors, Exact>()};
}

}  // namespace
}  // namespace shlo
