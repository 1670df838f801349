#include "eval/loops/exponential.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <functional>
#include <vector>

#include "eval/loops/element_loops.h"

namespace shlo {
namespace {

// Compares a loop on f32 with the function in f64, rounded once, for the bits first, first + step, ...
void ExpectRounded(LoopPicker picker, const std::function<double(double)>& function, uint32_t first,
                   uint64_t step) {
  const ElementType f32[1] = {{TypeKind::kF32}};
  LoopQuery query{nullptr, nullptr, f32, {}};
  const ElementLoop loop = picker(query);
  ASSERT_TRUE(loop);
  std::vector<float> in;
  for (uint64_t bits = first; bits < (1ull << 32); bits += step)
    in.push_back(std::bit_cast<float>(uint32_t(bits)));
  std::vector<float> out(in.size());
  const uint8_t* operands[1] = {reinterpret_cast<const uint8_t*>(in.data())};
  loop.run(loop, operands, reinterpret_cast<uint8_t*>(out.data()), in.size());
  for (size_t i = 0; i < in.size(); ++i)
    ASSERT_EQ(std::bit_cast<uint32_t>(out[i]),
              std::bit_cast<uint32_t>(CanonicalNan(float(function(double(in[i]))))))
        << in[i];
}

double Exp(double x) { return std::exp(x); }
double Logistic(double x) { return 1 / (1 + std::exp(-x)); }

TEST(Exponential, AllExponentsAndSigns) {
  ExpectRounded(PickExponential, Exp, 0, 4099);
  ExpectRounded(PickLogistic, Logistic, 1, 4099);
}

// Where results become subnormal, zero or infinite.
TEST(Exponential, BoundsOfTheRange) {
  for (const float bound : {87.3f, 88.72284f, 104.0f, 0.0f})
    for (const float sign : {1.0f, -1.0f})
      for (int32_t i = -64; i <= 64; ++i) {
        const uint32_t bits = std::bit_cast<uint32_t>(sign * bound) + uint32_t(i);
        ExpectRounded(PickExponential, Exp, bits, 1ull << 32);
        ExpectRounded(PickLogistic, Logistic, bits, 1ull << 32);
      }
}

// Any number of elements, from any address.
TEST(Exponential, TailsAndUnalignedElements) {
  const ElementType f32[1] = {{TypeKind::kF32}};
  LoopQuery query{nullptr, nullptr, f32, {}};
  const ElementLoop loop = PickExponential(query);
  for (size_t n = 0; n < 10; ++n) {
    std::vector<uint8_t> in(1 + 4 * n), out(1 + 4 * n + 1, 0xAB);
    for (size_t i = 0; i < n; ++i) Store<float>(in.data() + 1, i, float(i) - 3.5f);
    const uint8_t* operands[1] = {in.data() + 1};
    loop.run(loop, operands, out.data() + 1, n);
    for (size_t i = 0; i < n; ++i)
      EXPECT_EQ(Load<float>(out.data() + 1, i), float(std::exp(double(float(i) - 3.5f)))) << n;
    EXPECT_EQ(out.back(), 0xAB);
  }
}

// Each row accumulates in order, as alone.
TEST(FoldRows, EqualsFold) {
  const ElementType f32[2] = {{TypeKind::kF32}, {TypeKind::kF32}};
  for (const LoopPicker picker : {PickAdd, PickMultiply, PickMaximum, PickMinimum, PickSubtract}) {
    LoopQuery query{nullptr, nullptr, f32, {}};
    const ElementLoop loop = picker(query);
    ASSERT_TRUE(loop.fold && loop.fold_rows);
    for (size_t rows = 0; rows < 20; ++rows) {
      const size_t n = 37;
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

}  // namespace
}  // namespace shlo
