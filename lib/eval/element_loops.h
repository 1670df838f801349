// Typed loops: one instantiation per operation and element type, picked once per op. An operation is a
// struct with static functions for the classes of elements it knows:
//   static uint8_t Bool(uint8_t a, uint8_t b);                     0 or 1
//   template <typename T> static T Int(T a, T b);                  T signed or unsigned, of the element's
//   range;
//                                                                  the result is taken modulo 2^width
//   template <typename T> static T Float(T a, T b);                T float or double; a result NaN is
//   replaced
//                                                                  by the positive quiet NaN of the format
// Loads and stores go through memcpy, because constants are views and may lie at any address.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "eval/small_float.h"
#include "eval/tensor.h"

namespace shlo {

// n elements of `a` and `b` to `out`, which overlaps neither.
using BinaryLoop = void (*)(const uint8_t* a, const uint8_t* b, uint8_t* out, size_t n);
using UnaryLoop = void (*)(const uint8_t* a, uint8_t* out, size_t n);

template <typename T>
inline T Load(const uint8_t* p, size_t i) {
  T v;
  std::memcpy(&v, p + i * sizeof(T), sizeof(T));
  return v;
}
template <typename T>
inline void Store(uint8_t* p, size_t i, T v) {
  std::memcpy(p + i * sizeof(T), &v, sizeof(T));
}

// How the elements of a kind lie in bytes, for kinds of at most 19 bits.
template <TypeKind kKind>
struct SmallStorage {
  static constexpr int kBytes = (SmallFloat<kKind>::kWidth + 7) / 8;
  static uint32_t Get(const uint8_t* p, size_t i) {
    if constexpr (kBytes == 1) {
      return p[i];
    } else if constexpr (kBytes == 2) {
      return Load<uint16_t>(p, i);
    } else {
      return uint32_t(p[3 * i] | p[3 * i + 1] << 8 | p[3 * i + 2] << 16);
    }
  }
  static void Put(uint8_t* p, size_t i, uint32_t code) {
    if constexpr (kBytes == 1) {
      p[i] = uint8_t(code);
    } else if constexpr (kBytes == 2) {
      Store<uint16_t>(p, i, uint16_t(code));
    } else {
      p[3 * i] = uint8_t(code);
      p[3 * i + 1] = uint8_t(code >> 8);
      p[3 * i + 2] = uint8_t(code >> 16);
    }
  }
};

// All values of an 8-bit (or smaller) format.
template <TypeKind kKind>
inline constexpr std::array<float, 256> kSmallValues = [] {
  std::array<float, 256> values{};
  for (uint32_t i = 0; i < 256; ++i)
    values[i] = DecodeSmall<kKind>(i & ((1u << SmallFloat<kKind>::kWidth) - 1));
  return values;
}();

template <TypeKind kKind>
inline float ValueOf(uint32_t code) {
  if constexpr (SmallFloat<kKind>::kWidth <= 8) {
    return kSmallValues<kKind>[code & 0xFF];
  } else {
    return DecodeSmall<kKind>(code);
  }
}

template <typename T>
inline T CanonicalNan(T value) {
  return value != value ? std::numeric_limits<T>::quiet_NaN() : value;
}

// --- Loops ----------------------------------------------------------------------------------------

template <typename Op>
void BoolLoop(const uint8_t* a, const uint8_t* b, uint8_t* __restrict out, size_t n) {
  for (size_t i = 0; i < n; ++i) out[i] = Op::Bool(a[i], b[i]);
}

// T is the type that holds the element; kWidth its bits, which may be fewer.
template <typename Op, typename T, int kWidth>
void IntLoop(const uint8_t* a, const uint8_t* b, uint8_t* __restrict out, size_t n) {
  using U = std::make_unsigned_t<T>;
  constexpr int kUnused = int(8 * sizeof(T)) - kWidth;
  for (size_t i = 0; i < n; ++i) {
    T x = Load<T>(a, i), y = Load<T>(b, i);
    if constexpr (kUnused > 0 && std::is_signed_v<T>) {
      x = T(T(U(x) << kUnused) >> kUnused);
      y = T(T(U(y) << kUnused) >> kUnused);
    }
    U result = U(Op::template Int<T>(x, y));
    if constexpr (kUnused > 0) result = U(result & ((1u << kWidth) - 1));
    Store<U>(out, i, result);
  }
}

template <typename Op, typename T>
void FloatLoop(const uint8_t* a, const uint8_t* b, uint8_t* __restrict out, size_t n) {
  for (size_t i = 0; i < n; ++i)
    Store<T>(out, i, CanonicalNan(Op::template Float<T>(Load<T>(a, i), Load<T>(b, i))));
}

template <typename Op, TypeKind kKind>
void SmallFloatLoop(const uint8_t* a, const uint8_t* b, uint8_t* __restrict out, size_t n) {
  using Storage = SmallStorage<kKind>;
  for (size_t i = 0; i < n; ++i)
    Storage::Put(out, i,
                 EncodeSmall<kKind>(Op::template Float<float>(ValueOf<kKind>(Storage::Get(a, i)),
                                                              ValueOf<kKind>(Storage::Get(b, i)))));
}

// The loop of an operation on elements of one class; nullptr for other classes.
template <typename Op>
constexpr BinaryLoop PickIntLoop(TypeKind kind) {
  switch (kind) {
    case TypeKind::kI2:
      return IntLoop<Op, int8_t, 2>;
    case TypeKind::kI4:
      return IntLoop<Op, int8_t, 4>;
    case TypeKind::kI8:
      return IntLoop<Op, int8_t, 8>;
    case TypeKind::kI16:
      return IntLoop<Op, int16_t, 16>;
    case TypeKind::kI32:
      return IntLoop<Op, int32_t, 32>;
    case TypeKind::kIndex:
    case TypeKind::kI64:
      return IntLoop<Op, int64_t, 64>;
    case TypeKind::kUI2:
      return IntLoop<Op, uint8_t, 2>;
    case TypeKind::kUI4:
      return IntLoop<Op, uint8_t, 4>;
    case TypeKind::kUI8:
      return IntLoop<Op, uint8_t, 8>;
    case TypeKind::kUI16:
      return IntLoop<Op, uint16_t, 16>;
    case TypeKind::kUI32:
      return IntLoop<Op, uint32_t, 32>;
    case TypeKind::kUI64:
      return IntLoop<Op, uint64_t, 64>;
    default:
      return nullptr;
  }
}

template <typename Op>
constexpr BinaryLoop PickFloatLoop(TypeKind kind) {
  switch (kind) {
    case TypeKind::kF4E2M1FN:
      return SmallFloatLoop<Op, TypeKind::kF4E2M1FN>;
    case TypeKind::kF6E2M3FN:
      return SmallFloatLoop<Op, TypeKind::kF6E2M3FN>;
    case TypeKind::kF6E3M2FN:
      return SmallFloatLoop<Op, TypeKind::kF6E3M2FN>;
    case TypeKind::kF8E3M4:
      return SmallFloatLoop<Op, TypeKind::kF8E3M4>;
    case TypeKind::kF8E4M3:
      return SmallFloatLoop<Op, TypeKind::kF8E4M3>;
    case TypeKind::kF8E4M3FN:
      return SmallFloatLoop<Op, TypeKind::kF8E4M3FN>;
    case TypeKind::kF8E4M3FNUZ:
      return SmallFloatLoop<Op, TypeKind::kF8E4M3FNUZ>;
    case TypeKind::kF8E4M3B11FNUZ:
      return SmallFloatLoop<Op, TypeKind::kF8E4M3B11FNUZ>;
    case TypeKind::kF8E5M2:
      return SmallFloatLoop<Op, TypeKind::kF8E5M2>;
    case TypeKind::kF8E5M2FNUZ:
      return SmallFloatLoop<Op, TypeKind::kF8E5M2FNUZ>;
    case TypeKind::kF8E8M0FNU:
      return SmallFloatLoop<Op, TypeKind::kF8E8M0FNU>;
    case TypeKind::kBF16:
      return SmallFloatLoop<Op, TypeKind::kBF16>;
    case TypeKind::kF16:
      return SmallFloatLoop<Op, TypeKind::kF16>;
    case TypeKind::kTF32:
      return SmallFloatLoop<Op, TypeKind::kTF32>;
    case TypeKind::kF32:
      return FloatLoop<Op, float>;
    case TypeKind::kF64:
      return FloatLoop<Op, double>;
    default:
      return nullptr;
  }
}

// --- Elementwise application ----------------------------------------------------------------------

// Runs a loop over whole tensors of equal type, splats included, `per_element` loop steps per element (2
// for complex numbers whose parts are independent). `out` is a splat if and only if both operands are.
void RunBinary(BinaryLoop loop, const Tensor& a, const Tensor& b, Tensor& out, uint32_t per_element = 1);

}  // namespace shlo
