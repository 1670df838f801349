// What the passes for shapes share: integer constants, the shape operands of custom calls, and diagnostics at
// ops.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shlo/diagnostics.h"
#include "shlo/editor.h"
#include "shlo/program.h"
#include "shlo/source.h"

namespace shlo::rewrite {

// The attribute of a custom call that lists its shape operands, and the call that hides the type of an
// argument until shapes are refined.
inline constexpr std::string_view kShapeOperands = "indices_of_shape_operands";
inline constexpr std::string_view kOperandWrapper = "stablehlo.shape_refinement_operand_wrapper";

// Returns the op that defines a value, if it is a constant of integers, booleans or indices; otherwise none.
OpId IntegerConstant(const Module& m, ValueId value);
// Returns the elements of that constant, row-major; nullopt if there is none.
std::optional<std::vector<int64_t>> IntegersOf(const Module& m, ValueId value);
// The same for an elements attribute; nullopt if it has other elements.
std::optional<std::vector<int64_t>> IntegersOf(const Module& m, AttrId elements);

// Returns the target of a custom call; empty for other ops.
std::string_view CallTargetOf(const Module& m, OpId op);

// Returns an error at an op. `source` may be null.
Diagnostic ErrorAtOp(const ModuleEditor& editor, OpId op, const Source* source, Code code,
                     std::string message, std::string hint = {});

// The shape operands of a custom call: one for each result, or member of a tuple.
struct ShapeOperands {
  std::vector<uint32_t> operands;                           // their positions
  std::vector<std::optional<std::vector<int64_t>>> shapes;  // those that are constants
};
// Returns the shape operands of a custom call that has the attribute; otherwise nullopt. Fails with a
// message, in the reference's words, if the attribute or a constant does not fit the call.
tl::expected<std::optional<ShapeOperands>, std::string> ShapeOperandsOf(const Module& m, OpId op);

// Returns the sizes of a real_dynamic_slice whose limits are its start indices plus constants, and whose
// strides are 1: they do not depend on the start. Otherwise nullopt.
std::optional<std::vector<int64_t>> SizesOfDynamicSlice(const Module& m, OpId op);

// Returns the entries of an array whose positions are kept. An array of another size, or no array, stays.
AttrId KeptEntries(Module* m, AttrId array, const std::vector<bool>& keep);

// The function that passes on shapes begin with: @main, or the only function of the program. Fails in the
// reference's words, also if its body is not one block.
Result<OpId> EntryFunction(const ModuleEditor& editor, const Source* source);
// Makes the function type of a function that of its block's arguments and of what it returns.
void UpdateFunctionType(ModuleEditor* editor, OpId function);
// Returns the one block of a function's body; none if it has none or more.
BlockId BodyOf(const ModuleEditor& editor, OpId function);

}  // namespace shlo::rewrite
