// chlo.ragged_dot: one dot_general per group.
#include <algorithm>
#include <numeric>

#include "versioning/expand/expander.h"

namespace shlo {
namespace {

constexpr int64_t kMaxGroups = 4096;  // each group has about ten ops

bool Contains(std::span<const int64_t> list, int64_t item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

class RaggedDot {
 public:
  RaggedDot(Expander& e, const Op& op) : e_(e), op_(op) {}

  std::string_view Expand() {
    // An op that verifies has one ragged dimension, a group dimension where it needs one, and dimensions in
    // range.
    const auto numbers = e_.from().Get<RaggedDotDimensionNumbersAttr>(
        e_.from().InherentAttrOf(op_, "ragged_dot_dimension_numbers"));
    const auto dims = [](std::span<const int64_t> list) { return Dims(list.begin(), list.end()); };
    lhs_batch_ = dims(numbers.lhs_batching_dimensions);
    rhs_batch_ = dims(numbers.rhs_batching_dimensions);
    lhs_contract_ = dims(numbers.lhs_contracting_dimensions);
    rhs_contract_ = dims(numbers.rhs_contracting_dimensions);
    const int64_t r = numbers.lhs_ragged_dimensions[0];
    const Values operands = e_.OperandsOf(op_);
    lhs_ = operands[0];
    rhs_ = operands[1];
    sizes_ = operands[2];
    for (TypeId element : {e_.ElementOf(lhs_), e_.ElementOf(rhs_), e_.ResultElementOf(op_)})
      if (IsQuantized(e_.out(), element)) return "there is no expansion for the element type";
    const Dims groups = e_.ShapeOf(sizes_);
    if (!e_.is_own() && !Contains(lhs_batch_, r))
      return Masked(r, Contains(lhs_contract_, r) ? -1 : numbers.rhs_group_dimensions[0], groups);
    // Groups of batches have no effect.
    if (Contains(lhs_batch_, r)) return Finish(Dot(lhs_, rhs_, rhs_batch_, rhs_contract_, ResultType()));
    if (groups.size() != 1) return "there are group sizes per batch";
    if (groups[0] == kDynamic) return "the number of groups is dynamic";
    if (groups[0] < 1 || groups[0] > kMaxGroups) return "there are more than 4096 groups, or none";
    if (Contains(lhs_contract_, r)) return Contracting(r, groups[0]);
    return Free(r, numbers.rhs_group_dimensions[0], groups[0]);
  }

 private:
  TypeId ResultType() const { return e_.ResultTypeOf(op_); }
  std::string_view Finish(ValueId result) {
    e_.Replace(op_, 0, result);
    return {};
  }

  ValueId Dot(ValueId lhs, ValueId rhs, const Dims& rhs_batch, const Dims& rhs_contract, TypeId type) {
    Module& m = e_.out();
    std::vector<AttrId> precisions;
    if (const AttrId written = e_.from().InherentAttrOf(op_, "precision_config"))
      for (AttrId precision : e_.from().ElementsOf(written).ToVector())
        precisions.push_back(m.Enum(AttrKind::kPrecision, m.EnumValue(precision).value_or(0)));
    return e_.Emit("stablehlo.dot_general", {lhs, rhs}, type,
                   {{"lhs_batching_dimensions", m.I64s(lhs_batch_)},
                    {"rhs_batching_dimensions", m.I64s(rhs_batch)},
                    {"lhs_contracting_dimensions", m.I64s(lhs_contract_)},
                    {"rhs_contracting_dimensions", m.I64s(rhs_contract)},
                    {"precision_config", precisions.empty() ? AttrId() : m.Array(precisions)}});
  }

  // Calls `body(group, start, limit)` with the range of each group in the ragged dimension, as scalars.
  template <typename Body>
  void ForEachGroup(int64_t groups, const Body& body) {
    ValueId start = e_.Integer(0);
    for (int64_t g = 0; g < groups; ++g) {
      const ValueId size = e_.Convert(e_.DropDimension(e_.Slice(sizes_, 0, g, g + 1), 0), e_.I64());
      const ValueId limit = e_.Apply("stablehlo.add", {start, size});
      body(g, start, limit);
      start = limit;
    }
  }

  // Returns where a dimension of `like` is in a range.
  ValueId Mask(ValueId like, int64_t dimension, ValueId start, ValueId limit) {
    const ValueId position = e_.IotaLike(like, dimension, e_.I64());
    return e_.Apply("stablehlo.and", {e_.Compare("GE", position, e_.BroadcastLike(start, {}, like)),
                                      e_.Compare("LT", position, e_.BroadcastLike(limit, {}, like))});
  }

  // A range of the rows of lhs per group, each with its own matrix. Every product has all rows; those of the
  // group are taken from it, which is exact.
  std::string_view Free(int64_t r, int64_t group_dimension, int64_t groups) {
    int64_t row = int64_t(lhs_batch_.size());
    for (int64_t d = 0; d < r; ++d) row += !Contains(lhs_batch_, d) && !Contains(lhs_contract_, d);
    ValueId result;
    ForEachGroup(groups, [&](int64_t g, ValueId start, ValueId limit) {
      const ValueId matrix = e_.DropDimension(e_.Slice(rhs_, group_dimension, g, g + 1), group_dimension);
      const ValueId product = Dot(lhs_, matrix, Without(rhs_batch_, group_dimension),
                                  Without(rhs_contract_, group_dimension), ResultType());
      if (!result) result = e_.ConstantLike(Scalar{}, e_.ElementOf(product), product);
      result = e_.Emit("stablehlo.select", {Mask(product, row, start, limit), product, result}, ResultType());
    });
    return Finish(result);
  }

  // A range of the contracting dimension per group, each with its own result. Both sides are zero outside of
  // it.
  std::string_view Contracting(int64_t r, int64_t groups) {
    const size_t at =
        size_t(std::find(lhs_contract_.begin(), lhs_contract_.end(), r) - lhs_contract_.begin());
    const int64_t rhs_ragged = rhs_contract_[at];
    const ShapedType type(e_.from(), ResultType());
    const Dims whole(type.shape.begin(), type.shape.end());
    const TypeId part = e_.Tensor(Dims(whole.begin() + 1, whole.end()), type.element);
    const auto masked = [&](ValueId value, int64_t dimension, ValueId start, ValueId limit) {
      const ValueId zero = e_.ConstantLike(Scalar{}, e_.ElementOf(value), value);
      return e_.Emit("stablehlo.select", {Mask(value, dimension, start, limit), value, zero},
                     e_.out().TypeOf(value));
    };
    Values parts;
    ForEachGroup(groups, [&](int64_t, ValueId start, ValueId limit) {
      const ValueId product = Dot(masked(lhs_, r, start, limit), masked(rhs_, rhs_ragged, start, limit),
                                  rhs_batch_, rhs_contract_, part);
      parts.push_back(e_.AddDimension(product, 0));
    });
    if (parts.size() == 1) return Finish(parts[0]);
    return Finish(e_.Emit("stablehlo.concatenate", parts, ResultType(), {{"dimension", e_.out().I64(0)}}));
  }

  // As the reference: a product per group, of lhs with zeros outside of the group. Groups of rows, which have
  // a matrix each, are added; those of a contracting dimension have a result each.
  std::string_view Masked(int64_t r, int64_t group_dimension, const Dims& groups) {
    const int64_t last = int64_t(groups.size()) - 1;
    if (groups.size() > lhs_batch_.size() + 1 || groups[size_t(last)] < 1 ||
        groups[size_t(last)] > kMaxGroups)
      return "there are more than 4096 groups, or none";
    const TypeId element = e_.ElementOf(sizes_);
    const Dims batch(groups.begin(), groups.end() - 1);
    if (!IsStatic(batch)) return "the number of groups is dynamic";
    const Dims spread(lhs_batch_.begin(), lhs_batch_.begin() + last);
    ValueId start = e_.Constant(std::string(e_.out().ElementBytes(element), '\0'), e_.Tensor(batch, element));
    const ValueId position = Position(r, element);
    const ValueId zero = e_.ConstantLike(Scalar{}, e_.ElementOf(lhs_), lhs_);
    const ShapedType type(e_.from(), ResultType());
    const TypeId part = group_dimension < 0
                            ? e_.Tensor(Dims(type.shape.begin() + 1, type.shape.end()), type.element)
                            : ResultType();
    Values parts;
    for (int64_t g = 0; g < groups[size_t(last)]; ++g) {
      const ValueId size = e_.DropDimension(e_.Slice(sizes_, last, g, g + 1), last);
      const ValueId limit = e_.Apply("stablehlo.add", {start, size});
      const ValueId from = e_.BroadcastLike(start, spread, lhs_), to = e_.BroadcastLike(limit, spread, lhs_);
      const ValueId at = e_.BroadcastLike(position, AllDims(), lhs_);
      const ValueId after = e_.Compare("GE", at, from), before = e_.Compare("LT", at, to);
      const ValueId mask = e_.Apply("stablehlo.and", {after, before});
      const ValueId masked = e_.Emit("stablehlo.select", {mask, lhs_, zero}, e_.out().TypeOf(lhs_));
      ValueId product;
      if (group_dimension < 0) {
        product = Dot(masked, rhs_, rhs_batch_, rhs_contract_, part);
      } else {
        const ValueId matrix = e_.DropDimension(e_.Slice(rhs_, group_dimension, g, g + 1), group_dimension);
        product = Dot(masked, matrix, Without(rhs_batch_, group_dimension),
                      Without(rhs_contract_, group_dimension), part);
      }
      if (group_dimension < 0 || parts.empty())
        parts.push_back(product);
      else
        parts[0] = e_.Apply("stablehlo.add", {parts[0], product});
      start = limit;
    }
    if (group_dimension >= 0) return Finish(parts[0]);
    for (ValueId& product : parts) product = AddGroup(product);
    return Finish(e_.Emit("stablehlo.concatenate", parts, ResultType(), {{"dimension", e_.out().I64(0)}}));
  }

  Dims AllDims() const {
    Dims dims(e_.ShapeOf(lhs_).size());
    std::iota(dims.begin(), dims.end(), 0);
    return dims;
  }
  // Returns the positions along a dimension of lhs; the others have the size 1.
  ValueId Position(int64_t r, TypeId element) {
    Dims shape(e_.ShapeOf(lhs_).size(), 1);
    const int64_t size = e_.ShapeOf(lhs_)[size_t(r)];
    shape[size_t(r)] = size;
    if (size != kDynamic) return e_.Iota(shape, r, element);
    const ValueId one = e_.ConstantDims({1});
    Values sizes(shape.size(), one);
    sizes[size_t(r)] = e_.RunTimeSize(lhs_, r);
    const ValueId extents =
        e_.Emit("stablehlo.concatenate", sizes, e_.Tensor({int64_t(sizes.size())}, e_.I64()),
                {{"dimension", e_.out().I64(0)}});
    return e_.Emit("stablehlo.dynamic_iota", {extents}, e_.Tensor(shape, element),
                   {{"iota_dimension", e_.out().I64(r)}});
  }
  ValueId AddGroup(ValueId product) {
    if (e_.Shaped(product).IsStatic()) return e_.AddDimension(product, 0);
    Values sizes{e_.ConstantDims({1})};
    Dims shape = e_.ShapeOf(product);
    for (size_t d = 0; d < shape.size(); ++d) sizes.push_back(e_.RunTimeSize(product, int64_t(d)));
    shape.insert(shape.begin(), 1);
    const ValueId extents =
        e_.Emit("stablehlo.concatenate", sizes, e_.Tensor({int64_t(sizes.size())}, e_.I64()),
                {{"dimension", e_.out().I64(0)}});
    return e_.Emit("stablehlo.dynamic_reshape", {product, extents}, e_.Tensor(shape, e_.ElementOf(product)));
  }

  // Returns dimensions after one of them is dropped.
  static Dims Without(Dims list, int64_t dropped) {
    for (int64_t& d : list) d -= d > dropped;
    return list;
  }

  Expander& e_;
  const Op& op_;
  ValueId lhs_, rhs_, sizes_;
  Dims lhs_batch_, rhs_batch_, lhs_contract_, rhs_contract_;
};

}  // namespace

std::string_view ExpandRaggedDot(Expander& e, const Op& op, OpId) { return RaggedDot(e, op).Expand(); }

}  // namespace shlo
