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
  EXPECT_EQ(ReadPrograms(file, nullptr, {}, &errors).size(), 3u);
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

TEST(SavedModel, HasNoVersionToConvert) {
  ContainerWriteOptions options;
  options.container_version = "0.8.1";
  const auto refused = WriteContainer(TestSavedModel({"a"}), Names{"a"}, options);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error()[0].code, Code::kUsage);
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
            "calling_convention_version: 10\nfunctions: f g\ndisabled_checks: platforms\n"
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
