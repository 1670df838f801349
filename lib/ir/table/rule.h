// The rules of schema/rules.inc as an enumeration. Their checks are in ir/verify/rules/.
#pragma once

#include "shlo/op_table.h"

namespace shlo {

enum class Rule : uint8_t {
  kNone,
#define SHLO_RULE(name, ...) name,
#include "schema/rules.inc"
};

}  // namespace shlo
