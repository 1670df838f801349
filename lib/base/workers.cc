#include "base/workers.h"

#include <sys/resource.h>

#include <algorithm>
#include <exception>
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
template <typename CallT>
std::exception_ptr Try(CallT&& call) {
  try {
    call();
  } catch (...) {
    return std::current_exception();
  }
  return nullptr;
}

}  // namespace

size_t NumThreads(uint32_t threads) {
  // To ask for the number of processors takes system calls.
  static const size_t processors = std::max<size_t>(std::thread::hardware_concurrency(), 1);
  return threads ? threads : processors;
}

// --- Threads --------------------------------------------------------------------------------------

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

// --- ThreadPool -----------------------------------------------------------------------------------

struct ThreadPool::Job {
  const Work& work;
  const size_t ahead;
  const Limits ends = CurrentEnds();
  size_t places;                   // for other threads that may still join
  std::vector<bool> done;          // which work has returned
  size_t next = 0, taken = 0;      // the work to begin, and the result to take
  size_t end = done.size();        // what comes from here on is not wanted
  std::exception_ptr thrown = {};  // by what precedes `end`

  bool all_begun() const { return next >= end; }
  // Returns whether there is work to begin, and room for its result.
  bool can_begin() const { return next < std::min(end, taken + ahead); }
  void Stop(size_t at, std::exception_ptr exception) {
    end = at;
    thrown = std::move(exception);
  }
};

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  job_changed_.notify_all();
  threads_.Join();
}

// What the other threads do.
void ThreadPool::Serve() {
  std::unique_lock lock(mutex_);
  for (;;) {
    job_changed_.wait(lock, [&] { return ends_ || (job_ && job_->places > 0); });
    if (ends_) return;
    Job& job = *job_;
    --job.places;
    ++helping_;
    {
      const DeadlineScope deadline(job.ends);
      while (!job.all_begun()) {
        if (job.can_begin())
          WorkOnNext(job, lock);
        else
          job_changed_.wait(lock);
      }
    }
    --helping_;
    step_done_.notify_one();
  }
}

void ThreadPool::WorkOnNext(Job& job, std::unique_lock<std::mutex>& lock) {
  const size_t i = job.next++;
  lock.unlock();
  std::exception_ptr thrown = Try([&] { job.work(i); });
  lock.lock();
  job.done[i] = true;
  if (thrown && i < job.end) {
    job.Stop(i, std::move(thrown));
    job_changed_.notify_all();
  }
  step_done_.notify_one();
}

// Takes the results of a job, and helps while there is nothing to take.
void ThreadPool::Lead(Job& job, const Take& take, std::unique_lock<std::mutex>& lock) {
  while (job.taken < job.end) {
    if (!job.done[job.taken]) {
      if (job.can_begin())
        WorkOnNext(job, lock);
      else
        WaitAwhile(step_done_, lock);
      continue;
    }
    bool more = false;
    lock.unlock();
    std::exception_ptr thrown = Try([&] { more = take(job.taken); });
    lock.lock();
    ++job.taken;
    if (!more) job.Stop(job.taken, std::move(thrown));
    job_changed_.notify_all();
  }
}

void ThreadPool::RunInOrder(size_t count, size_t threads, size_t ahead, const Work& work, const Take& take) {
  if (threads <= 1 || count <= 1) {
    for (size_t i = 0; i < count; ++i) {
      work(i);
      if (!take(i)) return;
    }
    return;
  }
  const size_t others = std::min(threads, count) - 1;
  Job job{.work = work, .ahead = ahead, .places = others, .done = std::vector<bool>(count)};
  std::unique_lock lock(mutex_);
  while (threads_.size() < others && threads_.Start()) continue;
  job_ = &job;
  job_changed_.notify_all();
  Lead(job, take, lock);
  job_ = nullptr;
  while (helping_ > 0) WaitAwhile(step_done_, lock);
  if (job.thrown) std::rethrow_exception(job.thrown);
}

void ThreadPool::Run(size_t count, size_t threads, const Work& work) {
  RunInOrder(count, threads, count, work, [](size_t) { return true; });
}

void RunInOrder(size_t count, size_t threads, size_t ahead, const ThreadPool::Work& work,
                const ThreadPool::Take& take) {
  ThreadPool().RunInOrder(count, threads, ahead, work, take);
}

void RunParts(size_t count, size_t threads, const ThreadPool::Work& work) {
  ThreadPool().Run(count, threads, work);
}

}  // namespace shlo
