// convolution and dynamic_conv. Their constraints have the same numbers.
#include "ir/table/trait.h"
#include "ir/verify/conditions.h"
#include "ir/verify/rules/common.h"

namespace shlo {
namespace {

struct ConvDims {
  explicit ConvDims(const OpCheck& c)
      : input_batch(c.Int("input_batch_dimension")),
        input_feature(c.Int("input_feature_dimension")),
        kernel_input(c.Int("kernel_input_feature_dimension")),
        kernel_output(c.Int("kernel_output_feature_dimension")),
        output_batch(c.Int("output_batch_dimension")),
        output_feature(c.Int("output_feature_dimension")),
        input_spatial(c.Ints("input_spatial_dimensions")),
        kernel_spatial(c.Ints("kernel_spatial_dimensions")),
        output_spatial(c.Ints("output_spatial_dimensions")),
        feature_groups(c.Int("feature_group_count")),
        batch_groups(c.Int("batch_group_count")) {}
  int64_t input_batch, input_feature, kernel_input, kernel_output, output_batch, output_feature;
  DimSpan input_spatial, kernel_spatial, output_spatial;
  int64_t feature_groups, batch_groups;
};

Dims Numbers(int64_t first, int64_t second, DimSpan spatial) {
  Dims all;
  all.push_back(first);
  all.push_back(second);
  all.append(spatial);
  return all;
}

// C13, C17 to C20.
bool CheckDimensionNumbers(OpCheck& c, const ConvDims& d, int64_t rank) {
  if (d.input_spatial.size() != d.kernel_spatial.size() || d.input_spatial.size() != d.output_spatial.size())
    return c.Fail(
        d.input_spatial.size() != d.kernel_spatial.size() ? "C17" : "C19",
        "expects the same size for input, kernel and output spatial-dimensions, but got {}, {}, and {} "
        "resp.",
        d.input_spatial.size(), d.kernel_spatial.size(), d.output_spatial.size());
  const Dims input = Numbers(d.input_batch, d.input_feature, d.input_spatial);
  const Dims kernel = Numbers(d.kernel_input, d.kernel_output, d.kernel_spatial);
  const Dims output = Numbers(d.output_batch, d.output_feature, d.output_spatial);
  const auto in_range = [&](std::string_view label, DimSpan dims) {
    for (int64_t dim : dims)
      if (dim < 0 || dim >= rank)
        return c.Fail(label, "expects input, kernel, and output dimension-numbers to be in-range [0, {}).",
                      rank);
    return true;
  };
  if (!in_range("C13", input) || !in_range("C18", kernel) || !in_range("C20", output)) return false;
  const auto unique = [&](std::string_view label, DimSpan dims, std::string_view what) {
    return IsUnique(dims) ||
           c.Fail(label, "expects {} dimension-numbers to be unique, got {{{}}}.", what, c.List(dims));
  };
  return unique("C13", input, "input") && unique("C18", kernel, "kernel") && unique("C20", output, "output");
}

// C10, C11, C14 to C16, C23, C24.
bool CheckGroups(OpCheck& c, const ConvDims& d, const ShapedType& lhs, const ShapedType& rhs) {
  if (d.batch_groups > 1 && d.feature_groups > 1)
    return c.Fail(
        "C23",
        "expects batch_group_count and feature_group_count not to be both greater than 1. Got {} and {} "
        "resp.",
        d.batch_groups, d.feature_groups);
  const int64_t features = lhs.dim(d.input_feature), batch = lhs.dim(d.input_batch);
  const int64_t kernel_features = rhs.dim(d.kernel_input), outputs = rhs.dim(d.kernel_output);
  if (batch != kDynamic && batch % d.batch_groups != 0)
    return c.Fail(
        "C10",
        "expects input batch dimension ({}) to be divisible by batch_group_count. Got batch_group_count = "
        "{}.",
        batch, d.batch_groups);
  if (features != kDynamic) {
    if (features % d.feature_groups != 0)
      return c.Fail("C11",
                    "expects input feature dimension ({}) to be a multiple of feature_group_count. Got "
                    "feature_group_count = {}.",
                    features, d.feature_groups);
    if (kernel_features != kDynamic && features / d.feature_groups != kernel_features)
      return c.Fail(
          "C14",
          "expects input feature dimension ({}) / feature_group_count = kernel input feature dimension "
          "({}). Got feature_group_count = {}.",
          features, kernel_features, d.feature_groups);
  }
  if (outputs != kDynamic) {
    if (outputs % d.batch_groups != 0)
      return c.Fail("C15",
                    "expects output feature dimension size ({}) to be a multiple of batch_group_count. Got "
                    "batch_group_count = {}.",
                    outputs, d.batch_groups);
    if (outputs % d.feature_groups != 0)
      return c.Fail(
          "C16",
          "expects kernel output feature dimension ({}) to be divisible by feature_group_count. For "
          "feature_group_count = {}.",
          outputs, d.feature_groups);
  }
  return CheckPrecisionConfig(c, "C24");
}

// C1, C12, C27 and the above.
bool CheckOperands(OpCheck& c, const ConvDims& d, const ShapedType& lhs, const ShapedType& rhs) {
  if (lhs.rank() < 2)
    return c.Fail("C12", "expects convolution arguments to have >= 2 dimensions. Got: {} and {}.",
                  c.T(lhs.type), c.T(rhs.type));
  if (lhs.rank() != rhs.rank())
    return c.Fail("C1", "expects convolution arguments to have same number of dimensions. Got: {} and {}.",
                  c.T(lhs.type), c.T(rhs.type));
  // Beyond the specification, the reference accepts two different 8-bit float types since 1.20.0.
  const bool mixed_float8 = !Satisfies(c.m, c.op(), Cond::kNoMixedFloat8);
  if (!IsQuantized(c.m, lhs.element) && !IsQuantized(c.m, rhs.element) && lhs.element != rhs.element &&
      !mixed_float8)
    return c.Fail("C27", "expects lhs and rhs to have compatible element type. Got: {} and {}",
                  c.T(lhs.element), c.T(rhs.element));
  if (!CheckDimensionNumbers(c, d, lhs.rank()) || !CheckGroups(c, d, lhs, rhs)) return false;
  if (lhs.rank() != int64_t(d.input_spatial.size()) + 2)
    return c.Fail("C12", "expects convolution arguments to have {} dimensions. Got: {}",
                  d.input_spatial.size() + 2, lhs.rank());
  return true;
}

bool CheckConvWindow(OpCheck& c, const ConvDims& d, const ShapedType& rhs, const IntElements& padding,
                     Window* window) {
  Dims sizes;
  for (int64_t dim : d.kernel_spatial) sizes.push_back(rhs.dim(dim));
  return CheckWindow(c, sizes, {"window_strides", "lhs_dilation", "rhs_dilation", "window_reversal"},
                     {.positive_sizes = "R1",
                      .strides = "C2",
                      .positive_strides = "C3",
                      .base_dilations = "C5",
                      .positive_base_dilations = "C6",
                      .window_dilations = "C7",
                      .positive_window_dilations = "C8",
                      .padding = "C4",
                      .reversal = "C9"},
                     padding, window);
}

// C29, C30 and the constraints shared by products.
bool CheckQuantization(OpCheck& c, const ConvDims& d, TypeId lhs, TypeId rhs, TypeId result) {
  const QuantizedType l(c.m, lhs), r(c.m, rhs), o(c.m, result);
  if (!l.ok && !r.ok && !o.ok) return true;
  if (r.per_axis && r.dimension != d.kernel_output)
    return c.Fail("C29", "quantization dimension of rhs should be same with kernel_output_feature_dimension");
  if (o.per_axis && o.dimension != d.output_feature)
    return c.Fail("C30", "quantization dimension of result should be same with output_feature_dimension");
  return CheckProductQuantization(c, {"C28", "C31", "C32", "C33", "C34"}, lhs, rhs, result);
}

}  // namespace

namespace {

// C25, C26: the windows' positions, the groups' batches, the kernel's features.
Dims ConvolvedShape(const ConvDims& d, const ShapedType& lhs, const ShapedType& rhs, const Window& window) {
  Dims inputs;
  for (int64_t dim : d.input_spatial) inputs.push_back(lhs.dim(dim));
  const Dims spatial = WindowedShape(inputs, window);
  Dims shape(lhs.shape.size(), kDynamic);
  for (size_t i = 0; i < spatial.size(); ++i) shape[size_t(d.output_spatial[i])] = spatial[i];
  const int64_t batch = lhs.dim(d.input_batch);
  shape[size_t(d.output_batch)] = batch == kDynamic ? kDynamic : batch / d.batch_groups;
  shape[size_t(d.output_feature)] = rhs.dim(d.kernel_output);
  return shape;
}

}  // namespace

bool VerifyConvolution(OpCheck& c) {
  const ConvDims d(c);
  const ShapedType lhs = c.In(0), rhs = c.In(1), result = c.Out();
  if (!CheckOperands(c, d, lhs, rhs)) return false;
  IntElements padding;
  Window window;
  if (!CheckPadding(c, "C4", &padding) || !CheckConvWindow(c, d, rhs, padding, &window)) return false;
  const Dims shape = ConvolvedShape(d, lhs, rhs, window);
  if (!CompatibleShapes(shape, result.shape))
    return c.Fail("C25", "inferred shape '{}' is incompatible with return type of operation {}",
                  c.Sizes(shape), c.T(result.type));
  c.InferTensor(shape, {result.element});
  return CheckQuantization(c, d, lhs.element, rhs.element, result.element);
}

bool VerifyDynamicConv(OpCheck& c) {
  const ConvDims d(c);
  const ShapedType lhs = c.In(0), rhs = c.In(1), padding = c.In(2);
  if (!CheckOperands(c, d, lhs, rhs)) return false;
  const int64_t spatial = lhs.rank() - 2;
  if (padding.dim(0) != spatial || padding.dim(1) != 2)
    return c.Fail("C4", "expects padding to be of shape [{}, 2], but got [{}, {}]", spatial, padding.dim(0),
                  padding.dim(1));
  if (const IntElements pairs = c.Constant(2); pairs.ok()) {
    Window window;
    if (!CheckConvWindow(c, d, rhs, pairs, &window)) return false;
    c.InferTensor(ConvolvedShape(d, lhs, rhs, window), {c.out_element()});
  }
  return CheckQuantization(c, d, lhs.element, rhs.element, c.out_element());
}

}  // namespace shlo
