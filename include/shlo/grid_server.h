// Where the processes of a grid meet if they are elsewhere (shlo/placement.h).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "shlo/diagnostics.h"

namespace shlo {

// Carries a request of a process to GridServer::Answer, exactly once, and returns its answer. An error makes
// the process fail.
using Exchange = std::function<Result<std::string>(std::string_view request)>;

// Where the processes of a grid meet. Processes that deadlock fail as threads do: if all
// of them wait, or if one waits longer than EvalOptions::timeout_ms.
class GridServer {
 public:
  // Makes the server of a grid, for one run.
  static Result<GridServer> Create(std::string_view grid);
  GridServer(GridServer&&) noexcept;
  GridServer& operator=(GridServer&&) noexcept;
  ~GridServer();

  // Answers a request, when the processes that it waits for have come. Call it on several threads, one for
  // each process. A request that is damaged is answered, too.
  std::string Answer(std::string_view request);
  // Makes all processes that wait fail, because one is lost. On any thread.
  void Abandon();

 private:
  struct State;
  explicit GridServer(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace shlo
