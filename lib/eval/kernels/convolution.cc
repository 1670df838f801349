// Specification, "convolution": each output position is the product of the window of the padded lhs and the
// kernel, with the contraction in the order spatial dimensions, then input feature. Windows become rows of a
// matrix, some at a time, and the product of matrices does the rest, in the same order.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "eval/kernels/contraction.h"
#include "eval/kernels/kernels.h"
#include "eval/kernels/move_elements.h"

namespace shlo {
namespace {

struct Convolution {
  size_t spatial = 0;
  Ints strides, padding, lhs_dilation, rhs_dilation, reversal;
  int64_t input_batch = 0, input_feature = 0, kernel_input = 0, kernel_output = 0, output_batch = 0,
          output_feature = 0;
  Ints input_spatial, kernel_spatial, output_spatial;
  int64_t feature_groups = 1, batch_groups = 1;
};

Result<Convolution> ReadConvolution(const KernelCall& call, const Tensor* d_padding) {
  Convolution c;
  const int64_t rank = call.operand(0).type().rank();
  if (rank < 2 || call.operand(1).type().rank() != rank) return Invalid("lhs and rhs do not fit each other");
  c.spatial = size_t(rank - 2);
  SHLO_ASSIGN(c.strides, IntsOr(call, "window_strides", c.spatial, 1));
  if (d_padding) {
    SHLO_ASSIGN(c.padding, IndexOf(*d_padding));
    if (c.padding.size() != 2 * c.spatial) return Invalid("the padding does not fit the operands");
  } else {
    SHLO_ASSIGN(c.padding, PairsOr(call, "padding", c.spatial));
  }
  SHLO_ASSIGN(c.lhs_dilation, IntsOr(call, "lhs_dilation", c.spatial, 1));
  SHLO_ASSIGN(c.rhs_dilation, IntsOr(call, "rhs_dilation", c.spatial, 1));
  SHLO_ASSIGN(c.reversal, IntsOr(call, "window_reversal", c.spatial, 0));
  SHLO_ASSIGN(c.input_batch, IntOf(call, "input_batch_dimension"));
  SHLO_ASSIGN(c.input_feature, IntOf(call, "input_feature_dimension"));
  SHLO_ASSIGN(c.input_spatial, IntsOf(call, "input_spatial_dimensions"));
  SHLO_ASSIGN(c.kernel_input, IntOf(call, "kernel_input_feature_dimension"));
  SHLO_ASSIGN(c.kernel_output, IntOf(call, "kernel_output_feature_dimension"));
  SHLO_ASSIGN(c.kernel_spatial, IntsOf(call, "kernel_spatial_dimensions"));
  SHLO_ASSIGN(c.output_batch, IntOf(call, "output_batch_dimension"));
  SHLO_ASSIGN(c.output_feature, IntOf(call, "output_feature_dimension"));
  SHLO_ASSIGN(c.output_spatial, IntsOf(call, "output_spatial_dimensions"));
  SHLO_ASSIGN(c.feature_groups, IntOf(call, "feature_group_count"));
  SHLO_ASSIGN(c.batch_groups, IntOf(call, "batch_group_count"));
  const auto all = [&](int64_t a, int64_t b, const Ints& rest) {
    Ints list = rest;
    list.push_back(a);
    list.push_back(b);
    return list.size() == size_t(rank) ? CheckDimensions("dimension_numbers", list, rank)
                                       : Status(Invalid("dimension_numbers does not fit the operands"));
  };
  SHLO_TRY(all(c.input_batch, c.input_feature, c.input_spatial));
  SHLO_TRY(all(c.kernel_input, c.kernel_output, c.kernel_spatial));
  SHLO_TRY(all(c.output_batch, c.output_feature, c.output_spatial));
  constexpr int64_t kMost = 1ll << 31;
  for (size_t d = 0; d < c.spatial; ++d)
    if (c.strides[d] < 1 || c.strides[d] > kMost || c.lhs_dilation[d] < 1 || c.lhs_dilation[d] > kMost ||
        c.rhs_dilation[d] < 1 || c.rhs_dilation[d] > kMost || std::abs(c.padding[2 * d]) > kMost ||
        std::abs(c.padding[2 * d + 1]) > kMost)
      return Invalid("the window is out of range");
  if (c.feature_groups < 1 || c.batch_groups < 1 || (c.feature_groups > 1 && c.batch_groups > 1))
    return Invalid("the group counts do not fit each other");
  return c;
}

// The windows of a batch and group as rows of a matrix.
struct WindowRows {
  const Convolution& c;
  const Ints& window;
  const Ints& positions;
  const std::vector<int64_t>& shape;
  const Ints& strides;
  const uint8_t* lhs;
  int64_t base;   // where the batch and the first feature of the group lie
  int64_t depth;  // features
  int64_t k;      // elements of a row
  size_t bytes;

  // The index in a spatial dimension of the operand; -1 in the padding and between dilated elements.
  int64_t At(size_t d, int64_t position, int64_t w) const {
    const int64_t tap = c.reversal[d] ? window[d] - 1 - w : w;
    const int64_t p = position * c.strides[d] + tap * c.rhs_dilation[d] - c.padding[2 * d];
    int64_t at = p;
    if (c.lhs_dilation[d] != 1) {  // divisions are slow
      if (p % c.lhs_dilation[d] != 0) return -1;
      at = p / c.lhs_dilation[d];
    }
    return p >= 0 && at < shape[size_t(c.input_spatial[d])] ? at : -1;
  }

  // The features at one place of the operand.
  void Copy(const uint8_t* from, uint8_t* to, int64_t feature_step) const {
    constexpr size_t kLine = 64;
    if (feature_step == 1 && size_t(depth) * bytes == kLine) {
      std::memcpy(to, from, kLine);  // of known size: no call
    } else if (feature_step == 1) {
      std::memcpy(to, from, size_t(depth) * bytes);
    } else if (bytes == sizeof(float)) {
      for (int64_t f = 0; f < depth; ++f) std::memcpy(to + f * 4, from + f * feature_step * 4, sizeof(float));
    } else {
      for (int64_t f = 0; f < depth; ++f)
        std::memcpy(to + size_t(f) * bytes, from + uint64_t(f * feature_step) * bytes, bytes);
    }
  }

  // Rows of the positions [begin, end), counted row-major. Those that differ in the last dimension only go
  // together: for each element of the window the others are looked up once.
  void Fill(int64_t begin, int64_t end, uint8_t* out) const {
    const size_t row = size_t(k) * bytes, run = size_t(depth) * bytes;
    const int64_t feature_step = strides[size_t(c.input_feature)];
    const size_t outer = c.spatial ? c.spatial - 1 : 0;
    const int64_t last = c.spatial ? positions[outer] : 1;
    const int64_t last_step = c.spatial ? strides[size_t(c.input_spatial[outer])] : 0;
    const std::span<const int64_t> outer_positions = std::span(positions).first(outer);
    IndexWalk position(outer_positions);
    if (begin < end) position.Seek(uint64_t(begin / last));
    for (; begin < end; position.Next()) {
      const int64_t x = begin % last, count = std::min(last - x, end - begin);
      uint8_t* to = out;
      for (IndexWalk w(window); !w.done(); w.Next(), to += run) {
        int64_t at = base;
        bool inside = true;
        for (size_t d = 0; inside && d < outer; ++d) {
          const int64_t index = At(d, position[d], w[d]);
          inside = index >= 0;
          at += index * strides[size_t(c.input_spatial[d])];
        }
        uint8_t* cell = to;
        if (inside && c.spatial && c.lhs_dilation[outer] == 1) {
          // Inside are those from the first to the last; the index grows by the stride.
          const int64_t tap = c.reversal[outer] ? window[outer] - 1 - w[outer] : w[outer];
          const int64_t offset = tap * c.rhs_dilation[outer] - c.padding[2 * outer];
          const int64_t stride = c.strides[outer], extent = shape[size_t(c.input_spatial[outer])];
          const int64_t low = offset >= 0 ? 0 : (-offset + stride - 1) / stride;
          const int64_t high = offset >= extent ? 0 : (extent - offset + stride - 1) / stride;
          const int64_t first = std::clamp(low - x, int64_t(0), count);
          const int64_t end_inside = std::clamp(high - x, first, count);
          for (int64_t i = 0; i < first; ++i, cell += row) std::memset(cell, 0, run);
          for (int64_t i = first; i < end_inside; ++i, cell += row)
            Copy(lhs + uint64_t(at + ((x + i) * stride + offset) * last_step) * bytes, cell, feature_step);
          for (int64_t i = end_inside; i < count; ++i, cell += row) std::memset(cell, 0, run);
          continue;
        }
        for (int64_t i = 0; i < count; ++i, cell += row) {
          const int64_t index = !inside ? -1 : c.spatial ? At(outer, x + i, w[outer]) : 0;
          if (index < 0)
            std::memset(cell, 0, run);
          else
            Copy(lhs + uint64_t(at + index * last_step) * bytes, cell, feature_step);
        }
      }
      out += size_t(count) * row;
      begin += count;
    }
  }
};

// Whether the windows of a batch, in order, are the batch as it lies: a window is one position, each is
// taken.
bool WindowsAreRows(const Convolution& c, const Ints& window, std::span<const int64_t> shape,
                    const Ints& strides) {
  int64_t step = shape[size_t(c.input_feature)];
  bool rows = strides[size_t(c.input_feature)] == 1;
  for (size_t d = c.spatial; rows && d-- > 0;) {
    const size_t at = size_t(c.input_spatial[d]);
    rows = window[d] == 1 && c.strides[d] == 1 && c.lhs_dilation[d] == 1 && c.padding[2 * d] == 0 &&
           c.padding[2 * d + 1] == 0 && strides[at] == step;
    step *= shape[at];
  }
  return rows;
}

Status Convolve(KernelCall& call, const Convolution& c) {
  SHLO_ASSIGN(const DeclaredElement declared, ElementOfResult(call));
  const ElementType element = declared.element;
  if (!CanContract(element)) return NoMeaning(element);
  SHLO_ASSIGN(const Tensor lhs, DenseAs(call.host, call.operand(0), element));
  SHLO_ASSIGN(const Tensor rhs, DenseAs(call.host, call.operand(1), element));
  const std::vector<int64_t>&ls = lhs.type().shape, &rs = rhs.type().shape;
  const int64_t groups = std::max(c.feature_groups, c.batch_groups);
  const int64_t features = ls[size_t(c.input_feature)], batches = ls[size_t(c.input_batch)];
  const int64_t kernels = rs[size_t(c.kernel_output)], depth = rs[size_t(c.kernel_input)];
  if (kernels % groups != 0 || features % c.feature_groups != 0 || batches % c.batch_groups != 0 ||
      depth != features / c.feature_groups)
    return Error(Code::kEvaluation, "features and batches do not fit the groups");

  // Extents of the output.
  const size_t rank = ls.size();
  Ints shape(rank), positions(c.spatial), window(c.spatial);
  shape[size_t(c.output_batch)] = batches / c.batch_groups;
  shape[size_t(c.output_feature)] = kernels;
  __int128 window_size = depth;
  for (size_t d = 0; d < c.spatial; ++d) {
    const int64_t extent = ls[size_t(c.input_spatial[d])];
    window[d] = rs[size_t(c.kernel_spatial[d])];
    const int64_t dilated = extent == 0 ? 0 : (extent - 1) * c.lhs_dilation[d] + 1;
    const int64_t padded = c.padding[2 * d] + dilated + c.padding[2 * d + 1];
    const int64_t reach = window[d] == 0 ? 0 : (window[d] - 1) * c.rhs_dilation[d] + 1;
    positions[d] = padded <= 0 || reach > padded ? 0 : (padded - reach) / c.strides[d] + 1;
    shape[size_t(c.output_spatial[d])] = positions[d];
    window_size *= window[d];
    if (window_size > (1ll << 40)) return Error(Code::kLimit, "the window is too large");
  }
  SHLO_TRY(AllocateResult(call, 0, shape, DeclaredElement{element, declared.quantization}));
  uint8_t* out = call.results[0].mutable_data();
  const size_t bytes = element.bytes();
  std::memset(out, 0, call.results[0].type().bytes);
  if (call.results[0].count() == 0 || window_size == 0) return {};
  const int64_t k = int64_t(window_size), n = kernels / groups;

  // The kernel as a matrix: window and feature by output feature.
  Ints order = c.kernel_spatial;
  order.push_back(c.kernel_input);
  order.push_back(c.kernel_output);
  Ints arranged_shape;
  for (int64_t d : order) arranged_shape.push_back(rs[size_t(d)]);
  Tensor kernel = rhs;
  if (!std::is_sorted(order.begin(), order.end())) {
    SHLO_ASSIGN(kernel, Transpose(call.host, rhs, order, MakeTensorType(element, arranged_shape)));
  }
  const ValueTypePtr group_type = MakeTensorType(element, std::array<int64_t, 2>{groups == 1 ? 0 : k, n});
  const Ints lhs_strides = StridesOf(ls), out_strides = StridesOf(shape);
  const int64_t group_batches = batches / c.batch_groups, group_features = features / c.feature_groups;
  int64_t total_positions = 1;
  for (int64_t p : positions) total_positions *= p;
  // Where the result lies as the product does, it is computed in its place.
  bool in_place = groups == 1 && out_strides[size_t(c.output_feature)] == 1;
  for (size_t d = c.spatial; in_place && d-- > 0;)
    in_place = out_strides[size_t(c.output_spatial[d])] ==
               (d + 1 == c.spatial ? n : out_strides[size_t(c.output_spatial[d + 1])] * positions[d + 1]);
  const bool rows_in_place = groups == 1 && WindowsAreRows(c, window, ls, lhs_strides);
  constexpr int64_t kRowBytes = 1 << 22;
  const int64_t chunk = rows_in_place
                            ? total_positions
                            : std::clamp<int64_t>(kRowBytes / (k * int64_t(bytes)), 1, total_positions);
  const ValueTypePtr rows_type =
      MakeTensorType(element, std::array<int64_t, 2>{rows_in_place ? 0 : chunk, k});
  const ValueTypePtr product_type = MakeTensorType(element, std::array<int64_t, 2>{in_place ? 0 : chunk, n});
  if (!group_type || !rows_type || !product_type) return OutOfMemory();
  Tensor group_kernel = call.host.Allocate(group_type, false), rows = call.host.Allocate(rows_type, false),
         product = call.host.Allocate(product_type, false);
  if (!group_kernel || !rows || !product) return OutOfMemory();
  SHLO_TRY(call.host.CountSteps(uint64_t(
      std::min<__int128>(__int128(total_positions) * group_batches * groups * k * n / 1024, INT64_MAX))));

  for (int64_t g = 0; g < groups; ++g) {
    for (int64_t i = 0; groups > 1 && i < k; ++i)
      std::memcpy(group_kernel.mutable_data() + uint64_t(i * n) * bytes,
                  kernel.data() + uint64_t(i * kernels + g * n) * bytes, size_t(n) * bytes);
    const int64_t first_batch = c.batch_groups > 1 ? g * group_batches : 0;
    const int64_t first_feature = c.feature_groups > 1 ? g * group_features : 0;
    for (int64_t b = 0; b < group_batches; ++b) {
      const int64_t base = (first_batch + b) * lhs_strides[size_t(c.input_batch)] +
                           first_feature * lhs_strides[size_t(c.input_feature)];
      const WindowRows source{c, window, positions, ls, lhs_strides, lhs.data(), base, depth, k, bytes};
      for (int64_t first = 0; first < total_positions; first += chunk) {
        const int64_t m = std::min(chunk, total_positions - first);
        if (!rows_in_place)
          call.host.Split(uint64_t(m), double(k) * 0.5, [&](uint64_t begin, uint64_t end) {
            source.Fill(first + int64_t(begin), first + int64_t(end),
                        rows.mutable_data() + begin * size_t(k) * bytes);
          });
        const uint8_t* from_rows = rows_in_place ? lhs.data() + uint64_t(base) * bytes : rows.data();
        const int64_t to_batch = b * out_strides[size_t(c.output_batch)];
        const int64_t feature_step = out_strides[size_t(c.output_feature)];
        uint8_t* to = in_place ? out + uint64_t(to_batch + first * n) * bytes : product.mutable_data();
        if (!in_place) std::memset(to, 0, size_t(m * n) * bytes);
        MatrixProduct(call.host, element, from_rows, (groups == 1 ? kernel : group_kernel).data(), to, 1, m,
                      k, n);
        if (in_place) continue;
        IndexWalk position(positions);
        position.Seek(uint64_t(first));
        for (int64_t i = 0; i < m; ++i, position.Next()) {
          int64_t place = to_batch + g * n * feature_step;
          for (size_t d = 0; d < c.spatial; ++d)
            place += position[d] * out_strides[size_t(c.output_spatial[d])];
          const uint8_t* from = product.data() + uint64_t(i * n) * bytes;
          uint8_t* element_out = out + uint64_t(place) * bytes;
          if (feature_step == 1) {
            std::memcpy(element_out, from, size_t(n) * bytes);
          } else if (bytes == sizeof(float)) {
            for (int64_t f = 0; f < n; ++f)
              std::memcpy(element_out + f * feature_step * int64_t(bytes), from + f * int64_t(bytes),
                          sizeof(float));
          } else {
            for (int64_t f = 0; f < n; ++f)
              std::memcpy(element_out + f * feature_step * int64_t(bytes), from + f * int64_t(bytes), bytes);
          }
        }
      }
    }
  }
  return {};
}

}  // namespace

Status EvaluateConvolution(KernelCall& call) {
  SHLO_TRY(CheckArity(call, 2));
  SHLO_ASSIGN(const Convolution c, ReadConvolution(call, nullptr));
  return Convolve(call, c);
}

// Specification, "dynamic_conv": the padding is an operand.
Status EvaluateDynamicConv(KernelCall& call) {
  SHLO_TRY(CheckArity(call, 3));
  SHLO_ASSIGN(const Convolution c, ReadConvolution(call, &call.operand(2)));
  return Convolve(call, c);
}

// Versions 37 to 51: there is also an attribute of padding, which the operand overrides.
Status EvaluateDynamicConvV37(KernelCall& call) { return EvaluateDynamicConv(call); }

}  // namespace shlo
