// A grid of processes (replicas and partitions) that synchronize and exchange values (specification,
// "Parallel execution"). Shared by the threads of interpreter.run_parallel. A process that waits too long
// fails with an error that names the process it waited for. Internal to lib/eval.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "shlo/tensor.h"

namespace shlo {

struct ProcessId {
  uint32_t replica = 0;
  uint32_t partition = 0;
  friend auto operator<=>(const ProcessId&, const ProcessId&) = default;
};
using ProcessGroup = std::vector<ProcessId>;

class ProcessGrid {
 public:
  ProcessGrid(uint32_t replicas, uint32_t partitions, std::vector<std::string> infeed, uint32_t timeout_ms);

  uint32_t replicas() const { return replicas_; }
  uint32_t partitions() const { return partitions_; }

  // The specification's four ways to form process groups from groups of ids.
  std::vector<ProcessGroup> CrossReplica(const std::vector<std::vector<int64_t>>& groups) const;
  std::vector<ProcessGroup> CrossPartition(const std::vector<std::vector<int64_t>>& groups) const;
  std::vector<ProcessGroup> CrossReplicaAndPartition(const std::vector<std::vector<int64_t>>& groups) const;
  std::vector<ProcessGroup> FlattenedIds(const std::vector<std::vector<int64_t>>& groups) const;

  // Waits for all processes of a group. Returns the values of all of them.
  Result<std::map<ProcessId, std::vector<Tensor>>> Gather(const ProcessGroup& group, int64_t channel,
                                                          ProcessId self, std::vector<Tensor> values);
  Result<void> Send(int64_t channel, std::vector<Tensor> values);
  Result<std::vector<Tensor>> Receive(int64_t channel, ProcessId self);
  // Returns the next function of the infeed, or an error if it is empty.
  Result<std::string> NextInfeed();
  // Marks a process as finished. If all others wait, they fail.
  void Finish();
  // Makes waiting processes fail, after the error of one process.
  void Abandon();
  // Returns whether a process failed because it timed out waiting for others. Call after all have ended.
  bool WasLeftAlone(ProcessId id) const { return left_alone_.contains(id); }

 private:
  struct Rendezvous {
    uint64_t round = 0;    // completed
    uint32_t leaving = 0;  // processes that have not yet read the values of the last round
    std::map<ProcessId, std::vector<Tensor>> values, complete;
  };
  // Waits until `ready`. Returns false on timeout, or if it can no longer happen; then the process is noted
  // as left alone.
  template <typename Ready>
  bool Wait(std::unique_lock<std::mutex>& lock, ProcessId self, Ready ready);
  // Wakes up waiting processes after a change of state.
  void Progress();

  const uint32_t replicas_, partitions_;
  uint32_t alive_;        // processes that are not finished
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

// A process of a grid.
class Process {
 public:
  Process(ProcessGrid& grid, ProcessId id) : grid_(grid), id_(id) {}
  ProcessGrid& grid() { return grid_; }
  ProcessId id() const { return id_; }

 private:
  ProcessGrid& grid_;
  const ProcessId id_;
};

}  // namespace shlo
