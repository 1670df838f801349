// Processes that run programs together: a grid of replicas and partitions, where they meet, and what they
// send each other (specification, "Parallel execution"). Shared by the threads of interpreter.run_parallel.
// A process that waits in vain gives up after a time; the error says for whom. Internal to lib/eval.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
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

  // The four ways to make groups of processes from groups of numbers.
  std::vector<ProcessGroup> CrossReplica(const std::vector<std::vector<int64_t>>& groups) const;
  std::vector<ProcessGroup> CrossPartition(const std::vector<std::vector<int64_t>>& groups) const;
  std::vector<ProcessGroup> CrossReplicaAndPartition(const std::vector<std::vector<int64_t>>& groups) const;
  std::vector<ProcessGroup> FlattenedIds(const std::vector<std::vector<int64_t>>& groups) const;

  // Brings the values of all processes of a group together; every one gets all.
  Result<std::map<ProcessId, std::vector<Tensor>>> Meet(const ProcessGroup& group, int64_t channel,
                                                        ProcessId self, std::vector<Tensor> values);
  Result<void> Send(int64_t channel, std::vector<Tensor> values);
  Result<std::vector<Tensor>> Receive(int64_t channel, ProcessId self);
  // The next function of the infeed; an error when there is none.
  Result<std::string> NextInfeed();
  // A process is done; those that wait for it do so in vain.
  void Finish();
  // After the error of one process the others need not wait.
  void Abandon();

 private:
  struct VersionsSatisfying {
    uint64_t round = 0;    // completed
    uint32_t leaving = 0;  // processes that have not yet taken the last round's values
    std::map<ProcessId, std::vector<Tensor>> values, complete;
  };
  // Waits until `ready`; false when that cannot happen any more, or takes too long.
  template <typename Ready>
  bool Wait(std::unique_lock<std::mutex>& lock, Ready ready);
  // Something happened that others may wait for.
  void Progress();

  const uint32_t replicas_, partitions_;
  uint32_t alive_;        // processes that are not done
  uint32_t waiting_ = 0;  // processes that wait since the last progress
  uint64_t progress_ = 0;
  const std::chrono::milliseconds timeout_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool abandoned_ = false;
  std::map<std::pair<ProcessGroup, int64_t>, VersionsSatisfying> meetings_;
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
