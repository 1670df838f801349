// Moving elements between shapes: one strided copy serves every op that only rearranges. Internal to
// lib/eval.
#pragma once

#include "eval/kernels/kernel.h"
#include "eval/kernels/kernel_args.h"

namespace shlo {

// Distances between neighbours in each dimension of a row-major array, in elements.
Ints StridesOf(std::span<const int64_t> shape);

// Copies `shape` elements of `bytes` bytes each from one place to another; strides in elements, any sign.
void CopyStrided(std::span<const int64_t> shape, const uint8_t* from, std::span<const int64_t> from_strides,
                 uint8_t* to, std::span<const int64_t> to_strides, size_t bytes);

// Fills `count` elements with one.
void FillElements(uint8_t* to, const uint8_t* element, uint64_t count, size_t bytes);

// The same values with one stored element per element; memory from the host. Not a tensor when over the
// limit.
Tensor Dense(KernelHost& host, const Tensor& tensor);

// Spreads a tensor: dimension d of it becomes dimensions[d] of the result; extents of 1 stretch.
Result<Tensor> Broadcast(KernelHost& host, const Tensor& operand, std::span<const int64_t> dimensions,
                         const ValueTypePtr& type);
Result<Tensor> Transpose(KernelHost& host, const Tensor& operand, std::span<const int64_t> permutation,
                         const ValueTypePtr& type);
// Elements start[d] + i * stride[d] of each dimension; all within the operand.
Result<Tensor> Slice(KernelHost& host, const Tensor& operand, std::span<const int64_t> start,
                     std::span<const int64_t> strides, const ValueTypePtr& type);
Result<Tensor> Reverse(KernelHost& host, const Tensor& operand, std::span<const int64_t> dimensions);
Result<Tensor> Concatenate(KernelHost& host, std::span<const Tensor* const> operands, int64_t dimension,
                           const ValueTypePtr& type);
// Negative padding cuts off.
Result<Tensor> Pad(KernelHost& host, const Tensor& operand, const Tensor& value, std::span<const int64_t> low,
                   std::span<const int64_t> interior, const ValueTypePtr& type);

// Steps through all indices of a shape in row-major order.
class IndexWalk {
 public:
  explicit IndexWalk(std::span<const int64_t> shape) : shape_(shape), index_(shape.size(), 0) {
    for (int64_t extent : shape) done_ = done_ || extent <= 0;
  }
  bool done() const { return done_; }
  const Ints& operator*() const { return index_; }
  int64_t operator[](size_t d) const { return index_[d]; }
  // Goes to the index that is `at` steps from the first one. The shape has no extent of 0.
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
