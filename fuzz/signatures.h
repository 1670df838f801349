// For fuzz targets that read or change programs.
#pragma once

#include "fuzz/require.h"
#include "ir/module/broken_signature.h"

namespace shlo::fuzz {

// Requires of each op that its signature states the types of its values, and its attributes in order.
inline void RequireSignatures(const Module& module) {
  const OpId broken = BrokenSignature(module);
  Require(!broken,
          "the signature of an op states other types than its values have, or attributes out of order",
          broken ? module.NameOf(module.ops[broken.v]) : "");
}

}  // namespace shlo::fuzz
