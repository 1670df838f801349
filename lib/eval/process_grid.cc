#include "eval/process_grid.h"

#include <fmt/format.h>

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

// When all processes that are left wait, nothing will happen: there is no need to wait for the time to pass.
template <typename Ready>
bool ProcessGrid::Wait(std::unique_lock<std::mutex>& lock, Ready ready) {
  const auto deadline = std::chrono::steady_clock::now() + timeout_;
  while (!abandoned_) {
    if (ready()) return true;
    if (++waiting_ >= alive_) break;
    const uint64_t seen = progress_;
    if (!changed_.wait_until(lock, deadline, [&] { return abandoned_ || progress_ != seen; })) break;
  }
  abandoned_ = true;
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

Result<std::map<ProcessId, std::vector<Tensor>>> ProcessGrid::Meet(const ProcessGroup& group, int64_t channel,
                                                                   ProcessId self,
                                                                   std::vector<Tensor> values) {
  std::unique_lock lock(mutex_);
  VersionsSatisfying& meeting = meetings_[{group, channel}];
  // A process that is faster than the others waits until they have left the last meeting.
  bool ok = Wait(lock, [&] { return meeting.leaving == 0 && !meeting.values.contains(self); });
  if (ok) {
    meeting.values[self] = std::move(values);
    const uint64_t round = meeting.round;
    if (meeting.values.size() == group.size()) {
      meeting.complete = std::move(meeting.values);
      meeting.values.clear();
      meeting.leaving = uint32_t(group.size());
      ++meeting.round;
      Progress();
    } else {
      ok = Wait(lock, [&] { return meeting.round != round; });
    }
  }
  if (!ok) {
    std::string missing;
    for (ProcessId id : group)
      if (id != self && !meeting.values.contains(id)) missing += (missing.empty() ? "" : ", ") + Name(id);
    return Error(Code::kEvaluation, fmt::format("process {} waited on channel {} for {}, in vain", Name(self),
                                                channel, missing));
  }
  std::map<ProcessId, std::vector<Tensor>> out = meeting.complete;
  if (--meeting.leaving == 0) {
    meeting.complete.clear();
    Progress();
  }
  for (const auto& [id, tensors] : out)
    if (tensors.size() != out.begin()->second.size())
      return Error(Code::kEvaluation, "the processes bring different numbers of operands");
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
  if (!Wait(lock, [&] { return !queue.empty(); }))
    return Error(Code::kEvaluation,
                 fmt::format("process {} waited for a value on channel {}, in vain", Name(self), channel));
  std::vector<Tensor> values = std::move(queue.front());
  queue.pop_front();
  return values;
}

Result<std::string> ProcessGrid::NextInfeed() {
  std::lock_guard lock(mutex_);
  if (infeed_.empty()) return Error(Code::kEvaluation, "the infeed is empty");
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
