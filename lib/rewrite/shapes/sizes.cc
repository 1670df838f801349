#include "rewrite/shapes/sizes.h"

#include <vector>

#include "ir/table/ops.h"
#include "shlo/types.h"

namespace shlo::rewrite {
namespace {

// Numbers wrap around, as the ops do.
int64_t Wrapped(uint64_t number) { return int64_t(number); }

bool Is(Size size, int64_t number) { return !size.value && size.number == number; }

}  // namespace

TypeId SizeBuilder::Index() { return editor_.module().Type(TypeKind::kIndex); }

ValueId SizeBuilder::Emit(std::string_view name, std::span<const ValueId> operands, TypeId type,
                          std::initializer_list<ModuleEditor::Attr> attrs) {
  Module& m = editor_.module();
  OpSpec spec{.operands = operands, .results = {&type, 1}};
  const RowId row = FindOp(name);
  if (row)
    spec.revision = RevisionAt(row, m.version);
  else
    spec.name = m.strings.Intern(name);
  const OpId op = attrs.size() ? editor_.Insert(spec, attrs) : editor_.Insert(spec);
  // Text without these attributes means their defaults, too.
  const std::span<const Cell> cells = RevisionOf(spec.revision).attrs;
  for (size_t i = 0; i < cells.size(); ++i)
    if (cells[i].filled()) editor_.SetAttr(op, cells[i].name, m.DefaultOf(editor_[op], int(i)));
  return m.ResultOf(editor_[op], 0);
}

ValueId SizeBuilder::ValueOf(Size size) {
  if (size.value) return size.value;
  ValueId& known = constants_[size.number];
  if (known) return known;
  const TypeId index = Index();
  const OpId first = editor_.FirstOf(block_);
  known = Emit("arith.constant", {}, index, {{"value", editor_.module().Integer(index, size.number)}});
  const OpId constant = module().values[known.v].op;
  if (first && first != constant) editor_.MoveBefore(constant, first);
  return known;
}

Size SizeBuilder::DimOf(ValueId tensor, int64_t dimension) {
  const ShapedType type(module(), module().TypeOf(tensor));
  if (!type.IsDynamic(dimension)) return {{}, type.dim(dimension)};
  const ValueId operands[] = {tensor, ValueOf({{}, dimension})};
  return {Emit("tensor.dim", operands, Index())};
}

Size SizeBuilder::ElementOf(ValueId tensor, int64_t index) {
  const TypeId element = ShapedType(module(), module().TypeOf(tensor)).element;
  const ValueId operands[] = {tensor, ValueOf({{}, index})};
  const ValueId extracted = Emit("tensor.extract", operands, element);
  if (element == Index()) return {extracted};
  return {Emit("arith.index_cast", std::span(&extracted, 1), Index())};
}

Size SizeBuilder::Binary(std::string_view op, Size a, Size b) {
  const ValueId operands[] = {ValueOf(a), ValueOf(b)};
  return {Emit(op, operands, Index())};
}

Size SizeBuilder::Add(Size a, Size b) {
  if (Is(a, 0)) return b;
  if (Is(b, 0)) return a;
  if (!a.value && !b.value) return {{}, Wrapped(uint64_t(a.number) + uint64_t(b.number))};
  return Binary("arith.addi", a, b);
}

Size SizeBuilder::Subtract(Size a, Size b) {
  if (Is(b, 0)) return a;
  if (!a.value && !b.value) return {{}, Wrapped(uint64_t(a.number) - uint64_t(b.number))};
  return Binary("arith.subi", a, b);
}

Size SizeBuilder::Multiply(Size a, Size b) {
  if (Is(a, 0) || Is(b, 1)) return a;
  if (Is(b, 0) || Is(a, 1)) return b;
  if (!a.value && !b.value) return {{}, Wrapped(uint64_t(a.number) * uint64_t(b.number))};
  return Binary("arith.muli", a, b);
}

Size SizeBuilder::Divide(Size a, Size b) {
  if (Is(b, 1)) return a;
  return Binary("arith.divsi", a, b);
}

Size SizeBuilder::Less1(Size size) {
  if (!size.value) return {{}, size.number < 1 ? 0 : size.number - 1};
  constexpr int64_t kLess = 2;  // slt
  Module& m = editor_.module();
  const ValueId compared[] = {size.value, ValueOf({{}, 1})};
  const ValueId empty = Emit("arith.cmpi", compared, m.Type(TypeKind::kI1), {{"predicate", m.I64(kLess)}});
  const ValueId selected[] = {empty, ValueOf({{}, 0}), ValueOf(Subtract(size, {{}, 1}))};
  return {Emit("arith.select", selected, Index())};
}

ValueId SizeBuilder::FromElements(std::span<const Size> sizes) {
  std::vector<ValueId> values;
  for (const Size size : sizes) values.push_back(ValueOf(size));
  const int64_t rank = int64_t(sizes.size());
  return Emit("tensor.from_elements", values, editor_.module().TensorType({&rank, 1}, Index()));
}

ValueId SizeBuilder::AsIndices(ValueId shape) {
  const ShapedType type(module(), module().TypeOf(shape));
  if (type.element == Index()) return shape;
  const std::vector<int64_t> dims(type.shape.begin(), type.shape.end());
  return Emit("arith.index_cast", std::span(&shape, 1), editor_.module().TensorType(dims, Index()));
}

}  // namespace shlo::rewrite
