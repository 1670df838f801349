// Generates inputs for Prove(): the same on every machine for the same seed. Boundary values come first, such
// that every pair across two arguments occurs; then pseudo-random values.
// Internal to lib/eval.
#pragma once

#include <cstdint>
#include <vector>

#include "shlo/tensor.h"

namespace shlo {

// splitmix64, because the distributions of <random> are not portable.
class SplitMix64 {
 public:
  explicit SplitMix64(uint64_t seed) : state_(seed) {}
  uint64_t Next() {
    uint64_t z = state_ += 0x9E3779B97F4A7C15ull;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ z >> 27) * 0x94D049BB133111EBull;
    return z ^ z >> 31;
  }

 private:
  uint64_t state_;
};

// Returns error-prone bit patterns: for integers 0, 1, -1, the extremes and their neighbors; for floats
// signed zeros, ones, subnormals, the smallest normal and largest finite numbers, infinities, quiet and
// signaling NaN. For kinds of at most 8 bits, returns all bit patterns.
std::vector<uint64_t> BoundaryValues(TypeKind kind);

class InputGenerator {
 public:
  InputGenerator(std::vector<ValueTypePtr> args, uint64_t seed);

  // Total bits of all arguments, or ~0 on overflow.
  uint64_t total_bits() const { return total_bits_; }
  // Number of input sets that cover every pair of boundary values of two arguments; for more than two
  // arguments, of adjacent ones.
  uint64_t boundary_sets() const { return boundary_sets_; }

  std::vector<Tensor> BoundarySet(uint64_t set) const;
  std::vector<Tensor> RandomSet(uint64_t set) const;
  // Input `index` of 2^total_bits().
  std::vector<Tensor> ExhaustiveSet(uint64_t index) const;

 private:
  // Boundary values of one argument. A complex element is a pair of them.
  struct Argument {
    ValueTypePtr type;
    std::vector<uint64_t> values;
    uint64_t choices = 1;  // values.size(), squared for complex
  };
  void PutChoice(const Argument& arg, uint64_t choice, uint8_t* out) const;

  std::vector<Argument> args_;
  uint64_t seed_;
  uint64_t elements_ = 1;  // of the largest argument
  uint64_t total_bits_ = 0;
  uint64_t boundary_sets_ = 0;
};

}  // namespace shlo
