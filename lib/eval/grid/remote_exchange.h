// The calls of a process on its grid as requests to a GridServer (shlo/placement.h). Internal to lib/eval.
#pragma once

#include "eval/grid/process_exchange.h"
#include "shlo/grid_server.h"
#include "shlo/limits.h"

namespace shlo {

// Requests to the server.
enum class GridCall : uint8_t { kGather = 1, kSend, kReceive, kNextInfeed, kEnd };

class RemoteExchange final : public ProcessExchange {
 public:
  // `exchange` must outlive this.
  explicit RemoteExchange(const Exchange& exchange) : exchange_(exchange) {}

  Result<ProcessValues> Gather(const ProcessGroup& group, int64_t channel, ProcessId self,
                               std::vector<Tensor> values) override;
  Result<void> Send(int64_t channel, ProcessId self, std::vector<Tensor> values) override;
  Result<std::vector<Tensor>> Receive(int64_t channel, ProcessId self) override;
  Result<std::string> NextInfeed(ProcessId self) override;
  Result<bool> End(ProcessId self, bool failed) override;

 private:
  const Exchange& exchange_;
};

// Returns the bytes of which GridServer::Create makes a grid.
std::string GridMessage(GridShape shape, const std::vector<std::string>& infeed, uint32_t timeout_ms);

// A deadline as the time that is left, because clocks of machines differ.
uint64_t TimeLeft(Limits::Clock::time_point deadline);
Limits::Clock::time_point DeadlineIn(uint64_t time_left);

}  // namespace shlo
