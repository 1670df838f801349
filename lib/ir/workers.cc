#include "ir/workers.h"

#include <sys/resource.h>

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

#include "ir/deadline.h"

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
    static_cast<Threads*>(self)->body_();
    return nullptr;
  };
  threads_.reserve(threads_.size() + 1);
  pthread_t thread;
  const bool started = ::pthread_attr_setstacksize(&attributes, StackSize()) == 0 &&
                       ::pthread_create(&thread, &attributes, run, this) == 0;
  ::pthread_attr_destroy(&attributes);
  if (started) threads_.push_back(thread);
  return started;
}

void Threads::Join() {
  for (const pthread_t thread : threads_) ::pthread_join(thread, nullptr);
  threads_.clear();
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
      done_more.wait(lock, [&] { return done[i] != 0; });
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

void ProduceInOrder(size_t count, size_t threads, size_t ahead, const std::function<void(size_t)>& work,
                    const std::function<bool(size_t)>& take, const std::function<bool(size_t)>& own) {
  const auto is_own = [&](size_t i) { return own && (threads <= 1 || i % threads == 0); };
  if (threads <= 1 || count <= 1) {
    for (size_t i = 0; i < count; ++i) {
      if (!is_own(i)) work(i);
      if (!(is_own(i) ? own(i) : take(i))) return;
    }
    return;
  }
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<char> done(count);
  std::vector<std::exception_ptr> thrown(count);
  size_t next = own ? 1 : 0, taken = 0;
  // Does the next work, if there is room for its result.
  const auto work_on = [&](std::unique_lock<std::mutex>& lock) {
    const size_t i = next++;
    if (is_own(next)) ++next;
    lock.unlock();
    std::exception_ptr exception = Try(work, i);
    lock.lock();
    thrown[i] = std::move(exception);
    if (thrown[i]) next = count;
    done[i] = 1;
    changed.notify_all();
  };
  const Limits limits{.deadline = CurrentDeadline()};
  Threads workers([&] {
    const DeadlineScope deadline(limits);
    std::unique_lock lock(mutex);
    for (;;) {
      changed.wait(lock, [&] { return next >= count || next < taken + ahead; });
      if (next >= count) return;
      work_on(lock);
    }
  });
  for (size_t i = 1; i < std::min(threads, count) && workers.Start(); ++i) {
  }
  std::exception_ptr first;
  {
    std::unique_lock lock(mutex);
    for (size_t i = 0; i < count && !first; ++i) {
      while (!is_own(i) && !done[i]) {
        if (next < count && next < taken + ahead)
          work_on(lock);
        else
          changed.wait(lock);
      }
      first = thrown[i];
      if (first) break;
      lock.unlock();
      bool more = false;
      try {
        more = is_own(i) ? own(i) : take(i);
      } catch (...) {
        first = std::current_exception();
      }
      lock.lock();
      taken = i + 1;
      changed.notify_all();
      if (!more) break;
    }
    next = count;
    changed.notify_all();
  }
  workers.Join();
  if (first) std::rethrow_exception(first);
}

}  // namespace shlo
