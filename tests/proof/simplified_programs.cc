// Programs that exact rewrites change: ops with neutral elements, and movements that cancel each other.
#include <array>

#include "programs.h"

namespace shlo::laws {
namespace {

// A program on square matrices of one element type.
class SimplifiedProgram {
 public:
  SimplifiedProgram(Version version, Source& s)
      : s_(s), p_(version), m_(p_.module()), kind_(kKinds[s.Pick(std::size(kKinds))]) {}

  void Make(Program* out) {
    type_ = p_.Tensor(kind_, {2, 2});
    p_.Function("main", {type_, type_}, {type_, type_}, [&](std::vector<ValueId> args) {
      values_ = args;
      const uint64_t ops = s_.every() ? 1 : 1 + s_.Pick(8);
      for (uint64_t i = 0; i < ops; ++i) values_.push_back(s_.every() ? Binary() : AnyOp());
      return std::vector<ValueId>{values_.back(), values_[values_.size() - 2]};
    });
    out->module = p_.Done();
    for (int i = 0; i < 2; ++i) {
      std::vector<uint64_t> bits;
      for (int k = 0; k < 4; ++k) bits.push_back(AnyBits(s_, kind_));
      out->args.push_back(TensorOfBits({kind_}, {2, 2}, bits));
    }
  }

 private:
  static constexpr TypeKind kKinds[] = {TypeKind::kF32, TypeKind::kI32, TypeKind::kUI8, TypeKind::kI1};

  ValueId Value() { return values_[s_.Pick(values_.size())]; }
  AttrId I64s(std::vector<int64_t> values) { return m_.I64s(values); }

  // Zero, minus zero, one, or all bits; where these are the same, another one.
  ValueId Neutral() {
    constexpr uint32_t kFloats[] = {0, 0x80000000, 0x3F800000, 0xFFFFFFFF};
    constexpr uint32_t kIntegers[] = {0, 2, 1, 0xFFFFFFFF};
    const uint64_t choice = s_.Pick(4);
    uint32_t bits = IsFloat(kind_) ? kFloats[choice] : kIntegers[choice];
    if (kind_ == TypeKind::kI1) bits &= 1;
    const size_t bytes = size_t(BitWidth(kind_) + 7) / 8;
    return p_.Constant(type_, {reinterpret_cast<const char*>(&bits), bytes}, /*splat=*/true);
  }

  ValueId Binary() {
    constexpr std::string_view kOps[] = {"stablehlo.add",     "stablehlo.multiply", "stablehlo.maximum",
                                         "stablehlo.minimum", "stablehlo.subtract", "stablehlo.and",
                                         "stablehlo.or",      "stablehlo.xor"};
    const bool boolean = kind_ == TypeKind::kI1;
    std::string_view op = kOps[s_.Pick(IsFloat(kind_) ? 5 : 8)];
    if (boolean && op == "stablehlo.subtract") op = "stablehlo.xor";
    const ValueId value = Value(), neutral = Neutral();
    switch (s_.Pick(3)) {
      case 0:
        return p_.Op(op, {value, neutral}, {type_});
      case 1:
        return p_.Op(op, {neutral, value}, {type_});
      default:
        return p_.Op(op, {value, value}, {type_});
    }
  }

  ValueId Moved(ValueId value) {
    const TypeId flat = p_.Tensor(kind_, {4});
    switch (s_.Pick(6)) {
      case 0:
        return p_.Op("stablehlo.transpose", {value}, {type_},
                     {{"permutation", s_.Flip() ? I64s({1, 0}) : I64s({0, 1})}});
      case 1:
        return p_.Op("stablehlo.reshape", {p_.Op("stablehlo.reshape", {value}, {flat})}, {type_});
      case 2:
        return p_.Op("stablehlo.reverse", {value}, {type_},
                     {{"dimensions", s_.Flip() ? I64s({}) : I64s({int64_t(s_.Pick(2))})}});
      case 3:
        return p_.Op("stablehlo.broadcast_in_dim", {value}, {type_},
                     {{"broadcast_dimensions", s_.Flip() ? I64s({1, 0}) : I64s({0, 1})}});
      case 4:
        return p_.Op("stablehlo.convert", {value}, {type_});
      default:
        return Slice(value);
    }
  }

  // Two of the rows of two values, one after the other.
  ValueId Slice(ValueId value) {
    const int64_t start = int64_t(s_.Pick(3));
    const ValueId both = p_.Op("stablehlo.concatenate", {value, Value()}, {p_.Tensor(kind_, {4, 2})},
                               {{"dimension", m_.I64(0)}});
    if (s_.Flip())
      return p_.Op("stablehlo.slice", {both}, {type_},
                   {{"start_indices", I64s({start, 0})},
                    {"limit_indices", I64s({start + 2, 2})},
                    {"strides", I64s({1, 1})}});
    const TypeId index = p_.Tensor(TypeKind::kI32);
    const ValueId row = p_.ConstantOf<int32_t>(index, {int32_t(start) - int32_t(s_.Pick(2)) * 7});
    const ValueId zero = p_.ConstantOf<int32_t>(index, {0});
    return p_.Op("stablehlo.dynamic_slice", {both, row, zero}, {type_}, {{"slice_sizes", I64s({2, 2})}});
  }

  ValueId Chosen() {
    const TypeId pred = p_.Tensor(TypeKind::kI1, {2, 2});
    const ValueId condition =
        p_.Op("stablehlo.compare", {Value(), Value()}, {pred},
              {{"comparison_direction", m_.Enum(AttrKind::kComparisonDirection, int64_t(s_.Pick(6)))}});
    const ValueId inverted = s_.Flip() ? p_.Op("stablehlo.not", {condition}, {pred}) : condition;
    return p_.Op("stablehlo.select", {inverted, Value(), Value()}, {type_});
  }

  // A loop that changes one of two values, three times.
  ValueId Loop() {
    const TypeId number = p_.Tensor(TypeKind::kI32), pred = p_.Tensor(TypeKind::kI1);
    const ValueId zero = p_.ConstantOf<int32_t>(number, {0});
    const std::vector<TypeId> types{number, type_, type_};
    const RegionId condition = Body(p_, types, [&](std::vector<ValueId> a) {
      const ValueId three = p_.ConstantOf<int32_t>(number, {3});
      const AttrId less = m_.Enum(AttrKind::kComparisonDirection, /*LT*/ 5);
      return std::vector{p_.Op("stablehlo.compare", {a[0], three}, {pred}, {{"comparison_direction", less}})};
    });
    const RegionId body = Body(p_, types, [&](std::vector<ValueId> a) {
      const ValueId one = p_.ConstantOf<int32_t>(number, {1});
      const ValueId next = p_.Op("stablehlo.add", {a[0], one}, {number});
      return std::vector{next, a[1], p_.Op("stablehlo.maximum", {a[1], a[2]}, {type_})};
    });
    const ValueId first = p_.Op("stablehlo.while", {zero, Value(), Value()}, types, {}, {condition, body});
    return ValueId(first.v + 1 + uint32_t(s_.Pick(2)));
  }

  ValueId AnyOp() {
    switch (s_.Pick(8)) {
      case 0:
      case 1:
      case 2:
        return Binary();
      case 3:
        return Chosen();
      case 4:
        return Loop();
      default:
        return Moved(Value());
    }
  }

  Source& s_;
  TestProgram p_;
  Module& m_;
  const TypeKind kind_;
  TypeId type_;
  std::vector<ValueId> values_;
};

}  // namespace

Generator SimplifiedGenerator() {
  return [](RowId, Version version, Source& s, Program* out) {
    SimplifiedProgram(version, s).Make(out);
    return true;
  };
}

}  // namespace shlo::laws
