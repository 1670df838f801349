#include "git.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

extern char** environ;

namespace shlo::tool {
namespace {

struct Output {
  int code = 0;
  std::string text;
};

constexpr size_t kLimit = size_t(4) << 30;  // bytes of output

// Runs git with these arguments and without input; its messages are dropped.
Result<Output> Git(const std::string& folder, const std::vector<std::string>& arguments) {
  std::vector<std::string> words = {"git", "-C", folder, "--no-optional-locks"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    return Error(Code::kIo, fmt::format("cannot make a pipe: {}", strerror(errno)));
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  ::posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, "git", &actions, nullptr, argv.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  if (error) {
    ::close(ends[0]);
    return Error(Code::kIo, fmt::format("cannot run git: {}", strerror(error)), {},
                 "install git, or pass no revision");
  }
  Output out;
  char buffer[65536];
  bool failed = false;
  while (true) {
    const ssize_t n = ::read(ends[0], buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      failed = n < 0;
      break;
    }
    if (out.text.size() + size_t(n) > kLimit) {
      failed = true;
      break;
    }
    out.text.append(buffer, size_t(n));
  }
  ::close(ends[0]);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return Error(Code::kIo, fmt::format("cannot wait for git: {}", strerror(errno)));
  if (failed || WIFSIGNALED(status))
    return Error(Code::kIo, fmt::format("git {} did not finish", arguments[0]));
  out.code = WEXITSTATUS(status);
  return out;
}

std::string Line(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

// The fields of output that ends each with NUL.
std::vector<std::string> Fields(const std::string& text) {
  std::vector<std::string> out;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\0', at), text.size());
    out.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

}  // namespace

Result<GitRevision> GitRevision::Open(const std::string& folder, const std::string& revision) {
  GitRevision out;
  out.name_ = revision;
  const auto root = Git(folder, {"rev-parse", "--show-toplevel"});
  if (!root) return tl::unexpected(root.error());
  if (root->code) return Error(Code::kUsage, fmt::format("'{}' is not in a git repository", folder));
  out.root_ = Line(root->text);
  // A revision that begins with '-' would be an option.
  const auto commit =
      Git(folder, {"rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}"});
  if (!commit) return tl::unexpected(commit.error());
  out.commit_ = Line(commit->text);
  if (commit->code || out.commit_.empty())
    return Error(Code::kUsage, fmt::format("git does not know the revision '{}'", revision), {},
                 "fetch it; clones of CI systems often have one commit only");
  return out;
}

Result<std::map<std::string, GitRevision::Change>> GitRevision::Changes() const {
  std::map<std::string, Change> out;
  const auto path = [&](const std::string& name) {
    return (std::filesystem::path(root_) / name).lexically_normal().string();
  };
  const auto changed = Git(root_, {"diff", "--name-status", "--no-renames", "-z", commit_, "--"});
  if (!changed) return tl::unexpected(changed.error());
  const auto unknown = Git(root_, {"ls-files", "--others", "--exclude-standard", "-z"});
  if (!unknown) return tl::unexpected(unknown.error());
  if (changed->code || unknown->code)
    return Error(Code::kIo, fmt::format("git cannot list what changed in '{}'", root_));
  const auto fields = Fields(changed->text);
  for (size_t i = 0; i + 1 < fields.size(); i += 2)
    out[path(fields[i + 1])] = fields[i] == "A"   ? Change::kAdded
                               : fields[i] == "D" ? Change::kRemoved
                                                  : Change::kChanged;
  for (const std::string& name : Fields(unknown->text)) out[path(name)] = Change::kAdded;
  return out;
}

Result<std::optional<std::string>> GitRevision::Read(const std::string& path) const {
  const std::string name = std::filesystem::path(path).lexically_relative(root_).generic_string();
  if (name.empty() || name.starts_with("..")) return std::nullopt;
  const auto exists = Git(root_, {"cat-file", "-e", commit_ + ":" + name});
  if (!exists) return tl::unexpected(exists.error());
  if (exists->code) return std::nullopt;
  auto content = Git(root_, {"cat-file", "--filters", commit_ + ":" + name});
  if (!content) return tl::unexpected(content.error());
  if (content->code)
    return Error(Code::kIo, fmt::format("git cannot read '{}' of {}", name, name_), {},
                 "fetch it, for instance with 'git lfs fetch'");
  return std::move(content->text);
}

}  // namespace shlo::tool
