// The check dialect: assertions about values. A failed check is reported and evaluation continues, so that
// one run reports all failures.
#include <cmath>

#include "base/format.h"
#include "eval/kernel/kernel_args.h"
#include "eval/kernels/kernels.h"
#include "ir/table/float_format.h"

namespace shlo {
namespace {

// Returns the expected value of a check: the second operand, or the `value` attribute.
Result<Tensor> Expected(KernelCall& call, bool constant) {
  if (call.operands.size() != (constant ? 1 : 2))
    return Error(Code::kInvalidProgram, "wrong number of operands");
  Result<Tensor> expected(Tensor{});
  if (constant) {
    const AttrId value = call.module.InherentAttrOf(call.op, "value");
    if (!value) return Error(Code::kInvalidProgram, "missing attribute 'value'");
    expected = TensorFromAttr(call.module, value);
  } else {
    expected = call.operand(1);
  }
  if (expected && expected->type() != call.operand(0).type())
    return Error(
        Code::kInvalidProgram,
        StrFormat("cannot compare {} with {}", TypeName(call.operand(0).type()), TypeName(expected->type())));
  return expected;
}

std::string Mismatch(const Tensor& actual, const Tensor& expected, uint64_t i) {
  return StrFormat("expected {} at {}, got {}", PrintElement(expected, i), IndexString(actual.type(), i),
                   PrintElement(actual, i));
}

// Returns the number of elements to compare; comparing one suffices for two splats.
uint64_t Steps(const Tensor& a, const Tensor& b) {
  return a.splat() && b.splat() && a.count() > 0 ? 1 : a.count();
}

// Returns a part of an element as a double, which is exact.
double ElementValue(const Tensor& tensor, uint64_t i, int part) {
  return DecodeFloat(tensor.element().kind, ElementBits(tensor, i, part));
}

// Returns whether elements are equal as numbers; +0 equals -0.
bool SameNumber(const Tensor& a, const Tensor& b, uint64_t i) {
  if (!IsFloat(a.element().kind)) return false;
  for (int part = 0; part <= int(a.element().complex); ++part)
    if (ElementBits(a, i, part) != ElementBits(b, i, part) &&
        ElementValue(a, i, part) != ElementValue(b, i, part))
      return false;
  return true;
}

// check.expect_eq, expect_eq_const: elements have the same bits or are equal as numbers. So -0 equals 0, and
// a NaN equals the same NaN.
Status ExpectEq(KernelCall& call, const Tensor& actual, const Tensor& expected) {
  if (!FirstDifference(actual, expected)) return {};
  for (uint64_t i = 0, n = Steps(actual, expected); i < n; ++i) {
    if (std::memcmp(actual.at(i), expected.at(i), actual.element().bytes()) == 0) continue;
    if (SameNumber(actual, expected, i)) continue;
    call.host.FailCheck(call, Mismatch(actual, expected, i));
    return {};
  }
  return {};
}

Status ExpectEq(KernelCall& call, bool constant) {
  const Tensor expected = SHLO_TRY(Expected(call, constant));
  return ExpectEq(call, call.operand(0), expected);
}

// check.expect_almost_eq, expect_almost_eq_const: parts are equal (+0 equals -0), both NaN, or finite and
// differ by at most `tolerance` (default 1e-4).
Status ExpectAlmostEq(KernelCall& call, const Tensor& actual, const Tensor& expected, double tolerance) {
  const ElementType element = actual.element();
  if (!IsFloat(element.kind))
    return Error(
        Code::kInvalidProgram,
        StrFormat("expected float elements for an approximate comparison, got {}", ElementName(element)));
  if (!FirstDifference(actual, expected)) return {};
  for (uint64_t i = 0, n = Steps(actual, expected); i < n; ++i) {
    for (int part = 0; part <= int(element.complex); ++part) {
      const double a = ElementValue(actual, i, part), b = ElementValue(expected, i, part);
      const bool close = a == b || (a != a && b != b) ||
                         (std::isfinite(a) && std::isfinite(b) && std::fabs(a - b) <= tolerance);
      if (close) continue;
      call.host.FailCheck(call, StrFormat("{}, tolerance {}", Mismatch(actual, expected, i), tolerance));
      return {};
    }
  }
  return {};
}

Status ExpectAlmostEq(KernelCall& call, bool constant) {
  const Tensor expected = SHLO_TRY(Expected(call, constant));
  double tolerance = 1e-4;
  // AttributeOf also finds a discardable attribute: some texts write it after the type.
  if (const AttrId attr = call.module.AttributeOf(call.op, "tolerance")) {
    const auto number = call.module.As<FloatAttr>(attr);
    if (!number) return Error(Code::kInvalidProgram, "attribute 'tolerance' is not a float");
    const TypeKind kind = call.module.types.KindOf(number->type);
    if (!FloatFormatOf(kind) || number->bits.empty())
      return Error(Code::kUnsupported, "attribute 'tolerance' has an unsupported float type");
    tolerance = DecodeFloat(kind, uint64_t(number->bits[0]));
  }
  return ExpectAlmostEq(call, call.operand(0), expected, tolerance);
}

// Returns the distance of two parts in ULP: 0 for equal bits and for two NaNs, the maximum if they differ and
// one is not finite.
uint64_t UlpDistance(TypeKind kind, uint64_t a, uint64_t b) {
  if (a == b || (IsNan(kind, a) && IsNan(kind, b))) return 0;
  if (IsNan(kind, a) || IsNan(kind, b) || IsInf(kind, a) || IsInf(kind, b)) return ~0ull;
  const FloatFormat* format = FloatFormatOf(kind);
  if (format->flavor == FloatFormat::kFnu) return a > b ? a - b : b - a;
  const uint64_t sign = 1ull << (format->width - 1);
  const uint64_t x = a & (sign - 1), y = b & (sign - 1);
  if ((a ^ b) & sign) return x + y;
  return x > y ? x - y : y - x;
}

Result<uint64_t> UlpLimit(const KernelCall& call, std::string_view name, uint64_t default_value) {
  const AttrId attr = call.module.AttributeOf(call.op, name);
  if (!attr) return default_value;
  int64_t value = 0;
  if (!call.module.AsInteger(attr, &value))
    return Error(Code::kInvalidProgram, StrFormat("attribute '{}' is not an integer", name));
  return uint64_t(value);
}

// Checks that the distance in ULP is in a range. The distance of complex numbers is the larger one of their
// parts.
Status ExpectClose(KernelCall& call, const Tensor& actual, const Tensor& expected, uint64_t least,
                   uint64_t most) {
  const ElementType element = actual.element();
  if (!IsFloat(element.kind))
    return Error(Code::kInvalidProgram,
                 StrFormat("expected float elements for an ULP comparison, got {}", ElementName(element)));
  for (uint64_t i = 0, n = Steps(actual, expected); i < n; ++i) {
    uint64_t distance = 0;
    for (int part = 0; part <= int(element.complex); ++part)
      distance = std::max(
          distance, UlpDistance(element.kind, ElementBits(actual, i, part), ElementBits(expected, i, part)));
    if (least <= distance && distance <= most) continue;
    call.host.FailCheck(call, StrFormat("{}: difference is {} ULP, allowed {} to {}",
                                        Mismatch(actual, expected, i), distance, least, most));
    return {};
  }
  return {};
}

// Tolerances of custom calls are fixed.
constexpr double kCallTolerance = 1e-3;
constexpr uint64_t kCallUlps = 3;

}  // namespace

Status EvaluateExpectEq(KernelCall& call) { return ExpectEq(call, false); }
Status EvaluateExpectEqConst(KernelCall& call) { return ExpectEq(call, true); }
Status EvaluateExpectAlmostEq(KernelCall& call) { return ExpectAlmostEq(call, false); }
Status EvaluateExpectAlmostEqConst(KernelCall& call) { return ExpectAlmostEq(call, true); }

// check.expect_close: the distance is between min_ulp_difference (default 0) and max_ulp_difference (default
// 1).
Status EvaluateExpectClose(KernelCall& call) {
  const Tensor expected = SHLO_TRY(Expected(call, false));
  const uint64_t least = SHLO_TRY(UlpLimit(call, "min_ulp_difference", 0));
  const uint64_t most = SHLO_TRY(UlpLimit(call, "max_ulp_difference", 1));
  return ExpectClose(call, call.operand(0), expected, least, most);
}

// check.expect_serialized_eq: equal to a value that a probe wrote.
Status EvaluateExpectSerializedEq(KernelCall& call) {
  SHLO_TRY(CheckArity(call, 1, 0));
  const std::string_view id = SHLO_TRY(StringOf(call, "probe_id"));
  int64_t iteration = SHLO_TRY(IntOf(call, "iteration", 0));
  if (const AttrId attr = call.module.AttributeOf(call.op, "iter")) call.module.AsInteger(attr, &iteration);
  if (!call.host.options().probed)
    // Mirrors MLIR.
    return Error(Code::kEvaluation, StrFormat("Failed to find serialized data for probe {}.", id));
  const Tensor written = SHLO_TRY(call.host.options().probed(id, iteration, call.operand(0).type_ptr()));
  if (written.type() != call.operand(0).type()) {
    // Mirrors MLIR.
    call.host.FailCheck(call,
                        StrFormat("Serialized types don't match: {} (actual) vs {} (expected) for probe {}.",
                                  TypeName(call.operand(0).type()), TypeName(written.type()), id));
    return {};
  }
  return ExpectEq(call, call.operand(0), written);
}

// Evaluates a check target of custom_call. Returns nullopt for other targets.
std::optional<Status> EvaluateCheckCall(KernelCall& call, std::string_view target) {
  if (!target.starts_with("check.") || call.operands.size() != 2) return std::nullopt;
  const Tensor &actual = call.operand(0), &expected = call.operand(1);
  if (!actual.type().is_tensor() || !expected.type().is_tensor() || actual.type() != expected.type())
    return Status(Error(Code::kInvalidProgram, StrFormat("cannot compare {} with {}", TypeName(actual.type()),
                                                         TypeName(expected.type()))));
  if (target == "check.expect_eq") return ExpectEq(call, actual, expected);
  if (target == "check.expect_close") return ExpectClose(call, actual, expected, 0, kCallUlps);
  if (target == "check.expect_almost_eq") return ExpectAlmostEq(call, actual, expected, kCallTolerance);
  if (target == "check.eq")
    return IsFloat(actual.element().kind) ? ExpectAlmostEq(call, actual, expected, 1e-4)
                                          : ExpectEq(call, actual, expected);
  return std::nullopt;
}

}  // namespace shlo
