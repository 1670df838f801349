// Work on whole archives: damage is found and named, repair restores, prune frees and loses nothing.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <set>

#include "archive/pack_format.h"
#include "archive/state.h"
#include "archive/test_bundle.h"

namespace shlo::archive {
namespace {

namespace fs = std::filesystem;

class WorkTest : public ArchiveTest {
 protected:
  // Adds three models in two packs: a and b share their weights.
  void AddModels() {
    const Archive archive = Open();
    {
      Writer writer = Must(Writer::Begin(archive, Options()));
      const ConstantRange range{3000, Weights().size()};
      Add(writer, "a", File(1), {&range, 1});
      Add(writer, "b", File(2), {&range, 1});
      Must(writer.Commit());
    }
    AddAll(archive, {{"c", Third()}});
  }
  static std::string Weights() { return CommentBytes(600'000, 7); }
  static std::string File(uint64_t seed) {
    return ProgramWith(CommentBytes(3000, seed)).substr(0, 3000) + Weights() + CommentBytes(200, seed + 10);
  }
  static std::string Third() { return ProgramWith(CommentBytes(40'000, 9)); }
  void ExpectWhole(const std::string& folder = {}) {
    const Archive archive = Open(folder);
    EXPECT_EQ(Bytes(archive, "a"), File(1));
    EXPECT_EQ(Bytes(archive, "b"), File(2));
    EXPECT_EQ(Bytes(archive, "c"), Third());
    EXPECT_TRUE(Must(CompareCatalog(archive)).empty());
    const ScrubReport report = Must(Scrub(archive, {.assemble = true}));
    EXPECT_TRUE(report.damage.empty()) << report.damage[0].what;
  }
  void Copy(const std::string& to) const { fs::copy(Folder(), Path(to), fs::copy_options::recursive); }
  void Flip(const std::string& path, size_t at) const {
    std::string bytes = ReadFile(path);
    bytes[at] = char(bytes[at] ^ 16);
    PutFile(path, bytes);
  }
  static std::set<std::string> Touched(const ScrubReport& report) {
    std::set<std::string> models;
    for (const ArchiveDamage& damage : report.damage)
      models.insert(damage.models.begin(), damage.models.end());
    return models;
  }
};

TEST_F(WorkTest, EveryFlippedBitIsFoundAndNamesItsModels) {
  AddModels();
  const std::string pack = ReadFile(Pack(1));
  const PackIndex index = Must(ReadPackIndex(MemorySource(pack), "1"));
  std::vector<size_t> places = {0, 9, 20, 33, 45, 60, pack.size() - 64, pack.size() - 1};
  for (size_t i = 0; i < index.records.size(); ++i) {
    places.push_back(index.records[i].offset + 5);
    places.push_back(index.records[i].offset + sizeof(RecordHeader));
    places.push_back(pack.size() - 64 - (index.records.size() - i) * sizeof(RecordHeader) + 40);
  }
  for (const size_t at : places) {
    Flip(Pack(1), at);
    const ScrubReport report = Must(Scrub(Open()));
    EXPECT_FALSE(report.damage.empty()) << at;
    const std::set<std::string> touched = Touched(report);
    // Nothing of this pack is of c.
    EXPECT_FALSE(touched.contains("c@1")) << at;
    EXPECT_TRUE(touched.contains("a@1") || touched.contains("b@1")) << at;
    Flip(Pack(1), at);
  }
  // A shared piece is of both.
  const auto chunk = std::ranges::find_if(index.records, [](const PackRecord& r) {
    return r.header.kind == RecordKind::kData && r.header.size > 16'384;
  });
  Flip(Pack(1), chunk->offset + 1000);
  EXPECT_EQ(Touched(Must(Scrub(Open()))), (std::set<std::string>{"a@1", "b@1"}));
  const auto damaged = Open().Load(Must(Open().Find("a")).forms[0].files[0].id, "a");
  ASSERT_FALSE(damaged);
  EXPECT_EQ(damaged.error()[0].code, Code::kChecksum);
}

TEST_F(WorkTest, AMissingPackNamesItsModels) {
  AddModels();
  fs::remove(Pack(1));
  const ScrubReport report = Must(Scrub(Open()));
  EXPECT_EQ(Touched(report), (std::set<std::string>{"a@1", "b@1"}));
  EXPECT_FALSE(Open().warnings().empty());
  // Without the catalog, the chain tells.
  fs::remove(Folder() + "/catalog.sqlite");
  const ScrubReport again = Must(Scrub(Open()));
  ASSERT_FALSE(again.damage.empty());
  EXPECT_NE(again.damage[0].what.find("does not follow"), std::string::npos) << again.damage[0].what;
}

TEST_F(WorkTest, PartsOfVerificationMakeTheWhole) {
  AddModels();
  ScrubReport all = Must(Scrub(Open()));
  uint64_t records = 0, packs = 0;
  for (uint64_t i = 1; i <= 3; ++i) {
    const ScrubReport part = Must(Scrub(Open(), {.part = {i, 3}}));
    EXPECT_TRUE(part.damage.empty());
    records += part.records;
    packs += part.packs;
  }
  EXPECT_EQ(records, all.records);
  EXPECT_EQ(packs, all.packs);
}

TEST_F(WorkTest, RepairCopiesPacksThatAreDamagedOrMissing) {
  AddModels();
  Copy("copy");
  Flip(Pack(1), 5000);
  fs::remove(Pack(2));
  const std::string copy = Path("copy");
  const RepairReport report = Must(Repair(Open(), {&copy, 1}, Options()));
  EXPECT_EQ(report.packs_copied, 2u);
  EXPECT_TRUE(report.left.empty());
  EXPECT_EQ(ReadFile(Pack(1)), ReadFile(Pack(1, copy)));
  ExpectWhole();
}

TEST_F(WorkTest, RepairCombinesCopiesThatAreBothDamaged) {
  AddModels();
  Copy("copy");
  const PackIndex index = Must(ReadPackIndex(MemorySource(ReadFile(Pack(1))), "1"));
  ASSERT_GT(index.records.size(), 6u);
  Flip(Pack(1), index.records[1].offset + 100);
  Flip(Pack(1), index.records[3].offset + 3);
  const std::string copy = Path("copy");
  Flip(Pack(1, copy), index.records[5].offset + 90);
  const RepairReport report = Must(Repair(Open(), {&copy, 1}, Options()));
  EXPECT_EQ(report.packs_copied, 0u);
  EXPECT_EQ(report.records_repaired, 1u);  // a header has a copy in its own pack
  EXPECT_TRUE(report.left.empty());
  EXPECT_FALSE(fs::exists(Pack(1)));
  ExpectWhole();
}

TEST_F(WorkTest, RepairHealsTablesWithoutACopy) {
  AddModels();
  const size_t size = ReadFile(Pack(1)).size();
  for (const size_t at : {size - 10, size - 100, size_t(30)}) {
    Flip(Pack(1), at);
    const RepairReport report = Must(Repair(Open(), {}, Options()));
    EXPECT_TRUE(report.left.empty()) << at;
    ExpectWhole();
    TearDown();
    SetUp();
    AddModels();
  }
}

TEST_F(WorkTest, RepairReportsWhatNoCopyHas) {
  AddModels();
  const PackIndex index = Must(ReadPackIndex(MemorySource(ReadFile(Pack(1))), "1"));
  Flip(Pack(1), index.records[1].offset + 100);
  const RepairReport report = Must(Repair(Open(), {}, Options()));
  ASSERT_EQ(report.left.size(), 1u);
  EXPECT_FALSE(report.left[0].models.empty());
  EXPECT_EQ(Bytes(Open(), "c"), Third());
}

TEST_F(WorkTest, PruneMergesSmallPacksAndKeepsTheJournal) {
  AddModels();
  for (int i = 0; i < 5; ++i) AddAll(Open(), {{"d", fmt::format("version {}", i)}});
  const auto before = Must(Open().Journal());
  EXPECT_EQ(NumPacks(Folder()), 7u);
  const PruneReport dry = Must(Prune(Open(), Options(), {.dry_run = true}));
  EXPECT_EQ(dry.packs_before, 7u);
  EXPECT_EQ(dry.packs_after, 1u);
  EXPECT_EQ(NumPacks(Folder()), 7u);
  const PruneReport report = Must(Prune(Open(), Options(), {}));
  EXPECT_EQ(report.rewritten, 7u);
  EXPECT_EQ(NumPacks(Folder()), 1u);
  const auto after = Must(Open().Journal());
  ASSERT_EQ(after.size(), before.size());
  for (size_t i = 0; i < before.size(); ++i) {
    EXPECT_EQ(after[i].id, before[i].id);
    EXPECT_EQ(after[i].ordinal, before[i].ordinal);
  }
  ExpectWhole();
  // Again, there is nothing to do.
  EXPECT_EQ(Must(Prune(Open(), Options(), {})).rewritten, 0u);
  fs::remove(Folder() + "/catalog.sqlite");
  ExpectWhole();
  // Numbers go on, and the chain.
  AddAll(Open(), {{"e", "e"}});
  EXPECT_TRUE(fs::exists(Pack(9)));
  ExpectWhole();
}

TEST_F(WorkTest, PruneFreesWhatWasRemoved) {
  AddModels();
  const Archive archive = Open();
  {
    Writer writer = Must(Writer::Begin(archive, Options()));
    Must(writer.Remove(Must(archive.Find("a"))));
    Must(writer.Commit());
  }
  EXPECT_FALSE(archive.Find("a"));
  Must(Prune(archive, Options(), {}));
  EXPECT_EQ(Bytes(Open(), "b"), File(2));
  EXPECT_FALSE(Open().Has(IdOf(File(1))));
  // The number is not used again.
  AddAll(Open(), {{"a", "new"}});
  EXPECT_EQ(Must(Open().Find("a")).version, 2u);
  {
    Writer writer = Must(Writer::Begin(archive, Options()));
    Must(writer.Remove(Must(archive.Find("b"))));
    Must(writer.Commit());
  }
  const PruneReport report = Must(Prune(Open(), Options(), {}));
  EXPECT_LT(report.size_after, 60'000u);
  EXPECT_GT(report.removed_records, 5u);
  EXPECT_TRUE(Must(Scrub(Open())).damage.empty());
  EXPECT_TRUE(Must(CompareCatalog(Open())).empty());
}

TEST_F(WorkTest, ACrashOfPruneLosesNothing) {
  AddModels();
  Copy("before");
  Must(Prune(Open(), Options(), {}));
  // It died after the census, before it removed anything.
  for (const uint64_t i : {1, 2}) fs::copy(Pack(i, Path("before")), Pack(i));
  ExpectWhole();
  // The next writer removes them.
  AddAll(Open(), {{"d", "d"}});
  EXPECT_FALSE(fs::exists(Pack(1)));
  EXPECT_FALSE(fs::exists(Pack(2)));
  ExpectWhole();
}

TEST_F(WorkTest, AReaderFindsWhatPruneMoved) {
  AddModels();
  const Archive reader = Open();
  Must(Prune(Open(), Options(), {}));
  EXPECT_EQ(Bytes(reader, "b"), File(2));
}

TEST_F(WorkTest, PruneRefusesToCopyDamage) {
  AddModels();
  Copy("before");
  const PackIndex index = Must(ReadPackIndex(MemorySource(ReadFile(Pack(1))), "1"));
  Flip(Pack(1), index.records[1].offset + 100);
  EXPECT_FALSE(Prune(Open(), Options(), {}));
  EXPECT_TRUE(fs::exists(Pack(1)));
  EXPECT_TRUE(fs::exists(Pack(2)));
  EXPECT_EQ(Bytes(Open(), "c"), Third());
}

TEST_F(WorkTest, BundlesTakeModelsToAnotherArchive) {
  AddModels();
  const Archive from = Open();
  {
    Writer writer = Must(Writer::Begin(from, Options()));
    Must(writer.Annotate(Must(from.Find("a")), {.add = {"prod"}}));
    Must(writer.Commit());
  }
  Must(Archive::Create(Path("other"), {}));
  const std::vector<std::string> patterns = {"a", "b"};
  const ExportReport exported = Must(Export(from, Must(from.Select(patterns)), Path("ab.bundle"), nullptr));
  EXPECT_EQ(exported.models, 2u);
  const Archive to = Open(Path("other"));
  AddAll(to, {{"a", "another one"}});
  for (int round = 0; round < 2; ++round) {
    Writer writer = Must(Writer::Begin(to, Options()));
    const ImportReport report = Must(Import(writer, Path("ab.bundle")));
    Must(writer.Commit());
    ASSERT_EQ(report.models.size(), 2u);
    EXPECT_EQ(report.models[0].label, "a@2");  // the number was used
    EXPECT_EQ(report.models[1].label, "b@1");
    EXPECT_EQ(report.models[0].existed, round == 1);
    EXPECT_EQ(report.entries, round == 0 ? 3u : 0u);
  }
  EXPECT_EQ(Bytes(to, "a@2"), File(1));
  EXPECT_EQ(Bytes(to, "b"), File(2));
  EXPECT_EQ(Must(to.Find("a@prod")).version, 2u);
  EXPECT_TRUE(Must(Scrub(to, {.assemble = true})).damage.empty());
  EXPECT_TRUE(Must(CompareCatalog(to)).empty());
  // A thin one needs what the other archive has.
  const std::vector<std::string> c = {"a", "c"};
  Must(Export(from, Must(from.Select(c)), Path("thin.bundle"), &to));
  EXPECT_LT(fs::file_size(Path("thin.bundle")), 60'000u);
  Must(Archive::Create(Path("empty"), {}));
  {
    Writer writer = Must(Writer::Begin(Open(Path("empty")), Options()));
    EXPECT_FALSE(Import(writer, Path("thin.bundle")));
  }
  EXPECT_EQ(NumPacks(Path("empty")), 0u);
  Writer writer = Must(Writer::Begin(to, Options()));
  Must(Import(writer, Path("thin.bundle")));
  Must(writer.Commit());
  EXPECT_EQ(Bytes(to, "c"), Third());
}

// Entries that the archive has, has under other ids, or does not want.
TEST_F(WorkTest, ImportKeepsTheMeaningOfEntries) {
  Must(Archive::Create(Path("other"), {}));
  const Archive from = Open(), to = Open(Path("other"));
  AddAll(to, {{"a", "other content"}});
  const std::string content = ProgramWith("content"), newer = ProgramWith("form"),
                    newest = ProgramWith("removed form"), gone = ProgramWith("gone");
  ContentId a, again;
  {
    Writer writer = Must(Writer::Begin(from, Options()));
    NewModel model;
    model.name = "a";
    model.files = {{"net.mlir", Must(writer.AddBytes(content)), content.size()}};
    model.programs = TextForm(content).programs;
    uint64_t version = 0;
    bool existed = false;
    a = Must(writer.AddModel(model, &version, &existed));
    model.again = true;  // meant to be two versions
    again = Must(writer.AddModel(model, &version, &existed));
    model.name = "child";
    model.parents = {again};
    Must(writer.AddModel(model, &version, &existed));
    const auto add_form = [&](const ContentId& of, const std::string& before, const std::string& after) {
      ArchivedForm form = TextForm(after);
      form.from = of;
      Must(writer.AddBytes(after));
      const std::string proof = CertificateText(CertificateOfTexts(before, after));
      form.proofs = {{"", Must(writer.AddBytes(proof)), Evidence::kCongruence}};
      return Must(writer.AddForm(a, form));
    };
    const ContentId kept = add_form(a, content, newer);
    const ContentId removed = add_form(kept, newer, newest);
    ArchivedGolden golden;
    golden.results = {{"result0", "tensor<4xi8>", Must(writer.AddBytes("gold")), 4}};
    Must(writer.AddGolden(a, golden));
    Add(writer, "gone", gone);
    Must(writer.Commit());
    Must(writer.Annotate(Must(from.Find("a@1")), {.add = {"prod"}, .metadata = {{"k", "v"}}}));
    Must(writer.Remove(Must(from.Find("a@1")), removed));
    Must(writer.Remove(Must(from.Find("gone"))));
    Must(writer.Commit());
  }
  for (int round = 0; round < 2; ++round) {
    Writer writer = Must(Writer::Begin(to, Options()));
    const ImportReport report = Must(Import(writer, Folder()));
    Must(writer.Commit());
    std::vector<std::string> labels;
    for (const ImportedModel& model : report.models) {
      labels.push_back(model.label);
      EXPECT_EQ(model.existed, round == 1) << model.label;
    }
    EXPECT_EQ(labels, (std::vector<std::string>{"a@2", "a@3", "child@1"}));
    EXPECT_EQ(report.entries, round == 0 ? 8u : 0u);
    EXPECT_EQ(report.records, round == 0 ? 4u : 0u);  // two files, a certificate and "gold"
  }
  const ArchivedModel model = Must(to.Find("a@2"));
  EXPECT_EQ(Must(to.Find("child")).parents, std::vector<ContentId>{Must(to.Find("a@3")).entry});
  EXPECT_EQ(model.tags, std::vector<std::string>{"prod"});
  EXPECT_EQ(model.metadata.at("k"), "v");
  ASSERT_EQ(model.forms.size(), 3u);
  EXPECT_EQ(model.forms[1].from, model.entry);
  EXPECT_TRUE(model.forms[1].accepted);
  EXPECT_EQ(model.forms[2].from, model.forms[1].entry);
  EXPECT_TRUE(model.forms[2].removed);
  EXPECT_EQ(Must(to.LoadForm(model, 1)).bytes, newer);
  EXPECT_EQ(Must(LoadTensors(to, model.goldens.at(0).results)).size(), 1u);
  EXPECT_FALSE(to.Find("gone"));
  EXPECT_FALSE(to.Has(IdOf(gone)));
  EXPECT_FALSE(to.Has(IdOf(newest)));
  EXPECT_TRUE(Must(Scrub(to, {.assemble = true})).damage.empty());
}

TEST_F(WorkTest, ImportRefusesDamagedBundles) {
  AddModels();
  const Archive from = Open();
  Must(Export(from, Must(from.Select({})), Path("all.bundle"), nullptr));
  Must(Archive::Create(Path("other"), {}));
  const std::string bytes = ReadFile(Path("all.bundle"));
  for (size_t at = 0; at < bytes.size(); at += at < 8000 ? 611 : 50'021) {
    Flip(Path("all.bundle"), at);
    Writer writer = Must(Writer::Begin(Open(Path("other")), Options()));
    EXPECT_FALSE(Import(writer, Path("all.bundle"))) << at;
    Flip(Path("all.bundle"), at);
  }
  // Tables that are damaged, or not there.
  const auto refused = [&](const std::string& damaged) {
    PutFile(Path("all.bundle"), damaged);
    Writer writer = Must(Writer::Begin(Open(Path("other")), Options()));
    const auto imported = Import(writer, Path("all.bundle"));
    return imported ? "" : Words(imported.error()).substr(Path("all.bundle").size());
  };
  std::string trailer = bytes;
  trailer.back() = char(trailer.back() ^ 1);
  EXPECT_EQ(refused(trailer), fmt::format(":byte {}: error: the trailer is damaged [checksum]\n"
                                          "  hint: export it again\n",
                                          bytes.size() - 64));
  EXPECT_EQ(refused(bytes.substr(0, 100)),
            ":byte 100: error: the pack is cut short [checksum]\n  hint: export it again\n");
  EXPECT_EQ(NumPacks(Path("other")), 0u);
}

TEST_F(WorkTest, WholeArchivesAreImported) {
  AddModels();
  Must(Archive::Create(Path("other"), {}));
  {
    Writer writer = Must(Writer::Begin(Open(Path("other")), Options()));
    EXPECT_EQ(Must(Import(writer, Folder())).models.size(), 3u);
    Must(writer.Commit());
  }
  ExpectWhole(Path("other"));
}

TEST_F(WorkTest, AWriterOfBundlesNeedsNoLock) {
  AddModels();
  const Archive archive = Open();
  Writer holder = Must(Writer::Begin(archive, Options()));
  WriterOptions options = Options();
  options.bundle = Path("more.bundle");
  const Archive other = Open();
  {
    Writer writer = Must(Writer::Begin(other, options));
    const ConstantRange range{3000, Weights().size()};
    Add(writer, "a", File(5), {&range, 1});
    Must(writer.Commit());
  }
  EXPECT_LT(fs::file_size(Path("more.bundle")), 10'000u);  // the archive has the weights
  const ImportReport report = Must(Import(holder, Path("more.bundle")));
  Must(holder.Commit());
  EXPECT_EQ(report.models[0].label, "a@2");
  EXPECT_EQ(Bytes(Open(), "a@2"), File(5));
}

TEST_F(WorkTest, OverlapCountsSharedContentOnce) {
  AddModels();
  const Archive archive = Open();
  const ContentOverlap overlap =
      Must(CompareContent(archive, Must(archive.Find("a")), Must(archive.Find("b"))));
  EXPECT_EQ(overlap.shared, Weights().size());
  EXPECT_EQ(overlap.a, File(1).size());
  EXPECT_EQ(overlap.b, File(2).size());
}

}  // namespace
}  // namespace shlo::archive
