// Data movement: one strided copy implements every op that only rearranges elements. Internal to lib/eval.
#pragma once

#include "eval/kernel/kernel.h"
#include "eval/kernel/kernel_args.h"

namespace shlo {

// Returns whether a number is at most `most` in size; the least one has no absolute value.
constexpr bool IsWithin(int64_t number, int64_t most) { return -most <= number && number <= most; }

// Returns the strides of a row-major array, in elements.
Ints StridesOf(std::span<const int64_t> shape);

// Copies an array of `shape` with elements of `bytes` bytes; strides in elements, of any sign.
void CopyStrided(std::span<const int64_t> shape, const uint8_t* from, std::span<const int64_t> from_strides,
                 uint8_t* to, std::span<const int64_t> to_strides, size_t bytes);

// Fills `count` elements with one value.
void FillElements(uint8_t* to, const uint8_t* element, uint64_t count, size_t bytes);

// Returns the same values without splat storage, allocated by the host. Empty if the memory limit is
// exceeded.
Tensor Dense(KernelHost& host, const Tensor& tensor);

// Broadcasts a tensor: dimension d becomes dimensions[d] of the result; dimensions of size 1 are expanded.
Result<Tensor> Broadcast(KernelHost& host, const Tensor& operand, std::span<const int64_t> dimensions,
                         const ValueTypePtr& type);
Result<Tensor> Transpose(KernelHost& host, const Tensor& operand, std::span<const int64_t> permutation,
                         const ValueTypePtr& type);
// Slices elements start[d] + i * stride[d] of each dimension, which must be in bounds.
Result<Tensor> Slice(KernelHost& host, const Tensor& operand, std::span<const int64_t> start,
                     std::span<const int64_t> strides, const ValueTypePtr& type);
Result<Tensor> Reverse(KernelHost& host, const Tensor& operand, std::span<const int64_t> dimensions);
Result<Tensor> Concatenate(KernelHost& host, std::span<const Tensor* const> operands, int64_t dimension,
                           const ValueTypePtr& type);
// Negative padding removes elements.
Result<Tensor> Pad(KernelHost& host, const Tensor& operand, const Tensor& value, std::span<const int64_t> low,
                   std::span<const int64_t> interior, const ValueTypePtr& type);

// Iterates over all indices of a shape in row-major order.
class IndexWalk {
 public:
  explicit IndexWalk(std::span<const int64_t> shape) : shape_(shape), index_(shape.size(), 0) {
    for (int64_t extent : shape) done_ = done_ || extent <= 0;
  }
  bool done() const { return done_; }
  const Ints& operator*() const { return index_; }
  int64_t operator[](size_t d) const { return index_[d]; }
  // Moves to the `at`-th index. The shape must not have a dimension of size 0.
  void Seek(uint64_t at) {
    for (size_t d = shape_.size(); d-- > 0;) {
      index_[d] = int64_t(at % uint64_t(shape_[d]));
      at /= uint64_t(shape_[d]);
    }
    done_ = at > 0;
  }
  void Next() {
    for (size_t d = shape_.size(); d-- > 0;) {
      if (++index_[d] < shape_[d]) return;
      index_[d] = 0;
    }
    done_ = true;
  }

 private:
  std::span<const int64_t> shape_;
  Ints index_;
  bool done_ = false;
};

}  // namespace shlo
