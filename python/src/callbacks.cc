#include "callbacks.h"

namespace shlo::python {
namespace {

shlo_error* CustomCall(void* context, const shlo_custom_call_info* call, const shlo_tensor* const* operands,
                       size_t operand_count, shlo_tensor** results, size_t result_count) {
  return static_cast<Callbacks*>(context)->Run([&](Callbacks& callbacks) -> shlo_error* {
    nb::list tensors;
    for (size_t i = 0; i < operand_count; ++i)
      tensors.append(nb::cast(new Tensor(shlo_tensor_retain(const_cast<shlo_tensor*>(operands[i]))),
                              nb::rv_policy::take_ownership));
    nb::object made = callbacks.custom_calls[call->target](call->op, tensors, result_count);
    size_t i = 0;
    for (nb::handle tensor : made) {
      if (i == result_count) break;
      results[i++] = shlo_tensor_retain(nb::cast<const Tensor&>(tensor).handle);
    }
    if (i == result_count) return nullptr;
    while (i > 0) shlo_tensor_release(std::exchange(results[--i], nullptr));
    throw nb::type_error("a custom call returned too few results");
  });
}

}  // namespace

void Callbacks::Keep() {
  nb::object kept = TakeException();
  if (!exception.is_valid()) exception = std::move(kept);
}

void Callbacks::Rethrow(shlo_error* error) {
  if (!exception.is_valid()) return Check(error);
  shlo_error_free(error);
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(exception.ptr())), exception.ptr());
  throw nb::python_error();
}

CustomCalls::CustomCalls(nb::object given, Callbacks* callbacks, shlo_eval_options* options) {
  if (given.is_none()) return;
  callbacks->custom_calls = nb::cast<nb::dict>(given);
  for (auto [target, function] : callbacks->custom_calls) targets_.push_back(nb::cast<std::string>(target));
  calls_.reserve(targets_.size());
  for (const std::string& target : targets_) calls_.push_back({target.c_str(), &CustomCall, callbacks});
  options->custom_calls = calls_.data();
  options->custom_call_count = calls_.size();
}

}  // namespace shlo::python
