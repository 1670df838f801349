// Reductions, windows, and sorting.
#include "ir/verify/rules/common.h"

namespace shlo {
namespace {

// The first `n` operands are inputs, the next `n` their init values.
void CollectReducer(const OpCheck& c, size_t n, std::vector<ReducerType>* inputs,
                    std::vector<ReducerType>* init_values) {
  for (size_t i = 0; i < n; ++i) {
    inputs->push_back({c.In(i).shape, c.in_element(i), c.in(i)});
    init_values->push_back({c.In(n + i).shape, c.in_element(n + i), c.in(n + i)});
  }
}

bool CheckInputShapes(OpCheck& c, std::string_view label, size_t n) {
  for (size_t i = 1; i < n; ++i)
    if (!CompatibleShapes(c.In(0).shape, c.In(i).shape))
      return c.Fail(label,
                    "expects all inputs to have compatible shapes. Shape at input-index {} is not compatible "
                    "with shape at input-index 0",
                    i);
  return true;
}

// C1, C4, C5 of reduce, and the dimensions and bounds that are left.
bool ReduceShape(OpCheck& c, size_t n, Dims* shape, Dims* bounds) {
  const ShapedType first = c.In(0);
  if (!CheckInputShapes(c, "C1", n)) return false;
  const DimSpan dimensions = c.Ints("dimensions");
  for (size_t i = 0; i < dimensions.size(); ++i) {
    if (dimensions[i] < 0 || dimensions[i] >= first.rank())
      return c.Fail("C4", "Out-of-bounds dimension {}, expected to be in range [0, {})", dimensions[i],
                    first.rank());
    if (Contains(dimensions.first(i), dimensions[i]))
      return c.Fail("C5", "Duplicate reduction dimension: {}", dimensions[i]);
  }
  for (int64_t d = 0; d < first.rank(); ++d) {
    if (Contains(dimensions, d)) continue;
    shape->push_back(first.dim(d));
    if (!first.bounds.empty()) bounds->push_back(first.bound(d));
  }
  return true;
}

}  // namespace

bool VerifyReduce(OpCheck& c) {
  const size_t n = c.num_operands() / 2;
  if (n == 0) {
    c.Beyond("C3", "has no inputs");
    return true;
  }
  Dims shape, bounds;
  if (!ReduceShape(c, n, &shape, &bounds)) return false;
  std::vector<ReducerType> inputs, init_values;
  CollectReducer(c, n, &inputs, &init_values);
  return CheckReducer(c, {"C6", "C2"}, 0, inputs, init_values, shape);
}

// C3, C7, C8.
bool InferReduce(OpCheck& c) {
  const size_t n = c.num_operands() / 2;
  if (n == 0) return true;
  Dims shape, bounds;
  if (!ReduceShape(c, n, &shape, &bounds)) return false;
  for (size_t i = 0; i < n; ++i)
    if (bounds.empty())
      c.InferTensor(shape, {AccumulatorElement(c, 0, i, c.in_element(i))});
    else
      c.InferTensor(shape, {AccumulatorElement(c, 0, i, c.in_element(i))}, c.In(0).encoding, bounds);
  return true;
}

namespace {

// C1, C2, C4 to C12 of reduce_window.
bool ReduceWindow(OpCheck& c, size_t n, Window* window) {
  if (n == 0) return c.Fail("C1", "requires at least 1 input value");
  if (!CheckInputShapes(c, "C2", n)) return false;
  IntElements padding;
  if (!CheckPadding(c, "C12", &padding)) return false;
  const DimSpan sizes = c.Ints("window_dimensions");
  for (size_t i = 0; i < n; ++i)
    if (c.In(i).rank() != int64_t(sizes.size()))
      return c.Fail(
          "C4",
          "expects window-dimensions size == input rank, but got window-dimensions size: {} and input: {} "
          "with rank = {}.",
          sizes.size(), c.T(c.in(i)), c.In(i).rank());
  return CheckWindow(c, sizes, {"window_strides", "base_dilations", "window_dilations"},
                     {.positive_sizes = "C5",
                      .strides = "C6",
                      .positive_strides = "C7",
                      .base_dilations = "C8",
                      .positive_base_dilations = "C9",
                      .window_dilations = "C10",
                      .positive_window_dilations = "C11",
                      .padding = "C12"},
                     padding, window);
}

}  // namespace

bool VerifyReduceWindow(OpCheck& c) {
  const size_t n = c.num_operands() / 2;
  Window window;
  if (!ReduceWindow(c, n, &window)) return false;
  std::vector<ReducerType> inputs, init_values;
  CollectReducer(c, n, &inputs, &init_values);
  return CheckReducer(c, {"C13", "C3"}, 0, inputs, init_values, c.Ints("window_dimensions"));
}

// C14 to C16.
bool InferReduceWindow(OpCheck& c) {
  const size_t n = c.num_operands() / 2;
  Window window;
  if (!ReduceWindow(c, n, &window)) return false;
  for (size_t i = 0; i < n; ++i) {
    const ShapedType input = c.In(i);
    const ElementRef element{AccumulatorElement(c, 0, i, input.element)};
    if (input.bounds.empty())
      c.InferTensor(WindowedShape(input.shape, window), element);
    else
      c.InferTensor(WindowedShape(input.shape, window), element, input.encoding,
                    WindowedShape(input.bounds, window));
  }
  return true;
}

bool VerifySelectAndScatter(OpCheck& c) {
  const ShapedType operand = c.In(0), source = c.In(1), init = c.In(2);
  // C9: select takes two elements and returns a boolean.
  if (c.num_args(0) != 2)
    return c.Fail("C9", "expects the select-region to take 2 parameters, but takes {}", c.num_args(0));
  const auto both_float = [&](TypeId a, TypeId b) {
    return IsFloat(c.m.types.KindOf(a)) && IsFloat(c.m.types.KindOf(b));
  };
  for (size_t i = 0; i < 2; ++i) {
    const ShapedType argument(c.m, c.arg(0, i));
    if (argument.ranked && argument.rank() == 0 &&
        (argument.element == operand.element || both_float(argument.element, operand.element)))
      continue;
    return c.Fail("C9", "expects the type of select-region's parameter at index {} to be {}, but got {}", i,
                  ReducerText(c, {{}, operand.element, {}}), c.T(argument.type));
  }
  const auto returned = c.Returned(0);
  if (returned.size() != 1)
    return c.Fail("C9", "expects select-region to return single value, but got: {}", returned.size());
  const ShapedType selected(c.m, returned[0]);
  if (!selected.ranked || selected.rank() != 0 || c.m.types.KindOf(selected.element) != TypeKind::kI1)
    return c.Fail("C9", "expects the return-type of select-region to be tensor<i1>, but got: {}",
                  c.T(selected.type));
  const ReducerType input{{}, source.element, {}}, init_value{init.shape, init.element, init.type};
  if (!CheckReducer(c, {"C10", "C3"}, 1, std::span(&input, 1), std::span(&init_value, 1), {})) return false;
  const DimSpan sizes = c.Ints("window_dimensions");
  if (operand.rank() != int64_t(sizes.size()))
    return c.Fail("C4",
                  "expects window-dimensions size == operand rank, but got window-dimensions size: {} and "
                  "operand-type: {} with rank = {}.",
                  sizes.size(), c.T(operand.type), operand.rank());
  IntElements padding;
  if (!CheckPadding(c, "C8", &padding)) return false;
  Window window;
  const WindowLabels labels{
      .positive_sizes = "C5", .strides = "C6", .positive_strides = "C7", .padding = "C8"};
  if (!CheckWindow(c, sizes, {.strides = "window_strides"}, labels, padding, &window)) return false;
  const Dims shape = WindowedShape(operand.shape, window);
  const bool fits = CompatibleShapes(shape, source.shape);
  if (fits && (operand.element == source.element || both_float(operand.element, source.element))) return true;
  return c.Fail(fits ? "C1" : "C2", "expects source-type to be {}, but got{}",
                ReducerText(c, {shape, operand.element, {}}), c.T(source.type));
}

// C11, C12.
bool InferSelectAndScatter(OpCheck& c) {
  const ShapedType operand = c.In(0);
  c.InferTensor(operand.shape, {AccumulatorElement(c, 1, 0, operand.element)}, operand.encoding);
  return true;
}

bool VerifySort(OpCheck& c) {
  const size_t n = c.num_operands();
  if (n == 0) return true;
  const int64_t rank = c.In(0).rank(), dimension = c.Int("dimension", -1);
  if (dimension < -rank || dimension >= rank)
    return c.Fail("C4", "dimension attribute value must be in range [-{}, {}), but found {}", rank, rank,
                  dimension);
  if (c.num_args(0) != 2 * n) return c.Fail("C5", "comparator block should have {} arguments", 2 * n);
  for (size_t i = 0; i < 2 * n; ++i) {
    const TypeId element = c.in_element(i / 2);
    const ShapedType argument(c.m, c.arg(0, i));
    if (argument.ranked && argument.rank() == 0 && argument.element == element && !argument.encoding)
      continue;
    return c.Fail("C5", "comparator block argument #{} should be of type {} but got {}", i,
                  ReducerText(c, {{}, element, {}}), c.T(argument.type));
  }
  const auto returned = c.Returned(0);
  if (returned.size() != 1)
    return c.Fail("C5", "comparator must return single output but got {}", returned.size());
  const ShapedType result(c.m, returned[0]);
  if (!result.shaped || result.rank() != 0 || c.m.types.KindOf(result.element) != TypeKind::kI1)
    return c.Fail("C5", "comparator must return tensor<i1> but got {}", c.T(result.type));
  return true;
}

}  // namespace shlo
