// A check for tests and fuzzers: the signature of each op states the types that its operands and results
// have.
#pragma once

#include "shlo/module.h"

namespace shlo {

// Returns the first op whose signature states other types than its values have, or none.
inline OpId StaleSignature(const Module& m) {
  for (uint32_t i = 1; i < m.ops.size(); ++i) {
    const Op& op = m.ops[i];
    const OpSignature signature = m.SignatureOf(op);
    const auto operands = m.OperandsOf(op);
    for (size_t k = 0; k < operands.size(); ++k)
      if (m.TypeOf(operands[k]) != signature.operand_types[k]) return OpId(i);
    for (uint32_t k = 0; k < m.NumResults(op); ++k)
      if (m.TypeOf(m.ResultOf(op, k)) != signature.result_types[k]) return OpId(i);
  }
  return {};
}

}  // namespace shlo
