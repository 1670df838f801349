// dot, dot_general and convolution of quantized values as products of their stored integers in i32:
//
//   result = product * scale - offset * scale + result zero point
//   scale  = lhs scale * rhs scale / result scale
//   offset = rhs zero point * sums of lhs + lhs zero point * sums of rhs - both zero points * terms per sum
//
// and hybrid products, of floats and quantized weights, which are dequantized.
#include <algorithm>
#include <array>
#include <cmath>

#include "ir/table/ops.h"
#include "rewrite/quant/quant_math.h"
#include "rewrite/quant/quant_rows.h"

namespace shlo::rewrite {
namespace {

using Dims = std::vector<int64_t>;

// Scales that differ by less are taken as equal, as in the reference.
constexpr double kEqualScales = 0.001;

bool Has(const Dims& dims, int64_t dim) { return std::ranges::find(dims, dim) != dims.end(); }

// One operand of a product.
struct Side {
  Dims batching;
  Dims summed;        // contracting and spatial dimensions
  int64_t first = 0;  // dimension of the result that its first other dimension becomes
};

struct Product {
  Side lhs, rhs;
};

// The types of a product.
struct ProductTypes {
  QuantizedType lhs, rhs, result;

  ProductTypes(const Legalizer& l, OpId op)
      : lhs(l.from(), ElementOf(l.from(), l.OperandType(op, 0))),
        rhs(l.from(), ElementOf(l.from(), l.OperandType(op, 1))),
        result(l.from(), ElementOf(l.from(), l.ResultType(op))) {}
  bool IsQuantized() const {
    return lhs.ok && !lhs.per_axis && rhs.ok && result.ok && rhs.per_axis == result.per_axis;
  }
  bool IsHybrid() const { return !lhs.ok && rhs.ok && !result.ok; }
};

Dims ShapeOf(Legalizer& l, TypeId type) {
  const ShapedType shaped(l.out(), type);
  return {shaped.shape.begin(), shaped.shape.end()};
}

TypeId I32Like(Legalizer& l, TypeId type) { return l.WithElement(type, TypeKind::kI32); }
TypeId F32Like(Legalizer& l, TypeId type) { return l.WithElement(type, TypeKind::kF32); }

// Emits the part of a product that its zero points add.
class ZeroPointOffset {
 public:
  ZeroPointOffset(Legalizer& l, ValueId product) : l_(l), product_(product) {}

  // Returns none if both zero points are 0.
  ValueId Emit(const Product& dims, ValueId lhs, ValueId rhs, int64_t lhs_zero_point,
               int64_t rhs_zero_point) {
    ValueId offset;
    if (rhs_zero_point != 0) offset = Contribution(lhs, dims.lhs, rhs_zero_point);
    if (lhs_zero_point != 0) {
      const ValueId added = Contribution(rhs, dims.rhs, lhs_zero_point);
      offset = offset ? l_.Emit(ops::kAdd, {offset, added}, l_.TypeOf(offset)) : added;
    }
    if (lhs_zero_point == 0 || rhs_zero_point == 0) return offset;
    const ValueId common = Common(rhs, dims.rhs.summed, lhs_zero_point, rhs_zero_point);
    return EmitBroadcasting(l_, ops::kChloBroadcastSubtract, offset, common, l_.TypeOf(offset));
  }

 private:
  // Returns the sums of an operand times a zero point, in the shape of the product.
  ValueId Contribution(ValueId operand, const Side& side, int64_t zero_point) {
    const Dims shape = ShapeOf(l_, l_.TypeOf(operand));
    Dims sums, broadcast;
    int64_t batching = 0, other = side.first;
    for (int64_t d = 0; d < int64_t(shape.size()); ++d) {
      if (Has(side.summed, d)) continue;
      sums.push_back(shape[size_t(d)]);
      broadcast.push_back(Has(side.batching, d) ? batching++ : other++);
    }
    const TypeId i32 = l_.out().Type(TypeKind::kI32), type = l_.out().TensorType(sums, i32);
    const ValueId integers = l_.Emit(ops::kConvert, {operand}, I32Like(l_, l_.TypeOf(operand)));
    const ValueId zero = l_.Integer(0);
    const RegionId add = l_.AddRegion(i32);
    const OpId reduce = l_.Insert({.revision = RevisionAt(ops::kReduce, l_.from().version),
                                   .operands = std::array{integers, zero},
                                   .results = {&type, 1},
                                   .regions = {&add, 1}},
                                  {{"dimensions", l_.out().I64s(side.summed)}});
    const ValueId sum = l_.out().ResultOf(l_.editor()[reduce], 0);
    return Broadcast(EmitBroadcasting(l_, ops::kChloBroadcastMultiply, sum, l_.Integer(zero_point), type),
                     broadcast);
  }

  ValueId Broadcast(ValueId value, const Dims& dims) {
    const TypeId type = l_.TypeOf(product_);
    const AttrId to = l_.out().I64s(dims);
    if (ShapedType(l_.out(), type).IsStatic())
      return l_.Emit(ops::kBroadcastInDim, {value}, type, {{"broadcast_dimensions", to}});
    return l_.Emit(ops::kDynamicBroadcastInDim, {value, Extents()}, type, {{"broadcast_dimensions", to}});
  }

  // Returns the shape of the product.
  ValueId Extents() {
    if (extents_) return extents_;
    const Dims shape = ShapeOf(l_, l_.TypeOf(product_));
    const int64_t one = 1, rank = int64_t(shape.size());
    const TypeId i64 = l_.out().Type(TypeKind::kI64), vector = l_.out().TensorType({&one, 1}, i64);
    std::vector<ValueId> sizes;
    for (int64_t d = 0; d < rank; ++d) {
      if (shape[size_t(d)] != kDynamic) {
        const AttrId size = l_.out().I64Elements({&one, 1}, {&shape[size_t(d)], 1});
        sizes.push_back(l_.Emit(ops::kConstant, {}, vector, {{"value", size}}));
        continue;
      }
      const ValueId size = l_.Emit(ops::kConvert, {SizeOf(product_, d)}, l_.out().TensorType({}, i64));
      sizes.push_back(l_.Emit(ops::kReshape, {size}, vector));
    }
    return extents_ = l_.Emit(ops::kConcatenate, sizes, l_.out().TensorType({&rank, 1}, i64),
                              {{"dimension", l_.out().I64(0)}});
  }

  ValueId SizeOf(ValueId value, int64_t dim) {
    return l_.Emit(ops::kGetDimensionSize, {value}, l_.out().TensorType({}, l_.out().Type(TypeKind::kI32)),
                   {{"dimension", l_.out().I64(dim)}});
  }

  // Returns both zero points times the number of terms per sum, in i32, which wraps around.
  ValueId Common(ValueId rhs, const Dims& summed, int64_t lhs_zero_point, int64_t rhs_zero_point) {
    const TypeId scalar = l_.out().TensorType({}, l_.out().Type(TypeKind::kI32));
    const Dims shape = ShapeOf(l_, l_.TypeOf(rhs));
    uint32_t count = 1;
    ValueId dynamic = l_.Integer(1);
    bool is_dynamic = false;
    for (const int64_t d : summed) {
      if (shape[size_t(d)] != kDynamic) {
        count *= uint32_t(shape[size_t(d)]);
        continue;
      }
      is_dynamic = true;
      dynamic = l_.Emit(ops::kMultiply, {dynamic, SizeOf(rhs, d)}, scalar);
    }
    const ValueId common = l_.Integer(int64_t(uint32_t(lhs_zero_point) * uint32_t(rhs_zero_point) * count));
    return is_dynamic ? l_.Emit(ops::kMultiply, {common, dynamic}, scalar) : common;
  }

  Legalizer& l_;
  const ValueId product_;
  ValueId extents_;
};

// Multiplies integers by a scale in f32.
ValueId EmitScaled(Legalizer& l, ValueId integers, ValueId scale) {
  const TypeId type = l.TypeOf(integers), f32 = F32Like(l, type);
  const ValueId numbers = l.Emit(ops::kConvert, {integers}, f32);
  return l.Emit(ops::kConvert, {EmitBroadcasting(l, ops::kChloBroadcastMultiply, numbers, scale, f32)}, type);
}

// Replaces an op by its result, from the product of the stored integers `lhs` and `rhs`.
void FinishProduct(Legalizer& l, OpId op, const Product& dims, ValueId lhs, ValueId rhs, ValueId product) {
  const ProductTypes types(l, op);
  const TypeId i32 = l.TypeOf(product);
  ValueId offset =
      ZeroPointOffset(l, product)
          .Emit(dims, lhs, rhs, types.lhs.zero_points[0], types.rhs.per_axis ? 0 : types.rhs.zero_points[0]);
  // Per axis, the scales of rhs and result are proportional.
  const double scale = types.lhs.scales[0] * types.rhs.scales[0] / types.result.scales[0];
  if (std::abs(scale - 1) > kEqualScales) {
    const ValueId factor = l.Float(scale);
    product = EmitScaled(l, product, factor);
    if (offset) offset = EmitScaled(l, offset, factor);
  }
  ValueId added = l.Integer(types.result.per_axis ? 0 : types.result.zero_points[0]);
  if (offset) added = EmitBroadcasting(l, ops::kChloBroadcastSubtract, added, offset, i32);
  product = EmitBroadcasting(l, ops::kChloBroadcastAdd, product, added, i32);
  l.Replace(l.Emit(ops::kConvert, {product}, StorageType(l.out(), l.ResultType(op))));
}

Legalizer::Outcome LowerHybrid(Legalizer& l, OpId op) {
  const ProductTypes types(l, op);
  // The barrier keeps weights from being dequantized at compile time.
  const ValueId weights = l.Operand(op, 1);
  const ValueId stored = l.Emit(ops::kOptimizationBarrier, {weights}, l.TypeOf(weights));
  const ValueId scales = EmitScales(l, types.rhs), zero_points = EmitFloatZeroPoints(l, types.rhs);
  const TypeId f32 = F32Like(l, l.TypeOf(weights));
  ValueId numbers = l.Emit(ops::kConvert, {stored}, f32);
  if (HasZeroPoint(types.rhs))
    numbers = EmitBroadcasting(l, ops::kChloBroadcastSubtract, numbers, zero_points, f32, types.rhs);
  numbers = EmitBroadcasting(l, ops::kChloBroadcastMultiply, numbers, scales, f32, types.rhs);
  const TypeId result = l.ResultType(op);
  const OpId product = l.EmitSame(std::array{l.Operand(op, 0), numbers}, {&result, 1});
  l.Replace(l.out().ResultOf(l.editor()[product], 0));
  return Legalizer::kDone;
}

Dims DimsOf(const Legalizer& l, OpId op, std::string_view name) {
  Dims dims;
  l.from().AsI64s(l.from().InherentAttrOf(l[op], name), &dims);
  return dims;
}

int64_t DimOf(const Legalizer& l, OpId op, std::string_view name) {
  int64_t dim = -1;
  l.from().AsInteger(l.from().InherentAttrOf(l[op], name), &dim);
  return dim;
}

// A layout of convolutions, for one number of spatial dimensions.
struct ConvLayout {
  size_t spatial;
  int64_t feature, first_spatial;  // of input and output
  int64_t kernel_input, kernel_output, kernel_first_spatial;
};
constexpr ConvLayout kConvLayouts[] = {
    {2, 3, 1, 2, 3, 0},  // [b, 0, 1, f]x[0, 1, i, o]
    {2, 1, 2, 1, 0, 2},  // [b, f, 0, 1]x[o, i, 0, 1]
    {3, 4, 1, 3, 4, 0},  // [b, 0, 1, 2, f]x[0, 1, 2, i, o]
};

Dims Counted(int64_t first, size_t count) {
  Dims dims;
  for (size_t i = 0; i < count; ++i) dims.push_back(first + int64_t(i));
  return dims;
}

const ConvLayout* LayoutOf(const Legalizer& l, OpId op) {
  for (const ConvLayout& layout : kConvLayouts) {
    const Dims spatial = Counted(layout.first_spatial, layout.spatial);
    if (DimOf(l, op, "input_batch_dimension") == 0 && DimOf(l, op, "output_batch_dimension") == 0 &&
        DimOf(l, op, "input_feature_dimension") == layout.feature &&
        DimOf(l, op, "output_feature_dimension") == layout.feature &&
        DimOf(l, op, "kernel_input_feature_dimension") == layout.kernel_input &&
        DimOf(l, op, "kernel_output_feature_dimension") == layout.kernel_output &&
        DimsOf(l, op, "input_spatial_dimensions") == spatial &&
        DimsOf(l, op, "output_spatial_dimensions") == spatial &&
        DimsOf(l, op, "kernel_spatial_dimensions") == Counted(layout.kernel_first_spatial, layout.spatial))
      return &layout;
  }
  return nullptr;
}

// Returns whether the scales of rhs and result have the same ratio in each channel, the last dimension of
// rhs.
bool HasProportionalScales(const QuantizedType& rhs, const QuantizedType& result, int64_t rank) {
  if (rhs.dimension != rank - 1 || rhs.scales.size() != result.scales.size()) return false;
  const double first = result.scales[0] / rhs.scales[0];
  for (size_t i = 0; i < rhs.scales.size(); ++i)
    if (std::abs((result.scales[i] / rhs.scales[i] - first) / first) > kEqualScales) return false;
  return true;
}

bool CanMultiplyStored(const Legalizer& l, OpId op, const ProductTypes& types) {
  const ShapedType rhs(l.from(), l.OperandType(op, 1));
  if (HasZeroPoint(types.rhs)) return false;
  if (types.rhs.per_axis &&
      (HasZeroPoint(types.result) || !HasProportionalScales(types.rhs, types.result, rhs.rank())))
    return false;
  return std::ranges::all_of(DimsOf(l, op, "lhs_dilation"), [](int64_t dilation) { return dilation == 1; });
}

// Pads an operand with its zero point, and returns it; none if the sizes do not allow that.
ValueId EmitPadded(Legalizer& l, OpId op, ValueId lhs, const ConvLayout& layout, const Dims& padding) {
  const QuantizedType q(l.from(), ElementOf(l.from(), l.OperandType(op, 0)));
  Dims shape = ShapeOf(l, l.TypeOf(lhs));
  Dims low(shape.size()), high(shape.size()), interior(shape.size());
  for (size_t i = 0; i < layout.spatial; ++i) {
    const size_t d = size_t(layout.first_spatial) + i;
    low[d] = padding[2 * i];
    high[d] = padding[2 * i + 1];
    if (shape[d] == kDynamic) continue;
    shape[d] = int64_t(uint64_t(shape[d]) + uint64_t(low[d]) + uint64_t(high[d]));
    if (shape[d] < 0) return {};
  }
  const TypeId scalar = l.out().TensorType({}, q.storage);
  const int64_t bytes = q.zero_points[0];
  const std::string_view payload(reinterpret_cast<const char*>(&bytes),
                                 std::min<size_t>(sizeof bytes, l.out().ElementBytes(q.storage)));
  const AttrId zero_point = l.out().Elements(scalar, l.out().payloads.AddCopy(payload), /*splat=*/true);
  const ValueId value = l.Emit(ops::kConstant, {}, scalar, {{"value", zero_point}});
  return l.Emit(ops::kPad, {lhs, value}, l.out().TensorType(shape, q.storage),
                {{"edge_padding_low", l.out().I64s(low)},
                 {"edge_padding_high", l.out().I64s(high)},
                 {"interior_padding", l.out().I64s(interior)}});
}

}  // namespace

Legalizer::Outcome LowerDot(Legalizer& l, OpId op) {
  const ProductTypes types(l, op);
  if (types.IsHybrid()) return LowerHybrid(l, op);
  if (!types.IsQuantized()) return Legalizer::kLegal;
  const bool general = l.from().Is(l[op], ops::kDotGeneral);
  const Dims lhs_contracting = general ? DimsOf(l, op, "lhs_contracting_dimensions") : Dims{1};
  const Dims rhs_contracting = general ? DimsOf(l, op, "rhs_contracting_dimensions") : Dims{0};
  const Dims lhs_batching = DimsOf(l, op, "lhs_batching_dimensions");
  const ValueId lhs = l.Operand(op, 0), rhs = l.Operand(op, 1);
  const int64_t rank = ShapedType(l.out(), l.TypeOf(lhs)).rank();
  const Product dims{
      {lhs_batching, lhs_contracting, int64_t(lhs_batching.size())},
      {DimsOf(l, op, "rhs_batching_dimensions"), rhs_contracting, rank - int64_t(lhs_contracting.size())}};
  const TypeId i32 = I32Like(l, l.ResultType(op));
  const ValueId operands[] = {lhs, rhs};
  const OpId product =
      general ? l.EmitSame(operands, {&i32, 1})
              : l.Insert({.revision = RevisionAt(ops::kDotGeneral, l.from().version),
                          .operands = operands,
                          .results = {&i32, 1},
                          .discardable_attrs = l.from().DiscardableAttrsOf(l[op])},
                         {{"lhs_batching_dimensions", l.out().I64s({})},
                          {"rhs_batching_dimensions", l.out().I64s({})},
                          {"lhs_contracting_dimensions", l.out().I64s(lhs_contracting)},
                          {"rhs_contracting_dimensions", l.out().I64s(rhs_contracting)},
                          {"precision_config", l.from().InherentAttrOf(l[op], "precision_config")}});
  FinishProduct(l, op, dims, lhs, rhs, l.out().ResultOf(l.editor()[product], 0));
  return Legalizer::kDone;
}

Legalizer::Outcome LowerConvolution(Legalizer& l, OpId op) {
  const ProductTypes types(l, op);
  if (types.IsHybrid()) return LowerHybrid(l, op);
  const ConvLayout* const layout = LayoutOf(l, op);
  if (!types.IsQuantized() || !layout || !CanMultiplyStored(l, op, types)) return Legalizer::kLegal;
  ValueId lhs = l.Operand(op, 0);
  const ValueId rhs = l.Operand(op, 1);
  Dims padding = DimsOf(l, op, "padding");
  AttrId attr = l.from().InherentAttrOf(l[op], "padding");
  if (std::ranges::any_of(padding, [](int64_t size) { return size != 0; })) {
    lhs = EmitPadded(l, op, lhs, *layout, padding);
    if (!lhs) return Legalizer::kLegal;
    const int64_t shape[] = {int64_t(layout->spatial), 2};
    std::ranges::fill(padding, 0);
    attr = l.out().I64Elements(shape, padding);
  }
  const TypeId i32 = I32Like(l, l.ResultType(op));
  const OpId product = l.EmitSame(std::array{lhs, rhs}, {&i32, 1}, {{"padding", attr}});
  Dims summed = Counted(layout->kernel_first_spatial, layout->spatial);
  summed.push_back(layout->kernel_input);
  std::ranges::sort(summed);
  FinishProduct(l, op, {{}, {{}, summed, layout->feature}}, lhs, rhs,
                l.out().ResultOf(l.editor()[product], 0));
  return Legalizer::kDone;
}

}  // namespace shlo::rewrite
