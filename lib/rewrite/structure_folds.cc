// Rules for ops that need no evaluation: what types or splats decide, and control flow that constants decide.
#include <algorithm>

#include "ir/table/ops.h"
#include "rewrite/fold_rules.h"
#include "shlo/types.h"

namespace shlo::rewrite {
namespace {

TypeId ResultType(const Rewriter& r, OpId op) { return r.module().TypeOf(r.module().ResultOf(r[op], 0)); }
ValueId Operand(const Rewriter& r, OpId op, uint32_t i) { return r.module().OperandsOf(r[op])[i]; }
std::vector<ValueId> Operands(const Rewriter& r, OpId op) {
  const auto operands = r.module().OperandsOf(r[op]);
  return {operands.begin(), operands.end()};
}

// Returns a constant if it has one value for all elements; otherwise an empty tensor.
Tensor SplatOf(const Rewriter& r, ValueId value) {
  Tensor tensor = r.TensorOf(value);
  return tensor && !tensor.type().quantization && tensor.count() > 0 &&
                 (tensor.splat() || tensor.count() == 1)
             ? tensor
             : Tensor();
}

// Inserts the constant of another shape with the same value for all elements. Returns none if the shape is
// not static.
ValueId EmitResized(Rewriter& r, const Tensor& splat, TypeId type) {
  const ValueTypePtr resized = TensorTypeOf(r.module(), type);
  const auto tensor = r.module().As<TensorType>(type);
  if (!resized || !tensor || tensor->encoding || resized->quantization) return {};
  return r.EmitConstant(type, Tensor::View(resized, splat.data(), {}, /*splat=*/resized->count > 0));
}

bool IsOneNumber(const Rewriter& r, ValueId value, int64_t* number) {
  const auto numbers = r.IntegersOf(value);
  if (!numbers || numbers->size() != 1) return false;
  *number = numbers->front();
  return true;
}

int64_t DimensionOf(const Rewriter& r, OpId op) {
  int64_t dimension = -1;
  r.module().AsInteger(r.module().InherentAttrOf(r[op], "dimension"), &dimension);
  return dimension;
}

// --- Splats and types -------------------------------------------------------------------------------------

bool JoinEqualSplats(Rewriter& r, OpId op) {
  const std::vector<ValueId> operands = Operands(r, op);
  const size_t dimension = size_t(DimensionOf(r, op));
  std::vector<ValueId> joined;
  for (size_t i = 0, next; i < operands.size(); i = next) {
    next = i + 1;
    joined.push_back(operands[i]);
    const AttrId constant = r.ConstantOf(operands[i]);
    const Tensor splat = constant ? SplatOf(r, operands[i]) : Tensor();
    if (!splat || dimension >= splat.type().shape.size()) continue;
    while (next < operands.size() && r.ConstantOf(operands[next]) == constant) ++next;
    if (next == i + 1) continue;
    std::vector<int64_t> shape = splat.type().shape;
    shape[dimension] *= int64_t(next - i);
    const TypeId element = ElementOf(r.module(), r.module().TypeOf(operands[i]));
    const ValueId resized = EmitResized(r, splat, r.nodes().TensorType(shape, element));
    if (!resized) return false;
    joined.back() = resized;
  }
  if (joined.size() == operands.size()) return false;
  r.SetOperands(op, joined);
  return true;
}

bool SliceOfSplat(Rewriter& r, OpId op) {
  const Tensor splat = SplatOf(r, Operand(r, op, 0));
  const ValueId resized = splat ? EmitResized(r, splat, ResultType(r, op)) : ValueId();
  if (!resized) return false;
  r.Replace(op, resized);
  return true;
}

bool StaticDimension(Rewriter& r, OpId op) {
  const ShapedType operand(r.module(), r.module().TypeOf(Operand(r, op, 0)));
  const int64_t dimension = DimensionOf(r, op);
  if (!operand.has_rank() || dimension < 0 || dimension >= operand.rank() || operand.IsDynamic(dimension))
    return false;
  const ValueId size = r.EmitSplat(ResultType(r, op), operand.dim(dimension));
  if (!size) return false;
  r.Replace(op, size);
  return true;
}

bool ReshapeOfConstant(Rewriter& r, OpId op) {
  const Module& m = r.module();
  const AttrId constant = r.ConstantOf(Operand(r, op, 0));
  const auto elements = constant ? m.As<ElementsAttr>(constant) : std::nullopt;
  const TypeId type = ResultType(r, op);
  const auto tensor = m.As<TensorType>(type);
  if (!elements || !tensor || tensor->encoding || !IsStatic(tensor->shape)) return false;
  const auto element = ElementTypeOf(m, tensor->element);
  if (!element || (IsFloat(element->kind) && !r.options().floats)) return false;
  if (tensor->element != ElementOf(m, m.TypeOf(Operand(r, op, 0)))) return false;
  const PayloadId payload = elements->payload;
  r.Replace(op, r.EmitConstant(type, r.nodes().Elements(type, payload, elements->splat != 0)));
  return true;
}

// The operands are constants, as for other ops that are folded.
bool SelectBySplat(Rewriter& r, OpId op) {
  const Tensor chosen = SplatOf(r, Operand(r, op, 0));
  if (!chosen || !r.ConstantOf(Operand(r, op, 1)) || !r.ConstantOf(Operand(r, op, 2))) return false;
  const ValueId value = Operand(r, op, ElementBits(chosen, 0) != 0 ? 1 : 2);
  const auto element = ElementTypeOf(r.module(), ElementOf(r.module(), ResultType(r, op)));
  if (!element || element->complex || (element->is_float() && !r.options().floats)) return false;
  if (r.module().TypeOf(value) != ResultType(r, op)) return false;
  r.Replace(op, value);
  return true;
}

bool SetSizeToItself(Rewriter& r, OpId op) {
  const TypeId type = ResultType(r, op);
  const ShapedType shaped(r.module(), type);
  const int64_t dimension = DimensionOf(r, op);
  int64_t size = 0;
  if (r.module().TypeOf(Operand(r, op, 0)) != type || !IsOneNumber(r, Operand(r, op, 1), &size)) return false;
  if (dimension < 0 || dimension >= shaped.rank() || shaped.dim(dimension) != size) return false;
  r.Replace(op, Operand(r, op, 0));
  return true;
}

// --- Case and while ---------------------------------------------------------------------------------------

bool IsToken(const Module& m, TypeId type) { return m.types.KindOf(type) == TypeKind::kToken; }

// Replaces an op by values, but keeps the op, without uses, if something in it has an effect.
void ReplaceOrKeep(Rewriter& r, OpId op, const std::vector<ValueId>& values) {
  if (HasNoEffect(r.editor(), op)) return r.Replace(op, values);
  r.ReplaceUses(op, values);
}

// Ends a block from which everything was moved, with values of these types that nobody reads.
void EndBlock(Rewriter& r, OpId op, BlockId block, const std::vector<TypeId>& types) {
  std::vector<ValueId> values;
  for (const TypeId type : types)
    values.push_back(IsToken(r.module(), type) ? ValueId() : r.EmitSplat(type, 0));
  r.Edit(op, [&](ModuleEditor& editor) {
    const auto revision = [&](RowId row) { return RevisionAt(row, editor.module().version); };
    const AttrId loc = editor[op].loc;
    editor.InsertAtEnd(block);
    for (size_t i = 0; i < types.size(); ++i) {
      if (values[i]) continue;
      const OpId token = editor.Insert(
          {.revision = revision(ops::kAfterAll), .results = std::span(&types[i], 1), .loc = loc}, op);
      values[i] = editor.module().ResultOf(editor[token], 0);
    }
    editor.Insert({.revision = revision(ops::kReturn), .operands = values, .loc = loc}, op);
  });
}

bool InlineChosenBranch(Rewriter& r, OpId op) {
  const Module& m = r.module();
  int64_t index = 0;
  if (!r.editor().HasUses(op) || !IsOneNumber(r, Operand(r, op, 0), &index)) return false;
  const auto regions = m.RegionsOf(r[op]);
  const int64_t last = int64_t(regions.size()) - 1;
  const RegionId chosen = regions[size_t(index < 0 || index > last ? last : index)];
  std::vector<TypeId> types;
  for (uint32_t i = 0; i < m.NumResults(r[op]); ++i) {
    types.push_back(m.TypeOf(m.ResultOf(r[op], i)));
    const ValueTypePtr type = TensorTypeOf(m, types.back());
    if (!IsToken(m, types.back()) && (!type || !type->is_tensor() || type->quantization)) return false;
  }
  if (r.editor().BlocksOf(chosen).size() != 1) return false;
  const BlockId block = r.editor().BlocksOf(chosen)[0];
  const auto returned = m.OperandsOf(r[r.editor().LastOf(block)]);
  for (uint32_t i = 0; i < types.size(); ++i)
    if (m.TypeOf(returned[i]) != types[i]) return false;
  std::vector<ValueId> values;
  r.Edit(op, [&](ModuleEditor& editor) {
    editor.InsertBefore(op);
    values = editor.InlineBlock(block, {});
  });
  if (HasNoEffect(r.editor(), op)) {
    r.Replace(op, values);
  } else {
    r.ReplaceUses(op, values);
    EndBlock(r, op, block, types);
  }
  return true;
}

bool NeverRuns(const Rewriter& r, OpId op) {
  const BlockId condition = r.editor().BlocksOf(r.module().RegionsOf(r[op])[0])[0];
  int64_t number = 0;
  return IsOneNumber(r, Operand(r, r.editor().LastOf(condition), 0), &number) && number == 0;
}

bool WhileThatNeverRuns(Rewriter& r, OpId op) {
  const Module& m = r.module();
  if (!r.editor().HasUses(op) || !NeverRuns(r, op)) return false;
  const std::vector<ValueId> operands = Operands(r, op);
  for (uint32_t i = 0; i < operands.size(); ++i)
    if (m.TypeOf(operands[i]) != m.TypeOf(m.ResultOf(r[op], i))) return false;
  ReplaceOrKeep(r, op, operands);
  return true;
}

bool DeadWhileWithCalls(Rewriter& r, OpId op) {
  if (!r.options().calls_are_pure || r.editor().HasUses(op) || !NeverRuns(r, op)) return false;
  for (const OpId inside : r.editor().OpsIn(op)) {
    if (inside == op || r[inside].regions.count > 0) continue;  // their ops are in the list, too
    const bool call = r.module().Is(r[inside], ops::kCall) || r.module().Is(r[inside], ops::kComposite);
    const bool ends = r.module().Is(r[inside], ops::kReturn);
    if (!call && !ends && !HasNoEffect(r.editor(), inside)) return false;
  }
  r.Erase(op);
  return true;
}

// --- Reduce -----------------------------------------------------------------------------------------------

BlockId BodyOf(const Rewriter& r, OpId op) { return r.editor().BlocksOf(r.module().RegionsOf(r[op])[0])[0]; }
std::vector<int64_t> ReducedDimensions(const Rewriter& r, OpId op) {
  std::vector<int64_t> dimensions;
  r.module().AsI64s(r.module().InherentAttrOf(r[op], "dimensions"), &dimensions);
  return dimensions;
}

// Returns whether the body runs for each element of the results: otherwise these are the initial values.
bool BodyRuns(const Rewriter& r, OpId op) {
  const ShapedType input(r.module(), r.module().TypeOf(Operand(r, op, 0)));
  return input.has_rank() && std::ranges::all_of(ReducedDimensions(r, op), [&](int64_t d) {
           return d >= 0 && d < input.rank() && input.dim(d) > 0;
         });
}

bool ReduceOfSplat(Rewriter& r, OpId op) {
  const Module& m = r.module();
  if (m.NumOperands(r[op]) != 2 || !BodyRuns(r, op)) return false;
  const BlockId body = BodyOf(r, op);
  const OpId first = r.editor().FirstOf(body), end = r.editor().LastOf(body);
  if (r.editor().After(first) != end) return false;
  const bool conjunction = m.Is(r[first], ops::kAnd);
  if (!conjunction && !m.Is(r[first], ops::kOr)) return false;
  const ValueId x = Operand(r, first, 0), y = Operand(r, first, 1);
  const ValueId a = m.ArgOf(body, 0), b = m.ArgOf(body, 1);
  if (!((x == a && y == b) || (x == b && y == a)) || Operand(r, end, 0) != m.ResultOf(r[first], 0))
    return false;
  const Tensor input = SplatOf(r, Operand(r, op, 0)), initial = SplatOf(r, Operand(r, op, 1));
  if (!input || !initial || input.element() != initial.element()) return false;
  const TypeId type = ResultType(r, op);
  const ValueId inputs = EmitResized(r, input, type), initials = EmitResized(r, initial, type);
  if (!inputs || !initials) return false;
  const ValueId both[] = {inputs, initials};
  r.Replace(op, r.Emit(conjunction ? ops::kAnd : ops::kOr, both, type));
  return true;
}

bool ReduceOfNoDimensions(Rewriter& r, OpId op) {
  const Module& m = r.module();
  if (!ReducedDimensions(r, op).empty()) return false;
  std::vector<ValueId> inputs = Operands(r, op);
  inputs.resize(m.NumResults(r[op]));
  for (uint32_t i = 0; i < inputs.size(); ++i)
    if (m.TypeOf(inputs[i]) != m.TypeOf(m.ResultOf(r[op], i))) return false;
  r.Replace(op, inputs);
  return true;
}

// Returns what the body of a reduction returns, if it has no other op and runs.
std::vector<ValueId> ReturnedFromOutside(const Rewriter& r, OpId op, bool other_ops) {
  const Module& m = r.module();
  const BlockId body = BodyOf(r, op);
  if (!BodyRuns(r, op) || (!other_ops && r.editor().FirstOf(body) != r.editor().LastOf(body))) return {};
  std::vector<ValueId> returned = Operands(r, r.editor().LastOf(body));
  const bool inside = std::ranges::any_of(returned, [&](ValueId value) {
    const Value& v = m.values[value.v];
    return (v.op ? r[v.op].parent : v.block) == body;
  });
  return inside || returned.size() != m.NumResults(r[op]) ? std::vector<ValueId>() : returned;
}

bool ReduceToConstant(Rewriter& r, OpId op) {
  std::vector<ValueId> returned = ReturnedFromOutside(r, op, /*other_ops=*/false);
  if (returned.empty()) return false;
  std::vector<Tensor> splats;
  for (uint32_t i = 0; i < returned.size(); ++i) {
    splats.push_back(SplatOf(r, returned[i]));
    const TypeId type = r.module().TypeOf(r.module().ResultOf(r[op], i));
    if (!splats.back() || !TensorTypeOf(r.module(), type)) return false;
  }
  for (uint32_t i = 0; i < returned.size(); ++i) {
    returned[i] = EmitResized(r, splats[i], r.module().TypeOf(r.module().ResultOf(r[op], i)));
    if (!returned[i]) return false;
  }
  r.Replace(op, returned);
  return true;
}

bool ReduceToOutside(Rewriter& r, OpId op) {
  const std::vector<ValueId> returned = ReturnedFromOutside(r, op, /*other_ops=*/true);
  if (returned.empty() || !HasNoEffect(r.editor(), op)) return false;
  for (uint32_t i = 0; i < returned.size(); ++i)
    if (r.module().TypeOf(returned[i]) != r.module().TypeOf(r.module().ResultOf(r[op], i))) return false;
  r.Replace(op, returned);
  return true;
}

}  // namespace

std::span<const Rule> StructureFolds() {
  static const Rule rules[] = {
      {.name = "FoldConcatenateAdjacentSplatsOpPattern",
       .row = ops::kConcatenate,
       .apply = JoinEqualSplats,
       .summary = "concatenate(splat, splat, X) -> concatenate(longer splat, X)"},
      {.name = "FoldDynamicSliceOpPattern",
       .row = ops::kDynamicSlice,
       .apply = SliceOfSplat,
       .summary = "dynamic_slice(splat, ...) -> splat"},
      {.name = "FoldGetDimensionSizeOpPattern",
       .row = ops::kGetDimensionSize,
       .apply = StaticDimension,
       .summary = "get_dimension_size(X, i) -> X.shape[i]"},
      {.name = "FoldReshapeOpPattern",
       .row = ops::kReshape,
       .apply = ReshapeOfConstant,
       .summary = "reshape(cst) -> cst"},
      {.name = "FoldSelectOpPattern",
       .row = ops::kSelect,
       .apply = SelectBySplat,
       .summary = "select(splat, cst, cst) -> cst"},
      {.name = "FoldSetDimensionSizeOpPattern",
       .row = ops::kSetDimensionSize,
       .apply = SetSizeToItself,
       .summary = "set_dimension_size(X, X.shape[i], i) -> X"},
      {.name = "InlineCaseOpWithConstantBranchIndex",
       .row = ops::kCase,
       .apply = InlineChosenBranch,
       .summary = "case(cst, branches) -> the branch"},
      {.name = "FoldWhileOpPattern",
       .row = ops::kWhile,
       .apply = WhileThatNeverRuns,
       .summary = "while(X, false, body) -> X"},
      {.name = "FoldWhileOpIfDeadAndPresumedPure",
       .row = ops::kWhile,
       .apply = DeadWhileWithCalls,
       .summary = "while(X, false, calls), without uses -> ()"},
      {.name = "LowerBoolSplatConstantsIntoReduceOpRegion",
       .row = ops::kReduce,
       .apply = ReduceOfSplat,
       .summary = "reduce(splat, cst, [and, or]) -> [and, or](splat, cst)",
       .reference =
           "reduce(true : tensor<0xi1>, true, body: or(a, b), return b), where a body that returns an "
           "argument, or an empty reduction, yields the initial value"},
      {.name = "FoldReduceOpReducingZeroDims",
       .row = ops::kReduce,
       .apply = ReduceOfNoDimensions,
       .exactness = {.wrong = true},
       .summary = "reduce(X, init, dimensions = []) -> X",
       .counterexample = "reduce(2, 1, add, dimensions = []) is 3"},
      {.name = "FoldReduceOpToConstantInitializer",
       .row = ops::kReduce,
       .apply = ReduceToConstant,
       .summary = "reduce(X, init, body: return cst) -> splat",
       .reference = "reduce([] : tensor<0xi32>, 1, body: return 2) is 1"},
      {.name = "FoldReduceOpWithRedundantResults",
       .row = ops::kReduce,
       .apply = ReduceToOutside,
       .summary = "reduce(X, init, body: return Y) -> Y",
       .reference = "reduce([] : tensor<0xi32>, 1, body: return Y) is 1"},
  };
  return rules;
}

std::span<const Rule> FoldRules() {
  static const auto rules = [] {
    const auto constants = ConstantFolds(), structure = StructureFolds();
    std::vector<Rule> all(constants.begin(), constants.end());
    all.insert(all.end(), structure.begin(), structure.end());
    return all;
  }();
  return rules;
}

}  // namespace shlo::rewrite
