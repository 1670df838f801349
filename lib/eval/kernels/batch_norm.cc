// Batch normalization, computed with the ops that the specification defines it by, in the same order. Results
// are bit-identical to those of the expanded program.
#include "eval/kernel/move_elements.h"
#include "eval/kernels/contraction.h"
#include "eval/kernels/elementwise.h"
#include "eval/kernels/kernels.h"
#include "eval/loops/element_loops.h"
#include "ir/table/float_format.h"
#include "ir/table/ops.h"

namespace shlo {
namespace {

// Element-wise ops on tensors of the operand's type. Keeps the first error.
class Steps {
 public:
  Steps(KernelCall& call, int64_t feature) : call_(call), feature_(feature) {}

  Tensor Keep(Result<Tensor> value) {
    if (value) return std::move(*value);
    if (status) status = tl::make_unexpected(std::move(value.error()));
    return {};
  }
  template <typename... T>
  Tensor Do(RowId op, const T&... operands) {
    if (!status || !(bool(operands) && ...)) return {};
    return Keep(ApplyOp(call_.host, op, {&operands...}));
  }
  Tensor Add(const Tensor& a, const Tensor& b) { return Do(ops::kAdd, a, b); }
  Tensor Subtract(const Tensor& a, const Tensor& b) { return Do(ops::kSubtract, a, b); }
  Tensor Multiply(const Tensor& a, const Tensor& b) { return Do(ops::kMultiply, a, b); }
  Tensor Divide(const Tensor& a, const Tensor& b) { return Do(ops::kDivide, a, b); }
  Tensor Sqrt(const Tensor& a) { return Do(ops::kSqrt, a); }
  // Broadcasts a vector of features to the shape of the operand.
  Tensor Spread(const Tensor& vector, const ValueTypePtr& type) {
    if (!status || !vector) return {};
    return Keep(Broadcast(call_.host, vector, std::span(&feature_, 1), type));
  }
  // Returns a splat.
  Tensor Constant(double value, const ValueTypePtr& type) {
    if (!status) return {};
    Tensor out = call_.host.Allocate(type, type->count > 0);
    if (!out) {
      status = OutOfMemory();
      return {};
    }
    const uint64_t bits = EncodeFloat(type->element.kind, value);
    if (type->count > 0) std::memcpy(out.mutable_data(), &bits, type->element.bytes());
    return out;
  }
  // Sums over all dimensions except the feature dimension, in row-major order.
  Tensor Sum(const Tensor& operand) {
    if (!status || !operand) return {};
    const Tensor dense = Dense(call_.host, operand);
    const std::vector<int64_t>& shape = operand.type().shape;
    const int64_t extent[1] = {shape[size_t(feature_)]};
    const ValueTypePtr type = MakeTensorType(operand.element(), extent);
    Tensor out = type ? call_.host.Allocate(type, false) : Tensor();
    if (!out || !dense) {
      status = OutOfMemory();
      return {};
    }
    std::memset(out.mutable_data(), 0, type->bytes);
    const ElementType types[2] = {operand.element(), operand.element()};
    LoopQuery query{.operands = types};
    const ElementLoop add = PickAdd(query);
    if (!add) {
      status = NoMeaning(operand.element());
      return {};
    }
    const uint64_t inner = uint64_t(StridesOf(shape)[size_t(feature_)]);
    const size_t bytes = operand.element().bytes();
    for (uint64_t i = 0; i < operand.count();) {
      // If features are the last dimension, add whole rows.
      const uint64_t n = inner == 1 ? uint64_t(extent[0]) : 1;
      uint8_t* to = out.mutable_data() + i / inner % uint64_t(extent[0]) * bytes;
      const uint8_t* terms[2] = {to, dense.data() + i * bytes};
      add.run(add, terms, to, n);
      i += n;
    }
    return out;
  }
  Tensor Mean(const Tensor& operand) {
    const Tensor sum = Sum(operand);
    if (!sum) return {};
    const double count = double(operand.count()) / double(std::max<uint64_t>(sum.count(), 1));
    return Divide(sum, Constant(count, sum.type_ptr()));
  }

  Status status;

 private:
  KernelCall& call_;
  int64_t feature_;
};

struct BatchNorm {
  double epsilon = 0;
  int64_t feature = 0;
  ValueTypePtr type;
};
Result<BatchNorm> ReadBatchNorm(const KernelCall& call, size_t operands, size_t results) {
  SHLO_TRY(CheckArity(call, operands, results));
  BatchNorm b;
  b.type = call.operand(0).type_ptr();
  b.epsilon = SHLO_TRY(FloatOf(call, "epsilon"));
  b.feature = SHLO_TRY(IntOf(call, "feature_index"));
  if (b.feature < 0 || b.feature >= b.type->rank() || !b.type->element.is_float())
    return Invalid("feature_index is out of range");
  for (size_t i = 1; i < operands; ++i) {
    const ValueType& type = call.operand(i).type();
    const bool whole = type.rank() == b.type->rank() && type.shape == b.type->shape;
    if (type.element != b.type->element ||
        (!(whole && i == 4) && (type.rank() != 1 || type.shape[0] != b.type->shape[size_t(b.feature)])))
      return Invalid("operand shapes do not match");
  }
  return b;
}

Tensor Inference(Steps& s, const BatchNorm& b, const Tensor& operand, const Tensor& scale,
                 const Tensor& offset, const Tensor& mean, const Tensor& variance) {
  const Tensor centered = s.Subtract(operand, s.Spread(mean, b.type));
  const Tensor stddev = s.Sqrt(s.Add(s.Spread(variance, b.type), s.Constant(b.epsilon, b.type)));
  return s.Add(s.Multiply(s.Spread(scale, b.type), s.Divide(centered, stddev)), s.Spread(offset, b.type));
}

}  // namespace

// Specification, "batch_norm_inference".
Status EvaluateBatchNormInference(KernelCall& call) {
  const BatchNorm b = SHLO_TRY(ReadBatchNorm(call, 5, 1));
  Steps s(call, b.feature);
  call.results[0] =
      Inference(s, b, call.operand(0), call.operand(1), call.operand(2), call.operand(3), call.operand(4));
  return s.status;
}

// Specification, "batch_norm_training": with mean and variance of the operand.
Status EvaluateBatchNormTraining(KernelCall& call) {
  const BatchNorm b = SHLO_TRY(ReadBatchNorm(call, 3, 3));
  Steps s(call, b.feature);
  const Tensor& operand = call.operand(0);
  const Tensor mean = s.Mean(operand);
  const Tensor centered = s.Subtract(operand, s.Spread(mean, b.type));
  const Tensor variance = s.Mean(s.Multiply(centered, centered));
  call.results[0] = Inference(s, b, operand, call.operand(1), call.operand(2), mean, variance);
  call.results[1] = mean;
  call.results[2] = variance;
  return s.status;
}

// Specification, "batch_norm_grad"; names as in the specification.
Status EvaluateBatchNormGrad(KernelCall& call) {
  const BatchNorm b = SHLO_TRY(ReadBatchNorm(call, 5, 3));
  Steps s(call, b.feature);
  const Tensor &operand = call.operand(0), &scale = call.operand(1), &mean = call.operand(2),
               &variance = call.operand(3), &grad_output = call.operand(4);
  const Tensor scale_bcast = s.Spread(scale, b.type);
  const Tensor variance_epsilon = s.Add(s.Spread(variance, b.type), s.Constant(b.epsilon, b.type));
  const Tensor centered = s.Subtract(operand, s.Spread(mean, b.type));
  const Tensor stddev = s.Sqrt(variance_epsilon);
  const Tensor normalized = s.Divide(centered, stddev);
  const double per_feature =
      double(operand.count()) / double(std::max<int64_t>(b.type->shape[size_t(b.feature)], 1));
  const Tensor elements = s.Constant(per_feature, b.type);
  const Tensor i1 = s.Multiply(grad_output, elements);
  const Tensor i2 = s.Spread(s.Sum(grad_output), b.type);
  const Tensor i3 = s.Spread(s.Sum(s.Multiply(grad_output, centered)), b.type);
  const Tensor i5 = s.Divide(s.Multiply(i3, centered), variance_epsilon);
  const Tensor i6 = s.Subtract(s.Subtract(i1, i2), i5);
  call.results[0] = s.Multiply(s.Divide(s.Divide(scale_bcast, stddev), elements), i6);
  call.results[1] = s.Sum(s.Multiply(grad_output, normalized));
  call.results[2] = s.Sum(grad_output);
  return s.status;
}

}  // namespace shlo
