// Tiled matrix product (matrix/tile.h). Packs the inputs of tiles contiguously, for a block of k at a time;
// partial sums are kept in memory between blocks, which does not change results.
#include <algorithm>

#include "eval/kernels/contraction.h"
#include "eval/kernels/move_elements.h"
#include "eval/loops/element_loops.h"
#include "eval/matrix/tile.h"
#include "eval/memory.h"

namespace shlo {
namespace {

constexpr MatrixTileTable kPlainTiles = MakeTileTable<16, 4, 4, 2, Exact>();

const MatrixTileTable& BestTiles() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl"))
    return kAvx512Tiles;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return kAvx2Tiles;
#endif
  return kPlainTiles;
}
template <typename T>
const MatrixTiles<T>& TilesOf(const MatrixTileTable& table) {
  if constexpr (std::is_same_v<T, float>) return table.f32;
  if constexpr (std::is_same_v<T, double>) return table.f64;
  if constexpr (std::is_same_v<T, uint32_t>) return table.i32;
  if constexpr (std::is_same_v<T, uint64_t>) return table.i64;
}

// Block sizes, such that a panel of `b` and some rows of `a` of the same k block stay in cache.
constexpr int64_t kMaxDepth = 384;
constexpr int64_t kPanelBytes = 48 << 10;
constexpr int64_t kBlockBytes = 512 << 10;
constexpr int64_t kMaxTile = 16 * 64;  // elements

int64_t CeilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

// Returns the tile with the least padding, preferring the wide one.
template <typename T>
const MatrixTile<T>& TileFor(const MatrixTiles<T>& tiles, int64_t m, int64_t n) {
  if (n <= tiles.narrow.columns) return tiles.narrow;
  const auto computed = [&](const MatrixTile<T>& tile) {
    return double(CeilDiv(m, tile.rows) * tile.rows) * double(CeilDiv(n, tile.columns) * tile.columns);
  };
  return computed(tiles.wide) <= 1.04 * computed(tiles.middle) ? tiles.wide : tiles.middle;
}

// Transposes four rows of `depth` 4-byte elements: out[p * step + r].
template <typename T>
void Transpose(const T* r0, const T* r1, const T* r2, const T* r3, int64_t depth, int64_t step, T* out) {
  typedef uint32_t V __attribute__((vector_size(16)));
  const auto load = [](const T* from) {
    V v;
    std::memcpy(&v, from, sizeof v);
    return v;
  };
  int64_t p = 0;
  for (; p + 4 <= depth; p += 4) {
    const V a = load(r0 + p), b = load(r1 + p), c = load(r2 + p), d = load(r3 + p);
    const V ab_low = __builtin_shufflevector(a, b, 0, 4, 1, 5),
            cd_low = __builtin_shufflevector(c, d, 0, 4, 1, 5);
    const V ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7),
            cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);
    const V columns[4] = {__builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5),
                          __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7),
                          __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5),
                          __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7)};
    for (int64_t q = 0; q < 4; ++q) std::memcpy(out + (p + q) * step, &columns[q], sizeof(V));
  }
  for (; p < depth; ++p) {
    const T column[4] = {r0[p], r1[p], r2[p], r3[p]};
    std::memcpy(out + p * step, column, sizeof column);
  }
}

// Block layout of a product, for one element type and instruction set.
template <typename T>
struct Product {
  const MatrixTile<T>& tile;
  typename MatrixTile<T>::Run run;
  const T* a;
  const T* b;
  T* c;
  int64_t m, k, n;
  int64_t block_tiles;  // rows of tiles that share a packed panel of `b`

  int64_t blocks() const { return CeilDiv(m, block_tiles * tile.rows); }
  int64_t panels() const { return CeilDiv(n, tile.columns); }

  // Packs rows of a block, grouped by tile.
  void PackRows(int64_t block, int64_t first_p, int64_t depth, T* out) const {
    const int64_t begin = block * block_tiles * tile.rows;
    const int64_t end = std::min(m, begin + block_tiles * tile.rows);
    for (int64_t i = begin; i < end; i += tile.rows, out += tile.rows * depth) {
      const auto row = [&](int64_t r) { return a + std::min(i + r, end - 1) * k + first_p; };
      int64_t r = 0;
      if constexpr (sizeof(T) == 4) {
        for (; r + 4 <= tile.rows; r += 4)
          Transpose(row(r), row(r + 1), row(r + 2), row(r + 3), depth, tile.rows, out + r);
      }
      for (; r < tile.rows; ++r) {
        const T* from = row(r);
        for (int64_t p = 0; p < depth; ++p) out[p * tile.rows + r] = from[p];
      }
    }
  }
  // Packs columns of a panel, padded with zeros.
  void PackPanel(int64_t first_j, int64_t first_p, int64_t depth, T* out) const {
    const int64_t count = std::min(tile.columns, n - first_j);
    const T* from = b + first_p * n + first_j;
    if (count == tile.columns && count * int64_t(sizeof(T)) == 128) return CopyRows<128>(from, depth, out);
    if (count == tile.columns && count * int64_t(sizeof(T)) == 192) return CopyRows<192>(from, depth, out);
    for (int64_t p = 0; p < depth; ++p, out += tile.columns) {
      std::memcpy(out, from + p * n, size_t(count) * sizeof(T));
      std::fill(out + count, out + tile.columns, T(0));
    }
  }

  // Copies a part of each of `depth` rows of `b`; a constant size inlines memcpy.
  template <size_t kBytes>
  void CopyRows(const T* from, int64_t depth, T* out) const {
    constexpr int64_t kAhead = 12;  // rows are in different pages, which hardware does not prefetch
    for (int64_t p = 0; p < depth; ++p, out += kBytes / sizeof(T)) {
      const T* next = from + std::min(p + kAhead, depth - 1) * n;
      for (size_t line = 0; line < kBytes; line += 64) __builtin_prefetch(next + line / sizeof(T));
      std::memcpy(out, from + p * n, kBytes);
    }
  }

  // Computes items [begin, end) of blocks() * panels(), block by block, with at most `most` of k at a time.
  void Compute(int64_t begin, int64_t end, int64_t most) const {
    const Scratch<T> left = MakeScratch<T>((block_tiles * tile.rows + tile.columns) * most);
    T* const right = left.get() + block_tiles * tile.rows * most;
    for (int64_t p = 0; p < k; p += most)
      ComputePart(begin, end, p, std::min(most, k - p), left.get(), right);
  }
  void ComputePart(int64_t begin, int64_t end, int64_t first_p, int64_t depth, T* left, T* right) const {
    alignas(64) T edge[kMaxTile];
    int64_t packed = -1;
    for (int64_t piece = begin; piece < end; ++piece) {
      const int64_t block = piece / panels(), j = piece % panels() * tile.columns;
      if (block != packed) PackRows(packed = block, first_p, depth, left);
      const int64_t begin_i = block * block_tiles * tile.rows, columns = std::min(tile.columns, n - j);
      // With a single row of tiles, packing costs more than it saves.
      const bool pack = m > tile.rows || columns < tile.columns;
      if (pack) PackPanel(j, first_p, depth, right);
      const T* panel = pack ? right : b + first_p * n + j;
      const int64_t step = pack ? tile.columns : n;
      for (int64_t t = 0; t < block_tiles && begin_i + t * tile.rows < m; ++t) {
        const int64_t i = begin_i + t * tile.rows, rows = std::min(tile.rows, m - i);
        const T* from = left + t * tile.rows * depth;
        T* to = c + i * n + j;
        if (rows == tile.rows && columns == tile.columns) {
          run(from, panel, step, depth, to, n);
          continue;
        }
        std::fill(edge, edge + tile.rows * tile.columns, T(0));
        for (int64_t r = 0; r < rows; ++r)
          std::memcpy(edge + r * tile.columns, to + r * n, size_t(columns) * sizeof(T));
        run(from, panel, step, depth, edge, tile.columns);
        for (int64_t r = 0; r < rows; ++r)
          std::memcpy(to + r * n, edge + r * tile.columns, size_t(columns) * sizeof(T));
      }
    }
  }
};

template <typename T>
void TypedProduct(KernelHost& host, const uint8_t* a, const uint8_t* b, uint8_t* c, int64_t m, int64_t k,
                  int64_t n) {
  const MatrixTiles<T>& tiles = TilesOf<T>(BestTiles());
  const MatrixTile<T>& tile = TileFor(tiles, m, n);
  // Balance the sizes of k blocks and of row blocks.
  const int64_t most = std::min(kMaxDepth, kPanelBytes / (tile.columns * int64_t(sizeof(T))));
  const int64_t depth = std::max<int64_t>(1, CeilDiv(k, std::max<int64_t>(1, CeilDiv(k, most))));
  const int64_t most_rows = kBlockBytes / (depth * int64_t(sizeof(T)));
  const int64_t block_rows = std::max<int64_t>(1, CeilDiv(m, std::max<int64_t>(1, CeilDiv(m, most_rows))));
  // Only views may be unaligned; kernels pass their own buffers.
  const Product<T> product{tile,
                           host.options().fast ? tile.fused : tile.exact,
                           reinterpret_cast<const T*>(a),
                           reinterpret_cast<const T*>(b),
                           reinterpret_cast<T*>(c),
                           m,
                           k,
                           n,
                           CeilDiv(block_rows, tile.rows)};
  const int64_t pieces = product.blocks() * product.panels();
  constexpr double kNanoseconds = 0.03;  // per multiplication, approximately
  host.Split(uint64_t(pieces), double(m * n) / double(pieces) * double(k) * kNanoseconds,
             [&](uint64_t begin, uint64_t end) { product.Compute(int64_t(begin), int64_t(end), depth); });
}

// Multiplies matrices of any element type, with the loops of multiply and add on rows.
void LoopProduct(KernelHost& host, ElementType element, const uint8_t* a, const uint8_t* b, uint8_t* c,
                 int64_t m, int64_t k, int64_t n) {
  const ArithmeticLoops loops = LoopsOf(element);
  const int64_t bytes = element.bytes();
  const auto work = [&](uint64_t begin, uint64_t end) {
    constexpr int64_t kRun = 256;
    uint8_t factor[kRun * 16], product[kRun * 16];
    for (int64_t i = int64_t(begin); i < int64_t(end); ++i) {
      for (int64_t p = 0; p < k; ++p) {
        FillElements(factor, a + (i * k + p) * bytes, uint64_t(std::min(kRun, n)), size_t(bytes));
        for (int64_t j = 0; j < n; j += kRun) {
          const size_t count = size_t(std::min(kRun, n - j));
          const uint8_t* operands[2] = {factor, b + (p * n + j) * bytes};
          loops.multiply.run(loops.multiply, operands, product, count);
          uint8_t* to = c + (i * n + j) * bytes;
          const uint8_t* sums[2] = {to, product};
          loops.add.run(loops.add, sums, to, count);
        }
      }
    }
  };
  const double nanoseconds = element.complex ? 10 : 4;  // per product, approximately
  host.Split(uint64_t(m), double(k * n) * nanoseconds, work);
}

// Makes NaN results canonical. Only writes if there is one.
template <typename T>
void CanonicalNans(uint8_t* bytes, uint64_t n) {
  constexpr uint64_t kRun = 1024;
  for (uint64_t begin = 0; begin < n; begin += kRun) {
    const uint64_t end = std::min(n, begin + kRun);
    uint32_t found = 0;
    for (uint64_t i = begin; i < end; ++i) {
      const T value = Load<T>(bytes, i);
      found |= value != value;
    }
    if (!found) continue;
    for (uint64_t i = begin; i < end; ++i) Store<T>(bytes, i, CanonicalNan(Load<T>(bytes, i)));
  }
}

}  // namespace

ArithmeticLoops LoopsOf(ElementType element) {
  const ElementType types[2] = {element, element};
  LoopQuery query{.operands = types};
  return {PickMultiply(query), PickAdd(query)};
}

bool CanContract(ElementType element) {
  const ArithmeticLoops loops = LoopsOf(element);
  return loops.multiply && loops.add;
}

void MatrixProduct(KernelHost& host, ElementType element, const uint8_t* a, const uint8_t* b, uint8_t* c,
                   int64_t batches, int64_t m, int64_t k, int64_t n) {
  const int64_t bytes = element.bytes();
  for (int64_t i = 0; i < batches; ++i) {
    const uint8_t* ai = a + i * m * k * bytes;
    const uint8_t* bi = b + i * k * n * bytes;
    uint8_t* ci = c + i * m * n * bytes;
    if (element.complex) {
      LoopProduct(host, element, ai, bi, ci, m, k, n);
    } else if (element.kind == TypeKind::kF32) {
      TypedProduct<float>(host, ai, bi, ci, m, k, n);
      CanonicalNans<float>(ci, uint64_t(m * n));
    } else if (element.kind == TypeKind::kF64) {
      TypedProduct<double>(host, ai, bi, ci, m, k, n);
      CanonicalNans<double>(ci, uint64_t(m * n));
    } else if (element.kind == TypeKind::kI32 || element.kind == TypeKind::kUI32) {
      TypedProduct<uint32_t>(host, ai, bi, ci, m, k, n);
    } else if (element.kind == TypeKind::kI64 || element.kind == TypeKind::kUI64) {
      TypedProduct<uint64_t>(host, ai, bi, ci, m, k, n);
    } else {
      LoopProduct(host, element, ai, bi, ci, m, k, n);
    }
  }
}

}  // namespace shlo
