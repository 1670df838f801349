// Factorizations multiply back to the matrix, in all four types: LAPACK fixes the factors only up to signs
// and phases.
#include "eval/lapack/lapack.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace shlo::lapack {
namespace {

template <typename T>
class Lapack : public testing::Test {
 protected:
  using R = Real<T>;
  using Matrix = std::vector<T>;  // column-major

  static T Conj(T v) {
    if constexpr (kIsComplex<T>)
      return std::conj(v);
    else
      return v;
  }
  Matrix Random(Int rows, Int cols) {
    std::uniform_real_distribution<R> unit(-1, 1);
    Matrix out(size_t(rows) * size_t(cols));
    for (T& v : out) {
      if constexpr (kIsComplex<T>)
        v = {unit(generator_), unit(generator_)};
      else
        v = unit(generator_);
    }
    return out;
  }
  // a (m x k) times b (k x n), each of them adjoint if asked for.
  static Matrix Times(Int m, Int k, Int n, const Matrix& a, const Matrix& b, bool adjoint_a = false,
                      bool adjoint_b = false) {
    Matrix out(size_t(m) * size_t(n), T(0));
    for (Int i = 0; i < m; ++i)
      for (Int j = 0; j < n; ++j)
        for (Int l = 0; l < k; ++l)
          out[size_t(j * m + i)] += (adjoint_a ? Conj(a[size_t(i * k + l)]) : a[size_t(l * m + i)]) *
                                    (adjoint_b ? Conj(b[size_t(l * n + j)]) : b[size_t(j * k + l)]);
    return out;
  }
  static Matrix Identity(Int n) {
    Matrix out(size_t(n) * size_t(n), T(0));
    for (Int i = 0; i < n; ++i) out[size_t(i * n + i)] = 1;
    return out;
  }
  // Keeps the upper triangle (and `below` diagonals under it) of the first `rows` rows.
  static Matrix Upper(Int stride, Int rows, Int cols, const Matrix& a, Int below = 0) {
    Matrix out(size_t(rows) * size_t(cols), T(0));
    for (Int j = 0; j < cols; ++j)
      for (Int i = 0; i < rows && i <= j + below; ++i) out[size_t(j * rows + i)] = a[size_t(j * stride + i)];
    return out;
  }
  static Matrix Diagonal(const std::vector<R>& w) {
    const Int n = Int(w.size());
    Matrix out(size_t(n) * size_t(n), T(0));
    for (Int i = 0; i < n; ++i) out[size_t(i * n + i)] = w[size_t(i)];
    return out;
  }
  static void ExpectNear(const Matrix& a, const Matrix& b) {
    ASSERT_EQ(a.size(), b.size());
    R worst = 0;
    for (size_t i = 0; i < a.size(); ++i) worst = std::max(worst, R(std::abs(a[i] - b[i])));
    EXPECT_LT(worst, 200 * std::numeric_limits<R>::epsilon());
  }

 private:
  std::mt19937 generator_{1};
};

using Types = testing::Types<double, std::complex<double>>;
TYPED_TEST_SUITE(Lapack, Types);

TYPED_TEST(Lapack, LuMultipliesBackAndPivotsArePermutations) {
  using T = TypeParam;
  const Int m = 7, n = 5;
  const auto a = this->Random(m, n);
  auto lu = a;
  std::vector<Int> pivots(n);
  ASSERT_EQ(Getrf(m, n, lu.data(), pivots.data()), 0);
  auto lower = lu;
  for (Int j = 0; j < n; ++j)
    for (Int i = 0; i <= j; ++i) lower[size_t(j * m + i)] = T(i == j);
  auto product = this->Times(m, n, n, lower, this->Upper(m, n, n, lu));
  for (Int i = n; i-- > 0;)
    for (Int j = 0; j < n; ++j)
      std::swap(product[size_t(j * m + i)], product[size_t(j * m + pivots[size_t(i)] - 1)]);
  this->ExpectNear(product, a);
  typename TestFixture::Matrix zero(4, T(0));
  EXPECT_EQ(Getrf(2, 2, zero.data(), pivots.data()), 1);  // the first pivot that is zero
}

TYPED_TEST(Lapack, CholeskyMultipliesBack) {
  using T = TypeParam;
  const Int n = 6;
  const auto x = this->Random(n, n);
  auto a = this->Times(n, n, n, x, x, false, true);
  for (Int i = 0; i < n; ++i) a[size_t(i * n + i)] += T(1);
  auto factor = a;
  ASSERT_EQ(Potrf('U', n, factor.data()), 0);
  const auto u = this->Upper(n, n, n, factor);
  this->ExpectNear(this->Times(n, n, n, u, u, true), a);
  EXPECT_EQ(factor[1], a[1]);  // the other triangle is as it was
  a[0] = T(-1);
  EXPECT_EQ(Potrf('L', n, a.data()), 1);
}

TYPED_TEST(Lapack, TriangularSystemsAreSolvedFromBothSides) {
  const Int m = 4, n = 3;
  auto a = this->Identity(m);
  const auto upper = this->Upper(m, m, m, this->Random(m, m));
  for (size_t i = 0; i < a.size(); ++i) a[i] = a[i] * TypeParam(3) + upper[i];
  const auto b = this->Random(m, n), c = this->Random(n, m);
  auto x = b, y = c;
  Trsm('L', 'U', 'C', 'N', m, n, a.data(), x.data());
  this->ExpectNear(this->Times(m, m, n, a, x, true), b);
  Trsm('R', 'U', 'N', 'N', n, m, a.data(), y.data());
  this->ExpectNear(this->Times(n, m, m, y, a), c);
}

TYPED_TEST(Lapack, QrMultipliesBackWithOrthogonalColumns) {
  const Int m = 40, n = 35;  // larger than a block
  const auto a = this->Random(m, n);
  auto qr = a;
  typename TestFixture::Matrix tau(n);
  Geqrf(m, n, qr.data(), tau.data());
  auto q = qr;
  Orgqr(m, n, n, q.data(), tau.data());
  this->ExpectNear(this->Times(m, n, n, q, this->Upper(m, n, n, qr)), a);
  this->ExpectNear(this->Times(n, m, n, q, q, true), this->Identity(n));
  // The product with q, without forming q.
  auto r = a;
  Ormqr('L', kIsComplex<TypeParam> ? 'C' : 'T', m, n, n, qr.data(), tau.data(), r.data());
  this->ExpectNear(this->Upper(m, n, n, r), this->Upper(m, n, n, qr));
}

TYPED_TEST(Lapack, PivotedQrTakesTheLongestColumnFirst) {
  const Int m = 6, n = 4;
  auto a = this->Random(m, n);
  for (Int i = 0; i < m; ++i) a[size_t(2 * m + i)] *= TypeParam(10);
  auto qr = a;
  std::vector<Int> columns(n, 0);
  typename TestFixture::Matrix tau(n);
  Geqp3(m, n, qr.data(), columns.data(), tau.data());
  EXPECT_EQ(columns[0], 3);
  auto q = qr;
  Orgqr(m, n, n, q.data(), tau.data());
  typename TestFixture::Matrix permuted;
  for (Int c : columns) permuted.insert(permuted.end(), a.begin() + (c - 1) * m, a.begin() + c * m);
  for (auto& v : permuted) v /= TypeParam(10);
  auto r = this->Upper(m, n, n, qr);
  for (auto& v : r) v /= TypeParam(10);
  this->ExpectNear(this->Times(m, n, n, q, r), permuted);
}

TYPED_TEST(Lapack, SingularValuesMultiplyBack) {
  using R = Real<TypeParam>;
  for (const auto& [m, n] : {std::pair<Int, Int>{9, 4}, {4, 9}, {30, 30}}) {
    const auto a = this->Random(m, n);
    const Int k = std::min(m, n);
    auto x = a;
    std::vector<R> s(static_cast<size_t>(k));
    typename TestFixture::Matrix u(size_t(m * k)), vt(size_t(k * n));
    ASSERT_EQ(Gesdd('S', m, n, x.data(), s.data(), u.data(), vt.data()), 0);
    EXPECT_TRUE(std::is_sorted(s.rbegin(), s.rend()));
    this->ExpectNear(this->Times(m, k, n, u, this->Times(k, k, n, this->Diagonal(s), vt)), a);
    // Full matrices have the same singular values, and all columns.
    x = a;
    typename TestFixture::Matrix full(size_t(m * m)), full_t(size_t(n * n));
    ASSERT_EQ(Gesdd('A', m, n, x.data(), s.data(), full.data(), full_t.data()), 0);
    this->ExpectNear(this->Times(m, m, m, full, full, true), this->Identity(m));
    this->ExpectNear(this->Times(n, n, n, full_t, full_t, true), this->Identity(n));
    x = a;
    std::vector<R> only(static_cast<size_t>(k));
    ASSERT_EQ(Gesdd('N', m, n, x.data(), only.data(), static_cast<TypeParam*>(nullptr),
                    static_cast<TypeParam*>(nullptr)),
              0);
    for (Int i = 0; i < k; ++i)
      EXPECT_NEAR(only[size_t(i)], s[size_t(i)], 200 * std::numeric_limits<R>::epsilon());
  }
}

TYPED_TEST(Lapack, EigenvectorsOfSymmetricMatricesMultiplyBack) {
  using R = Real<TypeParam>;
  const Int n = 30;
  const auto x = this->Random(n, n);
  auto a = x;
  for (Int i = 0; i < n; ++i)
    for (Int j = 0; j < n; ++j)
      a[size_t(j * n + i)] = (x[size_t(j * n + i)] + this->Conj(x[size_t(i * n + j)])) / TypeParam(2);
  auto v = a;
  std::vector<R> w(n);
  ASSERT_EQ(Syevd('V', 'L', n, v.data(), w.data()), 0);
  EXPECT_TRUE(std::is_sorted(w.begin(), w.end()));
  this->ExpectNear(this->Times(n, n, n, this->Times(n, n, n, v, this->Diagonal(w)), v, false, true), a);

  // The tridiagonal form has the same trace and the same sum of squares.
  auto t = a;
  std::vector<R> diagonal(n), off(n - 1);
  typename TestFixture::Matrix tau(n - 1);
  ASSERT_EQ(Sytrd('L', n, t.data(), diagonal.data(), off.data(), tau.data()), 0);
  R trace = 0, squares = 0, want_trace = 0, want_squares = 0;
  for (R d : diagonal) trace += d, squares += d * d;
  for (R e : off) squares += 2 * e * e;
  for (R value : w) want_trace += value, want_squares += value * value;
  EXPECT_NEAR(trace, want_trace, 1000 * std::numeric_limits<R>::epsilon());
  EXPECT_NEAR(squares / want_squares, 1, 1000 * std::numeric_limits<R>::epsilon());
}

TYPED_TEST(Lapack, EigenvectorsSatisfyTheirEquation) {
  using R = Real<TypeParam>;
  using C = std::complex<R>;
  const Int n = 8;
  const auto a = this->Random(n, n);
  auto x = a;
  std::vector<C> values(n);
  std::vector<C> right(size_t(n) * n);
  if constexpr (kIsComplex<TypeParam>) {
    std::vector<C> left(right);
    ASSERT_EQ(Geev('N', 'V', n, x.data(), values.data(), left.data(), right.data()), 0);
  } else {
    std::vector<R> re(n), im(n), left(right.size()), packed(right.size());
    ASSERT_EQ(Geev('N', 'V', n, x.data(), re.data(), im.data(), left.data(), packed.data()), 0);
    for (size_t j = 0; j < size_t(n); ++j) {
      values[j] = {re[j], im[j]};
      const size_t first = im[j] < 0 ? j - 1 : j;
      for (size_t i = 0; i < size_t(n); ++i)
        right[j * n + i] = {packed[first * n + i], im[j] == 0  ? R(0)
                                                   : im[j] > 0 ? packed[(first + 1) * n + i]
                                                               : -packed[(first + 1) * n + i]};
    }
  }
  for (size_t j = 0; j < size_t(n); ++j)
    for (size_t i = 0; i < size_t(n); ++i) {
      C sum = 0;
      for (size_t k = 0; k < size_t(n); ++k) sum += C(a[k * n + i]) * right[j * n + k];
      EXPECT_LT(std::abs(sum - values[j] * right[j * n + i]), 200 * std::numeric_limits<R>::epsilon());
    }
}

TYPED_TEST(Lapack, SchurAndHessenbergFormsMultiplyBack) {
  const Int n = 7;
  const auto a = this->Random(n, n);
  auto t = a;
  typename TestFixture::Matrix w(n), wi(n), z(size_t(n) * n);
  if constexpr (kIsComplex<TypeParam>)
    ASSERT_EQ(Gees('V', n, t.data(), w.data(), z.data()), 0);
  else
    ASSERT_EQ(Gees('V', n, t.data(), w.data(), wi.data(), z.data()), 0);
  this->ExpectNear(t, this->Upper(n, n, n, t, kIsComplex<TypeParam> ? 0 : 1));
  this->ExpectNear(this->Times(n, n, n, this->Times(n, n, n, z, t), z, false, true), a);

  auto h = a;
  typename TestFixture::Matrix tau(n - 1), q(size_t(n) * n, TypeParam(0));
  ASSERT_EQ(Gehrd(n, 1, n, h.data(), tau.data()), 0);
  // The reflectors are those of a QR factorization of the rows and columns after the first.
  typename TestFixture::Matrix inner(size_t(n - 1) * (n - 1), TypeParam(0));
  for (Int j = 0; j + 1 < n; ++j)
    for (Int i = j; i + 1 < n; ++i) inner[size_t(j * (n - 1) + i)] = h[size_t(j * n + i + 1)];
  Orgqr(n - 1, n - 1, n - 1, inner.data(), tau.data());
  q[0] = 1;
  for (Int j = 1; j < n; ++j)
    for (Int i = 1; i < n; ++i) q[size_t(j * n + i)] = inner[size_t((j - 1) * (n - 1) + i - 1)];
  const auto form = this->Upper(n, n, n, h, 1);
  this->ExpectNear(this->Times(n, n, n, this->Times(n, n, n, q, form), q, false, true), a);
}

TYPED_TEST(Lapack, TridiagonalSystemsAreSolved) {
  const Int n = 5, columns = 2;
  auto lower = this->Random(n - 1, 1), diagonal = this->Random(n, 1), upper = this->Random(n - 1, 1);
  for (auto& v : diagonal) v += TypeParam(4);
  typename TestFixture::Matrix a(size_t(n) * n, TypeParam(0));
  for (Int i = 0; i < n; ++i) {
    a[size_t(i * n + i)] = diagonal[size_t(i)];
    if (i + 1 < n) {
      a[size_t(i * n + i + 1)] = lower[size_t(i)];
      a[size_t((i + 1) * n + i)] = upper[size_t(i)];
    }
  }
  const auto b = this->Random(n, columns);
  auto x = b;
  ASSERT_EQ(Gtsv(n, columns, lower.data(), diagonal.data(), upper.data(), x.data()), 0);
  this->ExpectNear(this->Times(n, n, columns, a, x), b);
}

TYPED_TEST(Lapack, EmptyMatricesAreValid) {
  TypeParam none[1] = {};
  Real<TypeParam> values[1] = {};
  Int pivots[1];
  EXPECT_EQ(Getrf(0, 3, none, pivots), 0);
  EXPECT_EQ(Potrf('L', 0, none), 0);
  Geqrf(3, 0, none, none);
  EXPECT_EQ(Gesdd('S', 0, 3, none, values, none, none), 0);
  EXPECT_EQ(Syevd('V', 'L', 0, none, values), 0);
}

}  // namespace
}  // namespace shlo::lapack
