// Tests kernels on every element type against references that share no code with the kernels: bit-by-bit
// addition for integers, the scalar codecs of lib/ir for floats.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "eval/input_generator.h"
#include "eval/loops/numeric/small_float.h"
#include "eval/test_program.h"
#include "ir/module/builder.h"
#include "ir/table/float_format.h"
#include "shlo/evaluate.h"
#include "shlo/print.h"

namespace shlo {
namespace {

constexpr TypeKind kIntegers[] = {TypeKind::kI2,   TypeKind::kI4,   TypeKind::kI8,   TypeKind::kI16,
                                  TypeKind::kI32,  TypeKind::kI64,  TypeKind::kUI2,  TypeKind::kUI4,
                                  TypeKind::kUI8,  TypeKind::kUI16, TypeKind::kUI32, TypeKind::kUI64,
                                  TypeKind::kIndex};
constexpr TypeKind kFloats[] = {
    TypeKind::kF4E2M1FN, TypeKind::kF6E2M3FN,   TypeKind::kF6E3M2FN,   TypeKind::kF8E3M4,
    TypeKind::kF8E4M3,   TypeKind::kF8E4M3FN,   TypeKind::kF8E4M3FNUZ, TypeKind::kF8E4M3B11FNUZ,
    TypeKind::kF8E5M2,   TypeKind::kF8E5M2FNUZ, TypeKind::kF8E8M0FNU,  TypeKind::kBF16,
    TypeKind::kF16,      TypeKind::kTF32,       TypeKind::kF32,        TypeKind::kF64};

uint64_t Mask(int width) { return width == 64 ? ~0ull : (1ull << width) - 1; }

// A program of one op; `sub` exists up to version 39.
struct OneOp {
  OneOp(std::string_view name, TypeId (*type)(TestProgram&, const ValueType&), const ValueType& t, int arity)
      : program(name == "stablehlo.sub" ? Version{39} : kCurrentVersion) {
    const TypeId tensor = type(program, t);
    program.Function(
        "main", std::vector<TypeId>(size_t(arity), tensor), {tensor},
        [&](std::vector<ValueId> args) { return std::vector{program.Op(name, args, {tensor})}; });
    program.Done();
  }
  TestProgram program;
};

Tensor Apply(std::string_view op, const std::vector<Tensor>& args) {
  OneOp one(
      op, [](TestProgram& p, const ValueType& t) { return TypeIn(p, t); }, args[0].type(), int(args.size()));
  auto result = Evaluate(one.program.module(), "main", args);
  EXPECT_TRUE(result) << op << ": " << result.error()[0].message;
  return result ? result->results[0] : Tensor();
}

Tensor FromBits(ElementType element, const std::vector<uint64_t>& parts) {
  std::string bytes;
  for (uint64_t v : parts) bytes.append(reinterpret_cast<const char*>(&v), element.part_bytes());
  const int64_t shape[] = {int64_t(parts.size()) / (element.complex ? 2 : 1)};
  return Tensor::Copy(MakeTensorType(element, shape), bytes);
}

// Pairs of element bits: all of them for up to 8 bits, boundary and pseudo-random ones otherwise.
void Pairs(TypeKind kind, std::vector<uint64_t>* a, std::vector<uint64_t>* b) {
  const std::vector<uint64_t> values = BoundaryValues(kind);
  for (uint64_t x : values)
    for (uint64_t y : values) a->push_back(x), b->push_back(y);
  if (BitWidth(kind) <= 8) return;
  SplitMix64 random(uint64_t(kind) * 77 + 1);
  for (int i = 0; i < 20000; ++i) {
    const uint64_t r = random.Next();
    a->push_back(r & Mask(BitWidth(kind)));
    // The numbers of every second pair are close together, so that sums cancel.
    b->push_back((i % 2 ? random.Next() : r ^ (random.Next() & 0x1FF)) & Mask(BitWidth(kind)));
  }
}

template <typename Reference>
void CheckBinary(std::string_view op, TypeKind kind, Reference&& reference) {
  std::vector<uint64_t> a, b;
  Pairs(kind, &a, &b);
  const Tensor result = Apply(op, {FromBits({kind}, a), FromBits({kind}, b)});
  ASSERT_TRUE(result);
  for (size_t i = 0; i < a.size(); ++i)
    ASSERT_EQ(ElementBits(result, i), reference(a[i], b[i]))
        << op << " " << RowOf(kind).mnemonic << " of 0x" << std::hex << a[i] << " and 0x" << b[i];
}

// --- Integers and booleans ------------------------------------------------------------------------

uint64_t AddBits(uint64_t a, uint64_t b, int width, bool carry = false) {
  uint64_t sum = 0;
  for (int i = 0; i < width; ++i) {
    const bool x = a >> i & 1, y = b >> i & 1;
    if (x ^ y ^ carry) sum |= 1ull << i;
    carry = (x && y) || (x && carry) || (y && carry);
  }
  return sum;
}
uint64_t SubtractBits(uint64_t a, uint64_t b, int width) { return AddBits(a, ~b, width, true); }

// Returns whether a < b, from the top bit down; the order of the sign bit is reversed.
bool LessBits(uint64_t a, uint64_t b, int width, bool is_signed) {
  for (int i = width - 1; i >= 0; --i) {
    const bool x = a >> i & 1, y = b >> i & 1;
    if (x != y) return (i == width - 1 && is_signed) ? x : y;
  }
  return false;
}

TEST(Kernels, IntegerArithmetic) {
  for (TypeKind kind : kIntegers) {
    const int width = BitWidth(kind);
    const bool is_signed = !IsUnsignedInteger(kind);
    CheckBinary("stablehlo.add", kind, [&](uint64_t a, uint64_t b) { return AddBits(a, b, width); });
    CheckBinary("stablehlo.subtract", kind,
                [&](uint64_t a, uint64_t b) { return SubtractBits(a, b, width); });
    CheckBinary("stablehlo.sub", kind, [&](uint64_t a, uint64_t b) { return SubtractBits(a, b, width); });
    CheckBinary("stablehlo.maximum", kind,
                [&](uint64_t a, uint64_t b) { return LessBits(a, b, width, is_signed) ? b : a; });
    CheckBinary("stablehlo.minimum", kind,
                [&](uint64_t a, uint64_t b) { return LessBits(a, b, width, is_signed) ? a : b; });
  }
}

TEST(Kernels, IntegerBitwise) {
  for (TypeKind kind : kIntegers) {
    CheckBinary("stablehlo.and", kind, [](uint64_t a, uint64_t b) { return a - (a & ~b); });
    CheckBinary("stablehlo.or", kind, [](uint64_t a, uint64_t b) { return (a & ~b) + b; });
    CheckBinary("stablehlo.xor", kind, [](uint64_t a, uint64_t b) { return (a & ~b) + (b & ~a); });
    const std::vector<uint64_t> values = BoundaryValues(kind);
    const Tensor result = Apply("stablehlo.not", {FromBits({kind}, values)});
    for (size_t i = 0; i < values.size(); ++i)
      ASSERT_EQ(ElementBits(result, i), Mask(BitWidth(kind)) - values[i]);
  }
}

TEST(Kernels, Booleans) {
  const Tensor a = FromBits({TypeKind::kI1}, {0, 0, 1, 1}), b = FromBits({TypeKind::kI1}, {0, 1, 0, 1});
  const auto expect = [&](std::string_view op, std::vector<uint64_t> values) {
    EXPECT_TRUE(BitEqual(Apply(op, {a, b}), FromBits({TypeKind::kI1}, values))) << op;
  };
  expect("stablehlo.add", {0, 1, 1, 1});
  expect("stablehlo.maximum", {0, 1, 1, 1});
  expect("stablehlo.minimum", {0, 0, 0, 1});
  expect("stablehlo.and", {0, 0, 0, 1});
  expect("stablehlo.or", {0, 1, 1, 1});
  expect("stablehlo.xor", {0, 1, 1, 0});
  expect("stablehlo.subtract", {0, 1, 1, 0});
  expect("stablehlo.sub", {0, 1, 1, 0});
  EXPECT_TRUE(BitEqual(Apply("stablehlo.not", {b}), FromBits({TypeKind::kI1}, {1, 0, 1, 0})));
}

// --- Floats ---------------------------------------------------------------------------------------

// The positive quiet NaN.
uint64_t NanOf(TypeKind kind) { return EncodeFloat(kind, std::fabs(std::nan(""))); }

uint64_t Encode(TypeKind kind, double value) {
  const uint64_t bits = EncodeFloat(kind, value);
  return IsNan(kind, bits) ? NanOf(kind) : bits;
}

// Rounds the sum once. The f64 sum of two f32 numbers is already rounded, but 53 bits make double rounding
// harmless. f64 is compared with the machine's addition.
uint64_t Sum(TypeKind kind, uint64_t a, uint64_t b, double sign) {
  volatile double x = DecodeFloat(kind, a), y = sign * DecodeFloat(kind, b);
  return Encode(kind, x + y);
}

TEST(Kernels, FloatArithmetic) {
  for (TypeKind kind : kFloats) {
    CheckBinary("stablehlo.add", kind, [&](uint64_t a, uint64_t b) { return Sum(kind, a, b, 1); });
    CheckBinary("stablehlo.subtract", kind, [&](uint64_t a, uint64_t b) { return Sum(kind, a, b, -1); });
    CheckBinary("stablehlo.sub", kind, [&](uint64_t a, uint64_t b) { return Sum(kind, a, b, -1); });
  }
}

TEST(Kernels, FloatExtremaSelectOperands) {
  for (TypeKind kind : kFloats) {
    const auto pick = [&](uint64_t a, uint64_t b, bool larger) -> uint64_t {
      if (IsNan(kind, a) || IsNan(kind, b)) return NanOf(kind);
      const double x = DecodeFloat(kind, a), y = DecodeFloat(kind, b);
      if (x == y) return std::signbit(x) == larger ? b : a;  // -0 is less than +0
      return (x > y) == larger ? a : b;
    };
    CheckBinary("stablehlo.maximum", kind, [&](uint64_t a, uint64_t b) { return pick(a, b, true); });
    CheckBinary("stablehlo.minimum", kind, [&](uint64_t a, uint64_t b) { return pick(a, b, false); });
  }
}

template <TypeKind kKind>
void CheckCodec() {
  const int width = BitWidth(kKind);
  for (uint64_t code = 0; code < 1ull << width; ++code) {
    const double value = DecodeFloat(kKind, code);
    const float decoded = DecodeSmall<kKind>(uint32_t(code));
    if (IsNan(kKind, code)) {
      ASSERT_TRUE(std::isnan(decoded)) << RowOf(kKind).mnemonic << code;
      continue;
    }
    ASSERT_EQ(std::bit_cast<uint64_t>(double(decoded)), std::bit_cast<uint64_t>(value))
        << RowOf(kKind).mnemonic << code;
    ASSERT_EQ(EncodeSmall<kKind>(decoded), code) << RowOf(kKind).mnemonic;
    // Between this value and the next: just below, at and just above the tie.
    if (code + 1 >= 1ull << width || IsNan(kKind, code + 1) || IsInf(kKind, code + 1)) continue;
    const float middle = float((value + DecodeFloat(kKind, code + 1)) / 2);
    for (float v : {middle, std::nextafter(middle, 1e38f), std::nextafter(middle, -1e38f)})
      ASSERT_EQ(EncodeSmall<kKind>(v), Encode(kKind, double(v))) << RowOf(kKind).mnemonic << " " << v;
  }
  SplitMix64 random(3);
  for (int i = 0; i < 200000; ++i) {
    const float v = std::bit_cast<float>(uint32_t(random.Next()));
    ASSERT_EQ(EncodeSmall<kKind>(v), Encode(kKind, double(v))) << RowOf(kKind).mnemonic << " " << v;
  }
}

template <TypeKind kKind>
void CheckCodecOf() {
  if constexpr (kFormatOf<kKind>.width != 0 && IsSmallFloat(kFormatOf<kKind>)) CheckCodec<kKind>();
}

TEST(Kernels, SmallFloatsConvertAsTheScalarCodecDoes) {
  using element_rows::kRows;
  []<size_t... kRow>(std::index_sequence<kRow...>) { (CheckCodecOf<kRows[kRow].kind>(), ...); }
  (std::make_index_sequence<std::size(kRows)>());
}

// --- Complex --------------------------------------------------------------------------------------

TEST(Kernels, Complex) {
  for (TypeKind kind : {TypeKind::kF32, TypeKind::kF64}) {
    std::vector<uint64_t> a, b;
    Pairs(kind, &a, &b);
    if (a.size() % 2) a.pop_back(), b.pop_back();
    const Tensor x = FromBits({kind, true}, a), y = FromBits({kind, true}, b);
    const Tensor sum = Apply("stablehlo.add", {x, y}), difference = Apply("stablehlo.subtract", {x, y});
    const Tensor old = Apply("stablehlo.sub", {x, y});
    const Tensor largest = Apply("stablehlo.maximum", {x, y}), least = Apply("stablehlo.minimum", {x, y});
    const auto value = [&](uint64_t bits) { return DecodeFloat(kind, bits); };
    for (size_t i = 0; i < a.size(); i += 2) {
      for (size_t part = 0; part < 2; ++part) {
        ASSERT_EQ(ElementBits(sum, i / 2, int(part)), Sum(kind, a[i + part], b[i + part], 1));
        ASSERT_EQ(ElementBits(difference, i / 2, int(part)), Sum(kind, a[i + part], b[i + part], -1));
        ASSERT_EQ(ElementBits(old, i / 2, int(part)), Sum(kind, a[i + part], b[i + part], -1));
      }
      const size_t key = value(a[i]) == value(b[i]) ? i + 1 : i;  // the deciding part
      const bool left_max = value(a[key]) > value(b[key]), left_min = value(a[key]) < value(b[key]);
      for (size_t part = 0; part < 2; ++part) {
        ASSERT_EQ(ElementBits(largest, i / 2, int(part)), left_max ? a[i + part] : b[i + part]);
        ASSERT_EQ(ElementBits(least, i / 2, int(part)), left_min ? a[i + part] : b[i + part]);
      }
    }
  }
}

// --- Splats, sizes, losses ----------------------------------------------------------------------

TEST(Kernels, SplatsMeanTheSameAsTheirElements) {
  // Longer than the block in which a splat is repeated, and not a multiple of it.
  const int64_t shape[] = {5003};
  for (TypeKind kind : {TypeKind::kI4, TypeKind::kF16, TypeKind::kTF32, TypeKind::kF64}) {
    const ValueTypePtr type = MakeTensorType({kind}, shape);
    std::string dense;
    for (int64_t i = 0; i < shape[0]; ++i) {
      const uint64_t v = uint64_t(i) * 2654435761u & Mask(BitWidth(kind));
      dense.append(reinterpret_cast<const char*>(&v), type->element.bytes());
    }
    const Tensor a = Tensor::Copy(type, dense);
    const Tensor splat = Tensor::Copy(type, dense.substr(type->element.bytes(), type->element.bytes()), true);
    for (std::string_view op : {"stablehlo.subtract", "stablehlo.maximum"}) {
      EXPECT_TRUE(BitEqual(Apply(op, {a, splat}), Apply(op, {a, splat.Expanded()}))) << op;
      EXPECT_TRUE(BitEqual(Apply(op, {splat, a}), Apply(op, {splat.Expanded(), a}))) << op;
      const Tensor both = Apply(op, {splat, splat});
      EXPECT_TRUE(both.splat());
      EXPECT_TRUE(BitEqual(both, Apply(op, {splat.Expanded(), splat.Expanded()}))) << op;
    }
  }
}

TEST(Kernels, EmptyTensors) {
  const Tensor empty = Tensor::Copy(MakeTensorType({TypeKind::kF32}, {{2, 0, 3}}), "");
  EXPECT_EQ(Apply("stablehlo.add", {empty, empty}).count(), 0u);
}

TEST(Kernels, BitwiseOpsRefuseFloats) {
  const Tensor x = FromBits({TypeKind::kF32}, {0});
  for (std::string_view op : {"stablehlo.and", "stablehlo.not"}) {
    const int arity = op == "stablehlo.not" ? 1 : 2;
    OneOp one(
        op, [](TestProgram& p, const ValueType& t) { return TypeIn(p, t); }, x.type(), arity);
    const auto result = Evaluate(one.program.module(), "main", std::vector<Tensor>(size_t(arity), x));
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error()[0].code, Code::kUnsupported);
    EXPECT_EQ(result.error()[0].op, op);
  }
}

TEST(Kernels, EveryRevisionOfAnEvaluableOpHasOne) {
  EXPECT_TRUE(CanEvaluate(RevisionAt(FindOp("stablehlo.sub"), Version{39})));
  EXPECT_TRUE(CanEvaluate(RevisionAt(FindOp("stablehlo.subtract"), Version{40})));
  EXPECT_FALSE(CanEvaluate(RevisionAt(FindOp("func.func"), kCurrentVersion)));
  for (const OpRow& row : OpRows().subspan(1)) {
    if (row.dialect != "stablehlo" && row.dialect != "chlo") continue;
    for (uint16_t i = 0; i < row.num_revisions; ++i)
      EXPECT_TRUE(CanEvaluate(RevisionId{uint16_t(row.first_revision + i)})) << row.name;
  }
  EXPECT_FALSE(CanEvaluate(RevisionId()));
}

// A transposition that several threads share.
TEST(Transpose, LargeTensorsOnSeveralThreads) {
  const std::vector<int64_t> shape = {60, 70, 300}, order = {2, 0, 1};
  TestProgram p;
  const TypeId from = p.Tensor(TypeKind::kI32, shape), to = p.Tensor(TypeKind::kI32, {300, 60, 70});
  p.Function("main", {from}, {to}, [&](std::vector<ValueId> args) {
    return std::vector<ValueId>{
        p.Op("stablehlo.transpose", {args[0]}, {to}, {{"permutation", p.module().I64s(order)}})};
  });
  p.Done();
  std::vector<int32_t> values(60 * 70 * 300);
  for (size_t i = 0; i < values.size(); ++i) values[i] = int32_t(i);
  const std::vector<Tensor> args = {TensorOf<int32_t>({TypeKind::kI32}, shape, values)};
  for (const uint32_t threads : {1u, 2u, 5u}) {
    EvalOptions options;
    options.limits.threads = threads;
    const auto result = Evaluate(p.module(), "", args, options);
    ASSERT_TRUE(result) << Render(result.error()[0]);
    const Tensor& out = result->results[0];
    for (uint64_t i = 0; i < out.count(); ++i) {
      const uint64_t a = i / (60 * 70), b = i / 70 % 60, c = i % 70;
      ASSERT_EQ(ElementBits(out, i), (b * 70 + c) * 300 + a) << threads;
    }
  }
}

// Adds a region that adds its two arguments.
RegionId Sum(TestProgram* p, TypeId scalar) {
  Builder& b = p->builder();
  const RegionId region = b.NewRegion();
  const BlockId block = b.NewBlock();
  const ValueId left = b.AddBlockArg(block, scalar), right = b.AddBlockArg(block, scalar);
  b.BeginBlock(region, block);
  p->Op("stablehlo.return", {p->Op("stablehlo.add", {left, right}, {scalar})});
  b.EndBlock();
  b.EndRegion(region);
  return region;
}

// Columns of a reduction and windows that several threads share: each sum in order, so the same bits.
TEST(Reduce, ColumnsAndWindowsOnSeveralThreads) {
  const std::vector<int64_t> shape = {3, 200, 1000}, sizes = {1, 3, 2}, strides = {1, 2, 1},
                             padding = {0, 0, 1, 1, 0, 1}, dimension = {1};
  TestProgram p;
  Module& m = p.module();
  const TypeId from = p.Tensor(TypeKind::kF32, shape), scalar = p.Tensor(TypeKind::kF32);
  const TypeId columns = p.Tensor(TypeKind::kF32, {3, 1000}),
               windows = p.Tensor(TypeKind::kF32, {3, 100, 1000});
  p.Function("main", {from, scalar}, {columns, windows}, [&](std::vector<ValueId> args) {
    const ValueId reduced = p.Op("stablehlo.reduce", {args[0], args[1]}, {columns},
                                 {{"dimensions", m.I64s(dimension)}}, {Sum(&p, scalar)});
    const ValueId pooled =
        p.Op("stablehlo.reduce_window", {args[0], args[1]}, {windows},
             {{"window_dimensions", m.I64s(sizes)},
              {"window_strides", m.I64s(strides)},
              {"padding",
               m.Elements(p.Tensor(TypeKind::kI64, {3, 2}),
                          m.payloads.AddCopy({reinterpret_cast<const char*>(padding.data()), 48}), false)}},
             {Sum(&p, scalar)});
    return std::vector<ValueId>{reduced, pooled};
  });
  p.Done();
  std::vector<float> values(3 * 200 * 1000);
  for (size_t i = 0; i < values.size(); ++i) values[i] = std::sin(float(i)) * (i % 7 == 0 ? 1e3f : 1.0f);
  const std::vector<Tensor> args = {TensorOf<float>({TypeKind::kF32}, shape, values),
                                    TensorOf<float>({TypeKind::kF32}, {}, {0.5f})};
  const auto at = [&](int64_t a, int64_t b, int64_t c) {
    return b < 0 || b >= 200 || c >= 1000 ? 0.5f : values[size_t((a * 200 + b) * 1000 + c)];
  };
  for (const uint32_t threads : {1u, 2u, 5u}) {
    EvalOptions options;
    options.limits.threads = threads;
    const auto result = Evaluate(m, "", args, options);
    ASSERT_TRUE(result) << Render(result.error()[0]);
    for (int64_t a = 0; a < 3; ++a)
      for (int64_t c = 0; c < 1000; ++c) {
        float sum = 0.5f;
        for (int64_t b = 0; b < 200; ++b) sum += at(a, b, c);
        ASSERT_EQ(ElementBits(result->results[0], uint64_t(a * 1000 + c)), std::bit_cast<uint32_t>(sum))
            << threads;
        for (int64_t o = 0; o < 100; ++o) {
          float window = 0.5f;
          for (int64_t i = 0; i < 3; ++i)
            for (int64_t j = 0; j < 2; ++j) window += at(a, 2 * o + i - 1, c + j);
          ASSERT_EQ(ElementBits(result->results[1], uint64_t((a * 100 + o) * 1000 + c)),
                    std::bit_cast<uint32_t>(window))
              << threads;
        }
      }
  }
}

}  // namespace
}  // namespace shlo
