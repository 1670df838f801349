#include "base/workers.h"

#include <sys/resource.h>

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "base/deadline.h"

namespace shlo {
namespace {

size_t StackSize() {
  constexpr size_t kLeast = size_t(8) << 20, kMost = size_t(512) << 20;
  rlimit limit;
  if (::getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kLeast;
  return std::clamp(size_t(limit.rlim_cur) / 4096 * 4096, kLeast, kMost);
}

// Returns what a call threw, or null.
std::exception_ptr Try(const std::function<void(size_t)>& work, size_t i) {
  try {
    work(i);
  } catch (...) {
    return std::current_exception();
  }
  return nullptr;
}

}  // namespace

bool Threads::Start() {
  pthread_attr_t attributes;
  if (::pthread_attr_init(&attributes) != 0) return false;
  const auto run = [](void* self) -> void* {
    Threads& threads = *static_cast<Threads*>(self);
    threads.body_();
    const std::lock_guard lock(threads.mutex_);
    --threads.running_;
    threads.ended_.notify_all();
    return nullptr;
  };
  threads_.reserve(threads_.size() + 1);
  pthread_t thread;
  {
    const std::lock_guard lock(mutex_);
    ++running_;
  }
  const bool started = ::pthread_attr_setstacksize(&attributes, StackSize()) == 0 &&
                       ::pthread_create(&thread, &attributes, run, this) == 0;
  ::pthread_attr_destroy(&attributes);
  if (started) {
    threads_.push_back(thread);
  } else {
    const std::lock_guard lock(mutex_);
    --running_;
  }
  return started;
}

void Threads::Join() {
  {
    std::unique_lock lock(mutex_);
    while (running_ > 0) WaitAwhile(ended_, lock);
  }
  for (const pthread_t thread : threads_) ::pthread_join(thread, nullptr);
  threads_.clear();
}

Beside::Beside(std::function<void()> work)
    : call_([this, work = std::move(work), limits = CurrentEnds()] {
        const DeadlineScope deadline(limits);
        thrown_ = Try([&](size_t) { work(); }, 0);
      }),
      thread_(call_) {
  if (!thread_.Start()) call_();
}

void Beside::Wait() {
  thread_.Join();
  if (const std::exception_ptr thrown = std::exchange(thrown_, nullptr)) std::rethrow_exception(thrown);
}

size_t NumThreads(uint32_t threads) {
  // To ask for the number of processors takes system calls.
  static const size_t processors = std::max<size_t>(std::thread::hardware_concurrency(), 1);
  return threads ? threads : processors;
}

void RunInOrder(size_t count, size_t threads, const std::function<void(size_t)>& work,
                const std::function<bool(size_t)>& take) {
  std::mutex mutex;
  std::condition_variable done_more;
  std::vector<char> done(count);
  size_t next = 0;
  bool stop = false;
  Threads workers([&] {
    std::unique_lock lock(mutex);
    while (!stop && next < count) {
      const size_t i = next++;
      lock.unlock();
      work(i);
      lock.lock();
      done[i] = 1;
      done_more.notify_one();
    }
  });
  threads = std::min(threads, count);
  for (size_t i = 0; threads > 1 && i < threads && workers.Start(); ++i) {
  }
  if (workers.size() == 0) {
    for (size_t i = 0; i < count; ++i) {
      work(i);
      if (!take(i)) return;
    }
    return;
  }
  for (size_t i = 0; i < count; ++i) {
    {
      std::unique_lock lock(mutex);
      while (!done[i]) WaitAwhile(done_more, lock);
    }
    if (take(i)) continue;
    const std::lock_guard lock(mutex);
    stop = true;
    break;
  }
  workers.Join();
}

void RunParts(size_t count, size_t threads, const std::function<void(size_t)>& work) {
  ProduceInOrder(count, threads, count, work, [](size_t) { return true; });
}

namespace {

// The state that ProduceInOrder shares with its threads, under one mutex: who does what.
class InOrder {
 public:
  InOrder(size_t count, size_t threads, size_t ahead, const std::function<void(size_t)>& work, bool has_own,
          size_t early)
      : work_(work),
        ahead_(ahead),
        own_step_(has_own ? threads : 0),
        early_(early),
        states_(count),
        thrown_(count) {}

  // Whether the thread that takes results would do this by itself.
  bool IsOwn(size_t i) const { return own_step_ && i % own_step_ == 0; }

  // Works until nothing is left.
  void Help() {
    std::unique_lock lock(mutex_);
    while (!stopped_) {
      const size_t i = Next();
      if (i < states_.size())
        Work(i, lock);
      else if (begun_ == states_.size())
        return;
      else
        changed_.wait(lock);
    }
  }

  // Takes all results. Returns what the first call that threw did, or null.
  std::exception_ptr TakeAll(const std::function<bool(size_t)>& take,
                             const std::function<bool(size_t)>& own) {
    std::unique_lock lock(mutex_);
    std::exception_ptr first;
    bool more = true;
    while (more && taken_ < states_.size()) {
      const size_t i = taken_;
      const bool mine = IsOwn(i) && states_[i] == State::kOpen;
      if (mine) Begin(i);
      while (!mine && states_[i] != State::kDone) {
        // After an exception, only what comes before it is still of interest.
        const size_t next = states_[i] == State::kOpen ? i : stopped_ ? states_.size() : Next();
        if (next < states_.size())
          Work(next, lock);
        else
          WaitAwhile(changed_, lock);
      }
      if ((first = thrown_[i])) break;
      lock.unlock();
      try {
        more = mine ? own(i) : take(i);
      } catch (...) {
        first = std::current_exception();
        more = false;
      }
      lock.lock();
      ++taken_;
      changed_.notify_all();
    }
    stopped_ = true;
    changed_.notify_all();
    return first;
  }

 private:
  enum class State : uint8_t { kOpen, kBegun, kDone };

  void Begin(size_t i) {
    states_[i] = State::kBegun;
    ++begun_;
  }
  // Returns what to begin next; the number of all if there is no room for a result, or nothing left.
  size_t Next() {
    const size_t end = std::min(states_.size(), taken_ + ahead_);
    if (begun_ == states_.size()) return begun_;
    if (early_ < states_.size() && states_[early_] == State::kOpen) return early_;
    while (next_ < end && (IsOwn(next_) || states_[next_] != State::kOpen)) ++next_;
    if (next_ < end) return next_;
    // Rather than wait: what the taking thread would come to last.
    for (size_t i = own_step_ ? end : 0; i-- > taken_ + 1;)
      if (states_[i] == State::kOpen) return i;
    return states_.size();
  }
  void Work(size_t i, std::unique_lock<std::mutex>& lock) {
    Begin(i);
    lock.unlock();
    std::exception_ptr exception = Try(work_, i);
    lock.lock();
    thrown_[i] = std::move(exception);
    // Earlier ones may still throw, and are then the first.
    if (thrown_[i]) stopped_ = true;
    states_[i] = State::kDone;
    changed_.notify_all();
  }

  const std::function<void(size_t)>& work_;
  const size_t ahead_, own_step_, early_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<State> states_;
  std::vector<std::exception_ptr> thrown_;
  size_t next_ = 0, begun_ = 0, taken_ = 0;
  bool stopped_ = false;
};

}  // namespace

void ProduceInOrder(size_t count, size_t threads, size_t ahead, const std::function<void(size_t)>& work,
                    const std::function<bool(size_t)>& take, const std::function<bool(size_t)>& own,
                    size_t early) {
  if (threads <= 1 || count <= 1) {
    for (size_t i = 0; i < count; ++i) {
      if (own ? !own(i) : (work(i), !take(i))) return;
    }
    return;
  }
  InOrder shared(count, threads, ahead, work, own != nullptr, early);
  const Limits limits = CurrentEnds();
  Threads workers([&] {
    const DeadlineScope deadline(limits);
    shared.Help();
  });
  for (size_t i = 1; i < std::min(threads, count) && workers.Start(); ++i) {
  }
  const std::exception_ptr first = shared.TakeAll(take, own);
  workers.Join();
  if (first) std::rethrow_exception(first);
}

}  // namespace shlo
