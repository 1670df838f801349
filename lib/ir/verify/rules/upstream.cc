// Ops of MLIR's dialects arith, tensor, shape and scf in StableHLO programs, and conversion casts. Their
// constraints are those of MLIR.
#include "base/printable.h"
#include "ir/table/ops.h"
#include "ir/verify/rules/common.h"
#include "shlo/op_table.h"

namespace shlo {
namespace {

bool SameType(OpCheck& c, std::string_view label, bool same, std::string_view names) {
  return same || FailSame(c, label, names, "type");
}

bool IsOpaque(const Module& m, TypeId type, std::string_view dialect, std::string_view text) {
  const auto opaque = m.As<OpaqueType>(type);
  return opaque && m.strings[opaque->dialect] == dialect && m.strings[opaque->text] == text;
}

// Casts between scalars, vectors, and tensors of one encoding.
bool IsCast(const OpCheck& c) {
  const ShapedType in = c.In(0), out = c.Out();
  if (in.shaped != out.shaped || in.encoding != out.encoding) return false;
  if (!in.vector || !out.vector) return in.vector == out.vector;
  return std::ranges::equal(c.m.Get<VectorType>(in.type).scalable, c.m.Get<VectorType>(out.type).scalable);
}

bool CheckCast(OpCheck& c, std::string_view label, bool fits) {
  return fits || c.FailOp(label, "operand type {} and result type {} are cast incompatible", c.T(c.in(0)),
                          c.T(c.out(0)));
}

}  // namespace

// --- arith --------------------------------------------------------------------------------------------

bool VerifyArithBinary(OpCheck& c) {
  return c.In(0).encoding == c.Out().encoding ||
         c.FailOp("R1", "requires the same encoding for all operands and results");
}

// arith.addi and others R1: the result has the type of the first operand, and not merely a compatible one.
bool InferFirstOperandType(OpCheck& c) {
  if (c.in(0) == c.out(0)) return c.Settle();
  return c.Mismatch(c.T(c.in(0)));
}

bool ArithCompareInvariant(OpCheck& c) {
  return IsI1Of(c.m, c.out(0), c.in(0)) ||
         c.FailOp("R2", "failed to verify that result type has i1 element type and same shape as operands");
}

bool VerifyArithCompare(OpCheck& c) {
  return c.in(0) == c.in(1) || c.FailOp("R1", "requires all operands to have the same type");
}

bool ArithConstantInvariant(OpCheck& c) {
  return SameType(c, "R1", c.m.TypeOf(c.Attr("value")) == c.out(0), "value, result");
}

bool VerifyArithConstant(OpCheck& c) {
  const TypeKind kind = c.m.types.KindOf(c.out(0));
  const auto integer = c.m.As<IntegerType>(c.out(0));
  if (IsUnsignedInteger(kind) || (integer && integer->signedness != 0))
    return c.FailOp("R3", "integer return type must be signless");
  return c.m.attrs.KindOf(c.Attr("value")) != AttrKind::kTypedString ||
         c.FailOp("R2", "value must be an integer, float, or elements attribute");
}

// Tensors have one list of sizes, where a dynamic size equals only a dynamic size; a scalar, vector or memref
// has none.
bool ArithCastInvariant(OpCheck& c) {
  const auto is_unranked = [&](TypeId type) { return c.m.types.KindOf(type) == TypeKind::kUnrankedTensor; };
  const auto sizes = [](const ShapedType& type) { return type.ranked ? type.shape : DimSpan(); };
  return (!is_unranked(c.in(0)) && !is_unranked(c.out(0)) &&
          std::ranges::equal(sizes(c.In(0)), sizes(c.Out()))) ||
         c.FailOp("R1", "failed to verify that input and output have the same tensor dimensions");
}

bool VerifyArithExtend(OpCheck& c) {
  return CheckCast(c, "R2",
                   IsCast(c) && ElementWidth(c.m, c.in_element(0)) < ElementWidth(c.m, c.out_element()));
}

bool VerifyArithTruncate(OpCheck& c) {
  return CheckCast(c, "R2",
                   IsCast(c) && ElementWidth(c.m, c.in_element(0)) > ElementWidth(c.m, c.out_element()));
}

bool VerifyArithIndexCast(OpCheck& c) {
  const auto is_index = [&](TypeId element) { return c.m.types.KindOf(element) == TypeKind::kIndex; };
  return CheckCast(c, "R2", IsCast(c) && is_index(c.in_element(0)) != is_index(c.out_element()));
}

bool ArithSelectInvariant(OpCheck& c) {
  if (!SameType(c, "R1", c.in(1) == c.out(0) && c.in(2) == c.out(0), "true_value, false_value, result"))
    return false;
  const ShapedType condition = c.In(0), result = c.Out();
  if (!condition.shaped || (result.shaped && condition.unranked == result.unranked &&
                            std::ranges::equal(condition.shape, result.shape)))
    return true;
  return c.FailOp("R2", "failed to verify that condition is signless i1 or has matching shape");
}

bool VerifyArithSelect(OpCheck& c) {
  const ShapedType condition = c.In(0), result = c.Out();
  if (!condition.shaped || IsI1Of(c.m, condition.type, result.type)) return true;
  Inferred expected;
  expected.ranked = result.ranked;
  expected.shape = Dims(result.shape);
  expected.encoding = result.encoding;
  expected.element = ElementRef::Kind(TypeKind::kI1);
  return c.FailOp(
      "R2", "expected condition type to have the same shape as the result type, expected {}, but got {}",
      c.T(expected), c.T(condition.type));
}

// --- tensor -------------------------------------------------------------------------------------------

bool VerifyTensorCast(OpCheck& c) {
  return CheckCast(c, "R1", c.in_element(0) == c.out_element()) &&
         CheckCast(c, "R2", CompatibleShapes(c.m, c.in(0), c.out(0)));
}

bool FromElementsInvariant(OpCheck& c) {
  const ShapedType result = c.Out();
  uint64_t count = 0;
  const auto fits = [&](TypeId type) { return type == result.element; };
  return (Module::ElementCount(result.shape, &count) && count == c.num_operands() &&
          std::ranges::all_of(c.in_types(), fits)) ||
         c.FailOp("R1", "failed to verify that operand types match result element type");
}

bool TensorInsertInvariant(OpCheck& c) {
  if (c.out(0) != c.in(1)) return c.FailOp("R1", "failed to verify that result type matches type of dest");
  return c.in(0) == c.in_element(1) ||
         c.FailOp("R2", "failed to verify that scalar type matches element type of dest");
}

bool VerifyTensorInsert(OpCheck& c) {
  return c.num_operands() - 2 == size_t(c.In(1).rank()) || c.FailOp("R3", "incorrect number of indices");
}

// --- shape --------------------------------------------------------------------------------------------

namespace {

// A shape.shape, shape.value_shape or shape.size can hold an error, which the result must be able to hold,
// too.
bool CheckErrors(OpCheck& c, std::string_view text, std::string_view word) {
  bool errors = false;
  for (size_t i = 0; i < c.num_operands(); ++i)
    for (std::string_view type : {".shape", ".value_shape", ".size"})
      errors |= IsOpaque(c.m, c.in(i), "shape", type);
  if (!errors || IsOpaque(c.m, c.out(0), "shape", text)) return true;
  return c.FailOp(
      "R1",
      "if at least one of the operands can hold error values then the result must be of type `{}` to "
      "propagate them",
      word);
}

// Compares an extent tensor with the number of extents.
bool CheckExtents(OpCheck& c, int64_t extents, bool exact) {
  const ShapedType result = c.Out();
  if (!result.ranked) return c.Settle();  // a shape.shape
  if (result.shape[0] == extents && (!exact || !result.encoding)) return c.Settle();
  if (!exact && result.shape[0] == kDynamic) return c.Settle();
  Dims shape;
  shape.push_back(extents);
  return c.Mismatch(c.T(c.InferTensor(shape, ElementRef::Kind(TypeKind::kIndex))));
}

}  // namespace

bool VerifyShapeOrError(OpCheck& c) { return CheckErrors(c, ".shape", "shape"); }
bool VerifySizeOrError(OpCheck& c) { return CheckErrors(c, ".size", "size"); }

bool InferShapeOf(OpCheck& c) {
  const ShapedType arg = c.In(0);
  if (!arg.shaped || arg.unranked) return c.Settle();
  return CheckExtents(c, int64_t(arg.shape.size()), false);
}

bool InferConstShape(OpCheck& c) {
  uint64_t count = 0;
  const ShapedType shape(c.m, c.m.TypeOf(c.Attr("shape")));
  return !Module::ElementCount(shape.shape, &count) || CheckExtents(c, int64_t(count), true);
}

bool VerifyBroadcastable(OpCheck& c) {
  return c.num_operands() >= 2 || c.FailOp("R1", "required at least 2 input shapes");
}

// --- Casts and regions --------------------------------------------------------------------------------

bool VerifyConversionCast(OpCheck& c) {
  return c.num_results() > 0 || c.FailOp("R1", "expected at least one result for cast operation");
}

namespace {

// Checks the terminator of the region; one of another dialect without a row is left alone.
bool CheckTerminator(OpCheck& c, std::string_view label) {
  const auto ops = c.OpsOf(0);
  if (ops.empty()) return c.FailOp(label, "expects a non-empty block");
  const Op& last = c.m.ops[ops.back().v];
  const RowId terminator = RowOf(c.revision().row).terminator;
  return c.m.Is(last, terminator) || c.FailOp(label, "expects regions to end with '{}', found '{}'",
                                              RowOf(terminator).name, c.m.NameOf(last));
}

// Compares the types at both ends of an edge of the control flow.
bool CheckEdge(OpCheck& c, std::string_view label, std::string_view from, std::string_view to,
               std::span<const TypeId> passed, std::span<const TypeId> received) {
  if (passed.size() != received.size())
    return c.FailOp(label,
                    "along control flow edge from {} to {}: region branch point has {} operands, but region "
                    "successor needs {} inputs",
                    from, to, passed.size(), received.size());
  for (size_t i = 0; i < passed.size(); ++i)
    if (passed[i] != received[i])
      return c.FailOp(
          label,
          "along control flow edge from {} to {}: successor operand type #{} {} should match successor "
          "input type #{} {}",
          from, to, i, c.T(passed[i]), i, c.T(received[i]));
  return true;
}

}  // namespace

bool VerifyAssuming(OpCheck& c) {
  return CheckTerminator(c, "R1") &&
         CheckEdge(c, "R1", "Operation shape.assuming_yield", "parent", c.Returned(0), c.out_types());
}

bool ScfForInvariant(OpCheck& c) {
  return SameType(c, "R1", c.in(0) == c.in(1) && c.in(0) == c.in(2), "lowerBound, upperBound, step");
}

bool VerifyScfFor(OpCheck& c) {
  if (!CheckTerminator(c, "R3")) return false;
  const size_t inits = c.num_operands() - 3;
  if (c.num_results() != inits)
    return c.FailOp("R4", "mismatch in number of loop-carried values and defined values");
  if (c.num_args(0) == 0)
    return c.FailOp("R2",
                    "expected body to have at least 1 argument(s) for the induction variable, but got 0");
  if (c.arg(0, 0) != c.in(0))
    return c.FailOp("R2", "expected induction variable to be same type as bounds and step");
  if (c.num_args(0) - 1 != inits)
    return c.FailOp("R2", "different number of inits and region iter_args: {} != {}", inits,
                    c.num_args(0) - 1);
  const auto returned = c.Returned(0);
  if (returned.size() != inits)
    return c.FailOp("R3", "different number of region iter_args and yielded values: {} != {}", inits,
                    returned.size());
  const auto init = c.in_types().subspan(3);
  std::vector<TypeId> args = c.arg_types(0);
  args.erase(args.begin());
  return CheckEdge(c, "R2", "parent", "Region #0", init, args) &&
         CheckEdge(c, "R4", "parent", "parent", init, c.out_types()) &&
         CheckEdge(c, "R3", "Operation scf.yield", "Region #0", returned, args);
}

// --- ml_program ---------------------------------------------------------------------------------------

bool VerifyGlobal(OpCheck& c) {
  return c.Flag("is_mutable") || c.Has("value") ||
         c.FailOp("R1", "immutable global must have an initial value");
}

namespace {

// A global that an op refers to.
struct Global {
  std::string_view name;
  TypeId type;
  bool is_mutable = false;
};

bool FindGlobal(OpCheck& c, Global* out) {
  c.BeginReferences();
  c.m.AsSymbol(c.Attr("global"), &out->name);
  const OpId id = c.FindSymbol(out->name);
  if (!id || !c.m.Is(c.m.ops[id.v], ops::kGlobal))
    return c.FailOp("R1", "undefined global: {}", SymbolText(out->name));
  const Op& global = c.m.ops[id.v];
  if (const auto type = c.m.As<TypeAttr>(c.m.InherentAttrOf(global, "type"))) out->type = type->type;
  c.m.AsBool(c.m.InherentAttrOf(global, "is_mutable"), &out->is_mutable);
  return true;
}

bool CheckLoaded(OpCheck& c, const Global& global) {
  return c.out(0) == global.type ||
         c.FailOp("R2", "cannot load from global typed {} as {}", c.T(global.type), c.T(c.out(0)));
}

}  // namespace

bool VerifyGlobalLoad(OpCheck& c) {
  Global global;
  return FindGlobal(c, &global) && CheckLoaded(c, global);
}

bool VerifyGlobalLoadConst(OpCheck& c) {
  Global global;
  if (!FindGlobal(c, &global)) return false;
  if (global.is_mutable)
    return c.FailOp("R3", "cannot load as const from mutable global {}", SymbolText(global.name));
  return CheckLoaded(c, global);
}

bool VerifyGlobalStore(OpCheck& c) {
  Global global;
  if (!FindGlobal(c, &global)) return false;
  if (!global.is_mutable)
    return c.FailOp("R3", "cannot store to an immutable global {}", SymbolText(global.name));
  return c.in(0) == global.type ||
         c.FailOp("R2", "cannot store to a global typed {} from {}", c.T(global.type), c.T(c.in(0)));
}

}  // namespace shlo
