// Normalization, decompositions and transforms.
#include "ir/verify/rules/common.h"

namespace shlo {
namespace {

// An operand with one element per feature, and the constraint on its size.
struct Feature {
  size_t operand;
  std::string_view label;
};

// The first operand, others of its shape, and those with one element per feature.
bool InferBatchNorm(OpCheck& c, std::initializer_list<size_t> whole, std::initializer_list<Feature> features,
                    std::string_view size_label, bool also_features) {
  for (size_t a : whole)
    if (!CompatibleShapes(c.In(0).shape, c.In(a).shape))
      return c.Fail("C3", "expects multi-dimensional operands to have compatible shapes.");
  for (const Feature& a : features)
    for (const Feature& b : features)
      if (!CompatibleShapes(c.In(a.operand).shape, c.In(b.operand).shape))
        return c.Fail(b.label, "expects single-dimensional operands to have compatible shapes.");
  const ShapedType operand = c.In(0);
  const int64_t index = c.Int("feature_index");
  if (index >= operand.rank())
    return c.Fail(
        "C1",
        "expects featureIndex to be smaller than the rank of multi-dimensional operands; got featureIndex "
        "{}, and rank {}.",
        index, operand.rank());
  const int64_t count = operand.dim(index), size = c.In(features.begin()->operand).dim(0);
  const auto text = [](int64_t d) { return d == kDynamic ? std::string("?") : StrFormat("{}", d); };
  if (!CompatibleDims(size, count))
    return c.Fail(
        size_label,
        "expects the size of single-dimensional operands to be compatible with feature count, but the size "
        "of single-dimensional operands is {} and the feature count is {}.",
        text(size), text(count));
  c.InferTensor(operand.shape, {operand.element}, operand.encoding);
  if (!also_features) return true;
  for (int i = 0; i < 2; ++i) {
    const int64_t bound = operand.bound(index);
    if (operand.bounds.empty())
      c.InferTensor(std::span(&count, 1), {operand.element});
    else
      c.InferTensor(std::span(&count, 1), {operand.element}, operand.encoding, std::span(&bound, 1));
  }
  return true;
}

}  // namespace

// operand, scale, mean, variance, grad_output
bool InferBatchNormGrad(OpCheck& c) {
  return InferBatchNorm(c, {0, 4}, {{1, "C4"}, {2, "C4"}, {3, "C4"}}, "C5", true);
}
// operand, scale, offset, mean, variance
bool InferBatchNormInference(OpCheck& c) {
  return InferBatchNorm(c, {0}, {{1, "C3"}, {2, "C4"}, {3, "C5"}, {4, "C6"}}, "C3", false);
}
// operand, scale, offset
bool InferBatchNormTraining(OpCheck& c) { return InferBatchNorm(c, {0}, {{1, "C3"}, {2, "C4"}}, "C3", true); }

bool InferCholesky(OpCheck& c) {
  const ShapedType a = c.In(0);
  if (a.rank() < 2) return c.Fail("C2", "argument 'a' must have rank >= 2, got shape {}.", c.List(a.shape));
  if (!CompatibleDims(a.dim(a.rank() - 2), a.dim(a.rank() - 1)))
    return c.Fail("C3", "minor dimensions of 'a' must have equal size, got shape {}.", c.List(a.shape));
  c.InferTensor(a.shape, {a.element}, a.encoding);  // C1
  return true;
}

bool InferTriangularSolve(OpCheck& c) {
  const ShapedType a = c.In(0), b = c.In(1);
  if (a.rank() < 2) return c.Fail("C2", "operand 'a' must have rank >= 2, but got {}", c.T(a.type));
  if (!CompatibleDims(a.dim(a.rank() - 2), a.dim(a.rank() - 1)))
    return c.Fail("C3", "two minor dimensions of operand 'a' must be compatible, but got {}", c.T(a.type));
  if (a.rank() != b.rank())
    return c.Fail("C2", "operands must have equal rank, but got {} and {}", c.T(a.type), c.T(b.type));
  const bool left = c.Flag("left_side");
  if (!CompatibleDims(a.dim(a.rank() - 1), b.dim(b.rank() - (left ? 2 : 1))))
    return c.Fail("C3", "shared dimension of operands 'a' and 'b' must be compatible, but got {} and {}",
                  c.T(a.type), c.T(b.type));
  const size_t batch = a.shape.size() - 2;
  if (!CompatibleShapes(a.shape.first(batch), b.shape.first(batch)))
    return c.Fail("C3", "batch dimensions of the operands must be compatible, but got {} and {}", c.T(a.type),
                  c.T(b.type));
  if (c.m.EnumValue(c.Attr("transpose_a"), AttrKind::kTranspose) ==
      FindCase(AttrKind::kTranspose, "TRANSPOSE_INVALID")->value)
    return c.Fail("R1", "Invalid transpose option value for triangular solve");
  c.InferTensor(b.shape, {b.element}, b.encoding);  // C4
  return true;
}

bool InferFft(OpCheck& c) {
  const ShapedType operand = c.In(0);
  const DimSpan length = c.Ints("fft_length");
  const int64_t fft_rank = int64_t(length.size());
  if (fft_rank > 3 || fft_rank < 1)
    return c.Fail("C3", "rank must be between 1 and 3, but got {}.", fft_rank);
  const auto type = c.m.EnumValue(c.Attr("fft_type"), AttrKind::kFftType);
  const auto is = [&](std::string_view name) { return type == FindCase(AttrKind::kFftType, name)->value; };
  const bool rfft = is("RFFT"), irfft = is("IRFFT");
  const auto element = c.m.types[operand.element];
  ElementRef result{operand.element};
  if (rfft) {
    if (element.kind != TypeKind::kF32 && element.kind != TypeKind::kF64)
      return c.Fail("C2", "RFFT requires f32 or f64 input type, but is given {}.", c.T(operand.element));
    result = ElementRef::ComplexOf(operand.element);
  } else {
    const auto complex = element.As<ComplexType>();
    if (!complex)
      return c.Fail("C2", "FFT/IFFT/IRFFT take a complex tensor as input, but is given {}.",
                    c.T(operand.type));
    if (irfft) result = {complex->element};
  }
  if (operand.rank() < fft_rank)
    return c.Fail("C1", "operand rank must not be less than fft rank of {} for operand of type {}.", fft_rank,
                  c.T(operand.type));
  Dims shape(operand.shape);
  const DimSpan inner = operand.shape.last(size_t(fft_rank));
  const int64_t last_length = length.back();
  const int64_t last = inner.back();
  if (rfft) {
    for (size_t i = 0; i < inner.size(); ++i)
      if (!CompatibleDims(inner[i], length[i]))
        return c.Fail(
            "C4",
            "RFFT requires innermost dimensions to be compatible with fft_length. Got: {} but wanted {}.",
            c.List(operand.shape), c.List(length));
    if (last_length != 0) shape[shape.size() - 1] = last_length / 2 + 1;
  }
  if (irfft) {
    for (size_t i = 0; i + 1 < inner.size(); ++i)
      if (!CompatibleDims(inner[i], length[i]))
        return c.Fail(
            "C4",
            "IRFFT requires non-final dimensions to be compatible with fft_length. Got: {} but wanted {}, "
            "and {} != {}.",
            c.List(operand.shape), c.List(length), inner[i], length[i]);
    if ((!CompatibleDims(last, 0) || last_length != 0) && !CompatibleDims(last, last_length / 2 + 1))
      return c.Fail(
          "C5",
          "IRFFT requires innermost dimension to be compatible with fft_length[-1]/2+1. Got: {} but "
          "fft_length is {}.",
          last, c.List(length));
    shape[shape.size() - 1] = last_length;
  }
  Dims bounds(operand.bounds);
  if ((rfft || irfft) && !bounds.empty()) bounds[bounds.size() - 1] = kDynamic;
  c.InferTensor(shape, result, operand.encoding, bounds);
  return true;
}

}  // namespace shlo
