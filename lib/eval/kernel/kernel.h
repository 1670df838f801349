// A kernel computes the results of one op from its operands. It does not know the interpreter, only its
// KernelCall. It checks its tensors, because programs may be unverified, and returns errors without op and
// place, which the caller adds.
//
// To make an op evaluable, add a row to kernel_rows.inc and a kernel to the file of its family.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "eval/loops/element_loop.h"
#include "shlo/diagnostics.h"
#include "shlo/module.h"
#include "shlo/tensor.h"

namespace shlo {

using Status = Result<void>;

struct EvalOptions;
struct Frame;
struct KernelCall;
struct Process;
class TensorArena;

// Services of the interpreter for kernels.
class KernelHost {
 public:
  // Allocates an uninitialized tensor, which counts toward the memory limit. Empty if the limit is exceeded,
  // or if `type` is null because the shape is too large.
  virtual Tensor Allocate(const ValueTypePtr& type, bool splat) = 0;
  // Evaluates a function of the module.
  virtual Status Call(const KernelCall& call, std::string_view function,
                      std::span<const Tensor* const> operands, std::span<Tensor> results) = 0;
  // Evaluates a region of the op, which may use values defined outside.
  virtual Result<std::vector<Tensor>> EvalRegion(const KernelCall& call, RegionId region,
                                                 std::span<const Tensor> args) = 0;
  // Records that a region runs; EvalRegion does so itself. Regions that never run show nothing
  // (shlo/coverage.h).
  virtual void MarkRun(RegionId region) = 0;
  // Returns a value defined outside a region of the op, or nullptr if it is not computed yet.
  virtual const Tensor* Captured(const KernelCall& call, ValueId value) = 0;
  // Returns the type of a value, or nullptr if it is not static.
  virtual ValueTypePtr TypeOf(TypeId type) = 0;
  // Counts work other than ops. Fails if evaluation exceeds its step limit.
  virtual Status CountSteps(uint64_t steps) = 0;
  // Calls `work(begin, end)` on ranges that cover [0, n), on several threads if n times `cost`, the
  // approximate nanoseconds per item, is large enough. `work` must not use the host.
  virtual void Split(uint64_t n, double cost, const std::function<void(uint64_t, uint64_t)>& work) = 0;
  // Returns the memory for large scratch space; `work` of Split may use it.
  virtual TensorArena& arena() = 0;
  // Returns the process that evaluates the program.
  virtual Process& process() = 0;
  virtual const EvalOptions& options() const = 0;
  // Reports a failed check. Evaluation continues.
  virtual void FailCheck(const KernelCall& call, std::string message) = 0;

 protected:
  ~KernelHost() = default;
};

// Counts work that is done on one thread, in approximate nanoseconds, before it begins.
inline void CountWork(KernelHost& host, double nanoseconds) {
  host.Split(1, nanoseconds, [](uint64_t, uint64_t) {});
}

struct KernelCall {
  const Module& module;
  OpId id;
  const Op& op;
  std::span<const Tensor* const> operands;
  std::span<const ValueTypePtr> result_types;  // declared types; nullptr if not static
  std::span<Tensor> results;                   // set by the kernel
  KernelHost& host;
  Frame* frame = nullptr;  // values of the running function; for the host only

  const Tensor& operand(size_t i) const { return *operands[i]; }
};

using Kernel = Status (*)(KernelCall&);

// The operands that a kernel accepts.
enum class Takes : uint8_t {
  kNumbers,  // tensors; quantized ones are dequantized, and results quantized
  kStored,   // tensors; quantized ones as stored integers
  kAny,      // tensors, tokens and tuples
};

// The state that an op may depend on or affect.
enum class Reach : uint8_t {
  kOperands,   // only its operands, attributes and regions
  kOutside,    // also functions or the caller
  kProcesses,  // also other processes
};

struct KernelEntry {
  Kernel kernel = nullptr;  // nullptr: the op cannot be evaluated
  LoopPicker picker = nullptr;
  Takes takes = Takes::kNumbers;
  Reach reach = Reach::kOperands;
  bool moves = false;  // its one result has only elements of the first operand
};

// Returns the error for a failed allocation.
inline tl::unexpected<Diagnostics> OutOfMemory() {
  return Error(Code::kLimit, "evaluation exceeds the memory limit", {},
               "raise --max-memory (Limits::max_memory)");
}

}  // namespace shlo
