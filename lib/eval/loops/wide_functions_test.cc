#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <functional>
#include <vector>

#include "base/test_sanitizers.h"
#include "eval/loops/element_loops.h"
#include "eval/loops/instruction_set.h"
#include "eval/loops/numeric/float_codec.h"

namespace shlo {
namespace {

constexpr InstructionSet kSets[] = {InstructionSet::kPlain, InstructionSet::kAvx2, InstructionSet::kAvx512};

struct Function {
  const char* name;
  LoopPicker picker;
  double (*plain)(double);
};
double Exp(double x) { return std::exp(x); }
double Logistic(double x) { return 1 / (1 + std::exp(-x)); }
double Tanh(double x) { return std::tanh(x); }
double Erf(double x) { return std::erf(x); }
double Sqrt(double x) { return std::sqrt(x); }
double Rsqrt(double x) { return 1 / std::sqrt(x); }
constexpr Function kFunctions[] = {{"exponential", PickExponential, Exp},
                                   {"logistic", PickLogistic, Logistic},
                                   {"tanh", PickTanh, Tanh},
                                   {"erf", PickErf, Erf},
                                   {"sqrt", PickSqrt, Sqrt},
                                   {"rsqrt", PickRsqrt, Rsqrt}};

// Compares the loops on f32 with the function in f64, rounded once, for the bits first, first + step, ...
void ExpectRounded(const Function& function, uint32_t first, uint64_t step) {
  std::vector<float> in;
  for (uint64_t bits = first; bits < (1ull << 32); bits += step)
    in.push_back(std::bit_cast<float>(uint32_t(bits)));
  std::vector<float> out(in.size());
  for (const InstructionSet set : kSets) {
    const LimitInstructionSet limit(set);
    const ElementType f32[1] = {{TypeKind::kF32}};
    LoopQuery query{nullptr, nullptr, f32, {}};
    const ElementLoop loop = function.picker(query);
    ASSERT_TRUE(loop);
    const uint8_t* operands[1] = {reinterpret_cast<const uint8_t*>(in.data())};
    loop.run(loop, operands, reinterpret_cast<uint8_t*>(out.data()), in.size());
    for (size_t i = 0; i < in.size(); ++i)
      ASSERT_EQ(std::bit_cast<uint32_t>(out[i]),
                std::bit_cast<uint32_t>(CanonicalNan(float(function.plain(double(in[i]))))))
          << function.name << " of " << in[i];
  }
}

TEST(WideFunctions, AllExponentsAndSigns) {
  for (const Function& function : kFunctions)
    ExpectRounded(function, uint32_t(&function - kFunctions), kSanitized ? 40'999 : 4099);
}

// Where results become subnormal, zero or infinite, or another polynomial begins.
TEST(WideFunctions, BoundsOfRanges) {
  for (const Function& function : kFunctions)
    for (const float bound : {87.3f, 88.72284f, 104.0f, 0.0f, 1e-36f, 1.17549435e-38f, 0.5f, 1.0f, 1.5f, 2.0f,
                              2.5f, 3.0f, 3.5f, 3.92f, 4.0f, 9.01f, 25.0f})
      for (const float sign : {1.0f, -1.0f})
        for (int32_t i = -64; i <= 64; ++i)
          ExpectRounded(function, std::bit_cast<uint32_t>(sign * bound) + uint32_t(i), 1ull << 32);
}

// All numbers of a narrower format, of which some results may be near a tie of that format.
TEST(WideFunctions, AllNumbersOfNarrowFormats) {
  for (const TypeKind kind : {TypeKind::kBF16, TypeKind::kF16, TypeKind::kF8E4M3FN, TypeKind::kF8E5M2}) {
    const ElementType element[1] = {{kind}};
    const size_t count = size_t(1) << BitWidth(kind);
    std::vector<uint8_t> in(count * element[0].bytes());
    for (size_t i = 0; i < count; ++i)
      std::memcpy(in.data() + i * element[0].bytes(), &i, element[0].bytes());
    for (const Function& function : kFunctions) {
      std::vector<uint8_t> results[std::size(kSets)];
      for (size_t s = 0; s < std::size(kSets); ++s) {
        const LimitInstructionSet limit(kSets[s]);
        LoopQuery query{nullptr, nullptr, element, {}};
        const ElementLoop loop = function.picker(query);
        ASSERT_TRUE(loop);
        results[s].resize(in.size());
        const uint8_t* operands[1] = {in.data()};
        loop.run(loop, operands, results[s].data(), count);
        EXPECT_EQ(results[s], results[0]) << function.name << " of type " << int(kind) << ", set " << s;
      }
    }
  }
}

// All codes of the formats, and numbers next to each of their ties.
TEST(WideFunctions, Codecs) {
  for (const TypeKind kind : {TypeKind::kBF16, TypeKind::kF16}) {
    std::vector<uint16_t> codes(1 << 16);
    for (size_t i = 0; i < codes.size(); ++i) codes[i] = uint16_t(i);
    const uint8_t* const from = reinterpret_cast<const uint8_t*>(codes.data());
    std::vector<uint32_t> values[std::size(kSets)];
    std::vector<uint16_t> of_f32[std::size(kSets)], of_f64[std::size(kSets)];
    for (size_t s = 0; s < std::size(kSets); ++s) {
      const LimitInstructionSet limit(kSets[s]);
      const FloatCodec& codec = *CodecOf(kind);
      std::vector<float> f32(codes.size());
      std::vector<double> f64(codes.size());
      codec.to_f32(from, f32.data(), f32.size());
      codec.to_f64(from, f64.data(), f64.size());
      for (size_t i = 0; i < codes.size(); ++i) {
        values[s].push_back(std::bit_cast<uint32_t>(f32[i]));
        ASSERT_TRUE(f64[i] == double(f32[i]) || f32[i] != f32[i]);
      }
      std::vector<float> near;
      std::vector<double> close;
      for (size_t i = 0; i < codes.size(); ++i) {
        const uint32_t bits = values[s][i], half = kind == TypeKind::kBF16 ? 1u << 15 : 1u << 12;
        for (const uint32_t offset : {0u, 1u, half - 1, half, half + 1}) {
          near.push_back(std::bit_cast<float>(bits + offset));
          close.push_back(near.back());
          close.push_back(std::nextafter(close.back(), 0.0));
          close.push_back(close[close.size() - 2] * (1 + 0x1p-40));
        }
      }
      for (const double v : {1e300, -1e300, 1e-300, -1e-300, 5e-324, 3.4028236e38}) close.push_back(v);
      for (size_t n = near.size() - 20; n <= near.size(); ++n) {
        of_f32[s].assign(n, 0xABCD);
        codec.from_f32(near.data(), reinterpret_cast<uint8_t*>(of_f32[s].data()), n);
      }
      of_f64[s].resize(close.size());
      codec.from_f64(close.data(), reinterpret_cast<uint8_t*>(of_f64[s].data()), close.size());
      EXPECT_EQ(values[s], values[0]);
      EXPECT_EQ(of_f32[s], of_f32[0]);
      EXPECT_EQ(of_f64[s], of_f64[0]);
    }
  }
}

// The largest error of a fast loop in ulp of the f32 nearest to the result, for the bits first, first +
// step, ... Results that are zero, infinite or NaN must be so, and signs be right.
double FastError(const Function& function, uint32_t first, uint64_t step) {
  std::vector<float> in;
  for (uint64_t bits = first; bits < (1ull << 32); bits += step)
    in.push_back(std::bit_cast<float>(uint32_t(bits)));
  std::vector<float> out(in.size());
  const ElementType f32[1] = {{TypeKind::kF32}};
  LoopQuery query{nullptr, nullptr, f32, {}, true};
  const ElementLoop loop = function.picker(query);
  const uint8_t* operands[1] = {reinterpret_cast<const uint8_t*>(in.data())};
  loop.run(loop, operands, reinterpret_cast<uint8_t*>(out.data()), in.size());
  double most = 0;
  for (size_t i = 0; i < in.size(); ++i) {
    const double exact = function.plain(double(in[i]));
    const float nearest = float(exact);
    if (nearest != nearest || std::isinf(nearest)) {
      EXPECT_EQ(std::bit_cast<uint32_t>(out[i]), std::bit_cast<uint32_t>(CanonicalNan(nearest)))
          << function.name << " of " << in[i];
      continue;
    }
    EXPECT_EQ(std::signbit(out[i]), std::signbit(nearest)) << function.name << " of " << in[i];
    const float size = std::fabs(nearest);
    const double ulp = double(std::nextafter(size, INFINITY)) - double(size);
    most = std::max(most, std::fabs(double(out[i]) - exact) / ulp);
  }
  return most;
}

// With EvalOptions::fast, errors are what docs/evaluation.md says; on a machine without vectors there are
// none.
TEST(WideFunctions, FastErrors) {
  for (const InstructionSet set : kSets) {
    const LimitInstructionSet limit(set);
    for (const Function& function : kFunctions) {
      const double most = FastError(function, uint32_t(&function - kFunctions), kSanitized ? 40'999 : 4099);
      EXPECT_LT(most, 3) << function.name << " set " << int(set);
      for (const float bound :
           {87.3f, 88.02969f, 88.72284f, 103.28f, 103.97f, 104.0f, 0.0f, 1.17549435e-38f, 0.35f})
        for (const float sign : {1.0f, -1.0f})
          for (int32_t i = -64; i <= 64; ++i)
            EXPECT_LT(FastError(function, std::bit_cast<uint32_t>(sign * bound) + uint32_t(i), 1ull << 32),
                      3);
    }
  }
}

// Any number of elements, from any address.
TEST(WideFunctions, TailsAndUnalignedElements) {
  for (const InstructionSet set : kSets) {
    const LimitInstructionSet limit(set);
    const ElementType f32[1] = {{TypeKind::kF32}};
    LoopQuery query{nullptr, nullptr, f32, {}};
    const ElementLoop loop = PickExponential(query);
    for (size_t n = 0; n < 20; ++n) {
      std::vector<uint8_t> in(1 + 4 * n), out(1 + 4 * n + 1, 0xAB);
      for (size_t i = 0; i < n; ++i) Store<float>(in.data() + 1, i, float(i) - 3.5f);
      const uint8_t* operands[1] = {in.data() + 1};
      loop.run(loop, operands, out.data() + 1, n);
      for (size_t i = 0; i < n; ++i)
        EXPECT_EQ(Load<float>(out.data() + 1, i), float(std::exp(double(float(i) - 3.5f)))) << n;
      EXPECT_EQ(out.back(), 0xAB);
    }
  }
}

// Arithmetic of f32, of special numbers and with tails, in place and not.
TEST(WideFunctions, Arithmetic) {
  std::vector<float> special = {
      0.0f,     -0.0f, 1.0f,   -1.0f,    1e-40f,    -1e-40f, 3.4e38f,
      -3.4e38f, 1.5f,  1e-20f, INFINITY, -INFINITY, NAN,     std::bit_cast<float>(0xFFC12345u)};
  std::vector<float> a, b;
  for (const float x : special)
    for (const float y : special) a.push_back(x), b.push_back(y);
  const ElementType f32[2] = {{TypeKind::kF32}, {TypeKind::kF32}};
  for (const LoopPicker picker : {PickAdd, PickSubtract, PickMultiply, PickDivide, PickMaximum, PickMinimum})
    for (size_t n = 0; n <= a.size(); n += n < 40 ? 1 : 13) {
      std::vector<uint32_t> results[std::size(kSets)];
      for (size_t s = 0; s < std::size(kSets); ++s)
        for (const bool in_place : {false, true}) {
          const LimitInstructionSet limit(kSets[s]);
          LoopQuery query{nullptr, nullptr, f32, {}};
          const ElementLoop loop = picker(query);
          std::vector<float> left = a, out(a.size(), 7.0f);
          std::vector<float>& to = in_place ? left : out;
          const uint8_t* operands[2] = {reinterpret_cast<const uint8_t*>(left.data()),
                                        reinterpret_cast<const uint8_t*>(b.data())};
          loop.run(loop, operands, reinterpret_cast<uint8_t*>(to.data()), n);
          std::vector<uint32_t> bits;
          for (size_t i = 0; i < n; ++i) bits.push_back(std::bit_cast<uint32_t>(to[i]));
          if (results[s].empty()) results[s] = bits;
          EXPECT_EQ(bits, results[0]) << n << " set " << s;
          const float after = in_place ? a[n % a.size()] : 7.0f;
          EXPECT_EQ(std::bit_cast<uint32_t>(to[n % to.size()]),
                    n < a.size() ? std::bit_cast<uint32_t>(after) : bits[0]);
        }
    }
}

// Rows of narrow formats round after each element, and special numbers too.
TEST(FoldRows, NarrowFormatsEqualTheLoop) {
  for (const TypeKind kind : {TypeKind::kBF16, TypeKind::kF16}) {
    const ElementType element[2] = {{kind}, {kind}};
    for (const LoopPicker picker : {PickAdd, PickMultiply, PickMaximum, PickMinimum}) {
      LoopQuery query{nullptr, nullptr, element, {}};
      const ElementLoop loop = picker(query);
      ASSERT_TRUE(loop.fold && loop.fold_rows);
      for (size_t rows = 1; rows < 40; rows += 6) {
        const size_t n = 3 + 7 * rows;
        std::vector<uint16_t> in(rows * n), all(rows, 0x3800), expected(rows, 0x3800);
        for (size_t i = 0; i < in.size(); ++i)
          in[i] = uint16_t(i % 11 == 0 && i % n < 5 ? i * 40503u : 0x3700 + i * 7919u % 0x300);
        const auto bytes = [](auto& list) { return reinterpret_cast<uint8_t*>(list.data()); };
        loop.fold_rows(bytes(all), bytes(in), rows, n);
        for (size_t r = 0; r < rows; ++r)
          for (size_t i = 0; i < n; ++i) {
            const uint8_t* operands[2] = {bytes(expected) + 2 * r, bytes(in) + 2 * (r * n + i)};
            loop.run(loop, operands, bytes(expected) + 2 * r, 1);
          }
        EXPECT_EQ(all, expected);
      }
    }
  }
}

// With EvalOptions::fast, sums are near those in order, with any number of elements; special numbers count.
TEST(FoldRows, FastSumsAreNear) {
  for (const InstructionSet set : kSets) {
    const LimitInstructionSet limit(set);
    const ElementType f32[2] = {{TypeKind::kF32}, {TypeKind::kF32}};
    LoopQuery query{nullptr, nullptr, f32, {}, true};
    const ElementLoop loop = PickAdd(query);
    for (size_t n = 0; n < 150; ++n) {
      constexpr size_t kRows = 4;
      std::vector<float> in(kRows * n), sums(kRows, 0.25f);
      std::vector<double> expected(kRows, 0.25);
      for (size_t i = 0; i < in.size(); ++i) {
        in[i] = std::sin(float(i)) + 0.5f;
        expected[i / n] += double(in[i]);
      }
      if (n > 2) in[n - 1] = INFINITY, in[2 * n - 1] = NAN;
      loop.fold_rows(reinterpret_cast<uint8_t*>(sums.data()), reinterpret_cast<const uint8_t*>(in.data()),
                     kRows, n);
      for (size_t r = n > 2 ? 2 : 0; r < kRows; ++r) EXPECT_NEAR(double(sums[r]), expected[r], 1e-4) << n;
      if (n > 2) {
        EXPECT_EQ(sums[0], INFINITY);
        EXPECT_EQ(std::bit_cast<uint32_t>(sums[1]), 0x7FC00000u);
      }
    }
  }
}

// Each row accumulates in order, as alone.
TEST(FoldRows, EqualsFold) {
  for (const InstructionSet set : kSets) {
    const LimitInstructionSet limit(set);
    const ElementType f32[2] = {{TypeKind::kF32}, {TypeKind::kF32}};
    for (const LoopPicker picker : {PickAdd, PickMultiply, PickMaximum, PickMinimum, PickSubtract}) {
      LoopQuery query{nullptr, nullptr, f32, {}};
      const ElementLoop loop = picker(query);
      ASSERT_TRUE(loop.fold && loop.fold_rows);
      for (size_t rows = 0; rows < 20; ++rows) {
        const size_t n = 5 + rows * 3;
        std::vector<float> in(rows * n), all(rows, 0.5f), single(rows, 0.5f);
        for (size_t i = 0; i < in.size(); ++i) in[i] = 1 + std::sin(float(i)) * (i % 5 == 0 ? 1e-3f : 0.1f);
        if (rows > 3) in[2 * n + 3] = NAN, in[3 * n] = -0.0f, in[n + 1] = INFINITY;
        const auto bytes = [](auto& list) { return reinterpret_cast<uint8_t*>(list.data()); };
        loop.fold_rows(bytes(all), bytes(in), rows, n);
        for (size_t r = 0; r < rows; ++r) loop.fold(bytes(single) + 4 * r, bytes(in) + 4 * r * n, n, 4);
        for (size_t r = 0; r < rows; ++r)
          EXPECT_EQ(std::bit_cast<uint32_t>(all[r]), std::bit_cast<uint32_t>(single[r])) << rows << ' ' << r;
      }
    }
  }
}

}  // namespace
}  // namespace shlo
