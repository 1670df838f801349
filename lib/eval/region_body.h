// The region of an op that applies it to elements: reduce, scatter, sort, map. A body of element-wise ops on
// scalars is compiled to a list of loops over blocks of elements, without allocation or lookup per element; a
// body of one op is as fast as the op. Any other body is evaluated as a region, element by element.
// Internal to lib/eval.
#pragma once

#include <memory>

#include "eval/kernel/kernel.h"
#include "eval/kernel/kernel_args.h"
#include "eval/loops/element_loop.h"

namespace shlo {

// Converts a tensor to the element type of `scalar`, if the body computes in a wider type than its operands.
Result<Tensor> Promoted(KernelCall& call, const Tensor& tensor, const ValueType& scalar);

class RegionBody {
 public:
  // Maximum block size, in elements.
  static constexpr size_t kBlock = 64;

  // Returns the argument types of the region. Fails if they are not static scalars.
  static Result<std::vector<ValueTypePtr>> ArgumentTypes(const KernelCall& call, RegionId region);
  // Creates a body whose results have the given types.
  static Result<RegionBody> Make(const KernelCall& call, RegionId region,
                                 std::span<const ValueTypePtr> results);

  // Records that the region runs (KernelHost::MarkRun), once for all of its runs.
  void MarkRun() const { call_->host.MarkRun(region_); }
  // Returns whether the body is compiled; otherwise Run evaluates the region.
  bool compiled() const { return compiled_; }
  // Counts work of a compiled body on `elements` before it begins; Run does so itself.
  void CountWork(KernelHost& host, double elements) const { shlo::CountWork(host, elements * nanoseconds_); }
  // Runs on n <= kBlock elements. Results may alias arguments.
  Status Run(const uint8_t* const* args, uint8_t* const* results, size_t n);
  // Computes acc = body(acc, element) for n elements `stride` bytes apart, in order, if the body folds().
  void Fold(uint8_t* acc, const uint8_t* in, size_t n, ptrdiff_t stride) const { fold_(acc, in, n, stride); }
  bool folds() const { return fold_ != nullptr; }
  // Returns the loop of a body that is one op on its two arguments in order, or nullptr. It runs on any
  // number of elements.
  const ElementLoop* single() const { return single_ ? &steps_[0].loop : nullptr; }

  // A compiled body for single elements at fixed addresses, with all lookups done in advance. The addresses
  // of arguments and results have kBound bytes each.
  static constexpr size_t kBound = 16;
  class Bound {
   public:
    Bound(const RegionBody& body, const uint8_t* const* args);
    // Runs the body and copies the results, which may alias arguments.
    void Run(uint8_t* const* results) const;
    // Runs the body and returns the address of the first result.
    const uint8_t* Run() const {
      for (const BoundLoopCall& step : steps_) step.loop->run(*step.loop, step.in, step.out, 1);
      return outputs_[0];
    }

   private:
    struct BoundLoopCall {
      const ElementLoop* loop;
      const uint8_t* in[ElementLoop::kMaxOperands];
      uint8_t* out;
    };
    std::vector<BoundLoopCall> steps_;
    std::vector<const uint8_t*> outputs_;
  };

 private:
  struct Source {
    int argument = -1;          // index, or -1
    uint8_t* buffer = nullptr;  // otherwise: a computed value or constant
  };
  struct LoopCall {
    ElementLoop loop;
    Source in[ElementLoop::kMaxOperands];
    uint8_t* out;
  };
  bool Compile();

  const KernelCall* call_ = nullptr;
  RegionId region_;
  std::vector<ValueTypePtr> arguments_, results_;
  bool compiled_ = false;
  bool single_ = false;
  double nanoseconds_ = 0;  // of a compiled body, per element
  ElementLoop::Fold fold_ = nullptr;
  std::vector<LoopCall> steps_;
  std::vector<Source> outputs_;
  std::vector<std::unique_ptr<uint8_t[]>> buffers_;
};

}  // namespace shlo
