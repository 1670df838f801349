// The elementwise family: add, subtract, maximum, minimum, and, or, xor, not.
//
// What the specification leaves open, and what is chosen here, once for all kernels of the family:
// - integer overflow is implementation-defined in the first draft (modulo 2^n, or saturation): modulo 2^n.
// - NaN payloads: a result that is NaN is the positive quiet NaN of its format, so that results are the same
//   on every machine. Parts of a complex number that are selected, not computed, keep their bits.
// - f4E2M1FN and the f6 types have neither NaN nor infinity: sums out of range are the largest finite value.
//   f8E8M0FNU has no zero and no sign: a result below its range is the least value, a negative one NaN.
// - subtraction of booleans is not in the specification today, but in programs that older versions wrote:
//   modulo 2, as for the integers, which is exclusive or.
// - subnormal numbers are not flushed, in bf16 neither.
#include <fmt/format.h>

#include "eval/element_loops.h"
#include "eval/kernels.h"

namespace shlo {
namespace {

// --- Operations -----------------------------------------------------------------------------------

// Specification, "add": logical OR; integer addition; IEEE 754 addition; complex addition.
struct AddOp {
  static uint8_t Bool(uint8_t a, uint8_t b) { return a | b; }
  template <typename T>
  static T Int(T a, T b) {
    using U = std::make_unsigned_t<T>;
    return T(U(a) + U(b));
  }
  template <typename T>
  static T Float(T a, T b) {
    return a + b;
  }
};

// Specification, "subtract": integer subtraction; IEEE 754 subtraction; complex subtraction.
struct SubtractOp {
  static uint8_t Bool(uint8_t a, uint8_t b) { return a ^ b; }
  template <typename T>
  static T Int(T a, T b) {
    using U = std::make_unsigned_t<T>;
    return T(U(a) - U(b));
  }
  template <typename T>
  static T Float(T a, T b) {
    return a - b;
  }
};

// `sub`, versions 37 to 39: the sum of the left operand and the negated right one, elementwise. Two's
// complement for integers, the sign flipped for floats, modulo 2 for booleans (where -1 = 1).
struct SubV37Op {
  static uint8_t Bool(uint8_t a, uint8_t b) { return uint8_t((a + b) & 1); }
  template <typename T>
  static T Int(T a, T b) {
    using U = std::make_unsigned_t<T>;
    const U negated = U(U(~U(b)) + U(1));
    return T(U(a) + negated);
  }
  template <typename T>
  static T Float(T a, T b) {
    return a + (-b);
  }
};

template <typename T>
using FloatBits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;

// Specification, "maximum": logical OR; integer maximum; IEEE 754-2019 `maximum` (a NaN operand gives NaN,
// -0 is less than +0); lexicographic maximum of (real, imaginary). The first draft says `maxNum`, which
// would ignore a NaN operand. One meaning is chosen for all versions, today's: a proof across them then says
// what the consumers of today see.
struct MaximumOp {
  static uint8_t Bool(uint8_t a, uint8_t b) { return a | b; }
  template <typename T>
  static T Int(T a, T b) {
    return a > b ? a : b;
  }
  template <typename T>
  static T Float(T a, T b) {
    // Equal operands have equal bits, or are zeros: then both signs must be set for the sign to stay.
    const T both = std::bit_cast<T>(std::bit_cast<FloatBits<T>>(a) & std::bit_cast<FloatBits<T>>(b));
    const T larger = a > b ? a : a == b ? both : b;
    return a != a ? a : larger;
  }
  template <typename T>
  static bool Before(T a, T b) {
    return a > b;
  }
};

// Specification, "minimum": as maximum, with AND and `minimum`.
struct MinimumOp {
  static uint8_t Bool(uint8_t a, uint8_t b) { return a & b; }
  template <typename T>
  static T Int(T a, T b) {
    return a < b ? a : b;
  }
  template <typename T>
  static T Float(T a, T b) {
    const T either = std::bit_cast<T>(std::bit_cast<FloatBits<T>>(a) | std::bit_cast<FloatBits<T>>(b));
    const T smaller = a < b ? a : a == b ? either : b;
    return a != a ? a : smaller;
  }
  template <typename T>
  static bool Before(T a, T b) {
    return a < b;
  }
};

// Lexicographic choice between complex numbers. What does not come first, ties and NaN included, gives the
// right operand; the specification does not order those.
template <typename Op, typename T>
void LexicographicLoop(const uint8_t* a, const uint8_t* b, uint8_t* __restrict out, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    const T ar = Load<T>(a, 2 * i), ai = Load<T>(a, 2 * i + 1);
    const T br = Load<T>(b, 2 * i), bi = Load<T>(b, 2 * i + 1);
    const bool left = ar == br ? Op::Before(ai, bi) : Op::Before(ar, br);
    Store<T>(out, 2 * i, left ? ar : br);
    Store<T>(out, 2 * i + 1, left ? ai : bi);
  }
}

// Bitwise operations see only bytes: unused high bits are zero and stay so.
struct AndOp {
  static uint8_t Byte(uint8_t a, uint8_t b) { return a & b; }
};
struct OrOp {
  static uint8_t Byte(uint8_t a, uint8_t b) { return a | b; }
};
struct XorOp {
  static uint8_t Byte(uint8_t a, uint8_t b) { return a ^ b; }
};

template <typename Op>
void ByteLoop(const uint8_t* a, const uint8_t* b, uint8_t* __restrict out, size_t n) {
  for (size_t i = 0; i < n; ++i) out[i] = Op::Byte(a[i], b[i]);
}

template <uint8_t kMask>
void NotLoop(const uint8_t* a, uint8_t* __restrict out, size_t n) {
  for (size_t i = 0; i < n; ++i) out[i] = uint8_t(~a[i] & kMask);
}

// --- Application ----------------------------------------------------------------------------------

tl::unexpected<Diagnostics> NoMeaning(ElementType element) {
  return Error(Code::kUnsupported,
               fmt::format("the op has no meaning for elements of type {}", ElementName(element)));
}

// Checks the operands and allocates the result: a splat when all operands are. The result has the type of
// the operands.
Status Prepare(KernelCall& call, size_t arity) {
  if (call.operands.size() != arity || call.results.size() != 1)
    return Error(Code::kInvalidProgram, fmt::format("the op takes {} operands and gives one result", arity));
  bool splat = true;
  const TensorTypePtr& type = call.operand(0).type_ptr();
  for (const Tensor* operand : call.operands) {
    splat = splat && operand->splat();
    if (operand->type_ptr() != type && operand->type() != *type)
      return Error(Code::kEvaluation, fmt::format("the operands have different types, {} and {}",
                                                  TypeName(*type), TypeName(operand->type())));
  }
  const TensorTypePtr& declared = call.result_types[0];
  const bool same = declared && (declared == type || *declared == *type);
  call.results[0] = call.host.Allocate(same ? declared : type, splat);
  if (!call.results[0]) return OutOfMemory();
  return {};
}

template <typename Op>
Status Arithmetic(KernelCall& call, bool lexicographic) {
  if (Status s = Prepare(call, 2); !s) return s;
  const ElementType element = call.operand(0).element();
  BinaryLoop loop = nullptr;
  uint32_t per_element = 1;
  if (element.is_bool()) {
    loop = BoolLoop<Op>;
  } else if (!IsFloat(element.kind)) {
    loop = PickIntLoop<Op>(element.kind);
  } else if (!element.complex || !lexicographic) {
    loop = PickFloatLoop<Op>(element.kind);
    per_element = element.complex ? 2 : 1;
  } else if constexpr (requires { Op::Before(1.0, 2.0); }) {
    loop = element.kind == TypeKind::kF32 ? LexicographicLoop<Op, float> : LexicographicLoop<Op, double>;
  }
  if (!loop) return NoMeaning(element);
  RunBinary(loop, call.operand(0), call.operand(1), call.results[0], per_element);
  return {};
}

template <typename Op>
Status Bitwise(KernelCall& call) {
  if (Status s = Prepare(call, 2); !s) return s;
  const ElementType element = call.operand(0).element();
  if (IsFloat(element.kind)) return NoMeaning(element);
  RunBinary(ByteLoop<Op>, call.operand(0), call.operand(1), call.results[0], element.bytes());
  return {};
}

}  // namespace

Status EvaluateAdd(KernelCall& call) { return Arithmetic<AddOp>(call, false); }
Status EvaluateSubtract(KernelCall& call) { return Arithmetic<SubtractOp>(call, false); }
Status EvaluateSubV37(KernelCall& call) { return Arithmetic<SubV37Op>(call, false); }
Status EvaluateMaximum(KernelCall& call) { return Arithmetic<MaximumOp>(call, true); }
Status EvaluateMinimum(KernelCall& call) { return Arithmetic<MinimumOp>(call, true); }

// Specification, "and", "or", "xor": logical for booleans, bitwise for integers.
Status EvaluateAnd(KernelCall& call) { return Bitwise<AndOp>(call); }
Status EvaluateOr(KernelCall& call) { return Bitwise<OrOp>(call); }
Status EvaluateXor(KernelCall& call) { return Bitwise<XorOp>(call); }

// Specification, "not": logical for booleans, bitwise for integers.
Status EvaluateNot(KernelCall& call) {
  if (Status s = Prepare(call, 1); !s) return s;
  const Tensor& operand = call.operand(0);
  const ElementType element = operand.element();
  if (IsFloat(element.kind)) return NoMeaning(element);
  UnaryLoop loop = NotLoop<0xFF>;
  switch (BitWidth(element.kind)) {
    case 1:
      loop = NotLoop<0x01>;
      break;
    case 2:
      loop = NotLoop<0x03>;
      break;
    case 4:
      loop = NotLoop<0x0F>;
      break;
    default:
      break;
  }
  loop(operand.data(), call.results[0].mutable_data(), operand.stored_bytes());
  return {};
}

}  // namespace shlo
