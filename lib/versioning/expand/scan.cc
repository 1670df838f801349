// chlo.scan: a loop over the slices of the scanned dimension.
#include <algorithm>

#include "versioning/expand/expander.h"

namespace shlo {

std::string_view ExpandScan(Expander& e, const Op& op, OpId) {
  const Values operands = e.OperandsOf(op);
  const Dims segments = e.SegmentsOf(op, "operandSegmentSizes");
  const int64_t dimension = e.IntegerOf(op, "dimension", 0);
  bool reverse = false;
  e.from().AsBool(e.from().InherentAttrOf(op, "is_reverse"), &reverse);
  // The verifier also takes the newer name; it has checked the sizes.
  if (segments.size() != 2 || e.from().AttributeOf(op, "operand_segment_sizes"))
    return "operandSegmentSizes is missing, or it has a second name";
  const Values inputs(operands.begin(), operands.begin() + segments[0]);
  const Values inits(operands.begin() + segments[0], operands.end());
  const size_t outputs = e.from().NumResults(op) - inits.size();

  const auto type_of_output = [&](size_t i) { return e.ResultTypeOf(op, uint32_t(i)); };
  for (size_t i = 0; i < outputs; ++i) {
    const ShapedType type(e.from(), type_of_output(i));
    // The verifier checks the dimension against the inputs, of which there may be none.
    if (dimension >= type.rank()) return "dimension is out of range";
    // Slices of outputs need not have the shape of slices of inputs.
    for (int64_t d = 0; d < type.rank(); ++d)
      if (type.IsDynamic(d) && (d != dimension || inputs.empty()))
        return "the size of an output is not known";
  }
  // The reference does not look at the type.
  const auto size_of = [&](ValueId value) {
    return e.is_own() ? e.SizeOf(value, dimension) : e.SizeAtRunTime(value, dimension);
  };
  ValueId extent = inputs.empty() ? ValueId() : size_of(inputs[0]);
  // The state: a counter, the carries, and the outputs, which are filled in.
  Values state{e.Integer(0)};
  state.insert(state.end(), inits.begin(), inits.end());
  for (size_t i = 0; i < outputs; ++i) {
    const ShapedType type(e.from(), type_of_output(i));
    const TypeId element = type.element, whole = type.type;
    const ValueId zero = e.ConstantLike(Scalar{}, element, state[0]);
    if (type.IsStatic()) {
      state.push_back(e.Broadcast(zero, {}, whole, {}));
    } else {
      Values sizes;
      for (int64_t d = 0; d < type.rank(); ++d)
        sizes.push_back(d == dimension ? e.SizeOf(inputs[0], d) : e.Integer(type.dim(d)));
      state.push_back(e.Broadcast(zero, {}, whole, e.Stack(sizes)));
    }
  }
  if (!extent) extent = outputs == 0 ? e.Integer(e.IntegerOf(op, "scan_dim_size", 0)) : size_of(state.back());
  std::vector<TypeId> types;
  for (ValueId value : state) types.push_back(e.out().TypeOf(value));

  const Values cond_args = e.BeginRegion(types);
  const RegionId cond = e.EndRegion({e.Compare("LT", cond_args[0], extent)});

  const Values args = e.BeginRegion(types);
  const ValueId at = reverse ? e.Apply("stablehlo.subtract",
                                       {e.Apply("stablehlo.subtract", {extent, e.Integer(1)}), args[0]})
                             : args[0];
  Values body_args;
  for (ValueId input : inputs)
    body_args.push_back(e.DropDimension(e.SliceAt(input, dimension, at), dimension));
  body_args.insert(body_args.end(), args.begin() + 1, args.begin() + 1 + ptrdiff_t(inits.size()));
  const std::vector<TypeId> expected = e.BodyTypesOf(op);
  for (size_t i = 0; i < body_args.size(); ++i)
    if (e.out().TypeOf(body_args[i]) != expected[i])
      body_args[i] = e.Emit("stablehlo.convert", {body_args[i]}, expected[i]);
  const Values returned = e.Inline(op, body_args);
  Values next{args[0]};
  for (size_t i = 0; i < inits.size(); ++i) next.push_back(returned[outputs + i]);
  for (size_t i = 0; i < outputs; ++i) {
    const ValueId output = args[1 + inits.size() + i];
    const ValueId added = e.AddDimension(returned[i], dimension);
    Values update(2 + e.ShapeOf(output).size(), e.Integer(0));
    update[0] = output;
    update[1] = added;
    update[2 + size_t(dimension)] = at;
    next.push_back(e.Emit("stablehlo.dynamic_update_slice", update, e.out().TypeOf(output)));
  }
  next[0] = e.Apply("stablehlo.add", {args[0], e.Integer(1)});
  for (size_t i = 0; i < next.size(); ++i)
    if (e.out().TypeOf(next[i]) != types[i]) next[i] = e.Emit("stablehlo.convert", {next[i]}, types[i]);
  const RegionId loop = e.EndRegion(next);

  const Values results = e.EmitAll("stablehlo.while", state, types, {}, {cond, loop});
  for (size_t i = 0; i < outputs; ++i) e.Replace(op, uint32_t(i), results[1 + inits.size() + i]);
  for (size_t i = 0; i < inits.size(); ++i) e.Replace(op, uint32_t(outputs + i), results[1 + i]);
  return {};
}

}  // namespace shlo
