#include "git.h"

#include <nettle/sha1.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <utility>

#include "base/format.h"
#include "base/sha256.h"
#include "base/try.h"
#include "git_process.h"
#include "shlo/file_io.h"

namespace shlo::tool {
namespace {

namespace fs = std::filesystem;

std::string Line(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

// The fields of output that ends each with NUL.
std::vector<std::string_view> Fields(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\0'), text.size());
    out.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

// Returns the id of a file: the hash of a header and the content, by the algorithm whose hashes have this
// length.
std::string BlobId(std::string_view content, size_t length) {
  const std::string header = StrFormat("blob {}", content.size());
  const std::string_view begin(header.c_str(), header.size() + 1);  // with NUL
  if (length == 2 * SHA256_DIGEST_SIZE) {
    Sha256Hasher hash;
    hash.Add(begin);
    hash.Add(content);
    return Sha256Text(hash.Finish());
  }
  sha1_ctx state;
  sha1_init(&state);
  for (const std::string_view part : {begin, content})
    sha1_update(&state, part.size(), reinterpret_cast<const uint8_t*>(part.data()));
  uint8_t digest[SHA1_DIGEST_SIZE];
  sha1_digest(&state, sizeof digest, digest);
  std::string out;
  for (const uint8_t byte : digest) out += StrFormat("{:02x}", byte);
  return out;
}

// Returns the hash that a pointer of Git LFS names, or "": the file itself is in another store.
std::string_view StoredHash(std::string_view content) {
  constexpr std::string_view kBegin = "version https://git-lfs.github.com/spec/v1\n", kOid = "oid sha256:";
  constexpr size_t kLongest = 1024, kHex = 64;
  if (content.size() > kLongest || !content.starts_with(kBegin)) return {};
  const size_t at = content.find(kOid);
  if (at == content.npos) return {};
  const std::string_view hash = content.substr(at + kOid.size(), kHex);
  const bool hex =
      std::ranges::all_of(hash, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
  return hash.size() == kHex && hex ? hash : std::string_view();
}

}  // namespace

Result<GitRevision> GitRevision::Open(const std::string& folder, const std::string& revision) {
  GitRevision out;
  out.name_ = revision;
  const auto root = SHLO_TRY(RunGit(folder, {"rev-parse", "--show-toplevel"}));
  if (root.code)
    return Error(
        Code::kUsage, StrFormat("'{}' is not in a git repository", folder), {},
        StrFormat("if it is in one of another user: git config --global --add safe.directory {}", folder));
  out.root_ = Line(root.text);
  // A revision that begins with '-' would be an option.
  const auto commit = SHLO_TRY(
      RunGit(folder, {"rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}"}));
  out.commit_ = Line(commit.text);
  if (commit.code || out.commit_.empty())
    return Error(Code::kUsage, StrFormat("git does not know the revision '{}'", revision), {},
                 "fetch it; clones of CI systems often have one commit only");
  SHLO_TRY(out.ListFiles(folder));
  return out;
}

// Fills files_, added_ and sparse_. The folder is where git runs, so that paths are below it.
Result<void> GitRevision::ListFiles(const std::string& folder) {
  const auto tree = SHLO_TRY(RunGit(folder, {"ls-tree", "-r", "-z", "--full-name", commit_, "--", "."}));
  const auto index = SHLO_TRY(RunGit(folder, {"ls-files", "-t", "-z", "--full-name", "--", "."}));
  const auto others = SHLO_TRY(
      RunGit(folder, {"ls-files", "--others", "--exclude-standard", "-z", "--full-name", "--", "."}));
  if (tree.code || index.code || others.code)
    return Error(Code::kIo, StrFormat("git cannot list the files of '{}'", root_));
  // "100644 blob ID<TAB>NAME"; links and submodules are not programs.
  for (const std::string_view entry : Fields(tree.text)) {
    const size_t tab = std::min(entry.find('\t'), entry.size());
    constexpr std::string_view kFile = "100644 blob ", kExecutable = "100755 blob ";
    if (entry.starts_with(kFile) || entry.starts_with(kExecutable))
      files_.emplace(entry.substr(std::min(tab + 1, entry.size())),
                     entry.substr(kFile.size(), tab - kFile.size()));
  }
  // "H NAME"; S is a file outside of a sparse checkout.
  for (const std::string_view entry : Fields(index.text)) {
    if (entry.size() < 3) continue;
    const std::string name(entry.substr(2));
    if (entry[0] == 'S') sparse_.insert(name);
    if (!files_.contains(name)) added_.insert(name);
  }
  for (const std::string_view name : Fields(others.text))
    if (const std::string other(name); !files_.contains(other)) added_.insert(other);
  return {};
}

std::string GitRevision::NameOf(const std::string& path) const {
  const std::string name = fs::path(path).lexically_relative(root_).generic_string();
  return name.starts_with("..") ? "" : name;
}

Result<GitRevision::Change> GitRevision::ChangeOf(const std::string& path) const {
  const std::string name = NameOf(path);
  const auto found = files_.find(name);
  if (found == files_.end()) return added_.contains(name) ? Change::kAdded : Change::kNone;
  const auto file = SHLO_TRY(OpenInput(path));
  if (BlobId(file.bytes, found->second.size()) == found->second) return Change::kNone;
  const auto old = SHLO_TRY(RunGit(root_, {"cat-file", "blob", found->second}));
  const std::string_view stored = StoredHash(old.text);
  return !stored.empty() && stored == Sha256Text(Sha256Of(file.bytes)) ? Change::kNone : Change::kChanged;
}

std::vector<std::string> GitRevision::Removed() const {
  std::vector<std::string> out;
  for (const auto& [name, id] : files_) {
    const std::string path = (fs::path(root_) / name).string();
    struct stat info;
    if (::lstat(path.c_str(), &info) != 0 && !sparse_.contains(name)) out.push_back(path);
  }
  return out;
}

Result<std::optional<std::string>> GitRevision::Read(const std::string& path) const {
  const auto found = files_.find(NameOf(path));
  if (found == files_.end()) return std::nullopt;
  auto content = SHLO_TRY(RunGit(root_, {"cat-file", "blob", found->second}));
  if (content.code)
    return Error(Code::kIo, StrFormat("git does not have '{}' of {}", found->first, name_), {},
                 "fetch it: git fetch --refetch");
  if (StoredHash(content.text).empty()) return std::move(content.text);
  auto stored = SHLO_TRY(ReadStored(found->first, content.text));
  return stored;
}

// The content decides, whoever put it there: it has the hash that the revision names.
Result<std::string> GitRevision::ReadStored(const std::string& name, const std::string& pointer) const {
  const std::string hash(StoredHash(pointer));
  const auto folder = SHLO_TRY(RunGit(root_, {"rev-parse", "--git-common-dir"}));
  const fs::path path =
      fs::path(root_) / Line(folder.text) / "lfs/objects" / hash.substr(0, 2) / hash.substr(2, 2) / hash;
  const auto file = OpenInput(path.string());
  if (!file || Sha256Text(Sha256Of(file->bytes)) != hash)
    return Error(Code::kIo, StrFormat("the object of '{}' of {} is not in the store of Git LFS", name, name_),
                 {}, StrFormat("fetch it: git lfs fetch origin {}", commit_));
  return std::string(file->bytes);
}

}  // namespace shlo::tool
