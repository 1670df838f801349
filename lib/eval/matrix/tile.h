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

// Operands of a tile, which computes c[r][j] += sum over p of a[r][p] * b[p][j] for all its rows and columns.
// Elements of `a` and `b` may be unaligned.
template <typename T>
struct TileOperands {
  const uint8_t* a;
  int64_t a_row;  // bytes between rows of adjacent elements; 0: element (r, p) is at p * rows + r
  const uint8_t* b;
  int64_t b_row;  // bytes between rows
  int64_t k;
  T* c;
  int64_t c_row;  // elements between rows
  bool first;     // `c` is not set and counts as zero
  bool last;      // the sums are complete: NaN become canonical
  T* packed;      // where the rows of `b` are copied to, one after the other; or nullptr
  TileAhead ahead;
};

template <typename T>
struct MatrixTile {
  using Run = void (*)(const TileOperands<T>& operands);
  int64_t rows;
  int64_t columns;
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
// Transposes `count` rows, at least 4, of `depth` elements of 4 bytes: out[p * count + r]. Rows may be
// unaligned.
using TransposeRows = void (*)(const uint8_t* const* rows, int64_t count, int64_t depth, uint32_t* out);

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

// The left operand of a tile, column by column.
template <typename T, int kRows, bool kPacked>
struct LeftColumns {
  // Three rows are addressed from one pointer: a pointer for each would be more than there are registers.
  static constexpr int kPointers = kPacked ? 1 : (kRows + 2) / 3;
  const uint8_t* at[kPointers];
  int64_t row;

  [[gnu::always_inline]] inline explicit LeftColumns(const TileOperands<T>& o) : row(o.a_row) {
    for (int i = 0; i < kPointers; ++i) at[i] = o.a + 3 * i * row;
  }
  [[gnu::always_inline]] inline T Element(int r) const {
    T element;
    memcpy(&element, kPacked ? at[0] + r * int(sizeof(T)) : at[r / 3] + r % 3 * row, sizeof element);
    return element;
  }
  [[gnu::always_inline]] inline void Next() {
    constexpr int kAhead = 16;  // columns
    if constexpr (kPacked) __builtin_prefetch(at[0] + kAhead * kRows * int(sizeof(T)));
    for (int i = 0; i < kPointers; ++i) at[i] += kPacked ? kRows * int(sizeof(T)) : int(sizeof(T));
  }
};

// Adds the products of a tile to its sums.
template <typename T, int kBytes, int kRows, int kVectors, typename Arithmetic, bool kPackedLeft, bool kPacks,
          typename V>
[[gnu::always_inline]] inline void AddProducts(const TileOperands<T>& o, V (&sums)[kRows][kVectors]) {
  constexpr int64_t kAheadPacked = 12;  // rows of `b`, which are in different pages before it is packed
  LeftColumns<T, kRows, kPackedLeft> left(o);
  const uint8_t* b = o.b;
  T* packed = o.packed;
  const int64_t per_run = o.ahead.rows > 0 ? (o.k + o.ahead.rows - 1) / o.ahead.rows : o.k;
  const uint8_t* next = o.ahead.from;
  for (int64_t p = 0, end = 0; p < o.k;) {
    end = end + per_run < o.k ? end + per_run : o.k;
    if (o.ahead.rows > 0) {
      for (int64_t line = 0; line < o.ahead.bytes; line += 64) __builtin_prefetch(next + line, 0, 2);
      __builtin_prefetch(next + o.ahead.bytes - 1, 0, 2);
      next += o.ahead.step;
    }
    for (; p < end; ++p, left.Next(), b += o.b_row) {
      V right[kVectors];
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) {
        if constexpr (kPacks) __builtin_prefetch(b + kAheadPacked * o.b_row + v * kBytes);
        memcpy(&right[v], b + v * kBytes, sizeof(V));
      }
      if constexpr (kPacks) {
        memcpy(packed, right, sizeof right);
        packed += kVectors * kBytes / int(sizeof(T));
      }
#pragma GCC unroll 16
      for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 4
        for (int v = 0; v < kVectors; ++v)
          sums[r][v] = Arithmetic::Add(sums[r][v], left.Element(r), right[v]);
    }
  }
}

template <typename T, int kBytes, int kRows, int kVectors, typename Arithmetic>
void RunTile(const TileOperands<T>& o) {
  constexpr int kLanes = kBytes / int(sizeof(T));
  typedef T V __attribute__((vector_size(kBytes)));
  V sums[kRows][kVectors];
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      T* from = o.c + r * o.c_row + v * kLanes;
      sums[r][v] = V{};
      if constexpr (Arithmetic::kInOrder) {
        if (!o.first) memcpy(&sums[r][v], from, sizeof(V));
      } else {
        __builtin_prefetch(from, 1);  // added at the end, so that its load overlaps with the loop
      }
    }
  if (o.a_row == 0 && o.packed)
    AddProducts<T, kBytes, kRows, kVectors, Arithmetic, true, true>(o, sums);
  else if (o.a_row == 0)
    AddProducts<T, kBytes, kRows, kVectors, Arithmetic, true, false>(o, sums);
  else if (o.packed)
    AddProducts<T, kBytes, kRows, kVectors, Arithmetic, false, true>(o, sums);
  else
    AddProducts<T, kBytes, kRows, kVectors, Arithmetic, false, false>(o, sums);
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      T* to = o.c + r * o.c_row + v * kLanes;
      if (!Arithmetic::kInOrder && !o.first) {
        V before;
        memcpy(&before, to, sizeof(V));
        sums[r][v] += before;
      }
      if constexpr (T(0.5) != T(0))
        if (o.last) sums[r][v] = sums[r][v] == sums[r][v] ? sums[r][v] : V{} + T(__builtin_nan(""));
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

template <typename T, int kBytes, int kRows, int kVectors, typename Fused>
constexpr MatrixTile<T> MakeTile() {
  MatrixTile<T> tile{kRows, kVectors * kBytes / int(sizeof(T)), RunTile<T, kBytes, kRows, kVectors, Exact>,
                     RunTile<T, kBytes, kRows, kVectors, Fused>};
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
