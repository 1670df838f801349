#include "eval/loops/instruction_set.h"

#include <algorithm>
#include <atomic>

namespace shlo {
namespace {

constinit std::atomic<InstructionSet> limit = InstructionSet::kAvx512;

InstructionSet OfMachine() {
#if defined(__x86_64__)
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return InstructionSet::kPlain;
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl"))
    return InstructionSet::kAvx512;
  return InstructionSet::kAvx2;
#else
  return InstructionSet::kPlain;
#endif
}

}  // namespace

InstructionSet BestInstructionSet() { return std::min(OfMachine(), limit.load()); }

LimitInstructionSet::LimitInstructionSet(InstructionSet most) { limit = most; }
LimitInstructionSet::~LimitInstructionSet() { limit = InstructionSet::kAvx512; }

}  // namespace shlo
