// Ops of static shapes in place of those whose shapes are operands.
#pragma once

#include <initializer_list>
#include <span>

#include "rewrite/driver.h"
#include "shlo/editor.h"
#include "shlo/source.h"

namespace shlo::rewrite {

// Replaces an op by one of another row, with the attributes that both have, the discardable ones, and
// `attrs`.
OpId ReplaceByRow(Rewriter& r, OpId op, RowId row, std::span<const ValueId> operands,
                  std::initializer_list<ModuleEditor::Attr> attrs);

// Replaces ops whose shapes are constant operands by their static counterparts, and drops constant shape
// operands of custom calls. Fails in the reference's words if shape operands do not fit their call. `source`
// may be null.
Result<void> CanonicalizeDynamism(ModuleEditor* editor, const Source* source, const Limits& limits);

}  // namespace shlo::rewrite
