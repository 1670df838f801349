#include "shlo/file_io.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace shlo {
namespace {

namespace fs = std::filesystem;

class FileIoTest : public testing::Test {
 protected:
  FileIoTest() {
    std::string name = (fs::temp_directory_path() / "file_io_test_XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~FileIoTest() override { fs::remove_all(folder_); }
  std::string Path(const std::string& name) const { return (folder_ / name).string(); }
  static std::string Contents(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::stringstream bytes;
    bytes << in.rdbuf();
    return bytes.str();
  }
  size_t NumFiles() const {
    return size_t(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }
  fs::path folder_;
};

TEST_F(FileIoTest, WritesAndReads) {
  OutputFile out(Path("a"));
  ASSERT_TRUE(out.Open(true));
  EXPECT_TRUE(out.Append("one "));
  EXPECT_FALSE(fs::exists(Path("a")));  // not before it is complete
  EXPECT_TRUE(out.Append("two"));
  ASSERT_TRUE(out.Commit());
  auto in = OpenInput(Path("a"));
  ASSERT_TRUE(in);
  EXPECT_EQ(in->bytes, "one two");
  EXPECT_EQ(in->name, Path("a"));
  EXPECT_EQ(NumFiles(), 1u);
}

TEST_F(FileIoTest, DoesNotReplaceIfAskedNotTo) {
  OutputFile first(Path("a"), Sync::kAlways, /*replace=*/false);
  OutputFile second(Path("a"), Sync::kNever, /*replace=*/false);
  ASSERT_TRUE(first.Open(true));
  ASSERT_TRUE(second.Open(true));
  first.Append("first");
  second.Append("second");
  ASSERT_TRUE(first.Commit());
  const auto late = second.Commit();
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error()[0].code, Code::kIo);
  EXPECT_FALSE(OutputFile(Path("a"), Sync::kNever, /*replace=*/false).Open(true));
  EXPECT_EQ(OpenInput(Path("a"))->bytes, "first");
  EXPECT_EQ(NumFiles(), 1u);
}

TEST_F(FileIoTest, EmptyFilesHaveNoBytes) {
  OutputFile out(Path("a"));
  ASSERT_TRUE(out.Open(false));
  ASSERT_TRUE(out.Commit());
  auto in = OpenInput(Path("a"));
  ASSERT_TRUE(in);
  EXPECT_EQ(in->bytes, "");
}

// A copy stays as it is when the file changes; /proc has files that do not state their size.
TEST_F(FileIoTest, SmallFilesCanBeCopied) {
  std::ofstream(Path("a")) << "12345678";
  auto copied = OpenInput(Path("a"), kMaxStream, 9);
  auto mapped = OpenInput(Path("a"), kMaxStream, 8);
  ASSERT_TRUE(copied && mapped);
  EXPECT_EQ(copied->bytes, "12345678");
  fs::resize_file(Path("a"), 4);
  EXPECT_EQ(copied->bytes, "12345678");
  EXPECT_FALSE(CheckMappedFiles());
  mapped->owner.reset();
  EXPECT_TRUE(CheckMappedFiles());
  auto empty = OpenInput("/proc/self/stat", kMaxStream, 1 << 20);
  ASSERT_TRUE(empty);
  EXPECT_FALSE(empty->bytes.empty());
}

TEST_F(FileIoTest, ManyFilesCanBeSyncedAtOnce) {
  ASSERT_TRUE(WriteFile(Path("a"), "one", /*binary=*/true, Sync::kNever));
  ASSERT_TRUE(WriteFile(Path("b"), "two", /*binary=*/true, Sync::kNever));
  EXPECT_TRUE(SyncFileSystem(folder_.string()));
  EXPECT_EQ(Contents(Path("a")) + Contents(Path("b")), "onetwo");
  EXPECT_EQ(NumFiles(), 2u);
  const auto failed = SyncFileSystem(Path("missing"));
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error()[0].code, Code::kIo);
}

// Blocks are of 256 KiB; small pieces wait for more.
TEST_F(FileIoTest, LargeFilesAreWrittenInBlocks) {
  std::string bytes;
  for (size_t i = 0; i < (size_t(3) << 20) + 12345; ++i) bytes += char(i * 7 + i / 251);
  for (size_t piece : {size_t(1000), size_t(256) << 10, size_t(1) << 20, bytes.size()})
    for (const Sync sync : {Sync::kNever, Sync::kReplaced, Sync::kAlways}) {
      OutputFile out(Path("a"), sync);
      ASSERT_TRUE(out.Open(true));
      // Between large pieces there are small ones.
      for (size_t at = 0, n = 0; at < bytes.size(); ++n) {
        const std::string_view next = std::string_view(bytes).substr(at, n % 3 == 2 ? 17 : piece);
        ASSERT_TRUE(out.Append(next));
        at += next.size();
      }
      ASSERT_TRUE(out.Commit());
      EXPECT_TRUE(Contents(Path("a")) == bytes);
    }
  {
    OutputFile out(Path("b"), Sync::kAlways);
    ASSERT_TRUE(out.Open(true));
    out.Append(bytes);
  }
  EXPECT_EQ(NumFiles(), 1u);
}

TEST_F(FileIoTest, PartsOfMappedFilesThatBecameShorterAreNotWritten) {
  ASSERT_TRUE(WriteFile(Path("in"), std::string(4 << 20, 'x'), /*binary=*/true, Sync::kNever));
  const auto in = OpenInput(Path("in"));
  ASSERT_TRUE(in);
  fs::resize_file(Path("in"), 5000);
  OutputFile out(Path("a"), Sync::kNever);
  ASSERT_TRUE(out.Open(true));
  EXPECT_FALSE(out.Append(in->bytes));
  const auto committed = out.Commit();
  ASSERT_FALSE(committed);
  EXPECT_EQ(committed.error()[0].message, kShorterFile);
  EXPECT_EQ(committed.error()[0].place.file, Path("in"));
  EXPECT_FALSE(fs::exists(Path("a")));
}

TEST_F(FileIoTest, LargeFilesThatCannotBeWrittenLeaveNothing) {
  rlimit before;
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit limit{size_t(1) << 20, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  const auto handler = ::signal(SIGXFSZ, SIG_IGN);
  const std::string piece(100'000, 'x');
  {
    OutputFile out(Path("a"), Sync::kReplaced);
    ASSERT_TRUE(out.Open(true));
    int appended = 0;
    while (appended < 1000 && out.Append(piece)) ++appended;
    EXPECT_LT(appended, 40);
    EXPECT_TRUE(out.failed());
    const auto committed = out.Commit();
    ASSERT_FALSE(committed);
    EXPECT_EQ(committed.error()[0].message, "cannot write: File too large");
  }
  ::signal(SIGXFSZ, handler);
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_EQ(NumFiles(), 0u);
}

TEST_F(FileIoTest, AbandonedFilesLeaveNothing) {
  {
    OutputFile out(Path("a"));
    ASSERT_TRUE(out.Open(true));
    EXPECT_TRUE(out.Append("half"));
  }
  EXPECT_EQ(NumFiles(), 0u);
}

TEST_F(FileIoTest, KeepsPermissionsAndOldContentsUntilTheEnd) {
  std::ofstream(Path("a")) << "old";
  ASSERT_EQ(chmod(Path("a").c_str(), 0640), 0);
  OutputFile out(Path("a"));
  ASSERT_TRUE(out.Open(true));
  out.Append("new");
  EXPECT_EQ(Contents(Path("a")), "old");
  ASSERT_TRUE(out.Commit());
  EXPECT_EQ(Contents(Path("a")), "new");
  struct stat info;
  ASSERT_EQ(stat(Path("a").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777, 0640u);
}

// Links to a file, to nothing, and to a device.
TEST_F(FileIoTest, ReplacesLinks) {
  std::ofstream(Path("real")) << "old";
  for (const char* to : {"real", "nothing", "/dev/full"}) {
    fs::remove(Path("link"));
    fs::create_symlink(to, Path("link"));
    ASSERT_TRUE(WriteFile(Path("link"), "new", true)) << to;
    EXPECT_FALSE(fs::is_symlink(Path("link"))) << to;
    EXPECT_EQ(Contents(Path("link")), "new");
  }
  EXPECT_EQ(Contents(Path("real")), "old");
  EXPECT_FALSE(fs::exists(Path("nothing")));
  struct stat info;
  ASSERT_EQ(::stat(Path("link").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0111, 0u);  // permissions of links mean nothing
  fs::create_directory(Path("folder"));
  fs::create_directory_symlink("folder", Path("to_folder"));
  EXPECT_FALSE(WriteFile(Path("to_folder"), "new", true));
}

// As redirections of the shell: from where it is.
TEST_F(FileIoTest, NamesOfOpenFilesAreThese) {
  for (const char* folder : {"/dev/fd/", "/proc/self/fd/"}) {
    const int fd = ::open(Path("a").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    ASSERT_EQ(::write(fd, "1", 1), 1);
    ASSERT_TRUE(WriteFile(folder + std::to_string(fd), "2", true));
    ASSERT_EQ(::write(fd, "3", 1), 1);
    ::close(fd);
    EXPECT_EQ(Contents(Path("a")), "123");
  }
  EXPECT_FALSE(WriteFile("/dev/fd/77777", "x", true));
}

TEST_F(FileIoTest, OutputsStayBelowTheirFolder) {
  fs::create_directory(Path("out"));
  fs::create_directory(Path("elsewhere"));
  const std::string out = Path("out");
  EXPECT_TRUE(CreateFoldersBelow(out, "x"));
  EXPECT_TRUE(CreateFoldersBelow(out, "a/b/x"));
  EXPECT_TRUE(CreateFoldersBelow(out, "a/b/y"));
  EXPECT_TRUE(fs::is_directory(Path("out/a/b")));
  fs::create_directory_symlink(Path("elsewhere"), Path("out/a/link"));
  for (const char* path : {"a/link/x", "a/link/c/x"}) {
    const auto created = CreateFoldersBelow(out, path);
    ASSERT_FALSE(created) << path;
    EXPECT_EQ(created.error()[0].message, "cannot write through a link");
    EXPECT_EQ(created.error()[0].place.file, Path("out/a/link"));
  }
  EXPECT_TRUE(fs::is_empty(Path("elsewhere")));
  ASSERT_EQ(::mkfifo(Path("out/pipe").c_str(), 0600), 0);
  EXPECT_FALSE(CreateFoldersBelow(out, "pipe"));
  std::ofstream(Path("out/file")) << "x";
  EXPECT_TRUE(CreateFoldersBelow(out, "file"));
  EXPECT_FALSE(CreateFoldersBelow(out, "file/x"));
}

// A pipe without a writer would never open.
TEST_F(FileIoTest, PathsOfFilesMayBeOfRegularFilesOnly) {
  ASSERT_EQ(::mkfifo(Path("pipe").c_str(), 0600), 0);
  std::ofstream(Path("file")) << "content";
  std::ofstream(Path("empty"));
  for (const std::string& path : {Path("pipe"), std::string("/dev/urandom")}) {
    const auto read = OpenInput(path, kNoStream);
    ASSERT_FALSE(read) << path;
    EXPECT_EQ(read.error()[0].message, "not a regular file");
    EXPECT_EQ(read.error()[0].code, Code::kIo);
  }
  const auto read = OpenInput(Path("file"), kNoStream);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->bytes, "content");
  EXPECT_TRUE(OpenInput(Path("empty"), kNoStream));
}

TEST_F(FileIoTest, DevicesAreWrittenDirectly) {
  OutputFile out("/dev/null");
  ASSERT_TRUE(out.Open(true));
  EXPECT_TRUE(out.Append("x"));
  EXPECT_TRUE(out.Commit());
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(FileIoTest, StreamsThatDoNotEndAreCut) {
  const auto read = OpenInput("/dev/urandom", 1 << 20);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error()[0].message, "the stream is longer than the limit of 1 MiB");
  EXPECT_EQ(read.error()[0].hint, "write it to a file, which has no limit");
  EXPECT_EQ(read.error()[0].place.file, "/dev/urandom");
  EXPECT_EQ(read.error()[0].code, Code::kLimit);
}

TEST_F(FileIoTest, TerminalsGetNoBinaryOutput) {
  const int leader = ::posix_openpt(O_RDWR | O_NOCTTY);
  if (leader < 0 || ::grantpt(leader) || ::unlockpt(leader)) GTEST_SKIP() << "there is no terminal";
  const std::string terminal = ::ptsname(leader);
  OutputFile text(terminal);
  EXPECT_TRUE(text.Open(/*binary=*/false));
  OutputFile binary(terminal);
  const auto opened = binary.Open(/*binary=*/true);
  ::close(leader);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error()[0].message, "cannot write binary output to a terminal");
  EXPECT_EQ(opened.error()[0].hint, "pass a regular file");
  EXPECT_EQ(opened.error()[0].place.file, terminal);
}

TEST_F(FileIoTest, FoldersAndMissingFilesAreErrors) {
  for (const std::string& path : {Path("missing"), folder_.string()}) {
    auto in = OpenInput(path);
    ASSERT_FALSE(in);
    EXPECT_EQ(in.error()[0].code, Code::kIo);
    EXPECT_EQ(in.error()[0].place.file, path);
  }
  OutputFile folder(folder_.string());
  auto opened = folder.Open(true);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error()[0].code, Code::kIo);
  OutputFile nowhere(Path("no/such/folder"));
  EXPECT_FALSE(nowhere.Open(true));
  EXPECT_FALSE(nowhere.Append("x"));
  EXPECT_FALSE(nowhere.Commit());
}

TEST_F(FileIoTest, FailedWritesAreErrors) {
  OutputFile full("/dev/full");
  ASSERT_TRUE(full.Open(true));
  EXPECT_FALSE(full.Append("x"));
  auto committed = full.Commit();
  ASSERT_FALSE(committed);
  EXPECT_EQ(committed.error()[0].code, Code::kIo);
}

}  // namespace
}  // namespace shlo
