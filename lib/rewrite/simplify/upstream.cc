// Rules for ops of the dialects shape, builtin and bufferization.
#include <algorithm>

#include "ir/table/ops.h"
#include "rewrite/simplify/op_reader.h"
#include "rewrite/simplify/rewrite_rules.h"

namespace shlo::rewrite {
namespace {

ValueId EmitShape(Rewriter& r, std::span<const int64_t> sizes) {
  Module& m = r.nodes();
  const std::array count{int64_t(sizes.size())};
  const TypeId type = m.TensorType(count, m.Type(TypeKind::kIndex));
  const std::string_view bytes(reinterpret_cast<const char*>(sizes.data()), sizes.size_bytes());
  return r.Emit(ops::kShapeConstShape, {}, type,
                {{"shape", m.Elements(type, m.payloads.AddCopy(bytes), /*splat=*/false)}});
}

bool ShapeOfStatic(Rewriter& r, OpId op) {
  const OpReader at(r, op);
  const auto sizes = SizesOf(r.module(), at.operand_type(0));
  const auto result = r.module().As<TensorType>(at.type());
  if (!sizes || !IsStatic(*sizes) || !result || result->shape.size() != 1 ||
      result->shape[0] != int64_t(sizes->size()))
    return false;
  r.Replace(op, EmitShape(r, *sizes));
  return true;
}

// Returns the shape that shapes broadcast to; nullopt if they do not.
std::optional<std::vector<int64_t>> Broadcasted(std::vector<int64_t> a, std::vector<int64_t> b) {
  if (a.size() < b.size()) std::swap(a, b);
  for (size_t i = 0; i < b.size(); ++i) {
    int64_t& size = a[a.size() - b.size() + i];
    if (size != b[i] && size != 1 && b[i] != 1) return std::nullopt;
    if (size == 1) size = b[i];
  }
  return a;
}

bool BroadcastConstantShapes(Rewriter& r, OpId op) {
  const OpReader at(r, op);
  std::vector<ValueId> operands;
  std::vector<int64_t> constant;
  for (const ValueId operand : at.operands()) {
    const auto sizes = r.IntegersOf(operand);
    if (!sizes) {
      operands.push_back(operand);
      continue;
    }
    const auto merged = Broadcasted(constant, *sizes);
    if (!merged) return false;
    constant = *merged;
  }
  if (operands.size() + 1 >= at.num_operands()) return false;
  operands.push_back(EmitShape(r, constant));
  r.SetOperands(op, operands);
  return true;
}

// The op is commutative.
bool ConstantShapesLast(Rewriter& r, OpId op) {
  const std::vector<ValueId> before = OpReader(r, op).operands();
  std::vector<ValueId> operands = before;
  std::stable_partition(operands.begin(), operands.end(),
                        [&](ValueId v) { return !r.Definer(v, ops::kShapeConstShape); });
  if (operands == before) return false;
  r.SetOperands(op, operands);
  return true;
}

bool CastToSameTypes(Rewriter& r, OpId op) {
  const OpReader at(r, op);
  if (at.num_operands() != at.num_results() || at.num_results() == 0) return false;
  for (uint32_t i = 0; i < at.num_operands(); ++i)
    if (at.operand_type(i) != at.type(i)) return false;
  r.Replace(op, at.operands());
  return true;
}

bool CastBack(Rewriter& r, OpId op) {
  const OpReader at(r, op);
  if (at.num_operands() != 1 || at.num_results() != 1) return false;
  const OpId inner = r.Definer(at.operand(0), ops::kCast);
  if (!inner) return false;
  const OpReader inside(r, inner);
  if (inside.num_operands() != 1 || inside.num_results() != 1 || inside.operand_type(0) != at.type())
    return false;
  r.Replace(op, inside.operand(0));
  return true;
}

bool BufferOfTensorOfBuffer(Rewriter& r, OpId op) {
  if (r.module().NameOf(r[op]) != "bufferization.to_buffer") return false;
  const OpReader at(r, op);
  const OpId tensor = at.num_operands() == 1 ? r.module().values[at.operand(0).v].op : OpId();
  if (!tensor || r.module().NameOf(r[tensor]) != "bufferization.to_tensor") return false;
  if (OpReader(r, tensor).num_operands() != 1) return false;
  const ValueId buffer = OpReader(r, tensor).operand(0);
  if (r.module().TypeOf(buffer) != at.type()) return false;
  r.Replace(op, buffer);
  if (!r.editor().HasUses(tensor)) r.Erase(tensor);
  return true;
}

}  // namespace

std::span<const Rule> UpstreamRules() {
  static const Rule kRules[] = {
      {"ShapeOfStaticShape",
       ops::kShapeShapeOf,
       ShapeOfStatic,
       Elements::kAll,
       {},
       "shape_of(X) -> const_shape"},
      {"BroadcastConstantShapes",
       ops::kShapeBroadcast,
       BroadcastConstantShapes,
       Elements::kAll,
       {},
       "broadcast(constant, S, constant) -> broadcast(S, constant)"},
      {"ConstantShapesLast",
       ops::kShapeCstrBroadcastable,
       ConstantShapesLast,
       Elements::kAll,
       {},
       "cstr_broadcastable(constant, S) -> cstr_broadcastable(S, constant)"},
      {"CastToSameTypes", ops::kCast, CastToSameTypes, Elements::kAll, {}, "cast(X) -> X"},
      {"BufferOfTensorOfBuffer",
       RowId(),
       BufferOfTensorOfBuffer,
       Elements::kAll,
       {},
       "to_buffer(to_tensor(X)) -> X"},
      {"CastBack", ops::kCast, CastBack, Elements::kAll, {}, "cast(cast(X)) -> X"},
  };
  return kRules;
}

}  // namespace shlo::rewrite
