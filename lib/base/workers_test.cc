#include "base/workers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "base/deadline.h"

namespace shlo {
namespace {

TEST(Workers, ResultsAreTakenInOrder) {
  for (size_t threads : {1, 2, 3, 8})
    for (size_t count : {0, 1, 2, 7, 100}) {
      std::vector<int> made(count);
      std::vector<size_t> taken;
      ProduceInOrder(
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

TEST(Workers, OwnWorkIsDoneInItsTurn) {
  const auto main_thread = std::this_thread::get_id();
  for (size_t threads : {1, 2, 3, 8})
    for (size_t count : {0, 1, 2, 7, 100})
      for (size_t early : {SIZE_MAX, size_t(0), size_t(4), size_t(99)}) {
        std::vector<int> made(count);
        std::vector<size_t> order;
        const auto work = [&](size_t i) { ++made[i]; };
        const auto take = [&](size_t i) {
          EXPECT_EQ(made[i], 1);
          return order.push_back(i), true;
        };
        const auto own = [&](size_t i) {
          EXPECT_EQ(i % threads, 0u);
          EXPECT_EQ(std::this_thread::get_id(), main_thread);
          EXPECT_EQ(made[i], 0);
          return order.push_back(i), true;
        };
        ProduceInOrder(count, threads, threads + 2, work, take, own, early);
        ASSERT_EQ(order.size(), count);
        EXPECT_TRUE(std::ranges::is_sorted(order));
      }
  // No more is done after a refusal.
  size_t calls = 0;
  const auto count_call = [&](size_t i) { return ++calls, i < 4; };
  ProduceInOrder(
      100, 2, 4, [](size_t) {}, count_call, count_call);
  EXPECT_EQ(calls, 5u);
}

// The thread that takes results is in its first own work until another has done all others.
TEST(Workers, OthersDoOwnWorkRatherThanWait) {
  constexpr size_t kCount = 9;
  std::mutex mutex;
  std::condition_variable more_done;
  size_t done = 0;
  const auto work = [&](size_t) {
    const std::lock_guard lock(mutex);
    ++done;
    more_done.notify_all();
  };
  const auto own = [&](size_t) {
    std::unique_lock lock(mutex);
    return more_done.wait_for(lock, std::chrono::minutes(1), [&] { return done == kCount - 1; });
  };
  std::vector<size_t> taken;
  ProduceInOrder(
      kCount, 2, kCount, work, [&](size_t i) { return taken.push_back(i), true; }, own);
  EXPECT_EQ(taken, (std::vector<size_t>{1, 2, 3, 4, 5, 6, 7, 8}));
}

TEST(Workers, EarlyWorkIsBegunFirst) {
  std::mutex mutex;
  std::condition_variable more_begun;
  std::vector<size_t> begun, taken;
  // Two threads: one waits in the first work for what the other begins with.
  const auto work = [&](size_t i) {
    std::unique_lock lock(mutex);
    begun.push_back(i);
    more_begun.notify_all();
    if (i == 0) more_begun.wait_for(lock, std::chrono::minutes(1), [&] { return begun.size() > 1; });
  };
  ProduceInOrder(
      20, 2, 4, work, [&](size_t i) { return taken.push_back(i), true; }, nullptr, 19);
  ASSERT_EQ(begun.size(), 20u);
  EXPECT_LE(std::ranges::find(begun, 19u) - begun.begin(), 1);
  ASSERT_EQ(taken.size(), 20u);
  EXPECT_TRUE(std::ranges::is_sorted(taken));
}

TEST(Workers, ACallGoesOnBeside) {
  std::mutex mutex;
  std::condition_variable changed;
  bool asked = false, answered = false;
  {
    Beside call([&] {
      std::unique_lock lock(mutex);
      answered = changed.wait_for(lock, std::chrono::minutes(1), [&] { return asked; });
    });
    {
      const std::lock_guard lock(mutex);
      asked = true;
      changed.notify_all();
    }
    call.Wait();
    EXPECT_TRUE(answered);
    call.Wait();
  }
  // The destructor waits, and drops what the call threw.
  std::atomic<int> calls = 0;
  const auto fail = [&] {
    ++calls;
    throw std::runtime_error("from the other thread");
  };
  { const Beside call(fail); }
  EXPECT_EQ(calls, 1);
  Beside call(fail);
  EXPECT_THROW(call.Wait(), std::runtime_error);
  EXPECT_NO_THROW(call.Wait());
  const DeadlineScope passed(Limits{.deadline = Limits::Clock::now()});
  Beside late([] {
    for (;;) Tick(1000);
  });
  EXPECT_THROW(late.Wait(), DeadlinePassed);
}

TEST(Workers, FewResultsWait) {
  constexpr size_t kAhead = 3;
  std::mutex mutex;
  size_t begun = 0, taken = 0, most = 0;
  ProduceInOrder(
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
    ProduceInOrder(
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
      ProduceInOrder(
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

TEST(Workers, WorkHasTheDeadlineOfItsThread) {
  const Limits limits{.deadline = Limits::Clock::time_point()};
  const DeadlineScope scope(limits);
  EXPECT_THROW(RunParts(8, 4, [](size_t) { Tick(); }), DeadlinePassed);
}

}  // namespace
}  // namespace shlo
