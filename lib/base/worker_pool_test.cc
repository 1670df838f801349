#include "base/worker_pool.h"

#include <gtest/gtest.h>

namespace shlo {
namespace {

TEST(WorkerPool, CallsEachPartOnce) {
  WorkerPool pool;
  for (uint64_t run = 0; run < 2000; ++run) {
    const uint64_t n = 1 + run % 7;
    std::vector<std::atomic<int>> calls(n);
    uint64_t sum[8] = {};  // written without synchronization: Run returns after all calls
    pool.Run(1 + run % 3, n, [&](uint64_t i) {
      ++calls[i];
      sum[i] = i + run;
    });
    for (uint64_t i = 0; i < n; ++i) {
      ASSERT_EQ(calls[i], 1) << run;
      ASSERT_EQ(sum[i], i + run);
    }
  }
}

// Threads that wait call it, until it has nothing to do.
TEST(WorkerPool, EndsWithoutWork) {
  WorkerPool unused;
  WorkerPool used;
  used.Run(3, 5, [](uint64_t) {});
}

}  // namespace
}  // namespace shlo
