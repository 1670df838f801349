#include "resume.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/sha256.h"
#include "base/try.h"
#include "base/tsv.h"
#include "shlo/file_io.h"

namespace shlo::tool {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kHeader = "shlo-compat resume 1\n";
constexpr size_t kHashSize = 64;

bool IsHash(std::string_view text) {
  return text.size() == kHashSize && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::string FileHash(const std::string& path) {
  const auto file = OpenInput(path, kNoStream);
  return file ? Sha256Text(Sha256Of(file->bytes)) : "";
}

}  // namespace

std::string ContentHash(const std::string& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return FileHash(path);
  std::map<std::string, std::string> hashes;
  for (auto it = fs::recursive_directory_iterator(path, error);
       !error && it != fs::recursive_directory_iterator(); it.increment(error))
    if (it->is_regular_file(error))
      hashes[it->path().lexically_relative(path).string()] = FileHash(it->path());
  if (error) return "";
  std::string all;
  for (const auto& [name, hash] : hashes) {
    if (hash.empty()) return "";
    all += hash + " " + EscapedField(name) + "\n";
  }
  return Sha256Text(Sha256Of(all));
}

ResumeLog::ResumeLog(std::string folder, const std::string& options)
    : folder_(std::move(folder)),
      path_((fs::path(folder_) / kFileName).string()),
      options_(Sha256Text(Sha256Of(options))) {}

ResumeLog::~ResumeLog() {
  if (fd_ >= 0) ::close(fd_);
}

std::string ResumeLog::Line(const std::string& path, const Entry& entry) {
  return entry.options + " " + entry.input + " " + entry.output + " " + EscapedField(path) + "\n";
}

std::string ResumeLog::Text() const {
  std::string text(kHeader);
  for (const auto& [path, entry] : entries_) text += Line(path, entry);
  return text;
}

void ResumeLog::Read() {
  const auto file = OpenInput(path_, kNoStream);
  if (!file || !file->bytes.starts_with(kHeader)) return;
  std::string_view rest = file->bytes.substr(kHeader.size());
  for (size_t end; (end = rest.find('\n')) != std::string_view::npos; rest.remove_prefix(end + 1)) {
    const std::string_view line = rest.substr(0, end);
    constexpr size_t kField = kHashSize + 1;
    if (line.size() <= 3 * kField) continue;
    const Entry entry{std::string(line.substr(0, kHashSize)), std::string(line.substr(kField, kHashSize)),
                      std::string(line.substr(2 * kField, kHashSize))};
    if (IsHash(entry.options) && IsHash(entry.input) && IsHash(entry.output))
      entries_[UnescapedField(line.substr(3 * kField))] = entry;
  }
}

Result<void> ResumeLog::Open(bool resume) {
  SHLO_TRY(CreateFoldersBelow(folder_, kFileName));
  if (resume) Read();
  // Its last line may be incomplete.
  SHLO_TRY(WriteFile(path_, Text(), /*binary=*/false));
  fd_ = ::open(path_.c_str(), O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC);
  if (fd_ < 0) return Error(Code::kIo, std::string("cannot open: ") + strerror(errno), {.file = path_});
  return {};
}

bool ResumeLog::Knows(const std::string& output) const {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(output);
  return found != entries_.end() && found->second.options == options_;
}

bool ResumeLog::IsUpToDate(const std::string& output, const std::string& input_hash) const {
  Entry entry;
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = entries_.find(output); found != entries_.end()) entry = found->second;
  }
  return entry.options == options_ && entry.input == input_hash &&
         ContentHash((fs::path(folder_) / output).string()) == entry.output;
}

void ResumeLog::Add(const std::string& output, const std::string& input_hash) {
  const Entry entry{options_, input_hash, ContentHash((fs::path(folder_) / output).string())};
  if (!IsHash(entry.input) || !IsHash(entry.output)) return;  // changed meanwhile; it is made again
  const std::string line = Line(output, entry);
  const std::lock_guard lock(mutex_);
  entries_[output] = entry;
  // In one call, so that the line is whole or the last; a disk that takes a part of it says why with the
  // rest.
  for (std::string_view rest = line; !rest.empty() && error_ == 0;) {
    const ssize_t n = ::write(fd_, rest.data(), rest.size());
    if (n > 0)
      rest.remove_prefix(size_t(n));
    else if (n == 0 || errno != EINTR)
      error_ = n == 0 ? EIO : errno;
  }
}

Result<void> ResumeLog::Close(bool keep) {
  if (fd_ >= 0) ::close(std::exchange(fd_, -1));
  if (!keep) {
    ::unlink(path_.c_str());
    return {};
  }
  if (error_) return Error(Code::kIo, std::string("cannot write: ") + strerror(error_), {.file = path_});
  return WriteFile(path_, Text(), /*binary=*/false);
}

}  // namespace shlo::tool
