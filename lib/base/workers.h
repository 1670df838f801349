// Work in several threads whose results do not depend on how many there are: one pool, and one pipeline whose
// results are taken in order. Idle threads sleep.
#pragma once

#include <pthread.h>

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <vector>

namespace shlo {

// Returns Limits::threads, or the number of processors for 0.
size_t NumThreads(uint32_t threads);

// Threads that run the same function. Their stacks are as large as the main thread's, because readers and
// writers recurse; those of std::thread can be smaller.
class Threads {
 public:
  explicit Threads(std::function<void()> body) : body_(std::move(body)) {}
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;
  ~Threads() { Join(); }
  // Returns false if the system has no more.
  bool Start();
  void Join();
  size_t size() const { return threads_.size(); }

 private:
  const std::function<void()> body_;
  std::vector<pthread_t> threads_;
  std::mutex mutex_;
  std::condition_variable ended_;
  size_t running_ = 0;  // threads that were started and have not ended
};

// Threads that share one job after another. The first job starts them, and the destructor ends them. They
// work until the deadline and the cancellation of the thread that has the job. If the system refuses threads,
// there are fewer.
class ThreadPool {
 public:
  using Work = std::function<void(size_t)>;
  using Take = std::function<bool(size_t)>;

  ThreadPool() = default;
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;
  ~ThreadPool();

  // Calls work(i) for each i below `count`, begun in this order, in up to `threads` threads, this one among
  // them; and take(i) for each i in this order, in this thread, when work(i) has returned. At most `ahead`
  // results wait to be taken. If take returns false, no more work is begun, and nothing is taken. If a call
  // throws, neither is what comes after it; throws what the first one in this order threw. Returns when all
  // calls have returned. One thread at a time may call this.
  void RunInOrder(size_t count, size_t threads, size_t ahead, const Work& work, const Take& take);
  // Likewise, with nothing to take.
  void Run(size_t count, size_t threads, const Work& work);

 private:
  struct Job;
  void Serve();
  void WorkOnNext(Job& job, std::unique_lock<std::mutex>& lock);
  void Lead(Job& job, const Take& take, std::unique_lock<std::mutex>& lock);

  std::mutex mutex_;                     // of everything below, and of jobs
  std::condition_variable job_changed_;  // there is one, or a step of it is done
  std::condition_variable step_done_;    // for the thread that has the job
  Job* job_ = nullptr;
  size_t helping_ = 0;  // threads that work on the job
  bool ends_ = false;
  Threads threads_{[this] { Serve(); }};
};

// Each with a pool of its own.
void RunInOrder(size_t count, size_t threads, size_t ahead, const ThreadPool::Work& work,
                const ThreadPool::Take& take);
void RunParts(size_t count, size_t threads, const ThreadPool::Work& work);

}  // namespace shlo
