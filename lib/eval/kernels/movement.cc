// Data movement ops: reshape, transpose, broadcasts, slices, pad, concatenate, reverse, iota,
// bitcast_convert, and their dynamic variants. A dynamic variant has operands instead of attributes; both
// share their code.
#include <algorithm>
#include <cstring>

#include "base/format.h"
#include "eval/kernel/kernel_args.h"
#include "eval/kernel/move_elements.h"
#include "eval/kernels/elementwise.h"
#include "eval/kernels/kernels.h"
#include "eval/loops/element_loops.h"
#include "shlo/types.h"

namespace shlo {
namespace {

// Specification, "reshape": the same elements in row-major order. No copy.
Status ReshapeTo(KernelCall& call, std::span<const int64_t> shape) {
  ValueTypePtr type = SHLO_TRY(ResultType(call, 0, shape, call.operand(0)));
  if (type->count != call.operand(0).count())
    return Error(Code::kEvaluation,
                 StrFormat("{} cannot be reshaped to {}", TypeName(call.operand(0).type()), TypeName(*type)));
  // Per-axis scales move with their dimension, as the declared type states.
  const DeclaredElement declared = SHLO_TRY(ElementOfResult(call));
  if (declared.quantization) {
    type = SHLO_TRY(ResultType(call, 0, shape, declared));
  }
  call.results[0] = call.operand(0).As(std::move(type));
  return {};
}

tl::unexpected<Diagnostics> UnknownSize(size_t dimension) {
  return Error(Code::kUnsupported,
               StrFormat("size of dimension {} of the result does not follow from the operand", dimension));
}

// Returns whether a type has dynamic sizes, each with a bound.
bool HasBounds(const ShapedType& type) {
  for (int64_t d = 0; d < type.rank(); ++d)
    if (type.IsDynamic(d) && type.bound(d) == kDynamic) return false;
  return type.ranked && !type.IsStatic();
}

// Returns the shape of a reshape. Sizes that the type leaves open, up to a bound, are those of the open
// dimensions of the operand in order, or the one that the number of elements leaves.
Result<Ints> ReshapedShape(const KernelCall& call) {
  if (call.result_types[0]) return DeclaredShape(call);
  const ShapedType to(call.module, DeclaredType(call)),
      from(call.module, call.module.TypeOf(call.module.OperandsOf(call.op)[0]));
  Ints shape(to.shape.begin(), to.shape.end()), open, sizes;
  for (size_t d = 0; d < shape.size(); ++d)
    if (shape[d] == kDynamic) open.push_back(int64_t(d));
  if (!HasBounds(to)) return DeclaredShape(call);
  const Tensor& operand = call.operand(0);
  for (size_t d = 0; d < from.shape.size() && d < operand.type().shape.size(); ++d)
    if (from.shape[d] == kDynamic) sizes.push_back(operand.type().shape[d]);
  if (sizes.size() == open.size()) {
    for (size_t i = 0; i < open.size(); ++i) shape[size_t(open[i])] = sizes[i];
    const ValueTypePtr type = MakeTensorType(operand.element(), shape);
    if (type && type->count == operand.count()) return shape;
  }
  if (open.size() > 1) return UnknownSize(size_t(open[1]));
  int64_t& last = shape[size_t(open[0])];
  last = 1;
  const ValueTypePtr others = MakeTensorType(operand.element(), shape);
  if (!others || others->count == 0 || operand.count() % others->count != 0)
    return UnknownSize(size_t(open[0]));
  last = int64_t(operand.count() / others->count);
  return shape;
}

// Returns the shape of a broadcast. Sizes that the type leaves open, up to a bound, are those of the operand.
Result<Ints> BroadcastShape(const KernelCall& call) {
  if (call.result_types[0]) return DeclaredShape(call);
  const ShapedType to(call.module, DeclaredType(call));
  if (!HasBounds(to)) return DeclaredShape(call);
  const Ints dimensions = SHLO_TRY(IntsOf(call, "broadcast_dimensions"));
  Ints shape(to.shape.begin(), to.shape.end());
  const std::vector<int64_t>& from = call.operand(0).type().shape;
  for (size_t d = 0; d < shape.size(); ++d) {
    const auto mapped = std::ranges::find(dimensions, int64_t(d));
    if (shape[d] != kDynamic) continue;
    const size_t i = size_t(mapped - dimensions.begin());
    if (i >= from.size()) return UnknownSize(d);
    shape[d] = from[i];
  }
  return shape;
}

Status BroadcastTo(KernelCall& call, std::span<const int64_t> shape) {
  const Ints dimensions = SHLO_TRY(IntsOf(call, "broadcast_dimensions"));
  const DeclaredElement declared = SHLO_TRY(ElementOfResult(call));
  DeclaredElement element{call.operand(0).element(), call.operand(0).type().quantization};
  if (element.quantization) element.quantization = declared.quantization;
  const ValueTypePtr type = SHLO_TRY(ResultType(call, 0, shape, element));
  call.results[0] = SHLO_TRY(Broadcast(call.host, call.operand(0), dimensions, type));
  return {};
}

Status SliceTo(KernelCall& call, std::span<const int64_t> start, std::span<const int64_t> limit,
               std::span<const int64_t> strides) {
  const Tensor& operand = call.operand(0);
  const size_t rank = operand.type().shape.size();
  if (start.size() != rank || limit.size() != rank || strides.size() != rank)
    return Invalid("slice indices do not match the operand rank");
  Ints shape(rank);
  for (size_t d = 0; d < rank; ++d) {
    if (strides[d] <= 0 || start[d] < 0 || limit[d] < start[d] || limit[d] > operand.type().shape[d])
      return Error(Code::kEvaluation, StrFormat("slice {}:{}:{} of dimension {} is out of bounds for size {}",
                                                start[d], limit[d], strides[d], d, operand.type().shape[d]));
    shape[d] = limit[d] > start[d] ? (limit[d] - start[d] - 1) / strides[d] + 1 : 0;
  }
  const ValueTypePtr type = SHLO_TRY(ResultType(call, 0, shape, operand));
  call.results[0] = SHLO_TRY(Slice(call.host, operand, start, strides, type));
  return {};
}

// Specification, "pad": result dimension = low + extent + max(extent - 1, 0) * interior + high.
Status PadBy(KernelCall& call, std::span<const int64_t> low, std::span<const int64_t> high,
             std::span<const int64_t> interior) {
  const Tensor& operand = call.operand(0);
  const Tensor& value = call.operand(1);
  const size_t rank = operand.type().shape.size();
  if (low.size() != rank || high.size() != rank || interior.size() != rank || value.count() != 1 ||
      value.element() != operand.element())
    return Invalid("padding does not match the operand rank");
  Ints shape(rank);
  constexpr int64_t kMost = 1ll << 46;
  for (size_t d = 0; d < rank; ++d) {
    const int64_t extent = operand.type().shape[d];
    if (interior[d] < 0 || interior[d] > kMost || !IsWithin(low[d], kMost) || !IsWithin(high[d], kMost))
      return Invalid("padding is out of range");
    const __int128 total =
        __int128(low[d]) + extent + __int128(std::max<int64_t>(extent - 1, 0)) * interior[d] + high[d];
    if (total > kMost) return Error(Code::kLimit, "shape of result 0 is too large");
    shape[d] = int64_t(std::max<__int128>(total, 0));
  }
  const ValueTypePtr type = SHLO_TRY(ResultType(call, 0, shape, operand));
  call.results[0] = SHLO_TRY(Pad(call.host, operand, value, low, interior, type));
  return {};
}

// Clamps start indices so that the slice is in bounds (specification, "dynamic_slice").
Result<Ints> AdjustedStart(const KernelCall& call, size_t first, std::span<const int64_t> sizes) {
  const std::vector<int64_t>& shape = call.operand(0).type().shape;
  Ints start = SHLO_TRY(IndexOf(call.operands.subspan(first)));
  if (start.size() != shape.size() || sizes.size() != shape.size())
    return Invalid("start indices do not match the operand rank");
  for (size_t d = 0; d < shape.size(); ++d) {
    if (sizes[d] < 0 || sizes[d] > shape[d]) return Invalid("slice is larger than the operand");
    start[d] = std::clamp<int64_t>(start[d], 0, shape[d] - sizes[d]);
  }
  return start;
}

Status IotaOf(KernelCall& call, std::span<const int64_t> shape) {
  const int64_t dimension = SHLO_TRY(IntOf(call, "iota_dimension"));
  const DeclaredElement declared = SHLO_TRY(ElementOfResult(call));
  if (dimension < 0 || dimension >= int64_t(shape.size())) return Invalid("iota_dimension is out of range");
  const ValueTypePtr type = SHLO_TRY(ResultType(call, 0, shape, declared));
  // Count in i64, convert, and broadcast over the other dimensions.
  const int64_t extents[1] = {shape[size_t(dimension)]};
  const ValueTypePtr counted = MakeTensorType({TypeKind::kI64}, extents);
  const ValueTypePtr converted = MakeTensorType(declared.element, extents);
  if (!counted || !converted) return OutOfMemory();
  Tensor count = call.host.Allocate(counted, false);
  if (!count) return OutOfMemory();
  for (int64_t i = 0; i < extents[0]; ++i) Store<int64_t>(count.mutable_data(), size_t(i), i);
  const ElementType from[1] = {{TypeKind::kI64}};
  LoopQuery query{nullptr, nullptr, from, declared.element};
  const Tensor* operands[1] = {&count};
  const Tensor values = SHLO_TRY(Apply(call.host, PickConvert(query), operands, converted));
  call.results[0] = SHLO_TRY(Broadcast(call.host, values, std::span(&dimension, 1), type));
  return {};
}

}  // namespace

Status EvaluateReshape(KernelCall& call) {
  SHLO_TRY(CheckArity(call, 1));
  const Ints shape = SHLO_TRY(ReshapedShape(call));
  return ReshapeTo(call, shape);
}

Status EvaluateDynamicReshape(KernelCall& call) {
  SHLO_TRY(CheckArity(call, 2));
  const Ints shape = SHLO_TRY(IndexOf(call.operand(1)));
  return ReshapeTo(call, shape);
}

Status EvaluateTranspose(KernelCall& call) {
  SHLO_TRY(CheckArity(call, 1));
  const Tensor& operand = call.operand(0);
  const Ints permutation = SHLO_TRY(IntsOf(call, "permutation"));
  SHLO_TRY(CheckDimensions("permutation", permutation, operand.type().rank()));
  if (permutation.size() != operand.type().shape.size())
    return Invalid("permutation does not match the operand rank");
  Ints shape;
  for (int64_t d : permutation) shape.push_back(operand.type().shape[size_t(d)]);
  const DeclaredElement declared = SHLO_TRY(ElementOfResult(call));
  const ValueTypePtr type =
      SHLO_TRY(ResultType(call, 0, shape, DeclaredElement{operand.element(), declared.quantization}));
  call.results[0] = SHLO_TRY(Transpose(call.host, operand, permutation, type));
  return {};
}

Status EvaluateBroadcastInDim(KernelCall& call) {
  SHLO_TRY(CheckArity(call, 1));
  const Ints shape = SHLO_TRY(BroadcastShape(call));
  return BroadcastTo(call, shape);
}

Status EvaluateDynamicBroadcastInDim(KernelCall& call) {
  SHLO_TRY(CheckArity(call, 2));
  const Ints shape = SHLO_TRY(IndexOf(call.operand(1)));
  return BroadcastTo(call, shape);
}

// Older `broadcast`: prepends dimensions.
Status EvaluateBroadcast(KernelCall& call) {
  SHLO_TRY(CheckArity(call, 1));
  const Tensor& operand = call.operand(0);
  Ints shape = SHLO_TRY(IntsOf(call, "broadcast_sizes"));
  Ints dimensions;
  for (int64_t extent : operand.type().shape) {
    dimensions.push_back(int64_t(shape.size()));
    shape.push_back(extent);
  }
  const ValueTypePtr type = SHLO_TRY(ResultType(call, 0, shape, operand));
  call.results[0] = SHLO_TRY(Broadcast(call.host, operand, dimensions, type));
  return {};
}

Status EvaluateSlice(KernelCall& call) {
  SHLO_TRY(CheckArity(call, 1));
  const Ints start = SHLO_TRY(IntsOf(call, "start_indices"));
  const Ints limit = SHLO_TRY(IntsOf(call, "limit_indices"));
  const Ints strides = SHLO_TRY(IntsOf(call, "strides"));
  return SliceTo(call, start, limit, strides);
}

Status EvaluateRealDynamicSlice(KernelCall& call) {
  SHLO_TRY(CheckArity(call, 4));
  const Ints start = SHLO_TRY(IndexOf(call.operand(1)));
  const Ints limit = SHLO_TRY(IndexOf(call.operand(2)));
  const Ints strides = SHLO_TRY(IndexOf(call.operand(3)));
  return SliceTo(call, start, limit, strides);
}

// Specification, "dynamic_slice": the start is clamped so that the slice is in bounds.
Status EvaluateDynamicSlice(KernelCall& call) {
  if (call.operands.empty() || call.results.size() != 1) return Invalid("missing operand");
  const Ints sizes = SHLO_TRY(IntsOf(call, "slice_sizes"));
  const Ints start = SHLO_TRY(AdjustedStart(call, 1, sizes));
  const ValueTypePtr type = SHLO_TRY(ResultType(call, 0, sizes, call.operand(0)));
  call.results[0] = SHLO_TRY(Slice(call.host, call.operand(0), start, Ints(sizes.size(), 1), type));
  return {};
}

// Specification, "dynamic_update_slice": start indices as for dynamic_slice.
Status EvaluateDynamicUpdateSlice(KernelCall& call) {
  if (call.operands.size() < 2 || call.results.size() != 1) return Invalid("missing operands");
  const Tensor &operand = call.operand(0), &update = call.operand(1);
  if (operand.element() != update.element()) return Invalid("element types of operand and update differ");
  const Ints start = SHLO_TRY(AdjustedStart(call, 2, update.type().shape));
  SHLO_TRY(AllocateResult(call, 0, operand.type().shape, operand));
  Tensor& out = call.results[0];
  const size_t bytes = operand.element().bytes();
  if (operand.splat())
    FillElements(out.mutable_data(), operand.data(), operand.count(), bytes);
  else
    std::memcpy(out.mutable_data(), operand.data(), operand.stored_bytes());
  const Ints strides = StridesOf(operand.type().shape);
  int64_t offset = 0;
  for (size_t d = 0; d < start.size(); ++d) offset += start[d] * strides[d];
  CopyStrided(update.type().shape, update.data(),
              update.splat() ? Ints(start.size(), 0) : StridesOf(update.type().shape),
              out.mutable_data() + offset * int64_t(bytes), strides, bytes);
  return {};
}

Status EvaluatePad(KernelCall& call) {
  SHLO_TRY(CheckArity(call, 2));
  const Ints low = SHLO_TRY(IntsOf(call, "edge_padding_low"));
  const Ints high = SHLO_TRY(IntsOf(call, "edge_padding_high"));
  const Ints interior = SHLO_TRY(IntsOf(call, "interior_padding"));
  return PadBy(call, low, high, interior);
}

Status EvaluateDynamicPad(KernelCall& call) {
  SHLO_TRY(CheckArity(call, 5));
  const Ints low = SHLO_TRY(IndexOf(call.operand(2)));
  const Ints high = SHLO_TRY(IndexOf(call.operand(3)));
  const Ints interior = SHLO_TRY(IndexOf(call.operand(4)));
  return PadBy(call, low, high, interior);
}

namespace {

Status ConcatenateAlong(KernelCall& call, int64_t dimension) {
  if (call.operands.empty() || call.results.size() != 1) return Invalid("missing operand");
  Ints shape = call.operand(0).type().shape;
  if (dimension < 0 || dimension >= int64_t(shape.size())) return Invalid("dimension is out of range");
  shape[size_t(dimension)] = 0;
  for (const Tensor* operand : call.operands) {
    const ValueType& type = operand->type();
    if (type.element != call.operand(0).element() || type.shape.size() != shape.size())
      return Invalid("operand shapes do not match");
    for (size_t d = 0; d < shape.size(); ++d) {
      if (int64_t(d) == dimension)
        shape[d] += type.shape[d];
      else if (type.shape[d] != shape[d])
        return Invalid("operand shapes do not match");
    }
    if (shape[size_t(dimension)] > (1ll << 46)) return Error(Code::kLimit, "shape of result 0 is too large");
  }
  const ValueTypePtr type = SHLO_TRY(ResultType(call, 0, shape, call.operand(0)));
  call.results[0] = SHLO_TRY(Concatenate(call.host, call.operands, dimension, type));
  return {};
}

}  // namespace

Status EvaluateConcatenate(KernelCall& call) {
  const int64_t dimension = SHLO_TRY(IntOf(call, "dimension"));
  return ConcatenateAlong(call, dimension);
}

// tensor.concat.
Status EvaluateTensorConcat(KernelCall& call) {
  const int64_t dimension = SHLO_TRY(IntOf(call, "dim"));
  return ConcatenateAlong(call, dimension);
}

Status EvaluateReverse(KernelCall& call) {
  SHLO_TRY(CheckArity(call, 1));
  const Ints dimensions = SHLO_TRY(IntsOf(call, "dimensions"));
  call.results[0] = SHLO_TRY(Reverse(call.host, call.operand(0), dimensions));
  return {};
}

// Specification, "iota": the index along one dimension, converted to the element type.
Status EvaluateIota(KernelCall& call) {
  SHLO_TRY(CheckArity(call, 0));
  const Ints shape = SHLO_TRY(DeclaredShape(call));
  return IotaOf(call, shape);
}

Status EvaluateDynamicIota(KernelCall& call) {
  SHLO_TRY(CheckArity(call, 1));
  const Ints shape = SHLO_TRY(IndexOf(call.operand(0)));
  return IotaOf(call, shape);
}

Status EvaluateGetDimensionSize(KernelCall& call) {
  SHLO_TRY(CheckArity(call, 1));
  const int64_t dimension = SHLO_TRY(IntOf(call, "dimension"));
  const std::vector<int64_t>& shape = call.operand(0).type().shape;
  if (dimension < 0 || dimension >= int64_t(shape.size())) return Invalid("dimension is out of range");
  SHLO_TRY(AllocateResult(call, 0, {}, DeclaredElement{{TypeKind::kI32}, {}}));
  Store<int32_t>(call.results[0].mutable_data(), 0,
                 int32_t(std::min<int64_t>(shape[size_t(dimension)], INT32_MAX)));
  return {};
}

// Keeps the first elements along a dimension. A dimension with a bound may grow up to it: elements that are
// added are 0, as no program may depend on them. If the result type is static, only that size can be set.
Status EvaluateSetDimensionSize(KernelCall& call) {
  SHLO_TRY(CheckArity(call, 2));
  const Tensor& operand = call.operand(0);
  const int64_t dimension = SHLO_TRY(IntOf(call, "dimension"));
  const Ints size = SHLO_TRY(IndexOf(call.operand(1)));
  Ints shape = operand.type().shape;
  if (dimension < 0 || dimension >= int64_t(shape.size()) || size.size() != 1)
    return Invalid("dimension is out of range");
  int64_t& extent = shape[size_t(dimension)];
  const ShapedType declared(call.module, DeclaredType(call));
  const bool bounded =
      declared.ranked && dimension < declared.rank() && declared.bound(dimension) != kDynamic;
  const int64_t most = bounded ? declared.bound(dimension) : extent;
  if (size[0] > most)
    return Error(Code::kEvaluation, StrFormat("size {} of dimension {} exceeds its {} {}", size[0], dimension,
                                              bounded ? "bound" : "size", most));
  const bool grows = size[0] > extent;
  extent = size[0];
  const ValueTypePtr type = SHLO_TRY(ResultType(call, 0, shape, operand));
  if (!grows) {
    call.results[0] = SHLO_TRY(Slice(call.host, operand, Ints(shape.size(), 0), Ints(shape.size(), 1), type));
    return {};
  }
  Tensor zero = call.host.Allocate(MakeTensorType(operand.element(), {}), false);
  if (!zero) return OutOfMemory();
  std::memset(zero.mutable_data(), 0, zero.stored_bytes());
  const Ints none(shape.size(), 0);
  call.results[0] = SHLO_TRY(Pad(call.host, operand, zero, none, none, type));
  return {};
}

// Specification, "bitcast_convert": reinterprets the bits of one element as several or vice versa, least
// significant bits first. The real part of a complex number is in the low bits.
Status EvaluateBitcastConvert(KernelCall& call) {
  SHLO_TRY(CheckArity(call, 1));
  const Tensor& operand = call.operand(0);
  const DeclaredElement declared = SHLO_TRY(ElementOfResult(call));
  const uint32_t from = operand.element().width(), to = declared.element.width();
  Ints shape = operand.type().shape;
  if (from > to) {
    if (from % to != 0) return Invalid("element type widths do not match");
    shape.push_back(from / to);
  } else if (from < to) {
    if (to % from != 0 || shape.empty() || shape.back() != to / from)
      return Invalid("element type widths do not match");
    shape.pop_back();
  }
  const ValueTypePtr type = SHLO_TRY(ResultType(call, 0, shape, declared));
  const bool whole_bytes = from == 8 * operand.element().bytes() && to == 8 * declared.element.bytes();
  if (whole_bytes && (from == to || !operand.splat())) {
    call.results[0] = operand.As(type);
    return {};
  }
  const Tensor dense = Dense(call.host, operand);
  if (!dense) return OutOfMemory();
  call.results[0] = call.host.Allocate(type, false);
  if (!call.results[0]) return OutOfMemory();
  uint8_t* out = call.results[0].mutable_data();
  if (whole_bytes) {
    std::memcpy(out, dense.data(), dense.stored_bytes());
    return {};
  }
  // Collect up to 128 bits, because elements may be narrower than a byte.
  const uint32_t group = std::max(from, to);
  const uint32_t from_bytes = operand.element().bytes(), to_bytes = declared.element.bytes();
  const uint64_t groups = operand.count() / (group / from);
  using Bits = unsigned __int128;
  for (uint64_t g = 0; g < groups; ++g) {
    Bits bits = 0;
    for (uint32_t i = 0; i < group / from; ++i) {
      Bits v = 0;
      std::memcpy(&v, dense.data() + (g * (group / from) + i) * from_bytes, from_bytes);
      bits |= v << (i * from);
    }
    for (uint32_t i = 0; i < group / to; ++i) {
      Bits v = bits >> (i * to);
      if (to < 128) v &= (Bits(1) << to) - 1;
      std::memcpy(out + (g * (group / to) + i) * to_bytes, &v, to_bytes);
    }
  }
  return {};
}

// CHLO, "constant_like": a splat of the attribute's value, with its type and the shape of the operand.
Status EvaluateConstantLike(KernelCall& call) {
  SHLO_TRY(CheckArity(call, 1));
  const AttrId value = call.module.InherentAttrOf(call.op, "value");
  if (!value) return Invalid("missing attribute 'value'");
  const DeclaredElement declared = SHLO_TRY(ElementOfResult(call));
  const ElementType element = declared.element;
  const auto bits = BitsOfNumber(call.module, value);
  const bool fits = bits && ElementTypeOf(call.module, call.module.TypeOf(value)) == element &&
                    bits->size_bytes() >= element.part_bytes();
  if (declared.quantization || (bits && !fits)) return Invalid("value does not match the result type");
  Tensor constant = call.host.Allocate(MakeTensorType(element, {}), false);
  if (!constant) return OutOfMemory();
  std::memset(constant.mutable_data(), 0, element.bytes());
  if (bits) {
    std::memcpy(constant.mutable_data(), bits->data(), element.part_bytes());
    const int unused = BitWidth(element.kind) % 8;
    if (unused) constant.mutable_data()[element.part_bytes() - 1] &= uint8_t((1 << unused) - 1);
  } else {
    const Tensor given = SHLO_TRY(TensorFromAttr(call.module, value));
    if (given.count() != 1 || given.element() != element)
      return Invalid("value does not match the result type");
    std::memcpy(constant.mutable_data(), given.data(), element.bytes());
  }
  const ValueTypePtr type = SHLO_TRY(ResultType(call, 0, call.operand(0).type().shape, declared));
  call.results[0] = SHLO_TRY(Broadcast(call.host, constant, {}, type));
  return {};
}

}  // namespace shlo
