// The broadcast_* ops of CHLO, and constants: explicit broadcasts, then the op on equal shapes.
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "base/format.h"
#include "ir/table/ops.h"
#include "versioning/expand/expander.h"

namespace shlo {
namespace {

// A dimension of the common shape.
struct Extent {
  int64_t size = 1;  // kDynamic if it is not known
  int64_t bound = kDynamic;
  ValueId owner;          // the operand that has this size, for dynamic sizes
  int64_t dimension = 0;  // in the owner
  // Dimensions of other operands, one of which may have this size if the owner's is 1.
  std::vector<std::pair<ValueId, int64_t>> others;
};

class Broadcasting {
 public:
  Broadcasting(Expander& e, const Values& operands) : e_(e), operands_(operands) {}

  // Returns the reason why the operands cannot be broadcast, or "".
  std::string_view Plan(const Op& op) {
    size_t rank = 0;
    for (ValueId operand : operands_) rank = std::max(rank, e_.ShapeOf(operand).size());
    extents_.resize(rank);
    const Dims written = e_.DimsOf(op, "broadcast_dimensions");
    for (ValueId operand : operands_) {
      const Dims shape = e_.ShapeOf(operand), bounds = e_.BoundsOf(operand);
      Dims to;
      if (shape.size() < rank && !shape.empty() && e_.from().InherentAttrOf(op, "broadcast_dimensions"))
        to = written;
      else
        for (size_t d = 0; d < shape.size(); ++d) to.push_back(int64_t(rank - shape.size() + d));
      if (to.size() != shape.size()) return "broadcast_dimensions does not match the operands";
      for (size_t d = 0; d < shape.size(); ++d) {
        if (to[d] < 0 || to[d] >= int64_t(rank)) return "broadcast_dimensions does not match the operands";
        const int64_t bound = bounds.empty() ? kDynamic : bounds[d];
        if (const std::string_view reason =
                Add(&extents_[size_t(to[d])], operand, int64_t(d), shape[d], bound);
            !reason.empty())
          return reason;
      }
      dimensions_.push_back(std::move(to));
    }
    return {};
  }

  // Broadcasts the operands to the common shape. Dynamic sizes that the result type states are those of
  // `type`.
  Values Apply(TypeId type) {
    const ShapedType declared(e_.out(), type);
    Dims shape, bounds;
    bool bounded = false;
    for (size_t d = 0; d < extents_.size(); ++d) {
      const Extent& extent = extents_[d];
      bounded |= extent.bound != kDynamic;
      bounds.push_back(extent.bound);
      const bool known = extent.size == kDynamic && extent.bound == kDynamic && size_t(declared.rank()) > d;
      shape.push_back(known ? declared.dim(int64_t(d)) : extent.size);
    }
    Values results;
    for (size_t a = 0; a < operands_.size(); ++a)
      results.push_back(bounded ? Pad(a, shape, bounds) : Stretch(a, shape));
    return results;
  }

 private:
  static std::string_view Add(Extent* extent, ValueId operand, int64_t d, int64_t size, int64_t bound) {
    if (size == 1) return {};
    const int64_t most = size == kDynamic ? bound : size;
    const int64_t other_most = extent->size == kDynamic ? extent->bound : extent->size;
    if (extent->size == 1 || (extent->size == kDynamic && extent->bound == kDynamic && size != kDynamic)) {
      // An unknown size next to a known one is equal to it, or 1.
      *extent = {size, bound, operand, d, {}};
    } else if (extent->size == kDynamic && size == kDynamic && most == kDynamic && other_most == kDynamic) {
      extent->others.emplace_back(operand, d);
    } else if (most != kDynamic && other_most != kDynamic && most != other_most) {
      return "operand shapes cannot be broadcast";
    } else if ((bound == kDynamic) != (extent->bound == kDynamic) && most != kDynamic) {
      return "bounded and static sizes cannot be broadcast";
    }
    return {};
  }

  // Returns the common shape as a tensor.
  ValueId Extents(const Dims& shape) {
    Values sizes;
    for (size_t d = 0; d < extents_.size(); ++d) {
      const Extent& extent = extents_[d];
      if (shape[d] != kDynamic) {
        sizes.push_back(e_.Integer(shape[d]));
        continue;
      }
      ValueId size = e_.SizeOf(extent.owner, extent.dimension);
      for (const auto& [operand, d] : extent.others) {
        const ValueId other = e_.SizeOf(operand, d);
        const ValueId one = e_.Compare("EQ", size, e_.Integer(1));
        size = e_.Emit("stablehlo.select", {one, other, size}, e_.out().TypeOf(size));
      }
      sizes.push_back(size);
    }
    return e_.Stack(sizes);
  }

  ValueId Stretch(size_t a, const Dims& shape) {
    const ValueId operand = operands_[a];
    const TypeId type = e_.Tensor(shape, e_.ElementOf(operand));
    bool same = e_.out().TypeOf(operand) == type;
    for (const Extent& extent : extents_)
      same = same && (extent.size != kDynamic || (extent.owner == operand && extent.others.empty()));
    if (same) return operand;
    const bool all_static = IsStatic(shape) && e_.Shaped(operand).IsStatic();
    return e_.Broadcast(operand, dimensions_[a], type, all_static ? ValueId() : Extents(shape));
  }

  // Bounded sizes: broadcast to the bounds, then cut down where the operand had another size.
  ValueId Pad(size_t a, const Dims& shape, const Dims& bounds) {
    const ValueId operand = operands_[a];
    const Dims own = e_.ShapeOf(operand);
    const TypeId element = e_.ElementOf(operand), type = e_.Tensor(shape, element, bounds);
    if (e_.out().TypeOf(operand) == type) return operand;
    Dims padded = shape, kept(bounds.size(), kDynamic);
    for (size_t d = 0; d < shape.size(); ++d)
      if (shape[d] == kDynamic) padded[d] = bounds[d];
    for (size_t d = 0; d < own.size(); ++d) {
      const size_t to = size_t(dimensions_[a][d]);
      if (own[d] != kDynamic || shape[to] != kDynamic) continue;
      padded[to] = kDynamic;
      kept[to] = bounds[to];
    }
    ValueId result = e_.Emit("stablehlo.broadcast_in_dim", {operand}, e_.Tensor(padded, element, kept),
                             {{"broadcast_dimensions", e_.out().I64s(dimensions_[a])}});
    for (size_t d = 0; d < shape.size(); ++d) {
      if (shape[d] != kDynamic || padded[d] == kDynamic) continue;
      const Extent& extent = extents_[d];
      const ValueId size = e_.Emit("stablehlo.get_dimension_size", {extent.owner},
                                   e_.Tensor({}, e_.out().Type(TypeKind::kI32)),
                                   {{"dimension", e_.out().I64(extent.dimension)}});
      padded[d] = kDynamic;
      kept[d] = bounds[d];
      result = e_.Emit("stablehlo.set_dimension_size", {result, size}, e_.Tensor(padded, element, kept),
                       {{"dimension", e_.out().I64(int64_t(d))}});
    }
    return result;
  }

  Expander& e_;
  const Values& operands_;
  std::vector<Dims> dimensions_;  // by operand: where its dimensions are in the common shape
  std::vector<Extent> extents_;
};

}  // namespace

namespace {

// An op of CHLO that broadcasts, and what it does to operands of one shape.
class BroadcastOp {
 public:
  BroadcastOp(Expander& e, const Op& op) : e_(e), op_(op) {
    inner_ = e.from().NameOf(op).substr(sizeof("chlo.broadcast_") - 1);
    const bool special = inner_ == "zeta" || inner_ == "next_after" || inner_ == "polygamma";
    name_ = (special ? "chlo." : "stablehlo.") + std::string(inner_);
    can_apply_ = !special || e.CanApply(name_, e.ElementOf(e.OperandsOf(op)[0]));
  }
  bool can_apply() const { return can_apply_; }
  bool selects() const { return inner_ == "select"; }

  ValueId Apply(const Values& values) const {
    if (inner_ == "compare") {
      const AttrId direction = e_.from().InherentAttrOf(op_, "comparison_direction");
      const AttrId type = e_.from().InherentAttrOf(op_, "compare_type");
      const auto as = [&](AttrKind kind, AttrId attr) {
        const auto value = attr ? e_.from().EnumValue(attr) : std::nullopt;
        return value ? e_.out().Enum(kind, *value) : AttrId();
      };
      return e_.Emit("stablehlo.compare", values, e_.WithElement(values[0], e_.out().Type(TypeKind::kI1)),
                     {{"comparison_direction", as(AttrKind::kComparisonDirection, direction)},
                      {"compare_type", as(AttrKind::kComparisonType, type)}});
    }
    if (selects()) return e_.Emit("stablehlo.select", values, e_.out().TypeOf(values[1]));
    // Only the declared type says how results are quantized.
    if (IsQuantized(e_.out(), e_.ResultElementOf(op_))) return e_.Emit(name_, values, e_.ResultTypeOf(op_));
    return e_.Apply(name_, values);
  }

 private:
  Expander& e_;
  const Op& op_;
  std::string_view inner_;
  std::string name_;
  bool can_apply_ = true;
};

}  // namespace

std::string_view ExpandBroadcasting(Expander& e, const Op& op, OpId) {
  Values operands = e.OperandsOf(op);
  const BroadcastOp inner(e, op);
  // A predicate without dimensions serves all elements.
  const ValueId scalar = inner.selects() && e.ShapeOf(operands[0]).empty() ? operands[0] : ValueId();
  if (scalar) operands.erase(operands.begin());
  const TypeId result_type = e.ResultTypeOf(op);
  // The type of a larger operand would need other scales.
  for (ValueId operand : operands)
    if (IsPerAxis(e.out(), e.ElementOf(operand)) &&
        !std::ranges::equal(e.ShapeOf(operand), ShapedType(e.from(), result_type).shape))
      return "an operand that is quantized per axis is broadcast";
  Broadcasting broadcasting(e, operands);
  if (const std::string_view reason = broadcasting.Plan(op); !reason.empty()) return reason;
  if (!inner.can_apply()) return "there is no expansion for the element type";
  Values values = broadcasting.Apply(result_type);
  if (scalar) values.insert(values.begin(), scalar);
  e.Replace(op, 0, inner.Apply(values));
  return {};
}

// --- As the reference ------------------------------------------------------------------------------------
namespace {

bool IsStaticOrBounded(const Expander& e, ValueId value) {
  const ShapedType type = e.Shaped(value);
  for (int64_t d = 0; d < type.rank(); ++d)
    if (type.IsDynamic(d) && type.bound(d) == kDynamic) return false;
  return true;
}

Dims LastDims(size_t count, size_t rank) {
  Dims dims(count);
  std::iota(dims.begin(), dims.end(), int64_t(rank - count));
  return dims;
}

// Broadcasts shapes that are known at run time only, inside of an assumption that this is possible.
class AssumedBroadcast {
 public:
  AssumedBroadcast(Expander& e, const Op& op, const Values& operands)
      : e_(e), result_(e.ResultTypeOf(op)), operands_(operands) {}

  ValueId Run(const BroadcastOp& inner) {
    Values shapes = Shapes();
    const ValueId witness = e_.Emit("shape.cstr_broadcastable", shapes, e_.out().Type(TypeKind::kWitness));
    e_.BeginRegion({});
    if (!inner.selects()) shapes = Shapes();
    const ShapedType result(e_.from(), result_);
    const Dims shape(result.shape.begin(), result.shape.end());
    const ValueId extents = e_.Emit("shape.broadcast", shapes,
                                    e_.Tensor({int64_t(shape.size())}, e_.out().Type(TypeKind::kIndex)));
    Values values;
    for (const ValueId operand : operands_) {
      const size_t rank = e_.ShapeOf(operand).size();
      const bool scalar = inner.selects() && values.empty() && rank == 0;
      values.push_back(
          scalar ? operand
                 : e_.Emit("stablehlo.dynamic_broadcast_in_dim", {operand, extents},
                           e_.Tensor(shape, e_.ElementOf(operand)),
                           {{"broadcast_dimensions", e_.out().I64s(LastDims(rank, shape.size()))}}));
    }
    const RegionId region = e_.EndRegion({inner.Apply(values)}, "shape.assuming_yield");
    return e_.EmitAll("shape.assuming", {witness}, {result_}, {}, {region})[0];
  }

 private:
  Values Shapes() {
    Values shapes;
    for (const ValueId operand : operands_) shapes.push_back(e_.ShapeOp(operand));
    return shapes;
  }

  Expander& e_;
  const TypeId result_;
  const Values& operands_;
};

}  // namespace

std::string_view ExpandBroadcastingAsReference(Expander& e, const Op& op, OpId id) {
  const Values operands = e.OperandsOf(op);
  if (e.from().InherentAttrOf(op, "broadcast_dimensions")) {
    const Dims written = e.DimsOf(op, "broadcast_dimensions");
    const size_t a = e.ShapeOf(operands[0]).size(), b = e.ShapeOf(operands[1]).size();
    if (written != LastDims(std::min(a, b), std::max(a, b))) {
      // Mirrors MLIR.
      e.Remark(Severity::kWarning,
               StrFormat("unsupported non prefix-padded dynamic rank broadcast_dimensions = array<i64: {}>",
                         fmt::join(written, ", ")));
      return "broadcast_dimensions are not the last ones";
    }
  }
  const auto known = [&](ValueId operand) { return IsStaticOrBounded(e, operand); };
  if (std::ranges::all_of(operands, known)) return ExpandBroadcasting(e, op, id);
  const BroadcastOp inner(e, op);
  if (!inner.can_apply()) return "there is no expansion for the element type";
  size_t rank = 0;
  for (const ValueId operand : operands) rank = std::max(rank, e.ShapeOf(operand).size());
  if (ShapedType(e.from(), e.ResultTypeOf(op)).shape.size() != rank) return "the result has another rank";
  e.Replace(op, 0, AssumedBroadcast(e, op, operands).Run(inner));
  return {};
}

std::string_view ExpandNumpyBroadcast(Expander& e, const Op& op, OpId) {
  const Values operands = e.OperandsOf(op);
  const auto refuse = [&](std::string_view reason) {
    e.Remark(Severity::kError, std::string(reason));
    return reason;
  };
  // Mirrors MLIR.
  if (operands.empty()) return refuse("requires at least one operand to broadcast");
  for (const ValueId operand : operands)
    // Mirrors MLIR.
    if (!e.Shaped(operand).ranked) return refuse("expected ranked tensor type for broadcast inputs");
  for (const ValueId operand : operands)
    if (!IsStaticOrBounded(e, operand)) return refuse("expected static or bounded operands");
  Broadcasting broadcasting(e, operands);
  if (const std::string_view reason = broadcasting.Plan(op); !reason.empty()) return refuse(reason);
  const Values values = broadcasting.Apply(e.out().TypeOf(operands[0]));
  std::vector<TypeId> results;
  for (uint32_t i = 0; i < e.from().NumResults(op); ++i) results.push_back(e.ResultTypeOf(op, i));
  const Values called = e.EmitAll("stablehlo.custom_call", values, results,
                                  {{"call_target_name", e.out().String("numpy_broadcasted")}});
  for (uint32_t i = 0; i < called.size(); ++i) e.Replace(op, i, called[i]);
  return {};
}

std::string_view ExpandConstant(Expander& e, const Op& op, OpId) {
  e.Replace(op, 0,
            e.Emit("stablehlo.constant", {}, e.ResultTypeOf(op),
                   {{"value", e.from().InherentAttrOf(op, "value")}}));
  return {};
}

std::string_view ExpandConstantLike(Expander& e, const Op& op, OpId) {
  const ValueId like = e.OperandsOf(op)[0];
  const AttrId value = e.from().InherentAttrOf(op, "value");
  // The operand gives the shape only.
  const TypeId element = e.ResultElementOf(op);
  std::string bytes;
  const auto take = [&](std::span<const int64_t> words) {
    bytes.assign(reinterpret_cast<const char*>(words.data()), words.size_bytes());
  };
  if (const auto integer = e.from().As<IntegerAttr>(value); integer && integer->type == element)
    take(integer->value);
  else if (const auto number = e.from().As<FloatAttr>(value); number && number->type == element)
    take(number->bits);
  else if (const auto elements = e.from().As<ElementsAttr>(value);
           elements && ElementOf(e.from(), elements->type) == element &&
           ShapedType(e.from(), elements->type).NumElements() == 1)
    bytes = e.from().payloads[elements->payload].bytes();
  const uint64_t size = e.out().ElementBytes(element);
  if (size == 0 || bytes.size() < size) return "its value is not a number";
  bytes.resize(size);
  const int unused = BitWidth(e.from().types.KindOf(element)) % 8;
  if (unused) bytes.back() = char(bytes.back() & ((1 << unused) - 1));
  e.Replace(op, 0, e.ConstantLike(bytes, element, like));
  return {};
}

}  // namespace shlo
