// Numbers of the fields in schema/saved_model.inc, such as field::kNodeAttrs.
#pragma once

#include <cstdint>

namespace shlo::container::field {

#define SAVED_MODEL_FIELD(message, name, number) constexpr uint32_t k##message##name = number;
#include "schema/saved_model.inc"
#undef SAVED_MODEL_FIELD

}  // namespace shlo::container::field
