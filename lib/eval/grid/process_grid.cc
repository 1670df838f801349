#include "eval/grid/process_grid.h"

#include <algorithm>

#include "base/deadline.h"
#include "base/format.h"

namespace shlo {

ProcessGrid::ProcessGrid(GridShape shape, std::vector<std::string> infeed, uint32_t timeout_ms)
    : alive_(shape.size()), timeout_(timeout_ms), infeed_(infeed.begin(), infeed.end()) {}

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

Result<bool> ProcessGrid::End(ProcessId self, bool failed) {
  std::lock_guard lock(mutex_);
  if (!failed) --alive_;
  if (failed || (alive_ > 0 && waiting_ >= alive_)) {
    abandoned_ = true;
    changed_.notify_all();
  }
  return left_alone_.contains(self);
}

Result<ProcessValues> ProcessGrid::Gather(const ProcessGroup& group, int64_t channel, ProcessId self,
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
      missing += (count++ ? ", " : "") + ProcessName(id);
    }
    if (count == 0)
      return Error(Code::kEvaluation,
                   StrFormat("process {} timed out on channel {} (deadlock?)", ProcessName(self), channel));
    return Error(Code::kEvaluation,
                 StrFormat("process {} timed out waiting for {} {} on channel {} (deadlock?)",
                           ProcessName(self), count == 1 ? "process" : "processes", missing, channel));
  }
  ProcessValues out = point.complete;
  if (--point.leaving == 0) {
    point.complete.clear();
    Progress();
  }
  return out;
}

Result<void> ProcessGrid::Send(int64_t channel, ProcessId, std::vector<Tensor> values) {
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
                 StrFormat("process {} timed out waiting for a value on channel {} (deadlock?)",
                           ProcessName(self), channel));
  std::vector<Tensor> values = std::move(queue.front());
  queue.pop_front();
  return values;
}

Result<std::string> ProcessGrid::NextInfeed(ProcessId) {
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
