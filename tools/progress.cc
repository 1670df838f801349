// A progress line for work that takes more than one second. The thread starts with the first step, and only
// if stderr is a terminal, so scripts and pipes never see it.
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>

#include "common.h"

namespace shlo::tool {

struct Progress::State {
  std::mutex mutex;
  std::condition_variable wake;
  TerminalText what;
  bool stop = false;
  bool shown = false;
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
  std::thread thread;

  void Loop() {
    std::unique_lock lock(mutex);
    while (!stop) {
      wake.wait_for(lock, std::chrono::milliseconds(500), [&] { return stop; });
      const auto elapsed = std::chrono::steady_clock::now() - start;
      const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(elapsed).count();
      if (stop || seconds < 1 || what.empty()) continue;
      WriteToStderr(TerminalText("\r\033[K") + TerminalText::Of("{} s: {} ...", seconds, what));
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
}

void Progress::Clear() {
  if (!state_) return;
  std::lock_guard lock(state_->mutex);
  state_->what = {};
  if (!state_->shown) return;
  WriteToStderr(TerminalText("\r\033[K"));
  state_->shown = false;
}

}  // namespace shlo::tool
