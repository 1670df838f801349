#include "eval/loops/wide_functions.h"

#include "eval/loops/instruction_set.h"

namespace shlo {

const WideFunctions* BestWideFunctions() {
#if defined(__x86_64__)
  switch (BestInstructionSet()) {
    case InstructionSet::kAvx512:
      return &kAvx512Functions;
    case InstructionSet::kAvx2:
      return &kAvx2Functions;
    case InstructionSet::kPlain:
      break;
  }
#endif
  return nullptr;
}

}  // namespace shlo
