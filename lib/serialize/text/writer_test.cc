#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <sstream>

#include "ir/module/builder.h"
#include "ir/module/sample.h"
#include "ir/print/attr_printer.h"
#include "shlo/compare.h"
#include "shlo/text_reader.h"
#include "shlo/text_writer.h"

namespace shlo {
namespace {

std::string Float(TypeKind kind, uint64_t bits) {
  text::TextBuffer out;
  text::PutFloat(out, kind, bits);
  return std::string(out.view());
}
std::string F32(float value) { return Float(TypeKind::kF32, std::bit_cast<uint32_t>(value)); }
std::string F64(double value) { return Float(TypeKind::kF64, std::bit_cast<uint64_t>(value)); }

TEST(TextNumbers, SixDigitsWhereTheyAreTheValue) {
  EXPECT_EQ(F32(0.0f), "0.000000e+00");
  EXPECT_EQ(F32(-0.0f), "-0.000000e+00");
  EXPECT_EQ(F32(1.0f), "1.000000e+00");
  EXPECT_EQ(F32(-2.5f), "-2.500000e+00");
  EXPECT_EQ(F32(0.1f), "1.000000e-01");
  EXPECT_EQ(F64(0.1), "1.000000e-01");
  EXPECT_EQ(F32(123456.0f), "1.234560e+05");
  EXPECT_EQ(F64(1e100), "1.000000e+100");
  EXPECT_EQ(F32(1e-3f), "1.000000e-03");
}

// Where MLIR does not distinguish two spellings, the text has MLIR's.
TEST(TextWriter, AttributesInTheirCanonicalSpelling) {
  const auto printed = [](std::string_view attr) {
    auto m = ReadText("module attributes {x.y = " + std::string(attr) + "} {}", nullptr);
    EXPECT_TRUE(m) << attr << (m ? "" : Render(m.error()[0]));
    if (!m) return std::string();
    const std::string text = *WriteText(*m, {});
    const size_t from = text.find("x.y = ") + 6;
    return text.substr(from, text.find("} {") - from);
  };
  const std::pair<const char*, const char*> kSpellings[] = {
      {"memref<4xf32, affine_map<(d0) -> (d0)>>", "memref<4xf32>"},
      {"memref<4xf32, 0>", "memref<4xf32>"},
      {"memref<*xf32, 1 : i64>", "memref<*xf32, 1>"},
      {"memref<4xf32, 2 : i32>", "memref<4xf32, 2 : i32>"},
      {"\"a\" : none", "\"a\""},
      {"#foo<bar>", "#foo.bar"},
      {"#foo<bar<1, <2>>>", "#foo.bar<1, <2>>"},
      {"#foo<bar<1>, 2>", "#foo<bar<1>, 2>"},
      {"#foo<\"bar\">", "#foo<\"bar\">"},
      {"!foo<bar>", "!foo.bar"},
      {"[distinct[7]<>, distinct[3]<>, distinct[7]<>]", "[distinct[0]<>, distinct[1]<>, distinct[0]<>]"},
      {"dense<[\"a\", \"a\"]> : tensor<2x!foo.s>", "dense<\"a\"> : tensor<2x!foo.s>"},
      {"dense<> : tensor<0x!foo.s>", "dense<> : tensor<0x!foo.s>"},
      {"dense<[1, 1]> : vector<2xi32>", "dense<1> : vector<2xi32>"},
      {"dense<[-1, 0]> : tensor<2xsi1>", "dense<[true, false]> : tensor<2xsi1>"},
      {"sparse<> : tensor<3xi32>", "sparse<> : tensor<3xi32>"},
      {"sparse<[[0], [1]], 2.0> : tensor<3xf32>", "sparse<[[0], [1]], 2.000000e+00> : tensor<3xf32>"},
      {"[0x7FF0000000000001 : f64, 1.0]", "[0x7FF0000000000001 : f64, 1.000000e+00]"},
      {"-1 : si1", "-1 : si1"},
      {"1 : ui1", "1 : ui1"},
      {"31 : ui5", "31 : ui5"},
      {"strided<strided<[1]>>", "strided<strided<[1]>>"},
      {"loc(\"\":1:2)", "loc(\"-\":1:2)"},
      {"loc(fused[\"a\", unknown, fused[\"a\", \"b\"]])", "loc(fused[\"a\", \"b\"])"},
      {"loc(fused[\"a\"])", "loc(\"a\")"},
      {"loc(fused<1 : i64>[unknown])", "loc(fused<1 : i64>[unknown])"},
  };
  for (const auto& [attr, spelling] : kSpellings) EXPECT_EQ(printed(attr), spelling) << attr;
}

TEST(TextWriter, ResourcesComeAsTheyAreNamed) {
  const auto m = ReadText(
      R"(module attributes {x.a = dense_resource<z> : tensor<i8>, x.b = dense_resource<a> : tensor<i8>} {}
{-# dialect_resources: { builtin: { a: "0x0100000001", b: "0x0100000002", z: "0x0100000003" } } #-})",
      nullptr);
  ASSERT_TRUE(m);
  std::string text = *WriteText(*m, {});
  const size_t z = text.find("z: \""), a = text.find("a: \""), b = text.find("b: \"");
  EXPECT_LT(z, a);
  EXPECT_LT(a, b);
  // MLIR drops unused resources.
  EXPECT_EQ(WriteText(*m, {.style = TextStyle::kMlir})->find("b: \""), std::string::npos);
}

TEST(TextWriter, LocationsInAttributesHaveAliases) {
  const auto m = ReadText(R"(
    func.func @f(%a: i32 {x.a = loc("x")}) -> (i32 {x.b = loc("z")}) { return %a : i32 })",
                          nullptr);
  ASSERT_TRUE(m);
  // Except for the attributes of arguments, where MLIR resolves no aliases.
  EXPECT_EQ(
      WriteText(*m, {.style = TextStyle::kMlir})->substr(0, 89),
      "#loc = loc(\"z\")\nmodule {\n  func.func @f(%arg0: i32 {x.a = loc(\"x\")}) -> (i32 {x.b = #loc}");
}

TEST(TextNumbers, MoreDigitsWhereSixAreNotEnough) {
  // The digits of 0.7 in f32 are 0.69999998807...: six of them are a different value.
  EXPECT_EQ(F32(0.7f), "0.699999988");
  EXPECT_EQ(F32(1.0f / 3.0f), "0.333333343");
  EXPECT_EQ(F64(1.0 / 3.0), "0.33333333333333331");
  EXPECT_EQ(F32(3.14159274f), "3.14159274");
  // 2^-10 has seven digits: printed for f32, and cut for formats that cannot distinguish them.
  EXPECT_EQ(F32(0.0009765625f), "9.765625E-4");
  EXPECT_EQ(Float(TypeKind::kF16, 0x1400), "9.765620e-04");
}

TEST(TextNumbers, BitsWhereDigitsWouldMislead) {
  EXPECT_EQ(F32(std::numeric_limits<float>::infinity()), "0x7F800000");
  EXPECT_EQ(F32(-std::numeric_limits<float>::infinity()), "0xFF800000");
  EXPECT_EQ(Float(TypeKind::kF32, 0x7FC00000), "0x7FC00000");
  EXPECT_EQ(Float(TypeKind::kF16, 0x7C00), "0x7C00");
  // Whole numbers of more than six digits would read back as integers.
  EXPECT_EQ(F32(16777216.0f), "0x4B800000");
  EXPECT_EQ(F32(1234567.0f), "0x4996B438");
  EXPECT_EQ(Float(TypeKind::kF8E4M3FN, 0x7F), "0x7F");
}

TEST(TextNumbers, EveryHalfReadsBack) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const std::string text = Float(TypeKind::kF16, bits);
    if (text.find("0x") == 0) {
      EXPECT_EQ(std::stoul(text, nullptr, 16), bits);
    } else {
      const double value = std::strtod(text.c_str(), nullptr);
      const int exponent = (bits >> 10) & 31;
      const double exact = std::ldexp((exponent ? 1024 : 0) + (bits & 1023), (exponent ? exponent : 1) - 25);
      // The nearest half has this value if the distance is under half a step, which is 2^(e-26).
      EXPECT_LE(std::fabs(std::fabs(value) - exact), std::ldexp(1.0, (exponent ? exponent : 1) - 26)) << text;
      EXPECT_EQ(std::signbit(value), bool(bits >> 15)) << text;
    }
  }
}

TEST(TextNumbers, BigIntegers) {
  const auto big = [](std::vector<int64_t> limbs, bool is_unsigned) {
    text::TextBuffer out;
    text::PutBigInt(out, limbs, is_unsigned);
    return std::string(out.view());
  };
  EXPECT_EQ(big({-1}, false), "-1");
  EXPECT_EQ(big({-1}, true), "18446744073709551615");
  EXPECT_EQ(big({0, 1}, false), "18446744073709551616");
  EXPECT_EQ(big({0, -1}, false), "-18446744073709551616");
  EXPECT_EQ(big({std::numeric_limits<int64_t>::min()}, false), "-9223372036854775808");
}

TEST(TextLexical, StringsAndSymbols) {
  text::TextBuffer out;
  text::PutQuoted(out, std::string_view("a\"b\\c\n\0d", 8));
  EXPECT_EQ(out.view(), "\"a\\22b\\\\c\\0A\\00d\"");
  out.clear();
  text::PutSymbol(out, "main.1$x");
  text::PutSymbol(out, "foo-bar");
  text::PutSymbol(out, "1x");
  EXPECT_EQ(out.view(), "@main.1$x@\"foo-bar\"@\"1x\"");
}

TEST(TextTypes, BothSpellings) {
  Module m;
  const TypeId f32 = m.Type(TypeKind::kF32);
  const int64_t shape[] = {2, kDynamic};
  const TypeId tensor = m.TensorType(shape, f32);
  const TypeId bounded =
      m.TensorType(shape, f32, m.Make(TypeExtensionsAttr{.bounds = std::vector<int64_t>{kDynamic, 16}}));
  EXPECT_EQ(TypeText(m, tensor), "tensor<2x?xf32>");
  EXPECT_EQ(TypeText(m, tensor, Spelling::kVhlo), "!vhlo.tensor_v1<2x?x!vhlo.f32_v1>");
  EXPECT_EQ(TypeText(m, bounded), "tensor<2x?xf32, #stablehlo.bounds<?, 16>>");
  EXPECT_EQ(TypeText(m, bounded, Spelling::kVhlo),
            "!vhlo.tensor_v1<2x?x!vhlo.f32_v1, #vhlo.type_extensions_v1<bounds = [?, 16]>>");
  EXPECT_EQ(TypeText(m, m.TensorType({}, m.ComplexType(f32))), "tensor<complex<f32>>");
  EXPECT_EQ(TypeText(m, m.TensorType({}, m.Type(TypeKind::kI1)), Spelling::kVhlo),
            "!vhlo.tensor_v1<!vhlo.bool_v1>");
  EXPECT_EQ(TypeText(m, m.IntegerType(3, 1)), "si3");
  EXPECT_EQ(TypeText(m, m.IntegerType(128)), "i128");
  EXPECT_EQ(TypeText(m, m.TupleType({})), "tuple<>");
  EXPECT_EQ(TypeText(m, m.Type(TypeKind::kToken)), "!stablehlo.token");
  const TypeId one[] = {tensor};
  const TypeId nullary = m.FunctionType({}, one);
  EXPECT_EQ(TypeText(m, nullary), "() -> tensor<2x?xf32>");
  EXPECT_EQ(TypeText(m, nullary, Spelling::kVhlo),
            "!vhlo.func_v1<(()) -> !vhlo.tensor_v1<2x?x!vhlo.f32_v1>>");
  const TypeId function_result[] = {nullary};
  EXPECT_EQ(TypeText(m, m.FunctionType(one, function_result)),
            "(tensor<2x?xf32>) -> (() -> tensor<2x?xf32>)");
  // i128 has no VHLO form: it is printed unchanged inside a type that has one.
  const TypeId wide[] = {m.IntegerType(128)};
  EXPECT_EQ(TypeText(m, m.TupleType(wide), Spelling::kVhlo), "!vhlo.tuple_v1<i128>");
}

TEST(TextTypes, Quantized) {
  Module m;
  const TypeId i8 = m.Type(TypeKind::kI8), f32 = m.Type(TypeKind::kF32);
  const TypeId whole = m.Make(UniformQuantizedType{.storage = i8,
                                                   .expressed = f32,
                                                   .flags = 1,
                                                   .scale = 34,
                                                   .zero_point = 16,
                                                   .storage_min = -128,
                                                   .storage_max = 127});
  EXPECT_EQ(TypeText(m, whole), "!quant.uniform<i8:f32, 3.400000e+01:16>");
  EXPECT_EQ(TypeText(m, whole, Spelling::kVhlo),
            "!vhlo.quant_v1<!vhlo.i8_v1:!vhlo.f32_v1, 3.400000e+01:16, -128:127, 1>");
  const TypeId narrow = m.Make(UniformQuantizedType{.storage = i8,
                                                    .expressed = f32,
                                                    .flags = 1,
                                                    .scale = 2,
                                                    .zero_point = 0,
                                                    .storage_min = -127,
                                                    .storage_max = 127});
  EXPECT_EQ(TypeText(m, narrow), "!quant.uniform<i8<-127:127>:f32, 2.000000e+00>");
  const double scales[] = {1, 0.5};
  const int64_t zero_points[] = {0, -3};
  const TypeId axis = m.Make(UniformQuantizedPerAxisType{.storage = i8,
                                                         .expressed = f32,
                                                         .quantized_dimension = 1,
                                                         .storage_max = 255,
                                                         .scales = scales,
                                                         .zero_points = zero_points});
  EXPECT_EQ(TypeText(m, axis), "!quant.uniform<u8:f32:1, {1.000000e+00,5.000000e-01:-3}>");
}

TEST(TextAttributes, Builtin) {
  Module m;
  EXPECT_EQ(AttrText(m, m.Bool(true)), "true");
  EXPECT_EQ(AttrText(m, m.I64(-5)), "-5 : i64");
  EXPECT_EQ(AttrText(m, m.I32(7)), "7 : i32");
  EXPECT_EQ(AttrText(m, m.Integer(m.Type(TypeKind::kUI8), -1)), "255 : ui8");
  EXPECT_EQ(AttrText(m, m.Float(m.Type(TypeKind::kF64), std::bit_cast<uint64_t>(0.5))), "5.000000e-01 : f64");
  const AttrId items[] = {m.I64(1), m.I32(2), m.Bool(false), m.String("x")};
  EXPECT_EQ(AttrText(m, m.Array(items)), "[1, 2 : i32, false, \"x\"]");
  EXPECT_EQ(AttrText(m, m.I64s(std::vector<int64_t>{1, 2})), "array<i64: 1, 2>");
  EXPECT_EQ(AttrText(m, m.I64s({})), "array<i64>");
  const AttrId dict = m.Dict({{m.strings.Intern("b c"), m.Unit()}, {m.strings.Intern("a"), m.I64(1)}});
  EXPECT_EQ(AttrText(m, dict), "{a = 1 : i64, \"b c\"}");
  EXPECT_EQ(
      AttrText(m, dict, Spelling::kVhlo),
      "#vhlo.dict_v1<{#vhlo.string_v1<\"a\"> = #vhlo.integer_v1<1 : i64>, #vhlo.string_v1<\"b c\"> = unit}>");
  EXPECT_EQ(AttrText(m, m.Enum(AttrKind::kComparisonDirection, 0)), "#stablehlo<comparison_direction EQ>");
  EXPECT_EQ(AttrText(m, m.Enum(AttrKind::kComparisonDirection, 0), Spelling::kVhlo),
            "#vhlo<comparison_direction_v1 EQ>");
}

TEST(TextAttributes, Elements) {
  Module m;
  const TypeId i8 = m.Type(TypeKind::kI8);
  const int64_t shape[] = {2, 2};
  const TypeId square = m.TensorType(shape, i8);
  EXPECT_EQ(AttrText(m, m.Elements(square, m.payloads.AddCopy("\x01\x02\xFF\x04"), false)),
            "dense<[[1, 2], [-1, 4]]> : tensor<2x2xi8>");
  EXPECT_EQ(AttrText(m, m.Elements(square, m.payloads.AddCopy("\x05"), true)), "dense<5> : tensor<2x2xi8>");
  const int64_t none[] = {2, 0};
  EXPECT_EQ(AttrText(m, m.Elements(m.TensorType(none, i8), m.payloads.AddCopy(""), false)),
            "dense<> : tensor<2x0xi8>");
  // A hundred elements are a list, one more is hexadecimal.
  std::string bytes(101, '\0');
  bytes[0] = '\x1F';
  const int64_t hundred[] = {100}, more[] = {101};
  const std::string list =
      AttrText(m, m.Elements(m.TensorType(hundred, i8), m.payloads.AddCopy(bytes.substr(0, 100)), false));
  EXPECT_EQ(list.substr(0, 16), "dense<[31, 0, 0,");
  const std::string hex = AttrText(m, m.Elements(m.TensorType(more, i8), m.payloads.AddCopy(bytes), false));
  EXPECT_EQ(hex.substr(0, 14), "dense<\"0x1F000");
  EXPECT_EQ(hex.size(), std::string("dense<\"0x\"> : tensor<101xi8>").size() + 202);
  const uint64_t z[] = {std::bit_cast<uint64_t>(1.0), std::bit_cast<uint64_t>(-2.0)};
  EXPECT_EQ(AttrText(m, m.Elements(m.TensorType({}, m.ComplexType(m.Type(TypeKind::kF64))),
                                   m.payloads.AddCopy({reinterpret_cast<const char*>(z), 16}), true)),
            "dense<(1.000000e+00,-2.000000e+00)> : tensor<complex<f64>>");
}

TEST(TextAttributes, AConstantThatDoesNotFitItsTypeIsAnError) {
  Module m;
  Builder b(&m);
  const int64_t shape[] = {4};
  const AttrId value =
      m.Elements(m.TensorType(shape, m.Type(TypeKind::kI32)), m.payloads.AddCopy("abc"), false);
  const RegionId region = b.NewRegion();
  const BlockId block = b.NewBlock();
  b.BeginBlock(region, block);
  const NamedAttr discardable[] = {{m.strings.Intern("x"), value}};
  OpSpec spec;
  spec.name = m.strings.Intern("a.b");
  spec.discardable_attrs = discardable;
  b.AddOp(spec);
  b.EndBlock();
  b.EndRegion(region);
  OpSpec top;
  top.revision = NewestRevision(FindOp("builtin.module"));
  const RegionId regions[] = {region};
  top.regions = regions;
  m.top = b.AddOp(top);
  const auto text = WriteText(m);
  ASSERT_FALSE(text.has_value());
  EXPECT_EQ(text.error()[0].code, Code::kLimit);
}

TEST(TextLocations, EveryKind) {
  Module m;
  const auto file = m.Make(FileLineColLoc{.file = m.strings.Intern("a.py"), .line = 1, .column = 2});
  const auto name = m.Make(NameLoc{.name = m.strings.Intern("f"), .child = file});
  const auto call = m.Make(CallSiteLoc{.callee = name, .caller = file});
  const AttrId both[] = {file, call};
  const auto fused = m.Make(FusedLoc{.metadata = m.String("m"), .locations = both});
  EXPECT_EQ(AttrText(m, fused),
            "loc(fused<\"m\">[\"a.py\":1:2, callsite(\"f\"(\"a.py\":1:2) at \"a.py\":1:2)])");
  const auto range = [&](int64_t l1, int64_t c1, int64_t l2, int64_t c2) {
    return AttrText(m, m.Make(FileRangeLoc{.file = m.strings.Intern("a"),
                                           .start_line = l1,
                                           .start_column = c1,
                                           .end_line = l2,
                                           .end_column = c2}));
  };
  EXPECT_EQ(range(1, 2, 1, 9), "loc(\"a\":1:2 to :9)");
  EXPECT_EQ(range(1, 2, 3, 4), "loc(\"a\":1:2 to 3:4)");
}

// --- Whole programs ---------------------------------------------------------------------------------

std::string Rewrite(std::string_view text_of_source, TextWriteOptions options = {}) {
  Source source;
  auto module = ReadText(text_of_source, nullptr, {}, &source);
  if (!module) return Render(module.error()[0]);
  options.source = &source;
  auto text = WriteText(*module, options);
  if (!text) return Render(text.error()[0]);
  // In any spelling, the text reads back to the same program.
  auto again = ReadText(*text, nullptr);
  if (!again) return Render(again.error()[0]) + *text;
  CompareOptions compare;
  compare.locations = options.locations;
  compare.defaults = options.spelling != Spelling::kVhlo;
  const std::string difference = FirstDifference(*module, *again, compare);
  return difference.empty() ? *text : difference + "\n" + *text;
}

TEST(TextPrograms, PrettyIsAFixedPoint) {
  const std::string_view source =
      R"(module @m attributes {a.b} {
  func.func private @f(%arg0: tensor<2xf32>, %arg1: tensor<2xf32> {x.y = 1 : i32}) -> (tensor<2xf32>, tensor<i1>) attributes {q = "s"} {
    %0 = stablehlo.add %arg0, %arg1 : tensor<2xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %cst = stablehlo.constant {k} dense<[1.000000e+00, 0.333333343]> : tensor<2xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst_0) applies stablehlo.add across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
    %2:2 = call @g(%1) : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
    %3 = stablehlo.convert %2#1 : (tensor<f32>) -> tensor<f64>
    return %0, %c : tensor<2xf32>, tensor<i1>
  }
  func.func private @g(tensor<f32>) -> (tensor<f32>, tensor<f32>)
}
)";
  EXPECT_EQ(Rewrite(source), source);
}

TEST(TextPrograms, RegionsNumberOnFromTheirParents) {
  const std::string_view source =
      R"(func.func @f(%arg0: tensor<i1>) -> tensor<i32> {
  %0 = "stablehlo.if"(%arg0) ({
    %c = stablehlo.constant dense<1> : tensor<i32>
    %2 = stablehlo.negate %c : tensor<i32>
    stablehlo.return %2 : tensor<i32>
  }, {
    %c = stablehlo.constant dense<2> : tensor<i32>
    %2 = stablehlo.abs %c : tensor<i32>
    stablehlo.return %2 : tensor<i32>
  }) : (tensor<i1>) -> tensor<i32>
  %1 = stablehlo.negate %0 : tensor<i32>
  return %1 : tensor<i32>
}
)";
  EXPECT_EQ(Rewrite(source), source);
}

TEST(TextPrograms, RetiredOpsMakeEverythingGeneric) {
  const std::string_view source =
      R"(func.func private @test_sub(%arg0: tensor<2xi1>) -> () attributes {stablehlo.compat_version = 37 : i32} {
  %0 = "stablehlo.sub"(%arg0, %arg0) : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  func.return
})";
  Source origin;
  auto module = ReadText(source, nullptr, {}, &origin);
  ASSERT_TRUE(module.has_value()) << Render(module.error()[0]);
  module->SetVersion(Version{38});
  const auto text = WriteText(*module, {.source = &origin});
  ASSERT_TRUE(text.has_value());
  EXPECT_EQ(*text,
            R"("func.func"() ({
^bb0(%arg0: tensor<2xi1>):
  %0 = "stablehlo.sub"(%arg0, %arg0) : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  "func.return"() : () -> ()
}) {function_type = (tensor<2xi1>) -> (), stablehlo.compat_version = 38 : i64, sym_name = "test_sub", sym_visibility = "private"} : () -> ()
)");
}

TEST(TextPrograms, VhloStatesDefaults) {
  TextWriteOptions options;
  options.spelling = Spelling::kVhlo;
  EXPECT_EQ(
      Rewrite(R"(func.func @f(%arg0: tensor<f32>, %arg1: tensor<f32>) -> tensor<i1> {
  %0 = "stablehlo.compare"(%arg0, %arg1) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
})",
              options),
      R"(vhlo.func_v1 @f(%arg0: !vhlo.tensor_v1<!vhlo.f32_v1>, %arg1: !vhlo.tensor_v1<!vhlo.f32_v1>) -> (!vhlo.tensor_v1<!vhlo.bool_v1>) {
  %0 = "vhlo.compare_v1"(%arg0, %arg1) <{compare_type = #vhlo<comparison_type_v1 NOTYPE>, comparison_direction = #vhlo<comparison_direction_v1 EQ>}> : (!vhlo.tensor_v1<!vhlo.f32_v1>, !vhlo.tensor_v1<!vhlo.f32_v1>) -> !vhlo.tensor_v1<!vhlo.bool_v1>
  "vhlo.return_v1"(%0) : (!vhlo.tensor_v1<!vhlo.bool_v1>) -> ()
} {arg_attrs = #vhlo.array_v1<[]>, res_attrs = #vhlo.array_v1<[]>, sym_visibility = #vhlo.string_v1<"">}
)");
}

TEST(TextPrograms, VersionsAreStatedWhereTheyMatter) {
  // The source states the version, so the text does.
  EXPECT_EQ(Rewrite("module attributes {stablehlo.compat_version = 60 : i64} {\n  \"a.b\"() : () -> ()\n}\n"),
            "module attributes {stablehlo.compat_version = 60 : i64} {\n  \"a.b\"() : () -> ()\n}\n");
  // The current version, not stated in the source: no version and no module.
  EXPECT_EQ(Rewrite("\"a.b\"() : () -> ()\n"), "\"a.b\"() : () -> ()\n");
  // A different version needs a module to state it.
  auto module = ReadText("\"a.b\"() : () -> ()", nullptr);
  ASSERT_TRUE(module.has_value());
  module->SetVersion(Version{50});
  EXPECT_EQ(*WriteText(*module),
            "module attributes {stablehlo.compat_version = 50 : i64} {\n  \"a.b\"() : () -> ()\n}\n");
}

// The styles of the tool and of MLIR differ around ops, not in how ops are printed.
TEST(TextPrograms, StylesChooseTheSameForms) {
  const std::pair<const char*, const char*> kOps[] = {
      // A list of empty dictionaries needs no custom form.
      {R"("func.func"() <{arg_attrs = [{}], function_type = (i1) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i1):
    "func.return"() : () -> ()
  }) : () -> ())",
       R"(func.func @f(%arg0: i1) {
    return
  })"},
      // Short names are only for the custom form of a function.
      {R"("func.func"() <{arg_attrs = [{}, {}], function_type = (i1) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i1):
    "func.return"() : () -> ()
  }) : () -> ())",
       R"("func.func"() <{arg_attrs = [{}, {}], function_type = (i1) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i1):
    func.return
  }) : () -> ())"},
      // Only StableHLO has a form for a constant of two types.
      {R"(%0 = "arith.constant"() <{value = 1 : i32}> : () -> tensor<2xf32>)",
       R"(%c1 = "arith.constant"() <{value = 1 : i32}> : () -> tensor<2xf32>)"},
      {R"(%0 = "stablehlo.constant"() <{value = dense<1.0> : tensor<2xf32>}> : () -> tensor<?xf32>)",
       R"(%cst = stablehlo.constant() <{value = dense<1.000000e+00> : tensor<2xf32>}> : () -> tensor<?xf32>)"},
  };
  for (const auto& [source, op] : kOps) {
    const auto module = ReadText(std::string("module {\n  ") + source + "\n}\n", nullptr);
    ASSERT_TRUE(module) << source << Render(module.error()[0]);
    for (TextStyle style : {TextStyle::kExact, TextStyle::kMlir})
      EXPECT_EQ(*WriteText(*module, {.style = style}), std::string("module {\n  ") + op + "\n}\n");
  }
}

// The exact style prints an op in generic form if its custom form would change it.
TEST(TextPrograms, ExactStyleLosesNoTypes) {
  const std::string_view source = R"(module {
  func.func @f(%arg0: tensor<?xf32>, %arg1: tensor<i1>) -> tensor<2xf32> {
    %0 = "stablehlo.while"(%arg0) ({
    ^bb0(%iterArg: tensor<?xf32>):
      stablehlo.return %arg1 : tensor<i1>
    }, {
    ^bb0(%iterArg: tensor<?xf32>):
      stablehlo.return %iterArg : tensor<?xf32>
    }) : (tensor<?xf32>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}
)";
  const auto module = ReadText(source, nullptr);
  ASSERT_TRUE(module) << Render(module.error()[0]);
  EXPECT_EQ(*WriteText(*module), source);
  EXPECT_NE(WriteText(*module, {.style = TextStyle::kMlir})->find("stablehlo.while(%iterArg = %arg0)"),
            std::string::npos);
}

// The custom form of a comparison states the type of its operands; the type of the result follows from it.
TEST(TextPrograms, ComparisonsStateOneType) {
  struct Row {
    const char *lhs, *rhs, *result;
    bool custom;
  };
  constexpr Row kRows[] = {
      {"i32", "i32", "i1", true},
      {"i32", "i64", "i1", false},
      {"i32", "i32", "i8", false},
      {"i32", "i32", "tensor<i1>", false},
      {"tensor<2xi32>", "tensor<2xi32>", "tensor<2xi1>", true},
      {"tensor<2xi32, 1 : i32>", "tensor<2xi32, 1 : i32>", "tensor<2xi1, 1 : i32>", true},
      {"tensor<2xi32>", "tensor<3xi32>", "tensor<2xi1>", false},
      {"tensor<2xi32>", "tensor<2xi32>", "i1", false},
      {"tensor<2xi32>", "tensor<2xi32>", "tensor<2xi8>", false},
      {"tensor<2xi32>", "tensor<2xi32>", "tensor<3xi1>", false},
      {"tensor<2xi32>", "tensor<2xi32>", "tensor<2x1xi1>", false},
      {"tensor<2xi32>", "tensor<2xi32>", "tensor<2xi1, 1 : i32>", false},
      {"tensor<2xi32, 1 : i32>", "tensor<2xi32, 1 : i32>", "tensor<2xi1>", false},
  };
  for (const Row& row : kRows) {
    const std::string source = fmt::format(
        "func.func @f(%a: {0}, %b: {1}) {{\n  %0 = \"arith.cmpi\"(%a, %b) <{{predicate = 2 : i64}}> : ({0}, "
        "{1}) -> {2}\n"
        "  return\n}}\n",
        row.lhs, row.rhs, row.result);
    const auto module = ReadText(source, nullptr);
    ASSERT_TRUE(module) << source << Render(module.error()[0]);
    const std::string text = *WriteText(*module);
    const std::string custom = fmt::format("= arith.cmpi slt, %arg0, %arg1 : {}\n", row.lhs);
    EXPECT_EQ(text.find(custom) != text.npos, row.custom) << text;
    EXPECT_EQ(text.find("\"arith.cmpi\"") == text.npos, row.custom) << text;
    const auto back = ReadText(text, nullptr);
    ASSERT_TRUE(back) << text << Render(back.error()[0]);
    EXPECT_EQ(FirstDifference(*module, *back), "") << text;
  }
}

// A shape is a list of up to 1000 numbers.
// jaxlib 0.9.1, which has version 66, prints two spaces before the case of an enum; 0.9.2, with 67, prints
// one.
TEST(TextPrograms, SpacesBeforeCases) {
  const std::string text =
      "func.func @f(%arg0: tensor<4xf32>) -> tensor<4xi1> {\n"
      "  %0 = stablehlo.compare LT, %arg0, %arg0, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>\n"
      "  return %0 : tensor<4xi1>\n}\n";
  const auto printed = [&](uint16_t version, TextWriteOptions options) {
    const auto module = ReadText(text, nullptr, {.version = Version{version}});
    EXPECT_TRUE(module);
    const std::string out = *WriteText(*module, options);
    const size_t from = out.find("compare");
    return out.substr(from, out.find(" :", from) - from);
  };
  const char *one = "compare LT, %arg0, %arg0, FLOAT", *two = "compare  LT, %arg0, %arg0,  FLOAT";
  EXPECT_EQ(printed(66, {}), two);
  EXPECT_EQ(printed(67, {}), one);
  EXPECT_EQ(printed(kCurrentVersion.n, {}), one);
  EXPECT_EQ(printed(kCurrentVersion.n, {.style = TextStyle::kMlir}), one);
  EXPECT_EQ(printed(kCurrentVersion.n, {.style = TextStyle::kMlir, .spaced_cases = true}), two);
}

// Texts of attributes of sdy have MLIR's spelling, however they were written.
TEST(TextAttributes, OfOtherDialects) {
  const auto printed = [](const std::string& attr) {
    const auto m = ReadText("module attributes {x.y = " + attr + "} {}", nullptr);
    if (!m) return m.error()[0].message;
    const std::string text = *WriteText(*m, {});
    const size_t from = text.find("x.y = ") + 6;
    return text.substr(from, text.find("} {") - from);
  };
  const std::pair<const char*, const char*> kSpellings[] = {
      {"#sdy.mesh< [ \"a\" = 2 , \"b\"=4 ] >", "#sdy.mesh<[\"a\"=2, \"b\"=4]>"},
      {"#sdy<mesh<[\"a\"=2]>>", "#sdy.mesh<[\"a\"=2]>"},
      {"#sdy.mesh<[\"a\"=2], device_ids=[0, 1]>", "#sdy.mesh<[\"a\"=2]>"},
      {"#sdy.mesh<[\"a\"=2], device_ids=[1,0]>", "#sdy.mesh<[\"a\"=2], device_ids=[1, 0]>"},
      {"#sdy.mesh<[], device_ids=[0]>", "#sdy.mesh<[], device_ids=[0]>"},
      {"#sdy.sharding<@m,[{\"x\",?}p1,{}],replicated={\"y\"}>",
       "#sdy.sharding<@m, [{\"x\", ?}p1, {}], replicated={\"y\"}>"},
      {"#sdy.sharding_per_value<[#sdy.sharding<@m, [{}]>, <@m, [{}]>]>",
       "#sdy.sharding_per_value<[<@m, [{}]>, <@m, [{}]>]>"},
      {"#sdy<manual_axes{\"x\",\"y\"}>", "#sdy<manual_axes{\"x\", \"y\"}>"},
      {"#sdy.sharding<1>", "'<1>' is not an attribute '#sdy.sharding'"},
      {"#sdy.sharding<@m, [{}] x>", "'<@m, [{}] x>' is not an attribute '#sdy.sharding'"},
      {"#sdy.unknown<1>", "#sdy.unknown<1>"},
  };
  for (const auto& [text, canonical] : kSpellings) EXPECT_EQ(printed(text), canonical) << text;
  // Aliases of aliases are few bytes for much text.
  std::string doubling = "#a0 = #sdy.sharding<@m, [{}]>\n";
  for (int i = 1; i < 60; ++i)
    doubling += fmt::format("#a{} = #sdy.sharding_per_value<[#a{}, #a{}]>\n", i, i - 1, i - 1);
  EXPECT_FALSE(ReadText(doubling + "module attributes {x.y = #a59} {}", nullptr));
}

TEST(TextPrograms, Shapes) {
  std::string many = "0", more;
  for (int i = 1; i < 1000; ++i) many += ", " + std::to_string(i);
  more = many + ", 1000";
  const std::tuple<std::string, std::string, std::string> kShapes[] = {
      {"dense<> : tensor<0xindex>", "[]", "!shape.shape"},
      {"dense<[2, 3]> : tensor<2xindex>", "[2, 3]", "tensor<2xindex>"},
      {"dense<7> : tensor<3xindex>", "[7, 7, 7]", "!shape.shape"},
      {"dense<[" + many + "]> : tensor<1000xindex>", "[" + many + "]", "!shape.shape"},
      {"dense<[" + more + "]> : tensor<1001xindex>", "", "!shape.shape"},
      {"dense<[2, 3]> : tensor<2xi64>", "", "!shape.shape"},
      {"dense<[[2, 3]]> : tensor<1x2xindex>", "", "!shape.shape"},
      {"dense<2> : tensor<index>", "", "!shape.shape"},
      {"dense<[2, 3]> : tensor<2xindex, 1 : i32>", "", "!shape.shape"},
      {"[2, 3]", "", "!shape.shape"},
  };
  for (const auto& [attr, list, type] : kShapes) {
    const auto module =
        ReadText(fmt::format("module {{\n  %0 = \"shape.const_shape\"() <{{shape = {}}}> : () -> {}\n}}\n",
                             attr, type),
                 nullptr);
    ASSERT_TRUE(module) << attr << Render(module.error()[0]);
    const std::string text = *WriteText(*module);
    const std::string form = list.empty() ? "= \"shape.const_shape\"() <{shape = "
                                          : fmt::format("= shape.const_shape {} : {}\n", list, type);
    EXPECT_NE(text.find(form), text.npos) << text;
    const auto back = ReadText(text, nullptr);
    ASSERT_TRUE(back) << text << Render(back.error()[0]);
    EXPECT_EQ(FirstDifference(*module, *back), "") << text;
  }
}

// A scan has a custom form if its segments are two lists of the right lengths.
TEST(TextPrograms, Scans) {
  struct Row {
    const char *attrs, *custom;
  };
  constexpr Row kRows[] = {
      {"dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>",
       "chlo.scan(%arg0) inits (%arg1) dimension=0 "},
      {"dimension = 7 : i64, is_reverse = true, operandSegmentSizes = array<i32: 0, 2>, resultSegmentSizes = "
       "array<i32: 0, 2>",
       "chlo.scan() inits (%arg0, %arg1) dimension=7  attributes {is_reverse = true"},
      {"dimension = 0 : i64, operandSegmentSizes = array<i32: 2, 0>, resultSegmentSizes = array<i32: 2, 0>",
       "chlo.scan(%arg0, %arg1) inits () dimension=0 "},
      // As many carries as initial values.
      {"dimension = 0 : i64, operandSegmentSizes = array<i32: 2, 0>, resultSegmentSizes = array<i32: 1, 1>",
       ""},
      {"dimension = 0 : i64, operandSegmentSizes = array<i32: 0, 1>, resultSegmentSizes = array<i32: 1, 1>",
       ""},
      {"dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 0, 1>",
       ""},
      {"dimension = 0 : i64, operandSegmentSizes = array<i32: 3, -1>, resultSegmentSizes = array<i32: 3, -1>",
       ""},
      {"dimension = 0 : i64, operandSegmentSizes = array<i32: -1, 3>, resultSegmentSizes = array<i32: -1, 3>",
       ""},
      {"dimension = 0 : i64, operandSegmentSizes = array<i64: 1, 1>, resultSegmentSizes = array<i32: 1, 1>",
       ""},
      {"dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1>", ""},
      {"dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1, 0>, resultSegmentSizes = array<i32: 1, "
       "1>",
       ""},
      {"dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>", ""},
      {"dimension = 0 : i64, resultSegmentSizes = array<i32: 1, 1>", ""},
      {"operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>", ""},
  };
  const std::string region =
      "{\n^bb0(%e: tensor<i32>, %c: tensor<i32>):\n  stablehlo.return %e, %c : tensor<i32>, tensor<i32>\n}";
  for (const Row& row : kRows)
    for (int regions : {1, 2}) {
      const std::string source = fmt::format(
          "func.func @f(%a: tensor<2xi32>, %b: tensor<i32>) {{\n  %0:2 = \"chlo.scan\"(%a, %b) ({}) {{{}}} : "
          "(tensor<2xi32>, tensor<i32>) -> (tensor<2xi32>, tensor<i32>)\n  return\n}}\n",
          regions == 1 ? region : region + ", " + region, row.attrs);
      const auto module = ReadText(source, nullptr);
      ASSERT_TRUE(module) << source << Render(module.error()[0]);
      const std::string text = *WriteText(*module);
      const std::string form = *row.custom && regions == 1 ? row.custom : "\"chlo.scan\"(%arg0, %arg1)";
      EXPECT_NE(text.find("= " + form), text.npos) << source << text;
      const auto back = ReadText(text, nullptr);
      ASSERT_TRUE(back) << text << Render(back.error()[0]);
      EXPECT_EQ(FirstDifference(*module, *back), "") << text;
    }
}

// MLIR lists the predecessors of each block but the first.
TEST(TextPrograms, BlocksNameTheirPredecessors) {
  const auto program = [](const std::string& blocks) {
    return "\"func.func\"() <{function_type = () -> (), sym_name = \"f\"}> ({\n" + blocks + "}) : () -> ()\n";
  };
  const std::pair<const char*, std::vector<std::string>> kGraphs[] = {
      {"\"a.b\"() : () -> ()\n", {}},
      {"\"a.b\"()[^bb1] : () -> ()\n^bb1:\n\"a.c\"() : () -> ()\n", {"^bb1:  // pred: ^bb0"}},
      {"\"a.b\"() : () -> ()\n^bb1:\n\"a.c\"() : () -> ()\n", {"^bb1:  // no predecessors"}},
      {"\"a.b\"()[^bb1, ^bb2] : () -> ()\n^bb1:\n\"a.c\"()[^bb2] : () -> ()\n^bb2:\n\"a.c\"()[^bb2] : () -> "
       "()\n",
       {"^bb1:  // pred: ^bb0", "^bb2:  // 3 preds: ^bb0, ^bb1, ^bb2"}},
      {"\"a.b\"()[^bb1, ^bb1] : () -> ()\n^bb1:\n\"a.c\"()[^bb0] : () -> ()\n",
       {"^bb1:  // 2 preds: ^bb0, ^bb0"}},
  };
  for (const auto& [blocks, headers] : kGraphs) {
    const std::string text = Rewrite(program(std::string("^bb0:\n") + blocks));
    std::vector<std::string> found;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
      if (line.starts_with("^bb")) found.push_back(line);
    EXPECT_EQ(found, headers) << text;
  }
}

TEST(TextPrograms, NothingIsNotAProgram) {
  const auto written = WriteText(Module());
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error()[0].message, "program has no top-level module");
}

TEST(TextPrograms, StructAttrsAreReassembled) {
  const std::string_view source =
      R"(func.func @f(%arg0: tensor<3x4x2xi64>, %arg1: tensor<2x3x2xi64>, %arg2: tensor<1x8x8x2xf32>, %arg3: tensor<3x3x2x4xf32>) {
  %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2, 2>}> : (tensor<3x4x2xi64>, tensor<2x3x2xi64>) -> tensor<2x3x2x2xi64>
  %1 = stablehlo.convolution(%arg2, %arg3) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x2xf32>, tensor<3x3x2x4xf32>) -> tensor<1x6x6x4xf32>
  return
}
)";
  EXPECT_EQ(Rewrite(source), source);
}

// Before attributes were properties, discardable attributes are among the inherent ones.
TEST(TextPrograms, DiscardableAttributesMayHaveNamesOfFields) {
  size_t read = 0;
  for (uint16_t r = 1; r < OpRows().size(); ++r)
    for (uint16_t n = kFirstRelease.n; n <= kCurrentVersion.n; ++n) {
      const RowId row{r};
      const Version version{n};
      if (SampleVariants(row, version).empty()) continue;
      const Module sample = MakeSample(row, version);
      const OpId id = FindOp(sample, row);
      if (!id || !sample.RevisionIdOf(sample.ops[id.v])) continue;
      const OpRevision& revision = RevisionOf(sample.RevisionIdOf(sample.ops[id.v]));
      for (const Cell& struct_attr : revision.struct_attrs)
        for (const FieldRow& field : RowOf(struct_attr.attr_kind()).fields()) {
          const int slot = revision.FindSlot(field.name);
          // Without the struct attribute this is a part of it.
          if (slot < 0 || !sample.InherentAttrsOf(sample.ops[id.v])[size_t(slot)]) continue;
          SCOPED_TRACE(SampleName(row, version, {}) + ", " + std::string(field.name));
          Module m = sample;
          m.SetDiscardableAttrs(id, {{m.strings.Intern(field.name), m.Bool(true)}});
          for (const bool generic : {false, true}) {
            const auto text = WriteText(m, {.generic = generic});
            ASSERT_TRUE(text) << Render(text.error()[0]);
            const auto again = ReadText(*text, nullptr);
            ASSERT_TRUE(again) << Render(again.error()[0]) << *text;
            EXPECT_EQ(FirstDifference(m, *again), "") << *text;
          }
          ++read;
        }
    }
  EXPECT_GT(read, 1000u);
}

}  // namespace
}  // namespace shlo
