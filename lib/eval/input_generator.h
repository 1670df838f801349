// Generates inputs for Prove(): the same on every machine for the same seed. Each input set has a temper:
// what its values are like. docs/evaluation.md, "Inputs that tell programs apart", states what each is for.
// Internal to the library.
#pragma once

#include <cstdint>
#include <span>
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

// Kinds of input sets, by their values.
enum class Temper : uint8_t {
  kOrdinary,       // normally distributed, scaled by what the argument is multiplied with; valid indices
  kSmallIntegers,  // -4 to 4, also as floats; indices at and just beyond their bounds
  kPositive,       // greater than zero
  kConstants,      // constants of the programs, and their neighbors
  kUnit,           // between 0 and 1
  kSparse,         // ordinary values with one boundary value per argument
  kMixed,          // a different temper for each argument
  kWide,           // many orders of magnitude
  kMatrix,         // square matrices are symmetric with a dominant diagonal; the rest is ordinary
  kUniform,        // one boundary value in all elements, of all arguments or of one
  kFew,            // two or three values, often boundary values: ties, and zeros of both signs
  kPairs,          // boundary values such that every pair across two arguments occurs
  kBits,           // random bits
};
inline constexpr size_t kTempers = size_t(Temper::kBits) + 1;

// A number of a program, which inputs should meet.
struct Number {
  bool is_float = false;
  int64_t integer = 0;
  double real = 0;
  friend bool operator==(const Number&, const Number&) = default;
  friend auto operator<=>(const Number&, const Number&) = default;
};

// The uses of an argument in a program, as far as it matters for choosing values.
struct ArgumentUse {
  std::vector<int64_t> bounds;   // it is an index into dimensions of these sizes; 0 to bound - 1 are valid
  std::vector<int64_t> extents;  // it is a shape: its sizes, or kDynamic for sizes that are free
  bool count = false;            // it bounds a loop
  bool positive = false;         // operand of a logarithm, a root, or a divisor
  bool probability = false;      // one minus it is such an operand
  bool unit = false;             // operand of a function that is defined between -1 and 1
  bool matrix = false;           // a matrix to decompose or to solve with
  uint64_t fan_in = 1;           // products that are added after multiplication with it
  std::vector<Number> compared;  // constants that it is compared with
};

class InputGenerator {
 public:
  // `uses` is empty or has one entry per argument; `numbers` are those of the programs, the most telling
  // first.
  InputGenerator(std::vector<ValueTypePtr> args, uint64_t seed, std::vector<ArgumentUse> uses = {},
                 std::span<const Number> numbers = {});

  // Returns a set of a temper. Each round gives different values; those of kUniform, kPairs and kConstants
  // repeat after `rounds(temper)`.
  std::vector<Tensor> Set(Temper temper, uint64_t round) const;
  // Number of rounds that differ; ~0 for random values, 0 if no argument has such values.
  uint64_t rounds(Temper temper) const;

  // Total bits of all arguments, or ~0 on overflow.
  uint64_t total_bits() const { return total_bits_; }
  // Number of input sets that cover every pair of boundary values of two arguments; for more than two
  // arguments, of adjacent ones.
  uint64_t boundary_sets() const { return boundary_sets_; }

  std::vector<Tensor> BoundarySet(uint64_t set) const;
  // Input `index` of 2^total_bits().
  std::vector<Tensor> ExhaustiveSet(uint64_t index) const;

 private:
  // Boundary values of one argument. A complex element is a pair of them.
  struct Argument {
    ValueTypePtr type;
    std::vector<uint64_t> values;
    uint64_t choices = 1;  // values.size(), squared for complex
    ArgumentUse use;
    std::vector<uint64_t> constants;  // bit patterns of kConstants
  };
  // Writes elements of a temper.
  void Fill(const Argument& arg, Temper temper, uint64_t round, SplitMix64& random, uint8_t* out) const;
  void FillUniform(const Argument& arg, uint64_t value, uint8_t* out) const;
  void FillMatrix(const Argument& arg, SplitMix64& random, uint8_t* out) const;
  uint64_t Float(const Argument& arg, Temper temper, double scale, SplitMix64& random) const;
  uint64_t Integer(const Argument& arg, Temper temper, uint64_t element, SplitMix64& random) const;
  void PutChoice(const Argument& arg, uint64_t choice, uint8_t* out) const;

  std::vector<Argument> args_;
  uint64_t seed_;
  uint64_t elements_ = 1;  // of the largest argument
  uint64_t total_bits_ = 0;
  uint64_t boundary_sets_ = 0;
  uint64_t uniform_ = 0;    // boundary values of the argument that has most
  uint64_t constants_ = 0;  // rounds that show every constant to every argument
  bool any_square_ = false;
};

}  // namespace shlo
