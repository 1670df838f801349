#include "serialize/shlo/format.h"

#include "shlo/print.h"

namespace shlo::format {

std::string_view KindName(TypeKind kind) {
  switch (kind) {
    case TypeKind::kInvalid:
      break;
#define SHLO_TYPE(id, name, ...) \
  case TypeKind::name:           \
    return #name;
#include "schema/kinds.inc"
  }
  return "kInvalid";
}

std::string_view KindName(AttrKind kind) {
  switch (kind) {
    case AttrKind::kInvalid:
      break;
#define SHLO_ATTR(id, name, ...) \
  case AttrKind::name:           \
    return #name;
#include "schema/kinds.inc"
  }
  return "kInvalid";
}

std::string TraceText(const Module& module, TypeId type) { return " " + TypeText(module, type); }

std::string TraceText(const Module& module, AttrId attr) {
  Module::ElementsView elements;
  if (module.AsElements(attr, &elements) && elements.payload.size > 256)
    return " " + TypeText(module, elements.type);
  return " " + AttrText(module, attr);
}

}  // namespace shlo::format
