// Processes of a grid that a placement runs elsewhere.
#include "capi/evaluation.h"
#include "shlo/placement.h"

struct shlo_grid {
  shlo::GridServer server;
};

using namespace shlo::capi;
using shlo::Result;

extern "C" {

shlo_error* shlo_grid_create(const void* data, size_t size, shlo_grid** out) {
  return Make(out, [&] {
    Require(data, "data");
    return new shlo_grid{Take(shlo::GridServer::Create({static_cast<const char*>(data), size}))};
  });
}

shlo_error* shlo_grid_answer(shlo_grid* grid, const void* request, size_t size, shlo_buffer** answer) {
  return Try([&] {
    Require(answer, "answer");
    *answer = nullptr;
    Require(grid, "grid");
    Require(request, "request");
    *answer = NewBuffer(grid->server.Answer({static_cast<const char*>(request), size}));
  });
}

void shlo_grid_abandon(shlo_grid* grid) {
  if (grid) grid->server.Abandon();
}

void shlo_grid_free(shlo_grid* grid) { delete grid; }

shlo_error* shlo_run_process(const shlo_program* given, const void* job, size_t size, shlo_exchange exchange,
                             void* context, const shlo_eval_options* given_options, shlo_buffer** outcome) {
  return Try([&] {
    Require(outcome, "outcome");
    *outcome = nullptr;
    const shlo_eval_options options = OptionsOf(given_options, "shlo_eval_options");
    Require(job, "job");
    if (!exchange) Require(nullptr, "exchange");
    const shlo::Limits limits = LimitsOf(nullptr, Get(given).bytes);
    const shlo_program& program = Valid(given, limits);
    shlo::EvalOptions eval;
    eval.custom_calls = CustomCallsOf(options, program);
    const auto ask = [&](std::string_view request) -> Result<std::string> {
      shlo_buffer* answer = nullptr;
      shlo_error* const error = exchange(context, request.data(), request.size(), &answer);
      const std::unique_ptr<shlo_buffer> owned(answer);
      if (error) return tl::unexpected(DiagnosticsOf(error));
      if (!owned) return shlo::Error(shlo::Code::kUsage, "the exchange sets no answer");
      return std::move(owned->bytes);
    };
    *outcome = NewBuffer(
        Take(shlo::RunJob(program.program.module, {static_cast<const char*>(job), size}, ask, eval)));
  });
}

}  // extern "C"
