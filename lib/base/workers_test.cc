#include "base/workers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/deadline.h"

namespace shlo {
namespace {

TEST(Workers, ResultsAreTakenInOrder) {
  for (size_t threads : {1, 2, 3, 8})
    for (size_t count : {0, 1, 2, 7, 100}) {
      std::vector<int> made(count);
      std::vector<size_t> taken;
      RunInOrder(
          count, threads, threads + 2, [&](size_t i) { made[i] = int(i) + 1; },
          [&](size_t i) {
            EXPECT_EQ(made[i], int(i) + 1);
            taken.push_back(i);
            return true;
          });
      ASSERT_EQ(taken.size(), count);
      EXPECT_TRUE(std::ranges::is_sorted(taken));
    }
}

TEST(Workers, FewResultsWait) {
  constexpr size_t kAhead = 3;
  std::mutex mutex;
  size_t begun = 0, taken = 0, most = 0;
  RunInOrder(
      200, 4, kAhead,
      [&](size_t) {
        const std::lock_guard lock(mutex);
        most = std::max(most, ++begun - taken);
      },
      [&](size_t) {
        const std::lock_guard lock(mutex);
        ++taken;
        return true;
      });
  EXPECT_LE(most, kAhead + 1);  // one is being taken
}

TEST(Workers, NothingIsTakenAfterARefusal) {
  for (size_t threads : {1, 4}) {
    size_t taken = 0;
    std::atomic<size_t> done = 0;
    RunInOrder(
        1000, threads, 4, [&](size_t) { ++done; }, [&](size_t i) { return ++taken, i < 9; });
    EXPECT_EQ(taken, 10u);
    EXPECT_LE(done, 16u);
  }
}

TEST(Workers, TheFirstExceptionIsThrown) {
  for (size_t threads : {1, 2, 8}) {
    std::string message;
    size_t taken = 0;
    try {
      RunInOrder(
          50, threads, 50,
          [](size_t i) {
            if (i >= 20) throw std::runtime_error(std::to_string(i));
          },
          [&](size_t) { return ++taken, true; });
    } catch (const std::runtime_error& e) {
      message = e.what();
    }
    EXPECT_EQ(message, "20");
    EXPECT_EQ(taken, 20u);
  }
}

// Results that are taken come before the work that throws, and take may throw as well.
TEST(Workers, WhatIsTakenMayThrow) {
  for (size_t threads : {1, 4}) {
    size_t taken = 0;
    const auto take = [&](size_t i) {
      if (i == 3) throw std::runtime_error("taken");
      return ++taken, true;
    };
    EXPECT_THROW(RunInOrder(
                     50, threads, 4,
                     [](size_t i) {
                       if (i == 10) throw std::logic_error("made");
                     },
                     take),
                 std::runtime_error);
    EXPECT_EQ(taken, 3u);
  }
}

TEST(Workers, APoolDoesOneJobAfterAnother) {
  ThreadPool pool;
  for (size_t job = 0; job < 2000; ++job) {
    const size_t n = job % 7;
    std::vector<std::atomic<int>> calls(n);
    size_t sum[8] = {};  // written without synchronization: Run returns after all calls
    pool.Run(n, 1 + job % 3, [&](size_t i) {
      ++calls[i];
      sum[i] = i + job;
    });
    for (size_t i = 0; i < n; ++i) {
      ASSERT_EQ(calls[i], 1) << job;
      ASSERT_EQ(sum[i], i + job);
    }
  }
  // A job that failed leaves the pool as it was.
  EXPECT_THROW(pool.Run(9, 3, [](size_t) { throw std::runtime_error("failed"); }), std::runtime_error);
  std::atomic<int> calls = 0;
  pool.Run(9, 3, [&](size_t) { ++calls; });
  EXPECT_EQ(calls, 9);
}

TEST(Workers, WorkHasTheDeadlineOfItsThread) {
  const Limits limits{.deadline = Limits::Clock::time_point()};
  const DeadlineScope scope(limits);
  EXPECT_THROW(RunParts(8, 4, [](size_t) { Tick(); }), DeadlinePassed);
}

}  // namespace
}  // namespace shlo
