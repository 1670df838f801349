// Which operands and results of an op belong to which cell of its row, and the relations of their types that
// rows of schema/other_ops.inc state.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "shlo/module.h"

namespace shlo {

// Returns the cells that the tables have for an op: its revision, or a row of schema/other_ops.inc; none if
// nothing.
inline RevisionId ShapeOf(const Module& module, const Op& op) {
  const RevisionId revision = module.RevisionIdOf(op);
  return revision ? revision : FindOtherOp(module.NameOf(op));
}

// First and number of values.
using CellValues = std::pair<uint32_t, uint32_t>;
// Returns the values of a cell among `count`, where one cell at most is a list.
CellValues ValuesOf(std::span<const Cell> cells, size_t index, uint32_t count);
// Returns the operands of a cell; the op may have several lists, whose sizes are an attribute. Zero values if
// the attribute is wrong.
CellValues OperandsOf(const Module& module, const Op& op, const OpRevision& shape, size_t index);
// Returns whether the numbers of operands and results fit the cells.
bool FitsCells(const Module& module, const Op& op, const OpRevision& shape);

// Returns the numbers of an array of i32, such as the sizes of lists of operands; empty for others.
std::vector<int32_t> I32sOf(const Module& module, AttrId attr);
AttrId MakeI32s(Module* module, std::span<const int32_t> values);

// Returns whether `type` is `model` with elements of i1.
bool IsI1Of(const Module& module, TypeId type, TypeId model);
// Returns the first relation of types that an op with fitting cells violates, or nullptr.
const Cell* BrokenInference(const Module& module, const Op& op, const OpRevision& shape);

}  // namespace shlo
