// Shape assertions: custom calls that say which shapes a program accepts.
#pragma once

#include "shlo/editor.h"
#include "shlo/source.h"

namespace shlo::rewrite {

// Erases the shape assertions that hold. Fails with the message of each that does not, and if one is not
// constant; without `check` it erases all. `source` may be null.
Result<void> CheckShapeAssertions(ModuleEditor* editor, const Source* source, bool check);

}  // namespace shlo::rewrite
