#include "shlo/file_io.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <charconv>
#include <filesystem>
#include <memory>
#include <new>
#include <system_error>

#include "base/archive_files.h"
#include "base/format.h"
#include "base/guarded.h"
#include "base/io_error.h"
#include "base/mapped_bytes.h"
#include "base/temporaries.h"
#include "base/try.h"

namespace shlo {
namespace {

// Bytes of a stream, which grow without being copied or set to zero before.
struct StreamBytes {
  char* data = nullptr;
  size_t size = 0, room = 0;

  StreamBytes() = default;
  StreamBytes(const StreamBytes&) = delete;
  StreamBytes& operator=(const StreamBytes&) = delete;
  ~StreamBytes() { ::free(data); }
  void Grow(size_t to) {
    void* const grown = ::realloc(data, to);
    if (!grown) throw std::bad_alloc();
    data = static_cast<char*>(grown);
    room = to;
  }
};

// Reads to the end, or until there are more bytes than `most`. Returns 0 or an errno.
int ReadAll(int fd, uint64_t most, StreamBytes* out) {
  constexpr size_t kPiece = 1 << 16;
  while (out->size <= most) {
    if (out->room - out->size < kPiece)
      out->Grow(size_t(std::min<uint64_t>(std::max(out->room * 2, kPiece), most + 2 * kPiece)));
    const ssize_t n = ::read(fd, out->data + out->size, out->room - out->size);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    if (n == 0) break;
    out->size += size_t(n);
    // No format begins with as many zeros; /dev/zero does not end.
    constexpr size_t kZeros = 4096;
    const bool zeros = out->size >= kZeros && out->size < 2 * kPiece && out->data[0] == 0 &&
                       memcmp(out->data, out->data + 1, kZeros - 1) == 0;
    if (zeros) break;
  }
  return 0;
}

Result<InputFile> ReadFrom(int fd, const std::string& name, uint64_t most) {
  auto text = std::make_shared<StreamBytes>();
  if (const int error = ReadAll(fd, most, text.get())) return IoError(name, "cannot read", error);
  if (text->size > most)
    return Error(Code::kLimit, StrFormat("the stream is longer than the limit of {} MiB", most >> 20),
                 {.file = name}, "write it to a file, which has no limit");
  return InputFile{{text->data, text->size}, text, name};
}

// Reads a regular file, which may change meanwhile.
Result<InputFile> Copy(int fd, const std::string& path, size_t size) {
  auto text = std::make_shared<std::string>(size, '\0');
  for (size_t at = 0; at < size;) {
    const ssize_t n = ::read(fd, text->data() + at, size - at);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return IoError(path, "cannot read", errno);
    if (n == 0) return Error(Code::kIo, std::string(kShorterFile), {.file = path});
    at += size_t(n);
  }
  return InputFile{*text, text, path};
}

// Ends in a slash.
std::string FolderOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "./" : path.substr(0, slash + 1);
}

// Small pieces of output are written together.
constexpr size_t kBlock = size_t(256) << 10;

// An open file, closed at the end of its scope.
struct OpenFile {
  int fd;
  explicit OpenFile(int f) : fd(f) {}
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() {
    if (fd >= 0) ::close(fd);
  }
};

// The path by which a file without a name can be linked.
std::string LinkSource(int fd) { return StrFormat("/proc/self/fd/{}", fd); }

// Creates a file without a name, which disappears with the process. Returns -1 if the file system has none.
int OpenUnnamed(const std::string& folder) {
#ifdef O_TMPFILE
  const int fd = ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
  if (fd < 0) return -1;
  if (::access(LinkSource(fd).c_str(), F_OK) == 0) return fd;
  ::close(fd);
#else
  (void)folder;
#endif
  return -1;
}

// Returns the open file that a path means, -1 if it is the path of a file: "/dev/stdout", "/dev/fd/63". These
// are links, whose files must not be opened again: they would be written from the beginning.
int DescriptorOf(std::string_view path) {
  if (path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  int number = -1;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"})
    if (path.starts_with(folder)) {
      const std::string_view digits = path.substr(folder.size());
      const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), number);
      if (parsed.ec != std::errc() || parsed.ptr != digits.data() + digits.size()) number = -1;
    }
  return number;
}

tl::unexpected<Diagnostics> ToTerminal(const std::string& path) {
  return Error(Code::kUsage, "cannot write binary output to a terminal", {.file = path},
               "pass a regular file");
}

Result<InputFile> Open(const std::string& path, uint64_t max_stream, uint64_t copy_below) {
  if (path == "-") return ReadFrom(STDIN_FILENO, "<stdin>", max_stream);
  // Without O_NONBLOCK, opening a pipe waits for whoever writes to it.
  const bool streams = max_stream != kNoStream;
  OpenFile file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | (streams ? 0 : O_NONBLOCK)));
  if (file.fd < 0) return IoError(path, "cannot open", errno);
  struct stat info;
  if (::fstat(file.fd, &info) != 0) return IoError(path, "cannot open", errno);
  if (S_ISDIR(info.st_mode)) return IoError(path, "cannot read", EISDIR);
  if (!streams && !S_ISREG(info.st_mode))
    return Error(Code::kIo, "not a regular file", {.file = path}, "copy the stream to a file");
  // Pipes and files that cannot be mapped are read. An empty file cannot be mapped.
  if (S_ISREG(info.st_mode) && info.st_size > 0 && uint64_t(info.st_size) < copy_below)
    return Copy(file.fd, path, size_t(info.st_size));
  if (S_ISREG(info.st_mode) && info.st_size > 0) {
    const size_t size = size_t(info.st_size);
    void* data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.fd, 0);
    if (data != MAP_FAILED) {
      const int fd = std::exchange(file.fd, -1);
      AddMapping(data, size, fd, path);
      Buffer owner(data, [size, fd](const void* p) {
        RemoveMapping(p);
        ::munmap(const_cast<void*>(p), size);
        ::close(fd);
      });
      return InputFile{{static_cast<const char*>(data), size}, std::move(owner), path};
    }
  }
  return ReadFrom(file.fd, path, streams ? max_stream : kMaxStream);
}

}  // namespace

Result<InputFile> OpenInput(const std::string& path, uint64_t max_stream, uint64_t copy_below) {
  return Guarded([&] { return Open(path, max_stream, copy_below); }, path);
}

Result<void> CheckMappedFiles() {
  return Guarded([&]() -> Result<void> {
    std::string shorter = ShorterFile();
    if (shorter.empty()) return {};
    return Error(Code::kIo, std::string(kShorterFile), {.file = std::move(shorter)});
  });
}

OutputFile::OutputFile(std::string path, Sync sync, bool replace)
    : path_(std::move(path)), sync_(sync), replace_(replace) {}

OutputFile::~OutputFile() {
  if (fd_ >= 0 && fd_ != STDOUT_FILENO) ::close(fd_);
  if (!temporary_.empty()) RemoveTemporary();
}

void OutputFile::RemoveTemporary() {
  ::unlink(temporary_.c_str());
  ForgetTemporary(temporary_);
  temporary_.clear();
}

// Calls create(name) with names next to the output until one is free. Returns 0, or an errno.
template <typename CreateT>
int OutputFile::CreateTemporary(CreateT&& create) {
  for (int i = 0;; ++i) {
    std::string name = StrFormat("{}.shlo-{}-{}", FolderOf(path_), ::getpid(), i);
    if (create(name.c_str())) {
      temporary_ = std::move(name);
      return 0;
    }
    if (errno != EEXIST || i == 1000) return errno;
  }
}

// Renames the temporary file unless the new name exists, also on file systems without links. Returns 0 or an
// errno.
int OutputFile::NameNew() {
  if (::link(temporary_.c_str(), path_.c_str()) == 0) {
    ::unlink(temporary_.c_str());
    return 0;
  }
  if (errno == EEXIST) return errno;
#if defined(__linux__) && defined(RENAME_NOREPLACE)
  if (::renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, path_.c_str(), RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return errno;
#endif
  if (::access(path_.c_str(), F_OK) == 0) return EEXIST;
  return ::rename(temporary_.c_str(), path_.c_str()) == 0 ? 0 : errno;
}

Result<void> OutputFile::Open(bool binary) {
  return Guarded([&] { return OpenUnguarded(binary); }, path_);
}

Result<void> OutputFile::OpenUnguarded(bool binary) {
  if (path_ == "-") {
    if (binary && ::isatty(STDOUT_FILENO))
      return Error(Code::kUsage, "cannot write binary output to a terminal", {.file = "<stdout>"},
                   "pass -o FILE, or redirect the output");
    fd_ = STDOUT_FILENO;
    return {};
  }
  if (const int open = DescriptorOf(path_); open >= 0) {
    fd_ = ::fcntl(open, F_DUPFD_CLOEXEC, 0);
    if (fd_ < 0) return IoError(path_, "cannot open for writing", errno);
    if (binary && ::isatty(fd_)) return ToTerminal(path_);
    return {};
  }
  struct stat info;
  if (::stat(path_.c_str(), &info) == 0 && S_ISDIR(info.st_mode))
    return IoError(path_, "cannot write", EISDIR);
  // A link is replaced, and never written through: whoever put it there may mean a file of somebody else.
  const bool exists = ::lstat(path_.c_str(), &info) == 0;
  const bool replaces_file = exists && S_ISREG(info.st_mode);
  if (exists && !replace_) return IoError(path_, "cannot write", EEXIST);
  if (exists && !replaces_file && !S_ISLNK(info.st_mode)) {
    // A device or pipe cannot be replaced, so write to it.
    fd_ = ::open(path_.c_str(), O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
    if (fd_ < 0) return IoError(path_, "cannot open for writing", errno);
    if (binary && ::isatty(fd_)) return ToTerminal(path_);
    return {};
  }
  if (replaces_file && ::access(path_.c_str(), W_OK) != 0) return IoError(path_, "cannot write", errno);
  if (replace_ && !for_archive_) SHLO_TRY(CheckNotOfArchive(path_));
  // A file without a name disappears if the process ends early.
  fd_ = OpenUnnamed(FolderOf(path_));
  if (fd_ < 0) {
    const WithoutSignals no_signals;
    // Not mkstemp, which would ignore the umask and make the file private.
    const int error = CreateTemporary([&](const char* name) {
      fd_ = ::open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      return fd_ >= 0;
    });
    if (error) return IoError(path_, "cannot create a temporary file in its directory", error);
    NoteTemporary(temporary_);
  } else {
    unnamed_ = true;
  }
  if (replaces_file && ::fchmod(fd_, info.st_mode & 07777) != 0)
    return IoError(path_, "cannot set permissions", errno);
  syncs_ = sync_ == Sync::kAlways || (sync_ == Sync::kReplaced && exists);
  block_.reserve(kBlock);
  return {};
}

// Writes all bytes in steps of at most a block: with more at once, Linux takes large units of memory for the
// page cache, which a virtual machine may have to get back from its host first.
void OutputFile::Write(std::string_view bytes) {
  while (error_ == 0 && !bytes.empty()) {
    const ssize_t n = ::write(fd_, bytes.data(), std::min(bytes.size(), kBlock));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      error_ = errno;
      return;
    }
    bytes.remove_prefix(size_t(n));
    written_ += uint64_t(n);
#ifdef __linux__
    // The disk works while the rest is made, so that the sync at the end has less to wait for.
    constexpr uint64_t kAhead = uint64_t(8) << 20;
    if (syncs_ && written_ - begun_ >= kAhead) {
      ::sync_file_range(fd_, off64_t(begun_), off64_t(written_ - begun_), SYNC_FILE_RANGE_WRITE);
      begun_ = written_;
    }
#endif
  }
}

bool OutputFile::Append(std::string_view bytes) {
  if (fd_ < 0) error_ = EBADF;
  if (error_) return false;
  // A pipe or device gets everything at once; a file gets blocks, which take half the time.
  if (hidden() && block_.size() + bytes.size() < kBlock) {
    block_ += bytes;
    return true;
  }
  Write(block_);
  block_.clear();
  Write(bytes);
  return error_ == 0;
}

Result<void> OutputFile::Commit() {
  return Guarded([&] { return CommitUnguarded(); }, path_);
}

Result<void> OutputFile::CommitUnguarded() {
  const std::string name = path_ == "-" ? "<stdout>" : path_;
  if (fd_ < 0) return IoError(name, "cannot write", EBADF);
  Write(block_);
  // Bytes that were written may be those of mapped files; EFAULT says that such a file became shorter.
  if (error_ == 0 || error_ == EFAULT) SHLO_TRY(CheckMappedFiles());
  if (error_) return IoError(name, "cannot write", error_);
  if (temporary_.empty() && !unnamed_) {
    const bool failed = fd_ != STDOUT_FILENO && ::close(fd_) != 0;
    fd_ = -1;
    if (failed) return IoError(name, "cannot write", errno);
    return {};
  }
  if (syncs_ && ::fsync(fd_) != 0 && errno != EINVAL) return IoError(name, "cannot write to disk", errno);
  bool path_given = false;  // the file got its name without a temporary one
  {
    // From here to the end of the scope the file may have a temporary name.
    const WithoutSignals no_signals;
    if (unnamed_ && !replace_) {
      if (::linkat(AT_FDCWD, LinkSource(fd_).c_str(), AT_FDCWD, path_.c_str(), AT_SYMLINK_FOLLOW) != 0)
        return IoError(name, "cannot name the file", errno);
      path_given = true;
    } else if (unnamed_) {
      const std::string source = LinkSource(fd_);
      const int error = CreateTemporary([&](const char* to) {
        return ::linkat(AT_FDCWD, source.c_str(), AT_FDCWD, to, AT_SYMLINK_FOLLOW) == 0;
      });
      if (error) return IoError(name, "cannot name the temporary file", error);
    }
    const bool failed = ::close(fd_) != 0;
    fd_ = -1;
    if (failed) {
      const int error = errno;
      if (!path_given) RemoveTemporary();
      return IoError(name, "cannot write", error);
    }
    if (!path_given) {
      const int error = replace_ ? ::rename(temporary_.c_str(), path_.c_str()) != 0 ? errno : 0 : NameNew();
      if (error != 0) {
        RemoveTemporary();
        return IoError(name, "cannot rename the temporary file", error);
      }
      ForgetTemporary(temporary_);
      temporary_.clear();
    }
  }
  if (!syncs_) return {};
  // Sync the directory, so that the new name survives a crash. Some file systems cannot; the data is safe.
  const int folder = ::open(FolderOf(path_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder >= 0) {
    ::fsync(folder);
    ::close(folder);
  }
  return {};
}

Result<void> CreateFoldersBelow(const std::string& folder, const std::string& path) {
  return Guarded([&]() -> Result<void> {
    std::string at = folder;
    struct stat info;
    const std::filesystem::path parts(path);
    for (auto part = parts.begin(); part != parts.end(); ++part) {
      at += "/" + part->string();
      const bool last = std::next(part) == parts.end();
      if (!last && ::mkdir(at.c_str(), 0777) != 0 && errno != EEXIST)
        return IoError(at, "cannot create the folder", errno);
      if (::lstat(at.c_str(), &info) != 0) continue;
      if (!last && S_ISLNK(info.st_mode))
        return Error(Code::kIo, "cannot write through a link", {.file = at},
                     "remove the link, or pass the folder that it leads to");
      if (!last && !S_ISDIR(info.st_mode)) return IoError(at, "cannot create the folder", ENOTDIR);
      if (last && !S_ISREG(info.st_mode) && !S_ISLNK(info.st_mode) && !S_ISDIR(info.st_mode))
        return Error(Code::kIo, "cannot write: not a regular file", {.file = at},
                     "remove it, or pass another folder");
    }
    return {};
  });
}

Result<void> SyncFileSystem(const std::string& folder) {
  const OpenFile opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened.fd < 0) return IoError(folder, "cannot open", errno);
#ifdef __linux__
  if (::syncfs(opened.fd) != 0) return IoError(folder, "cannot write to disk", errno);
#else
  ::sync();
#endif
  return {};
}

Result<void> WriteFile(const std::string& path, std::string_view bytes, bool binary, Sync sync) {
  return Guarded(
      [&]() -> Result<void> {
        OutputFile file(path, sync);
        SHLO_TRY(file.Open(binary));
        file.Append(bytes);  // Commit reports a failure
        return file.Commit();
      },
      path);
}

}  // namespace shlo
