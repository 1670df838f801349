// The work that all evaluations of a proof may take together (ProveOptions::limits). Internal to lib/prove.
#pragma once

#include <algorithm>
#include <cstdint>

namespace shlo::prove {

class WorkBudget {
 public:
  // In approximate nanoseconds, as Limits::max_work.
  explicit WorkBudget(uint64_t work) : all_(work), left_(work) {}

  uint64_t all() const { return all_; }
  // Returns what one comparison may take: never all that is left, because others follow.
  uint64_t ForOne() const { return left_ / 2; }
  void Spend(uint64_t work) { left_ -= std::min(left_, work); }

 private:
  const uint64_t all_;
  uint64_t left_;
};

}  // namespace shlo::prove
