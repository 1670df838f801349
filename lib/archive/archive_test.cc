// Archives keep every byte, store equal ones once, and survive whatever happens to the catalog.
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <unistd.h>

#include <functional>
#include <optional>
#include <thread>

#include "archive/journal.h"
#include "archive/list_record.h"
#include "archive/pack_writer.h"
#include "archive/state.h"
#include "archive/test_archive.h"
#include "base/test_sanitizers.h"

namespace shlo::archive {
namespace {

namespace fs = std::filesystem;

TEST_F(ArchiveTest, KeepsBytesOfEverySize) {
  const Archive archive = Open();
  std::vector<std::pair<std::string, std::string>> models;
  for (const size_t size : {0u, 1u, 100u, 5000u, 70'000u, 3'000'000u})
    models.emplace_back(fmt::format("m{}", size), RandomBytes(size, size));
  AddAll(archive, models);
  for (const auto& [name, bytes] : models) EXPECT_EQ(Bytes(archive, name), bytes) << name;
  const Archive again = Open();
  for (const auto& [name, bytes] : models) EXPECT_EQ(Bytes(again, name), bytes) << name;
  EXPECT_TRUE(Must(Scrub(again, {.assemble = true})).damage.empty());
}

TEST_F(ArchiveTest, StoresEqualConstantsOnce) {
  const Archive archive = Open();
  const std::string weights = RandomBytes(1'000'000, 1);
  Writer writer = Must(Writer::Begin(archive, Options()));
  const std::string head = RandomBytes(2000, 2), tail = RandomBytes(50, 3);
  const std::string first = head + weights + tail, second = tail + weights + head;
  const ConstantRange in_first{head.size(), weights.size()}, in_second{tail.size(), weights.size()};
  Add(writer, "first", first, {&in_first, 1});
  const uint64_t before = writer.stored();
  Add(writer, "second", second, {&in_second, 1});
  EXPECT_LT(writer.stored() - before, 2000u);
  Must(writer.Commit());
  EXPECT_EQ(Bytes(archive, "first"), first);
  EXPECT_EQ(Bytes(archive, "second"), second);
}

TEST_F(ArchiveTest, DigitsShareWithBytes) {
  const Archive archive = Open();
  const std::string weights = RandomBytes(500'000, 1);
  std::string digits;
  for (const char c : weights) digits += fmt::format("{:02X}", uint8_t(c));
  Writer writer = Must(Writer::Begin(archive, Options()));
  Add(writer, "bytes", weights);
  const uint64_t before = writer.stored();
  const std::string text = "dense<\"0x" + digits + "\"> : tensor<500000xi8>";
  const ConstantRange range{9, digits.size(), true};
  Add(writer, "text", text, {&range, 1});
  EXPECT_LT(writer.stored() - before, 1500u);
  Must(writer.Commit());
  EXPECT_EQ(Bytes(archive, "text"), text);
}

TEST_F(ArchiveTest, AChangeCostsWhatChanged) {
  const Archive archive = Open();
  std::string weights = RandomBytes(8 << 20, 1);
  AddAll(archive, {{"m", weights}});
  for (size_t i = 3'000'000; i < 3'000'400; ++i) weights[i] = char(~weights[i]);
  Writer writer = Must(Writer::Begin(archive, Options()));
  Add(writer, "m", weights);
  EXPECT_LT(writer.stored(), 600'000u);
  Must(writer.Commit());
  EXPECT_EQ(Bytes(archive, "m@2"), weights);
  EXPECT_NE(Bytes(archive, "m@1"), weights);
}

TEST_F(ArchiveTest, AddingAgainAddsNothing) {
  const Archive archive = Open();
  AddAll(archive, {{"m", "one"}, {"m", "two"}});
  const size_t packs = NumPacks(Folder());
  Writer writer = Must(Writer::Begin(archive, Options()));
  NewModel model;
  model.name = "m";
  model.files.push_back({"m.bin", Must(writer.AddBytes("one")), 3});
  uint64_t version = 0;
  bool existed = false;
  Must(writer.AddModel(model, &version, &existed));
  EXPECT_TRUE(existed);
  EXPECT_EQ(version, 1u);
  Must(writer.Commit());
  EXPECT_EQ(NumPacks(Folder()), packs);
  model.again = true;
  Must(writer.AddModel(model, &version, &existed));
  EXPECT_FALSE(existed);
  EXPECT_EQ(version, 3u);
  Must(writer.Commit());
  model.version = 2;
  EXPECT_FALSE(writer.AddModel(model, &version, &existed));
}

TEST_F(ArchiveTest, NothingIsThereBeforeCommit) {
  const Archive archive = Open();
  {
    Writer writer = Must(Writer::Begin(archive, Options()));
    Add(writer, "m", "bytes");
  }
  EXPECT_FALSE(Open().Find("m"));
  EXPECT_EQ(NumPacks(Folder()), 0u);
}

TEST_F(ArchiveTest, FindsModelsByVersionTagAndPattern) {
  const Archive archive = Open();
  AddAll(archive, {{"vision/net", "1"}, {"vision/net", "2"}, {"text/net", "3"}});
  Writer writer = Must(Writer::Begin(archive, Options()));
  Must(writer.Annotate(Must(archive.Find("vision/net@1")), {.add = {"prod"}, .metadata = {{"k", "v"}}}));
  Must(writer.Commit());
  EXPECT_EQ(Must(archive.Find("vision/net")).version, 2u);
  EXPECT_EQ(Must(archive.Find("vision/net@prod")).version, 1u);
  EXPECT_EQ(Must(archive.Find("vision/net@prod")).metadata.at("k"), "v");
  const auto labels = [&](std::vector<std::string> patterns) {
    std::string out;
    for (const ArchivedModel& model : Must(archive.Select(patterns))) out += model.label() + " ";
    return out;
  };
  EXPECT_EQ(labels({}), "text/net@1 vision/net@1 vision/net@2 ");
  EXPECT_EQ(labels({"vision/net"}), "vision/net@2 ");
  EXPECT_EQ(labels({"vision/*"}), "vision/net@2 ");
  EXPECT_EQ(labels({"vision/net@*"}), "vision/net@1 vision/net@2 ");
  EXPECT_EQ(labels({"**@*"}), "text/net@1 vision/net@1 vision/net@2 ");
  EXPECT_EQ(labels({"**@prod", "text/net@1"}), "text/net@1 vision/net@1 ");
  EXPECT_FALSE(archive.Select(std::vector<std::string>{"vision/nat"}));
  EXPECT_FALSE(archive.Find("vision/net@3"));
  EXPECT_FALSE(archive.Find("vision/net@0"));
  EXPECT_FALSE(archive.Find("vision/net@99999999999999999999"));
}

TEST_F(ArchiveTest, TheCatalogIsMadeAgainAndEqualsItself) {
  AddAll(Open(), {{"a", RandomBytes(300'000, 1)}, {"b", "b"}});
  AddAll(Open(), {{"a", RandomBytes(300'000, 2)}});
  const auto digests = Must(Open().state().catalog->Digests());
  EXPECT_TRUE(Must(CompareCatalog(Open())).empty());
  fs::remove(Folder() + "/catalog.sqlite");
  EXPECT_EQ(Must(Open().state().catalog->Digests()), digests);
  PutFile(Folder() + "/catalog.sqlite",
          "this is not a database, but more than a page of it" + std::string(9000, 'x'));
  EXPECT_EQ(Must(Open().state().catalog->Digests()), digests);
  PutFile(Folder() + "/catalog.sqlite", "");
  EXPECT_EQ(Must(Open().state().catalog->Digests()), digests);
  EXPECT_EQ(Bytes(Open(), "b"), "b");
}

TEST_F(ArchiveTest, AReaderSeesPacksThatTheCatalogDoesNot) {
  AddAll(Open(), {{"a", "a"}});
  const std::string old = ReadFile(Folder() + "/catalog.sqlite");
  AddAll(Open(), {{"b", "b"}});
  PutFile(Folder() + "/catalog.sqlite", old);
  {
    // Another process writes: the reader does not wait.
    auto lock = FolderLock::Try(Folder(), "test");
    ASSERT_NE(lock, nullptr);
    const Archive archive = Open();
    EXPECT_EQ(Bytes(archive, "b"), "b");
    EXPECT_TRUE(archive.state().unsaved);
    EXPECT_TRUE(archive.warnings().empty());
    EXPECT_EQ(ReadFile(Folder() + "/catalog.sqlite"), old);
  }
  EXPECT_EQ(Bytes(Open(), "b"), "b");
  EXPECT_NE(ReadFile(Folder() + "/catalog.sqlite"), old);
}

TEST_F(ArchiveTest, TheSecondWriterIsTold) {
  const Archive archive = Open();
  Writer first = Must(Writer::Begin(archive, Options()));
  std::string holder;
  WriterOptions options = Options();
  options.waiting = [&](const std::string& who) { holder = who; };
  const auto second = Writer::Begin(Open(), options);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error()[0].code, Code::kIo);
  EXPECT_NE(holder.find(fmt::format("process {}", ::getpid())), std::string::npos) << holder;
  EXPECT_NE(second.error()[0].message.find("'write'"), std::string::npos) << second.error()[0].message;
}

TEST_F(ArchiveTest, AWriterThatIgnoresTheLockLosesNothing) {
  const Archive archive = Open();
  Writer writer = Must(Writer::Begin(archive, Options()));
  Add(writer, "mine", "mine");
  // Somebody else takes the same number.
  fs::remove(Folder() + "/lock");
  AddAll(Open(), {{"theirs", "theirs"}});
  const auto late = writer.Commit();
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error()[0].code, Code::kIo);
  EXPECT_EQ(Bytes(Open(), "theirs"), "theirs");
}

TEST_F(ArchiveTest, RefusesFoldersThatAreNoArchives) {
  fs::create_directory(Path("empty"));
  const auto empty = Archive::Open(Path("empty"));
  ASSERT_FALSE(empty);
  EXPECT_EQ(empty.error()[0].code, Code::kUsage);
  EXPECT_EQ(Archive::Open(Path("nowhere")).error()[0].code, Code::kIo);
  EXPECT_EQ(Archive::Create(Folder()).error()[0].code, Code::kUsage);
  EXPECT_FALSE(Archive::Create(Path("b"), "no id"));
  std::string mark = ReadFile(Folder() + "/shlo-archive");
  mark[40] = char(mark[40] ^ 1);
  PutFile(Folder() + "/shlo-archive", mark);
  EXPECT_EQ(Archive::Open(Folder()).error()[0].code, Code::kChecksum);
  PutFile(Folder() + "/shlo-archive", "shlo-compat archive\nformat 2\nid 00112233445566778899aabbccddeeff\n");
  EXPECT_EQ(Archive::Open(Folder()).error()[0].code, Code::kNewerVersion);
}

TEST_F(ArchiveTest, AMarkThatIsNotAnIdIsDamaged) {
  // Its checksum is right: somebody wrote it so.
  for (const char* id : {"0011223344556677zz99aabbccddeeff", "00112233445566778899AABBCCDDEEFF"}) {
    const std::string lines = fmt::format("shlo-compat archive\nformat 1\nid {}\n", id);
    PutFile(Folder() + "/shlo-archive", lines + fmt::format("sha256 {}\n", IdText(IdOf(lines))));
    const auto opened = Archive::Open(Folder());
    ASSERT_FALSE(opened) << id;
    EXPECT_EQ(Words(opened.error()),
              fmt::format("{}/shlo-archive: error: the mark of the archive is damaged [checksum]\n"
                          "  hint: copy the file from another copy of the archive\n",
                          Folder()));
  }
}

TEST_F(ArchiveTest, OnlyANumberIsTheFormatOfANewerArchive) {
  const std::string mark = ReadFile(Folder() + "/shlo-archive");
  for (const char* format : {"1x", "\xb1", "", "one"}) {
    std::string damaged = mark;
    damaged.replace(damaged.find("format 1") + 7, 1, format);
    PutFile(Folder() + "/shlo-archive", damaged);
    const auto opened = Archive::Open(Folder());
    ASSERT_FALSE(opened) << format;
    EXPECT_EQ(opened.error()[0].code, Code::kChecksum) << format;
  }
}

TEST_F(ArchiveTest, RefusesToWriteWhatItCannotKeep) {
  const Archive archive = Open();
  Writer writer = Must(Writer::Begin(archive, Options()));
  uint64_t version = 0;
  bool existed = false;
  const auto add = [&](const std::function<void(NewModel&)>& edit) {
    NewModel model;
    model.name = "m";
    model.files.push_back({"m.bin", Must(writer.AddBytes("one")), 3});
    edit(model);
    const auto added = writer.AddModel(model, &version, &existed);
    return added ? "" : Words(added.error());
  };
  EXPECT_EQ(add([](NewModel& m) { m.files.clear(); }), "error: a model has at least one file [usage]\n");
  EXPECT_EQ(add([](NewModel& m) {
              m.tags = {"good", std::string(201, 'a')};
            }),
            fmt::format("error: '{}' cannot be a tag: the tag has more than 200 bytes [usage]\n",
                        std::string(201, 'a')));
  const ContentId entry = Add(writer, "m", "one");
  EXPECT_EQ(add([](NewModel& m) { m.version = 7; }),
            "error: m@1 has the same content [usage]\n  hint: pass --new-version to add it again\n");
  EXPECT_EQ(add([](NewModel& m) { m.version = 1; }), "");
  const std::string unknown =
      fmt::format("{}: error: the archive has no model {} [usage]\n", Folder(), IdText(IdOf("none")));
  const auto form = writer.AddForm(IdOf("none"), {});
  ASSERT_FALSE(form);
  EXPECT_EQ(Words(form.error()), unknown);
  const auto golden = writer.AddGolden(IdOf("none"), {});
  ASSERT_FALSE(golden);
  EXPECT_EQ(Words(golden.error()), unknown);
  ArchivedModel other;
  other.entry = IdOf("none");
  EXPECT_EQ(Words(writer.Remove(other).error()), unknown);
  EXPECT_EQ(Words(writer.Annotate(other, {.add = {"x"}}).error()), unknown);
  other.entry = entry;
  EXPECT_EQ(Words(writer.Annotate(other, {.add = {"a", "b c"}}).error()),
            "error: 'b c' cannot be a tag: the tag has a character that is not a letter, a digit or one of "
            "._+- [usage]\n");
  // The refused ones have left nothing.
  Must(writer.Commit());
  EXPECT_EQ(Must(Open().Journal()).size(), 1u);
  EXPECT_TRUE(Must(Open().Find("m")).tags.empty());
}

TEST_F(ArchiveTest, KeepsEachOfManyTags) {
  AddAll(Open(), {{"m", "bytes"}});
  Writer writer = Must(Writer::Begin(Open(), Options()));
  Must(writer.Annotate(Must(Open().Find("m")), {.add = {"c", "a", "bb", "d.4"}}));
  Must(writer.Commit());
  EXPECT_EQ(Must(Open().Find("m")).tags, (std::vector<std::string>{"a", "bb", "c", "d.4"}));
}

TEST_F(ArchiveTest, AFormThatWasRemovedIsNotLoaded) {
  const Archive archive = Open();
  Writer writer = Must(Writer::Begin(archive, Options()));
  const ContentId entry = Add(writer, "m", "one");
  Must(writer.Commit());
  Must(writer.Remove(Must(archive.Find("m")), entry));
  Must(writer.Commit());
  const ArchivedModel model = Must(archive.Find("m"));
  const auto file = archive.LoadForm(model, model.newest());
  ASSERT_FALSE(file);
  EXPECT_EQ(Words(file.error()), fmt::format("{}: error: the file of m@1 was removed [usage]\n"
                                             "  hint: run 'shlo-compat archive show' to see its forms\n",
                                             Folder()));
}

TEST_F(ArchiveTest, AReaderThatStopsIsAFailure) {
  const Archive archive = Open();
  AddAll(archive, {{"m", RandomBytes(300'000, 1)}});
  const ArchivedFile file = Must(archive.Find("m")).forms[0].files[0];
  int pieces = 0;
  const auto read = archive.Read(file.id, [&](std::string_view) { return ++pieces < 2; });
  ASSERT_FALSE(read);
  EXPECT_EQ(Words(read.error()), fmt::format("{}: error: cannot write the whole file [io]\n", Folder()));
  EXPECT_EQ(pieces, 2);
}

TEST_F(ArchiveTest, ConstantsAreFoundByTheirHash) {
  const Archive archive = Open();
  AddAll(archive, {{"w", "weights"}});
  OutsideConstant constant;
  constant.sha256 = IdOf("weights").bytes;
  EXPECT_EQ(Must(archive.Outside()(constant)).bytes, "weights");
  constant.sha256 = IdOf("others").bytes;
  const auto none = archive.Outside()(constant);
  ASSERT_FALSE(none);
  EXPECT_EQ(Words(none.error()),
            fmt::format("{}: error: the archive does not have the constant 'sha256:{}' [io]\n", Folder(),
                        IdText(IdOf("others"))));
}

// Files of more than 256 MiB are assembled in a temporary file. This one is the same piece many times.
TEST_F(ArchiveTest, LargeFilesAreMapped) {
  const std::string piece(4 << 20, '\7');
  constexpr size_t kPieces = 65;
  IdHasher hasher;
  ListContent list;
  list.parts.assign(kPieces, {PartCode::kPiece, piece.size(), IdOf(piece), {}});
  for (size_t i = 0; i < kPieces; ++i) hasher.Add(piece);
  list.size = kPieces * piece.size();
  const ContentId id = hasher.Finish();
  {
    PackHeader header;
    header.archive = Open().state().id;
    header.sequence = 1;
    auto pack = Must(PackWriter::Create(Pack(1), header));
    Encoder encoder;
    Must(pack->Add(RecordKind::kData, IdOf(piece), piece.size(),
                   encoder.Encode(piece, {Encoding::kZstd, 1, 1})));
    const std::string content = WriteList(list);
    Must(pack->Add(RecordKind::kList, id, content.size(), {.raw = content}));
    Must(pack->Finish());
  }
  const Archive archive = Open();
  // The folder of temporary files, until the end of a scope.
  class Variable {
   public:
    explicit Variable(const std::string& value) {
      if (const char* const now = ::getenv("TMPDIR")) before_ = now;
      ::setenv("TMPDIR", value.c_str(), 1);
    }
    ~Variable() { before_ ? ::setenv("TMPDIR", before_->c_str(), 1) : ::unsetenv("TMPDIR"); }

   private:
    std::optional<std::string> before_;
  };
  {
    const Variable folder(Path("nowhere"));
    const auto loaded = archive.Load(id, "large");
    ASSERT_FALSE(loaded);
    EXPECT_EQ(loaded.error()[0].message, "cannot create a temporary file: No such file or directory");
    EXPECT_TRUE(loaded.error()[0].place.file.starts_with(Path("nowhere/shlo-")));
    EXPECT_EQ(loaded.error()[0].hint, "set TMPDIR to a folder with more space");
    EXPECT_EQ(loaded.error()[0].code, Code::kIo);
  }
  fs::create_directory(Path("tmp"));
  const Variable folder(Path("tmp"));
  {
    // As on a disk that is full.
    struct rlimit before;
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
    const auto handler = ::signal(SIGXFSZ, SIG_IGN);
    const struct rlimit small = {1 << 20, before.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
    const auto loaded = archive.Load(id, "large");
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
    ::signal(SIGXFSZ, handler);
    ASSERT_FALSE(loaded);
    EXPECT_EQ(loaded.error()[0].message, "cannot write a temporary file: File too large");
    EXPECT_EQ(loaded.error()[0].hint, "set TMPDIR to a folder with more space");
  }
  if (!kSanitized) {  // which maps much itself
    uint64_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    struct rlimit before;
    ASSERT_EQ(::getrlimit(RLIMIT_AS, &before), 0);
    const struct rlimit small = {pages * uint64_t(::getpagesize()) + (uint64_t(200) << 20), before.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_AS, &small), 0);
    const auto loaded = archive.Load(id, "large");
    ASSERT_EQ(::setrlimit(RLIMIT_AS, &before), 0);
    ASSERT_FALSE(loaded);
    EXPECT_EQ(loaded.error()[0].message, "cannot map a temporary file: Cannot allocate memory");
  }
  const InputFile file = Must(archive.Load(id, "large"));
  EXPECT_EQ(file.name, "large");
  ASSERT_EQ(file.bytes.size(), kPieces * piece.size());
  EXPECT_EQ(file.bytes.substr(3 * piece.size(), piece.size()), piece);
  EXPECT_EQ(file.bytes.back(), '\7');
  // It has no name that would be left if the process died.
  EXPECT_TRUE(fs::is_empty(Path("tmp")));
}

TEST_F(ArchiveTest, ReadersAndAWriterAtTheSameTime) {
  const Archive archive = Open();
  AddAll(archive, {{"m", RandomBytes(200'000, 0)}});
  std::atomic<bool> stop = false;
  std::atomic<int> reads = 0;
  std::vector<std::thread> readers;
  for (int t = 0; t < 2; ++t)
    readers.emplace_back([&] {
      while (!stop || reads < 4) {
        const Archive own = Open();
        EXPECT_EQ(Bytes(own, "m@1"), RandomBytes(200'000, 0));
        ++reads;
      }
    });
  for (uint64_t i = 1; i <= 10; ++i) {
    WriterOptions options = Options();
    options.wait_seconds = 60;
    Writer writer = Must(Writer::Begin(archive, options));
    Add(writer, "m", RandomBytes(200'000, i));
    Must(writer.Commit());
  }
  stop = true;
  for (std::thread& reader : readers) reader.join();
  EXPECT_EQ(Must(Open().Find("m")).version, 11u);
}

TEST(NameTest, NamesAndTags) {
  for (const char* name : {"a", "vision/resnet50", "a.b_c+d-e", "A1"})
    EXPECT_EQ(NameProblem(name), "") << name;
  for (const char* name : {"", "/a", "a/", "a//b", ".a", "a/.b", "a b", "a@1", "a\n", "\xff"})
    EXPECT_NE(NameProblem(name), "") << name;
  EXPECT_NE(NameProblem(std::string(201, 'a')), "");
  EXPECT_EQ(TagProblem("prod"), "");
  for (const char* tag : {"", "1", "a/b", ".a", "a b"}) EXPECT_NE(TagProblem(tag), "") << tag;
}

TEST(JournalTest, MalformedEntriesAreIgnored) {
  NewModel model;
  model.name = "m";
  model.files.push_back({"m.mlir", IdOf("x"), 1});
  model.programs.push_back({.version = Version{40}});
  const std::string text = ModelEntry(model, 1, {}, {"2026-01-31T12:00:00Z", "test"});
  ArchivedModel read;
  ASSERT_TRUE(ApplyEntry(IdOf(text), text, &read));
  EXPECT_EQ(read.label(), "m@1");
  EXPECT_EQ(read.forms[0].version(), Version{40});
  // Each key with a value of another type, or missing.
  for (const char* wrong : {R"({"type":"model"})", "[]", "null", "", "{", R"({"type":7})"}) {
    ArchivedModel none;
    EXPECT_FALSE(ApplyEntry(IdOf(wrong), wrong, &none)) << wrong;
  }
  for (size_t at = text.find(':'); at != text.npos; at = text.find(':', at + 1)) {
    std::string damaged = text;
    damaged.insert(at + 1, "[");
    damaged.insert(std::min(damaged.find(',', at), damaged.size() - 1), "]");
    ArchivedModel none;
    ApplyEntry(IdOf(damaged), damaged, &none);  // whatever it says, it does not crash
  }
}

}  // namespace
}  // namespace shlo::archive
