#include "ir/verify/conditions.h"

#include <algorithm>

#include "ir/table/trait.h"
#include "shlo/types.h"

namespace shlo {
namespace {

bool IsFloat8(TypeKind kind) { return IsFloat(kind) && BitWidth(kind) == 8; }

}  // namespace

bool Satisfies(const Module& m, const Op& op, Cond condition) {
  switch (condition) {
    case Cond::kSameElementTypes: {
      const auto operands = m.OperandsOf(op);
      const size_t n = std::min<size_t>(operands.size(), m.NumResults(op));
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
    case Cond::kNoMixedFloat8: {
      const auto operands = m.OperandsOf(op);
      if (operands.size() < 2) return true;
      const TypeId lhs = ElementOf(m, m.TypeOf(operands[0])), rhs = ElementOf(m, m.TypeOf(operands[1]));
      return lhs == rhs || !IsFloat8(m.types.KindOf(lhs)) || !IsFloat8(m.types.KindOf(rhs));
    }
    case Cond::kNoFloat8Passes: {
      const auto type = m.As<TypeAttr>(m.InherentAttrOf(op, "lhs_precision_type"));
      if (!type || !IsFloat8(m.types.KindOf(type->type))) return true;
      int64_t operations = 1;
      m.AsInteger(m.InherentAttrOf(op, "num_primitive_operations"), &operations);
      return operations == 1;
    }
  }
  return true;
}

}  // namespace shlo
