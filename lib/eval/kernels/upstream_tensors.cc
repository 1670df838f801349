// MLIR's dialect tensor: extents, single elements, and slices whose offsets and sizes are attributes or
// operands.
#include <algorithm>
#include <cstring>
#include <optional>

#include "base/format.h"
#include "eval/kernel/kernel_args.h"
#include "eval/kernel/move_elements.h"
#include "eval/kernels/kernels.h"
#include "shlo/types.h"

namespace shlo {
namespace {

Status PutIndexScalar(KernelCall& call, int64_t value) {
  SHLO_TRY(AllocateResult(call, 0, {}, DeclaredElement{{TypeKind::kIndex}, {}}));
  Store<int64_t>(call.results[0].mutable_data(), 0, value);
  return {};
}

// Returns the declared shape of result 0, whose dynamic sizes are operands in order, from `first` on.
Result<Ints> ShapeWith(const KernelCall& call, size_t first) {
  const ShapedType declared(call.module, DeclaredType(call));
  if (!declared.ranked) return Error(Code::kUnsupported, "result 0 does not have a rank");
  const Ints sizes = SHLO_TRY(IndexOf(call.operands.subspan(std::min(first, call.operands.size()))));
  Ints shape(declared.shape.begin(), declared.shape.end());
  size_t next = 0;
  for (int64_t& extent : shape) {
    if (extent != kDynamic) continue;
    if (next == sizes.size()) return Invalid("sizes do not match the result type");
    extent = sizes[next++];
  }
  if (next != sizes.size()) return Invalid("sizes do not match the result type");
  return shape;
}

// Returns the position of an element, from operands that index it.
Result<uint64_t> PositionOf(const Tensor& tensor, std::span<const Tensor* const> indices) {
  const Ints index = SHLO_TRY(IndexOf(indices));
  const std::vector<int64_t>& shape = tensor.type().shape;
  if (!tensor.type().is_tensor() || index.size() != shape.size())
    return Invalid("indices do not match the operand rank");
  const Ints strides = StridesOf(shape);
  uint64_t at = 0;
  for (size_t d = 0; d < shape.size(); ++d) {
    if (index[d] < 0 || index[d] >= shape[d])
      return Error(Code::kEvaluation,
                   StrFormat("index {} of dimension {} is out of bounds for size {}", index[d], d, shape[d]));
    at += uint64_t(index[d] * strides[d]);
  }
  return at;
}

Result<Tensor> CopyOf(KernelHost& host, const Tensor& tensor) {
  const Tensor dense = Dense(host, tensor);
  Tensor out = host.Allocate(tensor.type_ptr(), false);
  if (!dense || !out) return OutOfMemory();
  std::memcpy(out.mutable_data(), dense.data(), dense.stored_bytes());
  return out;
}

// Returns the operands of each segment.
Result<std::vector<std::span<const Tensor* const>>> SegmentsOf(const KernelCall& call, size_t count) {
  std::string_view name = "operandSegmentSizes";
  if (!call.module.AttributeOf(call.op, name)) name = "operand_segment_sizes";
  const Ints sizes = SHLO_TRY(IntsOf(call, name));
  std::vector<std::span<const Tensor* const>> out;
  size_t first = 0;
  for (const int64_t size : sizes) {
    if (size < 0 || uint64_t(size) > call.operands.size() - first)
      return Invalid(StrFormat("{} does not match the operands", name));
    out.push_back(call.operands.subspan(first, size_t(size)));
    first += size_t(size);
  }
  if (first != call.operands.size() || out.size() != count)
    return Invalid(StrFormat("{} does not match the operands", name));
  return out;
}

// Returns the numbers of an attribute, of which those that are dynamic are operands in order.
Result<Ints> Mixed(const KernelCall& call, std::string_view name, std::span<const Tensor* const> operands,
                   size_t rank) {
  Ints numbers = SHLO_TRY(IntsOf(call, name));
  const Ints given = SHLO_TRY(IndexOf(operands));
  size_t next = 0;
  for (int64_t& number : numbers)
    if (number == kDynamic && next < given.size()) number = given[next++];
  if (numbers.size() != rank || next != given.size() || std::ranges::find(numbers, kDynamic) != numbers.end())
    return Invalid(StrFormat("'{}' does not match the operands", name));
  return numbers;
}

struct SliceOf {
  Ints offsets, sizes, strides;
};

// Reads the slice of an op, whose first segment of offsets is `first`, and checks it against a shape.
Result<SliceOf> ReadSlice(const KernelCall& call, std::span<const std::span<const Tensor* const>> segments,
                          size_t first, std::span<const int64_t> shape) {
  SliceOf slice;
  slice.offsets = SHLO_TRY(Mixed(call, "static_offsets", segments[first], shape.size()));
  slice.sizes = SHLO_TRY(Mixed(call, "static_sizes", segments[first + 1], shape.size()));
  slice.strides = SHLO_TRY(Mixed(call, "static_strides", segments[first + 2], shape.size()));
  for (size_t d = 0; d < shape.size(); ++d) {
    const int64_t offset = slice.offsets[d], size = slice.sizes[d], stride = slice.strides[d];
    const bool inside = offset >= 0 && size >= 0 && stride >= 1 &&
                        (size == 0 ? offset <= shape[d]
                                   : offset < shape[d] && (size - 1) <= (shape[d] - 1 - offset) / stride);
    if (!inside)
      return Error(Code::kEvaluation,
                   StrFormat("slice of {} from {} by {} of dimension {} is out of bounds for size {}", size,
                             offset, stride, d, shape[d]));
  }
  return slice;
}

// Returns a shape without dimensions of one element, so that it fits a declared one.
Result<Ints> Reduced(std::span<const int64_t> shape, std::span<const int64_t> declared) {
  Ints out;
  for (size_t d = 0; d < shape.size(); ++d) {
    const bool fits = out.size() < declared.size() &&
                      (declared[out.size()] == kDynamic || declared[out.size()] == shape[d]);
    // A dimension of one element stays only if there is room for it.
    if (fits &&
        (shape[d] != 1 || declared.size() - out.size() >= shape.size() - d || declared[out.size()] == 1))
      out.push_back(shape[d]);
    else if (shape[d] != 1)
      return Error(Code::kEvaluation, "slice does not have the result type");
  }
  if (out.size() != declared.size()) return Error(Code::kEvaluation, "slice does not have the result type");
  return out;
}

// Returns the groups of dimensions in an attribute.
Result<std::vector<Ints>> Reassociation(const KernelCall& call, size_t rank) {
  std::vector<Ints> groups;
  int64_t next = 0;
  const AttrId attr = call.module.AttributeOf(call.op, "reassociation");
  for (const AttrId item : attr ? call.module.ElementsOf(attr) : IdList<AttrId>()) {
    groups.emplace_back();
    for (const AttrId number : call.module.ElementsOf(item)) {
      int64_t d = 0;
      if (!call.module.AsInteger(number, &d) || d != next++)
        return Invalid("'reassociation' is not in order");
      groups.back().push_back(d);
    }
  }
  if (uint64_t(next) != rank) return Invalid("'reassociation' does not match the rank");
  return groups;
}

Status AsShape(KernelCall& call, std::span<const int64_t> shape) {
  const Tensor& operand = call.operand(0);
  const ValueTypePtr type = SHLO_TRY(ResultType(call, 0, shape, operand));
  if (type->count != operand.count())
    return Error(Code::kEvaluation,
                 StrFormat("{} cannot be reshaped to {}", TypeName(operand.type()), TypeName(*type)));
  call.results[0] = operand.As(type);
  return {};
}

// Returns whether a region uses its arguments.
bool UsesArguments(const Module& module, RegionId region) {
  std::vector<RegionId> todo{region};
  std::vector<uint32_t> args;
  while (!todo.empty()) {
    const RegionId next = todo.back();
    todo.pop_back();
    for (const BlockId block : module.BlocksOf(next)) {
      if (next == region)
        for (uint32_t i = 0; i < module.blocks[block.v].args.count; ++i)
          args.push_back(module.ArgOf(block, i).v);
      for (const OpId id : module.OpsOf(block)) {
        for (const ValueId v : module.OperandsOf(module.ops[id.v]))
          if (std::ranges::find(args, v.v) != args.end()) return true;
        for (const RegionId nested : module.RegionsOf(module.ops[id.v])) todo.push_back(nested);
      }
    }
  }
  return false;
}

// Returns the element that a region yields for an index.
Result<Tensor> ElementAt(const KernelCall& call, RegionId region, std::span<const int64_t> index,
                         ElementType element) {
  std::vector<Tensor> args;
  for (const int64_t i : index) {
    Tensor arg = call.host.Allocate(MakeTensorType({TypeKind::kIndex}, {}), false);
    if (!arg) return OutOfMemory();
    Store<int64_t>(arg.mutable_data(), 0, i);
    args.push_back(std::move(arg));
  }
  SHLO_TRY(call.host.CountSteps(1));
  const std::vector<Tensor> values = SHLO_TRY(call.host.EvalRegion(call, region, args));
  if (values.size() != 1 || values[0].count() != 1 || values[0].element() != element)
    return Invalid("region does not yield an element of the result");
  return values[0];
}

}  // namespace

// tensor.dim, memref aside; shape.dim.
Status EvaluateTensorDim(KernelCall& call) {
  SHLO_TRY(CheckArity(call, 2));
  const Ints index = SHLO_TRY(IndexOf(call.operands.subspan(1)));
  const std::vector<int64_t>& shape = call.operand(0).type().shape;
  if (index[0] < 0 || index[0] >= int64_t(shape.size()))
    return Error(Code::kEvaluation,
                 StrFormat("dimension {} is out of range for rank {}", index[0], shape.size()));
  return PutIndexScalar(call, shape[size_t(index[0])]);
}

Status EvaluateTensorRank(KernelCall& call) {
  SHLO_TRY(CheckArity(call, 1));
  return PutIndexScalar(call, call.operand(0).type().rank());
}

Status EvaluateTensorExtract(KernelCall& call) {
  if (call.operands.empty() || call.results.size() != 1) return Invalid("missing operand");
  const Tensor& operand = call.operand(0);
  const uint64_t at = SHLO_TRY(PositionOf(operand, call.operands.subspan(1)));
  SHLO_TRY(AllocateResult(call, 0, {}, DeclaredElement{operand.element(), {}}));
  std::memcpy(call.results[0].mutable_data(), operand.at(at), operand.element().bytes());
  return {};
}

Status EvaluateTensorInsert(KernelCall& call) {
  if (call.operands.size() < 2 || call.results.size() != 1) return Invalid("missing operands");
  const Tensor &scalar = call.operand(0), &dest = call.operand(1);
  const uint64_t at = SHLO_TRY(PositionOf(dest, call.operands.subspan(2)));
  if (scalar.count() != 1 || scalar.element() != dest.element()) return Invalid("operand types do not match");
  call.results[0] = SHLO_TRY(CopyOf(call.host, dest));
  const size_t bytes = dest.element().bytes();
  std::memcpy(call.results[0].mutable_data() + at * bytes, scalar.data(), bytes);
  return {};
}

Status EvaluateFromElements(KernelCall& call) {
  if (call.results.size() != 1) return Invalid("expected 1 result");
  const Ints shape = SHLO_TRY(DeclaredShape(call));
  const DeclaredElement declared = SHLO_TRY(ElementOfResult(call));
  SHLO_TRY(AllocateResult(call, 0, shape, declared));
  if (call.results[0].count() != call.operands.size())
    return Invalid("elements do not match the result type");
  const size_t bytes = declared.element.bytes();
  for (size_t i = 0; i < call.operands.size(); ++i) {
    if (call.operand(i).element() != declared.element || call.operand(i).count() != 1)
      return Invalid("elements do not match the result type");
    std::memcpy(call.results[0].mutable_data() + i * bytes, call.operand(i).data(), bytes);
  }
  return {};
}

Status EvaluateTensorSplat(KernelCall& call) {
  if (call.operands.empty() || call.results.size() != 1) return Invalid("missing operand");
  const Ints shape = SHLO_TRY(ShapeWith(call, 1));
  if (call.operand(0).count() != 1) return Invalid("operand is not a scalar");
  const ValueTypePtr type =
      SHLO_TRY(ResultType(call, 0, shape, DeclaredElement{call.operand(0).element(), {}}));
  const Tensor scalar = call.operand(0).As(MakeTensorType(call.operand(0).element(), {}));
  call.results[0] = SHLO_TRY(Broadcast(call.host, scalar, {}, type));
  return {};
}

// tensor.empty: elements that no program may depend on; here, zeros.
Status EvaluateTensorEmpty(KernelCall& call) {
  if (call.results.size() != 1) return Invalid("expected 1 result");
  const Ints shape = SHLO_TRY(ShapeWith(call, 0));
  const DeclaredElement declared = SHLO_TRY(ElementOfResult(call));
  SHLO_TRY(AllocateResult(call, 0, shape, declared, /*splat=*/true));
  std::memset(call.results[0].mutable_data(), 0, call.results[0].stored_bytes());
  return {};
}

Status EvaluateTensorGenerate(KernelCall& call) {
  const auto regions = call.module.RegionsOf(call.op);
  if (regions.size() != 1 || call.results.size() != 1) return Invalid("expected 1 region and 1 result");
  const Ints shape = SHLO_TRY(ShapeWith(call, 0));
  const DeclaredElement declared = SHLO_TRY(ElementOfResult(call));
  SHLO_TRY(AllocateResult(call, 0, shape, declared));
  const size_t bytes = declared.element.bytes();
  uint64_t at = 0;
  for (IndexWalk index(shape); !index.done(); index.Next(), ++at) {
    const Tensor element = SHLO_TRY(ElementAt(call, regions[0], *index, declared.element));
    std::memcpy(call.results[0].mutable_data() + at * bytes, element.data(), bytes);
  }
  return {};
}

Status EvaluateTensorReshape(KernelCall& call) {
  SHLO_TRY(CheckArity(call, 2));
  const Ints shape = SHLO_TRY(IndexOf(call.operand(1)));
  return AsShape(call, shape);
}

Status EvaluateCollapseShape(KernelCall& call) {
  SHLO_TRY(CheckArity(call, 1));
  const std::vector<int64_t>& from = call.operand(0).type().shape;
  const std::vector<Ints> groups = SHLO_TRY(Reassociation(call, from.size()));
  Ints shape;
  for (const Ints& group : groups) {
    shape.push_back(1);
    for (const int64_t d : group)
      if (__builtin_mul_overflow(shape.back(), from[size_t(d)], &shape.back()))
        return Error(Code::kLimit, "shape of result 0 is too large");
  }
  // Without groups, all dimensions have one element.
  return AsShape(call, shape);
}

// tensor.expand_shape: the sizes are an attribute and operands; in older programs, those of the type, of
// which each group may leave one open.
Status EvaluateExpandShape(KernelCall& call) {
  if (call.operands.empty() || call.results.size() != 1) return Invalid("missing operand");
  const std::vector<int64_t>& from = call.operand(0).type().shape;
  const ShapedType declared(call.module, DeclaredType(call));
  Ints shape(declared.shape.begin(), declared.shape.end());
  if (call.module.AttributeOf(call.op, "static_output_shape")) {
    shape = SHLO_TRY(Mixed(call, "static_output_shape", call.operands.subspan(1), shape.size()));
    return AsShape(call, shape);
  }
  const std::vector<Ints> groups = SHLO_TRY(Reassociation(call, shape.size()));
  for (size_t g = 0; g < groups.size(); ++g) {
    int64_t known = 1, *open = nullptr;
    for (const int64_t d : groups[g]) {
      int64_t& extent = shape[size_t(d)];
      if (extent == kDynamic && open) return Invalid("sizes of the result are unknown");
      extent == kDynamic ? void(open = &extent) : void(known *= std::min<int64_t>(extent, 1ll << 30));
    }
    if (open && (known <= 0 || g >= from.size())) return Invalid("sizes of the result are unknown");
    if (open) *open = from[g] / known;
  }
  return AsShape(call, shape);
}

Status EvaluateExtractSlice(KernelCall& call) {
  if (call.results.size() != 1) return Invalid("expected 1 result");
  const auto segments = SHLO_TRY(SegmentsOf(call, 4));
  if (segments[0].size() != 1) return Invalid("missing operand");
  const Tensor& source = *segments[0][0];
  const SliceOf slice = SHLO_TRY(ReadSlice(call, segments, 1, source.type().shape));
  const ShapedType declared(call.module, DeclaredType(call));
  const Ints shape = SHLO_TRY(Reduced(slice.sizes, declared.shape));
  const ValueTypePtr full = MakeTensorType(source.element(), slice.sizes, source.type().quantization);
  if (!full) return OutOfMemory();
  const Tensor out = SHLO_TRY(Slice(call.host, source, slice.offsets, slice.strides, full));
  const ValueTypePtr type = SHLO_TRY(ResultType(call, 0, shape, source));
  call.results[0] = out.As(type);
  return {};
}

Status EvaluateInsertSlice(KernelCall& call) {
  if (call.results.size() != 1) return Invalid("expected 1 result");
  const auto segments = SHLO_TRY(SegmentsOf(call, 5));
  if (segments[0].size() != 1 || segments[1].size() != 1) return Invalid("missing operands");
  const Tensor &source = *segments[0][0], &dest = *segments[1][0];
  const SliceOf slice = SHLO_TRY(ReadSlice(call, segments, 2, dest.type().shape));
  const ValueTypePtr full = MakeTensorType(source.element(), slice.sizes);
  if (!full || full->count != source.count() || source.element() != dest.element())
    return Error(Code::kEvaluation,
                 StrFormat("{} does not have the size of the slice", TypeName(source.type())));
  call.results[0] = SHLO_TRY(CopyOf(call.host, dest));
  const Ints strides = StridesOf(dest.type().shape);
  Ints steps;
  int64_t offset = 0;
  for (size_t d = 0; d < strides.size(); ++d) {
    steps.push_back(slice.sizes[d] > 1 ? strides[d] * slice.strides[d] : 0);
    offset += strides[d] * slice.offsets[d];
  }
  if (full->count == 0) return {};
  const size_t bytes = dest.element().bytes();
  CopyStrided(slice.sizes, source.data(), source.splat() ? Ints(steps.size(), 0) : StridesOf(slice.sizes),
              call.results[0].mutable_data() + uint64_t(offset) * bytes, steps, bytes);
  return {};
}

// tensor.pad: the region yields the padding, which may depend on the index in the result.
Status EvaluateTensorPad(KernelCall& call) {
  const auto regions = call.module.RegionsOf(call.op);
  if (regions.size() != 1 || call.results.size() != 1) return Invalid("expected 1 region and 1 result");
  const auto segments = SHLO_TRY(SegmentsOf(call, 3));
  if (segments[0].size() != 1) return Invalid("missing operand");
  const Tensor& source = *segments[0][0];
  const size_t rank = source.type().shape.size();
  const Ints low = SHLO_TRY(Mixed(call, "static_low", segments[1], rank));
  const Ints high = SHLO_TRY(Mixed(call, "static_high", segments[2], rank));
  Ints shape(rank);
  for (size_t d = 0; d < rank; ++d) {
    constexpr int64_t kMost = 1ll << 46;
    if (low[d] < 0 || high[d] < 0 || low[d] > kMost || high[d] > kMost)
      return Error(Code::kEvaluation, StrFormat("padding of dimension {} is out of range", d));
    shape[d] = source.type().shape[d] + low[d] + high[d];
  }
  const ValueTypePtr type = SHLO_TRY(ResultType(call, 0, shape, source));
  const bool uniform = !UsesArguments(call.module, regions[0]);
  Tensor value = call.host.Allocate(MakeTensorType(source.element(), {}), false);
  if (!value) return OutOfMemory();
  std::memset(value.mutable_data(), 0, value.stored_bytes());
  if (uniform && type->count != source.count()) {
    value = SHLO_TRY(ElementAt(call, regions[0], Ints(rank, 0), source.element()));
  }
  call.results[0] = SHLO_TRY(Pad(call.host, source, value, low, Ints(rank, 0), type));
  if (uniform) return {};
  const size_t bytes = source.element().bytes();
  uint64_t at = 0;
  for (IndexWalk index(shape); !index.done(); index.Next(), ++at) {
    bool inside = true;
    for (size_t d = 0; d < rank; ++d)
      inside = inside && index[d] >= low[d] && index[d] < low[d] + source.type().shape[d];
    if (inside) continue;
    const Tensor element = SHLO_TRY(ElementAt(call, regions[0], *index, source.element()));
    std::memcpy(call.results[0].mutable_data() + at * bytes, element.data(), bytes);
  }
  return {};
}

namespace {

// The dimensions that tensor.gather and tensor.scatter index, and the vectors of indices.
struct GatherOf {
  Ints dimensions, indices, outer;
};
Result<GatherOf> ReadGather(const KernelCall& call, std::string_view name, const Tensor& indices,
                            std::span<const int64_t> shape) {
  GatherOf out;
  out.dimensions = SHLO_TRY(IntsOf(call, name));
  SHLO_TRY(CheckDimensions(name, out.dimensions, int64_t(shape.size())));
  out.indices = SHLO_TRY(IndexOf(indices));
  out.outer = indices.type().shape;
  if (out.outer.empty() || out.outer.back() != int64_t(out.dimensions.size()))
    return Invalid("indices do not match the dimensions");
  out.outer.pop_back();
  for (size_t i = 0; i < out.indices.size(); ++i) {
    const int64_t d = out.dimensions[i % out.dimensions.size()];
    if (out.indices[i] < 0 || out.indices[i] >= shape[size_t(d)])
      return Error(Code::kEvaluation, StrFormat("index {} of dimension {} is out of bounds for size {}",
                                                out.indices[i], d, shape[size_t(d)]));
  }
  return out;
}

// Copies the slices of `whole` at the indices to `parts`, one after the other, or back.
void MoveSlices(const GatherOf& gather, std::span<const int64_t> shape, uint8_t* parts, uint8_t* whole,
                bool back, size_t bytes) {
  Ints slice(shape.begin(), shape.end());
  for (const int64_t d : gather.dimensions) slice[size_t(d)] = 1;
  const Ints strides = StridesOf(shape), own = StridesOf(slice);
  uint64_t size = bytes, count = 1;
  for (const int64_t extent : slice) size *= uint64_t(extent);
  for (const int64_t extent : gather.outer) count *= uint64_t(extent);
  for (uint64_t v = 0; v < count; ++v) {
    int64_t offset = 0;
    for (size_t i = 0; i < gather.dimensions.size(); ++i)
      offset += gather.indices[v * gather.dimensions.size() + i] * strides[size_t(gather.dimensions[i])];
    uint8_t *part = parts + v * size, *at = whole + uint64_t(offset) * bytes;
    back ? CopyStrided(slice, part, own, at, strides, bytes)
         : CopyStrided(slice, at, strides, part, own, bytes);
  }
}

}  // namespace

Status EvaluateTensorGather(KernelCall& call) {
  SHLO_TRY(CheckArity(call, 2));
  Tensor source = SHLO_TRY(CopyOf(call.host, call.operand(0)));
  const std::vector<int64_t>& shape = source.type().shape;
  const GatherOf gather = SHLO_TRY(ReadGather(call, "gather_dims", call.operand(1), shape));
  // The dimensions that are indexed have one element in the result, or are left out.
  const ShapedType declared(call.module, DeclaredType(call));
  const bool all = declared.shape.size() == gather.outer.size() + shape.size();
  Ints out = gather.outer;
  for (size_t d = 0; d < shape.size(); ++d) {
    const bool indexed = std::ranges::find(gather.dimensions, int64_t(d)) != gather.dimensions.end();
    if (all || !indexed) out.push_back(indexed ? 1 : shape[d]);
  }
  SHLO_TRY(AllocateResult(call, 0, out, source));
  CountWork(call.host, double(call.results[0].count()) * 4);
  if (call.results[0].count() > 0)
    MoveSlices(gather, shape, call.results[0].mutable_data(), source.mutable_data(), false,
               source.element().bytes());
  return {};
}

Status EvaluateTensorScatter(KernelCall& call) {
  SHLO_TRY(CheckArity(call, 3));
  Tensor source = SHLO_TRY(CopyOf(call.host, call.operand(0)));
  Tensor dest = SHLO_TRY(CopyOf(call.host, call.operand(1)));
  const std::vector<int64_t>& shape = dest.type().shape;
  const GatherOf gather = SHLO_TRY(ReadGather(call, "scatter_dims", call.operand(2), shape));
  uint64_t count = 1;
  for (const int64_t extent : gather.outer) count *= uint64_t(extent);
  for (size_t d = 0; d < shape.size(); ++d)
    if (std::ranges::find(gather.dimensions, int64_t(d)) == gather.dimensions.end())
      count *= uint64_t(shape[d]);
  if (count != source.count() || source.element() != dest.element())
    return Invalid("operand shapes do not match");
  CountWork(call.host, double(count) * 4);
  if (count > 0)
    MoveSlices(gather, shape, source.mutable_data(), dest.mutable_data(), true, dest.element().bytes());
  call.results[0] = std::move(dest);
  return {};
}

}  // namespace shlo
