#include "rewrite/shapes/refiner.h"

#include "base/deadline.h"
#include "base/format.h"
#include "base/stack.h"
#include "ir/table/ops.h"
#include "ir/table/trait.h"
#include "ir/verify/infer.h"
#include "rewrite/shapes/dynamic_calls.h"
#include "shlo/types.h"

namespace shlo::rewrite {
namespace {

// Shapes, paddings and bounds of slices are small; what is large is data, which stays an op.
constexpr uint64_t kMostElements = 1024;

bool IsIntegers(const Module& m, TypeId type) {
  const auto tensor = m.As<TensorType>(type);
  if (!tensor || tensor->encoding || !IsStatic(tensor->shape)) return false;
  const TypeKind kind = m.types.KindOf(tensor->element);
  uint64_t count = 0;
  return (IsSignlessInteger(kind) || IsUnsignedInteger(kind)) &&
         Module::ElementCount(tensor->shape, &count) && count <= kMostElements;
}

EvalOptions OptionsFor(const Limits& limits) {
  EvalOptions options;
  options.limits = limits;
  options.limits.max_steps = 1 << 20;
  options.limits.threads = 1;
  return options;
}

}  // namespace

ShapeRefiner::ShapeRefiner(ModuleEditor* editor, const Source* source, const Module* original,
                           const Limits& limits)
    : editor_(*editor),
      m_(editor->module()),
      source_(source),
      original_(original),
      evaluator_(m_, OptionsFor(limits)) {
  const BlockId body = editor_.body();
  if (!body) return;
  for (OpId op = editor_.FirstOf(body); op; op = editor_.After(op))
    if (m_.Has(editor_[op], Trait::kFunction)) functions_.emplace(m_.SymbolOf(editor_[op]), op);
}

Result<void> ShapeRefiner::Run(OpId function, std::span<const std::optional<int64_t>> known) {
  Key key;
  const BlockId body = BodyOf(editor_, function);
  for (uint32_t i = 0; i < m_.blocks[body.v].args.count; ++i) {
    const std::optional<int64_t> value = i < known.size() ? known[i] : std::nullopt;
    key.push_back({bool(value), value.value_or(0), m_.TypeOf(m_.ArgOf(body, i))});
  }
  auto version = VersionFor(function, key, /*drop=*/true);
  if (!version) return tl::unexpected(std::move(version.error()));
  return {};
}

// --- Values ----------------------------------------------------------------------------------------------

bool ShapeRefiner::Takes(OpId user, ValueId value) const {
  const Op& op = editor_[user];
  if (m_.Is(op, ops::kCall)) {
    std::string_view callee;
    m_.AsSymbol(m_.InherentAttrOf(op, "callee"), &callee);
    const auto found = functions_.find(callee);
    return found != functions_.end() && BodyOf(editor_, found->second);
  }
  // Other dialects may have shapes of their own, which are not inferred here.
  const std::string_view name = m_.NameOf(op);
  for (const std::string_view dialect :
       {"stablehlo.", "chlo.", "func.return", "sdy.", "check.", "interpreter."})
    if (name.starts_with(dialect)) return true;
  return m_.Is(op, ops::kCast) && value == m_.OperandsOf(op)[0];
}

void ShapeRefiner::Narrow(ValueId value, TypeId type) {
  if (!type || type == m_.TypeOf(value)) return;
  bool taken = true;
  editor_.ForEachUse(value, [&](OpId user, uint32_t) { taken = taken && Takes(user, value); });
  if (taken) editor_.SetType(value, type);
}

void ShapeRefiner::NarrowResults(OpId op, std::span<const TypeId> types) {
  for (uint32_t i = 0; i < types.size(); ++i) {
    const ValueId result = m_.ResultOf(editor_[op], i);
    Narrow(result, MostSpecificType(&m_, m_.TypeOf(result), types[i]));
  }
}

ValueId ShapeRefiner::InsertConstant(TypeId type, const Tensor& value) {
  const std::string_view bytes(reinterpret_cast<const char*>(value.data()), value.stored_bytes());
  const AttrId elements = m_.Elements(type, m_.payloads.AddCopy(bytes), value.splat());
  const OpId op = editor_.Insert({.revision = RevisionAt(ops::kConstant, m_.version), .results = {&type, 1}},
                                 {{"value", elements}});
  return m_.ResultOf(editor_[op], 0);
}

ValueId ShapeRefiner::InsertIntegers(TypeId type, std::span<const int64_t> values) {
  std::string bytes;
  const uint64_t width = m_.ElementBytes(ElementOf(m_, type));
  for (const int64_t value : values)
    for (uint64_t i = 0; i < width; ++i) bytes += char(uint64_t(value) >> (8 * i));
  return InsertConstant(type, Tensor::Copy(TensorTypeOf(m_, type), bytes));
}

bool ShapeRefiner::Fold(OpId op) {
  const Op before = editor_[op];
  const uint32_t num_results = m_.NumResults(before);
  if (num_results == 0 || before.regions.count > 0 || !m_.RevisionIdOf(before)) return false;
  for (uint32_t i = 0; i < num_results; ++i)
    if (!IsIntegers(m_, m_.TypeOf(m_.ResultOf(before, i)))) return false;
  std::vector<Tensor> results;
  if (m_.Is(before, ops::kGetDimensionSize)) {
    const ShapedType operand(m_, m_.TypeOf(m_.OperandsOf(before)[0]));
    int64_t dim = 0;
    if (!m_.AsInteger(m_.InherentAttrOf(before, "dimension"), &dim) || !operand.ranked || dim < 0 ||
        dim >= operand.rank() || operand.IsDynamic(dim))
      return false;
    editor_.InsertBefore(op);
    editor_.Replace(
        op, std::vector{InsertIntegers(m_.TypeOf(m_.ResultOf(before, 0)), std::vector{operand.dim(dim)})});
    return true;
  }
  // Iota has elements that nothing states, and stays; a constant has no operands.
  const auto operands = m_.OperandsOf(before);
  if (operands.empty() || m_.Is(before, ops::kDynamicIota)) return false;
  std::vector<Tensor> values;
  for (const ValueId operand : operands) {
    const OpId constant = IntegerConstant(m_, operand);
    if (!constant) return false;
    auto value = evaluator_.RunAlone(constant, {});
    if (!value) return false;
    values.push_back(std::move((*value)[0]));
  }
  std::vector<const Tensor*> pointers;
  pointers.reserve(values.size());
  for (const Tensor& value : values) pointers.push_back(&value);
  auto computed = evaluator_.RunAlone(op, pointers);
  if (!computed) return false;
  editor_.InsertBefore(op);
  std::vector<ValueId> constants;
  for (uint32_t i = 0; i < num_results; ++i)
    constants.push_back(InsertConstant(m_.TypeOf(m_.ResultOf(before, i)), (*computed)[i]));
  editor_.Replace(op, constants);
  return true;
}

// --- Ops -------------------------------------------------------------------------------------------------

Result<void> ShapeRefiner::VisitBlock(BlockId block) {
  CheckStack();
  for (OpId op = editor_.FirstOf(block), next; op; op = next) {
    next = editor_.After(op);
    Tick(16);
    if (auto visited = Visit(op); !visited) return visited;
  }
  return {};
}

Result<void> ShapeRefiner::Visit(OpId op) {
  const Op& o = editor_[op];
  if (m_.Is(o, ops::kCall)) return VisitCall(op);
  if (m_.Is(o, ops::kComposite)) return VisitComposite(op);
  if (m_.Is(o, ops::kWhile)) return VisitWhile(op);
  if (m_.Is(o, ops::kCustomCall)) return VisitCustomCall(op);
  const uint32_t num_regions = o.regions.count;
  for (uint32_t i = 0; i < num_regions; ++i) {
    const RegionId region = m_.RegionsOf(editor_[op])[i];
    const std::vector<BlockId> blocks(editor_.BlocksOf(region).begin(), editor_.BlocksOf(region).end());
    for (const BlockId block : blocks)
      if (auto visited = VisitBlock(block); !visited) return visited;
  }
  if (m_.Has(editor_[op], Trait::kTerminator)) return {};
  if (m_.Is(editor_[op], ops::kCast)) {
    // A cast between types of one value, which refinement makes superfluous.
    const ValueId operand = m_.NumOperands(editor_[op]) == 1 ? m_.OperandsOf(editor_[op])[0] : ValueId();
    if (!operand || m_.NumResults(editor_[op]) != 1) return {};
    const ValueId result = m_.ResultOf(editor_[op], 0);
    if (!MostSpecificType(&m_, m_.TypeOf(operand), m_.TypeOf(result))) return {};
    editor_.Replace(op, std::vector{operand});
    return {};
  }
  // What does not fit is left for the verifier.
  if (const auto types = RefineResults(&m_, op)) NarrowResults(op, *types);
  if (const auto sizes = SizesOfDynamicSlice(m_, op)) {
    const ShapedType result(m_, m_.TypeOf(m_.ResultOf(editor_[op], 0)));
    NarrowResults(op, std::vector{m_.TensorType(*sizes, result.element)});
  }
  Fold(op);
  return {};
}

Result<void> ShapeRefiner::VisitWhile(OpId op) {
  const std::vector<ValueId> operands(m_.OperandsOf(editor_[op]).begin(), m_.OperandsOf(editor_[op]).end());
  const uint32_t num_regions = editor_[op].regions.count;
  for (uint32_t r = 0; r < num_regions; ++r) {
    const auto blocks = editor_.BlocksOf(m_.RegionsOf(editor_[op])[r]);
    if (blocks.size() != 1) return {};
    const BlockId block = blocks[0];
    for (uint32_t i = 0; i < std::min<size_t>(operands.size(), m_.blocks[block.v].args.count); ++i) {
      const ValueId arg = m_.ArgOf(block, i);
      Narrow(arg, MostSpecificType(&m_, m_.TypeOf(arg), m_.TypeOf(operands[i])));
    }
    if (auto visited = VisitBlock(block); !visited) return visited;
  }
  for (uint32_t i = 0; i < std::min<size_t>(operands.size(), m_.NumResults(editor_[op])); ++i) {
    const ValueId result = m_.ResultOf(editor_[op], i);
    Narrow(result, MostSpecificType(&m_, m_.TypeOf(result), m_.TypeOf(operands[i])));
  }
  return {};
}

namespace {

// Returns a type with shapes in place of its own: one for each tensor in it, in order from `*next` on.
TypeId WithShapes(Module* m, TypeId type, const ShapeOperands& shapes, size_t* next) {
  CheckStack();
  if (const auto tuple = m->As<TupleType>(type)) {
    std::vector<TypeId> members = tuple->types.ToVector();
    for (TypeId& member : members) member = WithShapes(m, member, shapes, next);
    return m->TupleType(members);
  }
  const auto& shape = shapes.shapes[(*next)++];
  const ShapedType shaped(*m, type);
  if (!shape || !(shaped.ranked || shaped.unranked)) return type;
  for (const int64_t size : *shape)
    if (size < 0) return type;
  return m->TensorType(*shape, shaped.element, shaped.ranked ? AttrId() : shaped.encoding);
}

}  // namespace

Result<void> ShapeRefiner::VisitCustomCall(OpId op) {
  const auto shapes = ShapeOperandsOf(m_, op);
  if (!shapes) return Error(ErrorAtOp(editor_, op, source_, Code::kConstraint, shapes.error()));
  if (CallTargetOf(m_, op) == kOperandWrapper && m_.NumOperands(editor_[op]) == 2 &&
      m_.NumResults(editor_[op]) == 1) {
    const ValueId operand = m_.OperandsOf(editor_[op])[0];
    if (MostSpecificType(&m_, m_.TypeOf(m_.ResultOf(editor_[op], 0)), m_.TypeOf(operand)))
      editor_.Replace(op, std::vector{operand});
    return {};
  }
  if (original_) {
    const bool top_k = CallTargetOf(m_, op).ends_with(".dynamic_top_k");
    if (ReplaceDynamicCall(&editor_, *original_, op)) {
      made_chlo_ = made_chlo_ || top_k;
      return {};
    }
  }
  if (!*shapes) return {};
  size_t next = 0;
  std::vector<TypeId> types;
  for (uint32_t i = 0; i < m_.NumResults(editor_[op]); ++i)
    types.push_back(WithShapes(&m_, m_.TypeOf(m_.ResultOf(editor_[op], i)), **shapes, &next));
  NarrowResults(op, types);
  return {};
}

}  // namespace shlo::rewrite
