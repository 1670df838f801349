// Comparisons and selections.
#include <cstring>

#include "ir/table/ops.h"
#include "rewrite/simplify/op_reader.h"
#include "rewrite/simplify/rewrite_rules.h"

namespace shlo::rewrite {
namespace {

// Cases of comparison_direction.
enum Direction : int64_t { kEq, kNe, kGe, kGt, kLe, kLt };

// Returns the direction with the operands exchanged.
int64_t Mirrored(int64_t direction) {
  switch (direction) {
    case kGe:
      return kLe;
    case kGt:
      return kLt;
    case kLe:
      return kGe;
    case kLt:
      return kGt;
    default:
      return direction;
  }
}

std::optional<int64_t> DirectionOf(const Rewriter& r, OpId op) {
  return r.module().EnumValue(OpReader(r, op).attr("comparison_direction"), AttrKind::kComparisonDirection);
}

bool HasIntegers(const Module& m, TypeId type) {
  const auto tensor = m.As<TensorType>(type);
  const auto element = tensor ? ElementTypeOf(m, tensor->element) : std::nullopt;
  return element && !IsFloat(element->kind);
}

// Replaces a comparison of booleans with a constant that does not change them.
bool CompareBoolean(Rewriter& r, OpId op, Direction direction, int64_t value) {
  const OpReader at(r, op);
  if (DirectionOf(r, op) != direction || at.operand_type(0) != at.type()) return false;
  const Tensor constant = r.TensorOf(at.operand(1));
  const bool one = constant && constant.count() > 0 && (constant.splat() || constant.count() == 1);
  if (!one || !constant.element().is_bool() || int64_t(ElementBits(constant, 0)) != value) return false;
  r.Replace(op, at.operand(0));
  return true;
}

}  // namespace

bool SimplifyCompare(Rewriter& r, OpId op) {
  const OpReader at(r, op);
  const auto direction = DirectionOf(r, op);
  const auto type = r.module().EnumValue(at.attr("compare_type"), AttrKind::kComparisonType);
  constexpr int64_t kSigned = 3, kUnsigned = 4;
  if (!direction || (type != kSigned && type != kUnsigned) || !HasIntegers(r.module(), at.operand_type(0)))
    return false;
  const ValueId lhs = at.operand(0), rhs = at.operand(1);
  if (lhs == rhs) {
    const ValueId value = r.EmitSplat(at.type(), *direction == kEq || *direction == kGe || *direction == kLe);
    if (value) r.Replace(op, value);
    return bool(value);
  }
  if (!r.ConstantOf(lhs) || r.ConstantOf(rhs)) return false;
  r.SetAttr(op, "comparison_direction", r.nodes().Enum(AttrKind::kComparisonDirection, Mirrored(*direction)));
  r.SetOperands(op, std::array{rhs, lhs});
  return true;
}

bool CompareUnequalFalse(Rewriter& r, OpId op) { return CompareBoolean(r, op, kNe, 0); }
bool CompareEqualTrue(Rewriter& r, OpId op) { return CompareBoolean(r, op, kEq, 1); }

bool SelectBroadcastNot(Rewriter& r, OpId op) {
  const OpReader at(r, op);
  const OpId broadcast = r.Definer(at.operand(0), ops::kBroadcastInDim);
  const OpId negation = broadcast ? r.Definer(OpReader(r, broadcast).operand(0), ops::kNot) : OpId();
  if (!negation || !r.editor().HasOneUse(at.operand(0))) return false;
  const ValueId pred =
      r.Emit(ops::kBroadcastInDim, std::array{OpReader(r, negation).operand(0)}, at.operand_type(0),
             {{"broadcast_dimensions", OpReader(r, broadcast).attr("broadcast_dimensions")}});
  const std::array operands{pred, at.operand(2), at.operand(1)};
  r.Replace(op, r.Emit(ops::kSelect, operands, at.type()));
  return true;
}

bool SimplifySelect(Rewriter& r, OpId op) {
  const OpReader at(r, op);
  const ValueId on_true = at.operand(1), on_false = at.operand(2);
  const auto replace = [&](ValueId value) {
    if (r.module().TypeOf(value) != at.type()) return false;
    r.Replace(op, value);
    return true;
  };
  if (on_true == on_false) return replace(on_true);
  const Tensor pred = r.TensorOf(at.operand(0));
  if (!pred || pred.count() == 0) return false;
  if (pred.splat() || pred.count() == 1) return replace(ElementBits(pred, 0) ? on_true : on_false);
  if (pred.count() > r.options().max_elements) return false;
  const Tensor values[] = {r.TensorOf(on_false), r.TensorOf(on_true)};
  const ValueTypePtr type = TensorTypeOf(r.module(), at.type());
  const auto fits = [&](const Tensor& t) { return t && type && t.type() == *type && !type->quantization; };
  if (!fits(values[0]) || !fits(values[1]) || type->count != pred.count()) return false;
  Tensor chosen = Tensor::Uninitialized(type);
  if (!chosen) return false;
  const size_t bytes = type->element.bytes();
  for (uint64_t i = 0; i < type->count; ++i)
    std::memcpy(chosen.mutable_data() + i * bytes, values[ElementBits(pred, i) != 0].at(i), bytes);
  r.Replace(op, r.EmitConstant(at.type(), chosen));
  return true;
}

}  // namespace shlo::rewrite
