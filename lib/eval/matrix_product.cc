// The product of matrices, in tiles (matrix_tile.h). `b` is packed so that what a tile reads lies together,
// some of its rows at a time; results stay in memory between these, which changes no sum.
#include <algorithm>
#include <vector>

#include "eval/contraction.h"
#include "eval/element_loops.h"
#include "eval/matrix_tile.h"
#include "eval/movement.h"

namespace shlo {
namespace {

constexpr MatrixTileTable kPlainTiles = MakeTileTable<16, 4, Exact>();

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

constexpr int64_t kDepth = 384, kWidth = 4096;  // of the part of `b` that is packed at a time
constexpr int64_t kMaxTile = 16 * 64;           // elements

template <typename T>
void PackColumns(const T* b, int64_t n, int64_t k, int64_t width, int64_t columns, T* out) {
  for (int64_t j = 0; j < width; j += columns) {
    const int64_t count = std::min(columns, width - j);
    for (int64_t p = 0; p < k; ++p, out += columns) {
      std::memcpy(out, b + p * n + j, size_t(count) * sizeof(T));
      std::fill(out + count, out + columns, T(0));
    }
  }
}

template <typename T>
void TypedProduct(KernelHost& host, const uint8_t* a_bytes, const uint8_t* b_bytes, uint8_t* c_bytes,
                  int64_t m, int64_t k, int64_t n) {
  // Tensors lie at any address only when they are views; kernels hand over their own buffers.
  const T* a = reinterpret_cast<const T*>(a_bytes);
  const T* b = reinterpret_cast<const T*>(b_bytes);
  T* c = reinterpret_cast<T*>(c_bytes);
  const MatrixTiles<T>& tiles = TilesOf<T>(BestTiles());
  const MatrixTile<T>& tile = n <= tiles.narrow.columns ? tiles.narrow : tiles.wide;
  const auto run = host.options().fast ? tile.fused : tile.exact;
  const int64_t rows = tile.rows, columns = tile.columns;
  std::vector<T> packed;
  for (int64_t first_j = 0; first_j < n; first_j += kWidth) {
    const int64_t width = std::min(kWidth, n - first_j);
    for (int64_t first_p = 0; first_p < k; first_p += kDepth) {
      const int64_t depth = std::min(kDepth, k - first_p);
      const T* right = b + first_p * n + first_j;
      // Where there is one row of tiles, packing costs more than it saves.
      const bool pack = m > rows || width % columns != 0;
      if (pack) {
        packed.resize(size_t((width + columns - 1) / columns * columns * depth));
        PackColumns(right, n, depth, width, columns, packed.data());
      }
      const auto work = [&](uint64_t begin, uint64_t end) {
        std::vector<T> left(size_t(rows * depth));
        alignas(64) T edge[kMaxTile];
        for (int64_t t = int64_t(begin); t < int64_t(end); ++t) {
          const int64_t i = t * rows, height = std::min(rows, m - i);
          for (int64_t r = 0; r < rows; ++r) {
            const T* from = a + (i + std::min(r, height - 1)) * k + first_p;
            for (int64_t p = 0; p < depth; ++p) left[size_t(p * rows + r)] = from[p];
          }
          for (int64_t j = 0; j < width; j += columns) {
            const T* panel = pack ? packed.data() + j * depth : right + j;
            const int64_t step = pack ? columns : n;
            T* to = c + i * n + first_j + j;
            const int64_t count = std::min(columns, width - j);
            if (height == rows && count == columns) {
              run(left.data(), panel, step, depth, to, n);
              continue;
            }
            std::fill(edge, edge + rows * columns, T(0));
            for (int64_t r = 0; r < height; ++r)
              std::memcpy(edge + r * columns, to + r * n, size_t(count) * sizeof(T));
            run(left.data(), panel, step, depth, edge, columns);
            for (int64_t r = 0; r < height; ++r)
              std::memcpy(to + r * n, edge + r * columns, size_t(count) * sizeof(T));
          }
        }
      };
      constexpr double kNanoseconds = 0.05;  // per product, about
      host.Split(uint64_t((m + rows - 1) / rows), double(rows * depth * width) * kNanoseconds, work);
    }
  }
}

// Any element type, by the loops of multiply and add on runs of a row.
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
  host.Split(uint64_t(m), double(k * n) * 4, work);
}

template <typename T>
void CanonicalNans(uint8_t* bytes, uint64_t n) {
  for (uint64_t i = 0; i < n; ++i) Store<T>(bytes, i, CanonicalNan(Load<T>(bytes, i)));
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
