#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "base/test_sanitizers.h"
#include "ir/module/sample.h"
#include "serialize/mlirbc/invalid_cases.h"
#include "shlo/compare.h"
#include "shlo/mlirbc_reader.h"
#include "shlo/mlirbc_writer.h"
#include "shlo/print.h"
#include "shlo/text_reader.h"
#include "shlo/text_writer.h"
#include "shlo/verify.h"

namespace shlo {
namespace {

using mlirbc::B;
using mlirbc::InvalidCase;
using mlirbc::InvalidCases;
using mlirbc::kHasOperands;
using mlirbc::kHasProperties;
using mlirbc::kHasResults;
using mlirbc::ReadOwned;
using mlirbc::TestFile;
using mlirbc::V;

std::string Rendered(const Diagnostics& diagnostics) {
  std::string out;
  for (const Diagnostic& d : diagnostics) out += Render(d);
  return out;
}

Module ParsedText(std::string_view text) {
  auto module = ReadText(text, nullptr);
  if (!module) ADD_FAILURE() << Rendered(module.error());
  return module ? std::move(*module) : Module();
}

constexpr std::string_view kProgram = R"(
module {
  func.func @main(%arg0: tensor<2xf32>) -> tensor<2xf32> {
    %0 = stablehlo.constant dense<2.0> : tensor<2xf32>
    %1 = stablehlo.add %arg0, %0 : tensor<2xf32> loc("a.py":3:4)
    return %1 : tensor<2xf32>
  }
})";

TEST(MlirBytecodeReaderTest, APortableArtifact) {
  Diagnostics warnings;
  Source source;
  auto module = ReadOwned(TestFile().Bytes(), {}, &warnings, &source);
  ASSERT_TRUE(module) << Rendered(module.error());
  EXPECT_EQ(Rendered(warnings), "");
  EXPECT_EQ(module->version, Version{62});
  EXPECT_EQ(source.producer, "StableHLO_v1.9.0");
  EXPECT_TRUE(Verify(*module).empty());
  EXPECT_EQ(FirstDifference(*module, ParsedText(kProgram), {.version = false, .defaults = false}), "");
}

// Releases before 1.1.0 wrote the dimension numbers of gather and scatter without batching dimensions, under
// the same codes. Attribute 8 of the op is a dictionary with one of them.
TEST(MlirBytecodeReaderTest, DimensionNumbersOfOlderReleases) {
  const auto text = [](uint64_t code, std::initializer_list<int64_t> numbers) {
    TestFile file;
    std::string bytes = TestFile::V({code});
    // A list is its size and its elements; sizes are not signed.
    for (const int64_t number : numbers)
      bytes += number < 0 ? TestFile::V({uint64_t(-number - 1)}) : TestFile::S(number);
    file.strings.push_back("stablehlo"), file.dialects.push_back({10, false});
    file.attrs.push_back({0, TestFile::V({1, 1, 6, 9})});
    file.attrs.push_back({2, bytes});
    file.ir = TestFile::Ir(TestFile::V({1, 3, 3 << 1 | 1, 1, 1 << 1}) + TestFile::B({0}) + TestFile::V({2}) +
                           TestFile::B({1 | 2 | 64}) + TestFile::V({0, 8, 2, 1, 1}) + TestFile::V({3}) +
                           TestFile::B({6}) + TestFile::V({7, 1, 1, 2, 0, 1}) + TestFile::V({4}) +
                           TestFile::B({4}) + TestFile::V({0, 1, 2}));
    auto module = ReadOwned(file.Bytes());
    if (!module) return Render(module.error()[0]);
    for (uint32_t i = 1; i < module->attrs.size(); ++i)
      if (RowOf(module->attrs.KindOf(AttrId(i))).dialect == "stablehlo") return AttrText(*module, AttrId(i));
    return std::string("none");
  };
  // Below, -1 - n stands for the size n.
  EXPECT_EQ(text(7, {-3, 5, 6, -2, 7, -2, 8, 1}),
            "#stablehlo.gather<offset_dims = [5, 6], collapsed_slice_dims = [7], start_index_map = [8], "
            "index_vector_dim = 1>");
  EXPECT_EQ(text(7, {-1, -1, -2, 3, -2, 4, -2, 5, 1}),
            "#stablehlo.gather<operand_batching_dims = [3], start_indices_batching_dims = [4], "
            "start_index_map = [5], index_vector_dim = 1>");
  EXPECT_EQ(text(11, {-2, 4, -1, -2, 6, 2}),
            "#stablehlo.scatter<update_window_dims = [4], scatter_dims_to_operand_dims = [6], "
            "index_vector_dim = 2>");
  EXPECT_NE(text(7, {-1, -1, -1, 1, 1}).find("error"), std::string::npos);
}

TEST(MlirBytecodeReaderTest, ReleaseInTheProducer) {
  EXPECT_EQ(PortableArtifactVersion(TestFile().Bytes()), "1.9.0");
  TestFile file;
  file.producer = "MLIR";
  EXPECT_EQ(PortableArtifactVersion(file.Bytes()), "");
  EXPECT_EQ(PortableArtifactVersion("func.func @main()"), "");
  Diagnostics warnings;
  auto module = ReadOwned(file.Bytes(), {.source_name = "a.mlirbc"}, &warnings);
  ASSERT_TRUE(module);
  EXPECT_EQ(module->version, kCurrentVersion);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0].place.file, "a.mlirbc");
  EXPECT_EQ(warnings[0].message, "the artifact's producer string states no release");
}

TEST(MlirBytecodeReaderTest, ANewerReleaseIsNamed) {
  TestFile file;
  file.producer = "StableHLO_v9.8.7";
  Diagnostics warnings;
  ASSERT_TRUE(ReadOwned(file.Bytes(), {}, &warnings));
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].message.find("9.8.7"), std::string::npos);
  file.strings[5] = "add_v99";
  auto module = ReadOwned(file.Bytes());
  ASSERT_FALSE(module);
  EXPECT_EQ(module.error()[0].code, Code::kNewerVersion);
  EXPECT_NE(module.error()[0].message.find("vhlo.add_v99"), std::string::npos);
  EXPECT_NE(module.error()[0].hint.find("9.8.7"), std::string::npos);
  // The rest of the file's information is still available.
  auto info = InspectMlirBytecode(file.Bytes());
  ASSERT_TRUE(info);
  EXPECT_EQ(info->producer, "StableHLO_v9.8.7");
  EXPECT_EQ(info->dialects[1].operations[2], "add_v99");
  EXPECT_EQ(info->attributes, 8u);
}

TEST(MlirBytecodeReaderTest, UsesBeforeTheDefinition) {
  TestFile file;
  // add uses the constant that comes after it.
  file.ir =
      TestFile::Ir(TestFile::V({1, 3, 3 << 1 | 1, 1, 1 << 1}) + TestFile::B({0}) + TestFile::V({3}) +
                   TestFile::B({6}) + TestFile::V({7, 1, 1, 2, 0, 2}) + TestFile::V({2}) + TestFile::B({66}) +
                   TestFile::V({0, 2, 1, 1}) + TestFile::V({4}) + TestFile::B({4}) + TestFile::V({0, 1, 1}));
  auto module = ReadOwned(file.Bytes());
  ASSERT_TRUE(module) << Rendered(module.error());
  // The program is invalid, but it is what the file states.
  EXPECT_TRUE(HasErrors(Verify(*module)));
}

TEST(MlirBytecodeReaderTest, EveryRowAtEveryReleaseSurvives) {
  SomeCases cases(5);
  for (uint16_t r = 1; r < OpRows().size(); ++r) {
    // A cast between VHLO and builtin types is not read.
    if (RowId{r} == FindOp("builtin.unrealized_conversion_cast")) continue;
    for (const VersionRow& line : VersionLine()) {
      if (line.release.empty()) continue;
      for (const SampleVariant& variant : SampleVariants(RowId{r}, line.version)) {
        if (!cases.Next()) continue;
        const Module m = MakeSample(RowId{r}, line.version, variant);
        const std::string name = SampleName(RowId{r}, line.version, variant);
        auto bytes = WriteMlirBytecode(m);
        ASSERT_TRUE(bytes) << name << Rendered(bytes.error());
        auto read = ReadMlirBytecode(*bytes, nullptr);
        ASSERT_TRUE(read) << name << Rendered(read.error());
        // The same as its VHLO text.
        auto text = WriteText(m, {.spelling = Spelling::kVhlo, .generic = true, .locations = true});
        ASSERT_TRUE(text);
        TextReadOptions options;
        options.version = m.version;
        auto parsed = ReadText(*text, nullptr, options);
        ASSERT_TRUE(parsed) << name << Rendered(parsed.error());
        ASSERT_EQ(FirstDifference(*read, *parsed, {.version = false, .defaults = false}), "") << name;
        // And the bytes are the same again.
        auto again = WriteMlirBytecode(*read);
        ASSERT_TRUE(again) << name;
        ASSERT_EQ(*again, *bytes) << name;
      }
    }
  }
}

// --- InvalidCases --------------------------------------------------------------------------------

// Written by a release of MLIR that encodes functions, calls, additions and small floats differently from the
// oldest ones: with more properties, and with separate codes.
TEST(MlirBytecodeReaderTest, LayoutsOfNeighbouringDialects) {
  constexpr std::string_view kHex =
      "4d4cef520d4d4c495232332e302e30676974000129090105090d0d010313030707171b05031f07032303270d0b01"
      "0b070b0b0b0b050359010b0f0f1b0707025b1f05130d05090305152361726974682e666173746d6174683c6e6e61"
      "6e3e001b01091b0107050503010301310b047105015001010704610301050350010307044d030b13050501000546"
      "010503010501030946010703010505050b460109030103070704010309060301050100a3170505190b0f0b0f150d"
      "0b116275696c74696e0066756e6300617269746800737461626c65686c6f006d6f64756c650063616c6c00726574"
      "75726e006164646600637573746f6d5f63616c6c006600780008390b0501010d0105010103010901070101051701"
      "110101090101010101";
  std::string bytes;
  for (size_t i = 0; i < kHex.size(); i += 2)
    bytes.push_back(char(std::stoi(std::string(kHex.substr(i, 2)), nullptr, 16)));
  Diagnostics warnings;
  auto module = ReadOwned(bytes, {}, &warnings);
  ASSERT_TRUE(module) << Rendered(module.error());
  const Module expected = ParsedText(R"(
    module {
      func.func @f(%a: tensor<f8E4M3FN>, %b: tensor<f32>) -> tensor<f32> {
        %0 = func.call @f(%a, %b) : (tensor<f8E4M3FN>, tensor<f32>) -> tensor<f32>
        %1 = arith.addf %0, %0 fastmath<nnan> : tensor<f32>
        %2 = stablehlo.custom_call @x(%1) : (tensor<f32>) -> tensor<f32>
        return %2 : tensor<f32>
      }
    })");
  EXPECT_EQ(FirstDifference(*module, expected, {.defaults = false}), "");
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].message.find("without VHLO states no version"), std::string::npos);
}

TEST(MlirBytecodeReaderTest, EveryInvalidCaseHasItsDiagnostic) {
  std::set<std::string> names, said;
  const std::vector<InvalidCase> cases = InvalidCases();
  EXPECT_GE(cases.size(), 200u);
  for (const InvalidCase& invalid : cases) {
    EXPECT_TRUE(names.insert(invalid.name).second) << invalid.name;
    EXPECT_NE(std::string_view(invalid.message), "") << invalid.name;
    TestFile file;
    invalid.make(file);
    const std::string bytes = file.Bytes();
    auto module = ReadMlirBytecode(bytes, nullptr, {.source_name = "invalid.mlirbc"});
    EXPECT_FALSE(module) << invalid.name;
    if (module) continue;
    ASSERT_FALSE(module.error().empty()) << invalid.name;
    const Diagnostic& d = module.error()[0];
    EXPECT_NE(d.message.find(invalid.message), std::string::npos) << invalid.name << ": " << Render(d);
    EXPECT_EQ(d.place.file, "invalid.mlirbc") << invalid.name;
    EXPECT_NE(d.place.offset, Place::kNone) << invalid.name;
    EXPECT_LE(d.place.offset, bytes.size()) << invalid.name << ": " << Render(d);
    // No other invalid case has the same message at the same place.
    EXPECT_TRUE(said.insert(Render(d)).second) << invalid.name << ": " << Render(d);
  }
}

TEST(MlirBytecodeReaderTest, TruncatedAnywhere) {
  const std::string bytes = TestFile().Bytes();
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(ReadMlirBytecode(std::string_view(bytes).substr(0, size), nullptr)) << size;
  }
}

TEST(MlirBytecodeReaderTest, EveryByteDamaged) {
  const std::string bytes = TestFile().Bytes();
  for (size_t at = 0; at < bytes.size(); ++at)
    for (int change : {0x01, 0x80, 0xFF, 0x10}) {
      std::string damaged = bytes;
      damaged[at] = char(damaged[at] ^ change);
      (void)InspectMlirBytecode(damaged);
      if (auto module = ReadMlirBytecode(damaged, nullptr)) {
        (void)Verify(*module);
        (void)WriteMlirBytecode(*module);
      }
    }
}

// The fast path for most ops needs some bytes after the op; near the end of the file the slow path reads it.
TEST(MlirBytecodeReaderTest, TheShortWayReadsWhatTheLongOneReads) {
  TestFile file;
  const std::string add = V({3}) + B({kHasResults | kHasOperands});
  file.ir = TestFile::Ir(V({1, 5}) + V({5 << 1 | 1, 1, 1 << 1}) + B({0}) +               // as Body()
                         V({2}) + B({kHasProperties | kHasResults}) + V({0, 2, 1, 1}) +  // constant
                         add + V({7, 1, 1, 2, 0, 1}) + add + V({7, 1, 1, 2, 2, 1}) +     // two additions
                         V({2}) + B({kHasProperties | kHasResults}) + V({0, 2, 1, 1}) +  // constant
                         V({4}) + B({kHasOperands}) + V({0, 1, 3}));                     // return
  const std::string near = file.Bytes();
  file.strings.push_back(std::string(400, 'x'));
  const std::string far = file.Bytes();
  const size_t begin = near.find(file.ir);
  ASSERT_EQ(begin, far.find(file.ir));
  int read = 0;
  for (size_t at = begin; at < begin + file.ir.size(); ++at)
    for (int value = 0; value < 256; ++value) {
      std::string short_way = far, long_way = near;
      short_way[at] = long_way[at] = char(value);
      const auto a = ReadOwned(short_way), b = ReadOwned(long_way);
      ASSERT_EQ(bool(a), bool(b)) << at << ": " << value;
      if (a)
        ASSERT_EQ(FirstDifference(*a, *b, {}), "") << at << ": " << value;
      else
        ASSERT_EQ(Render(a.error()[0]), Render(b.error()[0])) << at << ": " << value;
      read += bool(a);
    }
  EXPECT_GT(read, int(file.ir.size()));  // at least where nothing was changed
}

TEST(MlirBytecodeReaderTest, QuantizedTypesThatAreKeptAsText) {
  const std::string half = TestFile::S(int64_t(0x3FE0000000000000));
  const std::pair<std::string, std::string> cases[] = {
      {V({1, 1, 3}) + TestFile::S(-128) + TestFile::S(127), "!quant.any<i8>"},
      {V({1, 0, 3}) + TestFile::S(0) + TestFile::S(9), "!quant.any<u8<0:9>>"},
      {V({2, 1, 3, 4}) + TestFile::S(-8) + TestFile::S(7), "!quant.any<i8<-8:7>:f32>"},
      {V({3, 4}) + TestFile::S(0) + half,
       "!quant.calibrated<f32<0.0000000000000000e+00:5.0000000000000000e-01>>"},
  };
  for (const auto& [bytes, text] : cases) {
    TestFile file;
    file.strings.push_back("quant");
    file.dialects.push_back({10, false});
    file.types.push_back({0, V({0, 8 << 2})});
    file.types.push_back({0, V({5})});
    file.types.push_back({2, bytes});
    // The type of @main is rewritten, with the new type as one more input.
    file.types[2].bytes = V({8, 2, 1, 5, 1, 1});
    file.ir = TestFile::Ir(V({1, 4}) + V({3 << 1 | 1, 2, 1 << 1, 5 << 1}) + B({0}) +       // as Body()
                           V({2}) + B({kHasProperties | kHasResults}) + V({0, 2, 1, 1}) +  // constant
                           V({3}) + B({kHasResults | kHasOperands}) + V({7, 1, 1, 2, 0, 2}) + V({4}) +
                           B({kHasOperands}) + V({0, 1, 3}));
    auto module = ReadOwned(file.Bytes());
    ASSERT_TRUE(module) << Render(module.error()[0]);
    const auto printed = WriteText(*module);
    ASSERT_TRUE(printed);
    EXPECT_NE(printed->find("%arg1: " + text), std::string::npos) << *printed;
  }
}

TEST(MlirBytecodeReaderTest, NestingHasALimit) {
  TestFile file;
  // Arrays in arrays: attribute i holds attribute i + 1.
  const size_t first = file.attrs.size();
  for (uint64_t i = 0; i < 5000; ++i) file.attrs.push_back({1, V({1, 1, first + i + 1})});
  file.attrs.push_back({1, V({1, 0})});
  file.attrs[1].bytes = V({1, 1, first});
  auto module = ReadOwned(file.Bytes());
  ASSERT_FALSE(module);
  EXPECT_EQ(module.error()[0].code, Code::kLimit);
}

}  // namespace
}  // namespace shlo
