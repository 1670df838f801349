// Rules that replace an op by the constant that the evaluator computes for it.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "ir/table/float_format.h"
#include "ir/table/ops.h"
#include "rewrite/fold_rules.h"
#include "shlo/types.h"

namespace shlo::rewrite {
namespace {

using Tensors = std::span<const Tensor>;

// Types of elements for which an op is folded.
enum class Folded : uint8_t {
  kIntegers,
  kNumbers,        // integers, and floats if RuleOptions::floats
  kAlways,         // integers and floats
  kOrComplex,      // integers, and floats and complex numbers if RuleOptions::floats
  kOrComplexSplat  // integers and floats, and one complex number for all elements
};

struct ConstantFold {
  std::string_view name;  // the reference's
  const RowId& row;
  std::string_view summary;
  Folded folded = Folded::kAlways;
  bool limited = false;  // by RuleOptions::max_elements
  // Further conditions; nullptr: none.
  bool (*fits)(const Rewriter& r, OpId op, const ValueType& result, Tensors operands) = nullptr;
  std::string_view reference = {};
};

bool IsSplat(const Tensor& tensor) { return tensor.splat() || tensor.count() == 1; }

// Returns whether a condition holds for each element of a real tensor, given as a number.
template <typename Test>
bool HoldsForAll(const Tensor& tensor, Test&& test) {
  const uint64_t stored = tensor.splat() ? std::min<uint64_t>(1, tensor.count()) : tensor.count();
  for (uint64_t i = 0; i < stored; ++i)
    if (!test(ElementBits(tensor, i))) return false;
  return true;
}
template <typename Test>
bool HoldsForFloats(const Tensor& tensor, Test&& test) {
  const TypeKind kind = tensor.element().kind;
  return !IsFloat(kind) || HoldsForAll(tensor, [&](uint64_t bits) { return test(DecodeFloat(kind, bits)); });
}

bool NoZeroDivisor(const Rewriter&, OpId, const ValueType&, Tensors operands) {
  return IsFloat(operands[1].element().kind) ||
         HoldsForAll(operands[1], [](uint64_t bits) { return bits != 0; });
}
bool AllPositive(const Rewriter&, OpId, const ValueType&, Tensors operands) {
  return HoldsForFloats(operands[0], [](double x) { return !(x <= 0); });
}
bool NoneNegative(const Rewriter&, OpId, const ValueType&, Tensors operands) {
  return HoldsForFloats(operands[0], [](double x) { return !(x < 0); });
}
bool NoneIsNan(const Rewriter&, OpId, const ValueType&, Tensors operands) {
  return HoldsForFloats(operands[0], [](double x) { return x == x; });
}
bool FirstIsSplat(const Rewriter&, OpId, const ValueType&, Tensors operands) { return IsSplat(operands[0]); }
bool AtMostOneElement(const Rewriter&, OpId, const ValueType& result, Tensors) { return result.count <= 1; }

// Floats become integers only if these have the value, truncated.
bool Converts(const Rewriter& r, OpId, const ValueType& result, Tensors operands) {
  const ElementType from = operands[0].element(), to = result.element;
  if (!r.options().floats && (from.is_float() || to.is_float())) return false;
  if (!from.is_float() || to.is_float() || to.is_bool()) return true;
  const int bits = BitWidth(to.kind) - (to.is_unsigned() ? 0 : 1);
  const double above = std::ldexp(1.0, bits), below = to.is_unsigned() ? -1.0 : -above - 1;
  return HoldsForFloats(operands[0], [&](double x) {
    const bool fits = x < above && (x > below || (!to.is_unsigned() && x == -above));
    return fits && !(x == 0 && std::signbit(x));
  });
}

// A comparison of signless integers as unsigned ones is no valid one, and means nothing else to the
// evaluator.
bool ComparesAsTyped(const Rewriter& r, OpId op, const ValueType&, Tensors operands) {
  constexpr int64_t kSigned = 3, kUnsigned = 4;
  const auto type = r.module().EnumValue(r.module().InherentAttrOf(r[op], "compare_type"));
  const ElementType element = operands[0].element();
  const bool is_unsigned = element.is_unsigned() || element.is_bool();
  return element.is_float() || !type || (*type == kSigned && !is_unsigned) ||
         (*type == kUnsigned && is_unsigned) || *type == 0;
}

// The others are for the simplification, which keeps the operand.
bool ReversesSome(const Rewriter& r, OpId op, const ValueType& result, Tensors operands) {
  std::vector<int64_t> dimensions;
  r.module().AsI64s(r.module().InherentAttrOf(r[op], "dimensions"), &dimensions);
  const bool some = std::ranges::any_of(dimensions, [&](int64_t d) { return result.shape[size_t(d)] != 1; });
  return some && result.count > 1 && !IsSplat(operands[0]);
}

bool ChoosesAmongIntegers(const Rewriter&, OpId, const ValueType& result, Tensors operands) {
  return !IsSplat(operands[0]) && !result.element.is_float();
}

// clang-format off
const ConstantFold kConstantFolds[] = {
    {"FoldAbsOpPattern", ops::kAbs, "abs(cst)"},
    {"FoldAddOpPattern", ops::kAdd, "add(cst, cst)", Folded::kNumbers, false, nullptr,
     "add(true, true) is false: the reference adds modulo 2, where the specification has a disjunction"},
    {"FoldAndOpPattern", ops::kAnd, "and(cst, cst)", Folded::kIntegers},
    {"FoldBroadcastInDimOpSplatPattern", ops::kBroadcastInDim, "broadcast_in_dim(splat)", Folded::kOrComplex, false,
     FirstIsSplat},
    {"FoldClampOpPattern", ops::kClamp, "clamp(cst, cst, cst)", Folded::kNumbers, false, nullptr,
     "clamp(false, true, true) is false: the reference orders booleans as signed integers"},
    {"FoldCompareOpPattern", ops::kCompare, "compare(cst, cst)", Folded::kNumbers, false, ComparesAsTyped,
     "compare(NaN, NaN, EQ, TOTALORDER) is false: the reference compares as floats"},
    {"FoldConcatenateOpPattern", ops::kConcatenate, "concatenate(cst, ...)", Folded::kNumbers, true},
    {"FoldConvertOpPattern", ops::kConvert, "convert(cst)", Folded::kNumbers, true, Converts},
    {"FoldCosineOpPattern", ops::kCosine, "cosine(cst)"},
    {"FoldDivOpPattern", ops::kDivide, "divide(cst, cst)", Folded::kNumbers, false, NoZeroDivisor},
    {"FoldErfOpPattern", ops::kChloErf, "erf(cst)"},
    {"FoldExpOpPattern", ops::kExponential, "exponential(cst)"},
    {"FoldIotaOpPattern", ops::kIota, "iota() of at most one element", Folded::kIntegers, true, AtMostOneElement},
    {"FoldLogOpPattern", ops::kLog, "log(cst)", Folded::kAlways, false, AllPositive},
    {"FoldLogisticOpPattern", ops::kLogistic, "logistic(cst)"},
    {"FoldMaxOpPattern", ops::kMaximum, "maximum(cst, cst)", Folded::kNumbers},
    {"FoldMinOpPattern", ops::kMinimum, "minimum(cst, cst)", Folded::kNumbers},
    {"FoldMulOpPattern", ops::kMultiply, "multiply(cst, cst)", Folded::kNumbers},
    {"FoldNegOpPattern", ops::kNegate, "negate(cst)"},
    {"FoldNotOpPattern", ops::kNot, "not(cst)", Folded::kIntegers},
    {"FoldOrOpPattern", ops::kOr, "or(cst, cst)", Folded::kIntegers},
    {"FoldRemOpPattern", ops::kRemainder, "remainder(cst, cst)", Folded::kNumbers, false, NoZeroDivisor},
    {"FoldReverseOpPattern", ops::kReverse, "reverse(cst)", Folded::kAlways, true, ReversesSome},
    {"FoldRoundNearestEvenOpPattern", ops::kRoundNearestEven, "round_nearest_even(cst)"},
    {"FoldRoundOpPattern", ops::kRoundNearestAfz, "round_nearest_afz(cst)"},
    {"FoldRsqrtOpPattern", ops::kRsqrt, "rsqrt(cst)", Folded::kAlways, false, AllPositive},
    {"FoldSelectOpPattern", ops::kSelect, "select(cst, cst, cst)", Folded::kNumbers, true, ChoosesAmongIntegers},
    {"FoldSignOpPattern", ops::kSign, "sign(cst)", Folded::kAlways, false, NoneIsNan, "sign(-0.0) is 0.0"},
    {"FoldSineOpPattern", ops::kSine, "sine(cst)"},
    {"FoldSliceOpPattern", ops::kSlice, "slice(cst)", Folded::kNumbers},
    {"FoldSqrtOpPattern", ops::kSqrt, "sqrt(cst)", Folded::kAlways, false, NoneNegative},
    {"FoldSubtractOpPattern", ops::kSubtract, "subtract(cst, cst)", Folded::kNumbers},
    {"FoldTanOpPattern", ops::kTan, "tan(cst)"},
    {"FoldTanhOpPattern", ops::kTanh, "tanh(cst)"},
    {"FoldTransposeOpPattern", ops::kTranspose, "transpose(cst)", Folded::kOrComplexSplat},
    {"FoldXorOpPattern", ops::kXor, "xor(cst, cst)", Folded::kIntegers},
};
// clang-format on

bool HasFoldedType(const ConstantFold& fold, const RuleOptions& options, ElementType element) {
  const bool integer = !IsFloat(element.kind) && !element.complex;
  switch (fold.folded) {
    case Folded::kIntegers:
      return integer;
    case Folded::kNumbers:
      return integer || (options.floats && element.is_float());
    case Folded::kAlways:
      return integer || element.is_float();
    case Folded::kOrComplex:
      return integer || options.floats;
    case Folded::kOrComplexSplat:
      return true;
  }
  return false;
}

bool FoldToConstant(const ConstantFold& fold, Rewriter& r, OpId op) {
  const Module& m = r.module();
  const TypeId type = m.TypeOf(m.ResultOf(r[op], 0));
  const auto tensor = m.As<TensorType>(type);
  if (!tensor || tensor->encoding) return false;
  const auto element = ElementTypeOf(m, tensor->element);
  if (!element || !HasFoldedType(fold, r.options(), *element)) return false;
  std::vector<Tensor> operands;
  bool splat = m.NumOperands(r[op]) > 0;
  for (const ValueId operand : m.OperandsOf(r[op])) {
    Tensor value = r.TensorOf(operand);
    if (!value || value.type().quantization) return false;
    splat = splat && IsSplat(value);
    // A result that is not complex says nothing about the operands.
    if (value.element().complex && (!element->complex || (fold.folded == Folded::kOrComplexSplat && !splat)))
      return false;
    operands.push_back(std::move(value));
  }
  const ValueTypePtr result = TensorTypeOf(m, type);
  if (!result || (fold.limited && !splat && result->count > r.options().max_elements)) return false;
  if (fold.fits && !fold.fits(r, op, *result, operands)) return false;
  const auto values = r.Evaluate(op, operands);
  if (!values) return false;
  r.Replace(op, r.EmitConstant(type, (*values)[0]));
  return true;
}

// A rule is a function without data, so there is one for each row.
template <size_t i>
bool ApplyConstantFold(Rewriter& r, OpId op) {
  return FoldToConstant(kConstantFolds[i], r, op);
}

template <size_t... i>
std::array<Rule, sizeof...(i)> RulesOfRows(std::index_sequence<i...>) {
  return {Rule{.name = kConstantFolds[i].name,
               .row = kConstantFolds[i].row,
               .apply = ApplyConstantFold<i>,
               .summary = kConstantFolds[i].summary,
               .reference = kConstantFolds[i].reference}...};
}

}  // namespace

std::span<const Rule> ConstantFolds() {
  static const auto rules = RulesOfRows(std::make_index_sequence<std::size(kConstantFolds)>());
  return rules;
}

}  // namespace shlo::rewrite
