// Functions of the caller that the library calls while it evaluates.
#pragma once

#include <string>
#include <vector>

#include "call.h"

namespace shlo::python {

// State that the callbacks of one call share: the functions, and the first exception that one of them raised.
struct Callbacks {
  nb::object print, place, exchange;
  nb::dict custom_calls;  // target: function(op, operands, number of results) -> list of tensors
  nb::object exception;

  // Keeps the exception of this thread; only the first one counts.
  void Keep();
  // Calls `work(*this)`, which may throw and returns an error or NULL, with the GIL. Keeps what it throws.
  template <typename Work>
  shlo_error* Run(Work work) {
    CallbackGil gil;
    if (!gil) return shlo_error_create(SHLO_CODE_EVALUATION, "the interpreter is ending", nullptr);
    try {
      return work(*this);
    } catch (nb::python_error& error) {
      error.restore();
    } catch (const std::exception& error) {
      PyErr_SetString(PyExc_TypeError, error.what());
    }
    Keep();
    return shlo_error_create(SHLO_CODE_EVALUATION, "a callback raised an exception", nullptr);
  }
  // Throws the exception that was kept, or that of an error; frees the error.
  void Rethrow(shlo_error* error);
};

// Custom calls in a dictionary, as options of evaluation have them.
class CustomCalls {
 public:
  // `given` may be None. All must outlive this.
  CustomCalls(nb::object given, Callbacks* callbacks, shlo_eval_options* options);

 private:
  std::vector<std::string> targets_;
  std::vector<shlo_custom_call> calls_;
};

// The shlo_placement of Callbacks::place: function(replicas, partitions, grid, jobs) -> list of bytes.
shlo_error* CallPlacement(void* context, const shlo_process_jobs* jobs, shlo_buffer** outcomes, size_t count);

}  // namespace shlo::python
