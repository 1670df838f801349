// Types with other elements, for passes that change types throughout a program.
#pragma once

#include "shlo/module.h"

namespace shlo::rewrite {

// Returns a tensor, vector or buffer type with another element type, and all else as it was; `element` for
// other types.
TypeId WithElement(Module& m, TypeId type, TypeId element);

}  // namespace shlo::rewrite
