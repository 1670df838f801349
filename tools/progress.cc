// A progress line for work that takes more than one second. The thread starts with the first step, and only
// if stderr is a terminal, so scripts and pipes never see it.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <system_error>
#include <thread>

#include "common.h"

namespace shlo::tool {

struct Progress::State {
  std::mutex mutex;
  std::condition_variable wake;
  std::string what;
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
      std::fprintf(stderr, "\r\033[K%lld s: %s ...", static_cast<long long>(seconds), what.c_str());
      shown = true;
    }
  }
};

Progress::Progress(bool shown) : shown_(shown) {}

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

void Progress::Step(std::string what) {
  if (!state_) {
    if (!shown_ || !isatty(STDERR_FILENO)) return;
    state_ = std::make_unique<State>();
    try {
      state_->thread = std::thread([state = state_.get()] { state->Loop(); });
    } catch (const std::system_error&) {
      return;  // run without a progress line
    }
  }
  std::lock_guard lock(state_->mutex);
  state_->what = std::move(what);
  // Control bytes in file names would corrupt the terminal.
  std::replace_if(
      state_->what.begin(), state_->what.end(),
      [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }, '?');
}

void Progress::Clear() {
  if (!state_) return;
  std::lock_guard lock(state_->mutex);
  state_->what.clear();
  if (!state_->shown) return;
  std::fputs("\r\033[K", stderr);
  state_->shown = false;
}

}  // namespace shlo::tool
