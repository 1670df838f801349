#include "ir/print/trace_nodes.h"

#include "base/format.h"

namespace shlo {

void TraceNodes(const Module& m, std::string_view verb, const Trace& trace, Spelling spelling) {
  constexpr uint64_t kLarge = 256;
  if (!trace) return;
  for (uint32_t i = 1; i < m.types.size(); ++i)
    trace(StrFormat("{}Type {} {}", verb, RowOf(m.types.KindOf(TypeId(i))).name,
                    TypeText(m, TypeId(i), spelling)));
  for (uint32_t i = 1; i < m.attrs.size(); ++i) {
    const auto elements = m.As<ElementsAttr>(AttrId(i));
    const bool large = elements && m.payloads.SizeOf(elements->payload) > kLarge;
    trace(StrFormat("{}Attribute {} {}", verb, RowOf(m.attrs.KindOf(AttrId(i))).name,
                    large ? TypeText(m, elements->type, spelling) : AttrText(m, AttrId(i), spelling)));
  }
}

}  // namespace shlo
