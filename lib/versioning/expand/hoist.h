// Moves the constants that expansions add to where the reference's rewriter leaves them.
#pragma once

#include <span>

#include "shlo/editor.h"

namespace shlo {

// Moves the ops `constants` to the start of the function (or other op isolated from above) that contains
// them, the last one first. Equal ones become one op; so do they with an equal constant that the function
// starts with. A constant that stands for several, or comes from a nested region, has no location.
void HoistConstants(ModuleEditor* editor, std::span<const OpId> constants);

}  // namespace shlo
