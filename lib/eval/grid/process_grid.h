// A grid of processes that meet in memory: the threads of interpreter.run_parallel, or the requests of
// processes elsewhere (shlo/placement.h). A process that waits too long fails with an error that names the
// process it waited for. Internal to lib/eval.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "eval/grid/process_exchange.h"

namespace shlo {

class ProcessGrid final : public ProcessExchange {
 public:
  ProcessGrid(GridShape shape, std::vector<std::string> infeed, uint32_t timeout_ms);

  Result<ProcessValues> Gather(const ProcessGroup& group, int64_t channel, ProcessId self,
                               std::vector<Tensor> values) override;
  Result<void> Send(int64_t channel, ProcessId self, std::vector<Tensor> values) override;
  Result<std::vector<Tensor>> Receive(int64_t channel, ProcessId self) override;
  Result<std::string> NextInfeed(ProcessId self) override;
  Result<bool> End(ProcessId self, bool failed) override;
  // Makes all that wait fail, because a process is lost.
  void Abandon();

 private:
  struct Rendezvous {
    uint64_t round = 0;    // completed
    uint32_t leaving = 0;  // processes that have not yet read the values of the last round
    ProcessValues values, complete;
  };
  // Waits until `ready`. Returns false on timeout, or if it can no longer happen; then the process is noted
  // as left alone.
  template <typename Ready>
  bool Wait(std::unique_lock<std::mutex>& lock, ProcessId self, Ready ready);
  // Wakes up waiting processes after a change of state.
  void Progress();

  size_t alive_;          // processes that have not ended
  uint32_t waiting_ = 0;  // processes waiting since the last progress
  uint64_t progress_ = 0;
  const std::chrono::milliseconds timeout_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool abandoned_ = false;
  std::set<ProcessId> left_alone_;
  std::map<std::pair<ProcessGroup, int64_t>, Rendezvous> rendezvous_;
  std::map<int64_t, std::deque<std::vector<Tensor>>> channels_;
  std::deque<std::string> infeed_;
};

}  // namespace shlo
