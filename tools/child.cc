#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "base/format.h"
#include "base/temporaries.h"

namespace shlo::tool {
namespace {

using Clock = Limits::Clock;

// Exit codes of the shell for a command that it cannot run; 128 is for signals.
constexpr int kCannotStart = 126, kNoShell = 127, kBySignal = 128;

constexpr int kKept[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU};

// For the handler, which may use neither locks nor memory from the heap.
std::atomic<pid_t> child_group = 0;  // 0: none is running
std::atomic<int> kept_signal = 0;
struct sigaction actions_before[std::size(kKept)];

void KillGroup() {
  if (const pid_t group = child_group) ::kill(-group, SIGKILL);
}

extern "C" void Keep(int signal) {
  const int error = errno;
  KillGroup();
  if (kept_signal.exchange(signal) != 0) EndBySignal(signal);
  errno = error;
}

[[noreturn]] void BecomeShell(const std::string& command, const std::string& output) {
  ::setpgid(0, 0);
  const int in = ::open("/dev/null", O_RDONLY);
  const int out = ::open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (in < 0 || out < 0 || ::dup2(in, 0) < 0 || ::dup2(out, 1) < 0 || ::dup2(out, 2) < 0)
    ::_exit(kCannotStart);
  ::execl("/bin/sh", "sh", "-c", command.c_str(), static_cast<char*>(nullptr));
  ::_exit(kNoShell);
}

// Waits for a child until a time. Returns what waitpid does: 0 if it still runs.
pid_t WaitUntil(pid_t child, Clock::time_point until, int* status) {
  const Clock::time_point start = Clock::now();
  for (;;) {
    const bool forever = until == Clock::time_point::max();
    const pid_t ended = ::waitpid(child, status, forever ? 0 : WNOHANG);
    if (ended > 0 || (ended < 0 && errno != EINTR)) return ended;
    if (forever) continue;
    const Clock::time_point now = Clock::now();
    if (now >= until) return 0;
    // In steps that are short compared with the time of the command.
    const Clock::duration step = std::clamp<Clock::duration>(
        (now - start) / 16, std::chrono::microseconds(100), std::chrono::milliseconds(20));
    std::this_thread::sleep_for(std::min(step, until - now));
  }
}

}  // namespace

Result<ChildEnd> RunShell(const std::string& command, const std::string& output, Clock::time_point until) {
  pid_t child = 0;
  {
    // A signal in between would leave a child that nobody knows.
    WithoutSignals no_signals;
    child = ::fork();
    if (child == 0) {
      no_signals.Restore();
      BecomeShell(command, output);
    }
    if (child > 0) {
      ::setpgid(child, child);  // whoever of both is first
      child_group = child;
    }
  }
  if (child < 0) return Error(Code::kIo, StrFormat("cannot start a process: {}", strerror(errno)));
  if (kept_signal != 0) KillGroup();
  int status = 0;
  pid_t ended = WaitUntil(child, until, &status);
  const int error = errno;
  ChildEnd end{.stopped = ended == 0 || kept_signal != 0};
  KillGroup();
  child_group = 0;
  if (ended == 0) ended = WaitUntil(child, Clock::time_point::max(), &status);
  if (ended < 0) return Error(Code::kIo, StrFormat("cannot wait for a process: {}", strerror(error)));
  end.exit_code = WIFSIGNALED(status) ? kBySignal + WTERMSIG(status) : WEXITSTATUS(status);
  return end;
}

KeepSignal::KeepSignal() {
  kept_signal = 0;
  struct sigaction action = {};
  action.sa_handler = Keep;
  ::sigfillset(&action.sa_mask);
  for (size_t i = 0; i < std::size(kKept); ++i) {
    ::sigaction(kKept[i], nullptr, &actions_before[i]);
    // nohup and shells have a command ignore signals.
    if (actions_before[i].sa_handler != SIG_IGN) ::sigaction(kKept[i], &action, nullptr);
  }
}

KeepSignal::~KeepSignal() {
  for (size_t i = 0; i < std::size(kKept); ++i) ::sigaction(kKept[i], &actions_before[i], nullptr);
}

int KeepSignal::Kept() { return kept_signal; }

void EndBySignal(int signal) {
  RemoveTemporaryFiles();
  struct sigaction action = {};
  action.sa_handler = SIG_DFL;
  ::sigaction(signal, &action, nullptr);
  sigset_t only;
  ::sigemptyset(&only);
  ::sigaddset(&only, signal);
  ::pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
  ::raise(signal);
  ::_exit(kBySignal + signal);
}

}  // namespace shlo::tool
