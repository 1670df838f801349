// Calls of the processes of a grid (replicas and partitions) on each other (specification, "Parallel
// execution"): the interface of kernels to the other processes, which are threads (process_grid.h) or
// elsewhere (remote_exchange.h). Internal to lib/eval.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "shlo/tensor.h"

namespace shlo {

struct ProcessId {
  uint32_t replica = 0;
  uint32_t partition = 0;
  friend auto operator<=>(const ProcessId&, const ProcessId&) = default;
};
// Returns "(0, 1)".
std::string ProcessName(ProcessId id);
using ProcessGroup = std::vector<ProcessId>;

// The extent of a grid.
struct GridShape {
  uint32_t replicas = 1;
  uint32_t partitions = 1;

  size_t size() const { return size_t(replicas) * partitions; }
  // Returns the i-th process, replica by replica.
  ProcessId At(size_t i) const { return {uint32_t(i / partitions), uint32_t(i % partitions)}; }

  // The specification's four ways to form process groups from groups of ids.
  std::vector<ProcessGroup> CrossReplica(const std::vector<std::vector<int64_t>>& groups) const;
  std::vector<ProcessGroup> CrossPartition(const std::vector<std::vector<int64_t>>& groups) const;
  std::vector<ProcessGroup> CrossReplicaAndPartition(const std::vector<std::vector<int64_t>>& groups) const;
  std::vector<ProcessGroup> FlattenedIds(const std::vector<std::vector<int64_t>>& groups) const;
};

using ProcessValues = std::map<ProcessId, std::vector<Tensor>>;

class ProcessExchange {
 public:
  virtual ~ProcessExchange() = default;
  // Waits for all processes of a group. Returns the values of all of them, which are as many as each passes.
  virtual Result<ProcessValues> Gather(const ProcessGroup& group, int64_t channel, ProcessId self,
                                       std::vector<Tensor> values) = 0;
  virtual Result<void> Send(int64_t channel, ProcessId self, std::vector<Tensor> values) = 0;
  // Waits for values that were sent.
  virtual Result<std::vector<Tensor>> Receive(int64_t channel, ProcessId self) = 0;
  // Returns the next function of the infeed, or an error if it is empty.
  virtual Result<std::string> NextInfeed(ProcessId self) = 0;
  // Says that a process has ended: if it failed, or if all others wait, those that wait fail. Returns whether
  // this one failed because others did.
  virtual Result<bool> End(ProcessId self, bool failed) = 0;
};

// A process of a grid, which outlives it.
struct Process {
  ProcessExchange& others;
  const GridShape shape;
  const ProcessId id;
  // The program runs by itself, as a grid of one: ops may start the processes of a grid.
  const bool alone = false;
  // Diagnostics state ops by their numbers, because places are known where the grid was started.
  const bool elsewhere = false;
};

}  // namespace shlo
