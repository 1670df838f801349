// Computes shapes in a program: for the result of an op whose type has dynamic sizes, ops that return them.
#pragma once

#include <string>

#include "shlo/editor.h"

namespace shlo::rewrite {

// Adds ops where the editor inserts, which is in `block`, that compute the shape of the results of an op from
// its operands, and returns it as tensor<Nxindex>. Returns none, and adds nothing, if that is not known for
// the op; `warning`, in the reference's words, says why if the op has operands for which it is not.
ValueId ReifyShape(ModuleEditor* editor, BlockId block, OpId op, std::string* warning);
// Returns a tensor of index with the shape and the bounds of a product, whose element type does not follow
// from its operands; none for other ops than dot and dot_general.
TypeId TypeOfDot(ModuleEditor* editor, OpId op);

}  // namespace shlo::rewrite
