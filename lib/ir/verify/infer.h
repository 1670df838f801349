// Infers the types of results, for code that makes programs. The verifier compares written types with the
// same rules.
#pragma once

#include <vector>

#include "ir/table/ops.h"
#include "shlo/diagnostics.h"
#include "shlo/module.h"

namespace shlo {

// Returns the types of the results of an op that is in a module without any, and interns them. The ops in its
// regions must be there. Fails with the diagnostics of the verifier, or with kUnsupported if the types do not
// follow from operands and attributes. The module gets values that nothing uses.
Result<std::vector<TypeId>> InferResults(Module* module, OpId op);

// Returns the types of the results of an op that has written ones, with the sizes that follow from operands,
// attributes and constants in place of dynamic ones, and interns them. The block of an op in a region may be
// one that an editor has. Fails with the diagnostics of the verifier; never if nothing follows.
Result<std::vector<TypeId>> RefineResults(Module* module, OpId op);

// Returns the more specific one of two shaped types, with the elements of the first; none if no value has
// both.
TypeId MostSpecificType(Module* module, TypeId written, TypeId other);

// Returns whether the results of an op have the types of its operands, whatever its regions are.
bool HasTypesOfOperands(const OpRow& row);

}  // namespace shlo
