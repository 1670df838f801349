// The rules of schema/check_rules.inc as an enumeration.
#pragma once

#include "shlo/check.h"

namespace shlo {

enum class CheckRule : uint8_t {
#define SHLO_CHECK_RULE(name, ...) name,
#include "schema/check_rules.inc"
};

}  // namespace shlo
