// jax's LAPACK targets (jaxlib/cpu/lapack_kernels.cc): batches of matrices, in memory as the layouts of the
// call say, which jax chooses column-major. LAPACK fixes a factorization only up to the signs (phases) of
// eigenvectors, singular vectors and reflectors; the results here are those of the reference LAPACK, and
// other builds may differ in them. Targets without _ffi are those of jax before 0.4.36: they have sizes and
// options as leading operands, and workspace among their results.
//
// A failure of the routine (a singular pivot, no convergence) is not an error: it is the result `info`.
#include <cmath>
#include <limits>
#include <numeric>

#include "base/format.h"
#include "base/try.h"
#include "eval/kernel/custom_call_args.h"
#include "eval/kernel/move_elements.h"
#include "eval/lapack/lapack_call.h"
#include "eval/lapack/lapack_kernel.h"

namespace shlo {
namespace {

Status Square(Int rows, Int cols) {
  if (rows == cols) return {};
  return Invalid(StrFormat("expected square matrices, got {}x{}", rows, cols));
}

// Routines that iterate may not end for a matrix that is not finite, so they are not called for one: their
// results are NaN, as in jax, and info is this. For all others, LAPACK limits the number of iterations.
constexpr Int kNotFinite = -4;

template <typename T>
bool IsFinite(T v) {
  return std::isfinite(std::real(v)) && std::isfinite(std::imag(v));
}
template <typename T>
bool AllFinite(const Stack<T>& a, uint64_t i) {
  return std::all_of(a[i], a[i] + a.step, IsFinite<T>);
}
// Likewise, for one triangle of a square matrix, which is all that a routine reads.
template <typename T>
bool TriangleIsFinite(const Stack<T>& a, uint64_t i, char uplo) {
  for (Int col = 0; col < a.cols; ++col) {
    const T* const column = a[i] + size_t(col) * size_t(a.rows);
    if (!std::all_of(column + (uplo == 'L' ? col : 0), column + (uplo == 'L' ? a.rows : col + 1),
                     IsFinite<T>))
      return false;
  }
  return true;
}
template <typename... T>
void FillNan(uint64_t i, const Stack<T>&... stacks) {
  (std::fill(stacks[i], stacks[i] + stacks.step, T(std::numeric_limits<Real<T>>::quiet_NaN())), ...);
}

template <typename A, typename B>
bool SameBatch(const Stack<A>& a, const Stack<B>& b, size_t inner_of_b = 2) {
  return b.shape.size() - inner_of_b == a.shape.size() - 2 &&
         std::equal(a.shape.begin(), a.shape.end() - 2, b.shape.begin());
}

}  // namespace

// trsm: solves op(a) x = b (side 'L') or x op(a) = b ('R') with a triangular a. Older operands: left_side,
// lower, trans (0, 1, 2: adjoint), unit diagonal, rows, columns, batch, alpha (1), a, b.
template <typename T>
Status EvaluateTrsm(KernelCall& call) {
  LapackCall<T> c(call, 8);
  SHLO_TRY(c.CheckOperands(2));
  char side, uplo, transpose, diag;
  if (c.older()) {
    const int64_t left = SHLO_TRY(c.Scalar(0));
    uplo = SHLO_TRY(c.Triangle(1));
    const int64_t trans = SHLO_TRY(c.Scalar(2));
    const int64_t unit = SHLO_TRY(c.Scalar(3));
    if (trans < 0 || trans > 2) return Invalid("option 'trans_a' is out of range");
    side = left ? 'L' : 'R', transpose = "NTC"[trans], diag = unit ? 'U' : 'N';
  } else {
    side = SHLO_TRY(c.Option("side", "LR"));
    uplo = SHLO_TRY(c.Option("uplo", "LU"));
    transpose = SHLO_TRY(c.Option("trans_x", "NTC"));
    diag = SHLO_TRY(c.Option("diag", "NU"));
  }
  const Stack<T> a = SHLO_TRY(c.Read(0));
  const Stack<T> b = SHLO_TRY(c.Read(1));
  SHLO_TRY(Square(a.rows, a.cols));
  if (!SameBatch(a, b) || a.rows != (side == 'L' ? b.rows : b.cols))
    return Invalid("operand shapes do not match");
  for (uint64_t i = 0; i < b.batch; ++i) {
    c.CountMatrix(double(side == 'L' ? b.cols : b.rows) / double(a.rows), a.rows, a.cols);
    lapack::Trsm(side, uplo, transpose, diag, b.rows, b.cols, a[i], b[i]);
  }
  SHLO_TRY(c.Return(0, b));
  return c.Finish();
}

// getrf: the factors L (unit diagonal, below) and U of a = P L U, the pivot rows (from 1), and info: the
// first zero pivot, or 0. Older operands: batch, rows, columns, a.
template <typename T>
Status EvaluateGetrf(KernelCall& call) {
  LapackCall<T> c(call, 3);
  SHLO_TRY(c.CheckOperands(1));
  const Stack<T> a = SHLO_TRY(c.Read(0));
  const Stack<Int> pivots = SHLO_TRY(c.template New<Int>(1, a.outer(), {std::min(a.rows, a.cols)}));
  const Stack<Int> info = SHLO_TRY(c.template New<Int>(2, a.outer(), {}));
  for (uint64_t i = 0; i < a.batch; ++i) {
    c.CountMatrix(1, a.rows, a.cols);
    *info[i] = lapack::Getrf(a.rows, a.cols, a[i], pivots[i]);
  }
  SHLO_TRY(c.Return(0, a));
  SHLO_TRY(c.Return(1, pivots));
  SHLO_TRY(c.Return(2, info));
  return c.Finish();
}

// potrf: the Cholesky factor in one triangle, the other one unchanged, and info: the order of the first minor
// that is not positive, or 0. Older operands: lower, batch, n, a.
template <typename T>
Status EvaluatePotrf(KernelCall& call) {
  LapackCall<T> c(call, 3);
  SHLO_TRY(c.CheckOperands(1));
  const char uplo = SHLO_TRY(c.Triangle(0));
  const Stack<T> a = SHLO_TRY(c.Read(0));
  SHLO_TRY(Square(a.rows, a.cols));
  const Stack<Int> info = SHLO_TRY(c.template New<Int>(1, a.outer(), {}));
  for (uint64_t i = 0; i < a.batch; ++i) {
    c.CountMatrix(1, a.rows, a.cols);
    *info[i] = lapack::Potrf(uplo, a.rows, a[i]);
  }
  SHLO_TRY(c.Return(0, a));
  SHLO_TRY(c.Return(1, info));
  return c.Finish();
}

// geqrf: R above the diagonal, the vectors of the reflectors below, and their factors tau. Older operands:
// batch, rows, columns, size of workspace, a; older results also info and workspace.
template <typename T>
Status EvaluateGeqrf(KernelCall& call) {
  LapackCall<T> c(call, 4);
  SHLO_TRY(c.CheckOperands(1));
  const Stack<T> a = SHLO_TRY(c.Read(0));
  const Stack<T> tau = SHLO_TRY(c.New(1, a.outer(), {std::min(a.rows, a.cols)}));
  for (uint64_t i = 0; i < a.batch; ++i) {
    c.CountMatrix(2, a.rows, a.cols);
    lapack::Geqrf(a.rows, a.cols, a[i], tau[i]);
  }
  SHLO_TRY(c.Return(0, a));
  SHLO_TRY(c.Return(1, tau));
  return c.Finish();
}

// geqp3: geqrf of a with its columns permuted; operand and result 1 are columns (from 1; 0: any).
template <typename T>
Status EvaluateGeqp3(KernelCall& call) {
  LapackCall<T> c(call, 0);
  SHLO_TRY(c.CheckOperands(2));
  const Stack<T> a = SHLO_TRY(c.Read(0));
  const Stack<Int> columns = SHLO_TRY(c.template Read<Int>(1, /*vectors=*/true));
  if (!SameBatch(a, columns, 1) || columns.rows != a.cols) return Invalid("operand shapes do not match");
  const Stack<T> tau = SHLO_TRY(c.New(2, a.outer(), {std::min(a.rows, a.cols)}));
  for (uint64_t i = 0; i < a.batch; ++i) {
    c.CountMatrix(4, a.rows, a.cols);
    // The routine uses the columns as indices where they are not 0: it only asks whether they are.
    for (Int j = 0; j < a.cols; ++j) columns[i][j] = columns[i][j] != 0;
    lapack::Geqp3(a.rows, a.cols, a[i], columns[i], tau[i]);
  }
  SHLO_TRY(c.Return(0, a));
  SHLO_TRY(c.Return(1, columns));
  SHLO_TRY(c.Return(2, tau));
  return c.Finish();
}

// orgqr, ungqr: the first columns of the product of the reflectors of geqrf. Older operands: batch, rows,
// columns, reflectors, size of workspace, a, tau.
template <typename T>
Status EvaluateOrgqr(KernelCall& call) {
  LapackCall<T> c(call, 5);
  SHLO_TRY(c.CheckOperands(2));
  const Stack<T> a = SHLO_TRY(c.Read(0));
  const Stack<T> tau = SHLO_TRY(c.Read(1, /*vectors=*/true));
  if (!SameBatch(a, tau, 1) || a.cols > a.rows || tau.rows > a.cols)
    return Invalid("operand shapes do not match");
  for (uint64_t i = 0; i < a.batch; ++i) {
    c.CountMatrix(2, a.rows, a.cols);
    lapack::Orgqr(a.rows, a.cols, tau.rows, a[i], tau[i]);
  }
  SHLO_TRY(c.Return(0, a));
  return c.Finish();
}

// ormqr, unmqr: c multiplied by the product q of reflectors, or its adjoint: q c (left) or c q.
template <typename T>
Status EvaluateOrmqr(KernelCall& call) {
  LapackCall<T> call_of(call, 0);
  SHLO_TRY(call_of.CheckOperands(3));
  const bool left = SHLO_TRY(ConfigFlag(call, "left"));
  const bool transpose = SHLO_TRY(ConfigFlag(call, "transpose"));
  const Stack<T> a = SHLO_TRY(call_of.Read(0));
  const Stack<T> tau = SHLO_TRY(call_of.Read(1, /*vectors=*/true));
  const Stack<T> c = SHLO_TRY(call_of.Read(2));
  const Int order = left ? c.rows : c.cols;
  if (!SameBatch(a, tau, 1) || !SameBatch(a, c) || a.rows != order || tau.rows > std::min(order, a.cols))
    return Invalid("operand shapes do not match");
  const char side = left ? 'L' : 'R', op = !transpose ? 'N' : kIsComplex<T> ? 'C' : 'T';
  for (uint64_t i = 0; i < c.batch; ++i) {
    call_of.CountMatrix(4, c.rows, c.cols);
    lapack::Ormqr(side, op, c.rows, c.cols, tau.rows, a[i], tau[i], c[i]);
  }
  SHLO_TRY(call_of.Return(0, c));
  return call_of.Finish();
}

namespace {

// Singular values (descending), left vectors u and right vectors vt of a, and info: not 0 if the routine did
// not converge or a is not finite. Result 0 is the destroyed a.
template <typename T>
Status SingularValues(LapackCall<T>& c, char mode) {
  SHLO_TRY(c.CheckOperands(1));
  const Stack<T> a = SHLO_TRY(c.Read(0));
  const Int least = std::min(a.rows, a.cols);
  const Stack<Real<T>> s = SHLO_TRY(c.template New<Real<T>>(1, a.outer(), {least}));
  const Stack<Int> info = SHLO_TRY(c.template New<Int>(4, a.outer(), {}));
  if (mode == 'N') {
    for (uint64_t i = 0; i < a.batch; ++i) {
      c.CountMatrix(4, a.rows, a.cols);
      *info[i] = kNotFinite;
      if (!AllFinite(a, i))
        FillNan(i, s);
      else
        *info[i] = lapack::Gesdd(mode, a.rows, a.cols, a[i], s[i], static_cast<T*>(nullptr),
                                 static_cast<T*>(nullptr));
    }
  } else {
    const Stack<T> u = SHLO_TRY(c.New(2, a.outer(), {a.rows, mode == 'A' ? a.rows : least}));
    const Stack<T> vt = SHLO_TRY(c.New(3, a.outer(), {mode == 'A' ? a.cols : least, a.cols}));
    for (uint64_t i = 0; i < a.batch; ++i) {
      c.CountMatrix(25, a.rows, a.cols);
      *info[i] = kNotFinite;
      if (!AllFinite(a, i))
        FillNan(i, s, u, vt);
      else
        *info[i] = lapack::Gesdd(mode, a.rows, a.cols, a[i], s[i], u[i], vt[i]);
    }
    SHLO_TRY(c.Return(2, u));
    SHLO_TRY(c.Return(3, vt));
  }
  SHLO_TRY(c.Return(0, a));
  SHLO_TRY(c.Return(1, s));
  SHLO_TRY(c.Return(4, info));
  return c.Finish();
}

}  // namespace

// gesdd: the singular value decomposition by divide and conquer. Older operands: full matrices, compute
// vectors, batch, rows, columns, size of workspace, a.
template <typename T>
Status EvaluateGesdd(KernelCall& call) {
  LapackCall<T> c(call, 6);
  char mode;
  if (c.older()) {
    SHLO_TRY(c.CheckOperands(1));
    const int64_t full = SHLO_TRY(c.Scalar(0));
    const int64_t vectors = SHLO_TRY(c.Scalar(1));
    mode = !vectors ? 'N' : full ? 'A' : 'S';
  } else {
    mode = SHLO_TRY(c.Option("mode", "ASN"));
  }
  return SingularValues<T>(c, mode);
}

// gesvd: the same. LAPACK iterates QR for it, whose results differ in the last digits and in signs.
template <typename T>
Status EvaluateGesvd(KernelCall& call) {
  LapackCall<T> c(call, 0);
  const char mode = SHLO_TRY(c.Option("mode", "ASN"));
  return SingularValues<T>(c, mode);
}

namespace {

// Replaces matrix `i` by its eigenvectors, and sets its eigenvalues. Returns info.
template <typename T>
Int EigenOfSymmetric(const LapackCall<T>& c, char mode, char uplo, const Stack<T>& a, const Stack<Real<T>>& w,
                     uint64_t i) {
  c.CountMatrix(mode == 'V' ? 10 : 2, a.rows, a.cols);
  if (TriangleIsFinite(a, i, uplo)) return lapack::Syevd(mode, uplo, a.rows, a[i], w[i]);
  FillNan(i, a, w);
  return kNotFinite;
}

}  // namespace

// syevd, heevd: eigenvectors (columns) and eigenvalues (ascending) of a symmetric matrix, of which one
// triangle is read, and info: not 0 if the routine did not converge. Older operands: lower, batch, n, a.
template <typename T>
Status EvaluateSyevd(KernelCall& call) {
  LapackCall<T> c(call, 3);
  SHLO_TRY(c.CheckOperands(1));
  const char uplo = SHLO_TRY(c.Triangle(0));
  char mode = 'V';
  if (!c.older()) {
    mode = SHLO_TRY(c.Option("mode", "VN"));
  }
  const Stack<T> a = SHLO_TRY(c.Read(0));
  SHLO_TRY(Square(a.rows, a.cols));
  const Stack<Real<T>> w = SHLO_TRY(c.template New<Real<T>>(1, a.outer(), {a.rows}));
  const Stack<Int> info = SHLO_TRY(c.template New<Int>(2, a.outer(), {}));
  for (uint64_t i = 0; i < a.batch; ++i) *info[i] = EigenOfSymmetric(c, mode, uplo, a, w, i);
  SHLO_TRY(c.Return(0, a));
  SHLO_TRY(c.Return(1, w));
  SHLO_TRY(c.Return(2, info));
  return c.Finish();
}

namespace {

// LAPACK packs conjugate pairs of eigenvectors into two real columns: the real and the imaginary part.
template <typename T>
void Unpack(Int n, const T* imaginary, const T* packed, std::complex<T>* out) {
  for (Int j = 0; j < n; ++j) {
    const bool pair = imaginary[j] != 0 && j + 1 < n;
    for (Int i = 0; i < n; ++i) {
      const T re = packed[j * n + i], im = pair ? packed[(j + 1) * n + i] : T(0);
      out[j * n + i] = {re, im};
      if (pair) out[(j + 1) * n + i] = {re, -im};
    }
    j += pair;
  }
}

}  // namespace

// geev: eigenvalues (real matrices: real and imaginary parts), left and right eigenvectors (columns, complex)
// and info: not 0 if the routine did not converge or a is not finite. Older operands: batch, n, compute left
// vectors ('V' or 'N'), compute right vectors, a; older results begin with 3 (real) or 2 workspaces.
template <typename T>
Status EvaluateGeev(KernelCall& call) {
  using C = std::complex<Real<T>>;
  LapackCall<T> c(call, 4);
  SHLO_TRY(c.CheckOperands(1));
  char left, right;
  if (c.older()) {
    const int64_t l = SHLO_TRY(c.Scalar(2));
    const int64_t r = SHLO_TRY(c.Scalar(3));
    left = l == 'V' ? 'V' : 'N', right = r == 'V' ? 'V' : 'N';
  } else {
    left = SHLO_TRY(c.Option("compute_left", "VN"));
    right = SHLO_TRY(c.Option("compute_right", "VN"));
  }
  const size_t skipped = !c.older() ? 0 : kIsComplex<T> ? 2 : 3;
  const size_t vectors = skipped + (kIsComplex<T> ? 1 : 2);
  const Stack<T> a = SHLO_TRY(c.Read(0));
  SHLO_TRY(Square(a.rows, a.cols));
  const Int n = a.rows;
  const Stack<T> w = SHLO_TRY(c.New(skipped, a.outer(), {n}));
  const Stack<C> vl = SHLO_TRY(c.template New<C>(vectors, a.outer(), {n, n}));
  const Stack<C> vr = SHLO_TRY(c.template New<C>(vectors + 1, a.outer(), {n, n}));
  const Stack<Int> info = SHLO_TRY(c.template New<Int>(vectors + 2, a.outer(), {}));
  if constexpr (kIsComplex<T>) {
    for (uint64_t i = 0; i < a.batch; ++i) {
      c.CountMatrix(25, n, n);
      *info[i] = kNotFinite;
      if (!AllFinite(a, i))
        FillNan(i, w, vl, vr);
      else
        *info[i] = lapack::Geev(left, right, n, a[i], w[i], vl[i], vr[i]);
    }
  } else {
    const Stack<T> wi = SHLO_TRY(c.New(skipped + 1, a.outer(), {n}));
    std::vector<T> packed_left(a.step + 1), packed_right(a.step + 1);
    for (uint64_t i = 0; i < a.batch; ++i) {
      c.CountMatrix(25, n, n);
      *info[i] = kNotFinite;
      if (!AllFinite(a, i)) {
        FillNan(i, w, wi, vl, vr);
        continue;
      }
      *info[i] = lapack::Geev(left, right, n, a[i], w[i], wi[i], packed_left.data(), packed_right.data());
      if (*info[i] != 0) continue;
      if (left == 'V') Unpack(n, wi[i], packed_left.data(), vl[i]);
      if (right == 'V') Unpack(n, wi[i], packed_right.data(), vr[i]);
    }
    SHLO_TRY(c.Return(skipped + 1, wi));
  }
  SHLO_TRY(c.Return(skipped, w));
  SHLO_TRY(c.Return(vectors, vl));
  SHLO_TRY(c.Return(vectors + 1, vr));
  SHLO_TRY(c.Return(vectors + 2, info));
  return c.Finish();
}

// gees: the Schur form of a, Schur vectors, eigenvalues as in geev, the number of selected eigenvalues (0)
// and info. Older operands: batch, n, compute vectors, sort ('N'), a; older results have the vectors after
// the eigenvalues, and for complex matrices a workspace before them.
template <typename T>
Status EvaluateGees(KernelCall& call) {
  LapackCall<T> c(call, 4);
  SHLO_TRY(c.CheckOperands(1));
  char mode, sort;
  if (c.older()) {
    const int64_t vectors = SHLO_TRY(c.Scalar(2));
    const int64_t order = SHLO_TRY(c.Scalar(3));
    mode = vectors == 'V' ? 'V' : 'N', sort = char(order);
  } else {
    mode = SHLO_TRY(c.Option("mode", "VN"));
    sort = SHLO_TRY(c.Option("sort", "NS"));
  }
  if (sort != 'N') return Error(Code::kUnsupported, "sorting eigenvalues of a Schur form is not supported");
  const size_t values = kIsComplex<T> ? 1 : 2;
  const size_t w_at = !c.older() ? 2 : kIsComplex<T> ? 2 : 1, vs_at = c.older() ? w_at + values : 1;
  const size_t info_at = (c.older() ? vs_at + 1 : w_at + values) + 1;
  const Stack<T> a = SHLO_TRY(c.Read(0));
  SHLO_TRY(Square(a.rows, a.cols));
  const Stack<T> vs = SHLO_TRY(c.New(vs_at, a.outer(), {a.rows, a.rows}));
  const Stack<T> w = SHLO_TRY(c.New(w_at, a.outer(), {a.rows}));
  const Stack<Int> selected = SHLO_TRY(c.template New<Int>(info_at - 1, a.outer(), {}));
  const Stack<Int> info = SHLO_TRY(c.template New<Int>(info_at, a.outer(), {}));
  if constexpr (kIsComplex<T>) {
    for (uint64_t i = 0; i < a.batch; ++i) {
      c.CountMatrix(25, a.rows, a.cols);
      *info[i] = kNotFinite;
      if (!AllFinite(a, i))
        FillNan(i, a, w, vs);
      else
        *info[i] = lapack::Gees(mode, a.rows, a[i], w[i], vs[i]);
    }
  } else {
    const Stack<T> wi = SHLO_TRY(c.New(w_at + 1, a.outer(), {a.rows}));
    for (uint64_t i = 0; i < a.batch; ++i) {
      c.CountMatrix(25, a.rows, a.cols);
      *info[i] = kNotFinite;
      if (!AllFinite(a, i))
        FillNan(i, a, w, wi, vs);
      else
        *info[i] = lapack::Gees(mode, a.rows, a[i], w[i], wi[i], vs[i]);
    }
    SHLO_TRY(c.Return(w_at + 1, wi));
  }
  SHLO_TRY(c.Return(0, a));
  SHLO_TRY(c.Return(vs_at, vs));
  SHLO_TRY(c.Return(w_at, w));
  SHLO_TRY(c.Return(info_at - 1, selected));
  SHLO_TRY(c.Return(info_at, info));
  return c.Finish();
}

// gehrd: the Hessenberg form of rows and columns low to high (from 1), with the vectors of the reflectors
// below, their factors tau, and info. Older operands: n, low, high, lda, batch, size of workspace, a.
template <typename T>
Status EvaluateGehrd(KernelCall& call) {
  LapackCall<T> c(call, 6);
  SHLO_TRY(c.CheckOperands(1));
  int64_t low, high;
  if (c.older()) {
    low = SHLO_TRY(c.Scalar(1));
    high = SHLO_TRY(c.Scalar(2));
  } else {
    low = SHLO_TRY(ConfigInt(call, "low"));
    high = SHLO_TRY(ConfigInt(call, "high"));
  }
  const Stack<T> a = SHLO_TRY(c.Read(0));
  SHLO_TRY(Square(a.rows, a.cols));
  const Int n = a.rows;
  if (n > 0 ? low < 1 || low > high || high > n : low != 1 || high != 0)
    return Invalid("rows of the Hessenberg form are out of range");
  const Stack<T> tau = SHLO_TRY(c.New(1, a.outer(), {std::max(n - 1, 0)}));
  const Stack<Int> info = SHLO_TRY(c.template New<Int>(2, a.outer(), {}));
  for (uint64_t i = 0; i < a.batch; ++i) {
    c.CountMatrix(4, n, n);
    *info[i] = lapack::Gehrd(n, Int(low), Int(high), a[i], tau[i]);
  }
  SHLO_TRY(c.Return(0, a));
  SHLO_TRY(c.Return(1, tau));
  SHLO_TRY(c.Return(2, info));
  return c.Finish();
}

// sytrd, hetrd: the tridiagonal form of a symmetric matrix with the vectors of the reflectors, its diagonal,
// its off-diagonal, the factors tau, and info. Older operands: n, lower, lda, batch, size of workspace, a.
template <typename T>
Status EvaluateSytrd(KernelCall& call) {
  LapackCall<T> c(call, 5);
  SHLO_TRY(c.CheckOperands(1));
  const char uplo = SHLO_TRY(c.Triangle(1));
  const Stack<T> a = SHLO_TRY(c.Read(0));
  SHLO_TRY(Square(a.rows, a.cols));
  const Int n = a.rows, less = std::max(n - 1, 0);
  const Stack<Real<T>> diagonal = SHLO_TRY(c.template New<Real<T>>(1, a.outer(), {n}));
  const Stack<Real<T>> off = SHLO_TRY(c.template New<Real<T>>(2, a.outer(), {less}));
  const Stack<T> tau = SHLO_TRY(c.New(3, a.outer(), {less}));
  const Stack<Int> info = SHLO_TRY(c.template New<Int>(4, a.outer(), {}));
  for (uint64_t i = 0; i < a.batch; ++i) {
    c.CountMatrix(2, n, n);
    *info[i] = lapack::Sytrd(uplo, n, a[i], diagonal[i], off[i], tau[i]);
  }
  SHLO_TRY(c.Return(0, a));
  SHLO_TRY(c.Return(1, diagonal));
  SHLO_TRY(c.Return(2, off));
  SHLO_TRY(c.Return(3, tau));
  SHLO_TRY(c.Return(4, info));
  return c.Finish();
}

// gtsv: solves tridiagonal systems. Operands: the lower diagonal (its first element is unused), the diagonal,
// the upper diagonal (its last element is unused), and the right-hand sides; results: the same, destroyed and
// solved, and info: the first zero pivot, or 0.
template <typename T>
Status EvaluateGtsv(KernelCall& call) {
  LapackCall<T> c(call, 0);
  SHLO_TRY(c.CheckOperands(4));
  const Stack<T> lower = SHLO_TRY(c.Read(0, /*vectors=*/true));
  const Stack<T> diagonal = SHLO_TRY(c.Read(1, /*vectors=*/true));
  const Stack<T> upper = SHLO_TRY(c.Read(2, /*vectors=*/true));
  const Stack<T> b = SHLO_TRY(c.Read(3));
  for (const Stack<T>* vector : {&lower, &diagonal, &upper})
    if (!SameBatch(b, *vector, 1) || vector->rows != b.rows) return Invalid("operand shapes do not match");
  const Stack<Int> info = SHLO_TRY(c.template New<Int>(4, b.outer(), {}));
  for (uint64_t i = 0; i < b.batch && b.rows > 0; ++i) {
    c.CountMatrix(1, b.rows, b.cols);
    *info[i] = lapack::Gtsv(b.rows, b.cols, lower[i] + 1, diagonal[i], upper[i], b[i]);
  }
  SHLO_TRY(c.Return(0, lower));
  SHLO_TRY(c.Return(1, diagonal));
  SHLO_TRY(c.Return(2, upper));
  SHLO_TRY(c.Return(3, b));
  SHLO_TRY(c.Return(4, info));
  return c.Finish();
}

namespace {

// Chooses the kernel for the element type of the first operand.
Status ByElement(KernelCall& call, size_t operands, Kernel of_reals, Kernel of_complex) {
  SHLO_TRY(CheckArity(call, operands, call.results.size()));
  const ElementType element = call.operand(0).element();
  if (element.kind != TypeKind::kF32 && element.kind != TypeKind::kF64) return NoMeaning(element);
  return element.complex ? of_complex(call) : of_reals(call);
}

}  // namespace

// Qr, ProductOfElementaryHouseholderReflectors: geqrf and orgqr, whatever the layouts of the call are.
Status EvaluateXlaQr(KernelCall& call) {
  return ByElement(call, 1, EvaluateGeqrf<double>, EvaluateGeqrf<lapack::Complex>);
}
Status EvaluateXlaReflectors(KernelCall& call) {
  return ByElement(call, 2, EvaluateOrgqr<double>, EvaluateOrgqr<lapack::Complex>);
}

// Eigh: eigenvectors (columns) and eigenvalues (ascending) of a symmetric matrix, of which one triangle is
// read. The configuration is text: lower, sort, iterations, tolerance. XLA iterates Jacobi rotations, which
// fix eigenvectors up to their signs (phases) alike.
template <typename T>
Status EvaluateEighOf(KernelCall& call) {
  LapackCall<T> c(call, 0);
  SHLO_TRY(c.CheckOperands(1));
  const std::string_view config = SHLO_TRY(StringOf(call, "backend_config"));
  const Stack<T> a = SHLO_TRY(c.Read(0));
  SHLO_TRY(Square(a.rows, a.cols));
  const Stack<Real<T>> w = SHLO_TRY(c.template New<Real<T>>(1, a.outer(), {a.rows}));
  for (uint64_t i = 0; i < a.batch; ++i)
    if (EigenOfSymmetric(c, 'V', config.starts_with('0') ? 'U' : 'L', a, w, i) != 0) FillNan(i, a, w);
  SHLO_TRY(c.Return(0, a));
  return c.Return(1, w);
}
Status EvaluateXlaEigh(KernelCall& call) {
  return ByElement(call, 1, EvaluateEighOf<double>, EvaluateEighOf<lapack::Complex>);
}

// LuDecomposition: getrf, with pivots from 0, and the permutation of rows that they are.
template <typename T>
Status EvaluateLuOf(KernelCall& call) {
  LapackCall<T> c(call, 0);
  SHLO_TRY(c.CheckOperands(1));
  const Stack<T> a = SHLO_TRY(c.Read(0));
  const Int least = std::min(a.rows, a.cols);
  const Stack<Int> pivots = SHLO_TRY(c.template New<Int>(1, a.outer(), {least}));
  const Stack<Int> permutation = SHLO_TRY(c.template New<Int>(2, a.outer(), {a.rows}));
  for (uint64_t i = 0; i < a.batch; ++i) {
    c.CountMatrix(1, a.rows, a.cols);
    lapack::Getrf(a.rows, a.cols, a[i], pivots[i]);
    std::iota(permutation[i], permutation[i] + a.rows, 0);
    for (Int k = 0; k < least; ++k) std::swap(permutation[i][k], permutation[i][--pivots[i][k]]);
  }
  SHLO_TRY(c.Return(0, a));
  SHLO_TRY(c.Return(1, pivots));
  return c.Return(2, permutation);
}
Status EvaluateXlaLu(KernelCall& call) {
  return ByElement(call, 1, EvaluateLuOf<double>, EvaluateLuOf<lapack::Complex>);
}

Kernel LapackKernel(std::string_view target) {
  struct Row {
    std::string_view target;
    Kernel kernel;
  };
  static constexpr Row kRows[] = {
#define SHLO_LAPACK_TARGETS(prefix, of_reals, of_complex, kernel, suffix)                     \
  {prefix "s" of_reals suffix, kernel<double>}, {prefix "d" of_reals suffix, kernel<double>}, \
      {prefix "c" of_complex suffix, kernel<lapack::Complex>},                                \
      {prefix "z" of_complex suffix, kernel<lapack::Complex>},
#define SHLO_LAPACK(of_reals, of_complex, kernel) \
  SHLO_LAPACK_TARGETS("lapack_", of_reals, of_complex, kernel, "_ffi")
#define SHLO_LAPACK_OLDER(of_reals, of_complex, kernel)                \
  SHLO_LAPACK_TARGETS("lapack_", of_reals, of_complex, kernel, "_ffi") \
  SHLO_LAPACK_TARGETS("lapack_", of_reals, of_complex, kernel, "")
#define SHLO_BLAS_OLDER(name, kernel) SHLO_LAPACK_TARGETS("blas_", name, name, kernel, "")
#define SHLO_XLA_ALGEBRA(target, kernel) {target, kernel},
#include "eval/lapack/lapack_rows.inc"
  };
  for (const Row& row : kRows)
    if (row.target == target) return row.kernel;
  return nullptr;
}

}  // namespace shlo

// Functions of the run-time library that LAPACK needs, in the object file of the kernels, so that they come
// before those of LAPACK. XERBLA would print and stop the process; a routine that returns from it returns
// info < 0. The other function is the only one of libgfortran that routines call, and with it goes the whole
// library, whose exit handler fails in static programs. Weak, for programs that link them anyway.
extern "C" {
__attribute__((weak)) void xerbla_(const char*, const int32_t*, size_t) {}

// Concatenates two strings, padded with blanks or cut to `size`.
__attribute__((weak)) void _gfortran_concat_string(size_t size, char* out, size_t size_a, const char* a,
                                                   size_t size_b, const char* b) {
  for (size_t i = 0; i < size; ++i) out[i] = i < size_a ? a[i] : i - size_a < size_b ? b[i - size_a] : ' ';
}
}
