// The type classes of schema/type_classes.inc as an enumeration. ir/verify/type_class.h decides membership.
#pragma once

#include "shlo/op_table.h"

namespace shlo {

enum class TypeClass : uint8_t {
#define SHLO_TYPE_CLASS(name, ...) name,
#include "schema/type_classes.inc"
};

}  // namespace shlo
