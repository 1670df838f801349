// Ops on bits: and, or, xor, not, shifts, popcnt, count_leading_zeros, mulhi.
//
// Unused high bits of an element are zero, so and, or and xor work on bytes. A shift amount, as an unsigned
// number, of at least the width shifts out all bits.
#include <algorithm>
#include <bit>

#include "eval/loops/element_loops.h"

namespace shlo {
namespace {

struct AndOp {
  template <typename T>
  static T Bits(T a, T b) {
    return T(a & b);
  }
};
struct OrOp {
  template <typename T>
  static T Bits(T a, T b) {
    return T(a | b);
  }
};
struct XorOp {
  template <typename T>
  static T Bits(T a, T b) {
    return T(a ^ b);
  }
};

template <typename Op, typename T>
void BitsRun(const ElementLoop&, const uint8_t* const* in, uint8_t* out, size_t n) {
  for (size_t i = 0; i < n; ++i) Store<T>(out, i, Op::template Bits<T>(Load<T>(in[0], i), Load<T>(in[1], i)));
}
template <typename Op, typename T>
void BitsFold(uint8_t* acc, const uint8_t* in, size_t n, ptrdiff_t stride) {
  T value = Load<T>(acc, 0);
  for (size_t i = 0; i < n; ++i, in += stride) value = Op::template Bits<T>(value, Load<T>(in, 0));
  Store<T>(acc, 0, value);
}
template <typename Op, typename T>
constexpr ElementLoop BitsLoop() {
  ElementLoop loop;
  loop.run = BitsRun<Op, T>;
  loop.fold = BitsFold<Op, T>;
  return loop;
}

template <typename Op>
ElementLoop PickBits(LoopQuery& q) {
  if (q.operands.size() != 2 || q.operands[0] != q.operands[1] || IsFloat(q.operands[0].kind)) return {};
  q.result = q.operands[0];
  switch (q.result.bytes()) {
    case 1:
      return BitsLoop<Op, uint8_t>();
    case 2:
      return BitsLoop<Op, uint16_t>();
    case 4:
      return BitsLoop<Op, uint32_t>();
    default:
      return BitsLoop<Op, uint64_t>();
  }
}

template <typename T, int kWidth>
struct ShiftLeft {
  static T Of(T a, T b) {
    using U = std::make_unsigned_t<T>;
    const uint64_t by = uint64_t(U(b));
    return by >= kWidth ? T(0) : T(U(uint64_t(U(a)) << by));
  }
};
template <typename T, int kWidth>
struct ShiftRightArithmetic {
  static T Of(T a, T b) {
    using U = std::make_unsigned_t<T>;
    using S = std::make_signed_t<T>;
    constexpr int kUnused = int(8 * sizeof(T)) - kWidth;
    const uint64_t by = std::min<uint64_t>(uint64_t(U(b)), kWidth - 1);
    return T(S(S(U(U(a) << kUnused)) >> kUnused) >> by);
  }
};
template <typename T, int kWidth>
struct ShiftRightLogical {
  static T Of(T a, T b) {
    using U = std::make_unsigned_t<T>;
    constexpr uint64_t kMask = kWidth == 64 ? ~0ull : (1ull << kWidth) - 1;
    const uint64_t by = uint64_t(U(b));
    return by >= kWidth ? T(0) : T((uint64_t(U(a)) & kMask) >> by);
  }
};
// Returns the high half of the double-width product.
template <typename T, int kWidth>
struct Mulhi {
  static T Of(T a, T b) {
    if constexpr (std::is_signed_v<T>) {
      return T((__int128(a) * __int128(b)) >> kWidth);
    } else {
      using Wide = unsigned __int128;
      return T((Wide(a) * Wide(b)) >> kWidth);
    }
  }
};

template <template <typename, int> typename Op, typename T, int kWidth>
void IntegerRun(const ElementLoop&, const uint8_t* const* in, uint8_t* out, size_t n) {
  for (size_t i = 0; i < n; ++i)
    StoreInt<T, kWidth>(out, i,
                        Op<T, kWidth>::Of(LoadInt<T, kWidth>(in[0], i), LoadInt<T, kWidth>(in[1], i)));
}

template <template <typename, int> typename Op>
ElementLoop PickInteger(LoopQuery& q) {
  if (q.operands.size() != 2 || q.operands[0] != q.operands[1]) return {};
  q.result = q.operands[0];
  return WithIntType(q.result.kind,
                     []<typename T, int kWidth>() { return ElementLoop{.run = IntegerRun<Op, T, kWidth>}; });
}

template <typename T, int kWidth>
void PopcntRun(const ElementLoop&, const uint8_t* const* in, uint8_t* out, size_t n) {
  using U = std::make_unsigned_t<T>;
  for (size_t i = 0; i < n; ++i) StoreInt<T, kWidth>(out, i, T(std::popcount(Load<U>(in[0], i))));
}
template <typename T, int kWidth>
void LeadingZerosRun(const ElementLoop&, const uint8_t* const* in, uint8_t* out, size_t n) {
  using U = std::make_unsigned_t<T>;
  constexpr int kUnused = int(8 * sizeof(T)) - kWidth;
  for (size_t i = 0; i < n; ++i)
    StoreInt<T, kWidth>(out, i, T(std::countl_zero(Load<U>(in[0], i)) - kUnused));
}

template <uint8_t kMask>
void NotRun(const ElementLoop&, const uint8_t* const* in, uint8_t* out, size_t n) {
  for (size_t i = 0; i < n; ++i) out[i] = uint8_t(~in[0][i] & kMask);
}
template <typename T>
void NotWideRun(const ElementLoop&, const uint8_t* const* in, uint8_t* out, size_t n) {
  for (size_t i = 0; i < n; ++i) Store<T>(out, i, T(~Load<T>(in[0], i)));
}

}  // namespace

// Specification, "and", "or", "xor": logical for booleans, bitwise for integers.
ElementLoop PickAnd(LoopQuery& query) { return PickBits<AndOp>(query); }
ElementLoop PickOr(LoopQuery& query) { return PickBits<OrOp>(query); }
ElementLoop PickXor(LoopQuery& query) { return PickBits<XorOp>(query); }

// Specification, "shift_left", "shift_right_arithmetic", "shift_right_logical".
ElementLoop PickShiftLeft(LoopQuery& query) { return PickInteger<ShiftLeft>(query); }
ElementLoop PickShiftRightArithmetic(LoopQuery& query) { return PickInteger<ShiftRightArithmetic>(query); }
ElementLoop PickShiftRightLogical(LoopQuery& query) { return PickInteger<ShiftRightLogical>(query); }

// CHLO, "mulhi".
ElementLoop PickMulhi(LoopQuery& query) { return PickInteger<Mulhi>(query); }

// Specification, "popcnt": the number of set bits.
ElementLoop PickPopcnt(LoopQuery& q) {
  if (q.operands.size() != 1) return {};
  q.result = q.operands[0];
  return WithIntType(q.result.kind,
                     []<typename T, int kWidth>() { return ElementLoop{.run = PopcntRun<T, kWidth>}; });
}

// Specification, "count_leading_zeros".
ElementLoop PickCountLeadingZeros(LoopQuery& q) {
  if (q.operands.size() != 1) return {};
  q.result = q.operands[0];
  return WithIntType(q.result.kind,
                     []<typename T, int kWidth>() { return ElementLoop{.run = LeadingZerosRun<T, kWidth>}; });
}

// Specification, "not": logical for booleans, bitwise for integers.
ElementLoop PickNot(LoopQuery& q) {
  if (q.operands.size() != 1 || IsFloat(q.operands[0].kind)) return {};
  q.result = q.operands[0];
  switch (BitWidth(q.result.kind)) {
    case 1:
      return {.run = NotRun<0x01>};
    case 2:
      return {.run = NotRun<0x03>};
    case 4:
      return {.run = NotRun<0x0F>};
    case 8:
      return {.run = NotRun<0xFF>};
    case 16:
      return {.run = NotWideRun<uint16_t>};
    case 32:
      return {.run = NotWideRun<uint32_t>};
    case 64:
      return {.run = NotWideRun<uint64_t>};
    default:
      return {};
  }
}

}  // namespace shlo
