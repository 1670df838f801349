// chlo.top_k: sorts the values with their indices, greatest first, and takes the first k.
#include "versioning/expand/expander.h"

namespace shlo {
namespace {

// The shape of an operand, and of its first k values along the last dimension, if they are known at run time
// only.
struct Cut {
  Cut(Expander& expander, ValueId operand, int64_t k_)
      : e(expander), k(k_), last(int64_t(e.ShapeOf(operand).size()) - 1) {
    if (e.Shaped(operand).IsStatic()) return;
    const TypeId one = e.Tensor({1}, e.I64()), all = e.Tensor({last + 1}, e.I64());
    Values sizes;
    for (int64_t d = 0; d <= last; ++d)
      sizes.push_back(e.Emit("stablehlo.reshape", {e.SizeOf(operand, d)}, one));
    const auto stack = [&] {
      return last == 0 ? sizes[0]
                       : e.Emit("stablehlo.concatenate", sizes, all, {{"dimension", e.out().I64(0)}});
    };
    whole = stack();
    sizes.back() = e.Emit("stablehlo.reshape", {e.Integer(k)}, one);
    ends = stack();
  }
  // Replaces the results of an op by the first values of others.
  void Replace(const Op& op, const Values& values) const {
    Dims starts(size_t(last + 1), 0);
    const Dims ones(size_t(last + 1), 1);
    const ValueId start = ends ? e.ConstantDims(starts) : ValueId(),
                  stride = ends ? e.ConstantDims(ones) : ValueId();
    for (uint32_t i = 0; i < values.size(); ++i)
      e.Replace(op, i,
                ends ? e.Emit("stablehlo.real_dynamic_slice", {values[i], start, ends, stride},
                              e.ResultTypeOf(op, i))
                     : e.Slice(values[i], last, 0, k));
  }

  Expander& e;
  int64_t k, last;
  ValueId whole, ends;  // none: all sizes are static
};

}  // namespace

std::string_view ExpandTopK(Expander& e, const Op& op, OpId) {
  const ValueId operand = e.OperandsOf(op)[0];
  const TypeId element = e.ElementOf(operand), i32 = e.out().Type(TypeKind::kI32);
  const TypeKind kind = e.out().types.KindOf(element);
  if (!IsFloat(kind) && !IsInteger(kind)) return "there is no expansion for the element type";
  const Dims shape = e.ShapeOf(operand);
  const int64_t k = e.IntegerOf(op, "k", 0), last = int64_t(shape.size()) - 1;
  const Cut cut(e, operand, k);
  const ValueId indices = cut.ends
                              ? e.Emit("stablehlo.dynamic_iota", {cut.whole}, e.WithElement(operand, i32),
                                       {{"iota_dimension", e.out().I64(last)}})
                              : e.Iota(shape, last, i32);
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
  cut.Replace(op, sorted);
  return {};
}

}  // namespace shlo
