#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <random>
#include <set>
#include <sstream>

#include "base/test_sanitizers.h"
#include "ir/module/builder.h"
#include "ir/module/sample.h"
#include "serialize/shlo/format.h"
#include "serialize/shlo/test_damage.h"
#include "serialize/shlo/test_programs.h"
#include "shlo/compare.h"
#include "shlo/shlo_reader.h"
#include "shlo/shlo_writer.h"

namespace shlo {
namespace {

std::string Written(const Module& m, const ShloWriteOptions& options = {}) {
  auto bytes = WriteShlo(m, options);
  if (!bytes) ADD_FAILURE() << Render(bytes.error()[0]);
  return bytes ? *bytes : "";
}

// Returns the difference after writing and reading; "" if there is none.
std::string RoundTrip(const Module& m, const ShloWriteOptions& options = {}) {
  const std::string bytes = Written(m, options);
  auto read = ReadShlo(bytes, nullptr);
  return read ? FirstDifference(m, *read) : Render(read.error()[0]);
}

TEST(ShloReaderTest, EverythingSurvives) {
  const Module m = Everything();
  EXPECT_EQ(RoundTrip(m), "");
  EXPECT_EQ(RoundTrip(m, {.zstd_level = 19}), "");
  Source source;
  source.implicit_module = source.version_written = true;
  const std::string bytes = Written(m, {.source = &source, .producer = "someone 1.2"});
  Source back;
  auto read = ReadShlo(bytes, nullptr, {.source_name = "x.shlo"}, &back);
  ASSERT_TRUE(read);
  EXPECT_TRUE(back.implicit_module);
  EXPECT_TRUE(back.version_written);
  EXPECT_EQ(back.producer, "someone 1.2");
  EXPECT_EQ(back.name, "x.shlo");
  EXPECT_TRUE(back.places.empty());
  EXPECT_EQ(read->version, m.version);
  ASSERT_EQ(read->resources.size(), 1u);
  EXPECT_EQ(read->resources[0].alignment, 64u);
  EXPECT_EQ(read->payloads[read->resources[0].payload].bytes(), "0123456789abcdef");
}

TEST(ShloReaderTest, EveryRowAtEveryVersionSurvives) {
  SomeCases cases(5);
  for (uint16_t r = 1; r < OpRows().size(); ++r)
    for (const VersionRow& line : VersionLine())
      for (const SampleVariant& variant : SampleVariants(RowId{r}, line.version)) {
        if (!cases.Next()) continue;
        const Module m = MakeSample(RowId{r}, line.version, variant);
        ASSERT_EQ(RoundTrip(m), "") << SampleName(RowId{r}, line.version, variant);
      }
}

TEST(ShloReaderTest, LocationsAreOptional) {
  const Module m = TwoFunctions();
  EXPECT_EQ(RoundTrip(m), "");
  const std::string bytes = Written(m, {.locations = false});
  auto read = ReadShlo(bytes, nullptr);
  ASSERT_TRUE(read);
  EXPECT_EQ(FirstDifference(m, *read, {.locations = false}), "");
  EXPECT_NE(FirstDifference(m, *read), "");
}

TEST(ShloReaderTest, FunctionsOneAtATime) {
  const Module m = TwoFunctions();
  const std::string bytes = Written(m);
  auto read = ReadShlo(bytes, nullptr, {.functions = {"second"}});
  ASSERT_TRUE(read) << Render(read.error()[0]);
  const auto functions = read->OpsOf(read->BlocksOf(read->RegionsOf(read->ops[read->top.v])[0])[0]);
  ASSERT_EQ(functions.size(), 2u);
  EXPECT_EQ(read->BlocksOf(read->RegionsOf(read->ops[functions[0].v])[0]).size(), 0u);
  ASSERT_EQ(read->BlocksOf(read->RegionsOf(read->ops[functions[1].v])[0]).size(), 1u);
  // Seven additions, three constants, one return.
  EXPECT_EQ(read->OpsOf(read->BlocksOf(read->RegionsOf(read->ops[functions[1].v])[0])[0]).size(), 11u);
  // Skipped functions leave no trace, in locations either.
  for (const char* name : {"first", "second"}) {
    read = ReadShlo(bytes, nullptr, {.functions = {name}});
    ASSERT_TRUE(read) << Render(read.error()[0]);
    Module expected = TwoFunctions();
    for (const Op& op : expected.ops)
      if (expected.Is(op, FindOp("func.func")) && expected.SymbolOf(op) != name)
        expected.regions[expected.RegionsOf(op)[0].v].blocks.count = 0;
    EXPECT_EQ(FirstDifference(expected, *read), "");
    EXPECT_LT(read->ops.size(), m.ops.size());
  }
  auto none = ReadShlo(bytes, nullptr, {.functions = {"third"}});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error()[0].code, Code::kUsage);
}

// The length of a block is omitted if its terminator ends it; blocks need not have one.
TEST(ShloReaderTest, BlocksOfEveryEndSurvive) {
  const RevisionId stop = NewestRevision(FindOp("stablehlo.return"));
  const StringId none;
  for (const std::vector<bool>& ends : std::vector<std::vector<bool>>{
           {}, {true}, {false}, {false, true}, {true, false}, {true, true}, {false, true, true}}) {
    const Module m = MakeModule([&](Builder* b) {
      const StringId name = b->module().strings.Intern("mine.op");
      const RegionId region = b->NewRegion();
      for (int i = 0; i < 2; ++i) {
        const BlockId block = b->NewBlock();
        b->BeginBlock(region, block);
        for (bool end : ends) b->AddOp({.revision = end ? stop : RevisionId(), .name = end ? none : name});
        b->EndBlock();
      }
      b->EndRegion(region);
      b->AddOp({.name = name, .regions = std::span(&region, 1)});
    });
    EXPECT_EQ(RoundTrip(m), "");
  }
}

// Results take their type from an operand or attribute if possible; here all ways and none are possible.
TEST(ShloReaderTest, ResultTypesSurvive) {
  const Module m = MakeModule([](Builder* b) {
    Module& m = b->module();
    const StringId name = m.strings.Intern("mine.op");
    std::vector<TypeId> types;
    for (int64_t i = 0; i < 12; ++i) types.push_back(m.TensorType(std::array{i}, m.Type(TypeKind::kF32)));
    const auto add = [&](std::vector<ValueId> operands, std::vector<TypeId> results) {
      return m.ops[b->AddOp({.name = name, .operands = operands, .results = results}).v];
    };
    std::vector<ValueId> values;
    const Op first = add({}, types);
    for (uint32_t i = 0; i < types.size(); ++i) values.push_back(m.ResultOf(first, i));
    add(values, types);
    add(values, {types.rbegin(), types.rend()});
    add({values[1], values[0]}, {types[0], types[0], types[1], types[2]});
    const uint32_t next = uint32_t(m.values.size());
    add({ValueId(next + 1)}, {types[3]});  // of the type of a value that comes later
    add({ValueId(next + 1)}, {types[3]});  // of its own type
    const AttrId value = m.Elements(types[4], m.payloads.AddCopy("abcd"), true);
    for (TypeId type : {types[4], types[5]})  // of its attribute's type, and of another
      b->AddOp({.revision = NewestRevision(FindOp("stablehlo.constant")),
                .results = std::span(&type, 1),
                .inherent_attrs = std::span(&value, 1)});
  });
  EXPECT_EQ(RoundTrip(m), "");
}

// A page that is not needed is not read.
TEST(ShloReaderTest, OtherPagesAreNotTouched) {
  const Module m = MakeModule([](Builder* b) {
    AddFunction(b, "big", 300000, false);  // fills a separate page
    AddFunction(b, "small", 3, false);
  });
  std::string bytes = Written(m);
  auto info = InspectShlo(bytes);
  ASSERT_TRUE(info);
  ASSERT_EQ(info->functions.size(), 2u);
  EXPECT_EQ(info->functions[0].ops, 450001u);
  for (const ShloSection& s : info->sections)
    if (s.name == "pages of functions") bytes[s.offset + 20] ^= 1;
  EXPECT_FALSE(ReadShlo(bytes, nullptr));
  EXPECT_FALSE(ReadShlo(bytes, nullptr, {.functions = {"big"}}));
  EXPECT_TRUE(ReadShlo(bytes, nullptr, {.functions = {"small"}}));
}

TEST(ShloReaderTest, EveryPrefixIsRefused) {
  for (const Module& m : {TwoFunctions(), Everything()}) {
    const std::string bytes = Written(m);
    for (size_t n = 0; n < bytes.size(); ++n) {
      // A copy of exactly this size, so that a sanitizer detects a read beyond it.
      const std::vector<char> prefix(bytes.begin(), bytes.begin() + long(n));
      EXPECT_FALSE(ReadShlo({prefix.data(), n}, nullptr)) << n;
      EXPECT_FALSE(InspectShlo({prefix.data(), n})) << n;
    }
    EXPECT_FALSE(ReadShlo(bytes + '\0', nullptr));
  }
}

TEST(ShloReaderTest, EveryFlippedBitIsRefused) {
  const Module constants = Constants({std::string(1500, 'x'), std::string(3000, 'y') + "z", "abc"});
  for (const Module& m : {TwoFunctions(), Everything(), constants})
    for (bool compress : {false, true}) {
      std::string bytes = Written(m, {.compress_constants = compress});
      const bool large = bytes.size() > 4000;
      for (size_t bit = 0; bit < bytes.size() * 8; bit += large ? 5 : 1) {
        bytes[bit / 8] ^= char(1 << bit % 8);
        EXPECT_FALSE(ReadShlo(bytes, nullptr)) << "byte " << bit / 8 << " bit " << bit % 8;
        bytes[bit / 8] ^= char(1 << bit % 8);
      }
    }
}

// Only checksums detect most damage; without them the reader must still reject the file or read a consistent
// program.
TEST(ShloReaderTest, DamageBehindChecksums) {
  std::mt19937 random(7);
  for (const Module& m :
       {TwoFunctions(), Everything(), Constants({std::string(1029, '\1')}, TypeKind::kI1)}) {
    const std::string good = Written(m, {.zstd_level = 0});
    size_t read = 0;
    for (int round = 0; round < 3000; ++round) {
      std::string bytes = good;
      for (unsigned flips = 1 + random() % 3; flips; --flips)
        bytes[random() % bytes.size()] ^= char(1 << random() % 8);
      RepairChecksums(&bytes);
      auto module = ReadShlo(bytes, nullptr, {.limits = {.max_memory = 64 << 20}, .verify_checksums = false});
      if (!module) continue;
      ++read;
      auto again = WriteShlo(*module);
      if (again) {
        EXPECT_TRUE(ReadShlo(*again, nullptr));
      }
    }
    EXPECT_GT(read, 10u);  // otherwise the damage is detected before anything is read
    EXPECT_LT(read, 2000u);
  }
}

// Returns the messages for a file in which one byte differs, or two adjacent ones whose sum stays the same,
// each with its section. `by`: the difference.
std::set<std::string> MessagesOfDamage(const Module& m, bool header,
                                       const std::vector<std::string>& functions, int by = 1) {
  const std::string good = Written(m, {.zstd_level = 0});
  format::Preamble preamble;
  std::memcpy(&preamble, good.data(), sizeof preamble);
  const size_t end_of_header = format::kPreambleSize + preamble.header_size;
  std::set<std::string> said;
  for (size_t i = header ? format::kPreambleSize : end_of_header;
       i + 1 < (header ? end_of_header : good.size()); ++i)
    for (const auto& [first, second] : {std::pair(by, 0), {-by, 0}, {by, -by}, {-by, by}}) {
      std::string bytes = good;
      bytes[i] = char(bytes[i] + first);
      bytes[i + 1] = char(bytes[i + 1] + second);
      RepairChecksums(&bytes);
      const auto module = ReadShlo(bytes, nullptr, {.functions = functions});
      if (!module) said.insert(module.error()[0].place.section + ": " + module.error()[0].message);
    }
  return said;
}

TEST(ShloReaderTest, DamageHasItsMessage) {
  const auto resources = MakeModule([](Builder* b) {
    Module& m = b->module();
    for (const char* key : {"a", "b"})
      m.resources.push_back({m.strings.Intern(key), m.payloads.AddCopy(key), 16});
  });
  std::set<std::string> said = MessagesOfDamage(resources, false, {});
  EXPECT_TRUE(said.contains("resources: resources are not sorted by key"));
  EXPECT_TRUE(said.contains("resources: columns differ in number of entries"));
  said = MessagesOfDamage(TwoFunctions(), false, {"second"});
  EXPECT_TRUE(said.contains("page of functions: column ends early"));
  EXPECT_TRUE(said.contains("debug page of functions: numbers of locations and ops differ"));
  said = MessagesOfDamage(Constants({std::string(5000, 'x')}), true, {});
  EXPECT_TRUE(said.contains("header: uncompressed constant has a checksum"));
  const Module booleans = Constants({std::string(1029, '\1'), std::string(2000, '\0')}, TypeKind::kI1);
  said = MessagesOfDamage(booleans, true, {});
  EXPECT_TRUE(said.contains("header: the list of constants of bits is malformed"));
  EXPECT_TRUE(said.contains("header: constant is not at the expected offset"));
  EXPECT_TRUE(
      MessagesOfDamage(booleans, false, {}, 32).contains("constants: bits after the last element are not 0"));
}

TEST(ShloReaderTest, BitsAndTheirFlagAgree) {
  for (const TypeKind element : {TypeKind::kI1, TypeKind::kUI8}) {
    std::string bytes = Written(Constants({std::string(5000, '\1')}, element));
    bytes[16] = char(bytes[16] ^ format::kBits);
    RepairChecksums(&bytes);
    const auto read = ReadShlo(bytes, nullptr);
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error()[0].message, "the list of constants of bits does not match the flags");
  }
}

TEST(ShloReaderTest, UnpackedBitsCountAsMemory) {
  const std::string bytes = Written(Constants({std::string(8 << 20, '\1')}, TypeKind::kI1));
  EXPECT_LT(bytes.size(), 2u << 20);
  EXPECT_TRUE(ReadShlo(bytes, nullptr, {.limits = {.max_memory = 9 << 20}}));
  const auto refused = ReadShlo(bytes, nullptr, {.limits = {.max_memory = 7 << 20}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error()[0].code, Code::kLimit);
}

// Sizes of columns may be wrong in a way that keeps their sum.
TEST(ShloReaderTest, ColumnsThatEndEarly) {
  const Module m = MakeModule([](Builder* b) {
    Module& m = b->module();
    const AttrId mode = m.Enum(AttrKind::kResultAccuracyMode, 0);
    const NamedAttr attrs[] = {
        {m.strings.Intern("x.a"),
         m.Make(ResultAccuracyAttr{.atol = 0.5, .rtol = 0.25, .ulps = 3, .mode = mode})},
        {m.strings.Intern("x.b"), m.I64s(std::vector<int64_t>{1, 2})}};
    const TypeId type = m.Type(TypeKind::kI32);
    b->AddOp(
        {.name = m.strings.Intern("mine.op"), .results = std::span(&type, 1), .discardable_attrs = attrs});
  });
  ASSERT_EQ(RoundTrip(m), "");
  const auto said = [&](int by, std::string_view message) {
    for (const std::string& text : MessagesOfDamage(m, false, {}, by))
      if (text.ends_with(message)) return true;
    return false;
  };
  // A float is eight bytes: with fewer left, the column itself ends within it.
  EXPECT_TRUE(said(8, "float column ends early"));
  EXPECT_FALSE(said(7, "float column ends early"));
  EXPECT_TRUE(said(7, ": column ends early"));
  EXPECT_TRUE(said(1, "list item column ends early"));
  EXPECT_TRUE(said(1, "attribute column ends early"));
  EXPECT_TRUE(said(1, "columns do not fill the section"));
  // The number of a type is from 1, and stored twice as large.
  for (const int by : {2, 40}) EXPECT_TRUE(said(by, "signature 2: type index out of range")) << by;
}

TEST(ShloReaderTest, TheOutermostOpIsAModule) {
  Module m;
  Builder b(&m);
  const RegionId body = b.NewRegion();
  b.BeginBlock(body, b.NewBlock());
  b.EndBlock();
  b.EndRegion(body);
  m.top = b.AddOp({.name = m.strings.Intern("x.y"), .regions = std::span(&body, 1)});
  const auto read = ReadShlo(Written(m), nullptr);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error()[0].message, "outermost op is not a module");
  EXPECT_EQ(read.error()[0].place.section, "program");
}

TEST(ShloReaderTest, NamesTheNewerVersion) {
  std::string bytes = Written(TwoFunctions());
  format::Preamble p;
  std::memcpy(&p, bytes.data(), sizeof p);
  p.program_version = 99;
  std::memcpy(bytes.data(), &p, sizeof p);
  RepairChecksums(&bytes);
  auto read = ReadShlo(bytes, nullptr);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error()[0].code, Code::kNewerVersion);
  EXPECT_NE(read.error()[0].message.find("99"), std::string::npos);
  p.program_version = 73;
  p.format_version = 2;
  std::memcpy(bytes.data(), &p, sizeof p);
  RepairChecksums(&bytes);
  read = ReadShlo(bytes, nullptr);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error()[0].code, Code::kNewerVersion);
}

// Returns the message of reading `program` after its version in the preamble became `version`.
std::string MessageAt(const Module& program, Version version) {
  std::string bytes = Written(program);
  format::Preamble p;
  std::memcpy(&p, bytes.data(), sizeof p);
  p.program_version = version.n;
  std::memcpy(bytes.data(), &p, sizeof p);
  RepairChecksums(&bytes);
  const auto read = ReadShlo(bytes, nullptr);
  return read ? "" : Render(read.error()[0]);
}

TEST(ShloReaderTest, RefusesEnumCasesThatTheVersionDoesNotHave) {
  for (const int64_t value : {5, 99}) {
    const Module program = MakeModule([&](Builder* b) {
      Module& m = b->module();
      const NamedAttr discardable{m.strings.Intern("a"), m.Enum(AttrKind::kComparisonType, value)};
      b->AddOp({.name = m.strings.Intern("t.op"), .discardable_attrs = std::span(&discardable, 1)});
    });
    const std::string message = MessageAt(program, value == 5 ? Version{73} : kCurrentVersion);
    EXPECT_NE(message.find(value == 5 ? "comparison_type 'WEAKORDER' does not exist in version 1.20.0 (73)"
                                      : "unknown case 99 of comparison_type"),
              std::string::npos)
        << message;
  }
}

TEST(ShloReaderTest, RefusesTypesAndAttributesThatTheVersionDoesNotHave) {
  const auto constant = [](TypeKind element) {
    return MakeModule([&](Builder* b) {
      Module& m = b->module();
      const int64_t shape[] = {1};
      const AttrId value = m.Make(ElementsAttr{.type = m.TensorType(shape, m.Type(element)),
                                               .payload = m.payloads.AddCopy(std::string(1, '\0'))});
      const TypeId type = m.As<ElementsAttr>(value)->type;
      b->AddOp({.revision = NewestRevision(FindOp("stablehlo.constant")),
                .results = std::span(&type, 1),
                .inherent_attrs = std::span(&value, 1)});
    });
  };
  EXPECT_NE(MessageAt(constant(TypeKind::kF8E3M4), Version{59})
                .find("type 'f8E3M4' does not exist in version 1.6.0 (59), the version of the program"),
            std::string::npos);
  EXPECT_EQ(MessageAt(constant(TypeKind::kF8E3M4), Version{60}).find("does not exist"), std::string::npos);
  EXPECT_EQ(MessageAt(constant(TypeKind::kF8E5M2), Version{59}).find("does not exist"), std::string::npos);
  const auto attribute = [](std::string_view op) {
    return MakeModule([&](Builder* b) {
      Module& m = b->module();
      const NamedAttr discardable{m.strings.Intern("a"), m.Make(AxisRefAttr{.name = m.strings.Intern("x")})};
      const RevisionId revision = NewestRevision(FindOp(op));
      b->AddOp({.revision = revision,
                .name = revision ? StringId() : m.strings.Intern(op),
                .discardable_attrs = std::span(&discardable, 1)});
    });
  };
  EXPECT_NE(MessageAt(attribute("stablehlo.create_token"), Version{68}).find("'stablehlo.axis_ref'"),
            std::string::npos);
  // Ops of other dialects hold what they like.
  EXPECT_EQ(MessageAt(attribute("t.op"), Version{68}).find("does not exist"), std::string::npos);
}

TEST(ShloReaderTest, MemoryAndDepthAreLimited) {
  const std::string bytes = Written(Constants({std::string(1 << 20, 'a')}), {.compress_constants = true});
  EXPECT_LT(bytes.size(), 10000u);
  auto read = ReadShlo(bytes, nullptr, {.limits = {.max_memory = 100000}});
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error()[0].code, Code::kLimit);
  EXPECT_TRUE(ReadShlo(bytes, nullptr, {.limits = {.max_memory = 4 << 20}}));
  read = ReadShlo(Written(TwoFunctions()), nullptr, {.limits = {.max_depth = 1}});
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error()[0].code, Code::kLimit);
}

TEST(ShloReaderTest, ConstantsAreViewsAndAligned) {
  const std::string bytes = Written(Constants({"tiny", std::string(5000, 'q'), std::string(6001, 'r')}));
  auto read = ReadShlo(bytes, nullptr);
  ASSERT_TRUE(read);
  int views = 0;
  for (uint32_t i = 1; i < read->payloads.size(); ++i) {
    const Payload& p = read->payloads[PayloadId(i)];
    if (p.size < 5000) continue;
    const size_t offset = size_t(reinterpret_cast<const char*>(p.data) - bytes.data());
    ASSERT_LT(offset, bytes.size());
    EXPECT_EQ(offset % 64, 0u);
    ++views;
  }
  EXPECT_EQ(views, 2);
}

TEST(ShloReaderTest, LargeConstantsAreCheckedInThreads) {
  std::string bytes = Written(Constants({std::string(3 << 20, 'a'), std::string(3 << 20, 'b')}));
  const size_t b = bytes.find("bbbb");
  for (const uint32_t threads : {1, 2}) {
    const ShloReadOptions options{.source_name = "a.shlo", .limits = {.threads = threads}};
    ASSERT_TRUE(ReadShlo(bytes, nullptr, options));
    bytes[b + 2'000'000] = 'c';
    const auto damaged = ReadShlo(bytes, nullptr, options);
    ASSERT_FALSE(damaged);
    EXPECT_EQ(Render(damaged.error()[0]),
              fmt::format("a.shlo:constants:byte {}: error: constant hash mismatch [checksum]\n", b));
    bytes[b + 2'000'000] = 'b';
  }
}

TEST(ShloReaderTest, InspectSaysWhatIsThere) {
  const Module m = TwoFunctions();
  const std::string bytes = Written(m);
  auto info = InspectShlo(bytes);
  ASSERT_TRUE(info);
  EXPECT_EQ(info->format_version, 1u);
  EXPECT_EQ(info->version, m.version);
  ASSERT_EQ(info->functions.size(), 2u);
  EXPECT_EQ(info->functions[0].name, "first");
  EXPECT_EQ(info->functions[1].ops, 11u);
  EXPECT_EQ(info->content_hash.size(), 32u);
  uint64_t total = 0;
  for (const ShloSection& s : info->sections) total += s.stored_size;
  EXPECT_EQ(total, bytes.size());
  EXPECT_NE(std::find(info->strings.begin(), info->strings.end(), "second"), info->strings.end());
  EXPECT_EQ(std::find(info->strings.begin(), info->strings.end(), "stablehlo.add"), info->strings.end());
}

TEST(ShloReaderTest, TracesWhatItReads) {
  std::vector<std::string> lines;
  const std::string bytes = Written(TwoFunctions());
  ASSERT_TRUE(ReadShlo(bytes, nullptr, {.trace = [&](std::string_view line) { lines.emplace_back(line); }}));
  const auto has = [&](std::string_view text) {
    return std::any_of(lines.begin(), lines.end(), [&](const std::string& l) { return l.starts_with(text); });
  };
  EXPECT_TRUE(has("readType kTensor tensor<2x3xf32>"));
  EXPECT_TRUE(has("readAttribute kElements"));
  EXPECT_TRUE(has("readAttribute kFileLineColLoc"));
}

// Files of version 1 are readable forever. The file is never regenerated.
TEST(ShloReaderTest, GoldenFile) {
  std::ifstream in(SHLO_SOURCE_DIR "/tests/compat/shlo-1/everything.shlo", std::ios::binary);
  std::stringstream contents;
  contents << in.rdbuf();
  const std::string bytes = contents.str();
  auto read = ReadShlo(bytes, nullptr);
  ASSERT_TRUE(read) << Render(read.error()[0]);
  Module expected = Everything();
  expected.SetVersion(Version{73});
  EXPECT_EQ(FirstDifference(expected, *read), "");
  auto info = InspectShlo(bytes);
  ASSERT_TRUE(info);
  // The hash covers uncompressed sections: any zstd gives the same.
  EXPECT_EQ(info->content_hash, InspectShlo(Written(expected))->content_hash);
}

}  // namespace
}  // namespace shlo
