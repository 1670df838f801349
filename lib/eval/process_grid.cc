#include "eval/process_grid.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/deadline.h"

namespace shlo {
namespace {

std::string Name(ProcessId id) { return fmt::format("({}, {})", id.replica, id.partition); }

}  // namespace

ProcessGrid::ProcessGrid(uint32_t replicas, uint32_t partitions, std::vector<std::string> infeed,
                         uint32_t timeout_ms)
    : replicas_(replicas),
      partitions_(partitions),
      alive_(replicas * partitions),
      timeout_(timeout_ms),
      infeed_(infeed.begin(), infeed.end()) {}

std::vector<ProcessGroup> ProcessGrid::CrossReplica(const std::vector<std::vector<int64_t>>& groups) const {
  std::vector<ProcessGroup> out;
  for (const auto& group : groups)
    for (uint32_t p = 0; p < partitions_; ++p) {
      out.emplace_back();
      for (int64_t r : group) out.back().push_back({uint32_t(r), p});
    }
  return out;
}

std::vector<ProcessGroup> ProcessGrid::CrossPartition(const std::vector<std::vector<int64_t>>& groups) const {
  std::vector<ProcessGroup> out;
  for (const auto& group : groups)
    for (uint32_t r = 0; r < replicas_; ++r) {
      out.emplace_back();
      for (int64_t p : group) out.back().push_back({r, uint32_t(p)});
    }
  return out;
}

std::vector<ProcessGroup> ProcessGrid::CrossReplicaAndPartition(
    const std::vector<std::vector<int64_t>>& groups) const {
  std::vector<ProcessGroup> out;
  for (const auto& group : groups) {
    out.emplace_back();
    for (uint32_t p = 0; p < partitions_; ++p)
      for (int64_t r : group) out.back().push_back({uint32_t(r), p});
  }
  return out;
}

std::vector<ProcessGroup> ProcessGrid::FlattenedIds(const std::vector<std::vector<int64_t>>& groups) const {
  std::vector<ProcessGroup> out;
  for (const auto& group : groups) {
    out.emplace_back();
    for (int64_t id : group) out.back().push_back({uint32_t(id) / partitions_, uint32_t(id) % partitions_});
  }
  return out;
}

// If all remaining processes wait, they are deadlocked, and there is no need to wait for the timeout.
template <typename Ready>
bool ProcessGrid::Wait(std::unique_lock<std::mutex>& lock, ProcessId self, Ready ready) {
  const auto deadline = std::min(Limits::Clock::now() + timeout_, CurrentDeadline());
  for (;;) {
    if (ready()) return true;
    if (abandoned_) break;
    if (++waiting_ >= alive_) break;
    const uint64_t seen = progress_;
    if (!changed_.wait_until(lock, deadline, [&] { return abandoned_ || progress_ != seen; })) break;
  }
  abandoned_ = true;
  left_alone_.insert(self);
  changed_.notify_all();
  return false;
}

void ProcessGrid::Progress() {
  waiting_ = 0;
  ++progress_;
  changed_.notify_all();
}

void ProcessGrid::Finish() {
  std::lock_guard lock(mutex_);
  --alive_;
  if (alive_ > 0 && waiting_ >= alive_) {
    abandoned_ = true;
    changed_.notify_all();
  }
}

Result<std::map<ProcessId, std::vector<Tensor>>> ProcessGrid::Gather(const ProcessGroup& group,
                                                                     int64_t channel, ProcessId self,
                                                                     std::vector<Tensor> values) {
  std::unique_lock lock(mutex_);
  Rendezvous& point = rendezvous_[{group, channel}];
  // A process that is ahead waits until the others have read the values of the last round.
  bool ok = Wait(lock, self, [&] { return point.leaving == 0 && !point.values.contains(self); });
  if (ok) {
    point.values[self] = std::move(values);
    const uint64_t round = point.round;
    if (point.values.size() == group.size()) {
      point.complete = std::move(point.values);
      point.values.clear();
      point.leaving = uint32_t(group.size());
      ++point.round;
      Progress();
    } else {
      ok = Wait(lock, self, [&] { return point.round != round; });
    }
  }
  if (!ok) {
    std::string missing;
    size_t count = 0;
    for (ProcessId id : group) {
      if (id == self || point.values.contains(id)) continue;
      missing += (count++ ? ", " : "") + Name(id);
    }
    if (count == 0)
      return Error(Code::kEvaluation,
                   fmt::format("process {} timed out on channel {} (deadlock?)", Name(self), channel));
    return Error(Code::kEvaluation,
                 fmt::format("process {} timed out waiting for {} {} on channel {} (deadlock?)", Name(self),
                             count == 1 ? "process" : "processes", missing, channel));
  }
  std::map<ProcessId, std::vector<Tensor>> out = point.complete;
  if (--point.leaving == 0) {
    point.complete.clear();
    Progress();
  }
  for (const auto& [id, tensors] : out)
    if (tensors.size() != out.begin()->second.size())
      return Error(Code::kEvaluation, "processes pass different numbers of operands");
  return out;
}

Result<void> ProcessGrid::Send(int64_t channel, std::vector<Tensor> values) {
  std::lock_guard lock(mutex_);
  channels_[channel].push_back(std::move(values));
  Progress();
  return {};
}

Result<std::vector<Tensor>> ProcessGrid::Receive(int64_t channel, ProcessId self) {
  std::unique_lock lock(mutex_);
  auto& queue = channels_[channel];
  if (!Wait(lock, self, [&] { return !queue.empty(); }))
    return Error(Code::kEvaluation,
                 fmt::format("process {} timed out waiting for a value on channel {} (deadlock?)", Name(self),
                             channel));
  std::vector<Tensor> values = std::move(queue.front());
  queue.pop_front();
  return values;
}

Result<std::string> ProcessGrid::NextInfeed() {
  std::lock_guard lock(mutex_);
  if (infeed_.empty()) return Error(Code::kEvaluation, "infeed is empty");
  std::string name = std::move(infeed_.front());
  infeed_.pop_front();
  return name;
}

void ProcessGrid::Abandon() {
  std::lock_guard lock(mutex_);
  abandoned_ = true;
  changed_.notify_all();
}

}  // namespace shlo
