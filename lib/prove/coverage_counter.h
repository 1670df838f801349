// Counts what results show over many inputs (shlo/coverage.h): which elements vary and are finite, and how
// many inputs results tell apart. Internal to lib/prove.
#pragma once

#include <map>
#include <set>
#include <span>
#include <vector>

#include "shlo/coverage.h"
#include "shlo/tensor.h"

namespace shlo {

class CoverageCounter {
 public:
  // Adds the results of one input. Returns whether they differ from all earlier ones and have a finite
  // number.
  bool Add(std::span<const Tensor> results);
  // Returns the number of different results of one input.
  uint32_t distinct() const { return uint32_t(distinct_.size()); }
  // Adds the counts, and for each result that is in `dependent` but told nothing apart a reason. `what` names
  // results.
  void Conclude(const std::vector<bool>& dependent, std::string_view what, Coverage* coverage) const;

 private:
  // A sample of the elements of a result of one shape.
  struct Elements {
    std::vector<uint64_t> first;  // hash of the first finite value
    std::vector<uint8_t> state;   // 0: never finite; 1: the same finite value so far; 2: varies
  };
  struct ResultCounts {
    std::map<std::vector<int64_t>, Elements> by_shape;
    std::set<uint64_t> distinct;
    uint64_t inputs = 0;
    bool any_elements = false, any_finite = false;
  };
  std::vector<ResultCounts> results_;
  std::set<uint64_t> distinct_;
};

// Returns whether an element is a number: neither NaN nor infinite, in any part.
bool IsFinite(const Tensor& tensor, uint64_t i);

}  // namespace shlo
