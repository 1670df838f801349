// The file of a catalog is used if it is whole, and otherwise made again from the packs, whatever happened to
// it.
#include "archive/catalog.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstring>
#include <functional>
#include <random>
#include <thread>

#include "archive/state.h"
#include "archive/test_archive.h"
#include "base/test_sanitizers.h"

namespace shlo::archive {
namespace {

class CatalogTest : public ArchiveTest {
 protected:
  void SetUp() override {
    ArchiveTest::SetUp();
    AddAll(Open(), {{"net", RandomBytes(3000, 1)}, {"other", "other"}});
    AddAll(Open(), {{"net", RandomBytes(3000, 2)}});
    path_ = Folder() + "/catalog.sqlite";
    whole_ = ReadFile(path_);
    id_ = Open().state().id;
    digests_ = Must(Open().state().catalog->Digests());
  }

  // The archive says what its packs say, and the file is whole again.
  void ExpectTruth(const std::string& what, const std::string& catalog = {}) {
    SCOPED_TRACE(what);
    const Archive archive = Must(Archive::Open(Folder(), {.catalog = catalog, .limits = {}}));
    std::string labels;
    for (const ArchivedModel& model : Must(archive.Select({}))) labels += model.label() + " ";
    EXPECT_EQ(labels, "net@1 net@2 other@1 ");
    EXPECT_EQ(Bytes(archive, "net@1"), RandomBytes(3000, 1));
    EXPECT_EQ(Bytes(archive, "other"), "other");
    EXPECT_EQ(Must(archive.state().catalog->Digests()), digests_);
    EXPECT_EQ(Must(Open().Find("net")).version, 2u);
  }
  bool IsWhole() const { return Catalog::Read(path_, id_) != nullptr; }

  // Changes the image, and states its checksum as it is then.
  std::string Sealed(std::string image) const {
    std::string trailer = whole_.substr(whole_.size() - 64);
    const uint64_t size = image.size(), checksum = Checksum(image);
    std::memcpy(trailer.data() + 24, &size, 8);
    std::memcpy(trailer.data() + 32, &checksum, 8);
    const uint64_t own = Checksum(std::string_view(trailer).substr(0, 56));
    std::memcpy(trailer.data() + 56, &own, 8);
    return image + trailer;
  }
  std::string Image() const { return whole_.substr(0, whole_.size() - 64); }
  std::string WithSql(const std::string& sql) const {
    const std::string image = Image();
    auto db = Must(Database::Open(image.size(), [&](char* to) -> Result<void> {
      std::memcpy(to, image.data(), image.size());
      return {};
    }));
    db->Run(sql);
    Must(db->status());
    return Sealed(std::string(db->Image()));
  }

  ArchiveId id_ = {};
  std::string path_, whole_;
  std::map<std::string, std::string> digests_;
};

TEST_F(CatalogTest, EveryFlippedByteIsFound) {
  ASSERT_TRUE(IsWhole());
  std::fstream file(path_, std::ios::binary | std::ios::in | std::ios::out);
  const auto put = [&](size_t at, char byte) {
    file.seekp(std::streamoff(at));
    file.put(byte);
    file.flush();
  };
  std::mt19937 random(1);
  size_t flipped = 0, believed = 0;
  SomeCases some(64);
  for (size_t at = 0; at < whole_.size(); ++at) {
    if (!some.Next()) continue;
    put(at, char(whole_[at] ^ char(1 << random() % 8)));
    believed += IsWhole();
    put(at, whole_[at]);
    ++flipped;
  }
  EXPECT_EQ(believed, 0u) << "of " << flipped;
  EXPECT_TRUE(IsWhole());
}

TEST_F(CatalogTest, ADamagedCatalogIsMadeAgain) {
  std::mt19937 random(2);
  for (int i = 0; i < (kSanitized ? 30 : 300); ++i) {
    std::string damaged = whole_;
    const size_t at = random() % damaged.size(), size = i % 3 == 0 ? 512 : 1;
    for (size_t k = at; k < std::min(at + size, damaged.size()); ++k) damaged[k] = char(~damaged[k]);
    PutFile(path_, damaged);
    ExpectTruth(fmt::format("{} bytes at {}", size, at));
    EXPECT_TRUE(IsWhole());
  }
}

TEST_F(CatalogTest, WritersBelieveNoDamageEither) {
  // Names as another one has them: a writer would give their versions again.
  for (int i = 3; i < 6; ++i) {
    std::string damaged = ReadFile(path_);
    for (size_t at = 0; (at = damaged.find("net", at)) != damaged.npos;) damaged.replace(at, 3, "nxt");
    PutFile(path_, damaged);
    AddAll(Open(), {{"net", RandomBytes(3000, uint64_t(i))}});
    EXPECT_EQ(Must(Open().Find("net")).version, uint64_t(i));
  }
  for (const ArchivedModel& model : Must(Open().Select({}))) EXPECT_FALSE(model.shadowed);
}

TEST_F(CatalogTest, FilesThatAreCutOrSomethingElse) {
  for (const size_t size : {size_t(0), size_t(1), size_t(63), size_t(64), size_t(65), size_t(100),
                            size_t(4096), whole_.size() / 2, whole_.size() - 65, whole_.size() - 1}) {
    PutFile(path_, whole_.substr(0, size));
    ExpectTruth(fmt::format("{} bytes", size));
    EXPECT_TRUE(IsWhole());
  }
  PutFile(path_, whole_ + "more");
  ExpectTruth("longer");
  PutFile(path_, Image());
  ExpectTruth("of SQLite alone");
  PutFile(path_, RandomBytes(100'000, 3));
  ExpectTruth("random bytes");
  // That of another archive.
  Must(Archive::Create(Path("b")));
  AddAll(Open(Path("b")), {{"net", "another"}});
  PutFile(path_, ReadFile(Path("b") + "/catalog.sqlite"));
  ExpectTruth("of another archive");
  EXPECT_TRUE(IsWhole());
}

TEST_F(CatalogTest, OtherThingsInItsPlace) {
  PutFile(Path("mine"), "mine");
  for (const std::string& target :
       std::vector<std::string>{Path("mine"), Path("nothing"), Folder() + "/packs", "catalog.sqlite"}) {
    std::filesystem::remove(path_);
    std::filesystem::create_symlink(target, path_);
    ExpectTruth("a link to " + target);
    EXPECT_TRUE(std::filesystem::is_regular_file(std::filesystem::symlink_status(path_)));
  }
  EXPECT_EQ(ReadFile(Path("mine")), "mine");
  EXPECT_FALSE(std::filesystem::exists(Path("nothing")));
  std::filesystem::remove(path_);
  ASSERT_EQ(::mkfifo(path_.c_str(), 0600), 0);
  ExpectTruth("a pipe");
  std::filesystem::remove(path_);
  std::filesystem::create_directory(path_);
  PutFile(path_ + "/mine", "mine");
  ExpectTruth("a folder");
  EXPECT_EQ(Words(Open().warnings()),
            fmt::format("{0}: warning: the catalog cannot be kept: cannot remove: Is a directory [io]\n"
                        "  hint: pass --catalog=FILE to put it elsewhere\n",
                        path_));
  EXPECT_EQ(ReadFile(path_ + "/mine"), "mine");
}

TEST_F(CatalogTest, ElsewhereOnlyCatalogsAreReplaced) {
  PutFile(Path("mine"), "not a catalog, although somebody calls it one");
  ExpectTruth("a file of somebody", Path("mine"));
  EXPECT_EQ(ReadFile(Path("mine")), "not a catalog, although somebody calls it one");
  const Archive archive = Must(Archive::Open(Folder(), {.catalog = Path("mine"), .limits = {}}));
  EXPECT_NE(Words(archive.warnings()).find("the file is not a catalog"), std::string::npos);
  for (const std::string& was : std::vector<std::string>{"", whole_.substr(0, 5000), "x" + whole_}) {
    PutFile(Path("elsewhere"), was);
    ExpectTruth(fmt::format("{} bytes", was.size()), Path("elsewhere"));
    EXPECT_NE(Catalog::Read(Path("elsewhere"), archive.state().id), nullptr);
  }
}

// With a checksum that is right, somebody wrote it so.
TEST_F(CatalogTest, NothingElseIsInACatalog) {
  PutFile(path_, Sealed(Image()));
  EXPECT_TRUE(IsWhole());
  for (const char* sql :
       {"CREATE TRIGGER t AFTER INSERT ON packs BEGIN DELETE FROM packs; END", "CREATE VIEW v AS SELECT 1",
        "DROP INDEX entries_by_id", "ALTER TABLE models ADD COLUMN lie TEXT AS (name || name)",
        "DROP TABLE models; CREATE VIEW models AS SELECT * FROM entries", "PRAGMA user_version=1",
        "DROP TABLE models; CREATE TABLE models(name TEXT CHECK(length(name) < 5))", "DELETE FROM archive"}) {
    PutFile(path_, WithSql(sql));
    EXPECT_FALSE(IsWhole()) << sql;
    ExpectTruth(sql);
    EXPECT_TRUE(IsWhole()) << sql;
  }
}

TEST_F(CatalogTest, PagesThatSqliteCannotUseAreMadeAgain) {
  std::mt19937 random(4);
  for (int i = 0; i < (kSanitized ? 60 : 600); ++i) {
    std::string image = Image();
    // Types of pages, numbers of cells, their places, and the count of pages in the header.
    const size_t page = random() % (image.size() / 4096) * 4096;
    const size_t at = i % 4 == 0 ? 16 + random() % 84 : page + (page == 0 ? 100 : 0) + random() % 40;
    image[at] = char(random());
    if (i % 7 == 0) image.resize(image.size() - 4096);
    PutFile(path_, Sealed(std::move(image)));
    const auto archive = Archive::Open(Folder());
    ASSERT_TRUE(archive) << at << Words(archive.error());
    const auto models = archive->Select({});
    EXPECT_TRUE(models) << at << Words(models.error());
    const auto stats = archive->Stats();
    EXPECT_TRUE(stats) << at << Words(stats.error());
    const auto journal = archive->Journal();
    EXPECT_TRUE(journal) << at << Words(journal.error());
  }
}

TEST_F(CatalogTest, NothingIsAddedThatNoCatalogHasRoomFor) {
  const Archive archive = Open();
  archive.state().most_catalog = 10'000;
  Writer writer = Must(Writer::Begin(archive, Options()));
  EXPECT_TRUE(writer.AddBytes("other"));  // already in the archive
  const auto added = writer.AddBytes("more");
  ASSERT_FALSE(added);
  EXPECT_EQ(added.error()[0].code, Code::kLimit);
  Must(writer.Remove(Must(archive.Find("other"))));
  Must(writer.Commit());
}

// --- One moment -----------------------------------------------------------------------------------------

TEST_F(CatalogTest, AReaderKeepsItsMoment) {
  const Archive reader = Open();
  const Archive writer = Open();
  AddAll(writer, {{"new", "new"}});
  {
    Writer remove = Must(Writer::Begin(writer, Options()));
    Must(remove.Remove(Must(writer.Find("other"))));
    Must(remove.Commit());
  }
  EXPECT_EQ(Must(reader.Select({})).size(), 3u);
  EXPECT_FALSE(Must(reader.Find("other")).removed);
  EXPECT_EQ(Bytes(reader, "other"), "other");
  Must(Prune(writer, Options(), {}));
  // Its packs have gone: it looks again, and finds what is still there.
  EXPECT_EQ(Bytes(reader, "net@2"), RandomBytes(3000, 2));
  EXPECT_EQ(Must(reader.Select({})).size(), 3u);
  EXPECT_FALSE(reader.Find("other"));
}

TEST_F(CatalogTest, WhatWasRemovedWhileItWasReadIsNoDamage) {
  const Archive reader = Open();
  const ArchivedModel model = Must(reader.Find("other"));
  const Archive writer = Open();
  {
    Writer remove = Must(Writer::Begin(writer, Options()));
    Must(remove.Remove(model));
    Must(remove.Commit());
  }
  Must(Prune(writer, Options(), {}));
  const auto loaded = reader.LoadForm(model, 0);
  ASSERT_FALSE(loaded);
  EXPECT_EQ(Words(loaded.error()),
            fmt::format("{}: error: other@1 was removed while it was read [usage]\n"
                        "  hint: run 'shlo-compat archive ls' to see what the archive has\n",
                        Folder()));
  EXPECT_TRUE(Must(Scrub(reader, {.assemble = true})).damage.empty());
}

TEST_F(CatalogTest, ACatalogThatMissedACensusMissesNoPacks) {
  // Each machine may have its own catalog, and one may not look for a year.
  const std::string own = Path("own.sqlite");
  const auto look = [&] { return Must(Archive::Open(Folder(), {.catalog = own, .limits = {}})); };
  const Archive before = look();
  for (int i = 0; i < 3; ++i) {
    AddAll(Open(), {{"more", RandomBytes(100, uint64_t(i))}});
    Must(Prune(Open(), Options(), {}));
  }
  EXPECT_TRUE(Must(Scrub(before, {.assemble = true})).damage.empty());
  const Archive after = look();
  EXPECT_EQ(Words(after.warnings()), "");
  EXPECT_TRUE(Must(CompareCatalog(after)).empty());
  EXPECT_EQ(Must(after.state().catalog->Digests()), Must(Open().state().catalog->Digests()));
  Must(Prune(after, Options(), {}));
  // One that is lost is still missed.
  AddAll(after, {{"last", "last"}});
  const uint64_t last = *look().state().listed.rbegin();
  std::filesystem::remove(Pack(last));
  EXPECT_NE(Words(look().warnings()).find("the pack is missing"), std::string::npos);
  EXPECT_EQ(Must(Scrub(look())).damage.size(), 1u);
}

TEST_F(CatalogTest, ReadersSeeNoDamageBesideWriters) {
  std::atomic<bool> stop = false;
  std::vector<std::thread> writers;
  for (uint64_t t = 0; t < 2; ++t)
    writers.emplace_back([&, t] {
      WriterOptions options = Options();
      options.wait_seconds = 60;
      for (uint64_t i = 0; !stop; ++i) {
        const Archive archive = Open();
        const std::string name = fmt::format("w{}-{}", t, i);
        {
          Writer writer = Must(Writer::Begin(archive, options));
          Add(writer, name, RandomBytes(500, 100 * t + i));
          Must(writer.Commit());
        }
        {
          Writer writer = Must(Writer::Begin(archive, options));
          Must(writer.Remove(Must(archive.Find(name))));
          Must(writer.Commit());
        }
        Must(Prune(archive, options, {}));
      }
    });
  const size_t rounds = kSanitized ? 10 : 40;
  for (size_t i = 0; i < rounds; ++i) {
    const Archive archive = Open();
    EXPECT_EQ(Words(archive.warnings()), "");
    const ScrubReport report = Must(Scrub(archive, {.assemble = true}));
    for (const ArchiveDamage& damage : report.damage)
      ADD_FAILURE() << damage.place.file << ": " << damage.what;
    EXPECT_TRUE(Must(CompareCatalog(archive)).empty());
    Must(Prune(archive, Options(), {.dry_run = true}));
    EXPECT_EQ(Bytes(archive, "net@1"), RandomBytes(3000, 1));
  }
  stop = true;
  for (std::thread& writer : writers) writer.join();
}

TEST_F(CatalogTest, ALinkForALockIsNotFollowed) {
  PutFile(Path("mine"), "mine");
  std::filesystem::remove(Folder() + "/lock");
  std::filesystem::create_symlink(Path("mine"), Folder() + "/lock");
  std::filesystem::remove(path_);
  ExpectTruth("a link for a lock");
  const auto writer = Writer::Begin(Open(), Options());
  ASSERT_FALSE(writer);
  EXPECT_EQ(ReadFile(Path("mine")), "mine");
}

}  // namespace
}  // namespace shlo::archive
