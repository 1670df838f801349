// Specification, "convolution": each output position is the product of the window of the padded lhs and the
// kernel, with the contraction in the order spatial dimensions, then input feature. Windows become rows of a
// matrix, some at a time, and the product of matrices does the rest, in the same order.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "eval/contraction.h"
#include "eval/kernels.h"
#include "eval/movement.h"

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
  SHLO_ASSIGN(const Tensor kernel, Transpose(call.host, rhs, order, MakeTensorType(element, arranged_shape)));
  const TensorTypePtr group_type = MakeTensorType(element, std::array<int64_t, 2>{k, n});
  const Ints lhs_strides = StridesOf(ls), out_strides = StridesOf(shape);
  const int64_t group_batches = batches / c.batch_groups, group_features = features / c.feature_groups;
  constexpr int64_t kRowBytes = 1 << 20;
  const int64_t chunk = std::max<int64_t>(1, kRowBytes / (k * int64_t(bytes)));
  const TensorTypePtr rows_type = MakeTensorType(element, std::array<int64_t, 2>{chunk, k});
  const TensorTypePtr product_type = MakeTensorType(element, std::array<int64_t, 2>{chunk, n});
  if (!group_type || !rows_type || !product_type) return OutOfMemory();
  Tensor group_kernel = call.host.Allocate(group_type, false), rows = call.host.Allocate(rows_type, false),
         product = call.host.Allocate(product_type, false);
  if (!group_kernel || !rows || !product) return OutOfMemory();
  int64_t total_positions = 1;
  for (int64_t p : positions) total_positions *= p;
  SHLO_TRY(call.host.CountSteps(uint64_t(
      std::min<__int128>(__int128(total_positions) * group_batches * groups * k * n / 1024, INT64_MAX))));

  for (int64_t g = 0; g < groups; ++g) {
    for (int64_t i = 0; i < k; ++i)
      std::memcpy(group_kernel.mutable_data() + uint64_t(i * n) * bytes,
                  kernel.data() + uint64_t(i * kernels + g * n) * bytes, size_t(n) * bytes);
    const int64_t first_batch = c.batch_groups > 1 ? g * group_batches : 0;
    const int64_t first_feature = c.feature_groups > 1 ? g * group_features : 0;
    for (int64_t b = 0; b < group_batches; ++b) {
      const int64_t base = (first_batch + b) * lhs_strides[size_t(c.input_batch)] +
                           first_feature * lhs_strides[size_t(c.input_feature)];
      const int64_t feature_step = lhs_strides[size_t(c.input_feature)];
      IndexWalk position(positions);
      std::vector<int64_t> places;  // of the rows in the result
      const auto flush = [&] {
        const int64_t m = int64_t(places.size());
        std::memset(product.mutable_data(), 0, size_t(m * n) * bytes);
        MatrixProduct(element, rows.data(), group_kernel.data(), product.mutable_data(), 1, m, k, n);
        const int64_t step = out_strides[size_t(c.output_feature)];
        for (int64_t i = 0; i < m; ++i) {
          const int64_t to = places[size_t(i)] + b * out_strides[size_t(c.output_batch)] + g * n * step;
          const int64_t extent[1] = {n}, from_step[1] = {1}, to_step[1] = {step};
          CopyStrided(extent, product.data() + uint64_t(i * n) * bytes, from_step, out + uint64_t(to) * bytes,
                      to_step, bytes);
        }
        places.clear();
      };
      for (; !position.done(); position.Next()) {
        uint8_t* row = rows.mutable_data() + places.size() * size_t(k) * bytes;
        int64_t place = 0;
        for (size_t d = 0; d < c.spatial; ++d)
          place += position[d] * out_strides[size_t(c.output_spatial[d])];
        for (IndexWalk w(window); !w.done(); w.Next(), row += size_t(depth) * bytes) {
          int64_t at = base;
          bool inside = true;
          for (size_t d = 0; inside && d < c.spatial; ++d) {
            const int64_t tap = c.reversal[d] ? window[d] - 1 - w[d] : w[d];
            const int64_t p = position[d] * c.strides[d] + tap * c.rhs_dilation[d] - c.padding[2 * d];
            inside = p >= 0 && p % c.lhs_dilation[d] == 0 &&
                     p / c.lhs_dilation[d] < ls[size_t(c.input_spatial[d])];
            at += p / c.lhs_dilation[d] * lhs_strides[size_t(c.input_spatial[d])];
          }
          if (!inside) {
            std::memset(row, 0, size_t(depth) * bytes);
          } else if (feature_step == 1) {
            std::memcpy(row, lhs.data() + uint64_t(at) * bytes, size_t(depth) * bytes);
          } else {
            for (int64_t f = 0; f < depth; ++f)
              std::memcpy(row + size_t(f) * bytes, lhs.data() + uint64_t(at + f * feature_step) * bytes,
                          bytes);
          }
        }
        places.push_back(place);
        if (int64_t(places.size()) == chunk) flush();
      }
      if (!places.empty()) flush();
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
