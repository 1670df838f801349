// Inputs have the values that docs/evaluation.md promises, over many rounds.
#include "eval/input_generator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "ir/table/float_format.h"

namespace shlo {
namespace {

using Set = std::set<uint64_t>;

ValueTypePtr TypeOf(TypeKind kind, std::vector<int64_t> shape = {}, bool complex = false) {
  return MakeTensorType({kind, complex}, shape);
}
// All parts of a tensor, as bits.
std::vector<uint64_t> BitsOf(const Tensor& tensor) {
  std::vector<uint64_t> out;
  const int parts = tensor.element().complex ? 2 : 1;
  for (uint64_t i = 0; i < tensor.count(); ++i)
    for (int part = 0; part < parts; ++part) out.push_back(ElementBits(tensor, i, part));
  return out;
}
int64_t Signed(uint64_t bits, int width) { return int64_t(bits << (64 - width)) >> (64 - width); }

// The values of one argument in the rounds of a temper.
std::map<int64_t, int> Integers(TypeKind kind, Temper temper, const ArgumentUse& use, int64_t count = 1,
                                uint64_t rounds = 2000) {
  const InputGenerator generator({TypeOf(kind, {count})}, 1, {use});
  std::map<int64_t, int> seen;
  for (uint64_t r = 0; r < rounds; ++r)
    for (uint64_t bits : BitsOf(generator.Set(temper, r)[0])) ++seen[Signed(bits, BitWidth(kind))];
  return seen;
}
std::vector<double> Floats(TypeKind kind, Temper temper, const ArgumentUse& use = {},
                           uint64_t rounds = 1000) {
  const InputGenerator generator({TypeOf(kind, {4})}, 1, {use});
  std::vector<double> seen;
  for (uint64_t r = 0; r < rounds; ++r)
    for (uint64_t bits : BitsOf(generator.Set(temper, r)[0])) seen.push_back(DecodeFloat(kind, bits));
  return seen;
}
std::set<int64_t> Keys(const std::map<int64_t, int>& seen) {
  std::set<int64_t> keys;
  for (const auto& [value, count] : seen) keys.insert(value);
  return keys;
}
std::set<int64_t> Range(int64_t from, int64_t to) {
  std::set<int64_t> out;
  for (int64_t v = from; v <= to; ++v) out.insert(v);
  return out;
}

TEST(InputGenerator, BoundaryValuesOfFormats) {
  const auto values = [](TypeKind kind) {
    const std::vector<uint64_t> list = BoundaryValues(kind);
    EXPECT_EQ(Set(list.begin(), list.end()).size(), list.size());
    return Set(list.begin(), list.end());
  };
  EXPECT_EQ(values(TypeKind::kI16),
            (Set{0, 1, 2, 0xFFFF, 0xFFFE, 0x7FFF, 0x7FFE, 0x8000, 0x8001, 0x5555, 0xAAAA}));
  EXPECT_EQ(values(TypeKind::kUI64).count(0x5555555555555555), 1u);
  EXPECT_EQ(values(TypeKind::kUI64).count(~0ull), 1u);
  EXPECT_EQ(values(TypeKind::kI4).size(), 16u);
  EXPECT_EQ(values(TypeKind::kF8E5M2).size(), 256u);
  // f16: zero, 1 and its neighbors, 1.5, the smallest and largest subnormal number, the smallest normal and
  // the largest finite number, infinity, quiet and signaling NaN; and their negatives.
  Set half;
  for (uint64_t v : {0x0, 0x3C00, 0x3C01, 0x3BFF, 0x3E00, 0x1, 0x3FF, 0x400, 0x7BFF, 0x7C00, 0x7E00, 0x7C01})
    half.insert({v, v | 0x8000});
  EXPECT_EQ(values(TypeKind::kF16), half);
}

// The values of kConstants are the numbers and their neighbors: next in the format, and one more and less.
TEST(InputGenerator, ConstantsAndTheirNeighbors) {
  const auto constants = [](TypeKind kind, Number number) {
    const InputGenerator generator({TypeOf(kind)}, 3, {}, {&number, 1});
    Set seen;
    for (uint64_t r = 0; r < generator.rounds(Temper::kConstants); ++r)
      seen.insert(BitsOf(generator.Set(Temper::kConstants, r)[0])[0]);
    return seen;
  };
  const auto integer = [](int64_t value) { return Number{.integer = value}; };
  const auto real = [](double value) { return Number{.is_float = true, .real = value}; };
  // f16: 3 is 0x4200, 2 is 0x4000, 4 is 0x4400.
  const Set three = {0x4200, 0x41FF, 0x4201, 0x4000, 0x4400};
  EXPECT_EQ(constants(TypeKind::kF16, real(3)), three);
  EXPECT_EQ(constants(TypeKind::kF16, integer(3)), three);
  EXPECT_EQ(constants(TypeKind::kF16, real(INFINITY)), Set{0x7C00});
  EXPECT_EQ(constants(TypeKind::kF16, real(1e9)), Set{0x7C00});
  EXPECT_EQ(constants(TypeKind::kI16, integer(7)), (Set{6, 7, 8}));
  EXPECT_EQ(constants(TypeKind::kI16, real(7)), (Set{6, 7, 8}));
  EXPECT_EQ(constants(TypeKind::kI16, real(7.5)), Set{});
  EXPECT_EQ(constants(TypeKind::kI64, real(0x1p62)), (Set{1ull << 62, (1ull << 62) - 1, (1ull << 62) + 1}));
  EXPECT_EQ(constants(TypeKind::kI64, real(-0x1p63)), Set{});
  EXPECT_EQ(constants(TypeKind::kI8, integer(127)), (Set{126, 127, 128}));
  EXPECT_EQ(constants(TypeKind::kI8, integer(128)), Set{});
  EXPECT_EQ(constants(TypeKind::kI8, integer(-128)), (Set{127, 128, 129}));
  EXPECT_EQ(constants(TypeKind::kI8, integer(-129)), Set{});
  EXPECT_EQ(constants(TypeKind::kUI8, integer(255)), (Set{254, 255, 0}));
  EXPECT_EQ(constants(TypeKind::kUI8, integer(256)), Set{});
  EXPECT_EQ(constants(TypeKind::kUI8, integer(-1)), Set{});
  EXPECT_EQ(constants(TypeKind::kUI64, integer(INT64_MAX)).size(), 3u);
  EXPECT_EQ(constants(TypeKind::kI1, integer(1)), Set{});
}

// Several elements show three quarters of them in even rounds, and in odd rounds a single one.
TEST(InputGenerator, ConstantsOfSeveralElements) {
  std::vector<Number> numbers;
  for (int64_t v : {10, 20, 30, 40}) numbers.push_back({.integer = v});
  const InputGenerator generator({TypeOf(TypeKind::kF64, {8})}, 3, {}, numbers);
  EXPECT_EQ(generator.rounds(Temper::kConstants), 40u);  // 20 constants, each alone in an odd round
  std::set<double> shown, alone, ordinary;
  for (uint64_t r = 0; r < 40; ++r) {
    std::vector<double> values;
    for (uint64_t bits : BitsOf(generator.Set(Temper::kConstants, r)[0]))
      values.push_back(std::bit_cast<double>(bits));
    if (r % 2 == 0) {
      for (size_t i = 0; i < 8; ++i)
        if (i % 4 != 3) shown.insert(values[i]);
      ordinary.insert({values[3], values[7]});
    } else {
      EXPECT_EQ(std::count(values.begin(), values.end(), 0.0), 7) << r;
      for (double v : values)
        if (v != 0) alone.insert(std::fabs(v));
    }
  }
  EXPECT_EQ(shown.size(), 20u);
  EXPECT_EQ(alone, shown);
  EXPECT_EQ(ordinary.size(), 40u);
  for (double v : shown) EXPECT_FALSE(ordinary.count(v)) << v;
  EXPECT_EQ(shown.count(9), 1u);
  EXPECT_EQ(shown.count(41), 1u);
}

TEST(InputGenerator, IntegersOfEachTemper) {
  EXPECT_EQ(Keys(Integers(TypeKind::kI32, Temper::kOrdinary, {})), Range(-100, 100));
  EXPECT_EQ(Keys(Integers(TypeKind::kI32, Temper::kSmallIntegers, {})), Range(-4, 4));
  EXPECT_EQ(Keys(Integers(TypeKind::kI32, Temper::kPositive, {})), Range(1, 100));
  EXPECT_EQ(Keys(Integers(TypeKind::kI32, Temper::kUnit, {})), Range(0, 1));
  EXPECT_EQ(Keys(Integers(TypeKind::kUI32, Temper::kOrdinary, {})), Range(0, 100));
  EXPECT_EQ(Keys(Integers(TypeKind::kI4, Temper::kOrdinary, {})), Range(-8, 7));
  EXPECT_EQ(Keys(Integers(TypeKind::kI8, Temper::kBits, {}, 4)), Range(-128, 127));
  // Every order of magnitude, of both signs.
  const auto wide = Integers(TypeKind::kI32, Temper::kWide, {}, 8);
  for (int bit = 0; bit < 31; ++bit) {
    const auto reaches = [&](int64_t low, int64_t high) {
      return wide.lower_bound(low) != wide.upper_bound(high);
    };
    EXPECT_TRUE(reaches(1ll << bit, (2ll << bit) - 1)) << bit;
    EXPECT_TRUE(reaches(-(2ll << bit), -(1ll << bit) - 1)) << bit;
  }
  for (const auto& [value, count] : Integers(TypeKind::kUI32, Temper::kWide, {}, 8)) EXPECT_GE(value, 0);
  // Of 8000 truth values: mostly true, mostly false, or even.
  const auto trues = [](Temper temper) {
    const auto seen = Integers(TypeKind::kI1, temper, {}, 4);
    return 8000 - seen.at(0);
  };
  EXPECT_NEAR(trues(Temper::kSmallIntegers), 7000, 200);
  EXPECT_NEAR(trues(Temper::kPositive), 1000, 200);
  EXPECT_NEAR(trues(Temper::kOrdinary), 4000, 200);
}

TEST(InputGenerator, IntegersByTheirUse) {
  // Valid for the smaller dimension, mostly; otherwise for one of them.
  ArgumentUse index{.bounds = {3, 10}};
  auto seen = Integers(TypeKind::kI32, Temper::kOrdinary, index);
  EXPECT_EQ(Keys(seen), Range(0, 9));
  int low = 0;
  for (int v = 0; v < 3; ++v) low += seen[v];
  EXPECT_GT(low, 1600);
  EXPECT_LT(low, 1950);
  // Half of them are at the bounds, of both signs, and beyond.
  const std::set<int64_t> edges = {-11, -10, -4, -3, -1, 10, 11};
  std::set<int64_t> all = Range(0, 9);
  all.insert(edges.begin(), edges.end());
  seen = Integers(TypeKind::kI32, Temper::kSmallIntegers, index, 4);
  EXPECT_EQ(Keys(seen), all);
  EXPECT_EQ(Keys(Integers(TypeKind::kUI32, Temper::kSmallIntegers, index, 4)), Range(0, 11));
  EXPECT_EQ(Keys(Integers(TypeKind::kI32, Temper::kOrdinary, {.bounds = {0}})), Range(0, 0));
  EXPECT_EQ(Keys(Integers(TypeKind::kI32, Temper::kOrdinary, {.bounds = {1}})), Range(0, 0));
  // Numbers of iterations, and sizes; no temper makes them extreme.
  const ArgumentUse count{.count = true}, shape{.extents = {6, kDynamic}};
  for (Temper temper : {Temper::kOrdinary, Temper::kUniform, Temper::kFew, Temper::kBits, Temper::kConstants,
                        Temper::kSparse, Temper::kPairs}) {
    EXPECT_EQ(Keys(Integers(TypeKind::kI32, temper, count)), Range(0, 7)) << int(temper);
    EXPECT_EQ(Keys(Integers(TypeKind::kI32, temper, shape, 2)), (std::set<int64_t>{1, 2, 3, 4, 6}))
        << int(temper);
  }
  EXPECT_EQ(Keys(Integers(TypeKind::kI32, Temper::kSmallIntegers, count)), Range(-1, 3));
  EXPECT_EQ(Keys(Integers(TypeKind::kI32, Temper::kSmallIntegers, shape, 2)), Range(0, 4));
  const InputGenerator generator({TypeOf(TypeKind::kI32, {3})}, 1, {shape});
  for (uint64_t r = 0; r < 100; ++r) {
    const auto bits = BitsOf(generator.Set(Temper::kOrdinary, r)[0]);
    EXPECT_EQ(bits[0], 6u);
    EXPECT_LE(bits[1], 4u);
    EXPECT_EQ(bits[2], 6u);
  }
}

TEST(InputGenerator, FloatsOfEachTemper) {
  const auto [low, high] = [](const std::vector<double>& v) {
    return std::pair(*std::min_element(v.begin(), v.end()), *std::max_element(v.begin(), v.end()));
  }(Floats(TypeKind::kF32, Temper::kUnit));
  EXPECT_GT(low, 0);
  EXPECT_LT(low, 0.01);
  EXPECT_LT(high, 1);
  EXPECT_GT(high, 0.99);
  std::set<double> small, positive;
  int negative_zeros = 0;
  for (double v : Floats(TypeKind::kF32, Temper::kSmallIntegers))
    small.insert(v), negative_zeros += v == 0 && std::signbit(v);
  for (double v : Floats(TypeKind::kF32, Temper::kSmallIntegers, {.positive = true})) positive.insert(v);
  EXPECT_EQ(small, (std::set<double>{-4, -3, -2, -1, 0, 1, 2, 3, 4}));
  EXPECT_EQ(positive, (std::set<double>{1, 2, 3, 4, 5}));
  EXPECT_GT(negative_zeros, 100);
  EXPECT_LT(negative_zeros, 350);  // of 444 zeros
  for (double v : Floats(TypeKind::kF32, Temper::kPositive)) EXPECT_GT(v, 0);
  for (Temper temper : {Temper::kOrdinary, Temper::kWide}) {
    for (double v : Floats(TypeKind::kF32, temper, {.positive = true}))
      EXPECT_TRUE(v > 0 || (v == 0 && temper == Temper::kWide));
    int below = 0;
    for (double v : Floats(TypeKind::kF32, temper)) below += v < 0;
    EXPECT_NEAR(below, 2000, 200);
  }
  double most = 0;
  for (double v : Floats(TypeKind::kF32, Temper::kOrdinary, {.unit = true}))
    most = std::max(most, std::fabs(v));
  EXPECT_LT(most, 1);
  EXPECT_GT(most, 0.98);
  for (double v : Floats(TypeKind::kF32, Temper::kOrdinary, {.probability = true}))
    EXPECT_TRUE(v > 0 && v < 1);
  // The scales of eight rounds, and a scale that keeps a sum of 256 products near 1: mean squares.
  const double scales[] = {1, 1, 0.125, 4, 0x1p-6, 1, 16, 0x1p-10};
  for (const uint64_t fan_in : {1u, 256u}) {
    const InputGenerator generator({TypeOf(TypeKind::kF64, {4096})}, 1, {{.fan_in = fan_in}});
    for (uint64_t r = 0; r < 8; ++r) {
      double sum = 0, squares = 0;
      for (uint64_t bits : BitsOf(generator.Set(Temper::kOrdinary, r)[0])) {
        sum += std::bit_cast<double>(bits);
        squares += std::bit_cast<double>(bits) * std::bit_cast<double>(bits);
      }
      const double scale = scales[r] / std::sqrt(double(fan_in));
      EXPECT_NEAR(sum / 4096, 0, 0.1 * scale);
      EXPECT_NEAR(std::sqrt(squares / 4096), scale, 0.05 * scale);
    }
  }
  // 2^-12 to 2^12.
  int large = 0, tiny = 0;
  for (double v : Floats(TypeKind::kF32, Temper::kWide)) {
    large += std::fabs(v) > 2048, tiny += std::fabs(v) < 0x1p-11;
    EXPECT_LT(std::fabs(v), 4 * 4096);
  }
  EXPECT_GT(large, 50);
  EXPECT_GT(tiny, 50);
}

// Symmetric, with a diagonal that is larger than the rest of a row on average.
TEST(InputGenerator, Matrices) {
  for (const bool complex : {false, true}) {
    const InputGenerator generator(
        {TypeOf(TypeKind::kF32, {2, 3, 3}, complex), TypeOf(TypeKind::kF32, {2, 3})}, 1);
    EXPECT_EQ(generator.rounds(Temper::kMatrix), ~0ull);
    const auto sets = generator.Set(Temper::kMatrix, 5);
    const auto bits = BitsOf(sets[0]);
    const auto at = [&](int m, int i, int j) {
      const size_t k = size_t((m * 3 + i) * 3 + j);
      EXPECT_TRUE(!complex || bits[2 * k + 1] == 0);
      return std::bit_cast<float>(uint32_t(bits[complex ? 2 * k : k]));
    };
    std::set<float> different;
    for (int m = 0; m < 2; ++m)
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
          EXPECT_EQ(at(m, i, j), at(m, j, i));
          different.insert(at(m, i, j));
          if (i == j)
            EXPECT_TRUE(at(m, i, i) >= 1.5 && at(m, i, i) < 1.5 + 3.5 / 3);
          else
            EXPECT_LT(std::fabs(at(m, i, j)), 3.5 / 3);
        }
    EXPECT_EQ(different.size(), 12u);
  }
  EXPECT_EQ(InputGenerator({TypeOf(TypeKind::kF32, {2, 3})}, 1).rounds(Temper::kMatrix), 0u);
  EXPECT_EQ(InputGenerator({TypeOf(TypeKind::kF32, {3})}, 1).rounds(Temper::kMatrix), 0u);
  EXPECT_EQ(InputGenerator({TypeOf(TypeKind::kI32, {3, 3})}, 1).rounds(Temper::kMatrix), 0u);
  EXPECT_EQ(InputGenerator({TypeOf(TypeKind::kF32, {2, 0, 0})}, 1).rounds(Temper::kMatrix), 0u);
}

// One boundary value everywhere, first in all arguments, then in one of them.
TEST(InputGenerator, UniformValues) {
  const std::vector<uint64_t> values = BoundaryValues(TypeKind::kI16);
  const ValueTypePtr type = TypeOf(TypeKind::kI16, {5});
  const InputGenerator one({type}, 1), two({type, type}, 1);
  ASSERT_EQ(one.rounds(Temper::kUniform), 11u);
  ASSERT_EQ(two.rounds(Temper::kUniform), 33u);
  for (uint64_t r = 0; r < 11; ++r) {
    const std::vector<uint64_t> all(5, values[r]);
    EXPECT_EQ(BitsOf(one.Set(Temper::kUniform, r)[0]), all);
    const auto both = two.Set(Temper::kUniform, r);
    EXPECT_EQ(BitsOf(both[0]), all);
    EXPECT_EQ(BitsOf(both[1]), all);
    for (size_t a = 0; a < 2; ++a) {
      const auto alone = two.Set(Temper::kUniform, 11 + 2 * r + a);
      EXPECT_EQ(BitsOf(alone[a]), all);
      const auto other = BitsOf(alone[1 - a]);
      EXPECT_GT(std::set(other.begin(), other.end()).size(), 1u);
    }
  }
  // The parts of complex numbers.
  const InputGenerator complex({TypeOf(TypeKind::kF32, {2}, true)}, 1);
  const auto bits = BitsOf(complex.Set(Temper::kUniform, 5)[0]), floats = BoundaryValues(TypeKind::kF32);
  EXPECT_EQ(bits, (std::vector<uint64_t>{floats[5], floats[5 * 7 % 24], floats[5], floats[5 * 7 % 24]}));
}

TEST(InputGenerator, FewAndSparseValues) {
  const InputGenerator generator({TypeOf(TypeKind::kF32, {40})}, 1);
  const std::vector<uint64_t> list = BoundaryValues(TypeKind::kF32);
  const Set boundary(list.begin(), list.end());
  std::map<size_t, int> sizes;
  int pairs = 0, with_boundary = 0;
  for (uint64_t r = 0; r < 400; ++r) {
    const auto few = BitsOf(generator.Set(Temper::kFew, r)[0]);
    const Set set(few.begin(), few.end());
    ++sizes[set.size()];
    for (uint64_t v : set) pairs += set.count(v ^ 0x80000000u);
    int boundaries = 0;
    for (uint64_t v : BitsOf(generator.Set(Temper::kSparse, r)[0])) boundaries += int(boundary.count(v));
    EXPECT_LE(boundaries, 1);
    with_boundary += boundaries;
  }
  EXPECT_EQ(sizes[1] + sizes[2] + sizes[3], 400);
  EXPECT_GT(sizes[2], 100);
  EXPECT_GT(sizes[3], 100);
  EXPECT_GT(pairs / 2, 60);
  EXPECT_EQ(with_boundary, 400);
}

TEST(InputGenerator, PairsOfBoundaryValues) {
  const std::vector<uint64_t> values = BoundaryValues(TypeKind::kI16);
  const auto pairs = [&](std::vector<ValueTypePtr> args, size_t a, size_t b) {
    const InputGenerator generator(args, 1);
    std::set<std::pair<uint64_t, uint64_t>> seen;
    EXPECT_EQ(generator.rounds(Temper::kPairs), generator.boundary_sets());
    for (uint64_t s = 0; s < generator.boundary_sets(); ++s) {
      const auto set = generator.Set(Temper::kPairs, s);
      const auto first = BitsOf(set[a]), second = BitsOf(set[b]);
      for (size_t i = 0; i < first.size(); ++i) seen.insert({first[i], second[i]});
    }
    return seen.size();
  };
  const ValueTypePtr one = TypeOf(TypeKind::kI16), four = TypeOf(TypeKind::kI16, {4});
  EXPECT_EQ(pairs({one, one}, 0, 1), 121u);
  EXPECT_EQ(pairs({four, four}, 0, 1), 121u);
  EXPECT_EQ(pairs({one, one, one}, 0, 1), 121u);
  EXPECT_EQ(pairs({one, one, one}, 1, 2), 121u);
  EXPECT_EQ(pairs({one, one, one}, 2, 0), 121u);
  EXPECT_EQ(InputGenerator({one, one}, 1).boundary_sets(), 121u);
  EXPECT_EQ(InputGenerator({four, four}, 1).boundary_sets(), 31u);  // 121 / 4, rounded up
  EXPECT_EQ(InputGenerator({one, one, one}, 1).boundary_sets(), 363u);
  EXPECT_EQ(InputGenerator({one, TypeOf(TypeKind::kF16)}, 1).boundary_sets(), 11u * 24);
  EXPECT_EQ(InputGenerator({TypeOf(TypeKind::kF16, {}, true)}, 1).boundary_sets(), 24u * 24);
  EXPECT_EQ(InputGenerator({TypeOf(TypeKind::kI16, {0})}, 1).boundary_sets(), 1u);
}

TEST(InputGenerator, AllInputsOfAFewBits) {
  const InputGenerator generator({TypeOf(TypeKind::kI4, {2}), TypeOf(TypeKind::kI1)}, 1);
  ASSERT_EQ(generator.total_bits(), 9u);
  const auto set = generator.ExhaustiveSet(0b1'0010'0111);
  EXPECT_EQ(BitsOf(set[0]), (std::vector<uint64_t>{7, 2}));
  EXPECT_EQ(BitsOf(set[1]), std::vector<uint64_t>{1});
  const InputGenerator wide({TypeOf(TypeKind::kI64, {2})}, 1);
  EXPECT_EQ(wide.total_bits(), 128u);
  EXPECT_EQ(BitsOf(wide.ExhaustiveSet(~0ull)[0]), (std::vector<uint64_t>{~0ull, 0}));
  EXPECT_EQ(BitsOf(InputGenerator({TypeOf(TypeKind::kF16, {}, true)}, 1).ExhaustiveSet(0x12345678)[0]),
            (std::vector<uint64_t>{0x5678, 0x1234}));
}

TEST(InputGenerator, SetsAreReproducibleAndDiffer) {
  const ValueTypePtr type = TypeOf(TypeKind::kF32, {16});
  const InputGenerator a({type, type}, 1), b({type, type}, 1), c({type, type}, 2);
  for (size_t t = 0; t < kTempers; ++t) {
    const Temper temper = Temper(t);
    const auto bits = [&](const InputGenerator& generator, uint64_t round) {
      auto all = BitsOf(generator.Set(temper, round)[0]);
      for (uint64_t v : BitsOf(generator.Set(temper, round)[1])) all.push_back(v);
      return all;
    };
    EXPECT_EQ(bits(a, 0), bits(b, 0));
    EXPECT_NE(bits(a, 0), bits(a, 1)) << t;
    EXPECT_EQ(bits(a, 0) == bits(c, 0), temper == Temper::kUniform || temper == Temper::kPairs) << t;
  }
  EXPECT_EQ(InputGenerator({}, 1).rounds(Temper::kOrdinary), 1u);
  EXPECT_EQ(InputGenerator({}, 1).rounds(Temper::kFew), 0u);
  EXPECT_EQ(a.rounds(Temper::kOrdinary), ~0ull);
}

}  // namespace
}  // namespace shlo
