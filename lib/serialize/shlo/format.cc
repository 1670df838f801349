#include "serialize/shlo/format.h"

#include "shlo/print.h"

namespace shlo::format {

std::string TraceText(const Module& module, TypeId type) { return " " + TypeText(module, type); }

std::string TraceText(const Module& module, AttrId attr) {
  const auto elements = module.As<ElementsAttr>(attr);
  if (elements && module.payloads.SizeOf(elements->payload) > 256)
    return " " + TypeText(module, elements->type);
  return " " + AttrText(module, attr);
}

}  // namespace shlo::format
