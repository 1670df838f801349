// Processes of a grid elsewhere: in other processes of the system, or on other machines. EvalOptions::place
// receives opaque bytes, and whoever implements it only carries bytes:
//
// - one GridServer, made from ProcessJobs::grid, where all processes reach it;
// - for each job, RunJob where the process runs, on the same program, whose requests go to the server.
//
// All ends must be the same release of this library.
#pragma once

#include <string>
#include <string_view>

#include "shlo/evaluate.h"
#include "shlo/grid_server.h"

namespace shlo {

// Runs the process of a job, on the calling thread and the threads that the job requests. `module` equals the
// evaluated program, op by op. The job has the limits and options of the caller; of `options`, custom calls,
// probes and max_processes count. Returns the bytes for EvalOptions::place, which also say how the process
// failed. Fails only if the job cannot be read; then call GridServer::Abandon.
Result<std::string> RunJob(const Module& module, std::string_view job, const Exchange& exchange,
                           const EvalOptions& options = {});

}  // namespace shlo
