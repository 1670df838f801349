#include "serialize/container/jax_export.h"

#include <gtest/gtest.h>

#include "serialize/container/hlo_sharding.h"
#include "serialize/container/jax_releases.h"
#include "serialize/container/test_files.h"

namespace shlo::container {
namespace {

using Names = std::vector<std::string>;

FlatTable TreeOf(const std::string& file) {
  bool unknown = false;
  const auto* root = flatbuffers::GetRoot<flatbuffers::Table>(file.data());
  return ReadFlatTable(root, jax_export::ExportedTypeTable(), &unknown);
}

// Compares files field by field, without their programs. Absent and empty are different.
void ExpectSame(const FlatTable& a, const FlatTable& b) {
  ASSERT_EQ(a.fields.size(), b.fields.size());
  for (size_t i = 0; i < a.fields.size(); ++i) {
    const FlatField &x = a.fields[i], &y = b.fields[i];
    ASSERT_EQ(x.slot, y.slot);
    EXPECT_EQ(x.strings, y.strings);
    if (a.type == jax_export::ExportedTypeTable() && x.slot == Jax::VT_PROGRAM) continue;
    EXPECT_EQ(x.bytes, y.bytes) << "slot " << x.slot;
    ASSERT_EQ(x.tables.size(), y.tables.size());
    for (size_t j = 0; j < x.tables.size(); ++j) ExpectSame(x.tables[j], y.tables[j]);
  }
}

Names ProgramsOf(const std::string& file) {
  Names programs;
  auto list = ListContainedPrograms(file);
  if (list)
    for (const ContainedProgram& program : *list) programs.emplace_back(program.bytes);
  return programs;
}

std::string FirstMessage(const Diagnostics& diagnostics) {
  return diagnostics.empty() ? "" : diagnostics[0].message;
}

TEST(JaxExport, IsReadLikeItsProgram) {
  TestExport test;
  test.programs = {TestProgram(1), TestProgram(2), TestProgram(3)};
  const std::string file = test.Bytes();
  ASSERT_EQ(DetectFormat(file), Format::kJaxExport);
  const auto list = ListContainedPrograms(file);
  ASSERT_TRUE(list);
  ASSERT_EQ(list->size(), 3u);
  EXPECT_EQ((*list)[1].name, "f_vjp");
  EXPECT_EQ((*list)[2].name, "f_vjp_vjp");
  EXPECT_EQ((*list)[2].bytes, test.programs[2]);
  Diagnostics errors;
  EXPECT_EQ(ReadPrograms({file, nullptr, ""}, {}, &errors).programs.size(), 3u);
  EXPECT_TRUE(errors.empty());
  auto main = ReadProgram(file, nullptr);
  ASSERT_TRUE(main);
  EXPECT_EQ(main->name, "f");
  ReadOptions options;
  options.program = "f_vjp";
  auto gradient = ReadProgram(file, nullptr, options);
  ASSERT_TRUE(gradient);
  EXPECT_EQ(gradient->module.ops.size(), main->module.ops.size() + 1);
  options.program = "g";
  const auto none = ReadProgram(file, nullptr, options);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error()[0].hint, "choose one of: 'f', 'f_vjp', 'f_vjp_vjp'");
}

TEST(JaxExport, IsReadFromAnyAddress) {
  const std::string file = "x" + TestExport().Bytes();
  const auto list = ListContainedPrograms(std::string_view(file).substr(1));
  ASSERT_TRUE(list);
  EXPECT_EQ((*list)[0].bytes, TestProgram());
  EXPECT_GE((*list)[0].bytes.data(), file.data());
  EXPECT_LT((*list)[0].bytes.data(), file.data() + file.size());
}

TEST(JaxExport, KeepsItsBytesIfNothingChanges) {
  const std::string file = TestExport().Bytes();
  const auto written = WriteContainer(file, ProgramsOf(file));
  ASSERT_TRUE(written);
  EXPECT_EQ(*written, file);
}

TEST(JaxExport, KeepsEverythingAroundItsPrograms) {
  for (const bool named : {false, true}) {
    for (const char* hlo : {static_cast<const char*>(nullptr), "", "\x08\x03"}) {
      TestExport test;
      test.named = named;
      test.hlo = hlo;
      test.programs = {TestProgram(1), TestProgram(2)};
      const std::string file = test.Bytes();
      const Names programs = {TestProgram(100), "x"};
      const auto written = WriteContainer(file, programs);
      ASSERT_TRUE(written);
      EXPECT_EQ(ProgramsOf(*written), programs);
      ExpectSame(TreeOf(file), TreeOf(*written));
    }
  }
}

TEST(JaxExport, ProgramsKeepTheAlignmentOfTheirConstants) {
  const std::string file = TestExport().Bytes();
  const auto written = WriteContainer(file, Names{TestProgram(3)});
  ASSERT_TRUE(written);
  const auto list = ListContainedPrograms(*written);
  ASSERT_TRUE(list);
  EXPECT_EQ(((*list)[0].bytes.data() - written->data()) % 16, 0);
}

TEST(JaxExport, RefusesAProgramThatSharesItsBytes) {
  TestExport test;
  test.unknown_field = true;
  test.programs = {TestProgram(2), TestProgram(2)};
  std::string file = test.Bytes();
  // The function's program becomes that of its gradient.
  using Exported = jax_export::Exported;
  const auto* function = flatbuffers::GetRoot<Exported>(file.data());
  const auto* table = reinterpret_cast<const flatbuffers::Table*>(function);
  const size_t field =
      size_t(reinterpret_cast<const char*>(table->GetAddressOf(Exported::VT_PROGRAM)) - file.data());
  const size_t program = size_t(reinterpret_cast<const char*>(function->vjp()->program()) - file.data());
  const uint32_t offset = uint32_t(program - field);
  std::memcpy(file.data() + field, &offset, sizeof offset);
  ASSERT_EQ(ProgramsOf(file), test.programs);
  ContainerWriteOptions options;
  options.source_name = "shared.bin";
  const auto written = WriteContainer(file, Names{TestProgram(1), TestProgram(3)}, options);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error()[0].message,
            "malformed jax.export file: a program shares its bytes with other fields");
  EXPECT_EQ(written.error()[0].hint, "export the function again");
  EXPECT_EQ(written.error()[0].place.file, "shared.bin");
}

TEST(JaxExport, KeepsFieldsOfNewerReleases) {
  TestExport test;
  test.unknown_field = true;
  test.programs = {TestProgram(2), TestProgram(2)};
  const std::string file = test.Bytes();
  for (const Names& programs :
       {Names{TestProgram(1), TestProgram(50)}, Names{TestProgram(50), TestProgram(1)}}) {
    const auto written = WriteContainer(file, programs);
    ASSERT_TRUE(written);
    EXPECT_EQ(ProgramsOf(*written), programs);
    ExpectSame(TreeOf(file), TreeOf(*written));
    const auto* root = flatbuffers::GetRoot<flatbuffers::Table>(written->data());
    EXPECT_EQ(root->GetField<uint32_t>(Jax::VT_JAX_VERSION + 2, 0), 0xABCDu);
  }
  ContainerWriteOptions options;
  options.container_version = "0.8.1";
  const auto refused = WriteContainer(file, ProgramsOf(file), options);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error()[0].code, Code::kBlocked);
}

TEST(JaxExport, DescribesItsSignature) {
  const auto info = InspectContainer(TestExport().Bytes());
  ASSERT_TRUE(info);
  ASSERT_EQ(info->signatures.size(), 1u);
  const SignatureValue& input = info->signatures[0].inputs.at(0);
  EXPECT_EQ(input.path, "args[0]['w']");
  EXPECT_EQ(TypeText(input), "f32[n, 2*n]");
  EXPECT_EQ(input.sharding, "['x'] on {x: 4, y: 2}");
  const SignatureValue& output = info->signatures[0].outputs.at(0);
  EXPECT_EQ(output.path, "result");
  EXPECT_EQ(output.sharding, "");
}

TEST(JaxExport, DescribesListsOfEitherKindAlike) {
  TestExport indexed, listed;
  indexed.lists = false;
  listed.indices = false;
  const auto a = InspectContainer(indexed.Bytes()), b = InspectContainer(listed.Bytes());
  ASSERT_TRUE(a && b);
  EXPECT_EQ(TypeText(a->signatures[0].inputs.at(0)), TypeText(b->signatures[0].inputs.at(0)));
  EXPECT_EQ(a->signatures[0].inputs[0].sharding, b->signatures[0].inputs[0].sharding);
}

TEST(JaxExport, SignaturesGetOtherShapes) {
  for (const bool indices : {false, true}) {
    const std::string file =
        TestExport{.programs = {TestProgram(), TestProgram(2)}, .indices = indices}.Bytes();
    const auto before = InspectContainer(file);
    ASSERT_TRUE(before);
    ContainerWriteOptions options;
    options.signatures = before->signatures;
    // The gradient has the result as an input; an input and an output with one type may get different ones.
    for (Signature& signature : options.signatures) {
      for (SignatureValue& input : signature.inputs) input.shape.assign(input.shape.size(), "5");
      for (SignatureValue& output : signature.outputs) output.shape.assign(output.shape.size(), "7");
    }
    const auto written = WriteContainer(file, ProgramsOf(file), options);
    ASSERT_TRUE(written);
    const auto after = InspectContainer(*written);
    ASSERT_TRUE(after);
    ASSERT_EQ(after->signatures.size(), before->signatures.size());
    for (size_t i = 0; i < after->signatures.size(); ++i) {
      const Signature &got = after->signatures[i], &wanted = options.signatures[i];
      ASSERT_EQ(got.inputs.size(), wanted.inputs.size());
      ASSERT_EQ(got.outputs.size(), wanted.outputs.size());
      for (size_t v = 0; v < got.inputs.size(); ++v)
        EXPECT_EQ(TypeText(got.inputs[v]), TypeText(wanted.inputs[v]));
      for (size_t v = 0; v < got.outputs.size(); ++v)
        EXPECT_EQ(TypeText(got.outputs[v]), TypeText(wanted.outputs[v]));
    }
    EXPECT_EQ(ProgramsOf(*written), ProgramsOf(file));
  }
}

TEST(JaxExport, DamageIsADiagnostic) {
  TestExport test;
  test.programs = {TestProgram(1), TestProgram(2)};
  const std::string file = test.Bytes();
  const auto check = [](const std::string& damaged) {
    const auto list = ListContainedPrograms(damaged);
    if (!list) {
      EXPECT_EQ(list.error().size(), 1u);
      return;
    }
    EXPECT_TRUE(InspectContainer(damaged));
    for (const char* release : {"", "0.8.1", "0.12.0"}) {
      ContainerWriteOptions options;
      options.container_version = release;
      (void)WriteContainer(damaged, Names(list->size(), "new"), options);
    }
  };
  for (size_t size = 0; size < file.size(); ++size) check(file.substr(0, size));
  for (size_t i = 0; i < file.size(); ++i) {
    for (const int change : {1, 4, 0x80, 0xFF}) {
      std::string damaged = file;
      damaged[i] = char(damaged[i] ^ change);
      check(damaged);
    }
  }
}

// Trees that share their children would take exponential time.
TEST(JaxExport, RefusesTablesThatAreSharedTooOften) {
  flatbuffers::FlatBufferBuilder b;
  auto tree = jax_export::CreateTree(b, jax_export::TreeKind_leaf);
  for (int i = 0; i < 40; ++i)
    tree = jax_export::CreateTree(b, jax_export::TreeKind_list, b.CreateVector(std::vector{tree, tree}));
  const auto program = b.CreateVector(std::vector<int8_t>{1});
  const auto name = b.CreateString("f");
  const auto platforms = b.CreateVectorOfStrings({"cpu"});
  jax_export::ExportedBuilder e(b);
  e.add_serialization_version(3);
  e.add_function_name(name);
  e.add_in_tree(tree);
  e.add_out_tree(tree);
  e.add_platforms(platforms);
  e.add_program(program);
  e.add_calling_convention_version(10);
  b.Finish(e.Finish());
  const std::string file(reinterpret_cast<const char*>(b.GetBufferPointer()), b.GetSize());
  ASSERT_EQ(DetectFormat(file), Format::kJaxExport);
  const auto list = ListContainedPrograms(file);
  ASSERT_FALSE(list);
  EXPECT_EQ(list.error()[0].code, Code::kMalformed);
}

TEST(JaxReleases, SayWhoReadsAFile) {
  const auto readers = [](const TestExport& test) {
    const std::string file = test.Bytes();
    return ReadingReleases(TreeOf(file));
  };
  TestExport test;
  EXPECT_EQ(readers(test), Names{"0.9.0 and later"});
  test.lists = false;
  EXPECT_EQ(readers(test), Names{"0.10.0 and later"});
  test = {};
  test.named = test.indices = false;
  EXPECT_EQ(readers(test), Names{"0.8.2 and later"});
  test.devices = 0;
  test.devices_short = 8;
  test.stored_version = 2;
  EXPECT_EQ(readers(test), Names{"0.4.24 to 0.11.0"});
  test.stored_version = 3;
  EXPECT_EQ(readers(test), Names{"0.4.35 to 0.11.0"});
  test.stored_version = 1;
  EXPECT_EQ(readers(test), (Names{"0.4.22 to 0.4.23", "0.8.2 to 0.11.0"}));
  test.stored_version = 2;
  test.element_type = jax_export::ElementType_key_fry;
  EXPECT_EQ(readers(test), Names{"0.6.0 to 0.11.0"});
  test.element_type = jax_export::ElementType_f32;
  test.argument = jax_export::TreeKind_custom;
  EXPECT_EQ(readers(test), Names{"0.4.35 to 0.11.0"});
  test.argument = jax_export::TreeKind_dict;
  test.hlo = "";
  EXPECT_EQ(readers(test), Names{"0.4.24 to 0.11.0"});
}

TEST(JaxReleases, AFileIsBroughtToARelease) {
  const auto adapt = [](const TestExport& test, const char* release) {
    const std::string file = test.Bytes();
    ContainerWriteOptions options;
    options.container_version = release;
    return WriteContainer(file, ProgramsOf(file), options);
  };
  for (const bool lists : {false, true}) {
    TestExport test;
    test.lists = lists;
    test.programs = {TestProgram(1), TestProgram(2)};
    for (const auto& [release, reader] :
         {std::pair("0.4.30", "0.4.24 and later"), std::pair("2", "0.4.24 and later"),
          std::pair("jax==0.8.1", "0.4.24 and later"), std::pair("0.9.0", "0.9.0 and later"),
          std::pair("12", "0.9.0 and later")}) {
      const auto written = adapt(test, release);
      ASSERT_TRUE(written) << release;
      if (lists) {
        EXPECT_EQ(ReadingReleases(TreeOf(*written)), Names{reader}) << release;
      }
      EXPECT_EQ(ProgramsOf(*written), test.programs);
      // Newer releases see the same as before.
      const auto info = InspectContainer(*written);
      ASSERT_TRUE(info);
      EXPECT_EQ(info->signatures[0].inputs.at(0).sharding, "['x'] on {x: 4, y: 2}");
    }
    const auto old = adapt(test, "0.8.1");
    ASSERT_TRUE(old);
    const FlatTable tree = TreeOf(*old);
    EXPECT_EQ(tree.Get<uint16_t>(Jax::VT_SERIALIZATION_VERSION), 2);
    EXPECT_EQ(tree.Get<int16_t>(Jax::VT_DEVICES_SHORT), 8);
    ASSERT_EQ(tree.GetTables(Jax::VT_INPUTS).size(), 1u);
    EXPECT_EQ(tree.GetTables(Jax::VT_IN_SHARDINGS)[0].GetString(jax_export::Sharding::VT_HLO),
              std::string_view("\x08\x03\x1a\x03\x04\x01\x02\x30\x01\x4a\x01\x08\x52\x01\x00", 15));
    EXPECT_EQ(tree.GetTables(Jax::VT_OUT_SHARDINGS)[0].Find(jax_export::Sharding::VT_HLO), nullptr);
  }
  TestExport test;
  test.devices = 40000;
  auto refused = adapt(test, "0.8.1");
  ASSERT_FALSE(refused);
  EXPECT_EQ(FirstMessage(refused.error()), "jax 0.7.0 to 0.8.1 cannot read 40000 devices");
  test = {};
  test.named = test.indices = false;
  test.hlo = "\x08\x03";
  refused = adapt(test, "0.12.0");
  ASSERT_FALSE(refused);
  EXPECT_EQ(FirstMessage(refused.error()), "jax 0.11.1 and later cannot read HLO shardings without names");
  test = {};
  test.argument = jax_export::TreeKind_custom;
  refused = adapt(test, "0.4.30");
  ASSERT_FALSE(refused);
  EXPECT_EQ(FirstMessage(refused.error()), "jax 0.4.24 to 0.4.34 cannot read custom nodes in its trees");
  for (const char* release : {"0.4.21", "1.0", "7", "x", "0.8.", ""}) {
    if (!*release) continue;
    refused = adapt(test, release);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error()[0].code, Code::kUsage) << release;
  }
}

TEST(JaxReleases, CallingConventionFollowsIfShardyIsNotUsed) {
  TestExport test;
  ContainerWriteOptions options;
  options.container_version = "0.6.0";
  auto written = WriteContainer(test.Bytes(), test.programs, options);
  ASSERT_TRUE(written);
  EXPECT_EQ(TreeOf(*written).Get<uint16_t>(Jax::VT_CALLING_CONVENTION_VERSION), 9);
  test.programs[0] += "sdy";
  written = WriteContainer(test.Bytes(), test.programs, options);
  ASSERT_FALSE(written);
  EXPECT_EQ(FirstMessage(written.error()),
            "jax 0.6.0 to 0.6.2 cannot read shardings of Shardy (calling convention version 10)");
}

// The bytes that jax 0.10.2 writes for arrays of two dimensions on the mesh {x: 4, y: 2}.
TEST(HloSharding, HasTheBytesOfJax) {
  const std::pair<std::vector<std::string>, std::string> kCases[] = {
      {{"x", "y"}, std::string("\x08\x03\x1a\x02\x04\x02\x4a\x01\x08\x52\x01\x00", 12)},
      {{"y", "x"}, std::string("\x08\x03\x1a\x02\x02\x04\x4a\x02\x04\x02\x52\x02\x01\x00", 14)},
      {{"-", "xy"}, std::string("\x08\x03\x1a\x02\x01\x08\x4a\x01\x08\x52\x01\x00", 12)},
      {{"yx"}, std::string("\x08\x03\x1a\x02\x08\x01\x4a\x02\x04\x02\x52\x02\x01\x00", 14)},
      {{}, ""},
  };
  for (const auto& [split, expected] : kCases) {
    TestExport test;
    test.split = split;
    const std::string file = test.Bytes();
    const FlatTable tree = TreeOf(file);
    const auto bytes = HloShardingOf(tree.GetTables(Jax::VT_SHARDINGS)[0], 2);
    // The mesh of a list of shardings is in another list; those of inputs have their own.
    const auto own =
        HloShardingOf(*tree.GetTables(Jax::VT_IN_SHARDINGS)[0].GetTable(jax_export::Sharding::VT_NAMED), 2);
    ASSERT_TRUE(own);
    EXPECT_EQ(*own, expected);
    if (bytes) {
      EXPECT_EQ(*bytes, expected);
    }
  }
  TestExport test;
  test.split = {"x", "x"};
  const std::string file = test.Bytes();
  const FlatTable tree = TreeOf(file);
  EXPECT_FALSE(HloShardingOf(tree.GetTables(Jax::VT_SHARDINGS)[0], 2));
}

}  // namespace
}  // namespace shlo::container
