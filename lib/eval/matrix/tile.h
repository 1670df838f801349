// The innermost loop of a matrix product: accumulates a tile of the result in vector registers. Each element
// accumulates its products in the order of k, so results do not depend on the tile size; vectors span
// columns. Sources for each instruction set include this file, so everything except the table of tiles has
// internal linkage, and nothing here inlines standard library functions. Internal to lib/eval.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

namespace shlo {

// Memory that will be read next: `rows` runs of `bytes`, `step` bytes apart. It is requested while a tile is
// computed, a run at a time: many requests at once would keep the tile waiting.
struct TileAhead {
  const uint8_t* from = nullptr;
  int64_t step = 0, bytes = 0, rows = 0;
};

// Computes c[r][j] += sum over p of a[p * rows + r] * b[p][j], for all rows and columns of a tile. Rows of
// `b` are `b_step` bytes apart and may be unaligned. `first` says that `c` is not set and counts as zero.
template <typename T>
struct MatrixTile {
  using Run = void (*)(const T* a, const uint8_t* b, int64_t b_step, int64_t k, T* c, int64_t c_step,
                       bool first, const TileAhead& ahead);
  int64_t rows;
  int64_t columns;
  // Copies the columns of a tile from each of `depth` rows, which are `step` bytes apart and may be
  // unaligned.
  void (*pack)(const uint8_t* from, int64_t step, int64_t depth, T* out);
  Run exact;  // rounds every product and every sum
  Run fused;  // rounds sums only, if the machine supports it
  // Of f32: round every product and every sum again, to a narrower format; nullptr for other types.
  Run rounded_to_bf16 = nullptr;
  Run rounded_to_f16 = nullptr;
};
template <typename T>
struct MatrixTiles {
  MatrixTile<T> wide;    // the fastest, for many columns
  MatrixTile<T> middle;  // two vectors
  MatrixTile<T> narrow;  // one vector, for few columns
};
// Computes out[i] = sum over t of x[t][i] * w[t * step + i], or w[t], each product and sum rounded, in the
// order of t. NaN results are canonical. Elements of `x` may be unaligned.
template <typename T>
struct WindowTile {
  using Run = void (*)(const T* const* x, const T* w, int64_t step, int64_t taps, int64_t n, T* out);
  Run by_lane;
  Run by_tap;
};
// Transposes four rows of `depth` elements of 4 bytes: out[p * step + r]. Rows may be unaligned.
using TransposeRows = void (*)(const uint8_t* const* rows, int64_t depth, int64_t step, uint32_t* out);

struct MatrixTileTable {
  MatrixTiles<float> f32;
  MatrixTiles<double> f64;
  MatrixTiles<uint32_t> i32;
  MatrixTiles<uint64_t> i64;
  WindowTile<float> window_f32;
  WindowTile<double> window_f64;
  TransposeRows transpose = nullptr;  // nullptr: there is no better one than for every machine
};
// Returns the tiles for this machine.
const MatrixTileTable& BestTiles();
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

// Like Exact, and rounds f32 to bf16 or f16, to nearest, ties to even. Infinities and NaN stay what they are.
struct RoundedToBf16 {
  static constexpr bool kInOrder = true;
  template <typename V>
  [[gnu::always_inline]] static inline V Round(V v) {
    typedef uint32_t Words __attribute__((vector_size(sizeof(V))));
    const Words bits = (Words)v;
    return (V)((bits + 0x7FFFu + ((bits >> 16) & 1u)) & 0xFFFF0000u);
  }
  template <typename T, typename V>
  [[gnu::always_inline]] static inline V Add(V sum, T a, V b) {
    return Round<V>(sum + Round<V>(a * b));
  }
};
struct RoundedToF16 {
  static constexpr bool kInOrder = true;
  template <typename V>
  [[gnu::always_inline]] static inline V Round(V v) {
    typedef uint32_t Words __attribute__((vector_size(sizeof(V))));
    const Words bits = (Words)v, sign = bits & 0x80000000u, size = bits ^ sign;
    Words code = (size + 0xFFFu + ((size >> 13) & 1u)) & 0xFFFFE000u;
    // Below 2^-14, numbers are multiples of 2^-24, like the sums of f32 with 0.5.
    const Words small = (Words)(((V)size + 0.5f) - 0.5f);
    code = size < 0x38800000u ? small : code;
    code = ((code >= 0x47800000u) & (size <= 0x7F800000u)) ? Words{} + 0x7F800000u : code;
    return (V)(code | sign);
  }
  template <typename T, typename V>
  [[gnu::always_inline]] static inline V Add(V sum, T a, V b) {
    return Round<V>(sum + Round<V>(a * b));
  }
};

template <typename T, int kBytes, int kRows, int kVectors, typename Arithmetic>
void RunTile(const T* a, const uint8_t* b, int64_t b_step, int64_t k, T* c, int64_t c_step, bool first,
             const TileAhead& ahead) {
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
  const int64_t per_run = ahead.rows > 0 ? (k + ahead.rows - 1) / ahead.rows : k;
  const uint8_t* next = ahead.from;
  for (int64_t p = 0, end = 0; p < k;) {
    end = end + per_run < k ? end + per_run : k;
    if (ahead.rows > 0) {
      for (int64_t line = 0; line < ahead.bytes; line += 64) __builtin_prefetch(next + line, 0, 2);
      __builtin_prefetch(next + ahead.bytes - 1, 0, 2);
      next += ahead.step;
    }
    for (; p < end; ++p, a += kRows, b += b_step) {
      V right[kVectors];
      __builtin_prefetch(a + kAhead * kRows);
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) memcpy(&right[v], b + v * kBytes, sizeof(V));
#pragma GCC unroll 16
      for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 4
        for (int v = 0; v < kVectors; ++v) sums[r][v] = Arithmetic::Add(sums[r][v], a[r], right[v]);
    }
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

// Computes `kVectors` vectors of the results of a window, from `first` on.
template <typename T, int kBytes, int kVectors, bool kByLane>
[[gnu::always_inline]] inline void RunWindowPart(const T* const* x, const T* w, int64_t step, int64_t taps,
                                                 int64_t first, T* out) {
  constexpr int kLanes = kBytes / int(sizeof(T));
  typedef T V __attribute__((vector_size(kBytes)));
  V sums[kVectors];
#pragma GCC unroll 4
  for (int v = 0; v < kVectors; ++v) sums[v] = V{};
  for (int64_t t = 0; t < taps; ++t)
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      V left;
      memcpy(&left, reinterpret_cast<const char*>(x[t]) + (first + v * kLanes) * int64_t(sizeof(T)),
             sizeof left);
      if constexpr (kByLane) {
        V right;
        memcpy(&right, w + t * step + first + v * kLanes, sizeof right);
        sums[v] = sums[v] + left * right;
      } else {
        sums[v] = sums[v] + left * w[t];
      }
    }
#pragma GCC unroll 4
  for (int v = 0; v < kVectors; ++v) {
    const V result = sums[v] == sums[v] ? sums[v] : V{} + T(__builtin_nan(""));
    memcpy(out + first + v * kLanes, &result, sizeof result);
  }
}

template <typename T, int kBytes, bool kByLane>
void RunWindow(const T* const* x, const T* w, int64_t step, int64_t taps, int64_t n, T* out) {
  constexpr int64_t kLanes = kBytes / int64_t(sizeof(T));
  int64_t i = 0;
  for (; i + 4 * kLanes <= n; i += 4 * kLanes) RunWindowPart<T, kBytes, 4, kByLane>(x, w, step, taps, i, out);
  for (; i + kLanes <= n; i += kLanes) RunWindowPart<T, kBytes, 1, kByLane>(x, w, step, taps, i, out);
  if (i < n && n >= kLanes) {  // some results again
    RunWindowPart<T, kBytes, 1, kByLane>(x, w, step, taps, n - kLanes, out);
  } else {
    constexpr int64_t kLeast = 16 / int64_t(sizeof(T));
    for (; i + kLeast <= n; i += kLeast) RunWindowPart<T, 16, 1, kByLane>(x, w, step, taps, i, out);
    for (; i < n; ++i) RunWindowPart<T, sizeof(T), 1, kByLane>(x, w, step, taps, i, out);
  }
}

template <typename T, int kBytes>
constexpr WindowTile<T> MakeWindowTile() {
  return {RunWindow<T, kBytes, true>, RunWindow<T, kBytes, false>};
}

template <typename T, int kBytes, int kVectors>
void PackColumns(const uint8_t* from, int64_t step, int64_t depth, T* out) {
  constexpr int64_t kAhead = 12;  // rows are in different pages, which hardware does not prefetch
  typedef T V __attribute__((vector_size(kBytes)));
  for (int64_t p = 0; p < depth; ++p, from += step, out += kVectors * kBytes / int64_t(sizeof(T))) {
    if (p + kAhead < depth) {
#pragma GCC unroll 4
      for (int line = 0; line < kVectors * kBytes; line += 64)
        __builtin_prefetch(from + kAhead * step + line);
    }
    V row[kVectors];
    memcpy(row, from, sizeof row);
    memcpy(out, row, sizeof row);
  }
}

template <typename T, int kBytes, int kRows, int kVectors, typename Fused>
constexpr MatrixTile<T> MakeTile() {
  MatrixTile<T> tile{kRows, kVectors * kBytes / int(sizeof(T)), PackColumns<T, kBytes, kVectors>,
                     RunTile<T, kBytes, kRows, kVectors, Exact>, RunTile<T, kBytes, kRows, kVectors, Fused>};
  if constexpr (T(0.5) != T(0) && sizeof(T) == sizeof(float)) {
    tile.rounded_to_bf16 = RunTile<T, kBytes, kRows, kVectors, RoundedToBf16>;
    tile.rounded_to_f16 = RunTile<T, kBytes, kRows, kVectors, RoundedToF16>;
  }
  return tile;
}

template <typename T, int kBytes, int kRows, int kWideRows, int kWideVectors, typename Fused>
constexpr MatrixTiles<T> MakeTiles() {
  return {MakeTile<T, kBytes, kWideRows, kWideVectors, Fused>(), MakeTile<T, kBytes, kRows, 2, Fused>(),
          MakeTile<T, kBytes, kRows, 1, Fused>()};
}

// Tiles of `kRows` rows, and wide tiles of `kWideRows` rows of `kWideVectors` vectors, limited by the number
// of registers.
template <int kBytes, int kRows, int kWideRows, int kWideVectors, typename Fused>
constexpr MatrixTileTable MakeTileTable(TransposeRows transpose = nullptr) {
  return {MakeTiles<float, kBytes, kRows, kWideRows, kWideVectors, Fused>(),
          MakeTiles<double, kBytes, kRows, kWideRows, kWideVectors, Fused>(),
          MakeTiles<uint32_t, kBytes, kRows, kWideRows, kWideVectors, Exact>(),
          MakeTiles<uint64_t, kBytes, kRows, kWideRows, kWideVectors, Exact>(),
          MakeWindowTile<float, kBytes>(),
          MakeWindowTile<double, kBytes>(),
          transpose};
}

}  // namespace
}  // namespace shlo
