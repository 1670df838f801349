// The traits and conditions of schema/traits.inc as enumerations.
#pragma once

#include "shlo/op_table.h"

namespace shlo {

enum class Trait : uint8_t {
#define SHLO_TRAIT(name, ...) name,
#include "schema/traits.inc"
};

enum class Cond : uint8_t {
#define SHLO_COND(name, ...) name,
#include "schema/traits.inc"
};

// Returns whether a trait relates operands and results.
constexpr bool IsRelation(Trait t) { return t >= Trait::kCompatibleTypes; }

}  // namespace shlo
