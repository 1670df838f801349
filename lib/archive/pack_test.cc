// Packs: what is written is read, and whatever is damaged is found.
#include <gtest/gtest.h>

#include "archive/census.h"
#include "archive/codec.h"
#include "archive/list_record.h"
#include "archive/pack_reader.h"
#include "archive/pack_writer.h"
#include "archive/test_archive.h"

namespace shlo::archive {
namespace {

std::string RoundTrip(std::string_view content, const StoragePlan& plan, RecordHeader* header) {
  Encoder encoder;
  const StoredContent stored = encoder.Encode(content, plan);
  header->encoding = stored.encoding;
  header->planes = stored.planes;
  header->stored = stored.bytes().size();
  header->size = content.size();
  return Must(DecodeContent(*header, stored.bytes()));
}

TEST(CodecTest, EveryPlanRestoresEverySize) {
  for (const uint8_t planes : {1, 2, 4, 8})
    for (const size_t size : {0u, 1u, 63u, 64u, 65u, 1000u, 1001u, 65536u, 100007u}) {
      std::string content(size, '\0');
      for (size_t i = 0; i < size; ++i) content[i] = char(i % 8 < 2 ? 63 : i * 2654435761u >> 20);
      RecordHeader header;
      EXPECT_EQ(RoundTrip(content, {Encoding::kZstd, planes, 1}, &header), content)
          << int(planes) << " " << size;
      EXPECT_TRUE(size < 1000 || header.stored < size);
    }
}

TEST(CodecTest, PlansByWhatCompresses) {
  Encoder encoder;
  EXPECT_EQ(encoder.PlanFor(RandomBytes(1 << 16, 1)).encoding, Encoding::kRaw);
  EXPECT_EQ(encoder.PlanFor("").encoding, Encoding::kRaw);
  std::string text;
  while (text.size() < 1 << 16)
    text += fmt::format("%{} = stablehlo.add %{}, %0\n", text.size(), text.size() / 3);
  EXPECT_EQ(encoder.PlanFor(text).encoding, Encoding::kZstd);
  EXPECT_EQ(encoder.PlanFor(text).planes, 1);
  std::mt19937 random(1);
  std::normal_distribution<float> normal(0, 0.02f);
  std::vector<float> weights(1 << 16);
  for (float& w : weights) w = normal(random);
  const std::string_view bytes(reinterpret_cast<const char*>(weights.data()), weights.size() * 4);
  const StoragePlan plan = encoder.PlanFor(bytes);
  EXPECT_EQ(plan.planes, 4);
  RecordHeader header;
  EXPECT_EQ(RoundTrip(bytes, plan, &header), bytes);
  EXPECT_LT(header.stored, bytes.size() * 9 / 10);
}

TEST(CodecTest, RefusesSizesThatDoNotMatch) {
  Encoder encoder;
  const StoredContent stored = encoder.Encode(std::string(1000, 'x'), {Encoding::kZstd, 1, 1});
  RecordHeader header;
  header.encoding = Encoding::kZstd;
  header.stored = stored.bytes().size();
  header.size = 1001;
  EXPECT_FALSE(DecodeContent(header, stored.bytes()));
  header.size = 1000;
  EXPECT_FALSE(DecodeContent(header, stored.bytes().substr(1)));
}

TEST(ListTest, RestoresItsParts) {
  ListContent list;
  list.parts.push_back({PartCode::kLiteral, 5, {}, "12345"});
  list.parts.push_back({PartCode::kPiece, 1000, IdOf("a"), {}});
  list.parts.push_back({PartCode::kHexPiece, 7, IdOf("b"), {}});
  list.size = 5 + 1000 + 14;
  const std::string bytes = WriteList(list);
  const auto back = ReadList(bytes);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->size, list.size);
  ASSERT_EQ(back->parts.size(), 3u);
  EXPECT_EQ(back->parts[0].literal, "12345");
  EXPECT_EQ(back->parts[1].id, IdOf("a"));
  EXPECT_EQ(back->parts[2].code, PartCode::kHexPiece);
  for (size_t n = 0; n < bytes.size(); ++n) EXPECT_FALSE(ReadList(std::string_view(bytes).substr(0, n))) << n;
  EXPECT_FALSE(ReadList(bytes + '\0'));
  list.size = 1018;  // not what the parts contribute
  EXPECT_FALSE(ReadList(WriteList(list)));
}

TEST(CensusTest, RestoresItsPacksInOrderOnly) {
  const Census census{{{1, {1}}, {7, {2}}}, {{3, {3}}}};
  const std::string bytes = WriteCensus(census);
  const auto back = ReadCensus(bytes);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->live, census.live);
  EXPECT_EQ(back->replaced, census.replaced);
  for (size_t n = 0; n < bytes.size(); ++n)
    EXPECT_FALSE(ReadCensus(std::string_view(bytes).substr(0, n))) << n;
  std::string swapped = bytes;
  std::swap_ranges(swapped.begin() + 1, swapped.begin() + 25, swapped.begin() + 25);
  EXPECT_FALSE(ReadCensus(swapped));
}

class PackTest : public ArchiveTest {
 protected:
  // Writes a pack.
  std::string Write() {
    PackHeader header;
    header.sequence = 17;
    auto pack = Must(PackWriter::Create(Path("17.pack"), header));
    Encoder encoder;
    for (const std::string& content : Contents())
      Must(pack->Add(RecordKind::kData, IdOf(content), content.size(),
                     encoder.Encode(content, {Encoding::kZstd, 1, 1})));
    const std::string entry = R"({"type":"note"})";
    Must(pack->Add(RecordKind::kEntry, IdOf(entry), entry.size(), encoder.Encode(entry, {}), 5));
    Must(pack->Finish());
    return ReadFile(Path("17.pack"));
  }
  static std::vector<std::string> Contents() { return {std::string(5000, 'a'), RandomBytes(300, 1), ""}; }

  // Returns what is wrong with a pack: its tables, and each record.
  static std::vector<std::string> Problems(std::string_view bytes, size_t* records = nullptr) {
    std::vector<std::string> out;
    const MemorySource source(bytes);
    const auto index = ReadPackIndex(source, "pack");
    if (!index) return {index.error()[0].message};
    for (const PackDamage& damage : index->damage) out.push_back(damage.what);
    for (const PackRecord& record : index->records) {
      const auto stored = ReadStored(source, "pack", record, /*whole=*/true);
      if (!stored) out.push_back(stored.error()[0].message);
      const auto content = stored ? DecodeRecord("pack", record, *stored) : stored;
      if (content && IdOf(*content) != record.header.id) out.push_back("content");
    }
    if (records) *records = index->records.size();
    return out;
  }
};

TEST_F(PackTest, ReadsWhatWasWritten) {
  const std::string bytes = Write();
  const MemorySource source(bytes);
  const PackIndex index = Must(ReadPackIndex(source, "pack"));
  EXPECT_TRUE(index.damage.empty());
  EXPECT_EQ(index.header.sequence, 17u);
  ASSERT_EQ(index.records.size(), 4u);
  for (size_t i = 0; i < 3; ++i)
    EXPECT_EQ(
        Must(DecodeRecord("pack", index.records[i], Must(ReadStored(source, "pack", index.records[i])))),
        Contents()[i]);
  EXPECT_EQ(index.records[3].header.ordinal, 5u);
}

TEST_F(PackTest, EveryFlippedBitIsFound) {
  const std::string bytes = Write();
  ASSERT_TRUE(Problems(bytes).empty());
  for (size_t i = 0; i < bytes.size(); ++i) {
    std::string damaged = bytes;
    damaged[i] = char(damaged[i] ^ (1 << (i % 8)));
    EXPECT_FALSE(Problems(damaged).empty()) << "byte " << i;
  }
}

TEST_F(PackTest, ATableThatIsDamagedHidesNoRecord) {
  const std::string bytes = Write();
  const size_t trailer = bytes.size() - 64, index = trailer - 4 * 80;
  for (const size_t at :
       {size_t(3), size_t(40), index, index + 100, trailer, trailer + 20, bytes.size() - 1}) {
    std::string damaged = bytes;
    damaged[at] = char(damaged[at] ^ 1);
    size_t records = 0;
    EXPECT_FALSE(Problems(damaged, &records).empty());
    EXPECT_EQ(records, 4u) << at;
  }
}

TEST_F(PackTest, APackThatIsCutShortKeepsItsFirstRecords) {
  const std::string bytes = Write();
  size_t before = 0;
  for (size_t size = 0; size < bytes.size(); ++size) {
    size_t records = 0;
    EXPECT_FALSE(Problems(std::string_view(bytes).substr(0, size), &records).empty());
    EXPECT_GE(records, before);
    before = records;
  }
  EXPECT_EQ(before, 4u);
}

TEST_F(PackTest, RefusesNewerFormats) {
  std::string bytes = Write();
  PackHeader header;
  std::memcpy(&header, bytes.data(), sizeof header);
  header.format_version = 2;
  header.checksum = Checksum(BytesOf(header).substr(0, 56));
  bytes.replace(0, sizeof header, BytesOf(header));
  const auto index = ReadPackIndex(MemorySource(bytes), "pack");
  ASSERT_FALSE(index);
  EXPECT_EQ(index.error()[0].code, Code::kNewerVersion);
}

TEST_F(PackTest, DoesNotReplaceAPack) {
  Write();
  PackHeader header;
  EXPECT_FALSE(PackWriter::Create(Path("17.pack"), header));
}

TEST(PackNameTest, OneNumberHasOneName) {
  EXPECT_EQ(PackName(17), "packs/0000000017.pack");
  EXPECT_EQ(SequenceOf("0000000017.pack"), 17u);
  EXPECT_EQ(SequenceOf("12345678901.pack"), 12345678901u);
  for (const char* name :
       {"17.pack", "00000000017.pack", "0000000000.pack", "000000001x.pack", "0000000017", ".pack"})
    EXPECT_EQ(SequenceOf(name), 0u) << name;
}

}  // namespace
}  // namespace shlo::archive
