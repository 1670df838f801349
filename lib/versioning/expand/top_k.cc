// chlo.top_k: sorts the values with their indices, greatest first, and takes the first k.
#include "versioning/expand/expander.h"

namespace shlo {

std::string_view ExpandTopK(Expander& e, const Op& op, OpId) {
  const ValueId operand = e.OperandsOf(op)[0];
  const TypeId element = e.ElementOf(operand), i32 = e.out().Type(TypeKind::kI32);
  const TypeKind kind = e.out().types.KindOf(element);
  if (!IsFloat(kind) && !IsInteger(kind)) return "there is no expansion for the element type";
  const Dims shape = e.ShapeOf(operand);
  const int64_t k = e.IntegerOf(op, "k", 0), last = int64_t(shape.size()) - 1;
  const ValueId indices = e.IotaLike(operand, last, i32);
  const TypeId scalar = e.Tensor({}, element), index = e.Tensor({}, i32);
  const Values args = e.BeginRegion({scalar, scalar, index, index});
  // In total order, so that NaN has a place.
  const bool total = IsFloat(kind);
  const AttrId direction = e.out().Enum(AttrKind::kComparisonDirection, /*GT*/ 3);
  const AttrId type = total ? e.out().Enum(AttrKind::kComparisonType, /*TOTALORDER*/ 2) : AttrId();
  const ValueId greater =
      e.Emit("stablehlo.compare", {args[0], args[1]}, e.Tensor({}, e.out().Type(TypeKind::kI1)),
             {{"comparison_direction", direction}, {"compare_type", type}});
  const RegionId comparator = e.EndRegion({greater});
  bool stable = true;
  e.from().AsBool(e.from().InherentAttrOf(op, "is_stable"), &stable);
  const Values sorted =
      e.EmitAll("stablehlo.sort", {operand, indices}, {e.out().TypeOf(operand), e.out().TypeOf(indices)},
                {{"dimension", e.out().I64(last)}, {"is_stable", e.out().Bool(stable)}}, {comparator});
  for (uint32_t i = 0; i < 2; ++i) e.Replace(op, i, e.Slice(sorted[i], last, 0, k));
  return {};
}

}  // namespace shlo
