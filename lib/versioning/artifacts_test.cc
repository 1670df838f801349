#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "base/test_stack.h"
#include "ir/module/broken_signature.h"
#include "ir/module/builder.h"
#include "ir/module/sample.h"
#include "ir/table/trait.h"
#include "serialize/mlirbc/format.h"
#include "serialize/mlirbc/test_file.h"
#include "serialize/shlo/test_programs.h"
#include "shlo/compare.h"
#include "shlo/convert.h"
#include "shlo/mlirbc_reader.h"
#include "shlo/mlirbc_writer.h"
#include "shlo/text_reader.h"
#include "shlo/text_writer.h"

namespace shlo {
namespace {

using mlirbc::ReadOwned;

Module Parsed(std::string_view text) {
  auto module = ReadText(text, nullptr);
  if (!module) ADD_FAILURE() << Render(module.error()[0]);
  return module ? std::move(*module) : Module();
}

Module At(const Module& module, uint16_t version) {
  auto conversion = Convert(module, Version{version}, {.allow_other_dialects = true});
  if (!conversion) ADD_FAILURE() << Render(conversion.error()[0]);
  return conversion ? std::move(conversion->module) : Module();
}

std::string Hex(std::string_view bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  for (char byte : bytes) {
    out += kDigits[uint8_t(byte) >> 4];
    out += kDigits[uint8_t(byte) & 15];
  }
  return out;
}

std::string Written(const Module& module, const MlirBytecodeWriteOptions& options = {}) {
  auto bytes = WriteMlirBytecode(module, options);
  if (!bytes) ADD_FAILURE() << Render(bytes.error()[0]);
  return bytes ? *bytes : "";
}

constexpr std::string_view kUses = R"(
module {
  func.func @main(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.exponential %a : tensor<f32>
    %1 = stablehlo.add %0, %0 : tensor<f32>
    %2 = stablehlo.exponential %0 : tensor<f32>
    %3 = stablehlo.exponential %b : tensor<f32>
    %4 = stablehlo.add %b, %b : tensor<f32>
    return %2 : tensor<f32>
  }
}
)";

constexpr std::string_view kWeakOrder = R"(
module {
  func.func @main(%a: tensor<f32>) -> tensor<i1> {
    %0 = stablehlo.compare LT, %a, %a, WEAKORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    return %0 : tensor<i1>
  }
}
)";

// Returns the message of reading a program whose producer states a different release than it has.
std::string MessageAt(std::string_view text, std::string_view release) {
  std::string bytes = Written(Parsed(text));
  EXPECT_TRUE(ReadOwned(bytes));
  const size_t stated = bytes.find("v1.22.0");
  if (stated == bytes.npos) return "the release is not stated";
  bytes.replace(stated, 7, release);
  const auto refused = ReadOwned(bytes);
  return refused ? "" : refused.error()[0].message;
}

// jaxlib writes such artifacts: an op of the target's version, and one that an expansion added in a newer
// form.
TEST(MlirBytecodeReaderTest, ReadsAnArtifactThatMixesVersions) {
  std::string bytes = Written(Parsed(R"(
func.func @main(%a: tensor<2xf32>) -> tensor<4xf32> {
  %0 = stablehlo.tanh %a : tensor<2xf32>
  %1 = "stablehlo.all_gather"(%0) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}
      : (tensor<2xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
})"));
  const auto replace = [&](std::string_view from, std::string_view to) {
    const size_t at = bytes.find(from);
    ASSERT_NE(at, bytes.npos) << from;
    bytes.replace(at, from.size(), to);
  };
  replace("all_gather_v2", "all_gather_v1");
  // Its own producer would not have tanh_v2.
  EXPECT_FALSE(ReadOwned(bytes));
  replace("v1.22.0", "v1.04.0");
  Diagnostics warnings;
  const auto module = ReadOwned(bytes, {}, &warnings);
  ASSERT_TRUE(module) << Render(module.error()[0]);
  EXPECT_EQ(module->version.n, 63);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0].message,
            "the artifact mixes versions: it has 'vhlo.all_gather_v1' (removed after 1.4.0 (57)) and "
            "'vhlo.tanh_v2' (added in 1.10.0 (63))");
  // Neither may the op that ends be gone at the stated version.
  replace("v1.04.0", "v1.06.0");
  EXPECT_FALSE(ReadOwned(bytes));
}

// An enum case, a type and an attribute that the version of the producer does not have.
TEST(MlirBytecodeReaderTest, RefusesWhatIsNewerThanTheArtifact) {
  EXPECT_EQ(MessageAt(kWeakOrder, "v1.21.0"),
            "comparison_type 'WEAKORDER' does not exist in 1.21.0 (74), the version stated by the producer");
  constexpr std::string_view kType = R"(
func.func @main(%a: tensor<f8E3M4>) -> tensor<f8E3M4> {
  return %a : tensor<f8E3M4>
})";
  EXPECT_EQ(MessageAt(kType, "v1.06.0"),
            "type 'f8E3M4' does not exist in 1.6.0 (59), the version stated by the producer");
  EXPECT_EQ(MessageAt(kType, "v1.07.0"), "");
  constexpr std::string_view kAttribute = R"(
func.func @main() attributes {a.b = #stablehlo.axis_ref<name = "x">} {
  return
})";
  EXPECT_EQ(MessageAt(kAttribute, "v1.15.0"),
            "attribute kind 'stablehlo.axis_ref' does not exist in 1.15.0 (68), the version stated by the "
            "producer");
  EXPECT_EQ(MessageAt(kAttribute, "v1.16.0"), "");
}

TEST(MlirBytecodeReaderTest, APatchReleaseIsReadAsTheReleaseBeforeIt) {
  constexpr std::string_view kType = R"(
func.func @main(%a: tensor<f8E3M4>) -> tensor<f8E3M4> {
  return %a : tensor<f8E3M4>
})";
  EXPECT_NE(MessageAt(kType, "v1.6.99").find("does not exist in 1.6.0 (59)"), std::string::npos);
  // 1.22.9 is newer than all known releases: a warning, and the newest known version.
  EXPECT_EQ(MessageAt(kType, "v1.22.9"), "");
}

// Bytes of the reference serializer, release 1.17.0, for this program.
TEST(MlirBytecodeWriterTest, TheBytesOfTheReference) {
  const Module m = Parsed(kUses);
  EXPECT_EQ(Hex(Written(At(m, 70))),
            "4d4cef520d537461626c65484c4f5f76312e31372e3000011b0501050b01030b03090f13171b03250f07010307"
            "030d170b0b0b0b0b03070f1b0702351f290101010d030123031d0f1d11270129010511050101030109048d0501"
            "50010107047d03010507500103070469030f1b0501010003460105030103010506010301050505034601050301"
            "03050346010503010303050601030105030309040103090603010501009913030b15110f1f0f0b116275696c74"
            "696e0076686c6f006d6f64756c65006578706f6e656e7469616c5f7632006164645f76310066756e635f763100"
            "72657475726e5f7631006d61696e00000819070501010b050705090b0303");
  // The reference recreates exponential when it converts from a newer version, which reverses uses. A program
  // that is at the version already is only written.
  MlirBytecodeWriteOptions converted;
  converted.origin = kCurrentVersion;
  EXPECT_LT(Written(At(m, 53)).size(), Written(At(m, 53), converted).size());
  EXPECT_EQ(Hex(Written(At(m, 53), converted)),
            "4d4cef520d537461626c65484c4f5f76312e302e3000011b0501050b01030b03090f13171b03210b0701030703"
            "090b0b0b0b03070f1b0702271f030123031d0f1d1129010511050101030109049b050150010107048b03010507"
            "500103070477030f1b0501012003030d030501032601030103010d050301050601030105050503060103010305"
            "03060103010303050601030105030309040103090603010501009913030b15110f1f0f0b116275696c74696e00"
            "76686c6f006d6f64756c65006578706f6e656e7469616c5f7631006164645f76310066756e635f763100726574"
            "75726e5f7631006d61696e00000815050501010b0305030709");
  EXPECT_EQ(Hex(Written(At(m, 41))),
            "4d4cef5201537461626c65484c4f5f76302e392e30000119050103010305030907090b0d032d1707010f07330b"
            "0b0b0b0b03090b0b0b0b03070f1b0702531f030b050f0711090f0b130d15050f0511051305150517030123031d"
            "191d1b29010511050101030109047f05011001070301050711010307030f1b0501010101030601030103010506"
            "0103010505050306010301030503060103010303050601030105030309040103090603010501002e021d030b1f"
            "13151d1515110f1f0f0b116275696c74696e0076686c6f006d6f64756c65006578706f6e656e7469616c5f7631"
            "006164645f76310066756e635f76310072657475726e5f7631006172675f61747472730066756e6374696f6e5f"
            "74797065007265735f61747472730073796d5f6e616d650073796d5f7669736962696c697479006d61696e0000");
}

TEST(MlirBytecodeWriterTest, BooleansAreBits) {
  const Module m = Parsed(R"(
    func.func @main() {
      %0 = stablehlo.constant dense<[true, false, true, true, false, false, false, false, true]> : tensor<9xi1>
      %1 = stablehlo.constant dense<true> : tensor<9xi1>
      %2 = stablehlo.constant dense<false> : tensor<4xi1>
      %3 = stablehlo.constant dense<true> : tensor<i1>
      return
    })");
  const std::string bytes = Written(m);
  EXPECT_NE(bytes.find("\x0D\x01"), std::string::npos);
  auto read = ReadMlirBytecode(bytes, nullptr);
  ASSERT_TRUE(read);
  EXPECT_EQ(FirstDifference(m, *read, {.defaults = false}), "");
}

TEST(MlirBytecodeWriterTest, ConstantsWithoutElements) {
  const Module m = Parsed(R"(
    func.func @main() {
      %0 = stablehlo.constant dense<3> : tensor<0xi8>
      %1 = stablehlo.constant dense<> : tensor<0xf32>
      return
    })");
  auto read = ReadOwned(Written(m));
  ASSERT_TRUE(read) << Render(read.error()[0]);
  EXPECT_EQ(FirstDifference(m, *read, {.defaults = false}), "");
}

TEST(MlirBytecodeWriterTest, LargeConstantsAreOneWhereEqual) {
  std::string hex;
  for (int i = 0; i < 4096; ++i) hex += i % 2 ? "0000803f" : "00000040";
  const std::string constant = "stablehlo.constant dense<\"0x" + hex + "\"> : tensor<4096xf32>\n";
  const Module m = Parsed("func.func @main() {\n %0 = " + constant + " %1 = " + constant + " return }");
  const std::string bytes = Written(m);
  EXPECT_GT(bytes.size(), 16384u);
  EXPECT_LT(bytes.size(), 20000u);
  // Views reach the sink as they are.
  size_t largest = 0;
  ASSERT_TRUE(WriteMlirBytecodeTo(m, {}, [&](std::string_view piece) {
    largest = std::max(largest, piece.size());
    return true;
  }));
  EXPECT_EQ(largest, 16384u);
}

TEST(MlirBytecodeWriterTest, EveryKindOfLocationSurvives) {
  const Module m = Parsed(R"(
    module {
      func.func @main(%a: tensor<f32> loc("arg")) -> tensor<f32> {
        %0 = stablehlo.add %a, %a : tensor<f32> loc("a.py":1:2)
        %1 = stablehlo.add %a, %0 : tensor<f32> loc("a.py":1:2 to :5)
        %2 = stablehlo.add %a, %1 : tensor<f32> loc("a.py":1:2 to 3:5)
        %3 = stablehlo.add %a, %2 : tensor<f32> loc("name"("a.py":7:8))
        %4 = stablehlo.add %a, %3 : tensor<f32> loc(callsite("f" at "b.py":9:10))
        %5 = stablehlo.add %a, %4 : tensor<f32> loc(fused["x", "y"])
        %6 = stablehlo.add %a, %5 : tensor<f32> loc(fused<"pass">["x", "a.py":1:1])
        return %6 : tensor<f32>
      }
    })");
  auto read = ReadOwned(Written(m));
  ASSERT_TRUE(read) << Render(read.error()[0]);
  EXPECT_EQ(FirstDifference(m, *read, {.defaults = false}), "");
  auto stripped = ReadOwned(Written(m, {.locations = false}));
  ASSERT_TRUE(stripped);
  EXPECT_NE(FirstDifference(m, *stripped, {.defaults = false}), "");
  EXPECT_EQ(FirstDifference(m, *stripped, {.locations = false, .defaults = false}), "");
}

// Uses in and after regions, and before the value: bytes of MLIR in jaxlib 0.10.2 for this text.
TEST(MlirBytecodeWriterTest, UsesInTheOrderOfTheParser) {
  const Module m = Parsed(R"(
    module {
      func.func @main(%a: i32) {
        "foo.g"(%a) ({
          "foo.x"(%v, %a) : (i32, i32) -> ()
          %v = "foo.y"(%v, %a) : (i32, i32) -> i32
          "foo.x"(%v, %v) : (i32, i32) -> ()
        }) : (i32) -> ()
        return
      }
    })");
  const auto written = [&](bool from_text) {
    const std::string bytes =
        Written(m, {.vhlo = false, .locations = false, .from_text = from_text, .producer = "MLIR23.0.0git"});
    return Hex(bytes.substr(bytes.find('\0') + 1));
  };
  EXPECT_EQ(written(true),
            "0123070105090d01030f03050713050715191d031707050107070b0b01050f1302191f0d030511010202050301"
            "01048305015001010704730301050350010307045f03030b0301200d03050109140103010503030d0704010503"
            "010b26010301050301110103070507040105030305000106030105010069130b0505050f0f090b116275696c74"
            "696e0066756e6300666f6f006d6f64756c650072657475726e007800670079006d61696e000817050501010d01"
            "0301010501");
  EXPECT_NE(written(false), written(true));
}

// Ops of cf and scf without a row: registered, and empty also without a dictionary.
TEST(MlirBytecodeWriterTest, OpsWithoutProperties) {
  const Module m = Parsed(R"(
    module {
      func.func @main(%a: i1) {
        "scf.if"(%a) ({ "scf.yield"() : () -> () }, {}) : (i1) -> ()
        "cf.assert"(%a) <{msg = "no"}> : (i1) -> ()
        "cf.br"()[^bb1] : () -> ()
      ^bb1:
        return
      }
    })");
  const std::string bytes = Written(m, {.vhlo = false});
  auto read = ReadOwned(bytes);
  ASSERT_TRUE(read) << Render(read.error()[0]);
  EXPECT_EQ(FirstDifference(m, *read), "");
}

// Operand segment sizes: an ordinary property, and from format 6 on numbers after the others. Missing
// attributes of an op of arith are filled in. Bytes of MLIR in jaxlib 0.10.2 for this text, without
// locations.
TEST(MlirBytecodeWriterTest, GroupsOfOperandsWithoutARow) {
  const Module m = Parsed(R"(
    module {
      func.func @f(%c: i1, %a: f32) -> f32 {
        "cf.cond_br"(%c, %a)[^bb1, ^bb2] <{branch_weights = array<i32: 3, 5>,
          operandSegmentSizes = array<i32: 1, 1, 0>}> : (i1, f32) -> ()
      ^bb1(%x: f32):
        %0 = "arith.mulf"(%x, %x) : (f32, f32) -> f32
        return %0 : f32
      ^bb2:
        return %a : f32
      }
    })");
  const std::pair<int, const char*> expected[] = {
      {5,
       "0127090105090d0b0103130305170705031b07031f03250d09010b070b0b33430703590109070b0f1b02871f0d"
       "070511230505110300000005000000230507190100000001000000000000002361726974682e666173746d6174"
       "683c6e6f6e653e000b010901020205050301030104770501500101070467030105055001030704530709070505"
       "0100074c01050501030503050b03010009460107030105050503040103070503040103030603010501007b1305"
       "0b110f0f0d070b116275696c74696e0066756e63006366006172697468006d6f64756c650072657475726e0063"
       "6f6e645f6272006d756c660066000823090501010d010301010501050f09051701"},
      {6,
       "0127090105090d0b0103130305170705031b07031f03230b090109070b0b330703590109070b1b0f02671f0d05"
       "05112307051103000000050000002361726974682e666173746d6174683c6e6f6e653e000b0109050503010301"
       "010202047705015001010704670301050550010307045307090705050100074c01050501030503050b03010009"
       "460107030105050503040103070503040103030603010501007b13050b110f0f0d070b116275696c74696e0066"
       "756e63006366006172697468006d6f64756c650072657475726e00636f6e645f6272006d756c66006600082909"
       "0501010d0103010105010b0f0d030301051301"}};
  for (const auto& [format, hex] : expected) {
    const std::string bytes = Written(m, {.vhlo = false,
                                          .locations = false,
                                          .format = format,
                                          .from_text = true,
                                          .producer = "MLIR23.0.0git"});
    EXPECT_EQ(Hex(bytes.substr(bytes.find('\0') + 1)), hex) << format;
    auto read = ReadOwned(bytes);
    ASSERT_TRUE(read) << Render(read.error()[0]);
    std::string again = Written(*read, {.vhlo = false, .format = format, .producer = "MLIR23.0.0git"});
    EXPECT_EQ(Hex(again), Hex(bytes)) << format;
  }
  // A format without properties has attributes.
  auto read = ReadOwned(Written(m, {.vhlo = false, .format = 4}));
  ASSERT_TRUE(read) << Render(read.error()[0]);
  EXPECT_EQ(FirstDifference(m, *read), "");
}

// The same for an op with a row that has result segments, too.
TEST(MlirBytecodeWriterTest, GroupsOfOperandsInEveryFormat) {
  const Module m = Parsed(R"(
    module {
      func.func @f(%a: tensor<4xf32>, %i: tensor<f32>) -> (tensor<4xf32>, tensor<f32>) {
        %0:2 = "chlo.scan"(%a, %i) <{dimension = 0 : i64, is_reverse = false, scan_dim_size = 4 : i64,
            operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
        ^bb0(%x: tensor<f32>, %y: tensor<f32>):
          stablehlo.return %x, %y : tensor<f32>, tensor<f32>
        }) : (tensor<4xf32>, tensor<f32>) -> (tensor<4xf32>, tensor<f32>)
        return %0#0, %0#1 : tensor<4xf32>, tensor<f32>
      }
    })");
  for (int format = 0; format <= 6; ++format) {
    auto read = ReadOwned(Written(m, {.vhlo = false, .format = format}));
    ASSERT_TRUE(read) << format << ": " << Render(read.error()[0]);
    EXPECT_EQ(FirstDifference(m, *read, {.defaults = false}), "") << format;
  }
}

TEST(MlirBytecodeWriterTest, ProgramsInRawStablehlo) {
  const Module m = Parsed(R"(
    module @m attributes {x.y = [1 : i32, "s", unit, @f, 2.5 : f64, i32, {k = -3 : i8}, dense<[1, 2]> : tensor<2xi64>,
                                 array<i64: 1, 2>, array<i1: true, false>, array<f32: 1.0>, @a::@b, -1 : i128]} {
      func.func private @f(tensor<2x?xf32, #stablehlo.bounds<?, 5>>, !stablehlo.token, index, memref<2xf32>,
                           vector<2x[4]xi8>, tensor<*xi3>, tuple<i1, complex<f64>>, f8E4M3FN,
                           tensor<!quant.uniform<i8:f32, 0.5:3>>)
      func.func @main(%a: tensor<2x3xf32>, %b: tensor<3x2xf32>) -> tensor<2x2xf32> attributes {x.z} {
        %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], precision = [HIGH, HIGHEST]
            : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
        %1 = "x.unknown"(%0) ({ ^bb0(%c: i32): "x.end"(%0) : (tensor<2x2xf32>) -> () }) {k = 1 : i32}
            : (tensor<2x2xf32>) -> tensor<2x2xf32>
        %2 = chlo.tan %1 : tensor<2x2xf32> -> tensor<2x2xf32>
        return %2 : tensor<2x2xf32>
      }
    })");
  Diagnostics warnings;
  auto read = ReadOwned(Written(m, {.vhlo = false}), {}, &warnings);
  ASSERT_TRUE(read) << Render(read.error()[0]);
  EXPECT_EQ(FirstDifference(m, *read), "");
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].message.find("without VHLO states no version"), std::string::npos);
}

TEST(MlirBytecodeWriterTest, ResourcesAreAligned) {
  const Module m = Parsed(R"(
    module attributes {x.a = dense_resource<big> : tensor<4xf32>} {
    }
    {-# dialect_resources: { builtin: { big: "0x40000000000000000000803F0000004000004040" } } #-})");
  const std::string bytes = Written(m);
  const size_t at = bytes.find(std::string_view("\0\0\0\0\0\0\x80\x3F", 8));
  ASSERT_NE(at, std::string::npos);
  EXPECT_EQ(at % 64, 0u);
  auto read = ReadMlirBytecode(bytes, nullptr);
  ASSERT_TRUE(read) << Render(read.error()[0]);
  EXPECT_EQ(FirstDifference(m, *read), "");
  ASSERT_EQ(read->resources.size(), 1u);
  EXPECT_EQ(read->resources[0].alignment, 64u);
}

TEST(MlirBytecodeWriterTest, EveryFormatIsRead) {
  const Module m = Parsed(kUses);
  for (int format = 0; format <= 6; ++format) {
    auto read = ReadOwned(Written(m, {.format = format}));
    ASSERT_TRUE(read) << format << Render(read.error()[0]);
    EXPECT_EQ(FirstDifference(m, *read, {.defaults = false}), "") << format;
  }
  EXPECT_FALSE(WriteMlirBytecode(m, {.format = 7}));
}

// Values that cross dialects are cast, and the casts disappear when the artifact is read.
constexpr std::string_view kMixed = R"(
module {
  func.func @main(%a: tensor<f32>, %b: index) -> (tensor<f32>, tensor<f32>) {
    %0 = arith.addf %a, %a : tensor<f32>
    %1:2 = "stablehlo.optimization_barrier"(%0, %0) : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
    %2 = arith.addf %1#0, %1#1 fastmath<nnan> : tensor<f32>
    %3 = "x.pair"(%2) ({
      ^bb0(%c: tensor<f32>):
        %4 = stablehlo.abs %c : tensor<f32>
        "x.end"(%4) : (tensor<f32>) -> ()
    }) : (tensor<f32>) -> tensor<f32>
    return %2, %3 : tensor<f32>, tensor<f32>
  }
})";

// VHLO writes defaults out. A program read from it must not have more attributes than before, or its text
// would.
TEST(MlirBytecodeWriterTest, DefaultsComeBackAsAbsence) {
  const Module m = Parsed(R"(func.func private @f(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.custom_call @x(%a) : (tensor<2xf32>) -> tensor<2xf32>
  %1 = stablehlo.dot %0, %a : (tensor<2xf32>, tensor<2xf32>) -> tensor<f32>
  %2 = stablehlo.tanh %a : tensor<2xf32>
  return %2 : tensor<2xf32>
})");
  const auto bytes = WriteMlirBytecode(m);
  ASSERT_TRUE(bytes);
  const auto read = ReadMlirBytecode(*bytes, nullptr);
  ASSERT_TRUE(read);
  EXPECT_EQ(FirstDifference(m, *read, {.locations = false}), "");
  EXPECT_EQ(*WriteMlirBytecode(*read), *bytes);
}

TEST(MlirBytecodeWriterTest, CastsBetweenDialects) {
  const Module m = Parsed(kMixed);
  TextWriteOptions vhlo;
  vhlo.spelling = Spelling::kVhlo;
  const auto text = WriteText(m, vhlo);
  ASSERT_TRUE(text);
  // One cast for each value and direction: after the definition, the last created first.
  const std::string_view order[] = {
      "%0 = builtin.unrealized_conversion_cast %arg0 : !vhlo.tensor_v1<!vhlo.f32_v1> to tensor<f32>",
      "%1 = arith.addf %0, %0",
      "%2 = builtin.unrealized_conversion_cast %1 : tensor<f32> to !vhlo.tensor_v1<!vhlo.f32_v1>",
      "(%2, %2)",
      "builtin.unrealized_conversion_cast %3#1 : !vhlo.tensor_v1<!vhlo.f32_v1> to tensor<f32>",
      "builtin.unrealized_conversion_cast %3#0 : !vhlo.tensor_v1<!vhlo.f32_v1> to tensor<f32>",
      "arith.addf %5, %4",
      "^bb0(%arg2: tensor<f32>)",
      "%10 = builtin.unrealized_conversion_cast %arg2 : tensor<f32> to !vhlo.tensor_v1<!vhlo.f32_v1>",
      "\"vhlo.abs_v1\"(%10)"};
  size_t at = 0;
  for (std::string_view line : order) {
    const size_t found = text->find(line, at);
    EXPECT_NE(found, std::string::npos) << line << "\n" << *text;
    at = std::min(found, text->size());
  }
  auto parsed = ReadText(*text, nullptr);
  ASSERT_TRUE(parsed) << Render(parsed.error()[0]);
  EXPECT_EQ(FirstDifference(m, *parsed, {.locations = false, .defaults = false}), "");
  for (const uint16_t version : {uint16_t{41}, uint16_t{46}, kCurrentVersion.n}) {
    auto read = ReadOwned(Written(At(m, version)));
    ASSERT_TRUE(read) << version << Render(read.error()[0]);
    EXPECT_EQ(FirstDifference(At(m, version), *read, {.defaults = false}), "") << version;
  }
}

// Bytes of jaxlib's MLIR for ops of other dialects: their attributes are properties, including those that
// their rows lack. A writer of an older release knows fewer.
TEST(MlirBytecodeWriterTest, PropertiesOfNeighbouringDialects) {
  const Module m = Parsed(R"(
    module {
      func.func @main(%a: tensor<4xf32>, %b: i32, %c: i32, %l: index) -> (tensor<4xf32>, i8, i32) {
        %0 = "arith.addf"(%a, %a) <{fastmath = #arith.fastmath<nnan>}>
            : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
        %1 = "arith.addf"(%0, %a) <{fastmath = #arith.fastmath<none>}>
            : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
        %2 = arith.divsi %b, %c : i32
        %3 = "arith.addi"(%2, %b) <{overflowFlags = #arith.overflow<nsw>}> : (i32, i32) -> i32
        %4 = "arith.trunci"(%3) <{overflowFlags = #arith.overflow<none>}> : (i32) -> i8
        %5 = arith.cmpi slt, %b, %c : i32
        %6 = arith.select %5, %2, %3 : i32
        %7 = scf.for %i = %l to %l step %l iter_args(%x = %1) -> (tensor<4xf32>) {
          %y = stablehlo.abs %x : tensor<4xf32>
          scf.yield %y : tensor<4xf32>
        }
        return %7, %4, %6 : tensor<4xf32>, i8, i32
      }
    })");
  MlirBytecodeWriteOptions options;
  options.writer = Version{70};
  EXPECT_EQ(Hex(Written(At(m, 70), options)),
            "4d4cef520d537461626c65484c4f5f76312e31372e30000137090105090d1b0105131703071b1f23050d272b2f33"
            "373b07053f430347151b0105070f03090b0b0b0b050959595559010f130f07070b0b0f030d130707072b07021602"
            "1f110d09030123171d231d252361726974682e666173746d6174683c6e6e616e3e002361726974682e666173746d"
            "6174683c6e6f6e653e002361726974682e6f766572666c6f773c6e73773e002361726974682e6f766572666c6f77"
            "3c6e6f6e653e001b031107010202030b01410109010204290311191b131711090f111113070f151109040a030503"
            "5001010704e602030105055001030704ba02032743091d2121250001060103050307010601030303050106010303"
            "0303010601030103010b4601050301050f0f0b460107030105110f0d4601090303050d0b0f46010b030305150d11"
            "46010d03090317010601031503191346010f030b050d0b1506010303071d15170106010311031f17560109030109"
            "09090913070443030b1305090100010601030f0303090601030f0305010601030103071904010309010601030f03"
            "2307040107251b21060301050100660227030b0d090f0b0f0b0d0b0f15110f37090d0b116275696c74696e007668"
            "6c6f0061726974680073636600756e7265616c697a65645f636f6e76657273696f6e5f63617374006d6f64756c65"
            "0066756e635f76310072657475726e5f7631006162735f763100616464660064697673690061646469007472756e"
            "636900636d70690073656c65637400666f72007969656c64006d61696e00000831110501010b050705090b051b01"
            "051f010301032303270303");
  for (const uint16_t writer : {uint16_t{64}, uint16_t{67}, kCurrentVersion.n})
    for (const bool is_vhlo : {false, true}) {
      options.writer = Version{writer};
      options.vhlo = is_vhlo;
      auto read = ReadOwned(Written(m, options));
      ASSERT_TRUE(read) << writer << Render(read.error()[0]);
      EXPECT_EQ(FirstDifference(m, *read, {.defaults = false}), "") << writer;
    }
}

// Bytes of jaxlib for values with several uses by two dialects: for the newest of its releases, and for one
// for which it recreates an op.
TEST(MlirBytecodeWriterTest, UsesBetweenDialects) {
  const Module m = Parsed(R"(
    module {
      func.func @main(%a: tensor<f32>) -> tensor<f32> {
        %0 = "arith.addf"(%a, %a) <{fastmath = #arith.fastmath<none>}> : (tensor<f32>, tensor<f32>) -> tensor<f32>
        %1 = stablehlo.add %0, %a : tensor<f32>
        %2 = stablehlo.exponential %0 : tensor<f32>
        %3 = "arith.addf"(%0, %2) <{fastmath = #arith.fastmath<none>}> : (tensor<f32>, tensor<f32>) -> tensor<f32>
        %4 = stablehlo.add %0, %2 : tensor<f32>
        %5 = "arith.addf"(%2, %2) <{fastmath = #arith.fastmath<none>}> : (tensor<f32>, tensor<f32>) -> tensor<f32>
        return %0 : tensor<f32>
      }
    })");
  MlirBytecodeWriteOptions options;
  options.writer = Version{70};
  EXPECT_EQ(Hex(Written(At(m, 70), options)),
            "4d4cef520d537461626c65484c4f5f76312e31372e30000125070105090f01050f130309171b1f23050327033311"
            "0b010307030d0b0b0b0b170b05035901050f0703070f170702671f030123071d151d17290101010d270123617269"
            "74682e666173746d6174683c6e6f6e653e001b01030b29010911030503050904e105035001010704d10301050750"
            "01030704bd03152b030920090301010601030103010d460105030105030301260103050305110705030105060103"
            "0505070109660107030503070903010106010301030b0d460105030105050d050601030505070b0d460105030105"
            "0d0d0b04010307060301050100eb19030b0b151f110f0f370d0b116275696c74696e0076686c6f00617269746800"
            "756e7265616c697a65645f636f6e76657273696f6e5f63617374006d6f64756c65006164645f76310066756e635f"
            "7631006578706f6e656e7469616c5f76320072657475726e5f76310061646466006d61696e0000081f090501010b"
            "0305030709051f01030b");
  EXPECT_EQ(Hex(Written(At(m, 53), options)),
            "4d4cef520d537461626c65484c4f5f76312e302e30000125070105090f01050f130309171b1f23050327032f0d0b"
            "01030703090b0b0b0b05035901050f0703070f170702591f030123071d151d172361726974682e666173746d6174"
            "683c6e6f6e653e001b01030b29010911030503050904d905035001010704c9030105075001030704b503152b0309"
            "20090301010601030103010d46010503010503030126010305030511070501030506010305050701090601030503"
            "070106010301030b0d460105030105050d050601030505070b0d4601050301050d0d0b04010307060301050100eb"
            "19030b0b151f110f0f370d0b116275696c74696e0076686c6f00617269746800756e7265616c697a65645f636f6e"
            "76657273696f6e5f63617374006d6f64756c65006164645f76310066756e635f7631006578706f6e656e7469616c"
            "5f76310072657475726e5f76310061646466006d61696e0000081b070501010b0305030709051701");
}

// Bytes of jaxlib for attributes and ops of the dialect sdy, and back to text.
TEST(MlirBytecodeWriterTest, AttributesKeptAsText) {
  const Module m = Parsed(R"(
    module attributes {x.a0 = #sdy<manual_axes{"a", "b"}>, x.a1 = #sdy.mesh<["x"=2, "y"=1], device_ids=[1, 0]>, x.a2 = #sdy.sharding<@mesh, [{"a":(1)2, ?}p1, {?}, {}p0], replicated={"c", "d":(2)4}, unreduced={"e"}>, x.a3 = #sdy.sharding<mesh<["x"=2]>, [{"x"}]>, x.a4 = #sdy.sharding_per_value<[<@mesh, [{"x"}]>, <@mesh, []>]>, x.a5 = #sdy.sharding_per_value<[<@mesh, [], unreduced={"x"}>]>, x.a6 = #sdy<list_of_axis_ref_lists[{"x"}, {}]>, x.a7 = #sdy.op_sharding_rule<([i, jk], [])->([z_1]) {i=4, j=4, k=2} reduction={k} need_replication={j} permutation={i} blocked_propagation={i}, custom>, x.a8 = #sdy<all_to_all_param_list[{"x"}: 0->1, {"y", "z"}: 0->2]>, x.a9 = #sdy.sharding<@"a b", [{"\22"}]>} {
      "sdy.mesh"() <{mesh = #sdy.mesh<["x"=2]>, sym_name = "mesh"}> : () -> ()
      func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
        %0 = "sdy.sharding_constraint"(%a) <{sharding = #sdy.sharding<@mesh, [{"x"}]>}> : (tensor<8xf32>) -> tensor<8xf32>
        return %0 : tensor<8xf32>
      }
    })");
  MlirBytecodeWriteOptions options;
  options.writer = Version{70};
  const std::string bytes = Written(At(m, 70), options);
  EXPECT_EQ(Hex(bytes),
            "4d4cef520d537461626c65484c4f5f76312e31372e30000123070105090d01050f130305171b05051f2303a17f0b"
            "0125070b0b5b0b0b0b0b0b0b0b0b0b0b0b0b0b0b03530f0f131717131f0f2f170f0f13130f0f0f0f1713130f1b13"
            "0f0b4f130f130b0f0f13171b0f0f17170f05090b0b0b0b0105130705071317070206041f0905050b0315092f0f31"
            "11351349154b174f19531b591d671f710513051505170519051b051d051f052105230525052705290923052b092d"
            "01032d09050327010b032501010d03032b0101050b0d05052733050501032f051f0307373d3f05414303470b0339"
            "00070915770705090b0100010b01010309310109338b0709110935010d29032b010f052d4d0d0301012103511f03"
            "010103251905555717032517011507111109055b61036303090305030103010113055d5f11030111050509130113"
            "03651103491d05696b1b032501051b056d6f0109092f010937010d210373010b03750101093901030123071d3b1d"
            "3d1b0321030b29032109110305030509047105035101070107045f03010905400103095001050704430309130309"
            "00010601030103010746010703010303010601030503050b0401030706030105010032033f030b05050505050505"
            "090b0b0b0b0b0b0b0b0b05050b1511290b0f370b09116275696c74696e007364790076686c6f00756e7265616c69"
            "7a65645f636f6e76657273696f6e5f63617374006d6f64756c65006d657368007368617264696e675f636f6e7374"
            "7261696e740066756e635f76310072657475726e5f763100782e61300061006200782e613100782e613200782e61"
            "3300782e613400782e613500782e613600782e613700782e613800782e6139006120620078007900630064006500"
            "7a0022006d61696e0000081f090501010529050b7779777b7d032d");
  auto read = ReadOwned(bytes);
  ASSERT_TRUE(read) << Render(read.error()[0]);
  EXPECT_EQ(FirstDifference(At(m, 70), *read, {.locations = false, .defaults = false}), "");
}

// Attributes that jaxlib allows in VHLO ops although they have no VHLO equivalent, and those that it rejects.
TEST(MlirBytecodeWriterTest, WhatVhloOpsMayHold) {
  const auto write = [](const std::string& argument, const std::string& attr) {
    return WriteMlirBytecode(
        Parsed("func.func @main(%a: " + argument + ") attributes {x.y = " + attr + "} { return }"));
  };
  for (const char* attr :
       {"affine_map<(d0) -> (d0)>", "affine_set<(d0): (d0 == 0)>", "#foo.bar", "#sdy.mesh<[\"x\"=2]>",
        "dense<\"a\"> : tensor<2x!foo.s>", "@a::@b", "array<bf16: 1.0>", "{a = #foo.bar}"})
    EXPECT_TRUE(write("tensor<*xf32>", attr)) << attr;
  for (const char* type : {"!shape.shape", "tensor<2x!shape.size>", "memref<4xf32, 3>", "none"})
    EXPECT_TRUE(write(type, "1 : i32")) << type;
  const auto plain = WriteMlirBytecode(Parsed("func.func @main() attributes {x.y = #foo.bar} { return }"),
                                       {.other_dialects = false});
  ASSERT_FALSE(plain);
  EXPECT_EQ(plain.error()[0].hint, "pass --allow-other-dialects to keep it");
  const auto refused = [&](const auto& result, const char* what) {
    ASSERT_FALSE(result) << what;
    EXPECT_EQ(result.error()[0].code, Code::kBlocked);
    EXPECT_EQ(result.error()[0].message,
              "failed to legalize operation 'func.func' that was explicitly marked illegal");
    EXPECT_NE(result.error()[0].hint.find(what), std::string::npos) << result.error()[0].hint;
  };
  for (const char* attr : {"1 : i3", "1 : i128", "1 : si8", "vector<4xf32>", "!foo.t",
                           "dense<1> : vector<2xi32>", "\"a\" : i32"})
    refused(write("i32", attr), attr);
  for (const char* type :
       {"i3", "vector<4xf32>", "f128", "!foo.t", "memref<*xf32>", "tensor<4xf32, #foo.bar>"})
    refused(write(type, "1 : i32"), type);
  refused(write("tuple<vector<4xf32>>", "1 : i32"), "vector<4xf32>");
  refused(write("i32", "dense<1> : tensor<2xi3>"), "i3");
  refused(write("i32", "1.0 : f80"), "f80");
  // Struct attributes of StableHLO, and encodings that are not bounds.
  for (const char* attr : {"#stablehlo.channel_handle<handle = 1, type = 2>", "#stablehlo.bounds<3, ?>",
                           "#stablehlo.gather<offset_dims = [1]>"})
    refused(write("i32", attr), attr);
  for (const char* type : {"tensor<4xf32, \"enc\">", "tensor<4xf32, {a = 1 : i64}>"})
    refused(write(type, "1 : i32"), type);
  EXPECT_TRUE(write("tensor<?xf32, #stablehlo.bounds<4>>", "tensor<?xf32, #stablehlo.bounds<4>>"));
}

// Elements of one bit are packed, in vectors too, and with any signedness; jaxlib writes these blobs.
TEST(MlirBytecodeWriterTest, ElementsOfOneBit) {
  const auto written = [](std::string_view elements) {
    const Module m = Parsed("module attributes {x.y = " + std::string(elements) + "} {}");
    const std::string bytes = Written(m, {.vhlo = false});
    auto read = ReadOwned(bytes);
    EXPECT_TRUE(read) << elements;
    if (read) {
      EXPECT_EQ(FirstDifference(m, *read), "") << elements;
    }
    return Hex(bytes);
  };
  // Code 18, the type, and a blob of one byte: all of them, or bits.
  EXPECT_NE(written("dense<true> : vector<5xi1>").find("250103ff"), std::string::npos);
  EXPECT_NE(written("dense<[true, true]> : vector<2xi1>").find("250103ff"), std::string::npos);
  EXPECT_NE(written("dense<[true, false, true]> : vector<3xi1>").find("25010305"), std::string::npos);
  EXPECT_NE(written("dense<1> : tensor<1xui1>").find("250103ff"), std::string::npos);
  EXPECT_NE(written("dense<[-1, 0]> : tensor<2xsi1>").find("25010301"), std::string::npos);
}

// Sub-channel types hold their scales and zero points as elements of their expressed and storage types.
TEST(MlirBytecodeWriterTest, SubChannelTypes) {
  const Module m = Parsed(R"(
    module {
      func.func private @f(tensor<2x4x!quant.uniform<i8:f32:{0:2, 1:2}, {{0.1:3, 0.3}}>>,
                           tensor<2x4x!quant.uniform<u4:f16:{1:2}, {{0.5:15}, {0.5:2}}>>,
                           tensor<4x!quant.uniform<i4:bf16:{0:1}, {0.5:-3, 0.25, 0.25, 0.5}>>)
    })");
  const std::string bytes = Written(m, {.vhlo = false}), hex = Hex(bytes);
  // Code 6, signed, types 1 and 2, -128 to 127, dimensions 0 and 1, blocks of 2 and 2; then two attributes.
  EXPECT_NE(hex.find("0d030305fe03fa03050105050909"), std::string::npos) << hex;
  // Elements: 0.1 and 0.3 as f32, and 3 and 0 as i8; one 0.5 of two; 15 and 2, and -3 in four bits.
  for (std::string_view blob : {"11cdcccc3d9a99993e", "050300", "050038", "050f02", "090d000000"})
    EXPECT_NE(hex.find(blob), std::string::npos) << blob << " " << hex;
  auto read = ReadOwned(bytes);
  ASSERT_TRUE(read) << Render(read.error()[0]);
  EXPECT_EQ(FirstDifference(m, *read), "");
}

// Different texts of one attribute are one in the file; texts that are not an attribute of the dialect stay
// text.
TEST(MlirBytecodeWriterTest, OtherSpellingsOfAttributesKeptAsText) {
  const auto size = [](std::string_view attrs) {
    return Written(Parsed("module attributes {" + std::string(attrs) + "} {}"), {.vhlo = false}).size();
  };
  const size_t one = size("x.a = #sdy.sharding<@m, [{\"x\"}]>, x.b = #sdy.sharding<@m, [{\"x\"}]>");
  EXPECT_EQ(size("x.a = #sdy<sharding< @m,[ {\"x\" } ] >>, x.b = #sdy<sharding< @m,[ {\"x\" } ] >>"), one);
  for (std::string_view other : {"#sdy.sharding<@m, [{\"x\"}>", "#sdy.sharding<@m, [{x}]>", "#sdy.sharding<>",
                                 "#sdy.op_sharding_rule<([a])->([i])>", "#sdy.nothing<1>", "#sdy<\"x\">",
                                 "#sdy.sharding_per_value<[<@m, [{\"x\"}p-1]>]>", "#sdy.mesh<[\"x\"=2], >"}) {
    const std::string text = "module attributes {x.a = " + std::string(other) + "} {}";
    auto parsed = ReadText(text, nullptr);
    if (!parsed) continue;  // brackets do not match
    auto read = ReadOwned(Written(*parsed, {.vhlo = false}));
    ASSERT_TRUE(read) << other << Render(read.error()[0]);
    EXPECT_EQ(FirstDifference(*parsed, *read), "") << other;
  }
}

TEST(MlirBytecodeWriterTest, PrototypesHaveNoArtifact) {
  const Module m = At(Parsed(kUses), 41);
  Module prototype = m;
  prototype.version = Version{40};
  auto bytes = WriteMlirBytecode(prototype);
  ASSERT_FALSE(bytes);
  EXPECT_EQ(bytes.error()[0].code, Code::kBlocked);
}

// As MLIR numbers them: most used first, ties in order of first use. An order by hashes or addresses would
// differ from run to run.
TEST(MlirBytecodeWriterTest, NamesOfOpsAreInOrderOfUse) {
  const Module module = Parsed(R"(
    func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
      %0 = stablehlo.tanh %a : tensor<2xf32>
      %1 = stablehlo.sine %0 : tensor<2xf32>
      %2 = stablehlo.add %0, %1 : tensor<2xf32>
      %3 = stablehlo.cosine %2 : tensor<2xf32>
      %4 = stablehlo.add %3, %1 : tensor<2xf32>
      %5 = stablehlo.cosine %4 : tensor<2xf32>
      %6 = stablehlo.abs %5 : tensor<2xf32>
      return %6 : tensor<2xf32>
    })");
  const auto info = InspectMlirBytecode(Written(module));
  ASSERT_TRUE(info);
  const auto vhlo = std::ranges::find(info->dialects, "vhlo", &MlirBytecodeDialect::name);
  ASSERT_NE(vhlo, info->dialects.end());
  EXPECT_EQ(vhlo->operations, (std::vector<std::string>{"add_v1", "cosine_v2", "func_v1", "tanh_v2",
                                                        "sine_v2", "abs_v1", "return_v1"}));
}

// Returns the message of a program that cannot be written.
std::string Refusal(const Module& module, const MlirBytecodeWriteOptions& options = {}) {
  std::string message;
  OnOwnStack([&] {
    const auto bytes = WriteMlirBytecode(module, options);
    if (!bytes) message = bytes.error()[0].message;
  });
  return message;
}

TEST(MlirBytecodeWriterTest, NothingIsNotAProgram) {
  EXPECT_EQ(Refusal(Module()), "program has no top-level module");
}

// Names are interned in the order in which the file has them; ops keep their attributes in the order of
// names.
TEST(MlirBytecodeReaderTest, AttributesOfOpsAreInOrderOfNames) {
  std::string text =
      "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n  %0 = stablehlo.add %x, %x : tensor<4xf32>\n";
  for (int i = 1; i <= 80; ++i)
    text += fmt::format("  %{} = stablehlo.add %{}, %x {{{}}} : tensor<4xf32>\n", i, i - 1,
                        i <= 50 ? "b.x = 1 : i32, c.y = 2 : i32" : "a.w = 1 : i32, b.x = 2 : i32");
  const Module module = Parsed(text + "  return %80 : tensor<4xf32>\n}\n");
  const auto again = ReadOwned(Written(module));
  ASSERT_TRUE(again) << Render(again.error()[0]);
  const OpId broken = BrokenSignature(*again);
  EXPECT_FALSE(broken) << broken.v;
  EXPECT_EQ(FirstDifference(module, *again), "");
}

TEST(MlirBytecodeWriterTest, NestingHasALimit) {
  const auto arrays = [](int depth) {
    return MakeModule([&](Builder* b) {
      Module& m = b->module();
      AttrId array = m.Array({});
      for (int i = 1; i < depth; ++i) array = m.Array(std::array{array});
      const NamedAttr attr{m.strings.Intern("a.b"), array};
      b->AddOp({.name = m.strings.Intern("x.y"), .discardable_attrs = std::span(&attr, 1)});
    });
  };
  // The op's dictionary is a level, too.
  EXPECT_EQ(Refusal(arrays(1999), {.vhlo = false}), "");
  EXPECT_EQ(Refusal(arrays(2000), {.vhlo = false}),
            "nesting of attributes and types exceeds the limit of 2000");
  const auto tuples = [](int depth) {
    return MakeModule([&](Builder* b) {
      TypeId type = b->module().Type(TypeKind::kF32);
      for (int i = 1; i < depth; ++i) type = b->module().TupleType(std::span(&type, 1));
      b->AddOp({.name = b->module().strings.Intern("x.y"), .results = std::span(&type, 1)});
    });
  };
  EXPECT_EQ(Refusal(tuples(2000), {.vhlo = false}), "");
  EXPECT_EQ(Refusal(tuples(2001), {.vhlo = false}),
            "nesting of attributes and types exceeds the limit of 2000");
  // The module has a region, and each op another in it.
  EXPECT_EQ(Refusal(NestedRegions(1999), {.vhlo = false}), "");
  EXPECT_EQ(Refusal(NestedRegions(2000), {.vhlo = false}), "nesting of regions exceeds the limit of 2000");
}

TEST(MlirBytecodeWriterTest, TextOfATypeHasALimit) {
  const auto holding = [](size_t size) {
    return MakeModule([&](Builder* b) {
      Module& m = b->module();
      const NamedAttr attr{m.strings.Intern("a.b"), m.Opaque("foo", "." + std::string(size, 'x'))};
      b->AddOp({.name = m.strings.Intern("x.y"), .discardable_attrs = std::span(&attr, 1)});
    });
  };
  EXPECT_EQ(Refusal(holding(1 << 20), {.vhlo = false}), "");
  EXPECT_EQ(Refusal(holding(64 << 20), {.vhlo = false}),
            "the text of a type or attribute exceeds the limit of 67108864 bytes");
}

TEST(MlirBytecodeWriterTest, RequiredAttributesMustBeThere) {
  EXPECT_EQ(Refusal(Parsed(R"(
func.func @f() -> tensor<f32> {
  %0 = "stablehlo.iota"() : () -> tensor<f32>
  return %0 : tensor<f32>
})"),
                    {.vhlo = false}),
            "op lacks a required attribute");
}

TEST(MlirBytecodeWriterTest, SizesOfSegmentsAre32BitIntegers) {
  const auto scan = [](std::string_view sizes) {
    return Parsed(fmt::format(R"(
func.func @f(%x: tensor<2x3xf32>, %init: tensor<3xf32>) {{
  %0:2 = "chlo.scan"(%x, %init) <{{dimension = 0 : i64, operandSegmentSizes = {0}, resultSegmentSizes = {0}}}> ({{
  ^bb0(%a: tensor<3xf32>, %carry: tensor<3xf32>):
    stablehlo.return %a, %carry : tensor<3xf32>, tensor<3xf32>
  }}) : (tensor<2x3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>)
  return
}})",
                              sizes));
  };
  const char* const kWrong[] = {"array<i64: 1, 1>", "array<i32: 2>", "array<i32: 1, 1, 0>",
                                "dense<1> : tensor<2xi32>", "1 : i32"};
  // With sizes as an attribute, and as numbers.
  for (const Version writer : {Version{56}, kCurrentVersion}) {
    EXPECT_TRUE(WriteMlirBytecode(scan("array<i32: 1, 1>"), {.vhlo = false, .writer = writer}));
    for (const char* wrong : kWrong)
      EXPECT_EQ(Refusal(scan(wrong), {.vhlo = false, .writer = writer}),
                "attribute 'operandSegmentSizes' of 'chlo.scan' is not an array of 2 32-bit integers")
          << wrong;
  }
}

// bytecode.inc and other_ops.inc say the same of an op.
TEST(MlirBytecodeWriterTest, PropertiesOfOtherOps) {
  size_t compared = 0;
  for (const OpRow& row : OtherRows()) {
    const mlirbc::WireOp* wire = mlirbc::FindWireOp(row.name);
    if (!wire) continue;
    ++compared;
    const OpRevision& shape = RevisionOf(RevisionId{row.first_revision});
    std::set<std::string_view> names;
    wire->ForEach([&](std::string_view name, bool optional, std::string_view filled) {
      names.insert(name);
      const int slot = shape.FindSlot(name);
      ASSERT_GE(slot, 0) << row.name << " has no " << name;
      // A text may state the axes of a mesh as StableHLO does, which Shardy's own bytecode never does.
      const bool may_lack = row.name == "sdy.mesh" && name == "mesh";
      EXPECT_EQ(shape.attrs[size_t(slot)].required(), !optional && !may_lack) << row.name << ' ' << name;
      EXPECT_EQ(shape.attrs[size_t(slot)].filled(), !filled.empty()) << row.name << ' ' << name;
    });
    for (const mlirbc::WireProperty& later : mlirbc::WireProperties())
      if (later.op == row.name) names.insert(later.name);
    for (const Cell& attr : shape.attrs)
      EXPECT_TRUE(names.contains(attr.name)) << row.name << ' ' << attr.name;
    EXPECT_EQ(wire->operand_groups(), row.Has(Trait::kOperandSegments) ? shape.operands.size() : 0)
        << row.name;
  }
  EXPECT_GT(compared, 150u);
}

TEST(MlirBytecodeWriterTest, ASinkThatFails) {
  const auto written = WriteMlirBytecodeTo(Parsed(kUses), {}, [](std::string_view) { return false; });
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error()[0].message, "cannot write the artifact");
  EXPECT_EQ(written.error()[0].code, Code::kIo);
}

// VHLO has no struct attributes: their fields would meet discardable attributes of the same name.
TEST(MlirBytecodeWriterTest, RefusesFieldsAsDiscardableAttributes) {
  size_t refused = 0;
  for (uint16_t r = 1; r < OpRows().size(); ++r) {
    const RowId row{r};
    if (SampleVariants(row, kCurrentVersion).empty()) continue;
    Module m = MakeSample(row, kCurrentVersion);
    const OpId id = FindOp(m, row);
    const RevisionId revision = id ? m.RevisionIdOf(m.ops[id.v]) : RevisionId();
    if (!revision || VhloName(revision).empty()) continue;
    for (const Cell& struct_attr : RevisionOf(revision).struct_attrs)
      for (const FieldRow& field : RowOf(struct_attr.attr_kind()).fields()) {
        if (RevisionOf(revision).FindSlot(field.name) < 0) continue;
        SCOPED_TRACE(SampleName(row, kCurrentVersion, {}) + ", " + std::string(field.name));
        m.SetDiscardableAttrs(id, {{m.strings.Intern(field.name), m.Bool(true)}});
        const auto artifact = WriteMlirBytecode(m);
        ASSERT_FALSE(artifact);
        EXPECT_EQ(artifact.error()[0].code, Code::kBlocked);
        EXPECT_FALSE(WriteText(m, {.spelling = Spelling::kVhlo}));
        EXPECT_FALSE(Blockers(m, kCurrentVersion, {.portable = true}).empty());
        EXPECT_TRUE(Blockers(m, kCurrentVersion).empty());
        EXPECT_TRUE(WriteText(m));
        ++refused;
      }
  }
  EXPECT_GT(refused, 30u);
}

}  // namespace
}  // namespace shlo
