// A progress line on the terminal. The thread starts with the first step, and only
// if stderr is a terminal, so scripts and pipes never see it.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <iterator>
#include <mutex>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>

#include "base/format.h"
#include "common.h"

namespace shlo::tool {
namespace {

constexpr Literal kErase = "\r\033[K";
// A line that wraps could not be erased.
constexpr Literal kNoWrap = "\033[?7l", kWrap = "\033[?7h";

}  // namespace

struct Progress::State {
  std::mutex mutex;
  std::condition_variable wake;
  TerminalText what;
  const char* unit = nullptr;  // of work_done
  WorkDone work_done;
  bool stop = false;
  bool shown = false;
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
  std::thread thread;

  // Returns how much is done: ", 12 of 40 ops"; empty if that is not known.
  std::string Done() const {
    const uint64_t done = work_done.done, all = work_done.all;
    if (!unit || all < 2) return "";
    return StrFormat(", {} of {}", std::min(done, all), Count(all, unit));
  }

  void Loop() {
    constexpr auto kFirst = std::chrono::milliseconds(200), kNext = std::chrono::milliseconds(500);
    std::unique_lock lock(mutex);
    wake.wait_for(lock, kFirst, [&] { return stop; });
    for (; !stop; wake.wait_for(lock, kNext, [&] { return stop; })) {
      if (what.empty()) continue;
      const auto elapsed = std::chrono::steady_clock::now() - start;
      const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(elapsed).count();
      const std::string time = seconds > 0 ? StrFormat("{} s: ", seconds) : "";
      WriteToStderr(TerminalText(kErase) + kNoWrap + TerminalText::Of("{}{}{} ...", time, what, Done()) +
                    kWrap);
      shown = true;
    }
  }
};

Progress::Progress(bool shown) : shown_(shown && isatty(STDERR_FILENO)) {}

Progress::~Progress() {
  if (!state_) return;
  Clear();
  {
    std::lock_guard lock(state_->mutex);
    state_->stop = true;
  }
  state_->wake.notify_all();
  if (state_->thread.joinable()) state_->thread.join();
}

void Progress::Show(const TerminalText& what) {
  if (!state_) {
    state_ = std::make_unique<State>();
    try {
      state_->thread = std::thread([state = state_.get()] { state->Loop(); });
    } catch (const std::system_error&) {
      return;  // run without a progress line
    }
  }
  std::lock_guard lock(state_->mutex);
  state_->what = what;
  state_->unit = nullptr;
}

WorkDone* Progress::Counted(const char* unit) {
  if (!state_) return nullptr;
  std::lock_guard lock(state_->mutex);
  state_->work_done.done = state_->work_done.all = 0;
  state_->unit = unit;
  return &state_->work_done;
}

void Progress::Clear() {
  if (!state_) return;
  std::lock_guard lock(state_->mutex);
  state_->what = {};
  if (!state_->shown) return;
  WriteToStderr(TerminalText(kErase));
  state_->shown = false;
}

namespace {

// The handlers that end the process, by signal.
constexpr int kEnding[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
struct sigaction endings[std::size(kEnding)];

extern "C" void LeaveTerminal(int signal) {
  const std::string_view text = signal == SIGINT ? "\r\033[K\033[?7hinterrupted\n" : "\r\033[K\033[?7h";
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text.data(), text.size());
  for (size_t i = 0; i < std::size(kEnding); ++i)
    if (kEnding[i] == signal) endings[i].sa_handler(signal);
}

}  // namespace

void LeaveTerminalOnSignals() {
  if (!isatty(STDERR_FILENO)) return;
  for (size_t i = 0; i < std::size(kEnding); ++i) {
    if (::sigaction(kEnding[i], nullptr, &endings[i]) != 0 || endings[i].sa_handler == SIG_DFL ||
        endings[i].sa_handler == SIG_IGN)
      continue;
    struct sigaction action = endings[i];
    action.sa_handler = LeaveTerminal;
    ::sigaction(kEnding[i], &action, nullptr);
  }
}

}  // namespace shlo::tool
