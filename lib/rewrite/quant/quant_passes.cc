// The passes of quantization: math on stored integers, and quantized ops as dequantize, op, quantize.
#include <algorithm>
#include <array>

#include "base/format.h"
#include "base/try.h"
#include "ir/table/ops.h"
#include "rewrite/driver.h"
#include "rewrite/pass.h"
#include "rewrite/quant/quant_math.h"
#include "rewrite/quant/quant_rows.h"

namespace shlo::rewrite {
namespace {

bool HasQuantizedTypes(const Module& m, const Op& op) {
  const OpSignature signature = m.SignatureOf(op);
  return IsAnyQuantized(m, signature.operand_types) || IsAnyQuantized(m, signature.result_types);
}

// Returns whether all quantized types have scales per tensor or per axis, not per block.
bool HasScales(const Module& m, const Op& op) {
  const OpSignature signature = m.SignatureOf(op);
  const auto has = [&](TypeId type) {
    const QuantizedType q(m, ElementOf(m, type));
    return !q.ok || (!q.scales.empty() && q.scales.size() == q.zero_points.size());
  };
  return std::ranges::all_of(signature.operand_types, has) &&
         std::ranges::all_of(signature.result_types, has);
}

// --- Math on stored integers -------------------------------------------------------------------------------

void LowerFunction(Legalizer& l, OpId op) {
  const auto type = l.from().FunctionTypeOf(l[op]);
  if (!type) return;
  const auto stored = [&](const auto& types) {
    std::vector<TypeId> to = types.ToVector();
    for (TypeId& t : to) t = StorageType(l.out(), t);
    return to;
  };
  const std::vector<TypeId> inputs = stored(type->inputs), results = stored(type->results);
  l.editor().SetAttr(op, "function_type", l.out().TypeAttr(l.out().FunctionType(inputs, results)));
  LowerStored(l, op);
}

// Dequantizes operands, applies the op to floats, and quantizes its results.
Legalizer::Outcome LowerThroughFloats(Legalizer& l, OpId op) {
  const Op& o = l[op];
  const auto is_f32 = [&](TypeId type) {
    return l.out().types.KindOf(ElementOf(l.out(), type)) == TypeKind::kF32;
  };
  std::vector<ValueId> operands;
  for (uint32_t i = 0; i < l.from().NumOperands(o); ++i) {
    const ValueId operand = l.Operand(op, i);
    const TypeId type = l.OperandType(op, i), number = ExpressedType(l.out(), type);
    if (type != number && !is_f32(number)) {
      FailMaterialization(l, l.WithElement(number, TypeKind::kF32), number);
      return Legalizer::kFailed;
    }
    operands.push_back(type == number ? operand : EmitDequantize(l, operand, type, number));
  }
  std::vector<TypeId> types;
  for (uint32_t i = 0; i < l.from().NumResults(o); ++i)
    types.push_back(ExpressedType(l.out(), l.ResultType(op, i)));
  const OpId numbers = l.EmitSame(operands, types);
  std::vector<ValueId> results;
  for (uint32_t i = 0; i < types.size(); ++i) {
    const ValueId number = l.out().ResultOf(l.editor()[numbers], i);
    const bool quantized = types[i] != l.ResultType(op, i);
    if (quantized && !is_f32(types[i])) {
      // Mirrors MLIR.
      l.Fail("Unsupported input element type.");
      return Legalizer::kIllegal;
    }
    results.push_back(quantized ? EmitQuantize(l, number, l.ResultType(op, i)) : number);
  }
  l.Replace(results);
  return Legalizer::kDone;
}

Legalizer::Outcome LowerOp(Legalizer& l, OpId op) {
  const Op& o = l[op];
  if (l.from().Is(o, ops::kFunc)) {
    LowerFunction(l, op);
    return Legalizer::kDone;
  }
  if (!HasQuantizedTypes(l.from(), o)) return Legalizer::kLegal;
  const std::string_view name = l.from().NameOf(o);
  const bool converted =
      name.starts_with("stablehlo.") || name.starts_with("chlo.") || name.starts_with("func.");
  for (uint32_t i = 0; i < l.from().NumOperands(o); ++i) {
    const TypeId type = l.OperandType(op, i), stored = StorageType(l.out(), type);
    // Another dialect's op expects the type before, or makes a value of it.
    if (l.TypeOf(l.Operand(op, i)) == stored && (converted || type == stored)) continue;
    FailMaterialization(l, l.TypeOf(l.Operand(op, i)), converted ? stored : type);
    return Legalizer::kFailed;
  }
  if (!converted || l.from().Is(o, ops::kFuncReturn)) return Legalizer::kDone;
  const QuantRow* const row = FindQuantRow(name);
  if (!row || !HasScales(l.from(), o)) return Legalizer::kIllegal;
  if (row->lower)
    if (const Legalizer::Outcome outcome = row->lower(l, op); outcome != Legalizer::kLegal) return outcome;
  return row->through_floats ? LowerThroughFloats(l, op) : Legalizer::kIllegal;
}

// --- Quantized ops and ops between dequantize and quantize -----------------------------------------------

bool SplitQuantized(Rewriter& r, OpId op) {
  const Module& m = r.module();
  const QuantRow* const row = FindQuantRow(m.NameOf(r[op]));
  if (!row || !row->through_floats || !HasQuantizedTypes(m, r[op])) return false;
  const auto before = m.OperandsOf(r[op]);
  std::vector<ValueId> operands(before.begin(), before.end());
  for (ValueId& operand : operands)
    if (const TypeId type = m.TypeOf(operand); IsQuantizedType(m, type))
      operand = r.Emit(ops::kUniformDequantize, {&operand, 1}, ExpressedType(r.nodes(), type));
  EditedSignature signature(m.SignatureOf(r[op]));
  std::vector<TypeId> numbers;
  for (const TypeId type : signature.result_types) numbers.push_back(ExpressedType(r.nodes(), type));
  const OpId split = r.Insert({.revision = signature.revision,
                               .operands = operands,
                               .results = numbers,
                               .inherent_attrs = signature.inherent_attrs,
                               .discardable_attrs = signature.discardable_attrs});
  std::vector<ValueId> results;
  for (uint32_t i = 0; i < numbers.size(); ++i) {
    const ValueId number = m.ResultOf(r[split], i);
    const TypeId type = signature.result_types[i];
    results.push_back(type == numbers[i] ? number : r.Emit(ops::kUniformQuantize, {&number, 1}, type));
  }
  r.Replace(op, results);
  return true;
}

// The op whose result `op` quantizes can be applied to quantized values if it has one result, no regions, and
// all operands are dequantized ones.
bool FuseQuantized(Rewriter& r, OpId op) {
  const Module& m = r.module();
  const OpId computed = m.values[m.OperandsOf(r[op])[0].v].op;
  if (!computed) return false;
  const Op& o = r[computed];
  if (o.regions.count > 0 || m.NumResults(o) != 1 || m.NumOperands(o) == 0) return false;
  std::vector<ValueId> operands;
  for (const ValueId operand : m.OperandsOf(o)) {
    const OpId dequantize = r.Definer(operand, ops::kUniformDequantize);
    if (!dequantize) return false;
    operands.push_back(m.OperandsOf(r[dequantize])[0]);
  }
  EditedSignature signature(m.SignatureOf(o));
  const TypeId type = m.TypeOf(m.ResultOf(r[op], 0));
  const AttrId loc = o.loc;
  r.Edit(computed, [&](ModuleEditor& editor) {
    editor.InsertAfter(computed);
    const OpId fused = editor.Insert({.revision = signature.revision,
                                      .name = signature.name,
                                      .operands = operands,
                                      .results = {&type, 1},
                                      .inherent_attrs = signature.inherent_attrs,
                                      .discardable_attrs = signature.discardable_attrs,
                                      .loc = loc},
                                     computed);
    editor.ReplaceUses(m.ResultOf(editor[op], 0), m.ResultOf(editor[fused], 0));
  });
  r.Erase(op);
  return true;
}

}  // namespace

Result<void> LegalizeQuantToMath(const PassRun&, Program* program) {
  Legalizer legalizer(program);
  return legalizer.Run([&](OpId op) { return LowerOp(legalizer, op); });
}

Result<void> LegalizeQuantizedOpToQdq(const PassRun& run, Program* program) {
  const Rule rules[] = {{"quantized-op-to-qdq", {}, SplitQuantized}};
  SHLO_TRY(Apply(rules, program, {.gather_constants = true, .limits = run.limits}));
  return {};
}

Result<void> LegalizeQdqToQuantizedOp(const PassRun& run, Program* program) {
  const Rule rules[] = {{"qdq-to-quantized-op", ops::kUniformQuantize, FuseQuantized}};
  SHLO_TRY(Apply(rules, program, {.gather_constants = true, .limits = run.limits}));
  return {};
}

}  // namespace shlo::rewrite
