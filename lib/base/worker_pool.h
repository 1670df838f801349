// Threads that share the work of one evaluation. They start with the first work that is worth it and wait for
// more until the pool is destroyed: starting threads takes longer than many ops. Internal to lib/eval.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>

#include "base/workers.h"

namespace shlo {

class WorkerPool {
 public:
  WorkerPool() = default;
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;
  ~WorkerPool();

  // Calls part(i) for each i < parts, on the caller and up to threads - 1 others, and returns when all calls
  // have returned. `part` must not throw. Runs on fewer threads if the system refuses more.
  void Run(uint64_t threads, uint64_t parts, const std::function<void(uint64_t)>& part);

 private:
  void Work();
  // Calls parts that nobody has taken yet.
  void TakeParts();

  std::mutex mutex_;
  std::condition_variable work_, done_;
  const std::function<void(uint64_t)>* part_ = nullptr;  // of the current run
  uint64_t parts_ = 0;
  std::atomic<uint64_t> next_{0};     // part that nobody has taken
  std::atomic<uint64_t> run_{0};      // counts runs
  std::atomic<uint64_t> working_{0};  // threads that take parts of the current run
  bool ends_ = false;
  Threads threads_{[this] { Work(); }};
};

}  // namespace shlo
