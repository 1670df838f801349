// Kernels that move values and compute nothing: constant, call, return.
#include <fmt/format.h>

#include "eval/kernels.h"

namespace shlo {

// Specification, "constant": the value of the attribute, as a view of the program's bytes.
Status EvaluateConstant(KernelCall& call) {
  const AttrId value = call.module.SlotOf(call.op, "value");
  if (!value || call.results.size() != 1) return Error(Code::kInvalidProgram, "the constant has no value");
  const TensorTypePtr& declared = call.result_types[0];
  Module::ElementsView elements;
  const bool same_type = declared && call.module.AsElements(value, &elements) &&
                         elements.type == call.module.TypeOf(call.module.ResultOf(call.op, 0));
  Result<Tensor> tensor =
      same_type ? TensorFromAttr(call.module, value, declared) : TensorFromAttr(call.module, value);
  if (!tensor) return tl::make_unexpected(std::move(tensor.error()));
  // The declared type may be another object, or less known; the values are those of the attribute.
  if (declared && declared != tensor->type_ptr() && *declared != tensor->type())
    return Error(Code::kInvalidProgram, fmt::format("the value has type {}, the result {}",
                                                    TypeName(tensor->type()), TypeName(*declared)));
  call.results[0] = std::move(*tensor);
  return {};
}

// Specification, "Execution": evaluates the callee on the operands.
Status EvaluateCall(KernelCall& call) {
  std::string_view callee;
  if (!call.module.AsSymbol(call.module.SlotOf(call.op, "callee"), &callee))
    return Error(Code::kInvalidProgram, "the call names no function");
  return call.host.Call(call, callee, call.results);
}

// A terminator: its operands are the results of the block, which whoever runs the block takes.
Status EvaluateReturn(KernelCall&) { return {}; }

}  // namespace shlo
