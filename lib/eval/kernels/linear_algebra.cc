// Linear algebra: cholesky and triangular_solve, on batches of matrices.
#include <algorithm>
#include <complex>

#include "base/deadline.h"
#include "eval/kernel/move_elements.h"
#include "eval/kernels/contraction.h"
#include "eval/kernels/elementwise.h"
#include "eval/kernels/kernels.h"
#include "eval/loops/element_loops.h"
#include "ir/table/ops.h"

namespace shlo {
namespace {

// Row operations with the loops of the element-wise ops, so that every step rounds to the element type.
class Rows {
 public:
  Rows(ElementType element, int64_t n) : element_(element), n_(size_t(n)) {
    const ElementType types[2] = {element, element};
    LoopQuery query{.operands = types};
    multiply_ = PickMultiply(query);
    subtract_ = PickSubtract(query);
    divide_ = PickDivide(query);
    factors_.resize(n_ * element.bytes());
    products_.resize(n_ * element.bytes());
  }
  explicit operator bool() const { return multiply_ && subtract_ && divide_; }
  // x -= a * y
  void SubtractProduct(uint8_t* x, const uint8_t* a, const uint8_t* y) {
    FillElements(factors_.data(), a, n_, element_.bytes());
    const uint8_t* product[2] = {factors_.data(), y};
    multiply_.run(multiply_, product, products_.data(), n_);
    const uint8_t* difference[2] = {x, products_.data()};
    subtract_.run(subtract_, difference, x, n_);
  }
  // x /= a
  void Divide(uint8_t* x, const uint8_t* a) {
    FillElements(factors_.data(), a, n_, element_.bytes());
    const uint8_t* quotient[2] = {x, factors_.data()};
    divide_.run(divide_, quotient, x, n_);
  }

 private:
  ElementType element_;
  size_t n_;
  ElementLoop multiply_, subtract_, divide_;
  std::vector<uint8_t> factors_, products_;
};

template <typename T>
T Conjugate(T v) {
  return v;
}
template <typename T>
std::complex<T> Conjugate(std::complex<T> v) {
  return std::conj(v);
}
template <typename T>
T RealPart(T v) {
  return v;
}
template <typename T>
T RealPart(std::complex<T> v) {
  return v.real();
}

// Factors a = l * l^H from the lower triangle, or a = u^H * u from the upper one, row by row. The other
// triangle of the result is zero. If the matrix is not positive definite, the remaining results are NaN.
template <typename T>
void Factor(const uint8_t* a, uint8_t* out, int64_t n, bool lower) {
  std::vector<T> l(size_t(n * n), T(0));
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j <= i; ++j) {
      Tick(1 + uint64_t(j) / 16);
      T sum = lower ? Load<T>(a, size_t(i * n + j)) : Conjugate(Load<T>(a, size_t(j * n + i)));
      for (int64_t k = 0; k < j; ++k) sum -= l[size_t(i * n + k)] * Conjugate(l[size_t(j * n + k)]);
      l[size_t(i * n + j)] = i == j ? T(std::sqrt(RealPart(sum))) : sum / RealPart(l[size_t(j * n + j)]);
    }
  }
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < n; ++j)
      Store<T>(out, size_t(i * n + j), lower ? l[size_t(i * n + j)] : Conjugate(l[size_t(j * n + i)]));
}

}  // namespace

// Specification, "cholesky". Computes small floats in f32.
Status EvaluateCholesky(KernelCall& call) {
  SHLO_TRY(CheckArity(call, 1));
  const bool lower = SHLO_TRY(FlagOf(call, "lower"));
  const Tensor& operand = call.operand(0);
  const Ints shape = operand.type().shape;
  const ElementType element = operand.element();
  if (shape.size() < 2 || shape[shape.size() - 1] != shape[shape.size() - 2] || !IsFloat(element.kind))
    return Invalid("operand is not a batch of square matrices");
  ElementType wide = element;
  wide.kind = BitWidth(element.kind) > 32 ? TypeKind::kF64 : TypeKind::kF32;
  const Tensor a = SHLO_TRY(DenseAs(call.host, operand, wide));
  Tensor out = call.host.Allocate(MakeTensorType(wide, shape), false);
  if (!out) return OutOfMemory();
  const int64_t n = shape.back();
  const uint64_t matrix = uint64_t(n * n) * wide.bytes();
  uint8_t* const all = out.mutable_data();
  const double products = double(n) * double(n) * double(n) / 6;
  const double nanoseconds = products * (wide.complex ? 8 : 2) + 100;  // per matrix
  call.host.Split(matrix == 0 ? 0 : a.stored_bytes() / matrix, nanoseconds,
                  [&](uint64_t begin, uint64_t end) {
                    for (uint64_t at = begin * matrix; at < end * matrix; at += matrix) {
                      const uint8_t* from = a.data() + at;
                      uint8_t* to = all + at;
                      if (wide.kind == TypeKind::kF32)
                        wide.complex ? Factor<std::complex<float>>(from, to, n, lower)
                                     : Factor<float>(from, to, n, lower);
                      else
                        wide.complex ? Factor<std::complex<double>>(from, to, n, lower)
                                     : Factor<double>(from, to, n, lower);
                    }
                  });
  call.results[0] = SHLO_TRY(DenseAs(call.host, out, element));
  return {};
}

// Specification, "triangular_solve": substitution, one row of unknowns at a time. Solves x * op(a) = b as
// op(a)^T * x^T = b^T.
Status EvaluateTriangularSolve(KernelCall& call) {
  SHLO_TRY(CheckArity(call, 2));
  const bool left = SHLO_TRY(FlagOf(call, "left_side"));
  bool lower = SHLO_TRY(FlagOf(call, "lower"));
  const bool unit = SHLO_TRY(FlagOf(call, "unit_diagonal"));
  const int64_t transpose = SHLO_TRY(EnumOf(call, "transpose_a"));
  enum { kNoTranspose = 1, kTranspose, kAdjoint };
  const ElementType element = call.operand(0).element();
  const Ints shape = call.operand(0).type().shape, b_shape = call.operand(1).type().shape;
  const size_t rank = shape.size();
  if (rank < 2 || b_shape.size() != rank || shape[rank - 1] != shape[rank - 2] || !IsFloat(element.kind) ||
      element != call.operand(1).element() || b_shape[left ? rank - 2 : rank - 1] != shape[rank - 1] ||
      !std::equal(shape.begin(), shape.end() - 2, b_shape.begin()))
    return Invalid("operand shapes do not match");
  const int64_t n = shape[rank - 1];
  Ints swapped(rank);
  for (size_t d = 0; d < rank; ++d) swapped[d] = int64_t(d);
  std::swap(swapped[rank - 1], swapped[rank - 2]);
  Tensor a = call.operand(0);
  const auto swap_last = [&](const Tensor& t) -> Result<Tensor> {
    Ints s = t.type().shape;
    std::swap(s[rank - 1], s[rank - 2]);
    return Transpose(call.host, t, swapped, MakeTensorType(element, s));
  };
  // Transpose for transpose_a, and for the right side.
  if ((transpose >= kTranspose) != !left) {
    a = SHLO_TRY(swap_last(a));
    lower = !lower;
  }
  if (transpose == kAdjoint && element.complex) {
    a = SHLO_TRY(ApplyOp(call.host, ops::kChloConj, {&a}));
  }
  Tensor b = call.operand(1);
  if (!left) {
    b = SHLO_TRY(swap_last(b));
  }
  a = Dense(call.host, a);
  if (!a) return OutOfMemory();
  Tensor x = call.host.Allocate(b.type_ptr(), false);
  if (!x) return OutOfMemory();
  const Tensor dense_b = Dense(call.host, b);
  if (!dense_b) return OutOfMemory();
  std::memcpy(x.mutable_data(), dense_b.data(), dense_b.stored_bytes());
  const int64_t columns = b.type().shape[rank - 1];
  Rows rows(element, columns);
  if (!rows) return NoMeaning(element);
  const size_t bytes = element.bytes();
  const uint64_t batches = n == 0 ? 0 : a.count() / uint64_t(n * n);
  uint8_t* const all_x = x.mutable_data();
  constexpr double kPerProduct = 2;  // nanoseconds
  const double products = double(batches) * double(n) * double(n) * double(columns) / 2;
  // On one thread, because rows share scratch space.
  call.host.Split(1, kPerProduct * products, [&](uint64_t, uint64_t) {
    for (uint64_t batch = 0; batch < batches; ++batch) {
      const uint8_t* am = a.data() + batch * uint64_t(n * n) * bytes;
      uint8_t* xm = all_x + batch * uint64_t(n * columns) * bytes;
      const auto row = [&](int64_t i) { return xm + uint64_t(i * columns) * bytes; };
      for (int64_t step = 0; step < n; ++step) {
        const int64_t i = lower ? step : n - 1 - step;
        for (int64_t other = 0; other < step; ++other) {
          Tick(1 + uint64_t(columns) / 16);
          const int64_t j = lower ? other : n - 1 - other;
          rows.SubtractProduct(row(i), am + uint64_t(i * n + j) * bytes, row(j));
        }
        if (!unit) rows.Divide(row(i), am + uint64_t(i * n + i) * bytes);
      }
    }
  });
  if (!left) {
    x = SHLO_TRY(swap_last(x));
  }
  const ValueTypePtr type = SHLO_TRY(ResultType(call, 0, b_shape, call.operand(1)));
  call.results[0] = x.As(type);
  return {};
}

}  // namespace shlo
