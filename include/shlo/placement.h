// Processes of a grid elsewhere: in other processes of the system, or on other machines. EvalOptions::place
// receives opaque bytes, and whoever implements it only carries bytes:
//
// - one GridServer, made from ProcessJobs::grid, where all processes reach it;
// - for each job, RunJob where the process runs, on the same program, whose requests go to the server.
//
// All ends must be the same release of this library.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "shlo/evaluate.h"

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

// Runs the process of a job, on the calling thread and the threads that the job requests. `module` equals the
// evaluated program, op by op. The job has the limits and options of the caller; of `options`, custom calls,
// probes and max_processes count. Returns the bytes for EvalOptions::place, which also say how the process
// failed. Fails only if the job cannot be read; then call GridServer::Abandon.
Result<std::string> RunJob(const Module& module, std::string_view job, const Exchange& exchange,
                           const EvalOptions& options = {});

}  // namespace shlo
