// Helpers shared by rules of several families.
#pragma once

#include <array>
#include <cmath>

#include "ir/verify/rules/rules.h"

namespace shlo {

// Arithmetic on sizes from untrusted programs wraps around, as it does in the reference.
constexpr int64_t WrapAdd(int64_t a, int64_t b) { return int64_t(uint64_t(a) + uint64_t(b)); }
constexpr int64_t WrapSub(int64_t a, int64_t b) { return int64_t(uint64_t(a) - uint64_t(b)); }
constexpr int64_t WrapMul(int64_t a, int64_t b) { return int64_t(uint64_t(a) * uint64_t(b)); }

// --- Lists of dimensions --------------------------------------------------------------------------
inline bool Contains(DimSpan dims, int64_t dim) { return std::ranges::find(dims, dim) != dims.end(); }
bool IsUnique(DimSpan dims);
// Returns where pairs first repeat a source (at even places) or a target (at odd ones); their size if
// nowhere.
uint64_t FirstRepeatedEnd(const IntElements& pairs);
// Checks that no dimension occurs twice in the two lists together.
bool CheckDistinct(OpCheck& c, std::string_view label, DimSpan lhs, DimSpan rhs, std::string_view lhs_name,
                   std::string_view rhs_name);
// 0 <= dim < bound, or <= bound.
bool CheckInBounds(OpCheck& c, std::string_view label, int64_t dim, int64_t bound, std::string_view name,
                   std::string_view bound_name, bool inclusive = false);
bool CheckAllInBounds(OpCheck& c, std::string_view label, DimSpan dims, int64_t bound, std::string_view name,
                      std::string_view bound_name);

// --- Inference from several types -----------------------------------------------------------------
// Merges sizes and bounds: a static one wins over a dynamic one, and two static ones must be equal.
struct SizeAndBound {
  int64_t size = kDynamic;
  int64_t bound = kDynamic;
};
bool MostSpecific(OpCheck& c, int64_t dim, SizeAndBound lhs, SizeAndBound rhs, SizeAndBound* out);
// Infers one result from types, given by their ids.
bool InferMostSpecificOf(OpCheck& c, DimSpan types);
bool InferLeastSpecificOf(OpCheck& c, DimSpan types);
// Infers for every result the type of the operand with the same index.
bool InferOperandTypes(OpCheck& c);

// --- Equal operands -------------------------------------------------------------------------------
// "failed to verify that all of {a, b} have same element type".
bool FailSame(OpCheck& c, std::string_view label, std::string_view names, std::string_view what);

// --- Shape operands -------------------------------------------------------------------------------
// If the shape operand is constant, the result has a compatible shape.
bool CheckShapeOperand(OpCheck& c, std::string_view label, size_t shape_operand, const ShapedType& result);

// --- Quantization ---------------------------------------------------------------------------------
// Same scale and zero point where both types are quantized per tensor (per axis).
bool CheckSamePerTensorQuantization(OpCheck& c, std::string_view label, TypeId a, TypeId b);
bool CheckSamePerAxisQuantization(OpCheck& c, std::string_view label, TypeId a, TypeId b);
bool CheckReshapeQuantization(OpCheck& c, const ShapedType& operand, const ShapedType& result);
bool CheckBroadcastQuantization(OpCheck& c, const ShapedType& operand, const ShapedType& result,
                                DimSpan dimensions);
// Of dot_general and the convolutions, which number the same constraints differently.
struct ProductLabels {
  std::string_view quantized, storage, expressed, granularity, weight_only;
};
bool CheckProductQuantization(OpCheck& c, const ProductLabels& labels, TypeId lhs, TypeId rhs, TypeId result);
bool CheckPrecisionConfig(OpCheck& c, std::string_view label);
// The first eleven constraints of dot_general, by their numbers in the specification minus one.
using DotLabels = std::array<std::string_view, 11>;
bool CheckDotDimensions(OpCheck& c, const DotLabels& labels, const ShapedType& lhs, const ShapedType& rhs,
                        DimSpan lhs_batching, DimSpan rhs_batching, DimSpan lhs_contracting,
                        DimSpan rhs_contracting);

// --- Windows --------------------------------------------------------------------------------------
struct WindowDim {
  int64_t size = 0, stride = 1, padding_low = 0, padding_high = 0, base_dilation = 1, window_dilation = 1;
};
// A window; long ones allocate.
using Window = std::vector<WindowDim>;

// The window attributes of an op; names of absent ones are "".
struct WindowNames {
  std::string_view strides, base_dilations, window_dilations, reversal;
};
// The labels of the constraints on them: their number, and that they are positive.
struct WindowLabels {
  std::string_view positive_sizes, strides, positive_strides, base_dilations, positive_base_dilations,
      window_dilations, positive_window_dilations, padding, reversal;
};
// Checks the attributes against the number of window dimensions and collects them. `padding` holds pairs, or
// nothing.
bool CheckWindow(OpCheck& c, DimSpan sizes, const WindowNames& names, const WindowLabels& labels,
                 const IntElements& padding, Window* out);
// Returns the padding attribute if the op has one, which must have shape {N, 2}.
bool CheckPadding(OpCheck& c, std::string_view label, IntElements* padding);
// Infers one element per valid position of the window.
Dims WindowedShape(DimSpan base, const Window& window);

// --- Reducers -------------------------------------------------------------------------------------
// A type in a reducer's signature: a shape and an element type.
struct ReducerType {
  DimSpan shape;
  TypeId element;
  TypeId type;  // for messages; none: a scalar of the element type
};
// Checks that the block takes (E, ..., E, E, ..., E) and returns (E, ..., E), where the inputs and the init
// values can be promoted to E, whose shape is a part of `allowed`. The labels name the constraints on
// the region and on the init values.
struct ReducerLabels {
  std::string_view region, init_values;
};
bool CheckReducer(OpCheck& c, const ReducerLabels& labels, size_t region, std::span<const ReducerType> inputs,
                  std::span<const ReducerType> init_values, DimSpan allowed);
// Returns the element type that a reducer returns for an input; the input's own if there is no region.
TypeId AccumulatorElement(const OpCheck& c, size_t region, size_t index, TypeId input);
std::string ReducerText(const OpCheck& c, const ReducerType& type);

// --- Collectives ----------------------------------------------------------------------------------
struct ReplicaGroupRules {
  // The labels of the constraints on the input, its items and its size.
  std::string_view input, distinct, complete, group, not_empty;
  bool same_size = false;
  bool use_global_device_ids = false;
  int64_t group_size = -1;  // -1: any
};
bool CheckReplicaGroups(OpCheck& c, const ReplicaGroupRules& rules);
// Checks that the mesh of mesh axes exists.
bool CheckMesh(OpCheck& c, std::string_view label);

}  // namespace shlo
