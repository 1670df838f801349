#include "ir/verify/rules/common.h"

#include <unordered_set>

namespace shlo {

// --- Lists of dimensions --------------------------------------------------------------------------

namespace {

// Finds a duplicate value; returns false if there is none. Long lists are sorted first.
bool FirstDuplicate(DimSpan a, DimSpan b, int64_t* out) {
  const size_t n = a.size() + b.size();
  const auto at = [&](size_t i) { return i < a.size() ? a[i] : b[i - a.size()]; };
  if (n <= 32) {
    for (size_t i = 1; i < n; ++i)
      for (size_t j = 0; j < i; ++j)
        if (at(i) == at(j)) {
          *out = at(i);
          return true;
        }
    return false;
  }
  std::vector<std::pair<int64_t, size_t>> sorted;
  for (size_t i = 0; i < n; ++i) sorted.emplace_back(at(i), i);
  std::ranges::sort(sorted);
  size_t first = n;
  for (size_t i = 1; i < n; ++i)
    if (sorted[i].first == sorted[i - 1].first) first = std::min(first, sorted[i].second);
  if (first == n) return false;
  *out = at(first);
  return true;
}

}  // namespace

bool IsUnique(DimSpan dims) {
  int64_t duplicate;
  return !FirstDuplicate(dims, {}, &duplicate);
}

uint64_t FirstRepeatedEnd(const IntElements& pairs) {
  std::unordered_set<int64_t> sources, targets;
  for (uint64_t i = 0; i < pairs.size(); ++i)
    if (!(i % 2 ? targets : sources).insert(pairs[i]).second) return i;
  return pairs.size();
}

bool CheckDistinct(OpCheck& c, std::string_view label, DimSpan lhs, DimSpan rhs, std::string_view lhs_name,
                   std::string_view rhs_name) {
  int64_t duplicate;
  if (!FirstDuplicate(lhs, rhs, &duplicate)) return true;
  return c.Fail(label, "has duplicated dimension from {} and {}: {}", lhs_name, rhs_name, duplicate);
}

bool CheckInBounds(OpCheck& c, std::string_view label, int64_t dim, int64_t bound, std::string_view name,
                   std::string_view bound_name, bool inclusive) {
  if (dim >= 0 && dim < bound + (inclusive ? 1 : 0)) return true;
  const char end = inclusive ? ']' : ')';
  return c.Fail(label, "Expects {} to be in range [0, {}{} i.e. [0, {}{}. got: {}.", name, bound_name, end,
                bound, end, dim);
}

bool CheckAllInBounds(OpCheck& c, std::string_view label, DimSpan dims, int64_t bound, std::string_view name,
                      std::string_view bound_name) {
  for (int64_t dim : dims)
    if (dim < 0 || dim >= bound)
      return c.Fail(label, "Expects each element of {} to be in range [0, {}) i.e. [0, {}). got: {}.", name,
                    bound_name, bound, dim);
  return true;
}

// --- Inference from several types -----------------------------------------------------------------

bool MostSpecific(OpCheck& c, int64_t dim, SizeAndBound lhs, SizeAndBound rhs, SizeAndBound* out) {
  const bool left = lhs.size != kDynamic, right = rhs.size != kDynamic;
  const bool left_bound = lhs.bound != kDynamic, right_bound = rhs.bound != kDynamic;
  *out = {};
  if (left || right) {
    if (left && right && lhs.size != rhs.size)
      return c.FailInference("Mismatched dimension sizes {} and {} in dimension {}", lhs.size, rhs.size, dim);
    out->size = left ? lhs.size : rhs.size;
    const int64_t bound = left_bound ? lhs.bound : rhs.bound;
    if ((left_bound || right_bound) && out->size > bound)
      return c.FailInference("Mismatched dimension size {} and bound {} in dimension {}", out->size, bound,
                             dim);
    return true;
  }
  if (left_bound && right_bound)
    out->bound = std::min(lhs.bound, rhs.bound);
  else
    out->bound = left_bound ? lhs.bound : rhs.bound;
  return true;
}

namespace {

// Merges sizes and bounds of types that are compatible: a dynamic one wins over a static one.
bool LeastSpecific(OpCheck&, int64_t, SizeAndBound lhs, SizeAndBound rhs, SizeAndBound* out) {
  const bool left = lhs.size != kDynamic, right = rhs.size != kDynamic;
  const bool left_bound = lhs.bound != kDynamic, right_bound = rhs.bound != kDynamic;
  *out = {};
  if (left && right) {
    out->size = lhs.size;
  } else if (left || right) {
    if (left_bound || right_bound)
      out->bound = left ? std::max(lhs.size, rhs.bound) : std::max(rhs.size, lhs.bound);
  } else if (left_bound && right_bound) {
    out->bound = std::max(lhs.bound, rhs.bound);
  }
  return true;
}

using Combine = bool (*)(OpCheck&, int64_t, SizeAndBound, SizeAndBound, SizeAndBound*);

// Infers from types of one rank. A builder infers before anything has compared them.
bool InferCombined(OpCheck& c, std::span<const ShapedType> types, Combine combine) {
  const ShapedType& first = types[0];
  Dims sizes(first.shape);
  Dims bounds(first.shape.size(), kDynamic);
  if (!first.bounds.empty()) bounds = Dims(first.bounds);
  for (const ShapedType& type : types.subspan(1)) {
    if (type.rank() != first.rank())
      return c.FailInference("Mismatched ranks {} and {}", first.rank(), type.rank());
    for (int64_t d = 0; d < first.rank(); ++d) {
      SizeAndBound both;
      if (!combine(c, d, {sizes[size_t(d)], bounds[size_t(d)]}, {type.dim(d), type.bound(d)}, &both))
        return false;
      sizes[size_t(d)] = both.size;
      bounds[size_t(d)] = both.bound;
    }
  }
  if (first.bounds.empty())
    c.InferTensor(sizes, {first.element}, first.encoding);
  else
    c.InferTensor(sizes, {first.element}, first.encoding, bounds);
  return true;
}

}  // namespace

bool InferMostSpecificOf(OpCheck& c, DimSpan types) {
  // Most ops have one type.
  const auto tensor = c.m.As<TensorType>(TypeId(uint32_t(types[0])));
  if (tensor && !tensor->encoding && std::ranges::all_of(types, [&](int64_t id) { return id == types[0]; })) {
    c.Infer(TypeId(uint32_t(types[0])));
    return true;
  }
  std::vector<ShapedType> ranked;
  for (int64_t id : types)
    if (const ShapedType type(c.m, TypeId(uint32_t(id))); type.ranked) ranked.push_back(type);
  if (ranked.empty()) {
    c.Infer(TypeId(uint32_t(types[0])));
    return true;
  }
  return InferCombined(c, ranked, MostSpecific);
}

bool InferLeastSpecificOf(OpCheck& c, DimSpan types) {
  if (std::ranges::all_of(types, [&](int64_t id) { return id == types[0]; })) {
    c.Infer(TypeId(uint32_t(types[0])));
    return true;
  }
  std::vector<ShapedType> ranked;
  for (int64_t id : types) {
    ranked.emplace_back(c.m, TypeId(uint32_t(id)));
    if (ranked.back().ranked) continue;
    c.Infer(TypeId(uint32_t(id)));
    return true;
  }
  return InferCombined(c, ranked, LeastSpecific);
}

bool InferOperandTypes(OpCheck& c) {
  for (size_t i = 0; i < c.num_operands(); ++i) c.Infer(c.in(i));
  return true;
}

bool FailSame(OpCheck& c, std::string_view label, std::string_view names, std::string_view what) {
  return c.FailOp(label, "failed to verify that all of {{{}}} have same {}", names, what);
}

bool CheckShapeOperand(OpCheck& c, std::string_view label, size_t shape_operand, const ShapedType& result) {
  const IntElements shape = c.Constant(shape_operand);
  if (!shape.ok()) return true;
  Dims sizes;
  bool fits = true;
  for (uint64_t i = 0; i < shape.size(); ++i) {
    sizes.push_back(shape[i]);
    fits &= shape[i] >= 0;
  }
  if (fits && CompatibleShapes(sizes, result.shape) && WithinBounds(sizes, result.bounds)) {
    c.InferTensor(sizes, {result.element});
    return true;
  }
  return c.Fail(label, "output shape [{}] is incompatible with return type of operation {}", c.List(sizes),
                c.T(result.type));
}

// --- Quantization ---------------------------------------------------------------------------------

bool CheckSamePerTensorQuantization(OpCheck& c, std::string_view label, TypeId a, TypeId b) {
  const TypeId x = ElementOf(c.m, a), y = ElementOf(c.m, b);
  if (!IsPerTensor(c.m, x) || !IsPerTensor(c.m, y) || x == y) return true;
  return c.Fail(label, "expect same quantization scale and zero_point but got {} vs {}", c.T(a), c.T(b));
}

bool CheckSamePerAxisQuantization(OpCheck& c, std::string_view label, TypeId a, TypeId b) {
  const QuantizedType x(c.m, ElementOf(c.m, a)), y(c.m, ElementOf(c.m, b));
  if (!x.per_axis || !y.per_axis) return true;
  const auto same = [](auto p, auto q) {
    const auto n = std::ptrdiff_t(std::min(p.size(), q.size()));
    return std::equal(p.begin(), p.begin() + n, q.begin());
  };
  if (same(x.scales, y.scales) && same(x.zero_points, y.zero_points)) return true;
  return c.Fail(label, "expect same quantization scales and zero_points but got {} vs {}", c.T(a), c.T(b));
}

bool CheckReshapeQuantization(OpCheck& c, const ShapedType& operand, const ShapedType& result) {
  if (!CheckSamePerTensorQuantization(c, "C1", operand.type, result.type) ||
      !CheckSamePerAxisQuantization(c, "C1", operand.type, result.type))
    return false;
  const QuantizedType from(c.m, operand.element), to(c.m, result.element);
  if (!from.per_axis || !to.per_axis) return true;
  const int64_t from_size = operand.dim(from.dimension), to_size = result.dim(to.dimension);
  if (!CompatibleDims(from_size, to_size))
    return c.Fail("C3", "expect same quantization dimension size for operand and result {} and {}",
                  c.T(operand.type), c.T(result.type));
  if (!operand.IsStatic() || !result.IsStatic()) return true;
  const auto product = [](DimSpan dims) {
    uint64_t p = 1;
    for (int64_t d : dims) p *= uint64_t(d);
    return p;
  };
  const uint64_t before = product(operand.shape.first(size_t(from.dimension)));
  const uint64_t after = product(result.shape.first(size_t(to.dimension)));
  if (before == after) return true;
  return c.Fail(
      "C3",
      "product of dimensions before quantization dimension must match between operand and result for "
      "{} and {}",
      before, after);
}

bool CheckBroadcastQuantization(OpCheck& c, const ShapedType& operand, const ShapedType& result,
                                DimSpan dimensions) {
  if (!IsPerAxis(c.m, operand.element) || !IsPerAxis(c.m, result.element)) return true;
  const QuantizedType from(c.m, operand.element), to(c.m, result.element);
  const int64_t target = dimensions[size_t(from.dimension)];
  if (to.dimension != target)
    return c.Fail("C6", "result quantization_dimension {} not same as broadcast_dimensions[{}] = {}",
                  to.dimension, from.dimension, target);
  if (operand.dim(from.dimension) != 1 || from.scales.empty() || from.zero_points.empty()) return true;
  const double scale = from.scales[0];
  for (size_t i = 0; i < to.scales.size(); ++i) {
    const double other = to.scales[i];
    if (other != scale)
      return c.Fail("C6", "mismatch result scale {} ({:e}) and operand scale 0 ({:e})", i, other, scale);
    if (i < to.zero_points.size() && to.zero_points[i] != from.zero_points[0])
      return c.Fail("C6", "mismatch result zero_point {} ({}) and operand zero_point 0 ({})", i,
                    to.zero_points[i], from.zero_points[0]);
  }
  return true;
}

bool CheckProductQuantization(OpCheck& c, const ProductLabels& labels, TypeId lhs, TypeId rhs,
                              TypeId result) {
  const QuantizedType l(c.m, lhs), r(c.m, rhs), o(c.m, result);
  if (!r.ok || l.ok != o.ok)
    return c.Fail(
        labels.quantized,
        "rhs should be quantized for quantized operations and is_quantized(lhs)=is_quantized(result) "
        "should hold");
  if (!l.ok) {
    if (lhs == r.expressed && lhs == result) return true;
    return c.Fail(labels.weight_only,
                  "mismatched rhs quantization expressed type and lhs and result element type");
  }
  if (l.storage != r.storage)
    return c.Fail(labels.storage, "mismatched lhs and rhs quantization storage types");
  if (l.expressed != r.expressed || l.expressed != o.expressed)
    return c.Fail(labels.expressed, "mismatched lhs, rhs and result quantization expressed types");
  if (!r.per_axis && o.per_axis)
    return c.Fail(labels.granularity, "mismatched rhs and result quantization granularity");
  return true;
}

bool CheckPrecisionConfig(OpCheck& c, std::string_view label) {
  const size_t size = c.ArraySize("precision_config");
  if (size <= 2) return true;
  return c.Fail(label, "expects precision config to be empty or have <= 2 elements, got {}", size);
}

bool CheckDotDimensions(OpCheck& c, const DotLabels& labels, const ShapedType& lhs, const ShapedType& rhs,
                        DimSpan lhs_batching, DimSpan rhs_batching, DimSpan lhs_contracting,
                        DimSpan rhs_contracting) {
  if (!CheckPrecisionConfig(c, labels[10])) return false;
  if (lhs_batching.size() != rhs_batching.size())
    return c.Fail(labels[0], "lhs and rhs should have the same number of batching dimensions");
  if (lhs_contracting.size() != rhs_contracting.size())
    return c.Fail(labels[1], "lhs and rhs should have the same number of contracting dimensions");
  if (!CheckDistinct(c, labels[2], lhs_batching, lhs_contracting, "lhs_batching_dimensions",
                     "lhs_contracting_dimensions") ||
      !CheckDistinct(c, labels[3], rhs_batching, rhs_contracting, "rhs_batching_dimensions",
                     "rhs_contracting_dimensions"))
    return false;
  const auto in_range = [&](std::string_view label, const ShapedType& t, DimSpan dims,
                            std::string_view name) {
    for (int64_t d : dims)
      if (d < 0 || d >= t.rank())
        return c.Fail(label, "{} value: {} is out of range: [0, {})", name, d, t.rank());
    return true;
  };
  if (!in_range(labels[4], lhs, lhs_batching, "lhs_batching_dimensions") ||
      !in_range(labels[5], lhs, lhs_contracting, "lhs_contracting_dimensions") ||
      !in_range(labels[6], rhs, rhs_batching, "rhs_batching_dimensions") ||
      !in_range(labels[7], rhs, rhs_contracting, "rhs_contracting_dimensions"))
    return false;
  for (size_t i = 0; i < lhs_batching.size(); ++i)
    if (!CompatibleDims(lhs.dim(lhs_batching[i]), rhs.dim(rhs_batching[i])))
      return c.Fail(labels[8], "batching dimension sizes must match for lhs/rhs");
  for (size_t i = 0; i < lhs_contracting.size(); ++i)
    if (!CompatibleDims(lhs.dim(lhs_contracting[i]), rhs.dim(rhs_contracting[i])))
      return c.Fail(labels[9], "contracting dimension sizes must match for lhs/rhs");
  return true;
}

// --- Windows --------------------------------------------------------------------------------------

bool CheckPadding(OpCheck& c, std::string_view label, IntElements* padding) {
  if (!c.Has("padding")) return true;
  *padding = IntElements(c.m, c.Attr("padding"));
  if (padding->shape().size() == 2 && padding->shape()[1] == 2) return true;
  return c.Fail(label, "expects the shape of padding-attribute to be {{N, 2}}, but got {{{}}}.",
                c.List(padding->shape()));
}

bool CheckWindow(OpCheck& c, DimSpan sizes, const WindowNames& names, const WindowLabels& labels,
                 const IntElements& padding, Window* out) {
  const DimSpan strides = c.Ints(names.strides), base = c.Ints(names.base_dilations),
                dilations = c.Ints(names.window_dilations);
  size_t reversal = 0;
  if (const auto array = c.m.As<DenseArrayAttr>(c.Attr(names.reversal)))
    reversal = size_t(c.m.payloads.SizeOf(array->payload));
  const auto same_size = [&](std::string_view label, size_t size, std::string_view name) {
    if (size == 0 || size == sizes.size()) return true;
    return c.Fail(label,
                  "expects {} to have same dimension-size as size of window dimensions ({}), but got: {}.",
                  name, sizes.size(), size);
  };
  const size_t pads = padding.shape().empty() ? 0 : size_t(padding.shape()[0]);
  if (!same_size(labels.strides, strides.size(), "window-strides") ||
      !same_size(labels.base_dilations, base.size(), "base-dilation factors") ||
      !same_size(labels.window_dilations, dilations.size(), "window-dilation factors") ||
      !same_size(labels.padding, pads, "padding-entries") ||
      !same_size(labels.reversal, reversal, "window-reversal"))
    return false;
  out->resize(sizes.size());
  for (size_t i = 0; i < sizes.size(); ++i) {
    WindowDim& dim = (*out)[i] = {};
    dim.size = sizes[i];
    const auto positive = [&](std::string_view label, int64_t value, std::string_view what) {
      if (value > 0) return true;
      return c.Fail(label, "expects window to have positive {} for {}-th window dimension, but got {}.", what,
                    i, value);
    };
    if (dim.size != kDynamic && !positive(labels.positive_sizes, dim.size, "value")) return false;
    if (!strides.empty()) dim.stride = strides[i];
    if (!positive(labels.positive_strides, dim.stride, "stride")) return false;
    if (!base.empty()) dim.base_dilation = base[i];
    if (!positive(labels.positive_base_dilations, dim.base_dilation, "base dilation factor")) return false;
    if (!dilations.empty()) dim.window_dilation = dilations[i];
    if (!positive(labels.positive_window_dilations, dim.window_dilation, "window dilation factor"))
      return false;
    if (pads) {
      dim.padding_low = padding[2 * i];
      dim.padding_high = padding[2 * i + 1];
    }
  }
  return true;
}

Dims WindowedShape(DimSpan base, const Window& window) {
  const auto dilated = [](int64_t bound, int64_t dilation) {
    return bound == 0 ? 0 : WrapAdd(WrapMul(WrapSub(bound, 1), dilation), 1);
  };
  Dims out;
  for (size_t i = 0; i < window.size(); ++i) {
    const WindowDim& dim = window[i];
    if (i >= base.size() || base[i] == kDynamic || dim.size == kDynamic) {
      out.push_back(kDynamic);
      continue;
    }
    const int64_t padded =
        WrapAdd(WrapAdd(dim.padding_low, dilated(base[i], dim.base_dilation)), dim.padding_high);
    const int64_t size = dilated(dim.size, dim.window_dilation);
    out.push_back(padded == 0 || size > padded ? 0 : WrapAdd(WrapSub(padded, size) / dim.stride, 1));
  }
  return out;
}

// --- Reducers -------------------------------------------------------------------------------------

namespace {

// Element types a reducer may widen: of one family, and not narrower. Floats of any width are alike.
bool Promotable(const Module& m, TypeId from, TypeId to) {
  const auto family = [&](TypeId t) {
    const TypeKind kind = m.types.KindOf(t);
    if (IsSignlessInteger(kind) || IsUnsignedInteger(kind) || kind == TypeKind::kInteger) return 1;
    if (IsFloat(kind)) return 2;
    if (kind == TypeKind::kComplex) return 3;
    return IsQuantized(m, t) ? 4 : 0;
  };
  const int a = family(from);
  if (a == 0 || a != family(to)) return false;
  if (a == 2) return true;
  if (a == 4 && QuantizedType(m, from).expressed != QuantizedType(m, to).expressed) return false;
  return ElementWidth(m, from) <= ElementWidth(m, to);
}

bool SameElement(const Module& m, TypeId a, TypeId b, bool any_float) {
  return a == b || (any_float && IsFloat(m.types.KindOf(a)) && IsFloat(m.types.KindOf(b)));
}

}  // namespace

std::string ReducerText(const OpCheck& c, const ReducerType& type) {
  if (type.type) return c.T(type.type);
  Inferred scalar;
  scalar.shape.append(type.shape);
  scalar.element = {type.element};
  return c.T(scalar);
}

TypeId AccumulatorElement(const OpCheck& c, size_t region, size_t index, TypeId input) {
  const auto returned = c.Returned(region);
  return index < returned.size() ? ElementOf(c.m, returned[index]) : input;
}

bool CheckReducer(OpCheck& c, const ReducerLabels& labels, size_t region, std::span<const ReducerType> inputs,
                  std::span<const ReducerType> init_values, DimSpan allowed) {
  const size_t n = inputs.size();
  if (c.num_args(region) != n * 2)
    return c.Fail(labels.region, "Reduction-region must take {} parameters, but takes {} parameter(s)", n * 2,
                  c.num_args(region));
  if (c.BlockOf(region).ops.count == 0)
    return c.Fail(labels.region, "The reduction-region expected to have a terminator");
  const auto returned = c.Returned(region);
  if (returned.empty()) return c.Fail(labels.region, "The reduction-region expected to return some value(s)");
  if (returned.size() != n)
    return c.Fail(labels.region, "Reduction-region here must produce {} tensors, but produces {} instead", n,
                  returned.size());
  for (TypeId value : returned)
    if (const ShapedType type(c.m, value); !type.shaped)
      return c.Fail(labels.region,
                    "Reduction-region here must produce tensor-typed result(s), but produces {} instead",
                    c.T(type.type));
  for (size_t i = 0; i < n; ++i) {
    const ShapedType accumulator(c.m, returned[i]);
    const ShapedType first(c.m, c.arg(region, i)), second(c.m, c.arg(region, n + i));
    const auto fits = [&](const ShapedType& argument, bool any_float) {
      return CompatibleShapes(c.m, accumulator.type, argument.type) &&
             SameElement(c.m, accumulator.element, argument.element, any_float);
    };
    const auto differs = [&](size_t index, const ShapedType& argument) {
      return c.Fail(
          labels.region,
          "The type of reduction-region's parameter at index {} is different than the corresponding "
          "result type: {} vs {}",
          index, c.T(argument.type), c.T(accumulator.type));
    };
    if (!fits(first, false)) return differs(i, first);
    if (!fits(second, true)) return differs(n + i, second);
    if (!CompatibleShapes(init_values[i].shape, accumulator.shape))
      return c.Fail(
          labels.region,
          "The shape of reduction-region's result type at index {} differs from the op's corresponding "
          "init-value type: {} vs {}",
          i, c.T(accumulator.type), ReducerText(c, init_values[i]));
    if (!Promotable(c.m, init_values[i].element, accumulator.element))
      return c.Fail(
          labels.init_values,
          "The element-type of reduction-region's result type at index {} is expected to be promotable "
          "from the op's corresponding init-value element-type: {} vs {}",
          i, c.T(accumulator.type), ReducerText(c, init_values[i]));
    if (init_values[i].element != inputs[i].element)
      c.Beyond(labels.init_values, "the elements of {} are combined with elements of another type, {}",
               ReducerText(c, inputs[i]), ReducerText(c, init_values[i]));
    if (!Promotable(c.m, inputs[i].element, second.element))
      return c.Fail(
          labels.region,
          "The element-type of reduction-region's argument at index {} is expected to be promotable "
          "from {}, but got {}",
          n + i, c.T(inputs[i].element), c.T(second.element));
    if (second.shape.size() > allowed.size())
      return c.Fail(labels.region,
                    "The rank of reduction-region's argument at index {} is expected to be <= {}, got {}",
                    n + i, allowed.size(), second.shape.size());
    size_t matched = 0;
    for (size_t d = 0; d < allowed.size() && matched < second.shape.size(); ++d)
      matched += CompatibleDims(allowed[d], second.shape[matched]);
    if (matched != second.shape.size())
      return c.Fail(labels.region,
                    "The shape of reduction-region's argument at index {} is not compatible with that of "
                    "reduce-op's input-parameter at index {}",
                    n + i, i);
  }
  return true;
}

}  // namespace shlo
