#include "versioning/expand/expander.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "ir/module/cells.h"
#include "ir/table/float_format.h"
#include "ir/table/ops.h"
#include "versioning/expand/recipe.h"

namespace shlo {
namespace {

// Returns the little-endian bytes of a number in an element type.
std::string BytesOf(const Module& m, const Scalar& literal, TypeId element) {
  if (const auto complex = m.As<ComplexType>(element)) {
    const std::string real = BytesOf(m, literal, complex->element);
    return real + std::string(real.size(), '\0');
  }
  const TypeKind kind = m.types.KindOf(element);
  const FloatFormat* const format = FloatFormatOf(kind);
  const int width = BitWidth(kind);
  const double sign = literal.negative ? -1 : 1;
  uint64_t bits = 0;
  const auto number = [&](double value) {
    bits = format ? EncodeFloat(kind, sign * value) : uint64_t(int64_t(sign * value));
  };
  switch (literal.kind) {
    case Scalar::kNumber:
      number(literal.number);
      break;
    case Scalar::kNan:
      number(std::numeric_limits<double>::quiet_NaN());
      break;
    case Scalar::kInfinity:
      number(std::numeric_limits<double>::infinity());
      break;
    case Scalar::kLargest:
      number(format ? DecodeFloat(kind, MaxFinite(*format)) : 0);
      break;
    case Scalar::kSmallestNormal:
      number(format ? std::ldexp(1.0, 1 - format->bias) : 0);
      break;
    case Scalar::kSmallest:
      number(format ? std::ldexp(1.0, 1 - format->bias - format->mantissa_bits) : 0);
      break;
    case Scalar::kSignBit:
      bits = uint64_t(1) << (width - 1);
      break;
    case Scalar::kMagnitude:
      bits = (uint64_t(1) << (width - 1)) - 1;
      break;
  }
  if (width < 64) bits &= (uint64_t(1) << width) - 1;
  std::string bytes(reinterpret_cast<const char*>(&bits), sizeof bits);
  bytes.resize(size_t(width + 7) / 8);
  return bytes;
}

}  // namespace

// --- The program that is expanded ------------------------------------------------------------------------

Values Expander::OperandsOf(const Op& op) const {
  const auto operands = out_.OperandsOf(op);
  return {operands.begin(), operands.end()};
}

int64_t Expander::IntegerOf(const Op& op, std::string_view name, int64_t absent) const {
  int64_t value = absent;
  m_.AsInteger(m_.InherentAttrOf(op, name), &value);
  return value;
}

Dims Expander::DimsOf(const Op& op, std::string_view name) const {
  Dims dims;
  m_.AsI64s(m_.InherentAttrOf(op, name), &dims);
  return dims;
}

TypeId Expander::ResultElementOf(const Op& op, uint32_t i) const {
  return shlo::ElementOf(m_, ResultTypeOf(op, i));
}

Dims Expander::SegmentsOf(const Op& op, std::string_view name) const {
  const std::vector<int32_t> sizes = I32sOf(m_, m_.AttributeOf(op, name));
  return {sizes.begin(), sizes.end()};
}

// --- Types -----------------------------------------------------------------------------------------------

Dims Expander::ShapeOf(ValueId value) const {
  const ShapedType type = Shaped(value);
  return {type.shape.begin(), type.shape.end()};
}

Dims Expander::BoundsOf(ValueId value) const {
  const ShapedType type = Shaped(value);
  return {type.bounds.begin(), type.bounds.end()};
}

TypeId Expander::WithElement(ValueId value, TypeId element) {
  const ShapedType type = Shaped(value);
  const Dims shape(type.shape.begin(), type.shape.end());
  return out_.TensorType(shape, element, type.encoding);
}

TypeId Expander::Tensor(const Dims& shape, TypeId element, const Dims& bounds) {
  const bool bounded = std::any_of(bounds.begin(), bounds.end(), [](int64_t b) { return b != kDynamic; });
  return out_.TensorType(shape, element,
                         bounded ? out_.Make(TypeExtensionsAttr{.bounds = bounds}) : AttrId());
}

// --- Ops -------------------------------------------------------------------------------------------------

Values Expander::EmitAll(std::string_view name, const Values& operands, const std::vector<TypeId>& results,
                         std::initializer_list<Attr> attrs, const std::vector<RegionId>& regions) {
  const OpId id = editor_.Insert({.revision = RevisionAt(FindOp(name), m_.version),
                                  .operands = operands,
                                  .results = results,
                                  .regions = regions,
                                  .loc = location_.value_or(m_.ops[current_.v].loc)},
                                 attrs, current_);
  if (name == "stablehlo.constant" && (ForTarget() || expansions() == Expansions::kReferenceMath))
    constants_.push_back(id);
  Values values;
  for (uint32_t i = 0; i < results.size(); ++i) values.push_back(out_.ResultOf(editor_[id], i));
  return values;
}

void Expander::LocateAt(ValueId value) {
  const Value& located = out_.values[value.v];
  location_ = located.op ? out_.ops[located.op.v].loc : located.loc;
}

ValueId Expander::Emit(std::string_view name, const Values& operands, TypeId result,
                       std::initializer_list<Attr> attrs) {
  if (!is_own()) return EmitAll(name, operands, {result}, attrs)[0];
  std::vector<uint32_t> key{FindOp(name).v, result.v, uint32_t(operands.size())};
  for (ValueId operand : operands) key.push_back(operand.v);
  for (const Attr& attr : attrs) key.push_back(attr.value.v);
  ValueId& known = known_[key];
  if (!known) known = EmitAll(name, operands, {result}, attrs)[0];
  return known;
}

ValueId Expander::Apply(std::string_view name, const Values& operands) {
  const TypeId element = ElementOf(operands[0]);
  if (const Recipe* recipe = FindRecipe(name, out_, element, expansions()); recipe && !Has(FindOp(name)))
    return Cook(*this, *recipe, operands);
  TypeId result = element;
  const auto complex = out_.As<ComplexType>(element);
  if (name == "stablehlo.is_finite") result = out_.Type(TypeKind::kI1);
  if (name == "stablehlo.complex") result = out_.ComplexType(element);
  if (complex && (name == "stablehlo.real" || name == "stablehlo.imag" || name == "stablehlo.abs"))
    result = complex->element;
  return Emit(name, operands, WithElement(operands[0], result));
}

bool Expander::CanApply(std::string_view name, TypeId element) const {
  return Has(FindOp(name)) || FindRecipe(name, out_, element, expansions());
}

ValueId Expander::Compare(std::string_view direction, ValueId lhs, ValueId rhs) {
  constexpr std::string_view kDirections[] = {"EQ", "NE", "GE", "GT", "LE", "LT"};
  const auto at = std::find(std::begin(kDirections), std::end(kDirections), direction) - kDirections;
  const AttrId attr = out_.Enum(AttrKind::kComparisonDirection, at);
  return Emit("stablehlo.compare", {lhs, rhs}, WithElement(lhs, out_.Type(TypeKind::kI1)),
              {{"comparison_direction", attr}});
}

ValueId Expander::Convert(ValueId value, TypeId element) {
  if (ElementOf(value) == element) return value;
  return Emit("stablehlo.convert", {value}, WithElement(value, element));
}

Values Expander::BeginRegion(const std::vector<TypeId>& types) {
  open_.push_back(editor_.AddBlock(editor_.NewRegion(), types));
  editor_.InsertAtEnd(open_.back());
  Values args;
  for (uint32_t i = 0; i < types.size(); ++i) args.push_back(out_.ArgOf(open_.back(), i));
  // Ops inside the region are not visible outside.
  outer_known_.push_back(known_);
  return args;
}

RegionId Expander::EndRegion(const Values& results, std::string_view terminator) {
  EmitAll(terminator, results, {});
  const RegionId region = out_.blocks[open_.back().v].parent;
  open_.pop_back();
  if (open_.empty())
    editor_.InsertBefore(at_);
  else
    editor_.InsertAtEnd(open_.back());
  known_ = std::move(outer_known_.back());
  outer_known_.pop_back();
  return region;
}

ValueId Expander::Constant(const std::string& bytes, TypeId type) {
  const AttrId value = out_.Elements(type, out_.payloads.AddCopy(bytes), /*splat=*/true);
  return Emit("stablehlo.constant", {}, type, {{"value", value}});
}

ValueId Expander::ConstantDims(const Dims& values) {
  const AttrId value = out_.I64Elements({{int64_t(values.size())}}, values);
  return Emit("stablehlo.constant", {}, out_.TypeOf(value), {{"value", value}});
}

ValueId Expander::Integer(int64_t value) {
  return Constant(std::string(reinterpret_cast<const char*>(&value), sizeof value), Tensor({}, I64()));
}

ValueId Expander::ConstantLike(const std::string& bytes, TypeId element, ValueId like) {
  if (Shaped(like).IsStatic()) return Constant(bytes, Tensor(ShapeOf(like), element));
  return BroadcastLike(Constant(bytes, Tensor({}, element)), {}, like);
}

ValueId Expander::ConstantLike(const Scalar& literal, TypeId element, ValueId like) {
  const std::string bytes = BytesOf(out_, literal, element);
  if (bytes.empty()) refused_.push_back(current_);  // a quantized type, whose zero is not a zero
  return ConstantLike(bytes, element, like);
}

// --- Shapes ----------------------------------------------------------------------------------------------

ValueId Expander::SizeOf(ValueId value, int64_t dimension) {
  const ShapedType type = Shaped(value);
  if (!type.IsDynamic(dimension)) return Integer(type.dim(dimension));
  return SizeAtRunTime(value, dimension);
}

ValueId Expander::SizeAtRunTime(ValueId value, int64_t dimension) {
  const ValueId size = Emit("stablehlo.get_dimension_size", {value}, Tensor({}, out_.Type(TypeKind::kI32)),
                            {{"dimension", out_.I64(dimension)}});
  return Convert(size, I64());
}

ValueId Expander::RunTimeSize(ValueId value, int64_t dimension) {
  return Emit("stablehlo.reshape", {SizeAtRunTime(value, dimension)}, Tensor({1}, I64()));
}

ValueId Expander::Stack(const Values& scalars) {
  const TypeId one = Tensor({1}, I64());
  Values parts;
  for (ValueId scalar : scalars) parts.push_back(Emit("stablehlo.reshape", {scalar}, one));
  if (parts.size() == 1) return parts[0];
  return Emit("stablehlo.concatenate", parts, Tensor({int64_t(parts.size())}, I64()),
              {{"dimension", out_.I64(0)}});
}

ValueId Expander::Extents(ValueId value) {
  const Dims shape = ShapeOf(value);
  if (IsStatic(shape)) return ConstantDims(shape);
  Values sizes;
  for (size_t d = 0; d < shape.size(); ++d) sizes.push_back(SizeOf(value, int64_t(d)));
  return Stack(sizes);
}

ValueId Expander::ShapeOp(ValueId value) {
  const TypeId extents = Tensor({int64_t(ShapeOf(value).size())}, out_.Type(TypeKind::kIndex));
  return Emit("shape.shape_of", {value}, extents);
}

ValueId Expander::Broadcast(ValueId value, const Dims& dimensions, TypeId type, ValueId extents) {
  const AttrId to = out_.I64s(dimensions);
  if (ShapedType(out_, type).IsStatic() && Shaped(value).IsStatic())
    return Emit("stablehlo.broadcast_in_dim", {value}, type, {{"broadcast_dimensions", to}});
  return Emit("stablehlo.dynamic_broadcast_in_dim", {value, extents}, type, {{"broadcast_dimensions", to}});
}

ValueId Expander::BroadcastLike(ValueId value, const Dims& dimensions, ValueId like) {
  const Dims shape = ShapeOf(like), limits = BoundsOf(like);
  const TypeId element = ElementOf(value);
  if (!is_own() && limits.empty() && !IsStatic(shape)) {
    const ValueId extents = ShapeOp(like);
    return Broadcast(value, dimensions, WithElement(like, element), extents);
  }
  if (limits.empty())
    return Broadcast(value, dimensions, WithElement(like, element),
                     IsStatic(shape) ? ValueId() : Extents(like));
  // A bounded shape: broadcast to the bounds, then cut down.
  Dims bounds(shape.size(), kDynamic);
  Dims padded = shape;
  for (size_t d = 0; d < shape.size(); ++d)
    if (shape[d] == kDynamic) padded[d] = limits[d];
  ValueId result = Broadcast(value, dimensions, Tensor(padded, element), ValueId());
  for (size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] != kDynamic) continue;
    const ValueId size = Emit("stablehlo.get_dimension_size", {like}, Tensor({}, out_.Type(TypeKind::kI32)),
                              {{"dimension", out_.I64(int64_t(d))}});
    padded[d] = kDynamic;
    bounds[d] = limits[d];
    result = Emit("stablehlo.set_dimension_size", {result, size}, Tensor(padded, element, bounds),
                  {{"dimension", out_.I64(int64_t(d))}});
  }
  return result;
}

ValueId Expander::IotaLike(ValueId like, int64_t dimension, TypeId element) {
  if (Shaped(like).IsStatic()) return Iota(ShapeOf(like), dimension, element);
  return Emit("stablehlo.dynamic_iota", {Extents(like)}, WithElement(like, element),
              {{"iota_dimension", out_.I64(dimension)}});
}

ValueId Expander::Iota(const Dims& shape, int64_t dimension, TypeId element) {
  return Emit("stablehlo.iota", {}, Tensor(shape, element), {{"iota_dimension", out_.I64(dimension)}});
}

ValueId Expander::Slice(ValueId value, int64_t dimension, int64_t start, int64_t limit) {
  Dims shape = ShapeOf(value), starts(shape.size(), 0), limits = shape, ones(shape.size(), 1);
  const bool is_static = Shaped(value).IsStatic();
  starts[size_t(dimension)] = start;
  limits[size_t(dimension)] = limit;
  shape[size_t(dimension)] = limit - start;
  const TypeId type = Tensor(shape, ElementOf(value));
  if (is_static)
    return Emit("stablehlo.slice", {value}, type,
                {{"start_indices", out_.I64s(starts)},
                 {"limit_indices", out_.I64s(limits)},
                 {"strides", out_.I64s(ones)}});
  Values ends;
  for (size_t d = 0; d < shape.size(); ++d)
    ends.push_back(int64_t(d) == dimension ? Integer(limit) : SizeOf(value, int64_t(d)));
  return Emit("stablehlo.real_dynamic_slice", {value, ConstantDims(starts), Stack(ends), ConstantDims(ones)},
              type);
}

ValueId Expander::SliceAt(ValueId value, int64_t dimension, ValueId start) {
  Dims shape = ShapeOf(value);
  const bool is_static = Shaped(value).IsStatic();
  Values starts(shape.size(), Integer(0));
  starts[size_t(dimension)] = start;
  shape[size_t(dimension)] = 1;
  const TypeId type = Tensor(shape, ElementOf(value));
  if (is_static) {
    starts.insert(starts.begin(), value);
    return Emit("stablehlo.dynamic_slice", starts, type, {{"slice_sizes", out_.I64s(shape)}});
  }
  Values ends;
  for (size_t d = 0; d < shape.size(); ++d)
    ends.push_back(int64_t(d) == dimension ? Apply("stablehlo.add", {start, Integer(1)})
                                           : SizeOf(value, int64_t(d)));
  return Emit("stablehlo.real_dynamic_slice",
              {value, Stack(starts), Stack(ends), ConstantDims(Dims(shape.size(), 1))}, type);
}

ValueId Expander::Reshape(ValueId value, const Dims& shape, const Values& sizes) {
  const TypeId type = Tensor(shape, ElementOf(value));
  if (IsStatic(shape)) return Emit("stablehlo.reshape", {value}, type);
  return Emit("stablehlo.dynamic_reshape", {value, Stack(sizes)}, type);
}

ValueId Expander::DropDimension(ValueId value, int64_t dimension) {
  Dims shape = ShapeOf(value);
  Values sizes;
  if (!IsStatic(shape))
    for (int64_t d = 0; d < int64_t(shape.size()); ++d)
      if (d != dimension) sizes.push_back(SizeOf(value, d));
  shape.erase(shape.begin() + dimension);
  return Reshape(value, shape, sizes);
}

ValueId Expander::AddDimension(ValueId value, int64_t dimension) {
  Dims shape = ShapeOf(value);
  Values sizes;
  if (!IsStatic(shape)) {
    for (int64_t d = 0; d < int64_t(shape.size()); ++d) sizes.push_back(SizeOf(value, d));
    sizes.insert(sizes.begin() + dimension, Integer(1));
  }
  shape.insert(shape.begin() + dimension, 1);
  return Reshape(value, shape, sizes);
}

void Expander::Remark(Severity severity, std::string message) {
  Diagnostic remark =
      Warning(Code::kUnsupported, std::move(message), PlaceOf(m_, current_, options_.convert.source));
  remark.severity = severity;
  remark.op = std::string(m_.NameOf(m_.ops[current_.v]));
  remarks_.push_back(std::move(remark));
}

// --- Replacing -------------------------------------------------------------------------------------------

void Expander::Replace(const Op& op, uint32_t result, ValueId value) {
  const TypeId type = ResultTypeOf(op, result);
  // A value of another element type would be another number.
  if (shlo::ElementOf(out_, out_.TypeOf(value)) != shlo::ElementOf(m_, type)) refused_.push_back(current_);
  // Types may state sizes that the expansion does not infer, or not state sizes that it does.
  if (out_.TypeOf(value) != type) value = Emit("stablehlo.convert", {value}, type);
  editor_.ReplaceUses(out_.ResultOf(op, result), value);
}

void Expander::Change(OpId id, const Values& operands, std::span<const AttrId> inherent_attrs) {
  editor_.SetOperands(id, operands);
  editor_.EditSignature(
      id, [&](EditedSignature& s) { s.inherent_attrs.assign(inherent_attrs.begin(), inherent_attrs.end()); });
  kept_ = true;
}

void Expander::Divide(OpId id, std::span<const AttrId> inherent_attrs) {
  // What regions use from outside of them.
  for (const OpId nested : editor_.OpsIn(id)) {
    const auto before = m_.OperandsOf(m_.ops[editor_.OriginOf(nested).v]),
               now = out_.OperandsOf(editor_[nested]);
    for (size_t i = 0; i < now.size(); ++i) copier_[before[i]] = now[i];
  }
  const Values operands = OperandsOf(editor_[id]);
  for (uint32_t i = 0; i < operands.size(); ++i) {
    const TypeId type = ResultTypeOf(editor_[id], i);
    const OpId part = copier_.Copy(current_);
    copier_.Finish();
    editor_.EditSignature(part, [&](EditedSignature& s) {
      s.inherent_attrs.assign(inherent_attrs.begin(), inherent_attrs.end());
      s.result_types.resize(1);
    });
    editor_.SetOperands(part, std::array{operands[i]});
    editor_.SetType(out_.ResultOf(editor_[part], 0), type);
    editor_.ReplaceUses(out_.ResultOf(editor_[id], i), out_.ResultOf(editor_[part], 0));
    const std::vector<OpId> nested = editor_.OpsIn(part);
    copies_.insert(copies_.end(), nested.begin() + 1, nested.end());
  }
}

bool Expander::TakesOneOperand(const Op& op) const {
  const RevisionId revision = RevisionAt(RevisionOf(m_.RevisionIdOf(op)).row, target_);
  return revision && RevisionOf(revision).operands.size() == 1 && !RevisionOf(revision).operands[0].variadic;
}

Values Expander::Inline(const Op& op, const Values& args) {
  return editor_.InlineBlock(editor_.BlocksOf(out_.RegionsOf(op)[0])[0], args);
}

std::vector<TypeId> Expander::BodyTypesOf(const Op& op) const {
  const Range args = out_.blocks[editor_.BlocksOf(out_.RegionsOf(op)[0])[0].v].args;
  std::vector<TypeId> types;
  for (uint32_t i = 0; i < args.count; ++i) types.push_back(out_.values[args.first + i].type);
  return types;
}

}  // namespace shlo
