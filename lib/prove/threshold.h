// Moves one element of an input between two values, to find where a comparison of a program changes. Mistakes
// such as LE for LT show only there. Internal to lib/prove.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "shlo/tensor.h"

namespace shlo {

// A range of values of one element, in the order of the numbers.
class Threshold {
 public:
  // `low` and `high` differ in one element of one argument at most, which is searched.
  static std::optional<Threshold> Between(std::vector<Tensor> low, const Tensor& high, size_t argument,
                                          uint64_t element);

  // Returns whether neighboring numbers are left.
  bool done() const { return low_ > high_ ? low_ - high_ <= 1 : high_ - low_ <= 1; }
  // Returns the input at the start of the range.
  std::vector<Tensor> Start() const { return With(low_); }
  // Returns the input in the middle of the range.
  std::vector<Tensor> Middle() const { return With(middle()); }
  // Returns the input at the end of the range that `high` was.
  std::vector<Tensor> End() const { return With(high_); }
  // Continues in the half between the middle and the end, or between the start and the middle.
  void Continue(bool after_middle) { (after_middle ? low_ : high_) = middle(); }

 private:
  uint64_t middle() const { return low_ / 2 + high_ / 2 + (low_ & high_ & 1); }
  std::vector<Tensor> With(uint64_t ordered) const;

  std::vector<Tensor> args_;
  size_t argument_ = 0;
  uint64_t element_ = 0;
  uint64_t low_ = 0, high_ = 0;  // ordered as the numbers are
};

}  // namespace shlo
