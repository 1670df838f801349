// The boundary to LAPACK: its routines for f64 and complex<f64> (d and z), as overloads that pass values
// instead of addresses, allocate the workspace that the routine asks for, and return `info`. Matrices are
// column-major. Callers check extents and options, because a routine that gets an invalid argument only
// returns (lapack_calls.cc, xerbla_). Internal to lib/eval/custom_calls.
#pragma once

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <vector>

namespace shlo::lapack {

using Int = int32_t;
using Complex = std::complex<double>;

template <typename T>
struct RealOf {
  using type = T;
};
template <typename T>
struct RealOf<std::complex<T>> {
  using type = T;
};
template <typename T>
using Real = typename RealOf<T>::type;
template <typename T>
constexpr bool kIsComplex = !std::is_same_v<T, Real<T>>;

// Fortran passes the length of each string after all other arguments.
extern "C" {
#define SHLO_LAPACK_DECLARE(p, T, R, orgqr, ormqr, sytrd)                                                  \
  void p##trsm_(const char*, const char*, const char*, const char*, const Int*, const Int*, const T*, T*,  \
                const Int*, T*, const Int*, size_t, size_t, size_t, size_t);                               \
  void p##getrf_(const Int*, const Int*, T*, const Int*, Int*, Int*);                                      \
  void p##potrf_(const char*, const Int*, T*, const Int*, Int*, size_t);                                   \
  void p##geqrf_(const Int*, const Int*, T*, const Int*, T*, T*, const Int*, Int*);                        \
  void p##orgqr##_(const Int*, const Int*, const Int*, T*, const Int*, const T*, T*, const Int*, Int*);    \
  void p##ormqr##_(const char*, const char*, const Int*, const Int*, const Int*, T*, const Int*, const T*, \
                   T*, const Int*, T*, const Int*, Int*, size_t, size_t);                                  \
  void p##gehrd_(const Int*, const Int*, const Int*, T*, const Int*, T*, T*, const Int*, Int*);            \
  void p##sytrd##_(const char*, const Int*, T*, const Int*, R*, R*, T*, T*, const Int*, Int*, size_t);     \
  void p##gtsv_(const Int*, const Int*, T*, T*, T*, T*, const Int*, Int*);
SHLO_LAPACK_DECLARE(d, double, double, orgqr, ormqr, sytrd)
SHLO_LAPACK_DECLARE(z, Complex, double, ungqr, unmqr, hetrd)
#undef SHLO_LAPACK_DECLARE
void dgeqp3_(const Int*, const Int*, double*, const Int*, Int*, double*, double*, const Int*, Int*);
void dgesdd_(const char*, const Int*, const Int*, double*, const Int*, double*, double*, const Int*, double*,
             const Int*, double*, const Int*, Int*, Int*, size_t);
void dsyevd_(const char*, const char*, const Int*, double*, const Int*, double*, double*, const Int*, Int*,
             const Int*, Int*, size_t, size_t);
void dgeev_(const char*, const char*, const Int*, double*, const Int*, double*, double*, double*, const Int*,
            double*, const Int*, double*, const Int*, Int*, size_t, size_t);
void dgees_(const char*, const char*, const void*, const Int*, double*, const Int*, Int*, double*, double*,
            double*, const Int*, double*, const Int*, Int*, Int*, size_t, size_t);
void zgeqp3_(const Int*, const Int*, Complex*, const Int*, Int*, Complex*, Complex*, const Int*, double*,
             Int*);
void zgesdd_(const char*, const Int*, const Int*, Complex*, const Int*, double*, Complex*, const Int*,
             Complex*, const Int*, Complex*, const Int*, double*, Int*, Int*, size_t);
void zheevd_(const char*, const char*, const Int*, Complex*, const Int*, double*, Complex*, const Int*,
             double*, const Int*, Int*, const Int*, Int*, size_t, size_t);
void zgeev_(const char*, const char*, const Int*, Complex*, const Int*, Complex*, Complex*, const Int*,
            Complex*, const Int*, Complex*, const Int*, double*, Int*, size_t, size_t);
void zgees_(const char*, const char*, const void*, const Int*, Complex*, const Int*, Int*, Complex*, Complex*,
            const Int*, Complex*, const Int*, double*, Int*, Int*, size_t, size_t);
}

// Runs `routine(work, size)`, first with size -1, which makes it state the best size in work[0].
template <typename T, typename Routine>
void WithWorkspace(Routine&& routine) {
  T size{};
  routine(&size, Int(-1));
  // The float that states a large size may be rounded down; one ULP more covers it.
  const double wanted = double(std::real(size)) * (1 + 2 * double(std::numeric_limits<Real<T>>::epsilon()));
  if (!(wanted < double(std::numeric_limits<Int>::max()))) throw std::bad_alloc();
  std::vector<T> work(std::max<size_t>(1, size_t(wanted)));
  routine(work.data(), Int(work.size()));
}

inline Int Lead(Int rows) { return std::max<Int>(rows, 1); }

// The overloads. An extent of 0 is valid everywhere.
#define SHLO_LAPACK_WRAP(p, T, R, orgqr, ormqr, sytrd)                                                       \
  inline void Trsm(char side, char uplo, char transpose, char diag, Int m, Int n, T* a, T* b) {              \
    const T one = 1;                                                                                         \
    const Int lda = Lead(side == 'L' ? m : n), ldb = Lead(m);                                                \
    p##trsm_(&side, &uplo, &transpose, &diag, &m, &n, &one, a, &lda, b, &ldb, 1, 1, 1, 1);                   \
  }                                                                                                          \
  inline Int Getrf(Int m, Int n, T* a, Int* pivots) {                                                        \
    Int info = 0;                                                                                            \
    const Int lda = Lead(m);                                                                                 \
    p##getrf_(&m, &n, a, &lda, pivots, &info);                                                               \
    return info;                                                                                             \
  }                                                                                                          \
  inline Int Potrf(char uplo, Int n, T* a) {                                                                 \
    Int info = 0;                                                                                            \
    const Int lda = Lead(n);                                                                                 \
    p##potrf_(&uplo, &n, a, &lda, &info, 1);                                                                 \
    return info;                                                                                             \
  }                                                                                                          \
  inline void Geqrf(Int m, Int n, T* a, T* tau) {                                                            \
    Int info = 0;                                                                                            \
    const Int lda = Lead(m);                                                                                 \
    WithWorkspace<T>([&](T* work, Int size) { p##geqrf_(&m, &n, a, &lda, tau, work, &size, &info); });       \
  }                                                                                                          \
  inline void Orgqr(Int m, Int n, Int k, T* a, const T* tau) {                                               \
    Int info = 0;                                                                                            \
    const Int lda = Lead(m);                                                                                 \
    WithWorkspace<T>([&](T* work, Int size) { p##orgqr##_(&m, &n, &k, a, &lda, tau, work, &size, &info); }); \
  }                                                                                                          \
  inline void Ormqr(char side, char transpose, Int m, Int n, Int k, T* a, const T* tau, T* c) {              \
    Int info = 0;                                                                                            \
    const Int lda = Lead(side == 'L' ? m : n), ldc = Lead(m);                                                \
    WithWorkspace<T>([&](T* work, Int size) {                                                                \
      p##ormqr##_(&side, &transpose, &m, &n, &k, a, &lda, tau, c, &ldc, work, &size, &info, 1, 1);           \
    });                                                                                                      \
  }                                                                                                          \
  inline Int Gehrd(Int n, Int low, Int high, T* a, T* tau) {                                                 \
    Int info = 0;                                                                                            \
    const Int lda = Lead(n);                                                                                 \
    WithWorkspace<T>(                                                                                        \
        [&](T* work, Int size) { p##gehrd_(&n, &low, &high, a, &lda, tau, work, &size, &info); });           \
    return info;                                                                                             \
  }                                                                                                          \
  inline Int Sytrd(char uplo, Int n, T* a, R* diagonal, R* off_diagonal, T* tau) {                           \
    Int info = 0;                                                                                            \
    const Int lda = Lead(n);                                                                                 \
    WithWorkspace<T>([&](T* work, Int size) {                                                                \
      p##sytrd##_(&uplo, &n, a, &lda, diagonal, off_diagonal, tau, work, &size, &info, 1);                   \
    });                                                                                                      \
    return info;                                                                                             \
  }                                                                                                          \
  inline Int Gtsv(Int n, Int columns, T* lower, T* diagonal, T* upper, T* b) {                               \
    Int info = 0;                                                                                            \
    const Int ldb = Lead(n);                                                                                 \
    p##gtsv_(&n, &columns, lower, diagonal, upper, b, &ldb, &info);                                          \
    return info;                                                                                             \
  }
SHLO_LAPACK_WRAP(d, double, double, orgqr, ormqr, sytrd)
SHLO_LAPACK_WRAP(z, Complex, double, ungqr, unmqr, hetrd)
#undef SHLO_LAPACK_WRAP

// Routines that need more workspace for complex numbers. Of `u` and `vt`, the leading dimensions are those of
// mode 'A' (all columns and rows) or 'S' (as many as singular values). Eigenvalues of Geev and Gees are in
// `w`; in `w` and `wi` for real matrices.
inline void Geqp3(Int m, Int n, double* a, Int* pivots, double* tau) {
  Int info = 0;
  const Int lda = Lead(m);
  WithWorkspace<double>(
      [&](double* work, Int size) { dgeqp3_(&m, &n, a, &lda, pivots, tau, work, &size, &info); });
}
inline Int Gesdd(char mode, Int m, Int n, double* a, double* s, double* u, double* vt) {
  Int info = 0;
  const Int lda = Lead(m), ldv = Lead(mode == 'A' ? n : std::min(m, n));
  std::vector<Int> integers(8 * size_t(Lead(std::min(m, n))));
  WithWorkspace<double>([&](double* work, Int size) {
    dgesdd_(&mode, &m, &n, a, &lda, s, u, &lda, vt, &ldv, work, &size, integers.data(), &info, 1);
  });
  return info;
}
inline Int Syevd(char mode, char uplo, Int n, double* a, double* w) {
  Int info = 0;
  const Int lda = Lead(n), integers = 3 + 5 * Lead(n);
  std::vector<Int> iwork(size_t(integers), 0);
  WithWorkspace<double>([&](double* work, Int size) {
    const Int query = size < 0 ? -1 : integers;
    dsyevd_(&mode, &uplo, &n, a, &lda, w, work, &size, iwork.data(), &query, &info, 1, 1);
  });
  return info;
}
inline Int Geev(char left, char right, Int n, double* a, double* w, double* wi, double* vl, double* vr) {
  Int info = 0;
  const Int lda = Lead(n);
  WithWorkspace<double>([&](double* work, Int size) {
    dgeev_(&left, &right, &n, a, &lda, w, wi, vl, &lda, vr, &lda, work, &size, &info, 1, 1);
  });
  return info;
}
inline Int Gees(char mode, Int n, double* a, double* w, double* wi, double* vectors) {
  Int info = 0, selected = 0;
  const Int lda = Lead(n);
  const char sort = 'N';
  WithWorkspace<double>([&](double* work, Int size) {
    dgees_(&mode, &sort, nullptr, &n, a, &lda, &selected, w, wi, vectors, &lda, work, &size, nullptr, &info,
           1, 1);
  });
  return info;
}

inline void Geqp3(Int m, Int n, Complex* a, Int* pivots, Complex* tau) {
  Int info = 0;
  const Int lda = Lead(m);
  std::vector<double> reals(2 * size_t(Lead(n)));
  WithWorkspace<Complex>([&](Complex* work, Int size) {
    zgeqp3_(&m, &n, a, &lda, pivots, tau, work, &size, reals.data(), &info);
  });
}
inline Int Gesdd(char mode, Int m, Int n, Complex* a, double* s, Complex* u, Complex* vt) {
  Int info = 0;
  const Int lda = Lead(m), ldv = Lead(mode == 'A' ? n : std::min(m, n));
  const size_t least = size_t(Lead(std::min(m, n))), most = size_t(Lead(std::max(m, n)));
  std::vector<Int> integers(8 * least);
  std::vector<double> reals(least * std::max(5 * least + 7, 2 * most + 2 * least + 1));
  WithWorkspace<Complex>([&](Complex* work, Int size) {
    zgesdd_(&mode, &m, &n, a, &lda, s, u, &lda, vt, &ldv, work, &size, reals.data(), integers.data(), &info,
            1);
  });
  return info;
}
inline Int Syevd(char mode, char uplo, Int n, Complex* a, double* w) {
  Int info = 0;
  const Int lda = Lead(n), integers = 3 + 5 * Lead(n);
  const int64_t wanted = 1 + 5 * int64_t(n) + 2 * int64_t(n) * n;
  if (wanted > std::numeric_limits<Int>::max()) throw std::bad_alloc();
  const Int real_count = Int(wanted);
  std::vector<Int> iwork(size_t(integers), 0);
  std::vector<double> reals(size_t(real_count), 0);
  WithWorkspace<Complex>([&](Complex* work, Int size) {
    const Int ints = size < 0 ? -1 : integers, floats = size < 0 ? -1 : real_count;
    zheevd_(&mode, &uplo, &n, a, &lda, w, work, &size, reals.data(), &floats, iwork.data(), &ints, &info, 1,
            1);
  });
  return info;
}
inline Int Geev(char left, char right, Int n, Complex* a, Complex* w, Complex* vl, Complex* vr) {
  Int info = 0;
  const Int lda = Lead(n);
  std::vector<double> reals(2 * size_t(lda));
  WithWorkspace<Complex>([&](Complex* work, Int size) {
    zgeev_(&left, &right, &n, a, &lda, w, vl, &lda, vr, &lda, work, &size, reals.data(), &info, 1, 1);
  });
  return info;
}
inline Int Gees(char mode, Int n, Complex* a, Complex* w, Complex* vectors) {
  Int info = 0, selected = 0;
  const Int lda = Lead(n);
  const char sort = 'N';
  std::vector<double> reals(static_cast<size_t>(lda));
  WithWorkspace<Complex>([&](Complex* work, Int size) {
    zgees_(&mode, &sort, nullptr, &n, a, &lda, &selected, w, vectors, &lda, work, &size, reals.data(),
           nullptr, &info, 1, 1);
  });
  return info;
}

}  // namespace shlo::lapack
