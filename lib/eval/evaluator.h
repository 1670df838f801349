// Implementation of Evaluate(): evaluates functions of one module, and caches symbols, plans and buffers
// between runs. Not thread-safe; use one evaluator per thread. Internal to lib/eval.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <unordered_map>

#include "base/workers.h"
#include "eval/grid/process_grid.h"
#include "eval/kernel/kernel.h"
#include "shlo/evaluate.h"

namespace shlo {

struct ChainRole;
class TensorArena;
struct FunctionPlan;

class Evaluator final : public KernelHost {
 public:
  Evaluator(const Module& module, const EvalOptions& options, Process* process = nullptr);
  ~Evaluator();

  // Returns the function with this symbol; for "", @main or the only function. Invalid id if there is none.
  OpId FindFunction(std::string_view name) const;
  // Returns the function with exactly this symbol.
  OpId FindByName(std::string_view name) const {
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? OpId() : found->second;
  }
  // All top-level functions, in program order.
  std::span<const OpId> functions() const { return functions_; }

  // Evaluates a function. `intermediates`, if given, receives the results of its top-level ops in order.
  Result<EvalResult> Run(OpId function, std::span<const Tensor> args,
                         std::vector<Tensor>* intermediates = nullptr);

  // Effort of a run, or the limit at which it stops with an error: steps as in EvalOptions, and work in
  // approximate nanoseconds, which is the same on every machine.
  struct Effort {
    uint64_t steps = ~uint64_t(0);
    uint64_t work = ~uint64_t(0);
  };
  // Limits the following runs, in addition to EvalOptions::max_steps.
  void Limit(Effort limit) { limit_ = limit; }
  // Returns what the last run took.
  Effort taken() const { return {steps_taken_, work_}; }
  // Returns whether the last run failed because it reached its limit.
  bool stopped() const { return stopped_; }

  // Returns a hash of the results of all `compare` ops of the last run, or 0 if none ran outside of the
  // bodies of reductions and the like.
  uint64_t comparisons() const { return comparisons_; }

  // Returns whether a region ran since ForgetRegions(). Regions of processes other than the first are not
  // recorded.
  bool HasRun(RegionId region) const { return region.v < ran_.size() && ran_[region.v]; }
  void ForgetRegions() { ran_.assign(module_.regions.size(), false); }

  // Evaluates one op outside of a run, on these operands. The op must have no regions, and its results must
  // depend on nothing else; for other ops it fails. Limits apply to the op alone. The module may have got ops
  // and types since the evaluator was made.
  Result<std::vector<Tensor>> RunAlone(OpId id, std::span<const Tensor* const> operands);

  // Sets the known values of a function, indexed by ValueId (see known_values.h). The step limit applies to
  // each op separately.
  void FindKnown(OpId function, uint64_t max_elements, std::span<Tensor> known);

  // The function type. SignatureOf fails if the function has none.
  struct Signature {
    std::vector<TypeId> inputs;
    std::vector<TypeId> results;
  };
  Result<Signature> SignatureOf(OpId function) const;

 private:
  // KernelHost.
  Tensor Allocate(const ValueTypePtr& type, bool splat) override;
  Status Call(const KernelCall& call, std::string_view function, std::span<const Tensor* const> operands,
              std::span<Tensor> results) override;
  Result<std::vector<Tensor>> EvalRegion(const KernelCall& call, RegionId region,
                                         std::span<const Tensor> args) override;
  void MarkRun(RegionId region) override {
    if (region.v < ran_.size()) ran_[region.v] = true;
  }
  const Tensor* Captured(const KernelCall& call, ValueId value) override;
  ValueTypePtr TypeOf(TypeId type) override { return CachedType(type); }
  void Split(uint64_t n, double cost, const std::function<void(uint64_t, uint64_t)>& work) override;
  TensorArena& arena() override { return *arena_; }
  Status CountSteps(uint64_t steps) override;
  // Each stops the run.
  struct WorkLimit {};  // thrown where work would exceed its limit, and caught at the op
  Diagnostics TooManySteps();
  Diagnostics TooMuchWork();
  Process& process() override;
  const EvalOptions& options() const override { return options_; }
  void FailCheck(const KernelCall& call, std::string message) override;

  Result<const FunctionPlan*> PlanOf(OpId function);
  ValueTypePtr CachedType(TypeId type);
  Result<std::vector<Tensor>> RunFunction(OpId function, std::span<const Tensor* const> args,
                                          std::vector<Tensor>* intermediates);
  // Evaluates a block whose arguments are set. Returns the operands of its terminator.
  Result<std::vector<Tensor>> RunBlock(Frame& frame, BlockId block, std::vector<Tensor>* intermediates);
  Status RunOp(Frame& frame, OpId id);
  // Runs the kernel of an op, and checks its results.
  Status RunKernel(OpId id, std::span<const Tensor* const> operands, std::span<const ValueTypePtr> types,
                   std::span<Tensor> results, Frame* frame);
  // Runs an op of a chain: computes the chain if it is the root.
  Status RunInChain(Frame& frame, OpId id, const ChainRole& role);
  // Like RunOp or RunInChain, and adds to the profile. The time of a chain is divided among its ops by their
  // approximate cost.
  Status RunOpProfiled(Frame& frame, OpId id, const ChainRole& role);
  // Runs a kernel on dequantized operands and quantizes its results.
  Status RunOnNumbers(const struct KernelEntry& entry, KernelCall& call);
  // Checks a value against its declared type.
  Status CheckType(const Tensor& tensor, TypeId type, const ValueTypePtr& declared, std::string_view what);
  void Release(Tensor& tensor);
  // Releases a value of which the run has made its last use, and the pages of a file that has its elements.
  void ReleaseForGood(Tensor& tensor);
  // Adds op, function and place to diagnostics that have none.
  tl::unexpected<Diagnostics> At(OpId op, Diagnostics diagnostics) const;
  tl::unexpected<Diagnostics> ErrorAt(OpId op, Code code, std::string message, std::string hint = {}) const;

  const Module& module_;
  const EvalOptions options_;
  const uint32_t max_depth_;             // of calls and regions
  Process* const process_;               // of a grid; nullptr outside of one
  std::optional<ProcessGrid> own_grid_;  // then, from the first use on
  std::optional<Process> own_process_;
  std::vector<OpId> functions_;
  std::unordered_map<std::string_view, OpId> by_name_;
  std::unordered_map<uint32_t, std::unique_ptr<FunctionPlan>> plans_;  // by function op
  std::unordered_map<uint32_t, ValueTypePtr> types_;                   // by type id
  Diagnostics failed_checks_;
  uint32_t depth_ = 0;
  // Bytes of all live tensors of this evaluator, including free buffers. Shared with the tensors, because
  // results outlive the evaluator.
  std::shared_ptr<std::atomic<uint64_t>> live_bytes_ = std::make_shared<std::atomic<uint64_t>>(0);
  uint64_t peak_bytes_ = 0;
  const std::shared_ptr<TensorArena> arena_;  // of large tensors, with which it is shared, too
  uint64_t nested_nanoseconds_ = 0;           // of ops that ran inside the current one
  std::vector<EvalProfile::Row> profile_;     // by row of the op table
  uint64_t steps_left_ = 0;
  Effort limit_;
  uint64_t work_ = 0, max_work_ = ~uint64_t(0);
  uint64_t steps_taken_ = 0;
  bool stopped_ = false;
  uint64_t comparisons_ = 0;
  std::vector<bool> ran_;  // by region; empty until ForgetRegions

  ThreadPool pool_;

  // Free buffers, reused for tensors of the same size.
  struct FreeBuffer {
    uint64_t size;
    std::shared_ptr<uint8_t[]> buffer;
  };
  std::vector<FreeBuffer> free_;
};

}  // namespace shlo
