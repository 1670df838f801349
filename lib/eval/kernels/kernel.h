// What a kernel is: a function that computes the results of one op from its operands. A kernel never sees
// the interpreter, only what its call hands it; it checks the tensors it gets (programs come from anywhere)
// and returns errors without place: the caller knows the op.
//
// An evaluable op is a row in kernel_table.cc and a kernel in the file of its family; nothing else.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "shlo/diagnostics.h"
#include "shlo/evaluate.h"
#include "shlo/module.h"
#include "shlo/tensor.h"

namespace shlo {

using Status = Result<void>;

struct KernelCall;
class Process;

// What kernels may ask of whoever runs them.
class KernelHost {
 public:
  // A tensor with own bytes, not initialised; counts against the memory limit. Not a tensor when over it, or
  // when there is no type because the shape is too large.
  virtual Tensor Allocate(const ValueTypePtr& type, bool splat) = 0;
  // Runs a function of the module.
  virtual Status Call(const KernelCall& call, std::string_view function,
                      std::span<const Tensor* const> operands, std::span<Tensor> results) = 0;
  // Runs a region of the op; values from outside it are visible there.
  virtual Result<std::vector<Tensor>> EvalRegion(const KernelCall& call, RegionId region,
                                                 std::span<const Tensor> args) = 0;
  // A value from outside a region of the op, which is visible in it; nullptr when it has none yet.
  virtual const Tensor* Captured(const KernelCall& call, ValueId value) = 0;
  // The type of a value of the function; nullptr when it is not static.
  virtual ValueTypePtr TypeOf(TypeId type) = 0;
  // Counts work that is no op: an error when evaluation takes too many steps.
  virtual Status CountSteps(uint64_t steps) = 0;
  // Calls `work(begin, end)` on ranges that together are [0, n), on several threads where `cost`, about the
  // nanoseconds that one item takes, makes that worth while. `work` may not use the host.
  virtual void Split(uint64_t n, double cost, const std::function<void(uint64_t, uint64_t)>& work) = 0;
  // The process that the program runs in; nullptr outside a grid of them.
  virtual Process* process() = 0;
  virtual const EvalOptions& options() const = 0;
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
  std::span<const ValueTypePtr> result_types;  // as declared; nullptr where not static
  std::span<Tensor> results;                   // for the kernel to set
  KernelHost& host;
  void* frame = nullptr;  // the host's

  const Tensor& operand(size_t i) const { return *operands[i]; }
};

struct ElementLoop;
struct LoopQuery;
using LoopPicker = ElementLoop (*)(LoopQuery& query);

using Kernel = Status (*)(KernelCall&);

// Which values a kernel takes.
enum class Takes : uint8_t {
  kNumbers,  // tensors; of quantized ones the numbers that they stand for, rounded again at the end
  kStored,   // tensors; quantized ones as they are stored
  kAny,      // tokens and tuples, too
};

// What the results of an op depend on.
enum class Reach : uint8_t {
  kOperands,  // its operands, attributes and regions alone
  kOutside,   // other processes, functions or the caller, too; or it can be seen from there
};

struct KernelEntry {
  Kernel kernel = nullptr;  // none: the op cannot be evaluated
  LoopPicker picker = nullptr;
  Takes takes = Takes::kNumbers;
  Reach reach = Reach::kOperands;
};

// What the table knows of a shape.
const KernelEntry& KernelOf(RevisionId revision);

// The error of a kernel that could not allocate.
inline tl::unexpected<Diagnostics> OutOfMemory() {
  return Error(Code::kLimit, "evaluation needs more memory than its limit", {}, "raise the memory limit");
}

}  // namespace shlo
