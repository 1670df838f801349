#include "serialize/mlirbc_reader.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <set>

#include "ir/compare.h"
#include "ir/verify.h"
#include "ir/witness.h"
#include "serialize/mlirbc_test_file.h"
#include "serialize/mlirbc_writer.h"
#include "serialize/text_reader.h"
#include "serialize/text_writer.h"

namespace shlo {
namespace {

// Reads bytes that live as long as the module does: constants are views into them.
Result<Module> ReadOwned(std::string bytes, const MlirBytecodeReadOptions& options = {},
                         Diagnostics* warnings = nullptr) {
  auto owner = std::make_shared<std::string>(std::move(bytes));
  return ReadMlirBytecode(*owner, owner, options, warnings);
}

using mlirbc::TestFile;

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
  auto module = ReadOwned(TestFile().Bytes(), {}, &warnings);
  ASSERT_TRUE(module) << Rendered(module.error());
  EXPECT_EQ(Rendered(warnings), "");
  EXPECT_EQ(module->version, Version{62});
  EXPECT_EQ(module->producer, "StableHLO_v1.9.0");
  EXPECT_TRUE(Verify(*module).empty());
  EXPECT_EQ(FirstDifference(*module, ParsedText(kProgram), {.version = false, .defaults = false}), "");
}

TEST(MlirBytecodeReaderTest, ReleaseInTheProducer) {
  EXPECT_EQ(PortableArtifactVersion(TestFile().Bytes()), "1.9.0");
  TestFile file;
  file.producer = "MLIR";
  EXPECT_EQ(PortableArtifactVersion(file.Bytes()), "");
  EXPECT_EQ(PortableArtifactVersion("func.func @main()"), "");
  Diagnostics warnings;
  auto module = ReadOwned(file.Bytes(), {}, &warnings);
  ASSERT_TRUE(module);
  EXPECT_EQ(module->version, kCurrentVersion);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0].message, "the producer of this portable program states no release");
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
  // What the file says besides is still there.
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
  // As a program it is wrong, but it is what the file says.
  EXPECT_TRUE(HasErrors(Verify(*module)));
}

TEST(MlirBytecodeReaderTest, EveryRowAtEveryReleaseSurvives) {
  for (uint16_t r = 1; r < OpRows().size(); ++r) {
    // A cast that changes nothing but the spelling is not read.
    if (RowId{r} == OpNamed("builtin.unrealized_conversion_cast")) continue;
    for (const VersionRow& line : VersionLine()) {
      if (line.release.empty()) continue;
      for (const WitnessVariant& variant : WitnessVariants(RowId{r}, line.version)) {
        const Module m = MakeWitness(RowId{r}, line.version, variant);
        const std::string name = WitnessName(RowId{r}, line.version, variant);
        auto bytes = WriteMlirBytecode(m);
        ASSERT_TRUE(bytes) << name << Rendered(bytes.error());
        auto read = ReadMlirBytecode(*bytes, nullptr);
        ASSERT_TRUE(read) << name << Rendered(read.error());
        // The same as its portable text.
        auto text = WriteText(m, {.spelling = Spelling::kPortable, .generic = true, .locations = true});
        ASSERT_TRUE(text);
        TextReadOptions options;
        options.version = m.version;
        auto parsed = ReadText(*text, nullptr, options);
        ASSERT_TRUE(parsed) << name << Rendered(parsed.error());
        ASSERT_EQ(FirstDifference(*read, *parsed, {.version = false}), "") << name;
        // And the bytes are the same again.
        auto again = WriteMlirBytecode(*read);
        ASSERT_TRUE(again) << name;
        ASSERT_EQ(*again, *bytes) << name;
      }
    }
  }
}

// --- Lies
// ----------------------------------------------------------------------------------------------------

struct Lie {
  const char* name;
  std::function<void(TestFile&)> tell;
  const char* message;  // part of the diagnostic
};

std::string V(std::initializer_list<uint64_t> values) { return TestFile::V(values); }
std::string B(std::initializer_list<int> bytes) { return TestFile::B(bytes); }

std::vector<Lie> Lies() {
  using F = TestFile;
  using namespace mlirbc;
  const auto body = [](const std::string& bytes) { return [=](F& f) { f.ir = F::Ir(bytes); }; };
  const auto attr = [](size_t i, const std::string& bytes) {
    return [=](F& f) { f.attrs[i].bytes = bytes; };
  };
  const auto type = [](size_t i, const std::string& bytes) {
    return [=](F& f) { f.types[i].bytes = bytes; };
  };
  const auto append = [](int section, const std::string& bytes) {
    return [=](F& f) { f.appended.push_back({section, bytes}); };
  };
  const auto replace = [](int section, const std::string& bytes) {
    return [=](F& f) { f.replaced.push_back({section, bytes}); };
  };
  const auto drop = [](int section) { return [=](F& f) { std::erase(f.order, section); }; };
  const std::string huge = B({0, 255, 255, 255, 255, 255, 255, 255, 127});
  const std::string args = V({1 << 1, 1});
  return {
      {"magic", [](F& f) { f.magic = "ML\xEFS"; }, "magic bytes"},
      {"format 7", [](F& f) { f.format = 7; }, "format is 7"},
      {"format huge", [](F& f) { f.format = ~0ull; }, "newest known"},
      {"no sections", [](F& f) { f.order.clear(); }, "'strings' is missing"},
      {"no strings", drop(kStringSection), "'strings' is missing"},
      {"no dialects", drop(kDialectSection), "'dialects' is missing"},
      {"no attributes", drop(kNodeSection), "'attributes and types' is missing"},
      {"no offsets", drop(kNodeOffsetSection), "'offsets of attributes and types' is missing"},
      {"no operations", drop(kIrSection), "'operations' is missing"},
      {"no properties", drop(kPropertySection), "'properties' is missing"},
      {"resources without offsets", drop(kResourceOffsetSection), "one is there without the other"},
      {"offsets without resources", drop(kResourceSection), "one is there without the other"},
      {"properties before format 5", [](F& f) { f.format = 4; }, "format 4 has no section"},
      {"a section twice", [](F& f) { f.order.push_back(kIrSection); }, "'operations' is there twice"},
      {"section 9", [](F& f) { f.order.push_back(9); }, "there is no section 9"},
      {"section 127", [](F& f) { f.order.push_back(127); }, "there is no section 127"},
      {"half a section", [](F& f) { f.after = B({0}); }, "end where a number is needed"},
      {"a section past the end", [](F& f) { f.order.pop_back(), f.after = B({8}) + V({1000}); },
       "has 1000 bytes"},
      {"a section of all bytes", [huge](F& f) { f.order.pop_back(), f.after = B({8}) + huge; }, "are left"},
      {"half a number",
       [](F& f) {
         f.after = B({8, 2});
       },
       "end inside a number"},
      {"alignment 3",
       [](F& f) {
         f.order.pop_back(), f.after = B({0x88}) + V({0, 3});
       },
       "no power of two"},
      {"alignment 0",
       [](F& f) {
         f.order.pop_back(), f.after = B({0x88}) + V({0, 0});
       },
       "no power of two"},
      {"alignment 2^40",
       [](F& f) {
         f.order.pop_back(), f.after = B({0x88}) + V({0, 1ull << 40});
       },
       "no power of two, or too large"},
      {"padding of another kind",
       [](F& f) {
         f.order.pop_back(), f.after = B({0x88}) + V({0, 1 << 20}) + std::string(16, '\1');
       },
       "padding before aligned bytes"},
      {"padding past the end",
       [](F& f) {
         f.order.pop_back(), f.after = B({0x88}) + V({0, 1 << 30});
       },
       "end where one more is needed"},

      {"strings: a count of all", replace(kStringSection, huge), "count is larger"},
      {"strings: one too many", [](F& f) { f.stated_strings = 11; }, "string"},
      {"strings: one too few", [](F& f) { f.stated_strings = 9; }, "strings"},
      {"strings: none", replace(kStringSection, V({0})), "is string 0: there are 0"},
      {"strings: no NUL", replace(kStringSection, V({2, 2, 2}) + "abc" + B({0})), "does not end in NUL"},
      {"strings: size 0", replace(kStringSection, V({1, 0}) + "abc"), "string 0 has 0 bytes"},
      {"strings: size past the start", replace(kStringSection, V({1, 50}) + "abc"), "string 0 has 50 bytes"},
      {"strings: more bytes", append(kStringSection, "x"), "string"},

      {"dialects: a count of all", replace(kDialectSection, huge), "count is larger"},
      {"dialects: name past the strings", [](F& f) { f.dialects[1].first = 10; }, "a dialect is string 10"},
      {"dialects: version elsewhere", replace(kDialectSection, V({1, 1}) + TestFile::Section(0, "x")),
       "section of another kind"},
      {"dialects: name of an op past the strings", [](F& f) { f.names[1].string = 77; },
       "an op is string 77"},
      {"dialects: an op of no dialect", [](F& f) { f.names[1].dialect = 2; }, "no dialect 2"},
      {"dialects: too few names", [](F& f) { f.stated_names = 9; }, "states 9 names of ops and has 5"},
      {"dialects: too many names", [](F& f) { f.stated_names = 1; }, "states 1 names of ops and has 5"},
      {"dialects: a run of all", append(kDialectSection, V({0}) + huge), "count is larger"},
      {"an unknown portable op", [](F& f) { f.strings[5] = "add_v7"; },
       "unregistered operation 'vhlo.add_v7'"},
      {"an unknown op", [](F& f) { f.strings[1] = "stablehlo", f.strings[5] = "plus"; },
       "unregistered operation 'stablehlo."},

      {"offsets: a count of all", replace(kNodeOffsetSection, huge), "count is larger"},
      {"offsets: too many attributes", [](F& f) { f.stated_attrs = 60; }, "count is larger"},
      {"offsets: one attribute more", [](F& f) { f.stated_attrs = 9; }, ""},
      {"offsets: one type less", [](F& f) { f.stated_types = 2; }, "more after the last type"},
      {"offsets: a run of none", replace(kNodeOffsetSection, V({1, 1, 0, 0, 0, 0, 0, 0})),
       "a run of attributes holds 0"},
      {"offsets: a long run", replace(kNodeOffsetSection, V({1, 1, 0, 5, 2, 2, 2, 2, 2})),
       "a run of attributes holds 5"},
      {"offsets: no dialect", [](F& f) { f.attrs[3].dialect = 5; }, "no dialect 5"},
      {"offsets: size past the end", [](F& f) { f.attrs[0].stated_size = 1000; }, "has 1000 bytes"},
      {"offsets: size overflows", [](F& f) { f.attrs[0].stated_size = INT64_MAX >> 1; }, "are left"},
      {"offsets: bytes left over", append(kNodeSection, "x"), "attributes and types take"},

      {"attribute: nothing", [](F& f) { f.attrs[3].stated_size = 0, f.attrs[3].bytes = ""; },
       "end where a number is needed"},
      {"attribute: unknown code", attr(3, V({63, 6})), "no attribute with the code 63"},
      {"attribute: code past all", attr(3, huge), "no attribute with the code"},
      {"attribute: longer than it is", attr(3, V({14, 6, 0})), "longer than what it holds"},
      {"attribute: string past the end", attr(3, V({14, 99})), "no string 99"},
      {"attribute: refers to itself", attr(1, V({1, 1, 1})), "refers to itself"},
      {"attribute: a cycle",
       [](F& f) {
         f.attrs[1].bytes = V({1, 1, 4}), f.attrs[4].bytes = V({1, 1, 1});
       },
       "refers to itself"},
      {"attribute: refers past the end", attr(1, V({1, 1, 50})), "no attribute 50"},
      {"attribute: list of all", attr(1, V({1}) + huge), "count is larger"},
      {"attribute: a type past the end", attr(2, V({17, 3})), "no type 3"},
      {"attribute: boolean 2", attr(1, V({2, 2})), "neither 0 nor 1"},
      {"attribute: no case", attr(1, V({3, 6})), "no case of comparison_direction"},
      {"attribute: float of a tensor", attr(1, V({8, 1, 0})), "a float has a type that is none"},
      {"attribute: integer of a float", attr(1, V({9, 0, 0})), "an integer has a type that is none"},
      {"attribute: dictionary without a string", attr(1, V({6, 1, 2, 2})), "a name is an attribute"},
      {"attribute: dictionary with a key twice", attr(1, V({6, 2, 3, 3, 3, 3})), "a key twice"},
      {"attribute: accuracy without a mode", attr(1, V({20, 0, 0, 0, 3})), "mode of an accuracy"},
      {"attribute: part of an axis", attr(1, V({22, 3, 2})), "neither there nor absent"},
      {"attribute: axis of something", attr(1, V({22, 3, 1, 3})), "part of an axis is something else"},
      {"attribute: list that is none", attr(1, V({23, 3, 3})), "attribute of another kind"},
      {"attribute: optional bit", attr(1, V({25, 4, 2})), ""},
      {"elements: blob past the end", attr(5, V({15, 1, 100})), "past the end of the section"},
      {"elements: wrong size", attr(5, V({15, 1, 3}) + "abc"), "2 elements of 4 bytes are stored in 3 bytes"},
      {"elements: no tensor", attr(5, V({15, 0, 4}) + "abcd"), "a type that is no tensor"},
      {"elements: dynamic",
       [](F& f) {
         f.types[1].bytes = V({20, 1}) + F::S(INT64_MIN) + V({0});
       },
       "without a static shape"},
      {"elements: of tokens", [](F& f) { f.types[0].bytes = V({22}); }, "cannot be stored"},
      {"location: file without a name", attr(7, V({11, 0, 3, 4})), "a name is an attribute of another kind"},
      {"location: huge line", attr(7, V({11, 6, 1ull << 40, 4})), "line or column is too large"},
      {"location: of nothing", attr(7, V({10, 6, 6})), "call site is no location"},
      {"location: fused of strings", attr(7, V({12, 1, 6})), "part of a location is no location"},
      {"location: five numbers", attr(7, V({22, 6, 5, 1, 1, 1, 1, 1})), "more than two lines"},
      {"text: no NUL",
       [](F& f) {
         f.attrs[7] = {0, "loc(unknown)", false};
       },
       "does not end in NUL"},
      {"text: nothing",
       [](F& f) {
         f.attrs[7] = {0, "", false};
       },
       "does not end in NUL"},
      {"text: no attribute",
       [](F& f) {
         f.attrs[1] = {0, std::string("][\0", 3), false};
       },
       "cannot be read"},
      {"text: two attributes",
       [](F& f) {
         f.attrs[1] = {0, std::string("1 2\0", 4), false};
       },
       "cannot be read"},
      {"text: no type",
       [](F& f) {
         f.types[1] = {0, std::string("tensor<\0", 8), false};
       },
       "cannot be read"},
      {"resource: none there", attr(1, V({16, 1, 0})), ""},

      {"type: unknown code", type(0, V({43})), "no type with the code 43"},
      {"type: longer than it is", type(0, V({4, 0})), "longer than what it holds"},
      {"type: refers to itself", type(1, V({23, 1, 1})), "refers to itself"},
      {"type: refers past the end", type(1, V({25, 3})), "no type 3"},
      {"type: negative dimension", type(1, V({20, 1}) + F::S(-5) + V({0})), "dimension is negative"},
      {"type: all dimensions", type(1, V({20}) + huge), "count is larger"},
      {"type: width 0",
       [](F& f) {
         f.types[0] = {0, V({0, 0})};
       },
       "no such width"},
      {"type: signedness 3",
       [](F& f) {
         f.types[0] = {0, V({0, 32 << 2 | 3})};
       },
       "no such width"},

      {"ops: nothing", [](F& f) { f.ir = ""; }, "end where a number is needed"},
      {"ops: two at the top", [](F& f) { f.ir = V({2 << 1}); }, "the top of a program"},
      {"ops: more after the last", [](F& f) { f.ir += "x"; }, "more after the last op"},
      {"ops: no name", body(V({1, 0, 1 << 1, 9})), "no name of an op 9"},
      {"ops: unknown parts", body(V({1, 0, 1 << 1, 4}) + B({128}) + V({0})), "parts of an unknown kind"},
      {"ops: no location", body(V({1, 0, 1 << 1, 4}) + B({0}) + V({99})), "no attribute 99"},
      {"ops: location that is none", body(V({1, 0, 1 << 1, 4}) + B({0}) + V({3})),
       "location is an attribute"},
      {"ops: attributes past the end", body(V({1, 0, 1 << 1, 4}) + B({1}) + V({0, 99})), "no attribute 99"},
      {"ops: attributes that are none", body(V({1, 0, 1 << 1, 4}) + B({1}) + V({0, 3})), "no dictionary"},
      {"ops: properties past the end", body(V({1, 1, 1 << 1, 2}) + B({66}) + V({0, 9, 1, 1})),
       "no properties 9"},
      {"ops: results of all", body(V({1, 0, 1 << 1, 4}) + B({2}) + V({0}) + huge), "count is larger"},
      {"ops: result of no type", body(V({1, 1, 1 << 1, 3}) + B({2}) + V({0, 1, 9})), "no type 9"},
      {"ops: more results than values", body(V({1, 0, 1 << 1, 3}) + B({2}) + V({0, 1, 1})),
       "states 0 values and defines more"},
      {"ops: fewer results than values", body(V({1, 2, 1 << 1, 3}) + B({2}) + V({0, 1, 1})),
       "states 2 values and defines 1"},
      {"ops: operand past the end", body(V({1, 1, 1 << 1, 3}) + B({6}) + V({0, 1, 1, 1, 7})), "no value 7"},
      {"ops: operands of all", body(V({1, 0, 1 << 1, 4}) + B({4}) + V({0}) + huge), "count is larger"},
      {"ops: successor past the end", body(V({1, 0, 1 << 1, 4}) + B({8}) + V({0, 1, 3})), "no block 3"},
      {"ops: no regions", body(V({1, 0, 1 << 1, 4}) + B({16}) + V({0, 0})), "has 0 regions"},
      {"ops: all regions", body(V({1, 0, 1 << 1, 4}) + B({16}) + V({0, 1ull << 50})), "regions, and"},
      {"ops: regions in another section",
       body(V({1, 0, 1 << 1, 1}) + B({16}) + V({0, 1 << 1 | 1}) + TestFile::Section(0, V({0}))),
       "section of another kind"},
      {"ops: regions of another length",
       body(V({1, 0, 1 << 1, 1}) + B({16}) + V({0, 1 << 1 | 1}) + TestFile::Section(4, V({0, 0}))),
       "more after the last region"},
      {"regions: all blocks", body(V({1ull << 40})), "count is larger"},
      {"regions: all values", body(V({1, 1ull << 40})), "count is larger"},
      {"blocks: all ops", body(V({1, 0, 1ull << 50})), "a block has"},
      {"blocks: all arguments", body(V({1, 0, 1}) + huge), "count is larger"},
      {"blocks: argument of no type", body(V({1, 1, 1, 1, 9 << 1})), "no type 9"},
      {"blocks: more arguments than values", body(V({1, 0, 1, 1, 0})), "states 0 values and defines more"},
      {"blocks: unknown parts", body(V({1, 1, 1, 1, 1 << 1}) + B({1})), "a block has parts"},
      {"uses: no permutation", body(V({1, 1, 1, 1, 1 << 1}) + B({32}) + V({2 << 1, 1, 1})), "no permutation"},
      {"uses: past the end", body(V({1, 1, 1, 1, 1 << 1}) + B({32}) + V({2 << 1, 5, 1})), "no permutation"},
      {"uses: half a pair", body(V({1, 1, 1, 1, 1 << 1}) + B({32}) + V({3 << 1 | 1, 0, 1, 2})),
       "half a pair"},
      {"uses: all", body(V({1, 1, 1, 1, 1 << 1}) + B({32}) + V({1ull << 50})), "count is larger"},
      {"uses: of more values than there are",
       body(V({1, 2, 1, 2, 1 << 1, 1 << 1}) + B({32}) + V({3, 0, 0, 0, 0, 0})),
       "more values have ordered uses"},

      {"properties: a count of all", replace(kPropertySection, huge), "count is larger"},
      {"properties: one too many", [](F& f) { f.stated_properties = 4; }, ""},
      {"properties: more bytes", append(kPropertySection, "x"), "more after the last properties"},
      {"properties: too short",
       [](F& f) {
         f.properties[1] = V({1, 2});
       },
       "end where a number is needed"},
      {"properties: too long",
       [](F& f) {
         f.properties[2] = V({5, 0});
       },
       "longer than what they hold"},
      {"properties: attribute past the end", [](F& f) { f.properties[2] = V({50}); }, "no attribute 50"},
      {"properties: half absent",
       [](F& f) {
         f.properties[0] = V({2, 0});
       },
       "neither there nor absent"},

      {"resources: no kind", replace(kResourceOffsetSection, V({0, 0, 1, 6, 0}) + B({9})), "of kind 9"},
      {"resources: past the end", replace(kResourceOffsetSection, V({0, 0, 1, 6, 9}) + B({0})),
       "has 9 bytes"},
      {"resources: no key", replace(kResourceOffsetSection, V({0, 0, 1, 99, 0}) + B({0})), "no string 99"},
      {"resources: a count of all", replace(kResourceOffsetSection, V({0, 0}) + huge), "count is larger"},
      {"resources: no dialect", replace(kResourceOffsetSection, V({0, 7, 0})), "no dialect 7"},
      {"resources: all groups", replace(kResourceOffsetSection, huge), "count is larger"},
      {"resources: bytes left over", append(kResourceSection, "x"), "more after the last resource"},
      {"a version that has it not",
       [](F& f) { f.strings[5] = "exponential_v2", f.producer = "StableHLO_v1.0.0"; },
       "does not exist at 1.0.0"},
  };
}

TEST(MlirBytecodeReaderTest, EveryLieHasItsDiagnostic) {
  std::set<std::string> names;
  for (const Lie& lie : Lies()) {
    EXPECT_TRUE(names.insert(lie.name).second) << lie.name;
    TestFile file;
    lie.tell(file);
    const std::string bytes = file.Bytes();
    auto module = ReadMlirBytecode(bytes, nullptr, {.source_name = "lie.mlirbc"});
    ASSERT_FALSE(module) << lie.name;
    ASSERT_FALSE(module.error().empty()) << lie.name;
    const Diagnostic& d = module.error()[0];
    EXPECT_NE(d.message.find(lie.message), std::string::npos) << lie.name << ": " << Render(d);
    EXPECT_EQ(d.place.file, "lie.mlirbc") << lie.name;
    EXPECT_NE(d.place.offset, Place::kNone) << lie.name;
    EXPECT_LE(d.place.offset, bytes.size()) << lie.name << ": " << Render(d);
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
