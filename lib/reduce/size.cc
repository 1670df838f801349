#include "reduce/size.h"

#include <algorithm>

#include "ir/table/ops.h"
#include "shlo/types.h"

namespace shlo::reduce {
namespace {

// Extents count, rather than elements, which overflow.
uint64_t ExtentsIn(const Module& m, TypeId type) {
  constexpr int64_t kMost = int64_t(1) << 30;
  uint64_t sum = 0;
  for (int64_t extent : ShapedType(m, type).shape) sum += uint64_t(std::clamp<int64_t>(extent, 0, kMost));
  return sum;
}

}  // namespace

Size SizeOf(const Module& m) {
  uint64_t composites = 0, calls = 0, computing = 0, signature = 0, attributes = 0, locations = 0,
           extents = 0, nonzero = 0, elements = 0;
  for (uint32_t i = 1; i < m.ops.size(); ++i) {
    const Op& op = m.ops[i];
    const bool constant = m.NumOperands(op) == 0 && op.regions.count == 0 && m.NumResults(op) != 0;
    computing += !constant;
    calls += m.Is(op, ops::kCall);
    locations += bool(op.loc);
    attributes += m.DiscardableAttrsOf(op).size();
    if (const auto type = m.FunctionTypeOf(op)) signature += type->inputs.size() + type->results.size();
    if (!m.RevisionIdOf(op)) continue;
    const auto slots = m.InherentAttrsOf(op);
    for (size_t k = 0; k < slots.size(); ++k) {
      const Cell& cell = RevisionOf(m.RevisionIdOf(op)).attrs[k];
      composites += slots[k] && cell.name == "decomposition";
      attributes += slots[k] && !cell.required();
      const auto dense = slots[k] ? m.As<ElementsAttr>(slots[k]) : std::nullopt;
      if (!constant || !slots[k] || (!dense && m.attrs.KindOf(slots[k]) != AttrKind::kResourceElements))
        continue;
      elements += !dense || !dense->splat;
      const bool zero = dense && dense->splat &&
                        m.payloads[dense->payload].bytes().find_first_not_of('\0') == std::string_view::npos;
      nonzero += !zero;
    }
  }
  for (uint32_t i = 1; i < m.values.size(); ++i) {
    locations += bool(m.values[i].loc);
    extents += ExtentsIn(m, m.values[i].type);
  }
  return {composites, calls,   computing, m.ops.size(), signature, attributes + locations,
          elements,   nonzero, extents};
}

}  // namespace shlo::reduce
