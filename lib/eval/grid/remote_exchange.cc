#include "eval/grid/remote_exchange.h"

#include <algorithm>
#include <mutex>
#include <set>

#include "base/deadline.h"
#include "base/format.h"
#include "base/guarded.h"
#include "base/try.h"
#include "eval/grid/message.h"
#include "eval/grid/process_grid.h"

namespace shlo {

uint64_t TimeLeft(Limits::Clock::time_point deadline) {
  if (deadline == Limits::Clock::time_point::max()) return ~uint64_t(0);
  const auto left = std::chrono::duration_cast<std::chrono::nanoseconds>(deadline - Limits::Clock::now());
  return uint64_t(std::max<int64_t>(left.count(), 0));
}

Limits::Clock::time_point DeadlineIn(uint64_t time_left) {
  const auto now = Limits::Clock::now();
  const auto longest =
      std::chrono::duration_cast<std::chrono::nanoseconds>(Limits::Clock::time_point::max() - now);
  if (time_left >= uint64_t(longest.count())) return Limits::Clock::time_point::max();
  return now + std::chrono::duration_cast<Limits::Clock::duration>(std::chrono::nanoseconds(time_left));
}

// --- Requests --------------------------------------------------------------------------------------
// A request is what is asked, the process that asks, the time that it may wait, and arguments. Values are one
// text: a message within the message, which the server does not read. An answer is 1 and what was asked for,
// or 0 and diagnostics.

namespace {

MessageWriter RequestOf(GridCall call, ProcessId self) {
  MessageWriter request(MessageKind::kRequest);
  request.Byte(uint8_t(call));
  request.Id(self);
  request.Number(TimeLeft(CurrentDeadline()));
  return request;
}

std::string Packed(const std::vector<Tensor>& values) {
  MessageWriter packed(MessageKind::kValues);
  packed.Values(values);
  return packed.Take();
}

// `owner` keeps `text` for the values.
Result<std::vector<Tensor>> Unpacked(std::string_view text, const Buffer& owner) {
  MessageReader packed(text, owner, MessageKind::kValues);
  std::vector<Tensor> values = packed.Values();
  SHLO_TRY(packed.End());
  return values;
}

// Sends a request and calls `read(reader, owner)` on its answer.
template <typename Read>
auto Ask(const Exchange& exchange, MessageWriter request, Read read)
    -> decltype(read(std::declval<MessageReader&>(), Buffer())) {
  std::string bytes = SHLO_TRY(exchange(request.Take()));
  const auto owner = std::make_shared<const std::string>(std::move(bytes));
  MessageReader answer(*owner, owner, MessageKind::kAnswer);
  if (answer.Flag()) {
    auto out = read(answer, owner);
    SHLO_TRY(answer.End());
    return out;
  }
  Diagnostics why = answer.Problems(true);
  SHLO_TRY(answer.End());
  return tl::make_unexpected(std::move(why));
}

}  // namespace

Result<ProcessValues> RemoteExchange::Gather(const ProcessGroup& group, int64_t channel, ProcessId self,
                                             std::vector<Tensor> values) {
  MessageWriter request = RequestOf(GridCall::kGather, self);
  request.Number(uint64_t(channel));
  request.Number(group.size());
  for (ProcessId id : group) request.Id(id);
  request.Text(Packed(values));
  return Ask(exchange_, std::move(request),
             [&](MessageReader& answer, const Buffer& owner) -> Result<ProcessValues> {
               ProcessValues all;
               const uint64_t count = answer.Count(3 * 8);
               for (uint64_t i = 0; i < count; ++i) {
                 const ProcessId id = answer.Id();
                 all[id] = SHLO_TRY(Unpacked(answer.Text(), owner));
               }
               // Kernels rely on the members.
               for (ProcessId id : group)
                 if (!all.contains(id) || all.size() != group.size())
                   return Error(Code::kMalformed, "answer to a process has the values of other processes");
               return all;
             });
}

Result<void> RemoteExchange::Send(int64_t channel, ProcessId self, std::vector<Tensor> values) {
  MessageWriter request = RequestOf(GridCall::kSend, self);
  request.Number(uint64_t(channel));
  request.Text(Packed(values));
  return Ask(exchange_, std::move(request), [](MessageReader&, const Buffer&) -> Result<void> { return {}; });
}

Result<std::vector<Tensor>> RemoteExchange::Receive(int64_t channel, ProcessId self) {
  MessageWriter request = RequestOf(GridCall::kReceive, self);
  request.Number(uint64_t(channel));
  return Ask(exchange_, std::move(request),
             [](MessageReader& answer, const Buffer& owner) { return Unpacked(answer.Text(), owner); });
}

Result<std::string> RemoteExchange::NextInfeed(ProcessId self) {
  return Ask(
      exchange_, RequestOf(GridCall::kNextInfeed, self),
      [](MessageReader& answer, const Buffer&) -> Result<std::string> { return std::string(answer.Text()); });
}

Result<bool> RemoteExchange::End(ProcessId self, bool failed) {
  MessageWriter request = RequestOf(GridCall::kEnd, self);
  request.Byte(failed ? 1 : 0);
  return Ask(exchange_, std::move(request),
             [](MessageReader& answer, const Buffer&) -> Result<bool> { return answer.Flag(); });
}

// --- The server ------------------------------------------------------------------------------------

std::string GridMessage(GridShape shape, const std::vector<std::string>& infeed, uint32_t timeout_ms) {
  MessageWriter grid(MessageKind::kGrid);
  grid.Id({shape.replicas, shape.partitions});
  grid.Number(timeout_ms);
  grid.Number(infeed.size());
  for (const std::string& function : infeed) grid.Text(function);
  return grid.Take();
}

struct GridServer::State {
  State(GridShape shape, std::vector<std::string> infeed, uint32_t timeout_ms)
      : shape(shape), grid(shape, std::move(infeed), timeout_ms) {}

  // Values of a process, which are for other processes: one tensor of bytes.
  static std::vector<Tensor> Opaque(std::string_view packed) {
    const auto owner = std::make_shared<const std::string>(packed);
    const int64_t size = int64_t(owner->size());
    return {Tensor::View(MakeTensorType({TypeKind::kUI8}, {&size, 1}),
                         reinterpret_cast<const uint8_t*>(owner->data()), owner)};
  }
  static std::string_view Text(const std::vector<Tensor>& opaque) {
    return {reinterpret_cast<const char*>(opaque[0].data()), opaque[0].stored_bytes()};
  }

  Result<MessageWriter> Handle(std::string_view bytes);

  const GridShape shape;
  ProcessGrid grid;
  std::mutex mutex;
  // One request of a process at a time, and none after the last, or the grid would count it twice.
  std::set<ProcessId> asking, ended;
};

Result<MessageWriter> GridServer::State::Handle(std::string_view bytes) {
  MessageReader request(bytes, nullptr, MessageKind::kRequest);
  const GridCall call = GridCall(request.Byte());
  const ProcessId self = request.Id();
  const Limits limits{.deadline = DeadlineIn(request.Number())};
  int64_t channel = 0;
  ProcessGroup group;
  std::string_view packed;
  bool failed = false;
  switch (call) {
    case GridCall::kGather:
      channel = int64_t(request.Number());
      group.resize(request.Count(2 * 8));
      for (ProcessId& id : group) id = request.Id();
      packed = request.Text();
      break;
    case GridCall::kSend:
      channel = int64_t(request.Number());
      packed = request.Text();
      break;
    case GridCall::kReceive:
      channel = int64_t(request.Number());
      break;
    case GridCall::kNextInfeed:
      break;
    case GridCall::kEnd:
      failed = request.Flag();
      break;
    default:
      return Error(Code::kMalformed, "request of a process asks for something unknown");
  }
  SHLO_TRY(request.End());
  if (self.replica >= shape.replicas || self.partition >= shape.partitions ||
      (call == GridCall::kGather && std::ranges::find(group, self) == group.end()))
    return Error(Code::kMalformed,
                 StrFormat("process {} is not in the grid or the group", ProcessName(self)));
  {
    const std::lock_guard lock(mutex);
    if (ended.contains(self))
      return Error(Code::kMalformed, StrFormat("process {} has ended", ProcessName(self)));
    if (!asking.insert(self).second)
      return Error(Code::kMalformed, StrFormat("process {} waits for another answer", ProcessName(self)));
    if (call == GridCall::kEnd) ended.insert(self);
  }
  struct Asked {
    State& state;
    ProcessId self;
    ~Asked() {
      const std::lock_guard lock(state.mutex);
      state.asking.erase(self);
    }
  } const asked{*this, self};
  const DeadlineScope scope(limits);
  MessageWriter answer(MessageKind::kAnswer);
  answer.Byte(1);
  switch (call) {
    case GridCall::kGather: {
      const ProcessValues all = SHLO_TRY(grid.Gather(group, channel, self, Opaque(packed)));
      answer.Number(all.size());
      for (const auto& [id, values] : all) {
        answer.Id(id);
        answer.Text(Text(values));
      }
      break;
    }
    case GridCall::kSend:
      SHLO_TRY(grid.Send(channel, self, Opaque(packed)));
      break;
    case GridCall::kReceive: {
      const std::vector<Tensor> values = SHLO_TRY(grid.Receive(channel, self));
      answer.Text(Text(values));
      break;
    }
    case GridCall::kNextInfeed: {
      const std::string function = SHLO_TRY(grid.NextInfeed(self));
      answer.Text(function);
      break;
    }
    case GridCall::kEnd: {
      const bool left_alone = SHLO_TRY(grid.End(self, failed));
      answer.Byte(left_alone ? 1 : 0);
      break;
    }
  }
  return answer;
}

GridServer::GridServer(std::unique_ptr<State> state) : state_(std::move(state)) {}
GridServer::GridServer(GridServer&&) noexcept = default;
GridServer& GridServer::operator=(GridServer&&) noexcept = default;
GridServer::~GridServer() = default;

Result<GridServer> GridServer::Create(std::string_view bytes) {
  return Guarded([&]() -> Result<GridServer> {
    MessageReader grid(bytes, nullptr, MessageKind::kGrid);
    const ProcessId extent = grid.Id();
    const uint32_t timeout_ms = grid.Small();
    std::vector<std::string> infeed(grid.Count(8));
    for (std::string& function : infeed) function = grid.Text();
    SHLO_TRY(grid.End());
    const GridShape shape{extent.replica, extent.partition};
    if (shape.size() == 0 || shape.size() > UINT32_MAX)
      return Error(Code::kMalformed, "grid has no processes, or too many");
    return GridServer(std::make_unique<State>(shape, std::move(infeed), timeout_ms));
  });
}

std::string GridServer::Answer(std::string_view request) {
  Result<MessageWriter> answer = Guarded([&] { return state_->Handle(request); });
  if (answer) return answer->Take();
  MessageWriter failed(MessageKind::kAnswer);
  failed.Byte(0);
  failed.Problems(answer.error());
  return failed.Take();
}

void GridServer::Abandon() { state_->grid.Abandon(); }

}  // namespace shlo
