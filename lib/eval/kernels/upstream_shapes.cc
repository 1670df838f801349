// MLIR's dialect shape. A shape is a vector of sizes, a size an index, a !shape.witness a boolean, and a
// value with a shape a tuple of both. A shape that is an error is one in evaluation.
#include <algorithm>
#include <cstring>
#include <optional>

#include "base/format.h"
#include "eval/kernel/kernel_args.h"
#include "eval/kernels/kernels.h"

namespace shlo {
namespace {

Status PutSize(KernelCall& call, size_t i, int64_t size) {
  SHLO_TRY(AllocateResult(call, i, {}, DeclaredElement{{TypeKind::kIndex}, {}}));
  Store<int64_t>(call.results[i].mutable_data(), 0, size);
  return {};
}

Status PutShape(KernelCall& call, size_t i, const Ints& shape) {
  const int64_t extent[1] = {int64_t(shape.size())};
  SHLO_TRY(AllocateResult(call, i, extent, DeclaredElement{{TypeKind::kIndex}, {}}));
  if (!shape.empty())
    std::memcpy(call.results[i].mutable_data(), shape.data(), shape.size() * sizeof(int64_t));
  return {};
}

Status PutTruth(KernelCall& call, bool truth) {
  SHLO_TRY(AllocateResult(call, 0, {}, DeclaredElement{{TypeKind::kI1}, {}}));
  *call.results[0].mutable_data() = truth;
  return {};
}

Result<Ints> SizesOf(const Tensor& shape) {
  if (!shape.type().is_tensor() || shape.type().rank() != 1) return Invalid("operand is not a shape");
  return IndexOf(shape);
}

Result<std::vector<Ints>> ShapesOf(const KernelCall& call) {
  std::vector<Ints> shapes;
  for (const Tensor* operand : call.operands) {
    Ints sizes = SHLO_TRY(SizesOf(*operand));
    shapes.push_back(std::move(sizes));
  }
  return shapes;
}

// Returns the shape that all broadcast to; nullopt if there is none.
std::optional<Ints> BroadcastOf(const std::vector<Ints>& shapes) {
  Ints out;
  for (const Ints& shape : shapes) {
    if (shape.size() > out.size()) out.insert(out.begin(), shape.size() - out.size(), 1);
    for (size_t i = 0; i < shape.size(); ++i) {
      int64_t& extent = out[out.size() - shape.size() + i];
      if (shape[i] == 1 || shape[i] == extent) continue;
      if (extent != 1) return std::nullopt;
      extent = shape[i];
    }
  }
  return out;
}

// Returns the message of an op for an error, or a default.
tl::unexpected<Diagnostics> ShapeError(const KernelCall& call, std::string_view text) {
  call.module.AsString(call.module.AttributeOf(call.op, "error"), &text);
  return Error(Code::kEvaluation, std::string(text));
}

}  // namespace

Status EvaluateShapeOf(KernelCall& call) {
  SHLO_TRY(CheckArity(call, 1));
  const Tensor& operand = call.operand(0);
  if (operand.members().size() == 2) {  // of a value with a shape
    call.results[0] = operand.members()[1];
    return {};
  }
  if (!operand.type().is_tensor()) return Invalid("operand is not a tensor");
  return PutShape(call, 0, operand.type().shape);
}

Status EvaluateConstShape(KernelCall& call) {
  SHLO_TRY(CheckArity(call, 0));
  const Ints shape = SHLO_TRY(IntsOf(call, "shape"));
  return PutShape(call, 0, shape);
}

Status EvaluateShapeRank(KernelCall& call) {
  SHLO_TRY(CheckArity(call, 1));
  const Ints shape = SHLO_TRY(SizesOf(call.operand(0)));
  return PutSize(call, 0, int64_t(shape.size()));
}

Status EvaluateNumElements(KernelCall& call) {
  SHLO_TRY(CheckArity(call, 1));
  const Ints shape = SHLO_TRY(SizesOf(call.operand(0)));
  int64_t product = 1;
  for (const int64_t extent : shape)
    if (__builtin_mul_overflow(product, extent, &product))
      return Error(Code::kEvaluation, "number of elements is too large");
  return PutSize(call, 0, product);
}

Status EvaluateGetExtent(KernelCall& call) {
  SHLO_TRY(CheckArity(call, 2));
  const Ints shape = SHLO_TRY(SizesOf(call.operand(0)));
  const Ints dim = SHLO_TRY(IndexOf(call.operands.subspan(1)));
  if (dim[0] < 0 || dim[0] >= int64_t(shape.size()))
    return Error(Code::kEvaluation,
                 StrFormat("dimension {} is out of range for rank {}", dim[0], shape.size()));
  return PutSize(call, 0, shape[size_t(dim[0])]);
}

Status EvaluateFromExtents(KernelCall& call) {
  SHLO_TRY(CheckArity(call, call.operands.size()));
  const Ints shape = SHLO_TRY(IndexOf(call.operands));
  return PutShape(call, 0, shape);
}

Status EvaluateShapeBroadcast(KernelCall& call) {
  SHLO_TRY(CheckArity(call, call.operands.size()));
  const std::vector<Ints> shapes = SHLO_TRY(ShapesOf(call));
  const auto shape = BroadcastOf(shapes);
  if (!shape) return ShapeError(call, "shapes cannot be broadcast");
  return PutShape(call, 0, *shape);
}

Status EvaluateShapeConcat(KernelCall& call) {
  SHLO_TRY(CheckArity(call, 2));
  const std::vector<Ints> shapes = SHLO_TRY(ShapesOf(call));
  return PutShape(call, 0, Joined({shapes[0], shapes[1]}));
}

// shape.split_at: a negative index counts from the end.
Status EvaluateSplitAt(KernelCall& call) {
  SHLO_TRY(CheckArity(call, 2, 2));
  const Ints shape = SHLO_TRY(SizesOf(call.operand(0)));
  Ints index = SHLO_TRY(IndexOf(call.operands.subspan(1)));
  const int64_t rank = int64_t(shape.size());
  if (index[0] < -rank || index[0] > rank)
    return Error(Code::kEvaluation, StrFormat("index {} is out of range for rank {}", index[0], rank));
  const auto at = shape.begin() + (index[0] < 0 ? index[0] + rank : index[0]);
  SHLO_TRY(PutShape(call, 0, Ints(shape.begin(), at)));
  return PutShape(call, 1, Ints(at, shape.end()));
}

// shape.add, mul, div, min, max: of sizes, or of shapes size by size.
Status EvaluateSizes(KernelCall& call) {
  SHLO_TRY(CheckArity(call, 2));
  const Ints a = SHLO_TRY(IndexOf(call.operand(0)));
  const Ints b = SHLO_TRY(IndexOf(call.operand(1)));
  if (a.size() != b.size()) return ShapeError(call, "shapes have different ranks");
  const std::string_view name = call.module.NameOf(call.op);
  Ints out(a.size());
  for (size_t i = 0; i < a.size(); ++i) {
    bool wrong = false;
    if (name == "shape.add") {
      wrong = __builtin_add_overflow(a[i], b[i], &out[i]);
    } else if (name == "shape.mul") {
      wrong = __builtin_mul_overflow(a[i], b[i], &out[i]);
    } else if (name == "shape.div") {  // rounded down
      wrong = b[i] == 0 || (b[i] == -1 && a[i] == INT64_MIN);
      if (!wrong) out[i] = a[i] / b[i] - (a[i] % b[i] != 0 && (a[i] < 0) != (b[i] < 0) ? 1 : 0);
    } else {
      out[i] = name == "shape.min" ? std::min(a[i], b[i]) : std::max(a[i], b[i]);
    }
    if (wrong) return ShapeError(call, "size is out of range");
  }
  return call.operand(0).type().shape.empty() ? PutSize(call, 0, out[0]) : PutShape(call, 0, out);
}

// shape.meet: both, which are equal.
Status EvaluateMeet(KernelCall& call) {
  SHLO_TRY(CheckArity(call, 2));
  const Ints a = SHLO_TRY(IndexOf(call.operand(0)));
  const Ints b = SHLO_TRY(IndexOf(call.operand(1)));
  if (a != b) return ShapeError(call, "operands differ");
  call.results[0] = call.operand(0);
  return {};
}

// shape.any: one of the shapes.
Status EvaluateAnyShape(KernelCall& call) {
  if (call.operands.empty() || call.results.size() != 1) return Invalid("missing operand");
  call.results[0] = call.operand(0);
  return {};
}

// shape.is_broadcastable, shape.cstr_broadcastable.
Status EvaluateIsBroadcastable(KernelCall& call) {
  SHLO_TRY(CheckArity(call, call.operands.size()));
  const std::vector<Ints> shapes = SHLO_TRY(ShapesOf(call));
  return PutTruth(call, BroadcastOf(shapes).has_value());
}

// shape.shape_eq, shape.cstr_eq.
Status EvaluateShapesEqual(KernelCall& call) {
  SHLO_TRY(CheckArity(call, call.operands.size()));
  const std::vector<Ints> shapes = SHLO_TRY(ShapesOf(call));
  return PutTruth(call, std::ranges::all_of(shapes, [&](const Ints& shape) { return shape == shapes[0]; }));
}

// shape.const_witness, shape.cstr_require, shape.assuming_all: whether all operands hold.
Status EvaluateWitness(KernelCall& call) {
  SHLO_TRY(CheckArity(call, call.operands.size()));
  bool holds = SHLO_TRY(FlagOf(call, "passing", true));
  for (const Tensor* operand : call.operands) {
    if (!operand->element().is_bool() || operand->count() != 1) return Invalid("operand is not a boolean");
    holds = holds && *operand->data() != 0;
  }
  return PutTruth(call, holds);
}

// shape.reduce: the region gets the index and size of each dimension, and the values so far.
Status EvaluateShapeReduce(KernelCall& call) {
  const auto regions = call.module.RegionsOf(call.op);
  if (regions.size() != 1 || call.operands.size() != call.results.size() + 1)
    return Invalid("numbers of operands and results differ");
  const Ints shape = SHLO_TRY(SizesOf(call.operand(0)));
  std::vector<Tensor> state;
  for (const Tensor* operand : call.operands.subspan(1)) state.push_back(*operand);
  for (size_t d = 0; d < shape.size(); ++d) {
    std::vector<Tensor> args;
    for (const int64_t number : {int64_t(d), shape[d]}) {
      args.push_back(call.host.Allocate(MakeTensorType({TypeKind::kIndex}, {}), false));
      if (!args.back()) return OutOfMemory();
      Store<int64_t>(args.back().mutable_data(), 0, number);
    }
    args.insert(args.end(), state.begin(), state.end());
    SHLO_TRY(call.host.CountSteps(1));
    state = SHLO_TRY(call.host.EvalRegion(call, regions[0], args));
  }
  if (state.size() != call.results.size()) return Invalid("region returns a wrong number of values");
  std::ranges::move(state, call.results.begin());
  return {};
}

Status EvaluateWithShape(KernelCall& call) {
  SHLO_TRY(CheckArity(call, 2));
  const Tensor& value = call.operand(0);
  call.results[0] =
      Tensor::Tuple({value.members().size() == 2 ? value.members()[0] : value, call.operand(1)});
  return {};
}

Status EvaluateValueOf(KernelCall& call) {
  SHLO_TRY(CheckArity(call, 1));
  if (call.operand(0).members().size() != 2) return Invalid("operand is not a value with a shape");
  call.results[0] = call.operand(0).members()[0];
  return {};
}

}  // namespace shlo
