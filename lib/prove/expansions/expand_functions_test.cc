// Expansions of functions against the evaluator's own kernels: the error of each is bounded.
// docs/expansion.md states these bounds.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>

#include "ir/table/float_format.h"
#include "ir/table/ulp_distance.h"
#include "prove/expansions/test_expansions.h"

namespace shlo {
namespace {

// --- Values ----------------------------------------------------------------------------------------------

// Adds a number to the bytes of a tensor.
void Put(TypeKind kind, double value, std::string* bytes) {
  const uint64_t bits = IsFloat(kind) ? EncodeFloat(kind, value) : uint64_t(int64_t(value));
  bytes->append(reinterpret_cast<const char*>(&bits), size_t(BitWidth(kind) + 7) / 8);
}

double Get(TypeKind kind, const uint8_t* data, uint64_t i) {
  const size_t size = size_t(BitWidth(kind) + 7) / 8;
  uint64_t bits = 0;
  std::memcpy(&bits, data + i * size, size);
  return DecodeFloat(kind, bits);
}

struct Interval {
  double low, high;
};

// Numbers of an interval: special ones, many near its ends, and others of many magnitudes.
std::vector<double> Numbers(TypeKind kind, Interval interval, size_t count) {
  std::mt19937_64 random(count);
  std::vector<double> numbers;
  const FloatFormat& format = *FloatFormatOf(kind);
  const auto add = [&](double x) {
    x = DecodeFloat(kind, EncodeFloat(kind, x));
    if (!(x < interval.low || x > interval.high)) numbers.push_back(x);
  };
  const double largest = DecodeFloat(kind, MaxFinite(format));
  for (double x : {0.0, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 8.0, 88.0, largest, std::ldexp(1.0, 1 - format.bias),
                   std::ldexp(1.0, 1 - format.bias - format.mantissa_bits), double(INFINITY), double(NAN)})
    for (double sign : {1.0, -1.0}) add(sign * x);
  for (double end : {interval.low, interval.high, 1.0})
    for (int k = 0; k < 54 && std::isfinite(end); ++k)
      for (double sign : {1.0, -1.0}) add(end * (1 + sign * std::ldexp(1.0, -k)));
  std::uniform_real_distribution<double> unit(0, 1);
  while (numbers.size() < count) {
    const double most = std::min(std::max(std::fabs(interval.low), std::fabs(interval.high)), largest);
    const double least = std::ldexp(1.0, -30);
    // Half of them evenly, half of them by magnitude.
    double x = std::max(interval.low, -largest) / 2 +
               unit(random) * (std::min(interval.high, largest) / 2 - std::max(interval.low, -largest) / 2);
    x *= 2;
    if (random() & 1)
      x = std::copysign(least * std::pow(most / least, unit(random)), random() & 1 ? 1.0 : -1.0);
    add(x);
  }
  return numbers;
}

// --- Functions of real numbers ---------------------------------------------------------------------------

struct Function {
  const char* op;
  Interval x;
  double f64, f32, f16, bf16;  // largest errors
  double floor = 0;
  bool terms = false;
  Interval y{0, 0};  // of the second operand, if there is one
};

const Function kFunctions[] = {
#define SHLO_REAL_ERROR(op, low, high, f64, f32, f16, bf16, floor, terms, low2, high2) \
  {op, {low, high}, f64, f32, f16, bf16, floor, terms, {low2, high2}},
#include "versioning/expand/error_bounds.inc"
};

TEST(Expand, FunctionsOfRealNumbers) {
  constexpr size_t kCount = 4000;
  for (const Function& f : kFunctions) {
    const bool binary = f.y.high != f.y.low;
    const struct {
      TypeKind kind;
      const char* name;
      double allowed;
    } kTypes[] = {{TypeKind::kF64, "f64", f.f64},
                  {TypeKind::kF32, "f32", f.f32},
                  {TypeKind::kF16, "f16", f.f16},
                  {TypeKind::kBF16, "bf16", f.bf16}};
    for (const auto& [kind, name, allowed] : kTypes) {
      std::vector<double> x = Numbers(kind, f.x, kCount), y;
      if (binary) {
        // Where terms cancel, tests/proof measures in last places of these.
        y = Numbers(kind, {f.terms ? 0 : f.y.low, f.y.high}, kCount);
        std::shuffle(y.begin(), y.end(), std::mt19937_64(1));
        if (f.op == std::string_view("chlo.polygamma"))
          for (double& n : x) n = std::isfinite(n) ? 1 + std::fmod(std::round(std::fabs(n)), f.x.high) : n;
      }
      std::string bytes[2];
      for (double number : x) Put(kind, number, &bytes[0]);
      for (double number : y) Put(kind, number, &bytes[1]);
      const std::string type = fmt::format("tensor<{}x{}>", kCount, name);
      const std::string text = fmt::format(
          "func.func @main(%x: {0}{2}) -> {0} {{\n  %0 = \"{1}\"(%x{3}) : ({0}{4}) -> {0}\n  return %0 "
          ": {0}\n}}\n",
          type, f.op, binary ? ", %y: " + type : "", binary ? ", %y" : "", binary ? ", " + type : "");
      const Module direct = Parse(text);
      const Module expanded = Expanded(direct, {"stablehlo.tan"}, kFirstRelease);
      EXPECT_TRUE(Blockers(expanded, kFirstRelease).empty()) << f.op << " of " << type;
      std::vector<Tensor> args;
      for (size_t i = 0; i < (binary ? 2u : 1u); ++i)
        args.push_back(Tensor::Copy(MakeTensorType({kind}, std::vector<int64_t>{int64_t(kCount)}), bytes[i]));
      const std::vector<Tensor> right = Results(direct, args), values = Results(expanded, args);
      ASSERT_EQ(values.size(), 1u) << text;
      double worst = 0;
      size_t at = 0;
      for (size_t i = 0; i < kCount; ++i) {
        const double error =
            UlpDistance(kind, Get(kind, values[0].data(), i), Get(kind, right[0].data(), i), f.floor);
        if (error > worst) worst = error, at = i;
      }
      EXPECT_LE(worst, allowed) << f.op << " of " << type << " at " << x[at] << " " << (binary ? y[at] : 0)
                                << ": " << Get(kind, values[0].data(), at) << ", right is "
                                << Get(kind, right[0].data(), at);
    }
  }
}

// --- Functions of complex numbers ------------------------------------------------------------------------

struct ComplexFunction {
  const char* op;
  double f64, f32;  // largest errors of each part, in last places of the larger one, or of `floor`
  double floor = 0;
  bool infinities = true;
  bool tiny = true;  // with numbers whose squares underflow
};

const ComplexFunction kComplexFunctions[] = {
#define SHLO_COMPLEX_ERROR(...) {__VA_ARGS__},
#include "versioning/expand/error_bounds.inc"
};

TEST(Expand, FunctionsOfComplexNumbers) {
  for (const ComplexFunction& f : kComplexFunctions) {
    for (const TypeKind kind : {TypeKind::kF64, TypeKind::kF32}) {
      std::vector<double> parts = Numbers(kind, {-INFINITY, INFINITY}, 320);
      // Results on branch cuts are those of positive zeros.
      std::erase_if(parts, [&](double x) {
        return (x == 0 && std::signbit(x)) || std::isnan(x) || (std::isinf(x) && !f.infinities) ||
               (!f.tiny && x != 0 && std::fabs(x) < (kind == TypeKind::kF64 ? 1e-150 : 1e-18));
      });
      const double allowed = kind == TypeKind::kF64 ? f.f64 : f.f32;
      std::string bytes;
      for (double x : parts)
        for (double y : parts) Put(kind, x, &bytes), Put(kind, y, &bytes);
      const int64_t count = int64_t(parts.size() * parts.size());
      const std::string type =
          fmt::format("tensor<{}xcomplex<{}>>", count, kind == TypeKind::kF64 ? "f64" : "f32");
      const Module direct = Parse(fmt::format(
          "func.func @main(%z: {0}) -> {0} {{\n  %0 = \"{1}\"(%z) : ({0}) -> {0}\n  return %0 : {0}\n}}\n",
          type, f.op));
      const Module expanded = Expanded(direct, {"stablehlo.tan"}, kFirstRelease);
      const Tensor args[] = {
          Tensor::Copy(MakeTensorType({kind, /*complex=*/true}, std::vector<int64_t>{count}), bytes)};
      const std::vector<Tensor> right = Results(direct, args), values = Results(expanded, args);
      ASSERT_EQ(values.size(), 1u);
      double worst = 0;
      uint64_t at = 0;
      for (uint64_t i = 0; i < uint64_t(count); ++i) {
        double value[2], expected[2];
        for (uint64_t p = 0; p < 2; ++p) {
          value[p] = Get(kind, values[0].data(), 2 * i + p);
          expected[p] = Get(kind, right[0].data(), 2 * i + p);
        }
        double size = std::max(std::fabs(expected[0]), std::fabs(expected[1]));
        if (!std::isfinite(size)) size = 0;
        for (int p = 0; p < 2; ++p)
          if (const double error = UlpDistance(kind, value[p], expected[p], std::max(f.floor, size));
              error > worst)
            worst = error, at = i;
      }
      EXPECT_LE(worst, allowed) << f.op << " of " << type << " at " << parts[at / parts.size()] << " + i "
                                << parts[at % parts.size()] << ": " << Get(kind, values[0].data(), 2 * at)
                                << " + i " << Get(kind, values[0].data(), 2 * at + 1) << ", right is "
                                << Get(kind, right[0].data(), 2 * at) << " + i "
                                << Get(kind, right[0].data(), 2 * at + 1);
    }
  }
}

}  // namespace
}  // namespace shlo
