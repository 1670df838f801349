// Specification, "convolution": each output position is the product of a window of the padded lhs and the
// kernel, contracted over spatial dimensions, then input feature. The matrix product packs the windows of a
// few positions at a time, directly from lhs (implicit im2col), and multiplies in the same order.
#include "eval/kernels/convolution.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "eval/kernel/move_elements.h"
#include "eval/kernels/contraction.h"
#include "eval/kernels/kernels.h"

namespace shlo {
namespace {

Result<Convolution> ReadConvolution(const KernelCall& call, const Tensor* d_padding) {
  Convolution c;
  const int64_t rank = call.operand(0).type().rank();
  if (rank < 2 || call.operand(1).type().rank() != rank) return Invalid("ranks of lhs and rhs do not match");
  c.spatial = size_t(rank - 2);
  c.strides = SHLO_TRY(IntsOr(call, "window_strides", c.spatial, 1));
  if (d_padding) {
    c.padding = SHLO_TRY(IndexOf(*d_padding));
    if (c.padding.size() != 2 * c.spatial) return Invalid("padding does not match the spatial dimensions");
  } else {
    c.padding = SHLO_TRY(PairsOr(call, "padding", c.spatial));
  }
  c.lhs_dilation = SHLO_TRY(IntsOr(call, "lhs_dilation", c.spatial, 1));
  c.rhs_dilation = SHLO_TRY(IntsOr(call, "rhs_dilation", c.spatial, 1));
  c.reversal = SHLO_TRY(IntsOr(call, "window_reversal", c.spatial, 0));
  c.input_batch = SHLO_TRY(IntOf(call, "input_batch_dimension"));
  c.input_feature = SHLO_TRY(IntOf(call, "input_feature_dimension"));
  c.input_spatial = SHLO_TRY(IntsOf(call, "input_spatial_dimensions"));
  c.kernel_input = SHLO_TRY(IntOf(call, "kernel_input_feature_dimension"));
  c.kernel_output = SHLO_TRY(IntOf(call, "kernel_output_feature_dimension"));
  c.kernel_spatial = SHLO_TRY(IntsOf(call, "kernel_spatial_dimensions"));
  c.output_batch = SHLO_TRY(IntOf(call, "output_batch_dimension"));
  c.output_feature = SHLO_TRY(IntOf(call, "output_feature_dimension"));
  c.output_spatial = SHLO_TRY(IntsOf(call, "output_spatial_dimensions"));
  c.feature_groups = SHLO_TRY(IntOf(call, "feature_group_count"));
  c.batch_groups = SHLO_TRY(IntOf(call, "batch_group_count"));
  const auto all = [&](int64_t a, int64_t b, const Ints& rest) {
    Ints list = rest;
    list.push_back(a);
    list.push_back(b);
    return list.size() == size_t(rank) ? CheckDimensions("dimension_numbers", list, rank)
                                       : Status(Invalid("dimension_numbers does not match the operand rank"));
  };
  SHLO_TRY(all(c.input_batch, c.input_feature, c.input_spatial));
  SHLO_TRY(all(c.kernel_input, c.kernel_output, c.kernel_spatial));
  SHLO_TRY(all(c.output_batch, c.output_feature, c.output_spatial));
  constexpr int64_t kMost = 1ll << 31;
  for (size_t d = 0; d < c.spatial; ++d)
    if (c.strides[d] < 1 || c.strides[d] > kMost || c.lhs_dilation[d] < 1 || c.lhs_dilation[d] > kMost ||
        c.rhs_dilation[d] < 1 || c.rhs_dilation[d] > kMost || !IsWithin(c.padding[2 * d], kMost) ||
        !IsWithin(c.padding[2 * d + 1], kMost))
      return Invalid("window attribute is out of range");
  if (c.feature_groups < 1 || c.batch_groups < 1 || (c.feature_groups > 1 && c.batch_groups > 1))
    return Invalid("invalid feature_group_count or batch_group_count");
  return c;
}

// The windows of a batch and group as rows of a matrix: at each position of the window, the features there.
class WindowRows final : public MatrixRows {
 public:
  WindowRows(const Convolution& c, const Ints& window, const Ints& positions, const Tensor& lhs,
             const MatrixOperands& operands, int64_t depth)
      : c_(c),
        window_(window),
        positions_(positions),
        shape_(lhs.type().shape),
        strides_(StridesOf(shape_)),
        lhs_(lhs.data()),
        operands_(operands),
        bytes_(lhs.element().bytes()),
        depth_(depth) {
    column_step = strides_[size_t(c.input_feature)];
    run = depth;
    if (c.spatial > 0) {
      // Features of adjacent positions are adjacent, so a row of the window is one segment.
      const size_t last = c.spatial - 1;
      rows_of_window_ = column_step == 1 && c.lhs_dilation[last] == 1 && c.rhs_dilation[last] == 1 &&
                        !c.reversal[last] && strides_[size_t(c.input_spatial[last])] == depth;
      if (rows_of_window_) run *= window[last];
    }
    scratch_bytes = column_step == 1 ? run * bytes_ : 0;
  }
  // Sets the position of the first row.
  void StartAt(int64_t position) { start_ = position; }

  void Locate(int64_t batch, int64_t segment, int64_t first, int64_t count, uint8_t* scratch,
              const uint8_t** at) const override {
    int64_t tap[kMaxSpatial], position[kMaxSpatial];
    const size_t outer = c_.spatial - (rows_of_window_ ? 1 : 0);
    for (size_t d = outer; d-- > 0; segment /= window_[d]) tap[d] = segment % window_[d];
    first += start_;
    for (size_t d = c_.spatial; d-- > 0; first /= positions_[d]) position[d] = first % positions_[d];
    const int64_t base = operands_.batches[size_t(batch)].a;
    for (int64_t r = 0; r < count; ++r) {
      int64_t offset = base;
      bool inside = true;
      for (size_t d = 0; d < outer && inside; ++d) {
        const int64_t index = At(d, position[d], tap[d]);
        inside = index >= 0;
        offset += index * strides_[size_t(c_.input_spatial[d])];
      }
      uint8_t* const own = scratch + r * scratch_bytes;
      if (rows_of_window_) {
        at[r] = RowOfWindow(inside, offset, position[outer], own);
      } else if (inside) {
        at[r] = lhs_ + offset * bytes_;
      } else {
        at[r] = column_step == 1 ? own : nullptr;
        std::memset(own, 0, size_t(scratch_bytes));
      }
      for (size_t d = c_.spatial; d-- > 0;) {
        if (++position[d] < positions_[d]) break;
        position[d] = 0;
      }
    }
  }

  static constexpr size_t kMaxSpatial = 1024;  // the greatest rank of a tensor

 private:
  int64_t At(size_t d, int64_t position, int64_t w) const {
    return c_.At(d, position, w, window_[d], shape_[size_t(c_.input_spatial[d])]);
  }

  // Returns a row of the window: in the operand, or a copy with zeros in `own` if a part is padding.
  const uint8_t* RowOfWindow(bool inside, int64_t offset, int64_t position, uint8_t* own) const {
    const size_t d = c_.spatial - 1;
    const int64_t start = position * c_.strides[d] - c_.padding[2 * d];
    const int64_t low = std::clamp<int64_t>(-start, 0, window_[d]);
    const int64_t high = std::clamp<int64_t>(shape_[size_t(c_.input_spatial[d])] - start, low, window_[d]);
    if (inside && low == 0 && high == window_[d]) return lhs_ + (offset + start * depth_) * bytes_;
    std::memset(own, 0, size_t(run * bytes_));
    if (inside && low < high)
      std::memcpy(own + low * depth_ * bytes_, lhs_ + (offset + (start + low) * depth_) * bytes_,
                  size_t((high - low) * depth_ * bytes_));
    return own;
  }

  const Convolution& c_;
  const Ints& window_;
  const Ints& positions_;
  const std::vector<int64_t>& shape_;
  const Ints strides_;
  const uint8_t* const lhs_;
  const MatrixOperands& operands_;  // offsets of batches and groups
  const int64_t bytes_;
  const int64_t depth_;  // features
  bool rows_of_window_ = false;
  int64_t start_ = 0;
};

// Returns whether the packed windows equal the batch itself: windows of size 1 at every position.
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

// Returns the step between adjacent positions of the result if it is always the same and features are
// adjacent, so that products are computed in place.
std::optional<int64_t> StepOfResult(const Convolution& c, const Ints& positions, const Ints& strides) {
  if (strides[size_t(c.output_feature)] != 1) return std::nullopt;
  if (c.spatial == 0) return 1;
  const auto step = [&](size_t d) { return strides[size_t(c.output_spatial[d])]; };
  for (size_t d = c.spatial - 1; d-- > 0;)
    if (step(d) != step(d + 1) * positions[d + 1]) return std::nullopt;
  return step(c.spatial - 1);
}

// Copies rows of a product to the result, from a position on.
struct ResultPlaces {
  const Convolution& c;
  const Ints& positions;
  const Ints& strides;
  size_t bytes;

  void Scatter(const uint8_t* from, int64_t first, int64_t m, int64_t n, uint8_t* out) const {
    const int64_t feature_step = strides[size_t(c.output_feature)];
    IndexWalk position(positions);
    position.Seek(uint64_t(first));
    for (int64_t i = 0; i < m; ++i, position.Next(), from += size_t(n) * bytes) {
      int64_t place = 0;
      for (size_t d = 0; d < c.spatial; ++d) place += position[d] * strides[size_t(c.output_spatial[d])];
      uint8_t* to = out + uint64_t(place) * bytes;
      if (feature_step == 1) {
        std::memcpy(to, from, size_t(n) * bytes);
      } else if (bytes == sizeof(float)) {  // constant size: inlined
        for (int64_t f = 0; f < n; ++f) std::memcpy(to + f * feature_step * 4, from + f * 4, sizeof(float));
      } else {
        for (int64_t f = 0; f < n; ++f)
          std::memcpy(to + uint64_t(f * feature_step) * bytes, from + size_t(f) * bytes, bytes);
      }
    }
  }
};

Status Convolve(KernelCall& call, const Convolution& c) {
  const DeclaredElement declared = SHLO_TRY(ElementOfResult(call));
  if (!CanContract(declared.element)) return NoMeaning(declared.element);
  ProductTypes types =
      ProductTypesOf(call.host, call.operand(0).element(), call.operand(1).element(), declared.element);
  const ElementType element = types.result;
  const std::vector<int64_t>& kernel_shape = call.operand(1).type().shape;
  const bool depthwise = c.batch_groups == 1 && c.feature_groups > 1 &&
                         c.feature_groups == kernel_shape[size_t(c.kernel_output)] &&
                         kernel_shape[size_t(c.kernel_input)] == 1;
  if (depthwise && types.rounding == TypeKind::kInvalid) types = {element, element};
  const Tensor lhs = SHLO_TRY(DenseAs(call.host, call.operand(0), types.operand));
  const Tensor rhs = SHLO_TRY(DenseAs(call.host, call.operand(1), types.operand));
  const std::vector<int64_t>&ls = lhs.type().shape, &rs = rhs.type().shape;
  const int64_t groups = std::max(c.feature_groups, c.batch_groups);
  const int64_t features = ls[size_t(c.input_feature)], batches = ls[size_t(c.input_batch)];
  const int64_t kernels = rs[size_t(c.kernel_output)], depth = rs[size_t(c.kernel_input)];
  if (kernels % groups != 0 || features % c.feature_groups != 0 || batches % c.batch_groups != 0 ||
      depth != features / c.feature_groups)
    return Error(Code::kEvaluation, "feature or batch dimension does not match the group counts");

  // Sizes of the output.
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
    if (window_size > (1ll << 40)) return Error(Code::kLimit, "window is too large");
  }
  const ValueTypePtr type =
      SHLO_TRY(ResultType(call, 0, shape, DeclaredElement{element, declared.quantization}));
  Tensor result = call.host.Allocate(type, false);
  if (!result) return OutOfMemory();
  const auto finish = [&]() -> Status {
    if (element == declared.element) {
      call.results[0] = std::move(result);
    } else {
      call.results[0] = SHLO_TRY(DenseAs(call.host, result, declared.element));
    }
    return {};
  };
  uint8_t* out = result.mutable_data();
  const size_t bytes = element.bytes();
  if (result.count() == 0 || window_size == 0) {
    std::memset(out, 0, type->bytes);
    return finish();
  }

  // The kernel as a matrix: (window, feature) by output feature.
  Ints order = c.kernel_spatial;
  order.push_back(c.kernel_input);
  order.push_back(c.kernel_output);
  Ints arranged_shape;
  for (int64_t d : order) arranged_shape.push_back(rs[size_t(d)]);
  Tensor kernel = rhs;
  // A window of one element is a matrix in any order.
  const Ints kernel_strides = StridesOf(rs);
  const bool in_place = window_size == depth && !depthwise;
  if (!in_place && !std::is_sorted(order.begin(), order.end())) {
    kernel = SHLO_TRY(Transpose(call.host, rhs, order, MakeTensorType(types.operand, arranged_shape)));
  }
  const Ints lhs_strides = StridesOf(ls), out_strides = StridesOf(shape);
  const int64_t group_batches = batches / c.batch_groups, group_features = features / c.feature_groups;
  int64_t total_positions = 1;
  for (int64_t p : positions) total_positions *= p;

  MatrixOperands o;
  o.fast = call.host.options().fast;
  o.m = total_positions, o.k = int64_t(window_size), o.n = kernels / groups;
  o.a = lhs.data(), o.a_row = o.k;
  o.b = kernel.data(), o.b_row = kernels;
  if (in_place) {
    o.b_row = kernel_strides[size_t(c.kernel_input)];
    o.b_column = kernel_strides[size_t(c.kernel_output)];
  }
  o.operand = types.narrow, o.rounding = types.rounding;
  WindowRows windows(c, window, positions, lhs, o, depth);
  const MatrixRows* rows = groups == 1 && WindowsAreRows(c, window, ls, lhs_strides) ? nullptr : &windows;
  const auto step = StepOfResult(c, positions, out_strides);
  // Otherwise some rows of a product at a time are computed elsewhere and copied.
  constexpr int64_t kProductBytes = 1 << 20;
  const int64_t chunk = std::clamp<int64_t>(kProductBytes / (o.n * int64_t(bytes)), 1, total_positions);
  SHLO_TRY(call.host.CountSteps(uint64_t(
      std::min<__int128>(__int128(total_positions) * group_batches * groups * o.k * o.n / 1024, INT64_MAX))));
  if (depthwise && types.rounding == TypeKind::kInvalid &&
      ConvolveDepthwise(call.host, c, window, positions, lhs, kernel, &result))
    return finish();
  const ValueTypePtr product_type = MakeTensorType(element, std::array<int64_t, 2>{step ? 0 : chunk, o.n});
  Tensor product = call.host.Allocate(product_type, false);
  if (!product) return OutOfMemory();
  o.c = step ? out : product.mutable_data();
  o.c_row = step ? *step : o.n;
  const ResultPlaces places{c, positions, out_strides, bytes};
  constexpr size_t kMostAtOnce = 4096;
  for (int64_t i = 0; i < groups * group_batches; ++i) {
    const int64_t g = i / group_batches, b = i % group_batches;
    MatrixBatch at;
    at.a = ((c.batch_groups > 1 ? g * group_batches : 0) + b) * lhs_strides[size_t(c.input_batch)] +
           (c.feature_groups > 1 ? g * group_features : 0) * lhs_strides[size_t(c.input_feature)];
    at.b = g * o.n * o.b_column;
    const int64_t place =
        b * out_strides[size_t(c.output_batch)] + g * o.n * out_strides[size_t(c.output_feature)];
    if (step) {
      at.c = place;
      o.batches.push_back(at);
      if (o.batches.size() < kMostAtOnce && i + 1 < groups * group_batches) continue;
      MatrixProduct(call.host, element, o, rows);
      o.batches.clear();
      continue;
    }
    o.batches.assign(1, at);
    for (int64_t first = 0; first < total_positions; first += chunk) {
      o.m = std::min(chunk, total_positions - first);
      if (!rows) o.batches[0].a = at.a + first * o.a_row;
      windows.StartAt(first);
      MatrixProduct(call.host, element, o, rows);
      places.Scatter(product.data(), first, o.m, o.n, out + uint64_t(place) * bytes);
    }
  }
  return finish();
}

}  // namespace

Status EvaluateConvolution(KernelCall& call) {
  SHLO_TRY(CheckArity(call, 2));
  const Convolution c = SHLO_TRY(ReadConvolution(call, nullptr));
  return Convolve(call, c);
}

// Specification, "dynamic_conv": the padding is an operand.
Status EvaluateDynamicConv(KernelCall& call) {
  SHLO_TRY(CheckArity(call, 3));
  const Convolution c = SHLO_TRY(ReadConvolution(call, &call.operand(2)));
  return Convolve(call, c);
}

// Versions 37 to 51: the op also has a padding attribute, which the operand overrides.
Status EvaluateDynamicConvV37(KernelCall& call) { return EvaluateDynamicConv(call); }

}  // namespace shlo
