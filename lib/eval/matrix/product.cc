// Tiled matrix product (matrix/tile.h). Packs the inputs of tiles contiguously, for a block of k at a time,
// directly from strided operands; partial sums are kept in memory between blocks, which does not change
// results.
#include "eval/matrix/product.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "eval/kernel/move_elements.h"
#include "eval/loops/element_loops.h"
#include "eval/loops/instruction_set.h"
#include "eval/loops/numeric/float_codec.h"
#include "eval/matrix/tile.h"
#include "eval/tensor/memory.h"

namespace shlo {
namespace {

constexpr MatrixTileTable kPlainTiles = MakeTileTable<16, 4, 4, 2, Exact>();

}  // namespace

const MatrixTileTable& BestTiles() {
#if defined(__x86_64__)
  switch (BestInstructionSet()) {
    case InstructionSet::kAvx512:
      return kAvx512Tiles;
    case InstructionSet::kAvx2:
      return kAvx2Tiles;
    case InstructionSet::kPlain:
      break;
  }
#endif
  return kPlainTiles;
}

namespace {

template <typename T>
const MatrixTiles<T>& TilesOf(const MatrixTileTable& table) {
  if constexpr (std::is_same_v<T, float>) return table.f32;
  if constexpr (std::is_same_v<T, double>) return table.f64;
  if constexpr (std::is_same_v<T, uint32_t>) return table.i32;
  if constexpr (std::is_same_v<T, uint64_t>) return table.i64;
}

// Block sizes, such that a panel of `b` and some rows of `a` of the same k block stay in cache.
constexpr int64_t kMaxDepth = 768;
constexpr int64_t kPanelBytes = 144 << 10;
constexpr int64_t kBlockBytes = 1 << 20;
constexpr int64_t kMaxTile = 16 * 64;  // elements
constexpr int64_t kMaxRows = 16, kMaxColumns = 64;
// A panel that serves few tiles is packed again before memory has answered.
constexpr int64_t kPrefetchTiles = 4;
// Panels for which it does not pay to pack rows.
constexpr int64_t kFewPanels = 4;
// Rows of a panel that is not packed to request before they are read: they are in different pages.
constexpr int64_t kAheadInPanel = 12;

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

// Transposes four rows of `depth` 4-byte elements: out[p * step + r]. Rows may be unaligned.
template <typename T>
void Transpose(const uint8_t* const* rows, int64_t depth, int64_t step, T* out) {
  typedef uint32_t V __attribute__((vector_size(16)));
  const uint8_t *r0 = rows[0], *r1 = rows[1], *r2 = rows[2], *r3 = rows[3];
  const auto load = [](const uint8_t* row, int64_t p) {
    V v;
    std::memcpy(&v, row + p * int64_t(sizeof(T)), sizeof v);
    return v;
  };
  int64_t p = 0;
  for (; p + 4 <= depth; p += 4) {
    const V a = load(r0, p), b = load(r1, p), c = load(r2, p), d = load(r3, p);
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
    const T column[4] = {Load<T>(r0, size_t(p)), Load<T>(r1, size_t(p)), Load<T>(r2, size_t(p)),
                         Load<T>(r3, size_t(p))};
    std::memcpy(out + p * step, column, sizeof column);
  }
}

// Interleaves `count` runs of `depth` elements, `column_step` apart: out[p * count + r]. A run at nullptr is
// zeros.
template <typename T>
void Interleave(const uint8_t* const* at, int64_t count, int64_t column_step, int64_t depth, T* out) {
  if (column_step == 1) {
    if (sizeof(T) == 4 && count >= 4) {
      if (const TransposeRows transpose = BestTiles().transpose)
        return transpose(at, count, depth, reinterpret_cast<uint32_t*>(out));
      // The last four rows may be some of those before, too.
      for (int64_t r = 0; r < count; r += 4) {
        const int64_t first = std::min(r, count - 4);
        Transpose(at + first, depth, count, out + first);
      }
      return;
    }
    for (int64_t r = 0; r < count; ++r)
      for (int64_t p = 0; p < depth; ++p) out[p * count + r] = Load<T>(at[r], size_t(p));
    return;
  }
  const int64_t step = column_step * int64_t(sizeof(T));
  bool adjacent = at[0] != nullptr;
  for (int64_t r = 1; r < count && adjacent; ++r) adjacent = at[r] == at[0] + r * int64_t(sizeof(T));
  for (int64_t p = 0; p < depth; ++p, out += count) {
    if (adjacent) {
      std::memcpy(out, at[0] + p * step, size_t(count) * sizeof(T));
      continue;
    }
    for (int64_t r = 0; r < count; ++r) out[r] = at[r] ? Load<T>(at[r] + p * step, 0) : T(0);
  }
}

// Block layout of a product, for one element type and instruction set.
template <typename T>
struct Product {
  const MatrixTile<T>& tile;
  typename MatrixTile<T>::Run run;
  const MatrixOperands& o;
  const MatrixRows& rows;
  const FloatCodec* codec;  // of the operands' elements if they are narrower, or nullptr
  int64_t bytes;            // of such an element
  int64_t most;             // columns of `a` at a time
  int64_t block_tiles;      // rows of tiles that share a packed panel of `b`
  TensorArena& arena;       // for scratch space

  int64_t blocks() const { return CeilDiv(o.m, block_tiles * tile.rows); }
  int64_t panels() const { return CeilDiv(o.n, tile.columns); }
  int64_t pieces() const { return int64_t(o.batches.size()) * blocks() * panels(); }

  // One of the products of a block of rows with a panel of columns.
  struct Piece {
    int64_t batch, block, j;
    bool operator==(const Piece&) const = default;
  };
  Piece PieceOf(int64_t i) const {
    return {i / (blocks() * panels()), i / panels() % blocks(), i % panels() * tile.columns};
  }
  const uint8_t* Right(const Piece& piece, int64_t p) const {
    return o.b + (o.batches[size_t(piece.batch)].b + p * o.b_row + piece.j * o.b_column) * bytes;
  }

  int64_t TilesOf(int64_t block) const {
    return std::min(block_tiles, CeilDiv(o.m - block * block_tiles * tile.rows, tile.rows));
  }
  // Interleaves runs of an operand, like Interleave, and widens their elements.
  void PackRuns(const uint8_t* const* at, int64_t count, int64_t column_step, int64_t depth, T* out) const {
    if constexpr (std::is_same_v<T, float>)
      if (codec) return WidenRuns(at, count, column_step, depth, out);
    Interleave(at, count, column_step, depth, out);
  }
  void WidenRuns(const uint8_t* const* at, int64_t count, int64_t column_step, int64_t depth,
                 float* out) const {
    if (column_step == 1) {
      constexpr int64_t kRun = 64;
      alignas(64) float wide[std::max(kMaxRows, kMaxColumns) * kRun];
      const uint8_t* runs[std::max(kMaxRows, kMaxColumns)];
      for (int64_t p = 0; p < depth; p += kRun) {
        const int64_t length = std::min(kRun, depth - p);
        for (int64_t r = 0; r < count; ++r) {
          codec->to_f32(at[r] + p * bytes, wide + r * kRun, size_t(length));
          runs[r] = reinterpret_cast<const uint8_t*>(wide + r * kRun);
        }
        Interleave(runs, count, 1, length, out + p * count);
      }
      return;
    }
    bool adjacent = at[0] != nullptr;
    for (int64_t r = 1; r < count && adjacent; ++r) adjacent = at[r] == at[0] + r * bytes;
    for (int64_t p = 0; p < depth; ++p, out += count) {
      const int64_t offset = p * column_step * bytes;
      if (adjacent) {
        codec->to_f32(at[0] + offset, out, size_t(count));
        continue;
      }
      for (int64_t r = 0; r < count; ++r) {
        out[r] = 0;
        if (at[r]) codec->to_f32(at[r] + offset, out + r, 1);
      }
    }
  }
  // Packs the rows of a tile of a block.
  void PackRows(const Piece& piece, int64_t t, int64_t first_p, int64_t depth, T* out,
                uint8_t* scratch) const {
    const int64_t i = (piece.block * block_tiles + t) * tile.rows;
    const int64_t count = std::min(tile.rows, o.m - i);
    for (int64_t p = 0; p < depth;) {
      const int64_t segment = (first_p + p) / rows.run, offset = (first_p + p) % rows.run;
      const int64_t length = std::min(rows.run - offset, depth - p);
      const uint8_t* at[kMaxRows];
      rows.Locate(piece.batch, segment, i, count, scratch, at);
      for (int64_t r = 0; r < count; ++r)
        if (at[r]) at[r] += offset * rows.column_step * bytes;
      std::fill(at + count, at + tile.rows, at[count - 1]);
      PackRuns(at, tile.rows, rows.column_step, length, out + p * tile.rows);
      p += length;
    }
  }
  // Packs columns of a panel, padded with zeros.
  void PackPanel(const Piece& piece, int64_t first_p, int64_t depth, T* out) const {
    const int64_t count = std::min(tile.columns, o.n - piece.j);
    const uint8_t* from = Right(piece, first_p);
    if (o.b_column != 1) {
      const uint8_t* at[kMaxColumns];
      for (int64_t j = 0; j < tile.columns; ++j) at[j] = from + std::min(j, count - 1) * o.b_column * bytes;
      PackRuns(at, tile.columns, o.b_row, depth, out);
      return;
    }
    if constexpr (std::is_same_v<T, float>)
      if (codec) {
        for (int64_t p = 0; p < depth; ++p, out += tile.columns) {
          codec->to_f32(from + p * o.b_row * bytes, out, size_t(count));
          std::fill(out + count, out + tile.columns, T(0));
        }
        return;
      }
    for (int64_t p = 0; p < depth; ++p, out += tile.columns) {
      std::memcpy(out, from + p * o.b_row * bytes, size_t(count) * sizeof(T));
      std::fill(out + count, out + tile.columns, T(0));
    }
  }

  // The work after a piece: the next piece, or pieces(), and the beginning of its part of k. After the last
  // of a thread, that may be another thread's: its panel comes into the cache that they share.
  struct Next {
    int64_t i, p;
  };
  Next After(int64_t i, int64_t begin, int64_t end, int64_t p) const {
    if (i + 1 < end) return {i + 1, p};
    if (p + most < o.k) return {begin, p + most};
    return {i + 1, 0};
  }
  // Returns share t of the panel to come, which a tile requests while it is computed; otherwise memory and
  // processor would wait for each other.
  TileAhead Ahead(const Next& next, int64_t t, int64_t tiles) const {
    if (next.i == pieces()) return {};
    const Piece piece = PieceOf(next.i);
    const int64_t depth = std::min(most, o.k - next.p), first = depth * t / tiles;
    return {Right(piece, next.p + first), o.b_row * bytes, std::min(tile.columns, o.n - piece.j) * bytes,
            depth * (t + 1) / tiles - first};
  }

  // Computes pieces [begin, end), with at most `most` of k at a time.
  void Compute(int64_t begin, int64_t end) const {
    const Scratch<T> right = MakeScratch<T>(arena, tile.columns * most);
    const Scratch<uint8_t> scratch = MakeScratch<uint8_t>(arena, rows.scratch_bytes * tile.rows);
    const Scratch<T> left = MakeScratch<T>(arena, block_tiles * tile.rows * most);
    for (int64_t p = 0; p < o.k; p += most) {
      const int64_t depth = std::min(most, o.k - p);
      for (int64_t i = begin; i < end;) {
        const int64_t block = i / panels(), end_of_block = std::min(end, (block + 1) * panels());
        const int64_t tiles = TilesOf(PieceOf(i).block);
        for (int64_t t = 0; t < tiles; ++t)
          if (!IsInPlace(PieceOf(i), t))
            PackRows(PieceOf(i), t, p, depth, left.get() + t * tile.rows * depth, scratch.get());
        for (int64_t at = i; at < end_of_block; ++at)
          ComputePiece(PieceOf(at), After(at, begin, end, p), p, depth, left.get(), right.get());
        i = end_of_block;
      }
    }
  }
  // Returns whether rows are used where they are, but those of a tile that is not full. For many panels,
  // packing them takes little time, and then they are never in the same lines of the cache.
  bool UsesRowsInPlace() const { return rows.row_bytes != 0 && !codec && panels() <= kFewPanels; }
  bool IsInPlace(const Piece& piece, int64_t t) const {
    return UsesRowsInPlace() && (piece.block * block_tiles + t + 1) * tile.rows <= o.m;
  }
  // Computes a piece from the packed rows of its block.
  void ComputePiece(const Piece& piece, const Next& next, int64_t first_p, int64_t depth, const T* left,
                    T* right) const {
    alignas(64) T edge[kMaxTile];
    const int64_t begin_i = piece.block * block_tiles * tile.rows;
    const int64_t columns = std::min(tile.columns, o.n - piece.j);
    const int64_t tiles = TilesOf(piece.block);
    const bool as_is = columns == tile.columns && o.b_column == 1 && !codec;
    const bool request = o.b_column == 1 && tiles >= kPrefetchTiles;
    const uint8_t* const panel = Right(piece, first_p);
    if (!as_is) PackPanel(piece, first_p, depth, right);
    for (int64_t t = 0; t < tiles; ++t) {
      const int64_t row = begin_i + t * tile.rows, count = std::min(tile.rows, o.m - row);
      T* const to = reinterpret_cast<T*>(o.c) + o.batches[size_t(piece.batch)].c + row * o.c_row + piece.j;
      TileOperands<T> operands{
          .a = reinterpret_cast<const uint8_t*>(left + t * tile.rows * depth),
          .a_row = 0,
          .b = reinterpret_cast<const uint8_t*>(right),
          .b_row = tile.columns * int64_t(sizeof(T)),
          .k = depth,
          .c = to,
          .c_row = o.c_row,
          .first = first_p == 0,
          .last = first_p + depth == o.k,
          .packed = nullptr,
          .ahead = {},
      };
      if (IsInPlace(piece, t)) {
        rows.Locate(piece.batch, 0, row, 1, nullptr, &operands.a);
        operands.a += first_p * bytes;
        operands.a_row = rows.row_bytes;
      }
      if (request) operands.ahead = Ahead(next, t, tiles);
      if (as_is && t == 0) {
        operands.b = panel;
        operands.b_row = o.b_row * bytes;
        // The first tile packs the panel for the others, while it is computed. If there are none, packing
        // costs more than it saves.
        if (tiles > 1)
          operands.packed = right;
        else
          operands.ahead = {panel + kAheadInPanel * operands.b_row, operands.b_row, columns * bytes, depth};
      }
      if (count == tile.rows && columns == tile.columns) {
        run(operands);
        continue;
      }
      operands.c = edge;
      operands.c_row = tile.columns;
      if (!operands.first) {
        std::fill(edge, edge + tile.rows * tile.columns, T(0));
        for (int64_t r = 0; r < count; ++r)
          std::memcpy(edge + r * tile.columns, to + r * o.c_row, size_t(columns) * sizeof(T));
      }
      run(operands);
      for (int64_t r = 0; r < count; ++r)
        std::memcpy(to + r * o.c_row, edge + r * tile.columns, size_t(columns) * sizeof(T));
    }
  }
};

bool OperandIsNarrow(const MatrixOperands& o) { return o.operand != TypeKind::kInvalid; }
template <typename T>
int64_t OperandBytes(const MatrixOperands& o) {
  return OperandIsNarrow(o) ? CodecOf(o.operand)->bytes : int64_t(sizeof(T));
}
template <typename T>
typename MatrixTile<T>::Run RunOf(const MatrixTile<T>& tile, const MatrixOperands& o) {
  if (o.rounding == TypeKind::kBF16) return tile.rounded_to_bf16;
  if (o.rounding == TypeKind::kF16) return tile.rounded_to_f16;
  return o.fast ? tile.fused : tile.exact;
}

template <typename T>
void TypedProduct(KernelHost& host, const MatrixOperands& o, const MatrixRows& rows) {
  const MatrixTiles<T>& tiles = TilesOf<T>(BestTiles());
  const MatrixTile<T>& tile = TileFor(tiles, o.m, o.n);
  // Balance the sizes of k blocks and of row blocks.
  const int64_t most = std::min(kMaxDepth, kPanelBytes / (tile.columns * int64_t(sizeof(T))));
  const int64_t depth = std::max<int64_t>(1, CeilDiv(o.k, std::max<int64_t>(1, CeilDiv(o.k, most))));
  const int64_t most_rows = kBlockBytes / (depth * int64_t(sizeof(T)));
  const int64_t block_rows =
      std::max<int64_t>(1, CeilDiv(o.m, std::max<int64_t>(1, CeilDiv(o.m, most_rows))));
  const FloatCodec* const codec = OperandIsNarrow(o) ? CodecOf(o.operand) : nullptr;
  const Product<T> product{tile,        RunOf<T>(tile, o),  o,     rows,
                           codec,       OperandBytes<T>(o), depth, CeilDiv(block_rows, tile.rows),
                           host.arena()};
  const int64_t pieces = product.pieces();
  // Approximately, per multiplication and per byte of `b`.
  constexpr double kNanoseconds = 0.03, kNanosecondsPerByte = 0.1;
  const double all = double(o.batches.size()) * double(o.n) * double(o.k) *
                     (double(o.m) * kNanoseconds + double(OperandBytes<T>(o)) * kNanosecondsPerByte);
  host.Split(uint64_t(pieces), all / double(pieces),
             [&](uint64_t begin, uint64_t end) { product.Compute(int64_t(begin), int64_t(end)); });
}

// Multiplies matrices of any element type, with the loops of multiply and add on rows.
void LoopProduct(KernelHost& host, ElementType element, const MatrixOperands& o, const MatrixRows& rows) {
  const ArithmeticLoops loops = LoopsOf(element);
  const int64_t bytes = element.bytes();
  const auto work = [&](uint64_t begin, uint64_t end) {
    constexpr int64_t kRun = 256;
    uint8_t factor[kRun * 16], product[kRun * 16], gathered[kRun * 16];
    const Scratch<uint8_t> scratch = MakeScratch<uint8_t>(rows.scratch_bytes);
    const uint8_t zero[16] = {};
    for (int64_t item = int64_t(begin); item < int64_t(end); ++item) {
      const int64_t batch = item / o.m, i = item % o.m;
      const MatrixBatch& at = o.batches[size_t(batch)];
      uint8_t* const c = o.c + (at.c + i * o.c_row) * bytes;
      std::memset(c, 0, size_t(o.n * bytes));
      const uint8_t* segment = nullptr;
      for (int64_t p = 0; p < o.k; ++p) {
        if (p % rows.run == 0) rows.Locate(batch, p / rows.run, i, 1, scratch.get(), &segment);
        const uint8_t* a = segment ? segment + p % rows.run * rows.column_step * bytes : zero;
        FillElements(factor, a, uint64_t(std::min(kRun, o.n)), size_t(bytes));
        const uint8_t* row = o.b + (at.b + p * o.b_row) * bytes;
        for (int64_t j = 0; j < o.n; j += kRun) {
          const size_t count = size_t(std::min(kRun, o.n - j));
          const uint8_t* right = row + j * o.b_column * bytes;
          if (o.b_column != 1) {
            for (size_t q = 0; q < count; ++q)
              std::memcpy(gathered + q * size_t(bytes), right + int64_t(q) * o.b_column * bytes,
                          size_t(bytes));
            right = gathered;
          }
          const uint8_t* operands[2] = {factor, right};
          loops.multiply.run(loops.multiply, operands, product, count);
          uint8_t* to = c + j * bytes;
          const uint8_t* sums[2] = {to, product};
          loops.add.run(loops.add, sums, to, count);
        }
      }
    }
  };
  const double nanoseconds = element.complex ? 10 : 4;  // per product, approximately
  host.Split(o.batches.size() * uint64_t(o.m), double(o.k * o.n) * nanoseconds, work);
}

// The rows of a matrix in memory.
class StridedRows final : public MatrixRows {
 public:
  StridedRows(const MatrixOperands& o, int64_t bytes) : o_(o), bytes_(bytes) {
    run = std::max<int64_t>(o.k, 1);
    column_step = o.a_column;
    if (column_step == 1) row_bytes = o.a_row * bytes;
  }
  void Locate(int64_t batch, int64_t, int64_t first, int64_t count, uint8_t*,
              const uint8_t** at) const override {
    const uint8_t* const row = o_.a + (o_.batches[size_t(batch)].a + first * o_.a_row) * bytes_;
    for (int64_t r = 0; r < count; ++r) at[r] = row + r * o_.a_row * bytes_;
  }

 private:
  const MatrixOperands& o_;
  const int64_t bytes_;
};

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

void MatrixProduct(KernelHost& host, ElementType element, const MatrixOperands& o, const MatrixRows* given) {
  const int64_t bytes = element.bytes();
  if (o.m == 0 || o.n == 0) return;
  if (o.k == 0) {
    for (const MatrixBatch& batch : o.batches)
      for (int64_t i = 0; i < o.m; ++i)
        std::memset(o.c + (batch.c + i * o.c_row) * bytes, 0, size_t(o.n * bytes));
    return;
  }
  const StridedRows strided(o, OperandIsNarrow(o) ? CodecOf(o.operand)->bytes : bytes);
  const MatrixRows& rows = given ? *given : strided;
  if (element.complex) {
    LoopProduct(host, element, o, rows);
  } else if (element.kind == TypeKind::kF32) {
    TypedProduct<float>(host, o, rows);
  } else if (element.kind == TypeKind::kF64) {
    TypedProduct<double>(host, o, rows);
  } else if (element.kind == TypeKind::kI32 || element.kind == TypeKind::kUI32) {
    TypedProduct<uint32_t>(host, o, rows);
  } else if (element.kind == TypeKind::kI64 || element.kind == TypeKind::kUI64) {
    TypedProduct<uint64_t>(host, o, rows);
  } else {
    LoopProduct(host, element, o, rows);
  }
}

}  // namespace shlo
