#include "ir/verify/conditions.h"

#include <algorithm>

#include "shlo/types.h"

namespace shlo {

bool Satisfies(const Module& m, const Op& op, Cond condition) {
  switch (condition) {
    case Cond::kSameElementTypes: {
      const auto operands = m.OperandsOf(op);
      const size_t n = std::min<size_t>(operands.size(), op.results.count);
      for (size_t i = 0; i < n; ++i)
        if (ElementOf(m, m.TypeOf(operands[i])) != ElementOf(m, m.TypeOf(m.ResultOf(op, uint32_t(i)))))
          return false;
      return true;
    }
    case Cond::kNoTypedFfi: {
      const AttrId config = m.InherentAttrOf(op, "backend_config");
      int64_t api_version = 1;
      m.AsInteger(m.InherentAttrOf(op, "api_version"), &api_version);
      return api_version != 4 && m.attrs.KindOf(config) != AttrKind::kDict;
    }
    case Cond::kNoFutureOperands:
      return std::ranges::none_of(
          m.OperandsOf(op), [&](ValueId v) { return m.types.KindOf(m.TypeOf(v)) == TypeKind::kFuture; });
  }
  return true;
}

}  // namespace shlo
