// Archives whose checksums are right and whose content is not: whoever wrote them meant harm, or had a fault.
// Each is found by verification, and nothing that reads it believes it.
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <functional>

#include "archive/list_record.h"
#include "archive/pack_reader.h"
#include "archive/pack_writer.h"
#include "archive/state.h"
#include "archive/test_archive.h"

namespace shlo::archive {
namespace {

namespace fs = std::filesystem;

// A record, with its content in place of what is stored.
struct Forged {
  RecordHeader header;
  std::string content;
};

class ForgedTest : public ArchiveTest {
 protected:
  static std::string Head() { return ProgramWith(CommentBytes(3000, 1)).substr(0, 3000); }
  static std::string File() { return Head() + Weights(); }
  static std::string Weights() { return CommentBytes(40'000, 2); }

  // Adds a model that is a list of two pieces, in the first pack.
  void AddModel() {
    const Archive archive = Open();
    Writer writer = Must(Writer::Begin(archive, Options()));
    const ConstantRange range{3000, Weights().size()};
    Add(writer, "a", File(), {&range, 1});
    Must(writer.Commit());
  }
  // Writes a pack again with other records, and removes the catalog.
  void Forge(const std::string& path, const std::function<void(std::vector<Forged>&)>& edit) {
    const std::string bytes = ReadFile(path);
    const MemorySource source(bytes);
    const PackIndex index = Must(ReadPackIndex(source, path));
    std::vector<Forged> records;
    for (const PackRecord& record : index.records)
      records.push_back(
          {record.header, Must(DecodeRecord(path, record, Must(ReadStored(source, path, record))))});
    edit(records);
    fs::remove(path);
    auto pack = Must(PackWriter::Create(path, index.header));
    for (const Forged& record : records) {
      StoredContent stored;
      stored.raw = record.content;
      Must(pack->Add(record.header.kind, record.header.id, record.content.size(), stored,
                     record.header.ordinal));
    }
    Must(pack->Finish());
    fs::remove(Folder() + "/catalog.sqlite");
  }
  static Forged& Of(std::vector<Forged>& records, RecordKind kind) {
    return *std::ranges::find(records, kind, [](const Forged& f) { return f.header.kind; });
  }
  static std::string List(const std::vector<ListPart>& parts) {
    ListContent list;
    list.parts = parts;
    for (const ListPart& part : parts) list.size += part.contributes();
    return WriteList(list);
  }
  static std::string MalformedList(const ContentId& id) {
    return fmt::format("the list of {} is malformed", IdText(id));
  }
  // Lists the findings of verification, one line for each damage, with the models.
  std::vector<std::string> Damage() const {
    std::vector<std::string> out;
    for (const ArchiveDamage& d : Must(Scrub(Open(), {.assemble = true})).damage)
      out.push_back(fmt::format("{} [{}]", d.what, fmt::join(d.models, " ")));
    return out;
  }
};

TEST_F(ForgedTest, ContentThatIsNotWhatItsRecordSaysIsFound) {
  const std::string malformed = MalformedList(IdOf(File())), inner = MalformedList(IdOf("digits"));
  const std::string other = fmt::format("the assembled bytes differ from {}", IdText(IdOf(File())));
  const ContentId weights = IdOf(Weights());
  const ListPart first = {PartCode::kPiece, 3000, IdOf(Head()), {}};
  const auto list_of = [](std::vector<Forged>& records) -> Forged& { return Of(records, RecordKind::kList); };
  const struct {
    const char* what;
    std::function<void(std::vector<Forged>&)> edit;
    std::string found;  // by verification
    std::string read;   // what reading the model says
    Code code;
    std::string imported;  // what import says
  } rows[] = {
      {"no list", [&](auto& records) { list_of(records).content = "\xff"; }, "a list is malformed", malformed,
       Code::kMalformed, malformed},
      {"a list of itself",
       [&](auto& records) {
         list_of(records).content = List({{PartCode::kPiece, File().size(), IdOf(File()), {}}});
       },
       malformed, malformed, Code::kMalformed, malformed},
      {"a piece of another size",
       [&](auto& records) {
         list_of(records).content =
             List({first, {PartCode::kPiece, 39'999, weights, {}}, {PartCode::kLiteral, 1, {}, "x"}});
       },
       malformed, malformed, Code::kMalformed, malformed},
      {"digits of digits",
       [&](auto& records) {
         Forged digits = list_of(records);
         digits.header.id = IdOf("digits");
         digits.content = List({{PartCode::kHexPiece, 3000, first.id, {}}});
         list_of(records).content = List({{PartCode::kHexPiece, 6000, IdOf("digits"), {}},
                                          {PartCode::kPiece, 40'000 - 9000, weights, {}}});
         records.push_back(digits);
       },
       inner, inner, Code::kMalformed, inner},
      {"other pieces",
       [&](auto& records) {
         list_of(records).content = List({{PartCode::kPiece, 40'000, weights, {}}, first});
       },
       other, other, Code::kChecksum, other},
      {"other data",
       [&](auto& records) {
         for (Forged& record : records)
           if (record.header.id == weights) record.content[5] = char(record.content[5] ^ 1);
       },
       "the content of a record is not the one that its id names", other, Code::kChecksum, other},
      {"a missing piece",
       [&](auto& records) {
         std::erase_if(records, [&](const Forged& f) { return f.header.id == weights; });
       },
       fmt::format("the archive does not have the bytes of {}", IdText(weights)),
       fmt::format("the archive does not have the bytes of {}", IdText(weights)), Code::kMalformed,
       fmt::format("the archive does not have the bytes of {}", IdText(weights))},
  };
  AddModel();
  const std::string whole = ReadFile(Pack(1));
  for (const auto& row : rows) {
    SCOPED_TRACE(row.what);
    PutFile(Pack(1), whole);
    Forge(Pack(1), row.edit);
    const std::vector<std::string> damage = Damage();
    ASSERT_FALSE(damage.empty());
    EXPECT_EQ(damage[0], row.found + " [a@1]");
    const Archive archive = Open();
    const auto loaded = archive.LoadForm(Must(archive.Find("a")), 0);
    ASSERT_FALSE(loaded);
    EXPECT_EQ(loaded.error()[0].message, row.read);
    EXPECT_EQ(loaded.error()[0].code, row.code);
    EXPECT_EQ(loaded.error()[0].place.file, Folder());
    EXPECT_EQ(loaded.error()[0].hint.substr(0, 32), "run 'shlo-compat archive verify'");
    fs::remove_all(Path("other"));
    Must(Archive::Create(Path("other"), {}));
    Writer writer = Must(Writer::Begin(Open(Path("other")), Options()));
    const auto imported = Import(writer, Folder());
    ASSERT_FALSE(imported);
    EXPECT_EQ(imported.error()[0].message, row.imported);
    EXPECT_EQ(imported.error()[0].place.file, Folder());
  }
}

TEST_F(ForgedTest, ExportWritesNothingOfWhatIsMalformed) {
  AddModel();
  Forge(Pack(1), [](auto& records) { Of(records, RecordKind::kList).content = "\xff"; });
  const Archive archive = Open();
  const auto exported = Export(archive, Must(archive.Select({})), Path("bundle"), nullptr);
  ASSERT_FALSE(exported);
  EXPECT_EQ(exported.error()[0].message, MalformedList(IdOf(File())));
  EXPECT_EQ(exported.error()[0].place.file, Folder());
  EXPECT_FALSE(fs::exists(Path("bundle")));
  // Prune removes nothing as garbage while a list cannot be read, either.
  EXPECT_FALSE(Prune(archive, Options(), {}));
  EXPECT_TRUE(fs::exists(Pack(1)));
}

TEST_F(ForgedTest, ACensusThatIsMalformedReplacesNothing) {
  AddModel();
  Forge(Pack(1), [](auto& records) {
    Forged census = records[0];
    census.header.kind = RecordKind::kCensus;
    census.header.id = IdOf("\xff");
    census.content = "\xff";
    records.push_back(census);
  });
  EXPECT_EQ(Damage(), (std::vector<std::string>{"a census is malformed []"}));
  EXPECT_EQ(Bytes(Open(), "a"), File());
}

// Packs that only a census names: without the catalog, nothing else does.
TEST_F(ForgedTest, PacksOfTheCensusAreThere) {
  AddModel();
  AddAll(Open(), {{"b", RandomBytes(40'000, 3)}});
  {
    Writer writer = Must(Writer::Begin(Open(), Options()));
    Must(writer.Remove(Must(Open().Find("b"))));
    Must(writer.Commit());
  }
  // The pack of b is written again without its data; the other two stay, and the census lists them.
  EXPECT_EQ(Must(Prune(Open(), Options(), {.small = 0})).rewritten, 1u);
  const std::string whole = ReadFile(Pack(1));
  ASSERT_TRUE(Damage().empty());
  // A pack that is as valid, with its records in another order.
  Forge(Pack(1), [](auto& records) { std::swap(records[0], records[1]); });
  EXPECT_EQ(Damage(), (std::vector<std::string>{"the pack is not the one that the census lists []"}));
  EXPECT_EQ(Bytes(Open(), "a"), File());
  fs::remove(Pack(1));
  fs::remove(Folder() + "/catalog.sqlite");
  const ScrubReport report = Must(Scrub(Open()));
  ASSERT_EQ(report.damage.size(), 1u);
  EXPECT_EQ(report.damage[0].what, "the pack is missing");
  EXPECT_EQ(report.damage[0].place.file, Pack(1));
  // Each machine that verifies a part sees the same of the whole.
  EXPECT_EQ(Must(Scrub(Open(), {.part = {1, 3}})).damage.size(), 1u);
  PutFile(Pack(1), whole);
  EXPECT_TRUE(Damage().empty());
}

TEST_F(ForgedTest, ABundleThatIsNotWholeIsRefused) {
  AddModel();
  const Archive from = Open();
  Must(Export(from, Must(from.Select({})), Path("whole"), nullptr));
  Must(Archive::Create(Path("other"), {}));
  const ContentId weights = IdOf(Weights());
  const struct {
    std::function<void(std::vector<Forged>&)> edit;
    std::string message;
    std::string hint;
  } rows[] = {
      {[&](auto& records) {
         std::erase_if(records, [&](const Forged& f) { return f.header.id == weights; });
       },
       fmt::format("it does not have the bytes of {}", IdText(weights)), ""},
      {[&](auto& records) {
         for (Forged& record : records)
           if (record.header.id == weights) record.content[5] = char(record.content[5] ^ 1);
       },
       fmt::format("the assembled bytes differ from {}", IdText(IdOf(File()))),
       "run 'shlo-compat archive verify'"},
  };
  for (const auto& row : rows) {
    fs::remove(Path("bundle"));
    fs::copy(Path("whole"), Path("bundle"));
    Forge(Path("bundle"), row.edit);
    {
      Writer writer = Must(Writer::Begin(Open(Path("other")), Options()));
      const auto imported = Import(writer, Path("bundle"));
      ASSERT_FALSE(imported);
      EXPECT_EQ(imported.error()[0].message, row.message);
      EXPECT_EQ(imported.error()[0].place.file, Path("bundle"));
      EXPECT_EQ(imported.error()[0].hint, row.hint);
    }
    EXPECT_EQ(NumPacks(Path("other")), 0u);
  }
}

}  // namespace
}  // namespace shlo::archive
