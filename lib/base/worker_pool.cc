#include "base/worker_pool.h"

#include <thread>

#include "base/deadline.h"

namespace shlo {
namespace {

// Looks at a condition for some hundred microseconds before the thread goes to sleep: ops follow each other
// closely, and to wake a thread takes as long as many of them.
template <typename Condition>
bool Soon(Condition condition) {
  constexpr int kLooks = 600;
  for (int i = 0; i < kLooks; ++i) {
    if (condition()) return true;
    std::this_thread::yield();
  }
  return false;
}

}  // namespace

WorkerPool::~WorkerPool() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
    ++run_;
  }
  work_.notify_all();
  threads_.Join();
}

void WorkerPool::TakeParts() {
  for (uint64_t i = next_++; i < parts_; i = next_++) (*part_)(i);
}

void WorkerPool::Work() {
  uint64_t seen = 0;
  for (;;) {
    Soon([&] { return run_ != seen; });
    {
      std::unique_lock lock(mutex_);
      work_.wait(lock, [&] { return run_ != seen; });
      seen = run_;
      if (ends_) return;
      if (next_ >= parts_) continue;  // the others were faster
      ++working_;
    }
    TakeParts();
    if (--working_ > 0) continue;
    const std::lock_guard lock(mutex_);  // so that the caller is either awake or waiting
    done_.notify_one();
  }
}

void WorkerPool::Run(uint64_t threads, uint64_t parts, const std::function<void(uint64_t)>& part) {
  {
    const std::lock_guard lock(mutex_);
    part_ = &part;
    parts_ = parts;
    next_ = 0;
    ++run_;
    while (threads_.size() + 1 < threads && threads_.Start()) continue;
  }
  work_.notify_all();
  TakeParts();
  if (Soon([&] { return working_ == 0; })) {
    // A thread may still be about to begin; under the lock it sees that nothing is left.
    const std::lock_guard lock(mutex_);
    if (working_ == 0) {
      parts_ = 0;
      return;
    }
  }
  std::unique_lock lock(mutex_);
  while (working_ > 0) WaitAwhile(done_, lock);
  parts_ = 0;
}

}  // namespace shlo
