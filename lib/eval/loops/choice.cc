// Comparison and selection: compare, select, clamp, is_finite, is_inf, is_pos_inf, is_neg_inf.
#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>

#include "eval/loops/comparison.h"
#include "eval/loops/element_loops.h"
#include "eval/loops/numeric/float_codec.h"
#include "ir/table/float_format.h"

namespace shlo {
namespace {

template <int kDirection, typename T>
bool Holds(T a, T b) {
  if constexpr (kDirection == kEq) return a == b;
  if constexpr (kDirection == kNe) return a != b;
  if constexpr (kDirection == kGe) return a >= b;
  if constexpr (kDirection == kGt) return a > b;
  if constexpr (kDirection == kLe) return a <= b;
  if constexpr (kDirection == kLt) return a < b;
}

// The weak order: all NaNs are equal, and greater than anything else.
template <int kDirection, typename T>
bool HoldsWeakly(T a, T b) {
  const bool a_nan = a != a, b_nan = b != b;
  if constexpr (kDirection == kEq) return a == b || (a_nan && b_nan);
  if constexpr (kDirection == kNe) return a != b && !(a_nan && b_nan);
  if constexpr (kDirection == kGe) return a >= b || a_nan;
  if constexpr (kDirection == kGt) return a > b || (a_nan && !b_nan);
  if constexpr (kDirection == kLe) return a <= b || b_nan;
  if constexpr (kDirection == kLt) return a < b || (b_nan && !a_nan);
}

// Calls f.operator()<direction>().
template <typename F>
ElementLoop::Run WithDirection(int64_t direction, F&& f) {
  switch (direction) {
    case kEq:
      return f.template operator()<kEq>();
    case kNe:
      return f.template operator()<kNe>();
    case kGe:
      return f.template operator()<kGe>();
    case kGt:
      return f.template operator()<kGt>();
    case kLe:
      return f.template operator()<kLe>();
    case kLt:
      return f.template operator()<kLt>();
    default:
      return nullptr;
  }
}

template <int kDirection, typename T, int kWidth>
void CompareInts(const ElementLoop&, const uint8_t* const* in, uint8_t* out, size_t n) {
  for (size_t i = 0; i < n; ++i)
    out[i] = Holds<kDirection>(LoadInt<T, kWidth>(in[0], i), LoadInt<T, kWidth>(in[1], i));
}
template <int kDirection, typename T>
void CompareFloats(const ElementLoop&, const uint8_t* const* in, uint8_t* out, size_t n) {
  for (size_t i = 0; i < n; ++i) out[i] = Holds<kDirection>(Load<T>(in[0], i), Load<T>(in[1], i));
}
// Through T, f32 or f64.
template <int kDirection, bool kWeakly, typename T>
void CompareThrough(const ElementLoop& self, const uint8_t* const* in, uint8_t* out, size_t n) {
  constexpr size_t kBlock = 256;
  T a[kBlock], b[kBlock];
  const size_t bytes = size_t(self.codec->bytes);
  const auto read = [&](const uint8_t* from, T* to, size_t count) {
    if constexpr (sizeof(T) == 4)
      self.codec->to_f32(from, to, count);
    else
      self.codec->to_f64(from, to, count);
  };
  for (size_t i = 0; i < n; i += kBlock) {
    const size_t count = std::min(kBlock, n - i);
    read(in[0] + i * bytes, a, count);
    read(in[1] + i * bytes, b, count);
    for (size_t k = 0; k < count; ++k)
      out[i + k] = kWeakly ? HoldsWeakly<kDirection>(a[k], b[k]) : Holds<kDirection>(a[k], b[k]);
  }
}
template <int kDirection, typename T>
void CompareComplex(const ElementLoop&, const uint8_t* const* in, uint8_t* out, size_t n) {
  using C = std::complex<T>;
  for (size_t i = 0; i < n; ++i) out[i] = (Load<C>(in[0], i) == Load<C>(in[1], i)) == (kDirection == kEq);
}
// IEEE 754 totalOrder: the bits as sign and magnitude. x: bytes of an element, y: its sign bit, 0 for none.
template <int kDirection>
void CompareTotal(const ElementLoop& self, const uint8_t* const* in, uint8_t* out, size_t n) {
  const size_t bytes = size_t(self.x);
  const uint64_t sign = uint64_t(self.y);
  const auto key = [&](const uint8_t* p) {
    uint64_t v = 0;
    std::memcpy(&v, p, bytes);
    return sign == 0 ? int64_t(v) : v & sign ? -int64_t(v & (sign - 1)) - 1 : int64_t(v & (sign - 1));
  };
  for (size_t i = 0; i < n; ++i) out[i] = Holds<kDirection>(key(in[0] + i * bytes), key(in[1] + i * bytes));
}

int64_t EnumSlot(const LoopQuery& q, std::string_view name, int64_t missing) {
  if (!q.module || !q.op) return missing;
  return q.module->EnumValue(q.module->AttributeOf(*q.op, name)).value_or(missing);
}

template <int kBytes>
void SelectRun(const ElementLoop&, const uint8_t* const* in, uint8_t* out, size_t n) {
  for (size_t i = 0; i < n; ++i)
    std::memcpy(out + kBytes * i, (in[0][i] ? in[1] : in[2]) + kBytes * i, kBytes);
}
template <typename T>
void SelectWordRun(const ElementLoop&, const uint8_t* const* in, uint8_t* out, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    const T a = Load<T>(in[1], i), b = Load<T>(in[2], i);
    Store<T>(out, i, in[0][i] ? a : b);
  }
}

template <bool kPositive, bool kNegative, bool kFinite>
void ClassifyRun(const ElementLoop& self, const uint8_t* const* in, uint8_t* out, size_t n) {
  constexpr size_t kBlock = 256;
  double values[kBlock];
  const size_t bytes = size_t(self.codec->bytes);
  for (size_t i = 0; i < n; i += kBlock) {
    const size_t count = std::min(kBlock, n - i);
    self.codec->to_f64(in[0] + i * bytes, values, count);
    for (size_t k = 0; k < count; ++k)
      out[i + k] =
          kFinite ? std::isfinite(values[k])
                  : std::isinf(values[k]) && ((kPositive && values[k] > 0) || (kNegative && values[k] < 0));
  }
}
ElementLoop PickClassify(LoopQuery& q, ElementLoop::Run run) {
  if (q.operands.size() != 1 || q.operands[0].complex) return {};
  q.result = ElementType{TypeKind::kI1};
  ElementLoop loop{.run = run};
  loop.codec = CodecOf(q.operands[0].kind);
  return loop.codec ? loop : ElementLoop{};
}

}  // namespace

// Specification, "compare": booleans and integers; IEEE 754 comparisons, with compare_type TOTALORDER the
// total order, with WEAKORDER the weak one, in which NaNs are equal and last, and zeros are equal; complex
// numbers only for equality. SIGNED and UNSIGNED follow from the element type.
ElementLoop PickCompare(LoopQuery& q) {
  if (q.operands.size() != 2 || q.operands[0] != q.operands[1]) return {};
  const ElementType element = q.operands[0];
  q.result = ElementType{TypeKind::kI1};
  const int64_t direction = EnumSlot(q, "comparison_direction", -1);
  const int64_t type = EnumSlot(q, "compare_type", kNoType);
  ElementLoop loop;
  if (element.complex) {
    if (direction != kEq && direction != kNe) return {};
    loop.run = WithDirection(direction, [&]<int kDirection>() -> ElementLoop::Run {
      return element.kind == TypeKind::kF32 ? CompareComplex<kDirection, float>
                                            : CompareComplex<kDirection, double>;
    });
  } else if (IsFloat(element.kind) && type == kTotalOrder) {
    const FloatFormat* format = FloatFormatOf(element.kind);
    loop.x = int64_t(element.bytes());
    loop.y = format->is_signed() ? int64_t(1ull << (format->width - 1)) : 0;
    loop.run = WithDirection(direction,
                             []<int kDirection>() -> ElementLoop::Run { return CompareTotal<kDirection>; });
  } else if (IsFloat(element.kind)) {
    loop.codec = CodecOf(element.kind);
    if (!loop.codec) return {};
    loop.run = WithDirection(direction, [&]<int kDirection>() -> ElementLoop::Run {
      if (type == kWeakOrder)
        return loop.codec->through_f32 ? CompareThrough<kDirection, true, float>
                                       : CompareThrough<kDirection, true, double>;
      if (element.kind == TypeKind::kF32) return CompareFloats<kDirection, float>;
      if (element.kind == TypeKind::kF64) return CompareFloats<kDirection, double>;
      return loop.codec->through_f32 ? CompareThrough<kDirection, false, float>
                                     : CompareThrough<kDirection, false, double>;
    });
  } else {
    loop.run = WithDirection(direction, [&]<int kDirection>() -> ElementLoop::Run {
      if (element.is_bool()) return CompareInts<kDirection, uint8_t, 8>;
      return WithIntType(element.kind, []<typename T, int kWidth>() -> ElementLoop::Run {
        return CompareInts<kDirection, T, kWidth>;
      });
    });
  }
  return loop;
}

// Specification, "select": on_true where pred is true, on_false elsewhere.
ElementLoop PickSelect(LoopQuery& q) {
  if (q.operands.size() != 3 || !q.operands[0].is_bool() || q.operands[1] != q.operands[2]) return {};
  q.result = q.operands[1];
  switch (q.result.bytes()) {
    case 1:
      return {.run = SelectWordRun<uint8_t>};
    case 2:
      return {.run = SelectWordRun<uint16_t>};
    case 3:
      return {.run = SelectRun<3>};
    case 4:
      return {.run = SelectWordRun<uint32_t>};
    case 5:
      return {.run = SelectRun<5>};
    case 6:
      return {.run = SelectRun<6>};
    case 7:
      return {.run = SelectRun<7>};
    case 8:
      return {.run = SelectWordRun<uint64_t>};
    case 16:
      return {.run = SelectRun<16>};
    default:
      return {};
  }
}

// Specification, "clamp": minimum(maximum(operand, min), max). Operands: min, operand, max.
ElementLoop PickClamp(LoopQuery& q) {
  if (q.operands.size() != 3 || q.operands[0] != q.operands[1] || q.operands[1] != q.operands[2]) return {};
  const ElementType pair[2] = {q.operands[1], q.operands[1]};
  LoopQuery two{.operands = pair};
  const ElementLoop maximum = PickMaximum(two), minimum = PickMinimum(two);
  if (!maximum || !minimum) return {};
  q.result = q.operands[1];
  // Both loops compute in the same number format, if any.
  ElementLoop loop;
  loop.codec = maximum.codec;
  loop.x = int64_t(q.result.kind);
  loop.y = q.result.complex;
  loop.run = [](const ElementLoop& self, const uint8_t* const* in, uint8_t* out, size_t n) {
    const ElementType element{TypeKind(self.x), self.y != 0};
    const ElementType types[2] = {element, element};
    LoopQuery query{.operands = types};
    const ElementLoop larger = PickMaximum(query), smaller = PickMinimum(query);
    const uint8_t* first[2] = {in[1], in[0]};
    // Use blocks, because `out` may alias an operand.
    constexpr size_t kBytes = 4096;
    uint8_t block[kBytes];
    const size_t bytes = element.bytes(), step = kBytes / bytes;
    for (size_t i = 0; i < n; i += step) {
      const size_t count = std::min(step, n - i);
      const uint8_t* a[2] = {first[0] + i * bytes, first[1] + i * bytes};
      larger.run(larger, a, block, count);
      const uint8_t* b[2] = {block, in[2] + i * bytes};
      smaller.run(smaller, b, out + i * bytes, count);
    }
  };
  return loop;
}

// Specification, "is_finite": neither infinite nor NaN.
ElementLoop PickIsFinite(LoopQuery& q) { return PickClassify(q, ClassifyRun<false, false, true>); }
// CHLO, "is_inf", "is_pos_inf", "is_neg_inf".
ElementLoop PickIsInf(LoopQuery& q) { return PickClassify(q, ClassifyRun<true, true, false>); }
ElementLoop PickIsPosInf(LoopQuery& q) { return PickClassify(q, ClassifyRun<true, false, false>); }
ElementLoop PickIsNegInf(LoopQuery& q) { return PickClassify(q, ClassifyRun<false, true, false>); }

}  // namespace shlo
