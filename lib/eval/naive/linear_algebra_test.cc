// Linear algebra, Fourier transforms and batch normalization: factors multiplied back, defining sums, and
// formulas in long double, to some steps of the type.
#include <complex>

#include "eval/naive/program.h"
#include "eval/naive/scalars.h"

namespace shlo::naive {
namespace {

// Small ones, because the sums are long.
Values Moderate(const Type& type, const Ints& shape, uint64_t seed = 1) {
  return Numbers(type, shape, seed, 512);
}

using Complex = std::complex<long double>;
Complex Number(const Values& values, const Ints& at) {
  const ComplexNumber z = DecodeParts(values.type, values[at]);
  return {(long double)(z.re), values.type.complex ? (long double)(z.im) : 0};
}
Scalar CodeOf(const Type& type, Complex z) {
  return {Encode(*type.format, Wide(z.real())), type.complex ? Encode(*type.format, Wide(z.imag())) : 0};
}
// Whether numbers agree to `steps` times the precision of the type, as parts of 1.
::testing::AssertionResult Near(const Type& type, Complex actual, Complex expected, long double steps) {
  const long double unit = std::ldexp(1.0L, -type.format->mantissa_bits);
  if (std::abs(actual - expected) <= steps * unit * std::max(1.0L, std::abs(expected)))
    return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << type.name << ": " << actual << " instead of " << expected;
}

// The factor times its adjoint is the matrix, and the other triangle is zero.
TEST(NaiveLinearAlgebra, CholeskyFactorsMultiplyBack) {
  for (std::string_view name : {"f32", "f64", "complex<f32>", "complex<f64>", "bf16", "f16"})
    for (bool lower : {false, true}) {
      const Type type = *TypeOf(name);
      const int64_t n = 4;
      // Two matrices l * l^H with a dominant diagonal; only one triangle is read.
      Values a(type, {2, n, n});
      std::vector<std::vector<Complex>> whole(2, std::vector<Complex>(size_t(n * n)));
      for (int64_t m = 0; m < 2; ++m)
        for (int64_t i = 0; i < n; ++i)
          for (int64_t j = 0; j <= i; ++j) {
            const Complex v =
                i == j ? Complex(4 + i + m) : Complex(0.5L * (i - j), type.complex ? 0.25L * j : 0);
            whole[size_t(m)][size_t(i * n + j)] = v;
            whole[size_t(m)][size_t(j * n + i)] = std::conj(v);
            const Scalar junk = CodeOf(type, 99);
            a[{m, i, j}] = lower || i == j ? CodeOf(type, v) : junk;
            a[{m, j, i}] = !lower || i == j ? CodeOf(type, std::conj(v)) : junk;
          }
      const std::vector<Values> results =
          ResultsOf({.name = "stablehlo.cholesky",
                     .operands = {a},
                     .results = {TypeText(a)},
                     .attributes = std::string("lower = ") + (lower ? "true" : "false")});
      ASSERT_EQ(results.size(), 1u);
      for (const Ints& at : Indices({2, n, n})) {
        const auto l = [&](int64_t i, int64_t j) {
          return lower ? Number(results[0], {at[0], i, j}) : std::conj(Number(results[0], {at[0], j, i}));
        };
        Complex product = 0;
        for (int64_t k = 0; k < n; ++k) product += l(at[1], k) * std::conj(l(at[2], k));
        EXPECT_TRUE(Near(type, product, whole[size_t(at[0])][size_t(at[1] * n + at[2])], 8))
            << List(at) << lower;
        if (at[1] < at[2]) {
          EXPECT_EQ(l(at[1], at[2]), Complex(0));
        }
      }
    }
}

TEST(NaiveLinearAlgebra, CholeskyOfAMatrixThatIsNotPositiveIsNan) {
  const Type type = *TypeOf("f32");
  Values a(type, {2, 2});
  a.at = {{Encode(*type.format, 1)},
          {Encode(*type.format, 2)},
          {Encode(*type.format, 2)},
          {Encode(*type.format, 1)}};
  const std::vector<Values> results = ResultsOf({.name = "stablehlo.cholesky",
                                                 .operands = {a},
                                                 .results = {TypeText(a)},
                                                 .attributes = "lower = true"});
  ASSERT_EQ(results.size(), 1u);
  EXPECT_TRUE(IsNan(Decode(*type.format, results[0].at[3].re)));
}

// op(a) * x is b, or x * op(a).
TEST(NaiveLinearAlgebra, TriangularSolveSolves) {
  for (std::string_view name : {"f32", "f64", "complex<f32>", "complex<f64>", "f16"})
    for (bool left : {false, true})
      for (bool lower : {false, true})
        for (bool unit : {false, true})
          for (std::string_view transpose : {"NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"}) {
            const Type type = *TypeOf(name);
            const int64_t n = 4, m = 3;
            Values a = Moderate(type, {2, n, n});
            for (int64_t i = 0; i < 2 * n; ++i)
              a[{i / n, i % n, i % n}] = CodeOf(type, 2.5L + 0.5L * (i % 3));
            const Values b = Moderate(type, left ? Ints{2, n, m} : Ints{2, m, n}, 7);
            const auto flag = [](bool v) { return std::string(v ? "true" : "false"); };
            const std::vector<Values> results = ResultsOf(
                {.name = "stablehlo.triangular_solve",
                 .operands = {a, b},
                 .results = {TypeText(b)},
                 .attributes = "left_side = " + flag(left) + ", lower = " + flag(lower) +
                               ", unit_diagonal = " + flag(unit) + ", transpose_a = #stablehlo<transpose " +
                               std::string(transpose) + ">"});
            ASSERT_EQ(results.size(), 1u);
            const Values& x = results[0];
            for (const Ints& at : Indices(b.shape)) {
              // Only one triangle counts; the diagonal may be taken as ones.
              const auto op = [&](int64_t i, int64_t j) -> Complex {
                if (transpose != "NO_TRANSPOSE") std::swap(i, j);
                if (i == j && unit) return 1;
                if (lower ? i < j : i > j) return 0;
                const Complex v = Number(a, {at[0], i, j});
                return transpose == "ADJOINT" ? std::conj(v) : v;
              };
              Complex product = 0;
              for (int64_t k = 0; k < n; ++k)
                product += left ? op(at[1], k) * Number(x, {at[0], k, at[2]})
                                : Number(x, {at[0], at[1], k}) * op(k, at[2]);
              ASSERT_TRUE(Near(type, product, Number(b, at), 256)) << left << lower << unit << transpose;
            }
          }
}

// --- Fourier transforms ---------------------------------------------------------------------------------

// sum over the last dimensions of x[i] * exp(-+2 pi i k j / n), of each batch.
std::vector<Complex> Transformed(const std::vector<Complex>& x, const Ints& lengths, bool inverse) {
  const std::vector<Ints> all = Indices(lengths);
  std::vector<Complex> out(x.size());
  const size_t n = all.size();
  for (size_t batch = 0; batch < x.size(); batch += n)
    for (size_t k = 0; k < n; ++k) {
      Complex sum = 0;
      for (size_t j = 0; j < n; ++j) {
        long double turns = 0;
        for (size_t d = 0; d < lengths.size(); ++d)
          turns += (long double)(all[k][d] * all[j][d] % lengths[d]) / (long double)lengths[d];
        const long double angle = (inverse ? 2 : -2) * 3.14159265358979323846264338327950288L * turns;
        sum += x[batch + j] * Complex(std::cos(angle), std::sin(angle));
      }
      out[batch + k] = inverse ? sum / (long double)n : sum;
    }
  return out;
}

TEST(NaiveLinearAlgebra, FourierTransforms) {
  for (std::string_view name : {"f32", "f64"})
    for (const Ints& lengths : {Ints{1}, Ints{2}, Ints{6}, Ints{7}, Ints{8}, Ints{15}, Ints{22}, Ints{3, 4},
                                Ints{2, 5}, Ints{2, 3, 4}}) {
      const Type real = *TypeOf(name), complex = *TypeOf("complex<" + std::string(name) + ">");
      Ints full = {2}, half = {2};
      full.insert(full.end(), lengths.begin(), lengths.end());
      half = full;
      half.back() = full.back() / 2 + 1;
      const auto run = [&](std::string_view kind, const Values& in, const Values& like) {
        const std::vector<Values> r =
            ResultsOf({.name = "stablehlo.fft",
                       .operands = {in},
                       .results = {TypeText(like)},
                       .attributes = "fft_type = #stablehlo<fft_type " + std::string(kind) +
                                     ">, fft_length = " + I64s(lengths)});
        return r.empty() ? like : r[0];
      };
      const auto numbers = [](const Values& values) {
        std::vector<Complex> out;
        for (const Ints& at : Indices(values.shape)) out.push_back(Number(values, at));
        return out;
      };
      const Values z = Moderate(complex, full), x = Moderate(real, full);
      for (bool inverse : {false, true}) {
        const std::vector<Complex> expected = Transformed(numbers(z), lengths, inverse);
        const std::vector<Complex> actual = numbers(run(inverse ? "IFFT" : "FFT", z, z));
        for (size_t i = 0; i < actual.size(); ++i)
          EXPECT_TRUE(Near(complex, actual[i], expected[i], 4)) << List(lengths);
      }
      // Of real numbers: the first half of the last dimension.
      const Values spectrum = run("RFFT", x, Values(complex, half));
      Values whole(complex, full);
      const std::vector<Complex> expected = Transformed(numbers(x), lengths, false);
      for (size_t i = 0; i < whole.at.size(); ++i) whole.at[i] = CodeOf(complex, expected[i]);
      for (const Ints& at : Indices(half))
        EXPECT_TRUE(Near(complex, Number(spectrum, at), Number(whole, at), 8));
      // And back: the other half is the conjugate.
      const Values back = run("IRFFT", spectrum, x);
      for (const Ints& at : Indices(full))
        EXPECT_TRUE(Near(real, Number(back, at), Number(x, at), 8)) << List(lengths);
    }
}

// --- Batch normalization --------------------------------------------------------------------------------

TEST(NaiveLinearAlgebra, BatchNorm) {
  for (std::string_view name : {"f32", "f64", "f16", "bf16"})
    for (int64_t feature : {0, 1, 2}) {
      const Type type = *TypeOf(name);
      const Ints shape = {2, 3, 4};
      const int64_t f = shape[size_t(feature)];
      const long double epsilon = 0.125;
      const Values x = Moderate(type, shape), scale = Moderate(type, {f}, 2), offset = Moderate(type, {f}, 3);
      const Values mean = Moderate(type, {f}, 4), gradient = Moderate(type, shape, 5);
      Values variance = Moderate(type, {f}, 6);
      for (Scalar& v : variance.at) v.re &= Ones(type.width - 1);  // positive
      const std::string attributes =
          "epsilon = 1.250000e-01 : f32, feature_index = " + std::to_string(feature) + " : i64";
      const auto at = [&](const Values& v, int64_t i) { return Number(v, {i}).real(); };
      const long double count = 24.0L / (long double)f;
      const std::vector<Values> inference = ResultsOf({.name = "stablehlo.batch_norm_inference",
                                                       .operands = {x, scale, offset, mean, variance},
                                                       .results = {TypeText(x)},
                                                       .attributes = attributes});
      const std::vector<Values> training =
          ResultsOf({.name = "stablehlo.batch_norm_training",
                     .operands = {x, scale, offset},
                     .results = {TypeText(x), TypeText(mean), TypeText(mean)},
                     .attributes = attributes});
      const std::vector<Values> grad = ResultsOf({.name = "stablehlo.batch_norm_grad",
                                                  .operands = {x, scale, mean, variance, gradient},
                                                  .results = {TypeText(x), TypeText(mean), TypeText(mean)},
                                                  .attributes = attributes});
      ASSERT_EQ(inference.size() + training.size() + grad.size(), 7u);
      std::vector<long double> m(static_cast<size_t>(f)), v = m, sum = m, weighted = m;
      for (const Ints& i : Indices(shape)) m[size_t(i[size_t(feature)])] += Number(x, i).real() / count;
      for (const Ints& i : Indices(shape)) {
        const size_t k = size_t(i[size_t(feature)]);
        v[k] += (Number(x, i).real() - m[k]) * (Number(x, i).real() - m[k]) / count;
        sum[k] += Number(gradient, i).real();
        weighted[k] += Number(gradient, i).real() * (Number(x, i).real() - at(mean, int64_t(k)));
      }
      constexpr long double kSteps = 40;
      for (const Ints& i : Indices(shape)) {
        const int64_t k = i[size_t(feature)];
        const long double number = Number(x, i).real(), centered = number - at(mean, k);
        const long double deviation = std::sqrt(at(variance, k) + epsilon);
        EXPECT_TRUE(
            Near(type, Number(inference[0], i), at(scale, k) * centered / deviation + at(offset, k), kSteps));
        EXPECT_TRUE(
            Near(type, Number(training[0], i),
                 at(scale, k) * (number - m[size_t(k)]) / std::sqrt(v[size_t(k)] + epsilon) + at(offset, k),
                 kSteps));
        const long double inner = Number(gradient, i).real() * count - sum[size_t(k)] -
                                  centered * weighted[size_t(k)] / (at(variance, k) + epsilon);
        EXPECT_TRUE(Near(type, Number(grad[0], i), at(scale, k) / deviation / count * inner, kSteps));
      }
      for (int64_t k = 0; k < f; ++k) {
        EXPECT_TRUE(Near(type, Number(training[1], {k}), m[size_t(k)], kSteps));
        EXPECT_TRUE(Near(type, Number(training[2], {k}), v[size_t(k)], kSteps));
        EXPECT_TRUE(Near(type, Number(grad[1], {k}),
                         weighted[size_t(k)] / std::sqrt(at(variance, k) + epsilon), kSteps));
        EXPECT_TRUE(Near(type, Number(grad[2], {k}), sum[size_t(k)], kSteps));
      }
    }
}

}  // namespace
}  // namespace shlo::naive
