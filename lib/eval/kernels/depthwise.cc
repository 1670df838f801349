// Depthwise convolutions. A matrix product of one column per group would compute one useful number in a
// vector. Each result accumulates its products in the order of the window, like in the product.
#include <algorithm>
#include <vector>

#include "eval/kernel/move_elements.h"
#include "eval/kernels/convolution.h"
#include "eval/matrix/tile.h"
#include "eval/tensor/memory.h"

namespace shlo {
namespace {

constexpr int64_t kMostTaps = 1024;  // elements of a window
constexpr size_t kMostSpatial = 16;  // dimensions

int64_t Product(std::span<const int64_t> shape) {
  int64_t n = 1;
  for (int64_t extent : shape) n *= extent;
  return n;
}

template <typename T>
struct Depthwise {
  const Convolution& c;
  const Ints& window;
  const Ints& positions;
  const std::vector<int64_t>& shape;
  const Ints strides, out_strides;
  const T* lhs;
  const T* kernel;
  T* out;
  int64_t features, taps;
  WindowTile<T> tile;
  size_t last = c.spatial - 1;
  int64_t row_taps = window[last];

  int64_t Extent(size_t d) const { return shape[size_t(c.input_spatial[d])]; }
  int64_t Step(size_t d) const { return strides[size_t(c.input_spatial[d])]; }

  // The rows of results: all dimensions but features and the last spatial one.
  int64_t rows() const { return shape[size_t(c.input_batch)] * Product(std::span(positions).first(last)); }
  // Sets the operand's offset of each row of the window, or -1 if it is padding. Returns the result's offset.
  int64_t LocateRow(int64_t row, int64_t* offsets) const {
    int64_t index[kMostSpatial], to = 0, rest = row;
    for (size_t d = last; d-- > 0; rest /= positions[d]) {
      index[d] = rest % positions[d];
      to += index[d] * out_strides[size_t(c.output_spatial[d])];
    }
    to += rest * out_strides[size_t(c.output_batch)];
    for (int64_t t = 0; t < taps / row_taps; ++t) {
      int64_t offset = rest * strides[size_t(c.input_batch)], tap = t;
      bool inside = true;
      for (size_t d = last; d-- > 0; tap /= window[d]) {
        const int64_t at = c.At(d, index[d], tap % window[d], window[d], Extent(d));
        inside = inside && at >= 0;
        offset += at * Step(d);
      }
      offsets[t] = inside ? offset : -1;
    }
    return to;
  }

  // Vectors of features, which are adjacent.
  void RunRowsOfFeatures(int64_t begin, int64_t end, TensorArena& arena) const {
    const Scratch<T> zeros = MakeScratch<T>(arena, features);
    std::fill_n(zeros.get(), features, T(0));
    int64_t offsets[kMostTaps];
    const T* at[kMostTaps];
    for (int64_t row = begin; row < end; ++row) {
      int64_t to = LocateRow(row, offsets);
      for (int64_t position = 0; position < positions[last]; ++position) {
        for (int64_t w = 0; w < row_taps; ++w) {
          const int64_t inner = c.At(last, position, w, row_taps, Extent(last));
          for (int64_t t = 0; t < taps / row_taps; ++t)
            at[t * row_taps + w] =
                inner < 0 || offsets[t] < 0 ? zeros.get() : lhs + offsets[t] + inner * Step(last);
        }
        tile.by_lane(at, kernel, features, taps, features, out + to);
        to += out_strides[size_t(c.output_spatial[last])];
      }
    }
  }

  // Vectors of positions, which are adjacent. `begin` and `end` count rows of each feature.
  void RunRowsOfPositions(int64_t begin, int64_t end, TensorArena& arena) const {
    const int64_t n = positions[last];
    const Scratch<T> scratch = MakeScratch<T>(arena, n * taps);
    int64_t offsets[kMostTaps];
    const T* at[kMostTaps];
    T factors[kMostTaps];
    for (int64_t i = begin; i < end; ++i) {
      const int64_t feature = i % features;
      const int64_t to = LocateRow(i / features, offsets) + feature * out_strides[size_t(c.output_feature)];
      for (int64_t t = 0; t < taps; ++t) {
        factors[t] = kernel[t * features + feature];
        const int64_t offset = offsets[t / row_taps];
        const T* const from = lhs + offset + feature * strides[size_t(c.input_feature)];
        T* const own = scratch.get() + t * n;
        at[t] = own;
        // Position i is element i * stride + start.
        const int64_t w = c.reversal[last] ? row_taps - 1 - t % row_taps : t % row_taps;
        const int64_t start = w * c.rhs_dilation[last] - c.padding[2 * last], stride = c.strides[last];
        const int64_t low = std::clamp<int64_t>((stride - 1 - start) / stride, 0, n);
        const int64_t high = std::clamp<int64_t>((Extent(last) - start + stride - 1) / stride, low, n);
        if (offset < 0 || start + (n - 1) * stride < 0 || start >= Extent(last)) {
          std::fill_n(own, n, T(0));
        } else if (stride == 1 && start >= 0 && start + n <= Extent(last)) {
          at[t] = from + start;
        } else {
          std::fill_n(own, low, T(0));
          for (int64_t p = low; p < high; ++p) own[p] = from[start + p * stride];
          std::fill_n(own + high, n - high, T(0));
        }
      }
      tile.by_tap(at, factors, 1, taps, n, out + to);
    }
  }
};

template <typename T>
const WindowTile<T>& WindowTileOf() {
  if constexpr (std::is_same_v<T, float>) return BestTiles().window_f32;
  if constexpr (std::is_same_v<T, double>) return BestTiles().window_f64;
}

// Returns the tensor, or a copy whose elements are aligned.
Tensor Aligned(KernelHost& host, const Tensor& tensor) {
  if (reinterpret_cast<uintptr_t>(tensor.data()) % tensor.element().bytes() == 0) return tensor;
  Tensor copy = host.Allocate(tensor.type_ptr(), false);
  if (copy) std::memcpy(copy.mutable_data(), tensor.data(), tensor.type().bytes);
  return copy;
}

template <typename T>
bool Run(KernelHost& host, const Convolution& c, const Ints& window, const Ints& positions,
         const Tensor& lhs_in, const Tensor& kernel_in, Tensor* result) {
  const Tensor lhs = Aligned(host, lhs_in), kernel = Aligned(host, kernel_in);
  if (!lhs || !kernel) return false;
  const Depthwise<T> work{c,
                          window,
                          positions,
                          lhs.type().shape,
                          StridesOf(lhs.type().shape),
                          StridesOf(result->type().shape),
                          reinterpret_cast<const T*>(lhs.data()),
                          reinterpret_cast<const T*>(kernel.data()),
                          reinterpret_cast<T*>(result->mutable_data()),
                          lhs.type().shape[size_t(c.input_feature)],
                          Product(window),
                          WindowTileOf<T>()};
  const size_t last = c.spatial - 1;
  const bool by_feature =
      work.strides[size_t(c.input_feature)] == 1 && work.out_strides[size_t(c.output_feature)] == 1;
  const bool by_position = work.strides[size_t(c.input_spatial[last])] == 1 &&
                           work.out_strides[size_t(c.output_spatial[last])] == 1 && c.lhs_dilation[last] == 1;
  if (!by_feature && !by_position) return false;
  constexpr double kNanoseconds = 0.1;  // per product, approximately
  const double row = double(work.taps * positions[last]) * kNanoseconds;
  if (by_feature)
    host.Split(uint64_t(work.rows()), row * double(work.features), [&](uint64_t begin, uint64_t end) {
      work.RunRowsOfFeatures(int64_t(begin), int64_t(end), host.arena());
    });
  else
    host.Split(uint64_t(work.rows() * work.features), row, [&](uint64_t begin, uint64_t end) {
      work.RunRowsOfPositions(int64_t(begin), int64_t(end), host.arena());
    });
  return true;
}

}  // namespace

bool ConvolveDepthwise(KernelHost& host, const Convolution& c, const Ints& window, const Ints& positions,
                       const Tensor& lhs, const Tensor& kernel, Tensor* result) {
  if (c.spatial == 0 || c.spatial > kMostSpatial || Product(window) > kMostTaps) return false;
  if (lhs.element().complex) return false;
  if (lhs.element().kind == TypeKind::kF32)
    return Run<float>(host, c, window, positions, lhs, kernel, result);
  if (lhs.element().kind == TypeKind::kF64)
    return Run<double>(host, c, window, positions, lhs, kernel, result);
  return false;
}

}  // namespace shlo
