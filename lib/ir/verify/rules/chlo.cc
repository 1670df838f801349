// CHLO: client ops, which broadcast their operands as NumPy does or according to broadcast_dimensions.
#include <cstring>

#include "ir/verify/rules/common.h"

namespace shlo {
namespace {

bool IsStaticOrBounded(const ShapedType& t) { return t.IsStatic() || !t.bounds.empty(); }

// A size, or its bound if it is dynamic.
struct Extent {
  int64_t size = 1;
  bool bounded = false;
};
Extent ExtentOf(const ShapedType& t, int64_t i) {
  if (t.bounds.empty() || !t.IsDynamic(i)) return {t.dim(i), false};
  return {t.bound(i), true};
}

// Infers shapes whose dimensions are all static or bounded. Returns false after a report.
bool BroadcastBounded(OpCheck& c, std::span<const ShapedType> operands, Dims* shape, Dims* bounds) {
  size_t rank = 0;
  for (const ShapedType& t : operands) rank = std::max(rank, t.shape.size());
  for (size_t i = 0; i < rank; ++i) {
    Extent all;
    for (const ShapedType& t : operands) {
      const int64_t at = int64_t(i) - int64_t(rank) + t.rank();
      const Extent one = at < 0 ? Extent{} : ExtentOf(t, at);
      if (all.size == 1) {
        all = one;
      } else if (one.size != 1) {
        if (all.size != one.size)
          return c.Fail("R2", "incompatible shapes for broadcasting {} and {}", all.size, one.size);
        if (all.bounded != one.bounded)
          return c.Fail("R2", "cannot mix bounded and static dimensions in broadcast");
      }
    }
    shape->push_back(all.bounded ? kDynamic : all.size);
    bounds->push_back(all.bounded ? all.size : kDynamic);
  }
  return true;
}

// Merges sizes of one dimension: any size wins over 1, and a size above 1 over a dynamic one.
bool BroadcastDim(int64_t a, int64_t b, int64_t* out) {
  if (a == kDynamic || b == kDynamic)
    *out = a > 1 ? a : b > 1 ? b : kDynamic;
  else if (a == b || b == 1)
    *out = a;
  else if (a == 1)
    *out = b;
  else
    return false;
  return true;
}

bool BroadcastShapes(DimSpan a, DimSpan b, Dims* out) {
  const size_t rank = std::max(a.size(), b.size());
  for (size_t i = 0; i < rank; ++i) {
    const int64_t x = i + a.size() < rank ? 1 : a[i + a.size() - rank];
    const int64_t y = i + b.size() < rank ? 1 : b[i + b.size() - rank];
    int64_t size;
    if (!BroadcastDim(x, y, &size)) return false;
    out->push_back(size);
  }
  return true;
}

// If no shape can be inferred, the result may have any.
void InferUnranked(OpCheck& c, ElementRef element) { c.InferTensor({}, element).ranked = false; }

bool InferNumpy(OpCheck& c, std::span<const ShapedType> operands, ElementRef element) {
  if (!std::ranges::all_of(operands, [](const ShapedType& t) { return t.ranked; })) {
    InferUnranked(c, element);
    return true;
  }
  Dims shape, bounds;
  if (std::ranges::all_of(operands, IsStaticOrBounded)) {
    if (!BroadcastBounded(c, operands, &shape, &bounds)) {
      c.Settle();
      return true;
    }
    c.InferTensor(shape, element, {}, bounds);
    return true;
  }
  shape = Dims(operands[0].shape);
  for (const ShapedType& t : operands.subspan(1)) {
    Dims next;
    if (!BroadcastShapes(shape, t.shape, &next)) {
      InferUnranked(c, element);
      return true;
    }
    shape = next;
  }
  c.InferTensor(shape, element);
  return true;
}

bool InferBroadcastTo(OpCheck& c, ElementRef element) {
  const ShapedType lhs = c.In(0), rhs = c.In(1);
  if (!CompatibleElements(c.m, lhs.element, rhs.element)) return c.Fail("R1", "mismatched operand types");
  const ShapedType operands[] = {lhs, rhs};
  if (!c.Has("broadcast_dimensions")) return InferNumpy(c, operands, element);
  const ShapedType& large = lhs.rank() > rhs.rank() ? lhs : rhs;
  const ShapedType& small = lhs.rank() > rhs.rank() ? rhs : lhs;
  const DimSpan dimensions = c.Ints("broadcast_dimensions");
  bool known = lhs.ranked && rhs.ranked && int64_t(dimensions.size()) == small.rank();
  Dims shape(large.shape);
  for (size_t i = 0; known && i < dimensions.size(); ++i) {
    const int64_t d = dimensions[i];
    known = 0 <= d && d < large.rank() && BroadcastDim(small.shape[i], large.dim(d), &shape[size_t(d)]);
  }
  if (known)
    c.InferTensor(shape, element);
  else
    InferUnranked(c, element);
  return true;
}

}  // namespace

bool InferChloBroadcast(OpCheck& c) { return InferBroadcastTo(c, {c.in_element(0)}); }
bool InferChloBroadcastComplex(OpCheck& c) {
  return InferBroadcastTo(c, ElementRef::ComplexOf(c.in_element(0)));
}
bool InferChloBroadcastCompare(OpCheck& c) { return InferBroadcastTo(c, ElementRef::Kind(TypeKind::kI1)); }

bool InferChloBroadcastSelect(OpCheck& c) {
  const ShapedType operands[] = {c.In(0), c.In(1), c.In(2)};
  if (operands[1].element != operands[2].element) return c.Fail("R1", "mismatched operand types");
  return InferNumpy(c, operands, {operands[1].element});
}

bool InferChloConstant(OpCheck& c) {
  if (const auto elements = c.m.As<ElementsAttr>(c.Attr("value")))
    c.Infer(elements->type);
  else
    c.Settle();
  return true;
}

namespace {

TypeId TypeOfNumber(const OpCheck& c, AttrId attr) {
  const AttrKind kind = c.m.attrs.KindOf(attr);
  const bool number = kind == AttrKind::kIntegerAttr || kind == AttrKind::kFloatAttr;
  return number ? c.m.TypeOf(attr) : TypeId();
}

}  // namespace

bool VerifyConstantLike(OpCheck& c) {
  const TypeId type = TypeOfNumber(c, c.Attr("value"));
  if (!type || type == c.out_element()) return true;
  return c.FailOp("R1", "value's type doesn't match element return type");
}

bool InferConstantLike(OpCheck& c) {
  const ShapedType operand = c.In(0);
  TypeId type = TypeOfNumber(c, c.Attr("value"));
  if (!type) type = c.out_element();
  Inferred& result = c.InferTensor(operand.shape, {type});
  result.ranked = operand.ranked;
  result.encoding = operand.encoding;
  return true;
}

bool InferTopK(OpCheck& c) {
  const ShapedType operand = c.In(0);
  const int64_t k = c.Int("k");
  if (!operand.ranked) {
    InferUnranked(c, {operand.element});
    InferUnranked(c, ElementRef::Kind(TypeKind::kI32));
    return true;
  }
  if (operand.rank() < 1) return c.Fail("R1", "operand's rank must be at least 1");
  if (operand.shape.back() != kDynamic && operand.shape.back() < k)
    return c.Fail("R2", "operand's last dimension must be at least {}", k);
  Dims shape(operand.shape), bounds(operand.bounds);
  shape[shape.size() - 1] = k;
  if (!bounds.empty()) bounds[bounds.size() - 1] = kDynamic;
  c.InferTensor(shape, {operand.element}, operand.encoding, bounds);
  c.InferTensor(shape, ElementRef::Kind(TypeKind::kI32), operand.encoding, bounds);
  return true;
}

namespace {

// A scan has as many carries as init values, which are its last operands. The body determines their number:
// it returns the outputs and then the carries.
struct ScanCounts {
  size_t inputs = 0, carries = 0;
};
// Written segment sizes determine their number; see the row. `first` is the size of the first segment.
bool CheckSegments(OpCheck& c, std::string_view what, size_t total, size_t* first) {
  for (const NamedAttr& discardable : c.m.DiscardableAttrsOf(c.op())) {
    const std::string_view name = c.m.strings[discardable.name];
    if (name != StrFormat("{}SegmentSizes", what) && name != StrFormat("{}_segment_sizes", what)) continue;
    const auto array = c.m.As<DenseArrayAttr>(discardable.value);
    constexpr size_t kSegments = 2;
    int32_t segments[kSegments] = {};  // ignored if it has a different type
    if (array && c.m.types.KindOf(array->element) == TypeKind::kI32) {
      const Payload sizes = c.m.payloads[array->payload];
      if (sizes.size != sizeof(segments))
        return c.FailOp("", "for `{}`: size mismatch in attribute conversion: {} vs {}", name,
                        sizes.size / sizeof(int32_t), kSegments);
      std::memcpy(segments, sizes.data, sizeof(segments));
    }
    const int64_t sum = int64_t(segments[0]) + segments[1];
    if (segments[0] < 0 || segments[1] < 0)
      return c.FailOp("", "'{}' attribute cannot have negative elements", name);
    if (sum != int64_t(total))
      return c.FailOp("", "{} count ({}) does not match with the total size ({}) specified in attribute '{}'",
                      what, total, sum, name);
    *first = size_t(segments[0]);
  }
  return true;
}

bool CountScan(OpCheck& c, ScanCounts* counts) {
  size_t outputs = 0;
  if (!CheckSegments(c, "operand", c.num_operands(), &counts->inputs) ||
      !CheckSegments(c, "result", c.num_results(), &outputs))
    return false;
  counts->carries = c.num_operands() - counts->inputs;
  return true;
}

}  // namespace

bool VerifyScan(OpCheck& c) {
  ScanCounts counts;
  if (!CountScan(c, &counts)) return false;
  const int64_t dim = c.Int("dimension");
  int64_t size = c.Has("scan_dim_size") ? c.Int("scan_dim_size") : kDynamic;
  if (counts.inputs == 0 && c.num_results() == counts.carries)
    return c.FailOp("R1", "at least one of inputs or outputs must be present");
  for (size_t i = 0; i < counts.inputs; ++i) {
    const ShapedType input = c.In(i);
    if (!input.ranked) return c.FailOp("R2", "operand {} is not ranked", i);
    if (dim >= input.rank()) return c.FailOp("R2", "scan dimension of operand {} is out of bounds", i);
    if (input.IsDynamic(dim)) continue;
    if (size != kDynamic && size != input.dim(dim))
      return c.FailOp("R3", "invalid scan dimension size of operand {}", i);
    size = input.dim(dim);
  }
  if (c.num_args(0) != c.num_operands())
    return c.FailOp("R4", "expects {} arguments in the body, but got {}", c.num_operands(), c.num_args(0));
  for (size_t i = 0; i < c.num_operands(); ++i) {
    const ShapedType operand = c.In(i), argument(c.m, c.arg(0, i));
    if (!operand.ranked) return c.FailOp("R4", "operand {} is not ranked", i);
    Dims shape;
    for (int64_t d = 0; d < operand.rank(); ++d)
      if (i >= counts.inputs || d != dim) shape.push_back(operand.dim(d));
    if (!argument.shaped || !CompatibleElements(c.m, operand.element, argument.element) ||
        (argument.ranked && !CompatibleShapes(shape, argument.shape)))
      return c.FailOp("R4", "operand and body argument {} are incompatible", i);
  }
  return true;
}

bool InferScan(OpCheck& c) {
  ScanCounts counts;
  if (!CountScan(c, &counts)) return false;
  const auto returned = c.Returned(0);
  if (returned.size() < counts.carries)
    return c.Fail("R5", "ScanOp body must return at least {} values (carries)", counts.carries);
  const size_t outputs = returned.size() - counts.carries;
  const int64_t dim = c.Int("dimension");
  int64_t size = c.Has("scan_dim_size") ? c.Int("scan_dim_size") : kDynamic;
  for (size_t i = 0; i < counts.inputs; ++i) {
    if (size == kDynamic) size = c.In(i).dim(dim);
  }
  for (size_t i = 0; i < returned.size(); ++i) {
    const ShapedType value(c.m, returned[i]);
    if (!value.ranked) return c.Fail("R5", "terminator operand {} is not ranked", i);
    Dims shape;
    for (int64_t d = 0; d < value.rank(); ++d) {
      if (i < outputs && d == dim) shape.push_back(size);
      shape.push_back(value.dim(d));
    }
    if (i < outputs && dim >= value.rank()) shape.push_back(size);
    c.InferTensor(shape, {value.element});
  }
  return true;
}

}  // namespace shlo
