// The instruction set that inner loops use. They are compiled once for each, and selected at run time;
// results are the same, except with the option `fast`. Internal to lib/eval.
#pragma once

#include <cstdint>

namespace shlo {

enum class InstructionSet : uint8_t {
  kPlain,   // what every machine of this kind has
  kAvx2,    // AVX2 and FMA
  kAvx512,  // AVX-512 (F, DQ, VL), too
};

// Returns the newest one that this machine has, within the limit.
InstructionSet BestInstructionSet();

// Sets a limit, for tests of the others; ends it when destroyed. Not for several threads at a time.
class LimitInstructionSet {
 public:
  explicit LimitInstructionSet(InstructionSet most);
  LimitInstructionSet(const LimitInstructionSet&) = delete;
  LimitInstructionSet& operator=(const LimitInstructionSet&) = delete;
  ~LimitInstructionSet();
};

}  // namespace shlo
