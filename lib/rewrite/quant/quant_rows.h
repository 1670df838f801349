// How each op with quantized operands or results is lowered.
#pragma once

#include <string_view>

#include "rewrite/legalizer.h"

namespace shlo::rewrite {

// An op of StableHLO that can have quantized operands or results. If it does, it is lowered in the first of
// these ways that its types allow.
struct QuantRow {
  std::string_view op;
  // Math of its own on stored integers. kLegal: its types do not allow that.
  Legalizer::Outcome (*lower)(Legalizer& l, OpId op) = nullptr;
  bool through_floats = false;  // dequantize, op, quantize
};

// Returns the row of an op, or nullptr.
const QuantRow* FindQuantRow(std::string_view op);

// Reports that a value of one type has uses of another, and no conversion leads there.
void FailMaterialization(Legalizer& l, TypeId from, TypeId to);

// The op on stored integers: only its types change.
Legalizer::Outcome LowerStored(Legalizer& l, OpId op);
// The same if all quantized types have the same quantization.
Legalizer::Outcome LowerStoredIfSame(Legalizer& l, OpId op);
Legalizer::Outcome LowerAdd(Legalizer& l, OpId op);
Legalizer::Outcome LowerDot(Legalizer& l, OpId op);
Legalizer::Outcome LowerConvolution(Legalizer& l, OpId op);
Legalizer::Outcome LowerQuantize(Legalizer& l, OpId op);
Legalizer::Outcome LowerDequantize(Legalizer& l, OpId op);

}  // namespace shlo::rewrite
