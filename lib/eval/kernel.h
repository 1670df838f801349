// What a kernel is: a function that computes the results of one op from its operands. A kernel never sees
// the interpreter, only what its call hands it; it checks the tensors it gets (programs come from anywhere)
// and returns errors without place: the caller knows the op.
//
// An evaluable op is a row in kernel_table.cc and a kernel in the file of its family; nothing else.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "eval/tensor.h"
#include "ir/diagnostics.h"
#include "ir/module.h"

namespace shlo {

using Status = Result<void>;

struct KernelCall;

// What kernels may ask of whoever runs them.
class KernelHost {
 public:
  // A tensor with own bytes, not initialised; counts against the memory limit. Not a tensor when over it.
  virtual Tensor Allocate(const TensorTypePtr& type, bool splat) = 0;
  // Runs a function of the module.
  virtual Status Call(const KernelCall& call, std::string_view function, std::span<Tensor> results) = 0;
  // Runs a region of the op; values from outside it are visible there.
  virtual Result<std::vector<Tensor>> EvalRegion(const KernelCall& call, RegionId region,
                                                 std::span<const Tensor> args) = 0;
  // A check of the program did not hold; evaluation goes on.
  virtual void FailCheck(const KernelCall& call, std::string message) = 0;

 protected:
  ~KernelHost() = default;
};

struct KernelCall {
  const Module& module;
  OpId id;
  const Op& op;
  std::span<const Tensor* const> operands;
  std::span<const TensorTypePtr> result_types;  // as declared; nullptr where not static
  std::span<Tensor> results;                    // for the kernel to set
  KernelHost& host;
  void* frame = nullptr;  // the host's

  const Tensor& operand(size_t i) const { return *operands[i]; }
};

using Kernel = Status (*)(KernelCall&);

// The kernel of a shape; nullptr when there is none.
Kernel KernelOf(ShapeId shape);

// The error of a kernel that could not allocate.
inline tl::unexpected<Diagnostics> OutOfMemory() {
  return Error(Code::kLimit, "evaluation needs more memory than its limit", {}, "raise the memory limit");
}

}  // namespace shlo
