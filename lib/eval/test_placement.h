// Places processes for the tests of lib/eval: each on a thread, but all that they say to each other is bytes.
#pragma once

#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/try.h"
#include "shlo/placement.h"

namespace shlo {

// Runs `module` for each job, and lets `exchange` carry what the processes say.
inline Result<std::vector<std::string>> RunPlaced(const Module& module, const ProcessJobs& jobs,
                                                  const EvalOptions& options, const Exchange& exchange) {
  std::vector<Result<std::string>> outcomes(jobs.jobs.size());
  std::vector<std::thread> threads;
  for (size_t i = 0; i < outcomes.size(); ++i)
    threads.emplace_back([&, i] { outcomes[i] = RunJob(module, jobs.jobs[i], exchange, options); });
  for (std::thread& thread : threads) thread.join();
  std::vector<std::string> out;
  for (Result<std::string>& outcome : outcomes) {
    if (!outcome) return tl::make_unexpected(outcome.error());
    out.push_back(std::move(*outcome));
  }
  return out;
}

// Returns a placement whose processes run `module`, which must outlive it, with `options`.
inline auto PlacedOn(const Module& module, EvalOptions options = {}) {
  return [&module, options](const ProcessJobs& jobs) -> Result<std::vector<std::string>> {
    GridServer server = SHLO_TRY(GridServer::Create(jobs.grid));
    return RunPlaced(module, jobs, options, [&](std::string_view request) { return server.Answer(request); });
  };
}

}  // namespace shlo
