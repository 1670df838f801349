#include "git_process.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

#include "base/format.h"

extern char** environ;

namespace shlo::tool {
namespace {

constexpr size_t kMostOutput = size_t(4) << 30;  // bytes

// Settings that win over those of the repository.
constexpr std::string_view kSettings[] = {
    "core.fsmonitor=false",             // a program that lists changed files
    "core.untrackedCache=false",        // asks it
    "core.hooksPath=/dev/null",         // hooks
    "core.alternateRefsCommand=false",  // of alternates
    "core.sshCommand=false",            // transports
    "core.gitProxy=false",
    "core.askPass=false",
    "core.editor=false",
    "core.pager=cat",
    "credential.helper=",
    "diff.external=",
    "gc.auto=0",  // work in the background
    "maintenance.auto=false",
    "protocol.allow=never",
    "submodule.recurse=false",       // repositories in the repository
    "safe.bareRepository=explicit",  // that files of the work tree may imitate
};
// No transport may be used, whatever the repository says: objects of a partial clone that are not here would
// be fetched. GIT_ALLOW_PROTOCOL wins over protocol.*.allow, and lists none that exists.
constexpr std::string_view kEnvironment[] = {
    "GIT_ALLOW_PROTOCOL=none", "GIT_NO_LAZY_FETCH=1",      "GIT_NO_REPLACE_OBJECTS=1",
    "GIT_OPTIONAL_LOCKS=0",    "GIT_PROTOCOL_FROM_USER=0", "GIT_TERMINAL_PROMPT=0",
    "GIT_PAGER=cat",           "GIT_ATTR_NOSYSTEM=1",      "LC_ALL=C",
};

// Returns the path of git, or "". Relative folders of PATH are passed over: the working directory may be the
// repository.
std::string FindGit() {
  const char* const path = std::getenv("PATH");
  std::string_view rest = path ? path : "/usr/local/bin:/usr/bin:/bin";
  while (!rest.empty()) {
    const size_t end = std::min(rest.find(':'), rest.size());
    const std::string_view folder = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (!folder.starts_with('/')) continue;
    std::string file = StrFormat("{}/git", folder);
    if (::access(file.c_str(), X_OK) == 0) return file;
  }
  return "";
}

// The user's environment without what is about git, and with the above.
std::vector<std::string> Environment() {
  std::vector<std::string> out(std::begin(kEnvironment), std::end(kEnvironment));
  for (char** variable = environ; *variable; ++variable) {
    const std::string_view text = *variable;
    if (!text.starts_with("GIT_") && !text.starts_with("LC_ALL=")) out.emplace_back(text);
  }
  return out;
}

std::vector<char*> Pointers(std::vector<std::string>& words) {
  std::vector<char*> out;
  for (std::string& word : words) out.push_back(word.data());
  out.push_back(nullptr);
  return out;
}

Result<pid_t> Start(const std::string& folder, const std::vector<std::string>& arguments, int output) {
  const auto cannot_run = [](int error) {
    return Error(Code::kIo, StrFormat("cannot run git: {}", strerror(error)), {},
                 "install git, or pass no revision");
  };
  const std::string git = FindGit();
  if (git.empty()) return cannot_run(ENOENT);
  std::vector<std::string> words = {
      "git", "-C", folder, "--no-pager", "--no-optional-locks", "--no-replace-objects"};
  for (const std::string_view setting : kSettings) {
    words.emplace_back("-c");
    words.emplace_back(setting);
  }
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<std::string> environment = Environment();
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, output, 1);
  ::posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int error = ::posix_spawn(&child, git.c_str(), &actions, nullptr, Pointers(words).data(),
                                  Pointers(environment).data());
  ::posix_spawn_file_actions_destroy(&actions);
  if (error) return cannot_run(error);
  return child;
}

// Reads to the end. Returns false if that is too far away, or not there.
bool ReadAll(int from, std::string* out) {
  char buffer[65536];
  while (true) {
    const ssize_t n = ::read(from, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return n == 0;
    if (out->size() + size_t(n) > kMostOutput) return false;
    out->append(buffer, size_t(n));
  }
}

}  // namespace

Result<GitOutput> RunGit(const std::string& folder, const std::vector<std::string>& arguments) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    return Error(Code::kIo, StrFormat("cannot make a pipe: {}", strerror(errno)));
  const auto child = Start(folder, arguments, ends[1]);
  ::close(ends[1]);
  if (!child) {
    ::close(ends[0]);
    return tl::unexpected(child.error());
  }
  GitOutput out;
  const bool read = ReadAll(ends[0], &out.text);
  ::close(ends[0]);
  int status = 0;
  while (::waitpid(*child, &status, 0) < 0)
    if (errno != EINTR) return Error(Code::kIo, StrFormat("cannot wait for git: {}", strerror(errno)));
  if (!read || WIFSIGNALED(status)) return Error(Code::kIo, StrFormat("git {} did not finish", arguments[0]));
  out.code = WEXITSTATUS(status);
  return out;
}

}  // namespace shlo::tool
