// Packs: what is written is read, and whatever is damaged is found.
#include <errno.h>
#include <gtest/gtest.h>

#include <functional>

#include "archive/census.h"
#include "archive/codec.h"
#include "archive/limits.h"
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

  // Returns a pack with other flags and records, whose checksums are right nevertheless.
  std::string Rewritten(std::string_view bytes, uint32_t flags,
                        const std::function<void(RecordHeader& header, std::string& stored)>& edit) {
    const MemorySource source(bytes);
    const PackIndex index = Must(ReadPackIndex(source, "pack"));
    PackHeader pack_header = index.header;
    pack_header.flags = flags;
    const std::string path = Path("rewritten.pack");
    std::filesystem::remove(path);
    auto pack = Must(PackWriter::Create(path, pack_header));
    for (const PackRecord& record : index.records) {
      RecordHeader header = record.header;
      std::string stored = Must(ReadStored(source, "pack", record));
      edit(header, stored);
      Seal(&header);
      pack->Copy(header, stored);
    }
    Must(pack->Finish());
    return ReadFile(path);
  }

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

TEST_F(PackTest, RefusesFlagsThatItDoesNotKnow) {
  const std::string bytes = Rewritten(Write(), 4, [](RecordHeader&, std::string&) {});
  const auto index = ReadPackIndex(MemorySource(bytes), "17.pack");
  ASSERT_FALSE(index);
  EXPECT_EQ(Words(index.error()),
            "17.pack: error: the pack has flags that this release does not know [newer-version]\n  hint: "
            "update shlo-compat\n");
  EXPECT_EQ(index.error()[0].code, Code::kNewerVersion);
}

TEST_F(PackTest, AHeaderWithAValidChecksumIsNotTrusted) {
  constexpr const char* kValues = "the header of a record has values that this release does not know";
  constexpr const char* kSizes = "the header of a record has sizes that cannot be right";
  constexpr const char* kOrdinal = "the header of a record has no valid ordinal";
  const struct {
    const char* what;
    RecordKind of;
    const char* problem;
    void (*edit)(RecordHeader&);
  } rows[] = {
      {"kind 0", RecordKind::kData, kValues, [](RecordHeader& h) { h.kind = RecordKind(0); }},
      {"kind 5", RecordKind::kData, kValues, [](RecordHeader& h) { h.kind = RecordKind(5); }},
      {"encoding 2", RecordKind::kData, kValues, [](RecordHeader& h) { h.encoding = Encoding(2); }},
      {"3 planes", RecordKind::kData, kValues, [](RecordHeader& h) { h.planes = 3; }},
      {"reserved byte", RecordKind::kData, kValues, [](RecordHeader& h) { h.zero = 1; }},
      {"more than 4 MiB", RecordKind::kData, kSizes, [](RecordHeader& h) { h.size = kMaxData + 1; }},
      {"a line of more than 16 MiB", RecordKind::kEntry, kSizes,
       [](RecordHeader& h) { h.size = kMaxLine + 1; }},
      {"raw of another size", RecordKind::kEntry, kSizes, [](RecordHeader& h) { h.size += 1; }},
      {"raw in planes", RecordKind::kEntry, kSizes, [](RecordHeader& h) { h.planes = 2; }},
      {"nothing that decompresses to something", RecordKind::kData, kSizes,
       [](RecordHeader& h) { h.stored = 0; }},
      {"a ratio of no compressor", RecordKind::kData, kSizes,
       [](RecordHeader& h) { h.size = h.stored * (kMaxRatio + 1); }},
      {"a line out of proportion", RecordKind::kEntry, kSizes,
       [](RecordHeader& h) {
         h.encoding = Encoding::kZstd;
         h.size = kSmallLine + 1;
       }},
      {"an ordinal beyond the last one", RecordKind::kEntry, kOrdinal,
       [](RecordHeader& h) { h.ordinal = kMaxNumber + 1; }},
      {"data in the journal", RecordKind::kData, kOrdinal, [](RecordHeader& h) { h.ordinal = 1; }},
      {"an entry out of the journal", RecordKind::kEntry, kOrdinal, [](RecordHeader& h) { h.ordinal = 0; }},
  };
  const std::string whole = Write();
  for (const auto& row : rows) {
    bool done = false;
    const std::string bytes = Rewritten(whole, 0, [&](RecordHeader& header, std::string&) {
      if (header.kind == row.of && !std::exchange(done, true)) row.edit(header);
    });
    size_t records = 9;
    const std::vector<std::string> expected = {"the index does not fit the records", row.problem};
    EXPECT_EQ(Problems(bytes, &records), expected) << row.what;
    // Those before it are kept: three of data are before the entry.
    EXPECT_EQ(records, row.of == RecordKind::kData ? 0u : 3u) << row.what;
  }
}

TEST_F(PackTest, BytesThatBelongToNoRecordAreFound) {
  const std::string bytes = Rewritten(Write(), 0, [](RecordHeader& header, std::string& stored) {
    if (header.kind == RecordKind::kEntry) stored += "more";
  });
  size_t records = 0;
  const std::vector<std::string> problems = Problems(bytes, &records);
  ASSERT_FALSE(problems.empty());
  EXPECT_EQ(problems[0], "there are bytes between the records and the index");
  EXPECT_EQ(records, 4u);
}

TEST_F(PackTest, AReadThatFailsIsNoDamage) {
  // A disk with a byte that cannot be read.
  class BadDisk : public ByteSource {
   public:
    BadDisk(std::string_view bytes, uint64_t bad) : bytes_(bytes), bad_(bad) {}
    uint64_t size() const override { return bytes_.size(); }
    int ReadAt(uint64_t offset, uint64_t size, char* out) const override {
      return offset <= bad_ && bad_ - offset < size ? EIO : MemorySource(bytes_).ReadAt(offset, size, out);
    }

   private:
    const std::string_view bytes_;
    const uint64_t bad_;
  };
  const std::string whole = Write(), failure = "17.pack: error: cannot read: Input/output error [io]\n";
  std::string damaged = whole;  // so that its records are walked through
  damaged[whole.size() - 1] = char(damaged[whole.size() - 1] ^ 1);
  const PackIndex index = Must(ReadPackIndex(MemorySource(whole), "pack"));
  const uint64_t record = index.records[1].offset;
  const struct {
    const std::string& bytes;
    uint64_t bad;
  } rows[] = {{whole, 63}, {whole, whole.size() - 65}, {whole, whole.size() - 1}, {damaged, record + 7}};
  for (const auto& [bytes, bad] : rows) {
    const auto read = ReadPackIndex(BadDisk(bytes, bad), "17.pack");
    ASSERT_FALSE(read) << bad;
    EXPECT_EQ(Words(read.error()), failure) << bad;
    EXPECT_EQ(read.error()[0].code, Code::kIo);
  }
  for (const uint64_t bad : {record + 7, record + sizeof(RecordHeader)}) {
    const auto stored = ReadStored(BadDisk(whole, bad), "17.pack", index.records[1], /*whole=*/true);
    ASSERT_FALSE(stored) << bad;
    EXPECT_EQ(Words(stored.error()), failure) << bad;
  }
}

TEST_F(PackTest, RefusesRecordsThatNoReaderTakes) {
  PackHeader header;
  header.sequence = 17;
  auto pack = Must(PackWriter::Create(Path("17.pack"), header));
  for (const RecordKind kind : {RecordKind::kEntry, RecordKind::kCensus}) {
    const auto line = pack->Add(kind, IdOf("x"), kMaxLine + 1, {}, 1);
    ASSERT_FALSE(line);
    EXPECT_EQ(Words(line.error()), "error: a record of 16777217 bytes exceeds 16 MiB [limit]\n");
    EXPECT_EQ(line.error()[0].code, Code::kLimit);
  }
  const auto data = pack->Add(RecordKind::kData, IdOf("x"), kMaxData + 1, {});
  ASSERT_FALSE(data);
  EXPECT_EQ(Words(data.error()), "error: a record of 4194305 bytes exceeds 4 MiB [limit]\n");
  EXPECT_FALSE(pack->Add(RecordKind::kEntry, IdOf("x"), 0, {}, kMaxNumber + 1));
  // Without them, the pack is whole.
  Must(pack->Finish());
  EXPECT_TRUE(Problems(ReadFile(Path("17.pack"))).empty());
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
  for (const char* name : {"17.pack", "00000000017.pack", "0000000000.pack", "000000001x.pack", "0000000017",
                           ".pack", "281474976710657.pack", "18446744073709551615.pack"})
    EXPECT_EQ(SequenceOf(name), 0u) << name;
}

}  // namespace
}  // namespace shlo::archive
