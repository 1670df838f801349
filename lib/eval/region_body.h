// The body of an op that is applied to elements: reduce, scatter, sort, map. A body of element-wise ops on
// scalars becomes a list of loops that run on blocks of elements; nothing is allocated or looked up per
// element, and a body of one op costs what the op costs. Any other body is evaluated as a region, element by
// element. Internal to lib/eval.
#pragma once

#include <memory>

#include "eval/kernels/kernel.h"
#include "eval/kernels/kernel_args.h"
#include "eval/loops/element_loop.h"

namespace shlo {

// A tensor in another element type, where bodies compute in a wider one than the operands have.
Result<Tensor> Promoted(KernelCall& call, const Tensor& tensor, const ValueType& scalar);

class RegionBody {
 public:
  // Elements of a block at most.
  static constexpr size_t kBlock = 64;

  // The scalar types the region takes; an error when they are not static scalars.
  static Result<std::vector<ValueTypePtr>> ArgumentTypes(const KernelCall& call, RegionId region);
  // A body whose results have the given types.
  static Result<RegionBody> Make(const KernelCall& call, RegionId region,
                                 std::span<const ValueTypePtr> results);

  // Whether the body is a list of loops; otherwise Run evaluates the region.
  bool compiled() const { return compiled_; }
  // Runs on n <= kBlock elements; results may be arguments.
  Status Run(const uint8_t* const* args, uint8_t* const* results, size_t n);
  // acc = body(acc, element) for n elements that are `stride` bytes apart, in order; false when there is no
  // such loop.
  bool Fold(uint8_t* acc, const uint8_t* in, size_t n, ptrdiff_t stride) const {
    if (!fold_) return false;
    fold_(acc, in, n, stride);
    return true;
  }
  // The loop of a body that is one op on its two arguments in order; it runs on any number of elements.
  const ElementLoop* single() const { return single_ ? &steps_[0].loop : nullptr; }

  // A compiled body on one element whose arguments lie at fixed places, for loops: every look-up is done.
  // Places of arguments and results have kBound bytes each.
  static constexpr size_t kBound = 16;
  class Bound {
   public:
    Bound(const RegionBody& body, const uint8_t* const* args);
    // Runs the steps and copies the results to where they go, which may be arguments.
    void Run(uint8_t* const* results) const;
    // Runs the steps and gives the place of the first result.
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
    int argument = -1;          // or
    uint8_t* buffer = nullptr;  // a value computed before, or a constant
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
  ElementLoop::Fold fold_ = nullptr;
  std::vector<LoopCall> steps_;
  std::vector<Source> outputs_;
  std::vector<std::unique_ptr<uint8_t[]>> buffers_;
};

}  // namespace shlo
