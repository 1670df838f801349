#include "rewrite/shapes/reify.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/format.h"
#include "ir/table/ops.h"
#include "ir/table/trait.h"
#include "rewrite/shapes/sizes.h"
#include "shlo/types.h"

namespace shlo::rewrite {
namespace {

using SizeList = std::vector<Size>;
using DimList = std::vector<int64_t>;

// An op with what the functions below ask of it. Operands are ranked.
class ShapeSource {
 public:
  ShapeSource(SizeBuilder& sizes, const Op& op) : sizes_(sizes), op_(op) {}
  std::string_view name() const { return sizes_.module().NameOf(op_); }
  ValueId In(size_t i) const { return sizes_.module().OperandsOf(op_)[i]; }
  size_t num_operands() const { return sizes_.module().NumOperands(op_); }
  ShapedType TypeOf(ValueId value) const { return {sizes_.module(), sizes_.module().TypeOf(value)}; }
  int64_t RankOf(size_t i) const { return TypeOf(In(i)).rank(); }
  DimList Ints(std::string_view name) const {
    DimList dims;
    sizes_.module().AsI64s(sizes_.module().InherentAttrOf(op_, name), &dims);
    return dims;
  }
  int64_t Int(std::string_view name) const {
    int64_t value = 0;
    sizes_.module().AsInteger(sizes_.module().InherentAttrOf(op_, name), &value);
    return value;
  }
  // Returns the sizes of an operand.
  SizeList DimsOf(size_t i) const {
    SizeList dims;
    for (int64_t d = 0; d < RankOf(i); ++d) dims.push_back(sizes_.DimOf(In(i), d));
    return dims;
  }
  SizeBuilder& sizes() const { return sizes_; }

 private:
  SizeBuilder& sizes_;
  const Op& op_;
};

bool Contains(const DimList& dims, int64_t d) { return std::ranges::find(dims, d) != dims.end(); }

SizeList BroadcastSizes(const ShapeSource& op) {
  SizeList sizes;
  for (const int64_t size : op.Ints("broadcast_sizes")) sizes.push_back({{}, size});
  for (const Size size : op.DimsOf(0)) sizes.push_back(size);
  return sizes;
}

SizeList ConcatenateSizes(const ShapeSource& op) {
  const size_t dimension = size_t(op.Int("dimension"));
  SizeList sizes = op.DimsOf(0);
  std::vector<Size> others;
  for (size_t i = 1; i < op.num_operands(); ++i)
    others.push_back(op.sizes().DimOf(op.In(i), int64_t(dimension)));
  for (const Size size : others) sizes[dimension] = op.sizes().Add(sizes[dimension], size);
  return sizes;
}

// The dimensions of operands that a result of dot or dot_general has, in order.
struct OperandDim {
  ValueId operand;
  int64_t dimension;
};
std::vector<OperandDim> DotDims(const ShapeSource& op) {
  DimList batching[2] = {op.Ints("lhs_batching_dimensions"), op.Ints("rhs_batching_dimensions")};
  DimList summed[2] = {op.Ints("lhs_contracting_dimensions"), op.Ints("rhs_contracting_dimensions")};
  if (op.name() == "stablehlo.dot") {
    summed[0] = {op.RankOf(0) - 1};
    summed[1] = {0};
  }
  std::vector<OperandDim> dims;
  for (const int64_t d : batching[0]) dims.push_back({op.In(0), d});
  for (size_t i = 0; i < 2; ++i)
    for (int64_t d = 0; d < op.RankOf(i); ++d)
      if (!Contains(batching[i], d) && !Contains(summed[i], d)) dims.push_back({op.In(i), d});
  return dims;
}

SizeList DotSizes(const ShapeSource& op) {
  SizeList sizes;
  for (const auto [operand, d] : DotDims(op)) sizes.push_back(op.sizes().DimOf(operand, d));
  return sizes;
}

// Offset dimensions have the sizes of slices, the others those of the indices.
SizeList GatherSizes(const ShapeSource& op) {
  const DimList offsets = op.Ints("offset_dims"), collapsed = op.Ints("collapsed_slice_dims"),
                batching = op.Ints("operand_batching_dims"), static_sizes = op.Ints("slice_sizes");
  const int64_t index_vector_dim = op.Int("index_vector_dim");
  SizeList slices, indices;
  for (int64_t d = 0; d < op.RankOf(0); ++d)
    if (!Contains(collapsed, d) && !Contains(batching, d))
      slices.push_back(op.num_operands() > 2 ? op.sizes().ElementOf(op.In(2), d)
                                             : Size{{}, static_sizes[size_t(d)]});
  for (int64_t d = 0; d < op.RankOf(1); ++d)
    if (d != index_vector_dim) indices.push_back(op.sizes().DimOf(op.In(1), d));
  SizeList sizes;
  size_t slice = 0, index = 0;
  while (sizes.size() < slices.size() + indices.size()) {
    const bool offset = Contains(offsets, int64_t(sizes.size()));
    if (offset ? slice == slices.size() : index == indices.size()) return {};
    sizes.push_back(offset ? slices[slice++] : indices[index++]);
  }
  return sizes;
}

Size PaddedSize(SizeBuilder& sizes, Size size, Size low, Size high, Size interior) {
  const bool dense = !interior.value && interior.number == 0;
  const Size inside = dense ? size : sizes.Add(sizes.Multiply(interior, sizes.Less1(size)), size);
  return sizes.Add(sizes.Add(inside, low), high);
}

SizeList PadSizes(const ShapeSource& op) {
  const DimList low = op.Ints("edge_padding_low"), high = op.Ints("edge_padding_high"),
                interior = op.Ints("interior_padding");
  SizeList sizes = op.DimsOf(0);
  for (size_t d = 0; d < sizes.size(); ++d) {
    sizes[d] = PaddedSize(op.sizes(), sizes[d], {{}, low[d]}, {{}, high[d]}, {{}, interior[d]});
  }
  return sizes;
}

SizeList DynamicPadSizes(const ShapeSource& op) {
  SizeList sizes;
  for (int64_t d = 0; d < op.RankOf(0); ++d) {
    const Size size = op.sizes().DimOf(op.In(0), d);
    const Size low = op.sizes().ElementOf(op.In(2), d), high = op.sizes().ElementOf(op.In(3), d);
    sizes.push_back(PaddedSize(op.sizes(), size, low, high, op.sizes().ElementOf(op.In(4), d)));
  }
  return sizes;
}

// (limit - start) / stride, rounded up.
SizeList RealDynamicSliceSizes(const ShapeSource& op) {
  SizeBuilder& s = op.sizes();
  SizeList sizes;
  for (int64_t d = 0; d < op.RankOf(0); ++d) {
    const Size start = s.ElementOf(op.In(1), d), limit = s.ElementOf(op.In(2), d);
    const Size stride = s.ElementOf(op.In(3), d);
    sizes.push_back(s.Divide(s.Subtract(s.Add(stride, s.Subtract(limit, start)), {{}, 1}), stride));
  }
  return sizes;
}

SizeList ReduceSizes(const ShapeSource& op) {
  const DimList reduced = op.Ints("dimensions");
  SizeList sizes;
  for (int64_t d = 0; d < op.RankOf(0); ++d)
    if (!Contains(reduced, d)) sizes.push_back(op.sizes().DimOf(op.In(0), d));
  return sizes;
}

SizeList TransposeSizes(const ShapeSource& op) {
  const SizeList dims = op.DimsOf(0);
  SizeList sizes;
  for (const int64_t d : op.Ints("permutation")) sizes.push_back(dims[size_t(d)]);
  return sizes;
}

// A row of schema/reified_shapes.inc: one of the four kinds.
struct ShapeRow {
  std::string_view op;
  int like = -1, is = -1;
  bool common = false;
  SizeList (*sizes)(const ShapeSource& op) = nullptr;
};
constexpr ShapeRow kShapeRows[] = {
#define SHLO_SHAPE_LIKE(op, operand) {op, operand, -1, false, nullptr},
#define SHLO_SHAPE_IS(op, operand) {op, -1, operand, false, nullptr},
#define SHLO_SHAPE_COMMON(op) {op, -1, -1, true, nullptr},
#define SHLO_SHAPE_SIZES(op, function) {op, -1, -1, false, function},
#include "schema/reified_shapes.inc"
};

// Returns the row of an op, or that of its class; nullptr if there is none.
const ShapeRow* FindShapeRow(const OpRow& op, const OpRevision& revision) {
  static constexpr ShapeRow kElementwise{.like = 0}, kCommon{.common = true};
  for (const ShapeRow& row : kShapeRows)
    if (row.op == op.name) return &row;
  if (revision.FindSlot("broadcast_dimensions") >= 0 && op.dialect == "chlo") return &kCommon;
  const bool elementwise = (op.Has(Trait::kElementwise) || op.Has(Trait::kCompatibleTypes)) &&
                           (op.dialect == "stablehlo" || op.dialect == "chlo");
  return elementwise ? &kElementwise : nullptr;
}

class Reifier {
 public:
  Reifier(ModuleEditor* editor, BlockId block, const Op& op)
      : editor_(*editor), op_(op), sizes_(editor, block) {}

  ValueId Run(std::string* warning) {
    const RevisionId revision = editor_.module().RevisionIdOf(op_);
    const ShapeRow* const row = revision ? FindShapeRow(RowOf(revision), RevisionOf(revision)) : nullptr;
    if (!row || editor_.module().NumOperands(op_) == 0) return {};
    if (row->common) return Common(warning);
    if (row->like >= 0) return ShapeOf(In(size_t(row->like)));
    if (row->is >= 0) return Ranked(In(size_t(row->is))) ? sizes_.AsIndices(In(size_t(row->is))) : ValueId();
    for (const ValueId operand : editor_.module().OperandsOf(op_))
      if (!Ranked(operand)) return {};
    const SizeList sizes = row->sizes(ShapeSource(sizes_, op_));
    const ShapedType result(editor_.module(), editor_.module().TypeOf(editor_.module().ResultOf(op_, 0)));
    if (result.ranked && size_t(result.rank()) != sizes.size()) return {};
    return sizes_.FromElements(sizes);
  }

 private:
  ValueId In(size_t i) const { return editor_.module().OperandsOf(op_)[i]; }
  ShapedType TypeOf(ValueId value) const { return {editor_.module(), editor_.module().TypeOf(value)}; }
  bool Ranked(ValueId value) const { return TypeOf(value).ranked; }

  TypeId ExtentsType(int64_t rank) {
    Module& m = editor_.module();
    return m.TensorType({&rank, 1}, m.Type(TypeKind::kIndex));
  }
  ValueId ShapeOf(ValueId value) {
    const ShapedType type = TypeOf(value);
    if (!type.shaped) return {};
    return sizes_.Emit("shape.shape_of", std::span(&value, 1),
                       ExtentsType(type.ranked ? type.rank() : kDynamic));
  }

  // Returns whether `dimensions` put the smaller operand at the last dimensions, as NumPy does.
  bool LikeNumpy(const DimList& dimensions) const {
    if (!Ranked(In(0)) || !Ranked(In(1))) return false;
    const int64_t a = TypeOf(In(0)).rank(), b = TypeOf(In(1)).rank();
    DimList last(size_t(std::min(a, b)));
    std::iota(last.begin(), last.end(), std::max(a, b) - std::min(a, b));
    return dimensions == last;
  }

  ValueId Common(std::string* warning) {
    const auto operands = editor_.module().OperandsOf(op_);
    const std::vector<ValueId> inputs(operands.begin(), operands.end());
    if (const AttrId written = editor_.module().InherentAttrOf(op_, "broadcast_dimensions")) {
      DimList dimensions;
      editor_.module().AsI64s(written, &dimensions);
      if (inputs.size() != 2 || !LikeNumpy(dimensions)) {
        // Mirrors MLIR.
        *warning =
            StrFormat("unsupported non prefix-padded dynamic rank broadcast_dimensions = array<i64: {}>",
                      fmt::join(dimensions, ", "));
        return {};
      }
    }
    int64_t rank = 0;
    std::vector<ValueId> shapes;
    shapes.reserve(inputs.size());
    for (const ValueId input : inputs) {
      const ShapedType type = TypeOf(input);
      if (!type.shaped) return {};
      rank = !type.ranked || rank == kDynamic ? kDynamic : std::max(rank, type.rank());
    }
    for (const ValueId input : inputs) shapes.push_back(ShapeOf(input));
    return sizes_.Emit("shape.broadcast", shapes, ExtentsType(rank));
  }

  ModuleEditor& editor_;
  const Op op_;  // a copy: ops are inserted
  SizeBuilder sizes_;
};

}  // namespace

TypeId TypeOfDot(ModuleEditor* editor, OpId id) {
  Module& m = editor->module();
  const Op op = m.ops[id.v];
  if (!m.Is(op, ops::kDot) && !m.Is(op, ops::kDotGeneral)) return {};
  for (const ValueId operand : m.OperandsOf(op))
    if (!ShapedType(m, m.TypeOf(operand)).ranked) return {};
  SizeBuilder sizes(editor, op.parent);
  DimList shape, bounds;
  bool bounded = false;
  for (const auto [operand, d] : DotDims(ShapeSource(sizes, op))) {
    const ShapedType type(m, m.TypeOf(operand));
    shape.push_back(type.dim(d));
    bounds.push_back(type.bound(d));
    bounded |= type.bound(d) != kDynamic;
  }
  const AttrId encoding = bounded ? m.Make(TypeExtensionsAttr{.bounds = bounds}) : AttrId();
  return m.TensorType(shape, m.Type(TypeKind::kIndex), encoding);
}

ValueId ReifyShape(ModuleEditor* editor, BlockId block, OpId op, std::string* warning) {
  return Reifier(editor, block, (*editor)[op]).Run(warning);
}

}  // namespace shlo::rewrite
