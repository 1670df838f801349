// The boundary to LAPACK: its routines for the four types (s, d, c, z), as overloads that pass values instead
// of addresses, allocate the workspace that the routine asks for, and return `info`. Matrices are
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
SHLO_LAPACK_DECLARE(s, float, float, orgqr, ormqr, sytrd)
SHLO_LAPACK_DECLARE(d, double, double, orgqr, ormqr, sytrd)
SHLO_LAPACK_DECLARE(c, std::complex<float>, float, ungqr, unmqr, hetrd)
SHLO_LAPACK_DECLARE(z, std::complex<double>, double, ungqr, unmqr, hetrd)
#undef SHLO_LAPACK_DECLARE
#define SHLO_LAPACK_DECLARE_REAL(p, T)                                                                       \
  void p##geqp3_(const Int*, const Int*, T*, const Int*, Int*, T*, T*, const Int*, Int*);                    \
  void p##gesdd_(const char*, const Int*, const Int*, T*, const Int*, T*, T*, const Int*, T*, const Int*,    \
                 T*, const Int*, Int*, Int*, size_t);                                                        \
  void p##gesvd_(const char*, const char*, const Int*, const Int*, T*, const Int*, T*, T*, const Int*, T*,   \
                 const Int*, T*, const Int*, Int*, size_t, size_t);                                          \
  void p##syevd_(const char*, const char*, const Int*, T*, const Int*, T*, T*, const Int*, Int*, const Int*, \
                 Int*, size_t, size_t);                                                                      \
  void p##geev_(const char*, const char*, const Int*, T*, const Int*, T*, T*, T*, const Int*, T*,            \
                const Int*, T*, const Int*, Int*, size_t, size_t);                                           \
  void p##gees_(const char*, const char*, const void*, const Int*, T*, const Int*, Int*, T*, T*, T*,         \
                const Int*, T*, const Int*, Int*, Int*, size_t, size_t);
SHLO_LAPACK_DECLARE_REAL(s, float)
SHLO_LAPACK_DECLARE_REAL(d, double)
#undef SHLO_LAPACK_DECLARE_REAL
#define SHLO_LAPACK_DECLARE_COMPLEX(p, T, R)                                                                 \
  void p##geqp3_(const Int*, const Int*, T*, const Int*, Int*, T*, T*, const Int*, R*, Int*);                \
  void p##gesdd_(const char*, const Int*, const Int*, T*, const Int*, R*, T*, const Int*, T*, const Int*,    \
                 T*, const Int*, R*, Int*, Int*, size_t);                                                    \
  void p##gesvd_(const char*, const char*, const Int*, const Int*, T*, const Int*, R*, T*, const Int*, T*,   \
                 const Int*, T*, const Int*, R*, Int*, size_t, size_t);                                      \
  void p##heevd_(const char*, const char*, const Int*, T*, const Int*, R*, T*, const Int*, R*, const Int*,   \
                 Int*, const Int*, Int*, size_t, size_t);                                                    \
  void p##geev_(const char*, const char*, const Int*, T*, const Int*, T*, T*, const Int*, T*, const Int*,    \
                T*, const Int*, R*, Int*, size_t, size_t);                                                   \
  void p##gees_(const char*, const char*, const void*, const Int*, T*, const Int*, Int*, T*, T*, const Int*, \
                T*, const Int*, R*, Int*, Int*, size_t, size_t);
SHLO_LAPACK_DECLARE_COMPLEX(c, std::complex<float>, float)
SHLO_LAPACK_DECLARE_COMPLEX(z, std::complex<double>, double)
#undef SHLO_LAPACK_DECLARE_COMPLEX
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
SHLO_LAPACK_WRAP(s, float, float, orgqr, ormqr, sytrd)
SHLO_LAPACK_WRAP(d, double, double, orgqr, ormqr, sytrd)
SHLO_LAPACK_WRAP(c, std::complex<float>, float, ungqr, unmqr, hetrd)
SHLO_LAPACK_WRAP(z, std::complex<double>, double, ungqr, unmqr, hetrd)
#undef SHLO_LAPACK_WRAP

// Routines that need more workspace for complex numbers. Of `u` and `vt`, the leading dimensions are those of
// mode 'A' (all columns and rows) or 'S' (as many as singular values). Eigenvalues of Geev and Gees are in
// `w`; in `w` and `wi` for real matrices.
#define SHLO_LAPACK_WRAP_REAL(p, T)                                                                       \
  inline void Geqp3(Int m, Int n, T* a, Int* pivots, T* tau) {                                            \
    Int info = 0;                                                                                         \
    const Int lda = Lead(m);                                                                              \
    WithWorkspace<T>(                                                                                     \
        [&](T* work, Int size) { p##geqp3_(&m, &n, a, &lda, pivots, tau, work, &size, &info); });         \
  }                                                                                                       \
  inline Int Gesdd(char mode, Int m, Int n, T* a, T* s, T* u, T* vt) {                                    \
    Int info = 0;                                                                                         \
    const Int lda = Lead(m), ldv = Lead(mode == 'A' ? n : std::min(m, n));                                \
    std::vector<Int> integers(8 * size_t(Lead(std::min(m, n))));                                          \
    WithWorkspace<T>([&](T* work, Int size) {                                                             \
      p##gesdd_(&mode, &m, &n, a, &lda, s, u, &lda, vt, &ldv, work, &size, integers.data(), &info, 1);    \
    });                                                                                                   \
    return info;                                                                                          \
  }                                                                                                       \
  inline Int Gesvd(char mode, Int m, Int n, T* a, T* s, T* u, T* vt) {                                    \
    Int info = 0;                                                                                         \
    const Int lda = Lead(m), ldv = Lead(mode == 'A' ? n : std::min(m, n));                                \
    WithWorkspace<T>([&](T* work, Int size) {                                                             \
      p##gesvd_(&mode, &mode, &m, &n, a, &lda, s, u, &lda, vt, &ldv, work, &size, &info, 1, 1);           \
    });                                                                                                   \
    return info;                                                                                          \
  }                                                                                                       \
  inline Int Syevd(char mode, char uplo, Int n, T* a, T* w) {                                             \
    Int info = 0;                                                                                         \
    const Int lda = Lead(n), integers = 3 + 5 * Lead(n);                                                  \
    std::vector<Int> iwork(size_t(integers), 0);                                                          \
    WithWorkspace<T>([&](T* work, Int size) {                                                             \
      const Int query = size < 0 ? -1 : integers;                                                         \
      p##syevd_(&mode, &uplo, &n, a, &lda, w, work, &size, iwork.data(), &query, &info, 1, 1);            \
    });                                                                                                   \
    return info;                                                                                          \
  }                                                                                                       \
  inline Int Geev(char left, char right, Int n, T* a, T* w, T* wi, T* vl, T* vr) {                        \
    Int info = 0;                                                                                         \
    const Int lda = Lead(n);                                                                              \
    WithWorkspace<T>([&](T* work, Int size) {                                                             \
      p##geev_(&left, &right, &n, a, &lda, w, wi, vl, &lda, vr, &lda, work, &size, &info, 1, 1);          \
    });                                                                                                   \
    return info;                                                                                          \
  }                                                                                                       \
  inline Int Gees(char mode, Int n, T* a, T* w, T* wi, T* vectors) {                                      \
    Int info = 0, selected = 0;                                                                           \
    const Int lda = Lead(n);                                                                              \
    const char sort = 'N';                                                                                \
    WithWorkspace<T>([&](T* work, Int size) {                                                             \
      p##gees_(&mode, &sort, nullptr, &n, a, &lda, &selected, w, wi, vectors, &lda, work, &size, nullptr, \
               &info, 1, 1);                                                                              \
    });                                                                                                   \
    return info;                                                                                          \
  }
SHLO_LAPACK_WRAP_REAL(s, float)
SHLO_LAPACK_WRAP_REAL(d, double)
#undef SHLO_LAPACK_WRAP_REAL

#define SHLO_LAPACK_WRAP_COMPLEX(p, T, R)                                                                  \
  inline void Geqp3(Int m, Int n, T* a, Int* pivots, T* tau) {                                             \
    Int info = 0;                                                                                          \
    const Int lda = Lead(m);                                                                               \
    std::vector<R> reals(2 * size_t(Lead(n)));                                                             \
    WithWorkspace<T>([&](T* work, Int size) {                                                              \
      p##geqp3_(&m, &n, a, &lda, pivots, tau, work, &size, reals.data(), &info);                           \
    });                                                                                                    \
  }                                                                                                        \
  inline Int Gesdd(char mode, Int m, Int n, T* a, R* s, T* u, T* vt) {                                     \
    Int info = 0;                                                                                          \
    const Int lda = Lead(m), ldv = Lead(mode == 'A' ? n : std::min(m, n));                                 \
    const size_t least = size_t(Lead(std::min(m, n))), most = size_t(Lead(std::max(m, n)));                \
    std::vector<Int> integers(8 * least);                                                                  \
    std::vector<R> reals(least* std::max(5 * least + 7, 2 * most + 2 * least + 1));                        \
    WithWorkspace<T>([&](T* work, Int size) {                                                              \
      p##gesdd_(&mode, &m, &n, a, &lda, s, u, &lda, vt, &ldv, work, &size, reals.data(), integers.data(),  \
                &info, 1);                                                                                 \
    });                                                                                                    \
    return info;                                                                                           \
  }                                                                                                        \
  inline Int Gesvd(char mode, Int m, Int n, T* a, R* s, T* u, T* vt) {                                     \
    Int info = 0;                                                                                          \
    const Int lda = Lead(m), ldv = Lead(mode == 'A' ? n : std::min(m, n));                                 \
    std::vector<R> reals(5 * size_t(Lead(std::min(m, n))));                                                \
    WithWorkspace<T>([&](T* work, Int size) {                                                              \
      p##gesvd_(&mode, &mode, &m, &n, a, &lda, s, u, &lda, vt, &ldv, work, &size, reals.data(), &info, 1,  \
                1);                                                                                        \
    });                                                                                                    \
    return info;                                                                                           \
  }                                                                                                        \
  inline Int Syevd(char mode, char uplo, Int n, T* a, R* w) {                                              \
    Int info = 0;                                                                                          \
    const Int lda = Lead(n), integers = 3 + 5 * Lead(n);                                                   \
    const int64_t wanted = 1 + 5 * int64_t(n) + 2 * int64_t(n) * n;                                        \
    if (wanted > std::numeric_limits<Int>::max()) throw std::bad_alloc();                                  \
    const Int real_count = Int(wanted);                                                                    \
    std::vector<Int> iwork(size_t(integers), 0);                                                           \
    std::vector<R> reals(size_t(real_count), 0);                                                           \
    WithWorkspace<T>([&](T* work, Int size) {                                                              \
      const Int ints = size < 0 ? -1 : integers, floats = size < 0 ? -1 : real_count;                      \
      p##heevd_(&mode, &uplo, &n, a, &lda, w, work, &size, reals.data(), &floats, iwork.data(), &ints,     \
                &info, 1, 1);                                                                              \
    });                                                                                                    \
    return info;                                                                                           \
  }                                                                                                        \
  inline Int Geev(char left, char right, Int n, T* a, T* w, T* vl, T* vr) {                                \
    Int info = 0;                                                                                          \
    const Int lda = Lead(n);                                                                               \
    std::vector<R> reals(2 * size_t(lda));                                                                 \
    WithWorkspace<T>([&](T* work, Int size) {                                                              \
      p##geev_(&left, &right, &n, a, &lda, w, vl, &lda, vr, &lda, work, &size, reals.data(), &info, 1, 1); \
    });                                                                                                    \
    return info;                                                                                           \
  }                                                                                                        \
  inline Int Gees(char mode, Int n, T* a, T* w, T* vectors) {                                              \
    Int info = 0, selected = 0;                                                                            \
    const Int lda = Lead(n);                                                                               \
    const char sort = 'N';                                                                                 \
    std::vector<R> reals(static_cast<size_t>(lda));                                                        \
    WithWorkspace<T>([&](T* work, Int size) {                                                              \
      p##gees_(&mode, &sort, nullptr, &n, a, &lda, &selected, w, vectors, &lda, work, &size, reals.data(), \
               nullptr, &info, 1, 1);                                                                      \
    });                                                                                                    \
    return info;                                                                                           \
  }
SHLO_LAPACK_WRAP_COMPLEX(c, std::complex<float>, float)
SHLO_LAPACK_WRAP_COMPLEX(z, std::complex<double>, double)
#undef SHLO_LAPACK_WRAP_COMPLEX

}  // namespace shlo::lapack
