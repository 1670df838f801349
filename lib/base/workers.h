// Work in several threads whose results do not depend on how many there are.
#pragma once

#include <pthread.h>

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <vector>

namespace shlo {

// Threads that run the same function. Their stacks are as large as that of the main thread, because readers
// and writers recurse; those of std::thread can be smaller.
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

// A call that another thread makes, until the deadline of this one or its cancellation, while this one
// continues.
class Beside {
 public:
  // Starts the call; makes it here if the system has no more threads.
  explicit Beside(std::function<void()> work);
  Beside(const Beside&) = delete;
  Beside& operator=(const Beside&) = delete;
  // Returns when the call has returned. Throws what it threw, the first time.
  void Wait();

 private:
  std::exception_ptr thrown_;
  const std::function<void()> call_;
  Threads thread_;  // last: its destructor waits
};

// Returns Limits::threads, or the number of processors for 0.
size_t NumThreads(uint32_t threads);

// Calls work(i) for each i below `count`, starting in this order, in `threads` threads (one: in this thread),
// and take(i) for each i in this order, in this thread, when work(i) has returned. If take returns false, no
// more work is started; take is not called again, even if later work was done already. Neither may throw.
void RunInOrder(size_t count, size_t threads, const std::function<void(size_t)>& work,
                const std::function<bool(size_t)>& take);

// Calls work(i) for each i below `count` in up to `threads` threads, this one among them, with the deadline
// and the cancellation of this thread. If calls throw, throws again what the first of them did.
void RunParts(size_t count, size_t threads, const std::function<void(size_t)>& work);

// Likewise, with take(i) in this thread as in RunInOrder. No more than `ahead` results wait to be taken. With
// `own`, this thread calls own(i) in place of work(i) and take(i) for the first of every `threads` numbers,
// unless another thread had nothing else to do: work whose result it would take anyway. `early` is begun
// before all others: work that takes much longer, and would be waited for if it came last.
void ProduceInOrder(size_t count, size_t threads, size_t ahead, const std::function<void(size_t)>& work,
                    const std::function<bool(size_t)>& take, const std::function<bool(size_t)>& own = nullptr,
                    size_t early = SIZE_MAX);

}  // namespace shlo
