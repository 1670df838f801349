// For fuzz targets that read or change programs.
#pragma once

#include "fuzz/require.h"
#include "ir/module/stale_signature.h"

namespace shlo::fuzz {

// Requires that the signature of each op states the types that its operands and results have.
inline void RequireSignatures(const Module& module) {
  const OpId stale = StaleSignature(module);
  Require(!stale, "the signature of an op states other types than its values have",
          stale ? module.NameOf(module.ops[stale.v]) : "");
}

}  // namespace shlo::fuzz
