// Types of arguments: their text, and a function that gets others.
#pragma once

#include <span>
#include <string_view>

#include "shlo/diagnostics.h"
#include "shlo/editor.h"
#include "shlo/source.h"

namespace shlo::rewrite {

// Returns the type of a text, "tensor<2x?xf32>"; none if it is not one.
TypeId ParsedType(Module* m, std::string_view text);

// Gives the arguments of a function types that refine theirs. What uses them keeps the types that it had, by
// a call that ShapeRefiner removes. Fails in the reference's words, and changes nothing, if a type does not
// refine that of its argument.
Result<void> SetArgumentTypes(ModuleEditor* editor, OpId function, std::span<const TypeId> types,
                              const Source* source);

}  // namespace shlo::rewrite
