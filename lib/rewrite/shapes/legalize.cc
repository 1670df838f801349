// The pass shape-legalize-to-stablehlo: ops of the dialects shape, tensor and arith that compute shapes
// become ops on tensors of i32. Values of index are cast where other ops have them.
#include <array>

#include "base/deadline.h"
#include "base/format.h"
#include "base/guarded.h"
#include "ir/table/ops.h"
#include "rewrite/pass.h"
#include "rewrite/shapes/operands.h"
#include "shlo/types.h"

namespace shlo::rewrite {
namespace {

class ShapeLegalizer {
 public:
  explicit ShapeLegalizer(ModuleEditor* editor) : editor_(*editor), m_(editor->module()) {}

  // Rewrites all ops; fails at the first op of these dialects that has no counterpart.
  Result<void> Run(const Source* source);

 private:
  struct Row {
    std::string_view name;
    ValueId (ShapeLegalizer::*rewrite)();
  };
  static const Row kRows[];

  // Each returns the value in place of the result of the current op, or none if that has no counterpart.
  ValueId NumElements();
  ValueId ShapeOf();
  ValueId TensorDim();
  ValueId FromElements();
  ValueId Broadcast();
  ValueId ConstShape();
  ValueId IndexCast();
  ValueId Multiply();
  ValueId Extract();

  TypeId operand_type(size_t i) const { return m_.TypeOf(operand(i)); }
  ValueId operand(size_t i) const { return m_.OperandsOf(editor_[op_])[i]; }
  size_t num_operands() const { return m_.NumOperands(editor_[op_]); }
  TypeId result_type() const { return m_.TypeOf(m_.ResultOf(editor_[op_], 0)); }
  bool IsIndex(TypeId type) const { return m_.types.KindOf(type) == TypeKind::kIndex; }
  // Returns the size of a static list of indices; -1 for other types.
  int64_t IndicesOf(TypeId type) const {
    const auto tensor = m_.As<TensorType>(type);
    return tensor && IsIndex(tensor->element) && tensor->shape.size() == 1 ? tensor->shape[0] : kDynamic;
  }
  std::optional<int64_t> IndexConstant(ValueId value) const {
    const OpId id = m_.values[value.v].op;
    int64_t number = 0;
    const bool known = id && m_.Is(editor_[id], ops::kArithConstant) &&
                       m_.AsInteger(m_.InherentAttrOf(editor_[id], "value"), &number);
    return known ? std::optional(number) : std::nullopt;
  }

  TypeId I32Tensor(std::span<const int64_t> shape) { return m_.TensorType(shape, m_.Type(TypeKind::kI32)); }
  ValueId Emit(RowId row, std::span<const ValueId> operands, TypeId type,
               std::initializer_list<ModuleEditor::Attr> attrs = {}) {
    const OpId op = editor_.Insert({.revision = RevisionAt(row, m_.version),
                                    .operands = operands,
                                    .results = {&type, 1},
                                    .loc = editor_[op_].loc},
                                   attrs, op_);
    return m_.ResultOf(editor_[op], 0);
  }
  ValueId Cast(ValueId value, TypeId type) {
    if (m_.TypeOf(value) == type) return value;
    const OpId definer = m_.values[value.v].op;
    if (definer && m_.Is(editor_[definer], ops::kCast) && m_.NumOperands(editor_[definer]) == 1 &&
        m_.TypeOf(m_.OperandsOf(editor_[definer])[0]) == type)
      return m_.OperandsOf(editor_[definer])[0];
    return Emit(ops::kCast, {&value, 1}, type);
  }
  ValueId Constant(std::span<const int64_t> shape, std::span<const int64_t> values);
  // Returns an index, or a tensor of indices, as a tensor of i32.
  ValueId AsI32(ValueId value);
  ValueId Slice(ValueId list, std::span<const int64_t> start) {
    std::vector<int64_t> limit(start.begin(), start.end());
    for (int64_t& end : limit) ++end;
    const std::vector<int64_t> ones(start.size(), 1);
    const TypeId element = ElementOf(m_, m_.TypeOf(list));
    const ValueId slice = Emit(
        ops::kSlice, {&list, 1}, m_.TensorType(ones, element),
        {{"start_indices", m_.I64s(start)}, {"limit_indices", m_.I64s(limit)}, {"strides", m_.I64s(ones)}});
    return Emit(ops::kReshape, {&slice, 1}, m_.TensorType({}, element));
  }
  ValueId Concatenate(std::span<const ValueId> parts, int64_t size) {
    return Emit(ops::kConcatenate, parts, I32Tensor({&size, 1}), {{"dimension", m_.I64(0)}});
  }

  ModuleEditor& editor_;
  Module& m_;
  OpId op_;  // the current op
};

const ShapeLegalizer::Row ShapeLegalizer::kRows[] = {
    {"arith.index_cast", &ShapeLegalizer::IndexCast},
    {"arith.muli", &ShapeLegalizer::Multiply},
    {"shape.broadcast", &ShapeLegalizer::Broadcast},
    {"shape.const_shape", &ShapeLegalizer::ConstShape},
    {"shape.num_elements", &ShapeLegalizer::NumElements},
    {"shape.shape_of", &ShapeLegalizer::ShapeOf},
    {"tensor.dim", &ShapeLegalizer::TensorDim},
    {"tensor.extract", &ShapeLegalizer::Extract},
    {"tensor.from_elements", &ShapeLegalizer::FromElements},
};

ValueId ShapeLegalizer::Constant(std::span<const int64_t> shape, std::span<const int64_t> values) {
  std::string bytes;
  bool splat = !values.empty();
  for (const int64_t value : values) {
    splat = splat && value == values[0];
    for (int i = 0; i < 4; ++i) bytes += char(uint64_t(value) >> (8 * i));
  }
  if (splat) bytes.resize(4);
  const TypeId type = I32Tensor(shape);
  return Emit(ops::kConstant, {}, type, {{"value", m_.Elements(type, m_.payloads.AddCopy(bytes), splat)}});
}

ValueId ShapeLegalizer::AsI32(ValueId value) {
  const TypeId type = m_.TypeOf(value);
  if (IsIndex(type)) {
    const auto number = IndexConstant(value);
    return number ? Constant({}, {&*number, 1}) : Cast(value, I32Tensor({}));
  }
  const auto tensor = m_.As<TensorType>(type);
  const std::vector<int64_t> shape(tensor->shape.begin(), tensor->shape.end());
  return Cast(value, I32Tensor(shape));
}

ValueId ShapeLegalizer::NumElements() {
  const int64_t count = IndicesOf(operand_type(0));
  if (count < 0 || !IsIndex(result_type())) return {};
  const ValueId sizes = AsI32(operand(0));
  const int64_t one = 1;
  ValueId product = Constant({}, {&one, 1});
  for (int64_t i = 0; i < count; ++i) {
    Tick(16);
    const ValueId factors[] = {product, Slice(sizes, {&i, 1})};
    product = Emit(ops::kMultiply, factors, I32Tensor({}));
  }
  return Cast(product, result_type());
}

ValueId ShapeLegalizer::ShapeOf() {
  const ShapedType shaped(m_, operand_type(0));
  if (!shaped.ranked || IndicesOf(result_type()) != shaped.rank()) return {};
  const int64_t rank = shaped.rank(), one = 1;
  const ValueId value = operand(0);
  std::vector<ValueId> sizes;
  for (int64_t i = 0; i < rank; ++i) {
    const ValueId size = Emit(ops::kGetDimensionSize, {&value, 1}, I32Tensor({}), {{"dimension", m_.I64(i)}});
    sizes.push_back(Emit(ops::kReshape, {&size, 1}, I32Tensor({&one, 1})));
  }
  return Cast(rank == 0 ? Constant({&rank, 1}, {}) : Concatenate(sizes, rank), result_type());
}

ValueId ShapeLegalizer::TensorDim() {
  const ShapedType shaped(m_, operand_type(0));
  const auto dim = IndexConstant(operand(1));
  if (!shaped.ranked || !dim || *dim < 0 || *dim >= shaped.rank()) return {};
  const ValueId value = operand(0);
  return Cast(Emit(ops::kGetDimensionSize, {&value, 1}, I32Tensor({}), {{"dimension", m_.I64(*dim)}}),
              result_type());
}

ValueId ShapeLegalizer::FromElements() {
  const auto tensor = m_.As<TensorType>(result_type());
  if (!tensor || tensor->shape.size() > 1 || num_operands() == 0) return {};
  const TypeKind kind = m_.types.KindOf(tensor->element);
  if (tensor->shape.empty()) {
    if (kind != TypeKind::kIndex && kind != TypeKind::kI32 && kind != TypeKind::kI64) return {};
    return Cast(IsIndex(operand_type(0)) ? AsI32(operand(0)) : operand(0), result_type());
  }
  if (kind != TypeKind::kIndex) return {};
  const int64_t one = 1, count = int64_t(num_operands());
  std::vector<ValueId> elements;
  for (int64_t i = 0; i < count; ++i) {
    const ValueId element = operand(size_t(i));
    if (const auto number = IndexConstant(element)) {
      elements.push_back(Constant({&one, 1}, {&*number, 1}));
      continue;
    }
    const ValueId scalar = AsI32(element);
    elements.push_back(Emit(ops::kReshape, {&scalar, 1}, I32Tensor({&one, 1})));
  }
  return Cast(Concatenate(elements, count), result_type());
}

ValueId ShapeLegalizer::Broadcast() {
  if (num_operands() != 2) return {};
  const int64_t sizes[] = {IndicesOf(operand_type(0)), IndicesOf(operand_type(1))};
  const int64_t rank = std::max(sizes[0], sizes[1]);
  if (sizes[0] < 0 || sizes[1] < 0 || IndicesOf(result_type()) != rank) return {};
  ValueId shapes[] = {AsI32(operand(0)), AsI32(operand(1))};
  for (size_t i = 0; i < 2; ++i) {
    const int64_t missing = rank - sizes[i];
    if (missing == 0) continue;
    const std::vector<int64_t> ones(size_t(missing), 1);
    const ValueId parts[] = {Constant({&missing, 1}, ones), shapes[i]};
    shapes[i] = Concatenate(parts, rank);
  }
  return Cast(Emit(ops::kMaximum, shapes, I32Tensor({&rank, 1})), result_type());
}

ValueId ShapeLegalizer::ConstShape() {
  const auto sizes = IntegersOf(m_, m_.InherentAttrOf(editor_[op_], "shape"));
  const int64_t rank = sizes ? int64_t(sizes->size()) : 0;
  if (!sizes || IndicesOf(result_type()) != rank) return {};
  return Cast(Constant({&rank, 1}, *sizes), result_type());
}

ValueId ShapeLegalizer::IndexCast() {
  const TypeId from = operand_type(0), to = result_type();
  const TypeKind from_kind = m_.types.KindOf(ElementOf(m_, from)),
                 to_kind = m_.types.KindOf(ElementOf(m_, to));
  const bool to_index = to_kind == TypeKind::kIndex;
  const TypeKind other = to_index ? from_kind : to_kind;
  if (other != TypeKind::kI32 && other != TypeKind::kI64) return {};
  const auto tensor = m_.As<TensorType>(from);
  if (tensor && !IsStatic(tensor->shape)) return {};
  const std::vector<int64_t> shape =
      tensor ? std::vector<int64_t>(tensor->shape.begin(), tensor->shape.end()) : std::vector<int64_t>();
  if (!tensor && m_.As<TensorType>(to)) return {};
  const TypeId other_tensor = m_.TensorType(shape, m_.Type(other));
  ValueId value = to_index ? Cast(operand(0), other_tensor) : AsI32(operand(0));
  if (other == TypeKind::kI64)
    value = Emit(ops::kConvert, {&value, 1}, to_index ? I32Tensor(shape) : other_tensor);
  return Cast(value, to);
}

ValueId ShapeLegalizer::Multiply() {
  if (!IsIndex(result_type())) return {};
  const ValueId factors[] = {AsI32(operand(0)), AsI32(operand(1))};
  return Cast(Emit(ops::kMultiply, factors, I32Tensor({})), result_type());
}

ValueId ShapeLegalizer::Extract() {
  const auto tensor = m_.As<TensorType>(operand_type(0));
  if (!tensor || !IsStatic(tensor->shape) || num_operands() != tensor->shape.size() + 1) return {};
  const TypeKind kind = m_.types.KindOf(tensor->element);
  if (kind != TypeKind::kIndex && kind != TypeKind::kI32 && kind != TypeKind::kI64) return {};
  std::vector<int64_t> start;
  for (size_t i = 1; i < num_operands(); ++i) {
    const auto index = IndexConstant(operand(i));
    if (!index || *index < 0 || *index >= tensor->shape[i - 1]) return {};
    start.push_back(*index);
  }
  const ValueId value = kind == TypeKind::kIndex ? AsI32(operand(0)) : operand(0);
  return Cast(Slice(value, start), result_type());
}

Result<void> ShapeLegalizer::Run(const Source* source) {
  const std::vector<OpId> ops = editor_.Ops();
  for (const OpId op : ops) {
    Tick(16);
    const std::string_view name = m_.NameOf(editor_[op]);
    const auto row = std::ranges::find(kRows, name, &Row::name);
    const bool illegal = name.starts_with("shape.") || name.starts_with("tensor.");
    if (row == std::end(kRows) && !illegal) continue;
    op_ = op;
    editor_.InsertBefore(op);
    const bool fits = row != std::end(kRows) && m_.NumResults(editor_[op]) == 1;
    const ValueId value = fits ? (this->*row->rewrite)() : ValueId();
    if (!value)
      // Mirrors MLIR.
      return Error(
          ErrorAtOp(editor_, op, source, Code::kUnsupported,
                    StrFormat("failed to legalize operation '{}' that was explicitly marked illegal", name)));
    editor_.Replace(op, std::array{value});
  }
  // Casts and constants that nothing uses any more.
  const std::vector<OpId> left = editor_.Ops();
  for (size_t i = left.size(); i-- > 0;) {
    const Op& op = editor_[left[i]];
    if ((m_.Is(op, ops::kCast) || m_.Is(op, ops::kArithConstant)) && !editor_.HasUses(left[i]))
      editor_.Erase(left[i]);
  }
  return {};
}

}  // namespace

Result<void> LegalizeShape(const PassRun& run, Program* program) {
  return Guarded(run.limits, [&]() -> Result<void> {
    ModuleEditor editor(program->module);
    if (auto done = ShapeLegalizer(&editor).Run(&program->source); !done) return done;
    program->module = std::move(editor).Finish(&program->source.places);
    return {};
  });
}

}  // namespace shlo::rewrite
