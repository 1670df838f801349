#include "serialize/container/saved_model.h"

#include <gtest/gtest.h>

#include "serialize/container/test_files.h"

namespace shlo::container {
namespace {

using Names = std::vector<std::string>;

TEST(SavedModel, IsReadLikeItsPrograms) {
  const Names programs = {TestProgram(1), TestProgram(2), TestProgram(3)};
  const std::string file = TestSavedModel(programs);
  ASSERT_EQ(DetectFormat(file), Format::kSavedModel);
  const auto list = ListContainedPrograms(file);
  ASSERT_TRUE(list);
  ASSERT_EQ(list->size(), 3u);
  EXPECT_EQ((*list)[0].name, "call_0");
  EXPECT_EQ((*list)[2].name, "inner/call_2");
  for (size_t i = 0; i < 3; ++i) EXPECT_EQ((*list)[i].bytes, programs[i]);
  Diagnostics errors;
  EXPECT_EQ(ReadPrograms({file, nullptr, ""}, {}, &errors).programs.size(), 3u);
  EXPECT_TRUE(errors.empty());
  const auto several = ReadProgram(file, nullptr);
  ASSERT_FALSE(several);
  EXPECT_EQ(several.error()[0].hint, "choose one of: 'call_0', 'inner/call_1', 'inner/call_2'");
  ReadOptions options;
  options.program = "inner/call_1";
  EXPECT_TRUE(ReadProgram(file, nullptr, options));
}

TEST(SavedModel, WithoutProgramsSaysSo) {
  const auto program = ReadProgram(TestSavedModel({}), nullptr);
  ASSERT_FALSE(program);
  EXPECT_EQ(program.error()[0].code, Code::kUnsupported);
}

// Sizes around those at which the length of a message takes another byte.
TEST(SavedModel, OnlyProgramsAndLengthsChange) {
  const Names old = {std::string(100, 'a'), std::string(200, 'b'), std::string(20000, 'c')};
  const std::string file = TestSavedModel(old);
  for (const size_t size : {0, 1, 20, 60, 90, 100, 127, 128, 129, 3000, 16383, 16384, 2100000}) {
    const Names programs = {std::string(size, 'x'), old[1], std::string(size / 2, 'y')};
    const auto written = WriteContainer(file, programs);
    ASSERT_TRUE(written);
    EXPECT_EQ(*written, TestSavedModel(programs)) << size;
  }
  const auto same = WriteContainer(file, old);
  ASSERT_TRUE(same);
  EXPECT_EQ(*same, file);
  EXPECT_FALSE(WriteContainer(file, Names{"one"}));
}

// A SavedModel with one node.
struct CallNode {
  uint64_t version = 9;
  std::string program = TestProgram();
  std::vector<std::string> platforms = {"CPU"}, disabled_checks, dim_args_spec, functions;
  int tokens = -1, shardy = -1;  // -1: the attribute is absent

  std::string Bytes() const {
    const auto entry = [](std::string_view key, const TestMessage& value) {
      return TestMessage().Bytes(1, key).Add(2, value);
    };
    TestMessage node;
    node.Bytes(1, "n").Bytes(102, "unknown").Bytes(2, "XlaCallModule").Bytes(3, "x");
    node.Add(5, entry("version", TestMessage().Number(3, version)));
    const auto strings = [&](std::string_view key, const std::vector<std::string>& items) {
      TestMessage list;
      for (const std::string& item : items) list.Bytes(2, item);
      node.Add(5, entry(key, TestMessage().Add(1, list)));
    };
    strings("platforms", platforms);
    node.Add(5, entry("module", TestMessage().Number(101, 7).Bytes(2, program)));
    if (!disabled_checks.empty()) strings("disabled_checks", disabled_checks);
    if (!dim_args_spec.empty()) strings("dim_args_spec", dim_args_spec);
    TestMessage list;
    for (const std::string& name : functions) list.Add(9, TestMessage().Bytes(1, name));
    node.Add(5, entry("function_list", TestMessage().Add(1, list)));
    if (tokens >= 0) node.Add(5, entry("has_token_input_output", TestMessage().Number(5, uint64_t(tokens))));
    if (shardy >= 0) node.Add(5, entry("use_shardy_partitioner", TestMessage().Number(5, uint64_t(shardy))));
    return TestMessage().Number(1, 1).Add(2, TestMessage().Add(2, TestMessage().Add(1, node))).str();
  }
};

// Returns the file at another version, or the messages that say why not.
std::string Adapted(const std::string& file, const std::string& version) {
  const auto list = ListContainedPrograms(file);
  if (!list) return list.error()[0].message;
  Names programs;
  for (const ContainedProgram& program : *list) programs.emplace_back(program.bytes);
  ContainerWriteOptions options;
  options.container_version = version;
  const auto written = WriteContainer(file, programs, options);
  if (written) return *written;
  std::string all;
  for (const Diagnostic& d : written.error()) all += d.message + "\n";
  return all;
}

// Returns what `inspect` prints of the node, without what it adds.
std::string Properties(const std::string& file) {
  const auto info = InspectContainer(file);
  if (!info || info->programs.empty()) return file;
  std::string text;
  for (const ContainerProperty& property : info->programs[0].second) {
    if (property.name == "calling_convention_adds" || property.name == "read_by_tensorflow") continue;
    text += property.name == "calling_convention_version" ? "" : " " + property.name + ":";
    for (const std::string& value : property.values) text += " " + value;
  }
  return text;
}

std::string ProgramWith(std::string_view argument, const std::string& op) {
  const std::string type(argument);
  return TestArtifact(
      "func.func @main(%x: " + type + ") -> " + type + " {\n  " + op + "\n  return %x : " + type + "\n}\n",
      "1.9.0");
}

std::string WithAssertion() {
  return ProgramWith(
      "tensor<4xi1>",
      "%c = stablehlo.constant dense<true> : tensor<i1>\n  stablehlo.custom_call @shape_assertion(%c) "
      "{has_side_effect = true, error_message = \"no\"} : (tensor<i1>) -> ()");
}

TEST(SavedModel, VersionsOfCallsAreConverted) {
  CallNode node;
  for (const char* version : {"4", "5", "6", "7", "8", "9", "10"}) {
    const std::string there = Adapted(node.Bytes(), version);
    EXPECT_EQ(Properties(there), std::string(" ") + version + " platforms: CPU");
    EXPECT_EQ(Properties(Adapted(there, "9")), " 9 platforms: CPU");
    const auto list = ListContainedPrograms(there);
    ASSERT_TRUE(list) << there;
    EXPECT_EQ((*list)[0].bytes, node.program);
    EXPECT_NE(there.find("unknown"), there.npos);
  }
  // Releases do not load attributes that they do not know, whatever their value.
  node.version = 10;
  node.tokens = node.shardy = 0;
  const std::string nine = Adapted(node.Bytes(), "9");
  for (const char* name : {"use_shardy_partitioner", "has_token_input_output"})
    EXPECT_EQ(nine.find(name), nine.npos) << name;
  EXPECT_NE(nine.find("function_list"), nine.npos);
  EXPECT_EQ(Adapted(node.Bytes(), "5").find("function_list"), std::string::npos);
}

TEST(SavedModel, ReleasesNameTheNearestVersionThatTheyLoad) {
  CallNode node;
  const auto version = [&](uint64_t from, const char* release) {
    node.version = from;
    return Properties(Adapted(node.Bytes(), release));
  };
  EXPECT_EQ(version(10, "2.13"), " 5 platforms: CPU");
  EXPECT_EQ(version(10, "2.15.1"), " 8 platforms: CPU");
  EXPECT_EQ(version(10, "tensorflow==2.17"), " 9 platforms: CPU");
  EXPECT_EQ(version(9, "tensorflow-cpu==2.21.0"), " 9 platforms: CPU");
  EXPECT_EQ(version(4, "2.21"), " 4 platforms: CPU");
  EXPECT_EQ(version(10, "3.0"), " 10 platforms: CPU");
  for (const char* text :
       {"2.12", "0.8.1", "11", "1", "0", "2.x", "2.", "9.", "-9", "2.17beta", "99999999999999999999"})
    EXPECT_EQ(Adapted(node.Bytes(), text),
              std::string("'") + text +
                  "' is neither a version of XlaCallModule nor a release of TensorFlow "
                  "that has it\n");
}

TEST(SavedModel, ChecksOfVersionsKeepTheirMeaning) {
  CallNode node;
  // Before version 6, no platforms are all platforms.
  node.version = 5;
  node.platforms.clear();
  const std::string six = Adapted(node.Bytes(), "6");
  EXPECT_EQ(Properties(six), " 6 platforms: CPU disabled_checks: platform");
  EXPECT_EQ(Properties(Adapted(six, "5")), " 5");
  // Assertions on shapes are checked from version 7 on.
  node = {.version = 6, .program = WithAssertion()};
  EXPECT_EQ(Properties(Adapted(node.Bytes(), "7")), " 7 platforms: CPU disabled_checks: shape_assertions");
  EXPECT_EQ(Properties(Adapted(node.Bytes(), "6")), " 6 platforms: CPU");
  node.disabled_checks = {"shape_assertions"};
  // TensorFlow 2.13 takes them for calls, so that disabled ones go.
  const std::string five = Adapted(node.Bytes(), "5");
  EXPECT_EQ(Properties(five), " 5 platforms: CPU");
  const auto program = ReadProgram(five, nullptr);
  ASSERT_TRUE(program);
  for (uint32_t i = 1; i < program->module.ops.size(); ++i)
    EXPECT_NE(program->module.NameOf(program->module.ops[i]), "stablehlo.custom_call");
}

TEST(SavedModel, DynamicShapesAreRefinedInEveryVersion) {
  CallNode node{.version = 7, .program = ProgramWith("tensor<?xf32>", "")};
  const auto states = [](const std::string& file) {
    const auto program = ReadProgram(file, nullptr);
    bool value = false;
    return program &&
           program->module.AsBool(program->module.AttributeOf(program->module.ops[program->module.top.v],
                                                              "jax.uses_shape_polymorphism"),
                                  &value) &&
           value;
  };
  EXPECT_FALSE(states(Adapted(node.Bytes(), "7")));
  const std::string eight = Adapted(node.Bytes(), "8");
  EXPECT_TRUE(states(eight));
  EXPECT_EQ(Properties(eight), " 8 platforms: CPU");
  EXPECT_TRUE(states(Adapted(eight, "5")));
  node.program = TestProgram();
  EXPECT_FALSE(states(Adapted(node.Bytes(), "8")));
}

TEST(SavedModel, VersionsRefuseWhatTheyCannotHave) {
  const auto refused = [](const CallNode& node, const char* version) {
    std::string text = Adapted(node.Bytes(), version);
    const std::string head = std::string("version ") + version + " of XlaCallModule does not have ";
    for (size_t at; (at = text.find(head)) != text.npos;) text.erase(at, head.size());
    for (size_t at; (at = text.find(", in 'n'\n")) != text.npos;) text.replace(at, 9, ";");
    return text;
  };
  EXPECT_EQ(refused({.version = 10, .shardy = 1}, "9"), "shardings of Shardy;");
  const std::string sdy =
      ProgramWith("tensor<4xf32>", "%y = stablehlo.negate %x {xla.sdy.x = 1 : i32} : tensor<4xf32>");
  EXPECT_EQ(refused({.version = 10, .program = sdy}, "9"), "shardings of Shardy;");
  EXPECT_EQ(refused({.program = WithAssertion()}, "6"), "checked assertions on shapes;");
  EXPECT_EQ(refused({.platforms = {"CPU", "TPU"}, .disabled_checks = {"platform"}}, "5"),
            "several platforms without their check;");
  EXPECT_EQ(refused({.functions = {"f"}}, "5"), "calls of TensorFlow functions;");
  EXPECT_EQ(refused({.version = 8, .dim_args_spec = {"0.0"}}, "9"),
            "arguments for the sizes of dimensions (dim_args_spec);");
  const std::string token = TestArtifact(
      "func.func @main(%t: !stablehlo.token, %x: tensor<f32>) -> tensor<f32> {\n  return %x : "
      "tensor<f32>\n}\n",
      "1.9.0");
  EXPECT_EQ(refused({.program = token}, "8"), "the tokens of ordered effects;");
  EXPECT_EQ(refused({.program = token, .tokens = 1}, "5"), "the tokens of ordered effects;");
  EXPECT_EQ(Properties(Adapted(CallNode{.program = token, .tokens = 1}.Bytes(), "8")),
            " 8 platforms: CPU has_token_input_output: true");
  for (const char* version : {"2", "3"})
    EXPECT_EQ(refused({}, version), "a program format that any release promises to read;");
  EXPECT_EQ(refused({.version = 3, .program = "func.func @main() {\n  return\n}\n"}, "4"),
            "programs other than portable artifacts;");
  EXPECT_EQ(refused({.program = "no program"}, "8"),
            ReadProgram("no program", nullptr).error()[0].message + "\n");
}

TEST(SavedModel, VersionsOfDamagedNodesAreDiagnostics) {
  const std::string file = CallNode{.version = 5, .disabled_checks = {"platform"}, .tokens = 0}.Bytes();
  for (size_t i = 0; i < file.size(); ++i)
    for (const int change : {1, 2, 4, 8, 0x80, 0xFF}) {
      std::string damaged = file;
      damaged[i] = char(damaged[i] ^ change);
      if (DetectFormat(damaged) != Format::kSavedModel) continue;
      for (const char* version : {"4", "9"}) {
        const std::string out = Adapted(damaged, version);
        if (DetectFormat(out) == Format::kSavedModel) {
          EXPECT_TRUE(ListContainedPrograms(out));
        }
      }
    }
}

TEST(SavedModel, DescribesSignaturesAndNodes) {
  const auto info = InspectContainer(TestSavedModel({TestProgram()}));
  ASSERT_TRUE(info);
  ASSERT_EQ(info->signatures.size(), 1u);
  EXPECT_EQ(info->signatures[0].name, "serving_default");
  EXPECT_EQ(TypeText(info->signatures[0].inputs.at(0)), "f32[*]");
  EXPECT_EQ(TypeText(info->signatures[0].outputs.at(0)), "bf16[4]");
  ASSERT_EQ(info->programs.size(), 1u);
  std::string text;
  for (const ContainerProperty& property : info->programs[0].second) {
    text += property.name + ":";
    for (const std::string& value : property.values) text += " " + value;
    text += "\n";
  }
  EXPECT_EQ(text,
            "calling_convention_version: 9\n"
            "calling_convention_adds: ordered effects as tokens; tagged global constants\n"
            "read_by_tensorflow: 2.16 and later\n"
            "platforms: CPU TPU\n"
            "results: f32[4, ?]\n");
}

// Graphs with different tags may have nodes of the same name, which get a number.
TEST(SavedModel, NamesOfNodesAreUnique) {
  const auto entry = [](std::string_view key, const TestMessage& value) {
    return TestMessage().Bytes(1, key).Add(2, value);
  };
  const auto node = [&](std::string_view name, std::string_view program) {
    return TestMessage()
        .Bytes(1, name)
        .Bytes(2, "XlaCallModule")
        .Add(5, entry("module", TestMessage().Bytes(2, program)));
  };
  TestMessage model;
  model.Number(1, 1);
  for (const char* programs : {"ab", "cd", "ef"})
    model.Add(2, TestMessage().Add(2, TestMessage()
                                          .Add(1, node("f", std::string(1, programs[0])))
                                          .Add(1, node(programs, std::string(1, programs[1])))));
  const std::string file = model.str();  // the programs are views of it
  const auto list = ListContainedPrograms(file);
  ASSERT_TRUE(list);
  Names found;
  for (const ContainedProgram& program : *list)
    found.push_back(program.name + " " + std::string(program.bytes));
  EXPECT_EQ(found, (Names{"f a", "ab b", "f#2 c", "cd d", "f#3 e", "ef f"}));
}

TEST(SavedModel, DescribesEveryPropertyOfANode) {
  const auto entry = [](std::string_view key, const TestMessage& value) {
    return TestMessage().Bytes(1, key).Add(2, value);
  };
  TestMessage node, functions, checks;
  for (const char* name : {"f", "g"})
    functions.Add(9, TestMessage().Bytes(1, name).Add(2, entry("x", TestMessage().Number(3, 1))));
  checks.Bytes(2, "platforms");
  node.Bytes(1, "n").Bytes(2, "XlaCallModule").Add(5, entry("module", TestMessage().Bytes(2, "p")));
  node.Add(5, entry("version", TestMessage().Number(3, 10)));
  node.Add(5, entry("function_list", TestMessage().Add(1, functions)));
  node.Add(5, entry("disabled_checks", TestMessage().Add(1, checks)));
  node.Add(5, entry("has_token_input_output", TestMessage().Number(5, 1)));
  node.Add(5, entry("use_shardy_partitioner", TestMessage().Number(5, 1)));
  const auto info = InspectContainer(
      TestMessage().Number(1, 1).Add(2, TestMessage().Add(2, TestMessage().Add(1, node))).str());
  ASSERT_TRUE(info);
  ASSERT_EQ(info->programs.size(), 1u);
  std::string text;
  for (const ContainerProperty& property : info->programs[0].second) {
    if (property.name == "calling_convention_adds") continue;
    text += property.name + ":";
    for (const std::string& value : property.values) text += " " + value;
    text += "\n";
  }
  EXPECT_EQ(text,
            "calling_convention_version: 10\nread_by_tensorflow: 2.20 and later\nfunctions: f "
            "g\ndisabled_checks: platforms\n"
            "has_token_input_output: true\nuse_shardy_partitioner: true\n");
}

TEST(SavedModel, DamageIsADiagnostic) {
  const std::string file = TestSavedModel({TestProgram(1), TestProgram(2)});
  const auto check = [](const std::string& damaged) {
    if (DetectFormat(damaged) != Format::kSavedModel) return;
    const auto list = ListContainedPrograms(damaged);
    if (!list) {
      EXPECT_EQ(list.error().size(), 1u);
      return;
    }
    EXPECT_TRUE(InspectContainer(damaged));
    const Names programs(list->size(), std::string(300, 'n'));
    const auto written = WriteContainer(damaged, programs);
    ASSERT_TRUE(written);
    const auto again = ListContainedPrograms(*written);
    ASSERT_TRUE(again);
    ASSERT_EQ(again->size(), programs.size());
    for (const ContainedProgram& program : *again) EXPECT_EQ(program.bytes, programs[0]);
  };
  for (size_t size = 0; size < file.size(); ++size) check(file.substr(0, size));
  for (size_t i = 0; i < file.size(); ++i) {
    for (const int change : {1, 2, 4, 8, 0x80, 0xFF}) {
      std::string damaged = file;
      damaged[i] = char(damaged[i] ^ change);
      check(damaged);
    }
  }
}

}  // namespace
}  // namespace shlo::container
