// Specification, "fft": discrete Fourier transforms along the last dimensions. Uses Cooley-Tukey over the
// factors of the length in the next wider format and rounds once, which is more accurate than the defining
// sum.
#include <cmath>
#include <complex>
#include <numbers>

#include "base/deadline.h"
#include "base/format.h"
#include "eval/kernel/move_elements.h"
#include "eval/kernels/contraction.h"
#include "eval/kernels/kernels.h"
#include "eval/loops/element_loop.h"

namespace shlo {
namespace {

using C = std::complex<long double>;

// Transforms the n values x[0], x[step], ...; roots[k] = exp(-+2 pi i k / total).
void Transform(const C* x, size_t step, C* out, size_t n, const std::vector<C>& roots,
               std::vector<C>& scratch) {
  if (n == 1) {
    out[0] = x[0];
    return;
  }
  size_t p = 2;
  while (p * p <= n && n % p != 0) ++p;
  if (n % p != 0) p = n;
  const size_t m = n / p, total = roots.size(), unit = total / n;
  for (size_t r = 0; r < p; ++r) Transform(x + r * step, step * p, out + r * m, m, roots, scratch);
  // Combines p transforms of length m; scratch holds one column.
  for (size_t k = 0; k < m; ++k) {
    C* column = scratch.data();
    for (size_t r = 0; r < p; ++r) column[r] = out[r * m + k] * roots[(r * k % n) * unit];
    for (size_t q = 0; q < p; ++q) {
      Tick(1 + p / 4);
      C sum = column[0];
      for (size_t r = 1; r < p; ++r) sum += column[r] * roots[((r * q % p) * m) * unit];
      out[q * m + k] = sum;
    }
  }
}

// Transforms one dimension of an array. A length with a large prime factor is that much more work.
Status TransformDimension(KernelHost& host, std::vector<C>& values, std::span<const int64_t> shape,
                          size_t dimension, bool inverse) {
  const size_t n = size_t(shape[dimension]);
  if (n <= 1) return {};
  constexpr uint64_t kPerStep = 64;  // products
  constexpr double kPerProduct = 9;  // nanoseconds, in long double
  uint64_t factors = 0;
  for (size_t p = 2, left = n; left > 1; ++p) {
    if (p * p > left) p = left;
    for (; left % p == 0; left /= p) factors += p;
  }
  SHLO_TRY(host.CountSteps(values.size() / kPerStep * factors));
  std::vector<C> roots(n), in(n), out(n), scratch(n);
  for (size_t k = 0; k < n; ++k) {
    const long double angle = 2 * std::numbers::pi_v<long double> * (long double)k / (long double)n;
    roots[k] = C(std::cos(angle), inverse ? std::sin(angle) : -std::sin(angle));
  }
  // Roots at multiples of a quarter turn are exact.
  for (size_t q = 0; q < 4; ++q)
    if (q * n % 4 == 0) {
      constexpr int kCos[4] = {1, 0, -1, 0}, kSin[4] = {0, 1, 0, -1};
      roots[q * n / 4 % n] = C(kCos[q], inverse ? kSin[q] : -kSin[q]);
    }
  const size_t stride = size_t(StridesOf(shape)[dimension]);
  // On one thread, because columns share the scratch space.
  host.Split(1, kPerProduct * double(values.size()) * double(factors), [&](uint64_t, uint64_t) {
    for (size_t base = 0; base < values.size(); ++base) {
      if (base / stride % n != 0) continue;
      for (size_t i = 0; i < n; ++i) in[i] = values[base + i * stride];
      Transform(in.data(), 1, out.data(), n, roots, scratch);
      const long double scale = inverse ? (long double)n : 1;
      for (size_t i = 0; i < n; ++i) values[base + i * stride] = out[i] / scale;
    }
  });
  return {};
}

}  // namespace

Status EvaluateFft(KernelCall& call) {
  SHLO_TRY(CheckArity(call, 1));
  enum { kFft, kIfft, kRfft, kIrfft };
  const int64_t type = SHLO_TRY(EnumOf(call, "fft_type"));
  const Ints length = SHLO_TRY(IntsOf(call, "fft_length"));
  constexpr uint64_t kMost = 1ull << 26;
  if (call.operand(0).count() > kMost)
    return Error(Code::kLimit, StrFormat("operand exceeds the limit of {} elements", kMost));
  const Tensor operand = Dense(call.host, call.operand(0));
  if (!operand) return OutOfMemory();
  const ElementType element = operand.element();
  Ints shape = operand.type().shape;
  const size_t rank = shape.size(), dims = length.size();
  if (dims < 1 || dims > 3 || dims > rank || !IsFloat(element.kind) || element.complex == (type == kRfft))
    return Invalid("operand does not match fft_type and fft_length");
  if (element.kind != TypeKind::kF32 && element.kind != TypeKind::kF64) return NoMeaning(element);
  for (size_t d = 0; d < dims; ++d) {
    const bool half = type == kIrfft && d + 1 == dims && length[d] > 0;
    const int64_t expected = half ? length[d] / 2 + 1 : length[d];
    if (shape[rank - dims + d] != expected)
      return Error(Code::kEvaluation, "fft_length does not match the operand shape");
  }
  const size_t parts = element.complex ? 2 : 1;
  const auto part = [&](uint64_t i) -> long double {
    return element.kind == TypeKind::kF32 ? (long double)Load<float>(operand.data(), i)
                                          : (long double)Load<double>(operand.data(), i);
  };
  // Build the whole spectrum: for the inverse of a real transform, the second half is the conjugate.
  std::vector<C> values;
  const bool inverse = type == kIfft || type == kIrfft;
  values.reserve(operand.count());
  for (uint64_t i = 0; i < operand.count(); ++i)
    values.emplace_back(part(parts * i), parts == 2 ? part(parts * i + 1) : 0);
  const size_t last = rank - 1;
  for (size_t d = 0; d + 1 < dims; ++d)
    if (type == kFft || inverse)
      SHLO_TRY(TransformDimension(call.host, values, shape, rank - dims + d, inverse));
  if (type == kIrfft) {
    const size_t have = size_t(shape[last]), want = size_t(length[dims - 1]);
    std::vector<C> whole;
    whole.reserve(have == 0 ? 0 : values.size() / have * want);
    for (size_t base = 0; base < values.size(); base += have)
      for (size_t i = 0; i < want; ++i)
        whole.push_back(i < have
                            ? (i == 0 || 2 * i == want ? C(values[base + i].real(), 0) : values[base + i])
                            : std::conj(values[base + want - i]));
    values = std::move(whole);
    shape[last] = int64_t(want);
  }
  SHLO_TRY(TransformDimension(call.host, values, shape, last, inverse));
  if (type == kRfft) {
    const size_t have = size_t(shape[last]), want = have == 0 ? 0 : have / 2 + 1;
    std::vector<C> kept;
    for (size_t base = 0; base < values.size(); base += have)
      kept.insert(kept.end(), values.begin() + ptrdiff_t(base), values.begin() + ptrdiff_t(base + want));
    values = std::move(kept);
    shape[last] = int64_t(want);
    for (size_t d = 0; d + 1 < dims; ++d)
      SHLO_TRY(TransformDimension(call.host, values, shape, rank - dims + d, false));
  }
  ElementType result = element;
  result.complex = type != kIrfft;
  SHLO_TRY(AllocateResult(call, 0, shape, DeclaredElement{result, {}}));
  uint8_t* out = call.results[0].mutable_data();
  const size_t out_parts = result.complex ? 2 : 1;
  for (size_t i = 0; i < values.size(); ++i) {
    for (size_t p = 0; p < out_parts; ++p) {
      const long double v = p == 0 ? values[i].real() : values[i].imag();
      if (result.kind == TypeKind::kF32)
        Store<float>(out, out_parts * i + p, CanonicalNan(float(v)));
      else
        Store<double>(out, out_parts * i + p, CanonicalNan(double(v)));
    }
  }
  return {};
}

}  // namespace shlo
