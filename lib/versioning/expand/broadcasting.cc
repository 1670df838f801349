// The broadcast_* ops of CHLO, and constants: explicit broadcasts, then the op on equal shapes.
#include <algorithm>

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

std::string_view ExpandBroadcasting(Expander& e, const Op& op, OpId) {
  Values operands = e.OperandsOf(op);
  const std::string name = "stablehlo" + std::string(e.from().NameOf(op).substr(4));
  const std::string_view inner = std::string_view(name).substr(sizeof("stablehlo.broadcast_") - 1);
  const bool selects = inner == "select";
  // A predicate without dimensions serves all elements.
  const ValueId scalar = selects && e.ShapeOf(operands[0]).empty() ? operands[0] : ValueId();
  if (scalar) operands.erase(operands.begin());
  const TypeId result_type = e.ResultTypeOf(op);
  // The type of a larger operand would need other scales.
  for (ValueId operand : operands)
    if (IsPerAxis(e.out(), e.ElementOf(operand)) &&
        !std::ranges::equal(e.ShapeOf(operand), ShapedType(e.from(), result_type).shape))
      return "an operand that is quantized per axis is broadcast";
  Broadcasting broadcasting(e, operands);
  if (const std::string_view reason = broadcasting.Plan(op); !reason.empty()) return reason;
  const bool special = inner == "zeta" || inner == "next_after" || inner == "polygamma";
  const std::string op_name = (special ? "chlo." : "stablehlo.") + std::string(inner);
  if (special && !e.CanApply(op_name, e.ElementOf(operands[0])))
    return "there is no expansion for the element type";
  Values values = broadcasting.Apply(result_type);
  if (scalar) values.insert(values.begin(), scalar);
  if (inner == "compare") {
    const AttrId direction = e.from().InherentAttrOf(op, "comparison_direction");
    const AttrId type = e.from().InherentAttrOf(op, "compare_type");
    const auto as = [&](AttrKind kind, AttrId attr) {
      const auto value = attr ? e.from().EnumValue(attr) : std::nullopt;
      return value ? e.out().Enum(kind, *value) : AttrId();
    };
    e.Replace(op, 0,
              e.Emit("stablehlo.compare", values, e.WithElement(values[0], e.out().Type(TypeKind::kI1)),
                     {{"comparison_direction", as(AttrKind::kComparisonDirection, direction)},
                      {"compare_type", as(AttrKind::kComparisonType, type)}}));
  } else if (selects) {
    e.Replace(op, 0, e.Emit("stablehlo.select", values, e.out().TypeOf(values[1])));
  } else if (IsQuantized(e.out(), e.ResultElementOf(op))) {
    // Only the declared type says how results are quantized.
    e.Replace(op, 0, e.Emit(op_name, values, result_type));
  } else {
    e.Replace(op, 0, e.Apply(op_name, values));
  }
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
