#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/hex.h"
#include "ir/module/builder.h"
#include "serialize/shlo/format.h"
#include "serialize/shlo/test_programs.h"
#include "shlo/compare.h"
#include "shlo/shlo_reader.h"
#include "shlo/shlo_writer.h"
#include "shlo/text_reader.h"

namespace shlo {
namespace {

std::string HashIn(const std::string& bytes) {
  auto info = InspectShlo(bytes);
  return info ? info->content_hash : Render(info.error()[0]);
}

TEST(ShloWriterTest, SameModuleSameBytes) {
  const std::string bytes = *WriteShlo(Everything());
  EXPECT_EQ(*WriteShlo(Everything()), bytes);
  // The tables are in a different order: reading numbers entries as they were written.
  auto read = ReadShlo(bytes, nullptr);
  ASSERT_TRUE(read);
  EXPECT_EQ(*WriteShlo(*read), bytes);
  // Nodes that the program does not reference are not in the file.
  Module more = Everything();
  more.String("nobody mentions this");
  EXPECT_EQ(*WriteShlo(more), bytes);
}

TEST(ShloWriterTest, ContentHashIsOfTheProgram) {
  const Module m = TwoFunctions();
  const std::string fast = *WriteShlo(m, {.zstd_level = 1}), best = *WriteShlo(m, {.zstd_level = 19});
  EXPECT_NE(fast, best);
  EXPECT_EQ(HashIn(fast), HashIn(best));
  EXPECT_EQ(HashIn(fast), HashIn(*WriteShlo(m, {.locations = false, .producer = "other"})));
  EXPECT_EQ(HashIn(fast), HashIn(*WriteShlo(TwoFunctions(/*locations=*/false))));
  Module older = TwoFunctions();
  older.version = Version{72};
  EXPECT_NE(HashIn(fast), HashIn(*WriteShlo(older)));
  const Module large = Constants({std::string(5000, 'a')});
  EXPECT_EQ(HashIn(*WriteShlo(large)), HashIn(*WriteShlo(large, {.compress_constants = true})));
}

TEST(ShloWriterTest, CarriesACertificate) {
  const Module m = TwoFunctions();
  const std::string plain = *WriteShlo(m);
  ShloWriteOptions options;
  options.certificate = [](const std::string& hash) { return "certificate of " + hash; };
  const auto carrying = WriteShlo(m, options);
  ASSERT_TRUE(carrying);
  const auto info = InspectShlo(*carrying);
  ASSERT_TRUE(info);
  EXPECT_EQ(info->certificate, "certificate of " + HashIn(plain));
  EXPECT_EQ(info->content_hash, HashIn(plain));
  EXPECT_EQ(InspectShlo(plain)->certificate, "");
  const auto read = ReadShlo(*carrying, nullptr);
  ASSERT_TRUE(read);
  EXPECT_EQ(*WriteShlo(*read), plain);
}

TEST(ShloWriterTest, EqualConstantsAreStoredOnce) {
  std::string noise(20000, ' ');
  for (size_t i = 0; i < noise.size(); ++i) noise[i] = char((i * i * 31 + i / 7) >> 3);
  std::string other = noise;
  other.back() ^= 1;
  const std::string copy = noise + "";
  const size_t one = WriteShlo(Constants({noise}))->size();
  const size_t twice = WriteShlo(Constants({noise, copy}))->size();
  const size_t both = WriteShlo(Constants({noise, other}))->size();
  EXPECT_LT(twice, one + 1000);
  EXPECT_GT(both, one + 19000);
}

// Constants from 1 MiB on are told apart by samples first, and hashed in threads.
TEST(ShloWriterTest, LargeConstantsAreHashedInThreads) {
  std::string a = std::string(size_t(1) << 20, 'a');
  a[9] = 'A';  // not a splat
  std::string b = a, c = a;
  b[a.size() / 2 + 5000] = 'b';  // not in the samples
  c[100] = 'c';                  // in the first one
  std::string digits = "module {\n";
  for (const std::string& bytes : {a, b, a + "longer  "}) {
    digits += fmt::format("  %c{} = stablehlo.constant dense<\"0x", digits.size());
    AppendHex(bytes, &digits);
    digits += fmt::format("\"> : tensor<{}xi64>\n", bytes.size() / 8);
  }
  const auto from_text = ReadText(digits + "}\n", nullptr);
  ASSERT_TRUE(from_text);
  for (const Module& module : {Constants({a, b, c, a, b, "small", std::string(3000, 'x')}), *from_text}) {
    ShloWriteOptions options;
    options.limits.threads = 1;
    const std::string expected = *WriteShlo(module, options);
    EXPECT_EQ(expected.size() >> 20, 3u);  // each of the different ones once
    const auto back = ReadShlo(expected, nullptr);
    ASSERT_TRUE(back) << Render(back.error()[0]);
    EXPECT_EQ(FirstDifference(module, *back), "");
    for (const uint32_t threads : {1, 2, 4}) {
      options.limits.threads = threads;
      EXPECT_TRUE(*WriteShlo(module, options) == expected) << threads;
      options.certificate = [](const std::string& hash) { return "about " + hash; };
      EXPECT_EQ(InspectShlo(*WriteShlo(module, options))->certificate, "about " + HashIn(expected));
      options.certificate = nullptr;
    }
    const auto stopped = WriteShloTo(module, options, [](std::string_view) { return false; });
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error()[0].code, Code::kIo);
  }
}

TEST(ShloWriterTest, FunctionsThatAreAlikeTakeLittle) {
  const auto functions = [](int n) {
    return MakeModule([&](Builder* b) {
      for (int i = 0; i < n; ++i) AddFunction(b, "layer" + std::to_string(i), 30, false);
    });
  };
  const size_t one = WriteShlo(functions(1))->size(), many = WriteShlo(functions(1001))->size();
  EXPECT_LT(many - one, 1000 * 4u);  // the names, mostly
}

TEST(ShloWriterTest, ConstantsCompressOnRequest) {
  const Module m = Constants({std::string(100000, 'a')});
  EXPECT_GT(WriteShlo(m)->size(), 100000u);
  const std::string small = *WriteShlo(m, {.compress_constants = true});
  EXPECT_LT(small.size(), 3000u);
  auto read = ReadShlo(small, nullptr);
  ASSERT_TRUE(read);
  EXPECT_EQ(FirstDifference(m, *read), "");
}

std::string Booleans(size_t count) {
  std::string bytes(count, '\0');
  for (size_t i = 0; i < count; ++i) bytes[i] = char(i * i % 7 % 2);
  return bytes;
}

TEST(ShloWriterTest, LargeConstantsOfBooleansAreBits) {
  for (const size_t count : {1023, 1024, 1025, 1031, 1032, 4096, 100003}) {
    const std::string bytes = Booleans(count);
    for (const bool compress : {false, true}) {
      const std::string file =
          *WriteShlo(Constants({bytes}, TypeKind::kI1), {.compress_constants = compress});
      const std::string as_numbers = *WriteShlo(Constants({bytes}), {.compress_constants = compress});
      if (count >= format::kExternalPayload && !compress) {
        EXPECT_LT(file.size(), as_numbers.size() - count / 8 * 7 + 64);
      }
      const auto read = ReadShlo(file, nullptr);
      ASSERT_TRUE(read) << Render(read.error()[0]);
      EXPECT_EQ(read->payloads[PayloadId(1)].bytes(), bytes) << count;
      EXPECT_EQ(*WriteShlo(*read, {.compress_constants = compress}), file);
    }
  }
  // The hash of the content is that of the bytes, however they are stored.
  EXPECT_EQ(HashIn(*WriteShlo(Constants({Booleans(2000)}, TypeKind::kI1))),
            HashIn(*WriteShlo(Constants({Booleans(2000)}, TypeKind::kI1), {.compress_constants = true})));
  // Only booleans are: other constants are used where they are in the file.
  const std::string numbers = *WriteShlo(Constants({Booleans(5000)}));
  EXPECT_GT(numbers.size(), 5000u);
  EXPECT_NE(numbers.find(Booleans(5000)), std::string::npos);
}

TEST(ShloWriterTest, BooleansOfTwoTypesShareTheirBits) {
  Module m = Constants({Booleans(5000), Booleans(3000)}, TypeKind::kI1);
  const size_t size = WriteShlo(m)->size();
  EXPECT_LT(size, 2500u);
  // Bytes other than 0 and 1 cannot be bits.
  const std::string odd = Booleans(4999) + '\2';
  const std::string file = *WriteShlo(Constants({odd}, TypeKind::kI1));
  EXPECT_NE(file.find(odd), std::string::npos);
}

TEST(ShloWriterTest, StreamsInPieces) {
  const Module m = Everything();
  std::string all;
  auto written = WriteShloTo(m, {}, [&](std::string_view piece) {
    all += piece;
    return true;
  });
  ASSERT_TRUE(written);
  EXPECT_EQ(*written, all.size());
  EXPECT_EQ(all, *WriteShlo(m));
  auto stopped = WriteShloTo(m, {}, [](std::string_view) { return false; });
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error()[0].code, Code::kIo);
}

TEST(ShloWriterTest, RefusesWhatItCannotSay) {
  EXPECT_FALSE(WriteShlo(Module()));
  // A function that uses a value of another one.
  Module m = TwoFunctions();
  for (ValueId& operand : ModuleLists(&m).operands)
    if (m.values[operand.v].op && m.FunctionOf(m.values[operand.v].op) == "second") operand = ValueId(1);
  auto written = WriteShlo(m);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error()[0].code, Code::kInvalidProgram);
  // Types nested more deeply than the limit of the format.
  const Module deep = MakeModule([](Builder* b) {
    TypeId type = b->module().Type(TypeKind::kF32);
    for (int i = 0; i < 600; ++i) type = b->module().TupleType(std::span(&type, 1));
    b->AddOp({.name = b->module().strings.Intern("x.y"), .results = std::span(&type, 1)});
  });
  written = WriteShlo(deep);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error()[0].code, Code::kLimit);
}

TEST(ShloWriterTest, RegionsNestUpToALimit) {
  const auto most = WriteShlo(NestedRegions(499));
  ASSERT_TRUE(most);
  EXPECT_TRUE(ReadShlo(*most, nullptr));
  const auto shallow = ReadShlo(*most, nullptr, {.limits = {.max_depth = 20}});
  ASSERT_FALSE(shallow);
  EXPECT_EQ(shallow.error()[0].message, "regions nest more than 20 levels deep");
  EXPECT_EQ(shallow.error()[0].code, Code::kLimit);
  const auto written = WriteShlo(NestedRegions(500));
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error()[0].message, "regions nest more than 500 levels deep, the limit of .shlo");
  EXPECT_EQ(written.error()[0].code, Code::kLimit);
}

TEST(ShloWriterTest, SuccessorsStayInTheirFunction) {
  const auto written = WriteShlo(MakeModule([](Builder* b) {
    const BlockId elsewhere = b->NewBlock();
    const RegionId other = b->NewRegion(), body = b->NewRegion();
    b->BeginBlock(other, elsewhere);
    b->EndBlock();
    b->EndRegion(other);
    b->BeginBlock(body, b->NewBlock());
    b->AddOp({.name = b->module().strings.Intern("x.br"), .successors = std::span(&elsewhere, 1)});
    b->EndBlock();
    b->EndRegion(body);
    Module& m = b->module();
    for (const RegionId& region : {other, body}) {
      const AttrId inherent_attrs[] = {m.String(region == body ? "f" : "g"),
                                       m.TypeAttr(m.FunctionType({}, {})), AttrId(), AttrId(), AttrId()};
      b->AddOp({.revision = NewestRevision(FindOp("func.func")),
                .inherent_attrs = inherent_attrs,
                .regions = std::span(&region, 1)});
    }
  }));
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error()[0].message, "function has an op with a successor outside of it");
  EXPECT_EQ(written.error()[0].op, "func.func");
}

TEST(ShloWriterTest, TracesWhatItWrites) {
  std::vector<std::string> lines;
  ASSERT_TRUE(WriteShlo(TwoFunctions(), {.trace = [&](std::string_view line) { lines.emplace_back(line); }}));
  size_t tensors = 0;
  for (const std::string& line : lines) tensors += line == "writeType kTensor tensor<2x3xf32>";
  EXPECT_EQ(tensors, 1u);
}

TEST(ShloWriterTest, TrackedReferences) {
  format::Tracked encode, decode;
  for (uint64_t number : {1, 2, 2, 7, 8, 3, 9, 0, 10})
    EXPECT_EQ(decode.Decode(encode.Encode(number)), number);
  EXPECT_EQ(encode.Encode(11), 0u);
}

TEST(ShloWriterTest, SteppedReferences) {
  format::TrackedSteps encode, decode;
  for (uint64_t number : {1, 2, 2, 7, 8, 3, 9, 0, 10, 1, 2, 3})
    EXPECT_EQ(decode.Decode(encode.Encode(number)), number);
  EXPECT_EQ(encode.Encode(4), 1u);
  EXPECT_EQ(encode.Encode(11), 0u);
  EXPECT_EQ(encode.Encode(5), 1u);
  EXPECT_EQ(encode.Encode(5), 2u);
}

}  // namespace
}  // namespace shlo
