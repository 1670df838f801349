// A check for tests and fuzzers of what holds for the signature of each op.
#pragma once

#include <algorithm>

#include "ir/module/builder.h"
#include "shlo/module.h"

namespace shlo {

// Returns the first op whose signature states other types than its values have, or attributes in another
// order than that of their names; or none.
inline OpId BrokenSignature(const Module& m) {
  const auto before = [&](const NamedAttr& a, const NamedAttr& b) {
    return m.strings[a.name] < m.strings[b.name];
  };
  for (uint32_t i = 1; i < m.ops.size(); ++i)
    if (!StatesTypes(m, m.ops[i]) || !std::ranges::is_sorted(m.DiscardableAttrsOf(m.ops[i]), before))
      return OpId(i);
  return {};
}

}  // namespace shlo
