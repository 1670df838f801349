// Processes of a grid that a placement runs elsewhere.
#include "bind.h"
#include "callbacks.h"

namespace shlo::python {
namespace {

nb::bytes AnswerRequest(const Grid& grid, nb::handle request) {
  const Input input(request);
  shlo_buffer* answer = nullptr;
  Check(WithoutGil([&] { return shlo_grid_answer(grid.handle, input.data(), input.size(), &answer); }));
  return TakeBytes(answer);
}

// Passes a request to a function of the caller, which returns the answer as bytes.
shlo_error* AskFunction(void* context, const void* request, size_t size, shlo_buffer** answer) {
  return static_cast<Callbacks*>(context)->Run([&](Callbacks& callbacks) {
    nb::object returned =
        callbacks.exchange(nb::bytes(size == 0 ? "" : static_cast<const char*>(request), size));
    const Input input(returned);
    return shlo_buffer_create(input.data(), input.size(), answer);
  });
}

nb::bytes RunProcess(const Program& program, nb::handle job, nb::object exchange, nb::dict dict) {
  Options options(std::move(dict));
  shlo_eval_options eval = SHLO_EVAL_OPTIONS_INIT;
  Callbacks callbacks;
  callbacks.exchange = std::move(exchange);
  CustomCalls calls(options.Take("custom_calls"), &callbacks, &eval);
  options.End();
  const Input input(job);
  shlo_buffer* outcome = nullptr;
  shlo_error* error = WithoutGil([&] {
    return shlo_run_process(program.handle, input.data(), input.size(), &AskFunction, &callbacks, &eval,
                            &outcome);
  });
  if (callbacks.exception.is_valid()) shlo_buffer_free(std::exchange(outcome, nullptr));
  callbacks.Rethrow(error);
  return TakeBytes(outcome);
}

}  // namespace

shlo_error* CallPlacement(void* context, const shlo_process_jobs* jobs, shlo_buffer** outcomes,
                          size_t count) {
  return static_cast<Callbacks*>(context)->Run([&](Callbacks& callbacks) -> shlo_error* {
    nb::list passed;
    for (size_t i = 0; i < jobs->job_count; ++i) passed.append(Bytes(jobs->jobs[i]));
    nb::object returned = callbacks.place(jobs->replicas, jobs->partitions, Bytes(jobs->grid), passed);
    size_t i = 0;
    for (nb::handle outcome : returned) {
      if (i == count) break;
      const Input input(outcome);
      if (shlo_error* error = shlo_buffer_create(input.data(), input.size(), &outcomes[i++])) return error;
    }
    return nullptr;
  });
}

void DefineGrid(nb::module_& module) {
  nb::class_<Grid>(module, "Grid");
  SHLO_BIND(grid_create);
  module.def("grid_answer", &AnswerRequest);
  module.def("grid_abandon", [](const Grid& grid) { shlo_grid_abandon(grid.handle); });
  module.def("run_process", &RunProcess);
}

}  // namespace shlo::python
