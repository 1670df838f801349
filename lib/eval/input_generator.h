// Inputs for proofs: the same on every machine for the same seed. Boundary values come first, packed so that
// every combination of them across two arguments is met; then pseudo-random values.
// Internal to lib/eval.
#pragma once

#include <cstdint>
#include <vector>

#include "shlo/tensor.h"

namespace shlo {

// A small generator with a fixed definition (splitmix64), unlike those of <random>.
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

// Bit patterns at which kernels tend to err: for integers 0, 1, -1, the extremes and their neighbours; for
// floats signed zeros, ones, subnormals, the smallest normal and largest finite numbers, infinities, quiet
// and signalling NaN. All of them, for kinds of at most 8 bits.
std::vector<uint64_t> BoundaryValues(TypeKind kind);

class InputGenerator {
 public:
  InputGenerator(std::vector<ValueTypePtr> args, uint64_t seed);

  // Bits of all arguments together, or ~0 when they do not fit.
  uint64_t total_bits() const { return total_bits_; }
  // Number of input sets after which every boundary value of an argument has met every one of the other; of
  // more than two arguments, every one of its neighbours.
  uint64_t boundary_sets() const { return boundary_sets_; }

  std::vector<Tensor> BoundarySet(uint64_t set) const;
  std::vector<Tensor> RandomSet(uint64_t set) const;
  // Input `index` of 2^total_bits().
  std::vector<Tensor> ExhaustiveSet(uint64_t index) const;

 private:
  // Boundary values of one argument, as whole elements: real and imaginary part each in turn.
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
