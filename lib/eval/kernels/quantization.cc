#include "eval/kernels/quantization.h"

#include <cmath>

#include "base/deadline.h"
#include "eval/kernel/kernel_args.h"
#include "eval/kernel/move_elements.h"
#include "eval/kernels/elementwise.h"
#include "eval/kernels/kernels.h"
#include "eval/loops/element_loops.h"
#include "eval/loops/numeric/float_codec.h"

namespace shlo {
namespace {

// Iterates over the scales and zero points of elements, in row-major order.
class ScaleWalk {
 public:
  explicit ScaleWalk(const ValueType& type) : quantization_(*type.quantization), index_(type.shape) {}
  size_t Next() {
    size_t block = 0;
    for (size_t k = 0; k < quantization_.dimensions.size(); ++k)
      block = block * size_t(quantization_.blocks[k]) +
              size_t(index_[size_t(quantization_.dimensions[k])] / quantization_.block_sizes[k]);
    if (!quantization_.dimensions.empty()) index_.Next();
    return block;
  }

 private:
  const Quantization& quantization_;
  IndexWalk index_;
};

constexpr size_t kBlock = 256;

// Per element, approximately.
constexpr double kNanoseconds = 7;

// Rounds a double to the expressed type. The operands are exact, so the result is rounded once.
void RoundTo(const FloatCodec& codec, double* values, size_t n) {
  uint8_t bytes[kBlock * 8];
  codec.from_f64(values, bytes, n);
  codec.to_f64(bytes, values, n);
}

}  // namespace

Result<Tensor> Dequantize(KernelHost& host, const Tensor& operand) {
  const Tensor dense = Dense(host, operand);
  if (!dense) return OutOfMemory();
  const Quantization& q = *operand.type().quantization;
  const ValueTypePtr type = MakeTensorType({q.expressed}, operand.type().shape);
  Tensor out = type ? host.Allocate(type, false) : Tensor();
  if (!out) return OutOfMemory();
  const FloatCodec& codec = *CodecOf(q.expressed);
  CountWork(host, double(operand.count()) * kNanoseconds);
  // A scale and a stored integer, in the expressed type.
  std::vector<double> scales = q.scales;
  for (double& scale : scales) RoundTo(codec, &scale, 1);
  ScaleWalk walk(operand.type());
  double numbers[kBlock], factors[kBlock];
  for (uint64_t i = 0; i < operand.count(); i += kBlock) {
    const size_t n = std::min<uint64_t>(kBlock, operand.count() - i);
    Tick(1 + n / 8);
    const bool known = WithIntType(operand.element().kind, [&]<typename T, int kWidth>() {
      for (size_t k = 0; k < n; ++k) {
        const size_t block = walk.Next();
        numbers[k] = double(int64_t(LoadInt<T, kWidth>(dense.at(i), k)) - q.zero_points[block]);
        factors[k] = scales[block];
      }
      return true;
    });
    if (!known) return NoMeaning(operand.element());
    RoundTo(codec, numbers, n);
    for (size_t k = 0; k < n; ++k) numbers[k] *= factors[k];
    codec.from_f64(numbers, out.mutable_data() + i * type->element.bytes(), n);
  }
  return out;
}

Result<Tensor> Quantize(KernelHost& host, const Tensor& operand, const ValueTypePtr& type) {
  const FloatCodec* codec = operand.element().complex ? nullptr : CodecOf(operand.element().kind);
  if (!codec || type->shape != operand.type().shape) return NoMeaning(operand.element());
  const Tensor dense = Dense(host, operand);
  Tensor out = host.Allocate(type, false);
  if (!dense || !out) return OutOfMemory();
  CountWork(host, double(operand.count()) * kNanoseconds);
  const Quantization& q = *type->quantization;
  std::vector<double> scales = q.scales;
  for (double& scale : scales) RoundTo(*codec, &scale, 1);
  ScaleWalk walk(*type);
  double numbers[kBlock];
  size_t blocks[kBlock];
  for (uint64_t i = 0; i < operand.count(); i += kBlock) {
    const size_t n = std::min<uint64_t>(kBlock, operand.count() - i);
    Tick(1 + n / 8);
    codec->to_f64(dense.at(i), numbers, n);
    for (size_t k = 0; k < n; ++k) {
      blocks[k] = walk.Next();
      numbers[k] /= scales[blocks[k]];
    }
    RoundTo(*codec, numbers, n);
    const bool known = WithIntType(type->element.kind, [&]<typename T, int kWidth>() {
      for (size_t k = 0; k < n; ++k) {
        // NaN converts to 0, after the zero point is added.
        const double sum =
            numbers[k] != numbers[k] ? 0 : std::nearbyint(numbers[k]) + double(q.zero_points[blocks[k]]);
        const int64_t stored = sum <= double(q.storage_min)   ? q.storage_min
                               : sum >= double(q.storage_max) ? q.storage_max
                                                              : int64_t(sum);
        StoreInt<T, kWidth>(out.mutable_data() + i * sizeof(T), k, T(stored));
      }
      return true;
    });
    if (!known) return NoMeaning(type->element);
  }
  return out;
}

// Specification, "uniform_quantize": quantizes floats, or requantizes a quantized tensor.
Status EvaluateUniformQuantize(KernelCall& call) {
  SHLO_TRY(CheckArity(call, 1));
  const DeclaredElement declared = SHLO_TRY(ElementOfResult(call));
  if (!declared.quantization) return Invalid("result type is not quantized");
  const ValueTypePtr type = SHLO_TRY(ResultType(call, 0, call.operand(0).type().shape, declared));
  Tensor numbers = call.operand(0);
  if (numbers.type().quantization) {
    numbers = SHLO_TRY(Dequantize(call.host, numbers));
  }
  call.results[0] = SHLO_TRY(Quantize(call.host, numbers, type));
  return {};
}

// Specification, "uniform_dequantize".
Status EvaluateUniformDequantize(KernelCall& call) {
  SHLO_TRY(CheckArity(call, 1));
  if (!call.operand(0).type().quantization) return Invalid("operand type is not quantized");
  call.results[0] = SHLO_TRY(Dequantize(call.host, call.operand(0)));
  return {};
}

}  // namespace shlo
