#include "rewrite/shapes/arguments.h"

#include "base/format.h"
#include "ir/module/node_map.h"
#include "ir/table/ops.h"
#include "rewrite/shapes/operands.h"
#include "shlo/print.h"
#include "shlo/program_io.h"
#include "shlo/types.h"

namespace shlo::rewrite {

TypeId ParsedType(Module* m, std::string_view text) {
  // A text ends the function if it is more than a type.
  const std::string program = StrFormat("func.func private @f() -> ({}\n)", text);
  auto read = ReadProgram(program, nullptr, {});
  if (!read) return {};
  const auto from = std::make_shared<const Module>(std::move(read->module));
  const auto functions = from->BodyOpsOf(from->ops[from->top.v]);
  const auto type = functions.size() == 1 ? from->FunctionTypeOf(from->ops[functions[0].v]) : std::nullopt;
  if (!type || type->results.size() != 1 || from->types.KindOf(type->results[0]) == TypeKind::kOpaqueType)
    return {};
  return NodeMap(from, m).Map(type->results[0]);
}

namespace {

// Returns why a type does not refine that of an argument; empty if it does.
std::string_view ProblemOf(const Module& m, TypeId type, TypeId refined) {
  if (type == refined) return {};
  const ShapedType from(m, type), to(m, refined);
  const bool from_tensor = from.ranked || from.unranked, to_tensor = to.ranked || to.unranked;
  if (!from_tensor || !to_tensor) return "refinement must be a tensor";
  if (from.element != to.element) return "refinement element types must match";
  if (from.unranked) return {};
  if (!to.ranked) return "refinement must be ranked";
  if (from.rank() != to.rank()) return "refinement rank must match operand rank";
  for (int64_t i = 0; i < from.rank(); ++i)
    if (!from.IsDynamic(i) && from.dim(i) != to.dim(i))
      return "refinement dimension sizes must match for static dimensions";
  return {};
}

// Inserts a call that returns a value with the type that it had.
ValueId WithTypeBefore(ModuleEditor* editor, ValueId value, TypeId before) {
  Module& m = editor->module();
  const ShapedType type(m, m.TypeOf(value));
  const std::vector<int64_t> sizes(type.shape.begin(), type.shape.end());
  const int64_t rank = int64_t(sizes.size());
  const TypeId shape_type = m.TensorType({&rank, 1}, m.Type(TypeKind::kI64));
  const OpId shape =
      editor->Insert({.revision = RevisionAt(ops::kConstant, m.version), .results = {&shape_type, 1}},
                     {{"value", m.I64Elements({&rank, 1}, sizes)}});
  const ValueId operands[] = {value, m.ResultOf((*editor)[shape], 0)};
  const int64_t one = 1;
  const NamedAttr attr{m.strings.Intern(kShapeOperands), m.I64Elements({&one, 1}, {&one, 1})};
  const OpId call = editor->Insert({.revision = RevisionAt(ops::kCustomCall, m.version),
                                    .operands = operands,
                                    .results = {&before, 1},
                                    .discardable_attrs = {&attr, 1}},
                                   {{"call_target_name", m.String(kOperandWrapper)}});
  return m.ResultOf((*editor)[call], 0);
}

}  // namespace

Result<void> SetArgumentTypes(ModuleEditor* editor, OpId function, std::span<const TypeId> types,
                              const Source* source) {
  Module& m = editor->module();
  const BlockId body = BodyOf(*editor, function);
  // Mirrors MLIR, here and below.
  const auto fail = [&](std::string message) {
    return Error(ErrorAtOp(*editor, function, source, Code::kConstraint, std::move(message)));
  };
  if (m.blocks[body.v].args.count != types.size())
    return fail(StrFormat("number of refinements must match number of op operands {} vs {}", types.size(),
                          m.blocks[body.v].args.count));
  for (uint32_t i = 0; i < types.size(); ++i) {
    const TypeId type = m.TypeOf(m.ArgOf(body, i));
    if (const std::string_view problem = ProblemOf(m, type, types[i]); !problem.empty())
      return fail(StrFormat("invalid refinement for argument {}, {} in {} -> {}", i, problem,
                            TypeText(m, type), TypeText(m, types[i])));
  }
  editor->InsertAtStart(body);
  for (uint32_t i = 0; i < types.size(); ++i) {
    const ValueId arg = m.ArgOf(body, i);
    const TypeId before = m.TypeOf(arg);
    if (before == types[i]) continue;
    std::vector<std::pair<OpId, uint32_t>> uses;
    editor->ForEachUse(arg, [&](OpId user, uint32_t operand) { uses.emplace_back(user, operand); });
    editor->SetType(arg, types[i]);
    const ValueId wrapped = WithTypeBefore(editor, arg, before);
    for (const auto& [user, operand] : uses) editor->SetOperand(user, operand, wrapped);
  }
  UpdateFunctionType(editor, function);
  return {};
}

}  // namespace shlo::rewrite
