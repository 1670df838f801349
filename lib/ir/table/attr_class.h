// The classes of attributes and their defaults (schema/attr_classes.inc) as enumerations.
#pragma once

#include "shlo/op_table.h"

namespace shlo {

enum class AttrClass : uint8_t {
#define SHLO_ATTR_CLASS(name, ...) k##name,
#include "schema/attr_classes.inc"
};

enum class Default : uint8_t {
#define SHLO_DEFAULT(name, ...) k##name,
#include "schema/attr_classes.inc"
};

// Returns whether an attribute may be absent because its absence is a value.
constexpr bool IsValue(Default d) { return d > Default::kTextOnly; }

// Returns whether values of a class may belong to any dialect.
constexpr bool IsOfAnyDialect(AttrClass c) {
  return c == AttrClass::kAny || c == AttrClass::kTypedAttr || c == AttrClass::kOverflow ||
         c == AttrClass::kFastMath;
}

}  // namespace shlo
