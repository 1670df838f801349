// Loops over elements: the inner loops of element-wise kernels. The kernel selects a loop once per op, for
// its element types. A loop is independent of shapes and runs on contiguous elements, so it serves whole
// tensors, blocks, and reduction bodies alike. Loads and stores use memcpy, because views may be unaligned.
#pragma once

#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <type_traits>

#include "shlo/tensor.h"

namespace shlo {

struct ElementLoop {
  static constexpr size_t kMaxOperands = 3;
  // Computes n elements; `out` is one of the operands or does not overlap them.
  using Run = void (*)(const ElementLoop& self, const uint8_t* const* in, uint8_t* out, size_t n);
  // Computes acc = op(acc, element) for n elements `stride` bytes apart, in order. May be nullptr.
  using Fold = void (*)(uint8_t* acc, const uint8_t* in, size_t n, ptrdiff_t stride);

  // The same for each of `rows` adjacent rows of n elements, with an accumulator each: the sums of different
  // rows do not wait for each other. May be nullptr.
  using FoldRows = void (*)(uint8_t* acc, const uint8_t* in, size_t rows, size_t n);

  Run run = nullptr;
  Fold fold = nullptr;
  FoldRows fold_rows = nullptr;
  // For loops that compute in a different number format: the loop for that format.
  Run inner = nullptr;
  const struct FloatCodec* codec = nullptr;
  // Parameters of the op: mantissa bits, masks.
  int64_t x = 0;
  int64_t y = 0;
  double nanoseconds = 1;  // per element, approximately

  explicit operator bool() const { return run != nullptr; }
};

// Criteria for selecting a loop.
struct LoopQuery {
  const Module* module = nullptr;  // source of the attributes, with `op`; nullptr: defaults
  const Op* op = nullptr;
  std::span<const ElementType> operands;
  ElementType result;  // kInvalid: inferred from the operands
  bool fast = false;   // EvalOptions::fast
};

// Selects the loop of an op, or an empty one if the op does not support the element types. Sets the element
// type of the result if the query does not.
using LoopPicker = ElementLoop (*)(LoopQuery& query);

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

template <typename T>
inline T CanonicalNan(T value) {
  return value != value ? std::numeric_limits<T>::quiet_NaN() : value;
}

// Calls `f.operator()<T, kWidth>()` for the integer type that stores a kind; returns a default value for
// kinds that are not integers, and for booleans.
template <typename F>
inline auto WithIntType(TypeKind kind, F&& f) -> decltype(f.template operator()<int8_t, 8>()) {
  const KindClass kind_class = ClassOf(kind);
  if (kind_class == KindClass::kUnsigned) {
    switch (BitWidth(kind)) {
      case 2:
        return f.template operator()<uint8_t, 2>();
      case 4:
        return f.template operator()<uint8_t, 4>();
      case 8:
        return f.template operator()<uint8_t, 8>();
      case 16:
        return f.template operator()<uint16_t, 16>();
      case 32:
        return f.template operator()<uint32_t, 32>();
      case 64:
        return f.template operator()<uint64_t, 64>();
      default:
        return {};
    }
  }
  if (kind_class != KindClass::kSignless && kind_class != KindClass::kIndex) return {};
  switch (BitWidth(kind)) {
    case 2:
      return f.template operator()<int8_t, 2>();
    case 4:
      return f.template operator()<int8_t, 4>();
    case 8:
      return f.template operator()<int8_t, 8>();
    case 16:
      return f.template operator()<int16_t, 16>();
    case 32:
      return f.template operator()<int32_t, 32>();
    case 64:
      return f.template operator()<int64_t, 64>();
    default:
      return {};
  }
}

// Integers narrower than their storage are sign-extended when loaded and truncated when stored.
template <typename T, int kWidth>
inline T LoadInt(const uint8_t* p, size_t i) {
  constexpr int kUnused = int(8 * sizeof(T)) - kWidth;
  const T v = Load<T>(p, i);
  if constexpr (kUnused > 0 && std::is_signed_v<T>) {
    using U = std::make_unsigned_t<T>;
    return T(T(U(U(v) << kUnused)) >> kUnused);
  }
  return v;
}
template <typename T, int kWidth>
inline void StoreInt(uint8_t* p, size_t i, T v) {
  using U = std::make_unsigned_t<T>;
  if constexpr (kWidth < int(8 * sizeof(T)))
    Store<U>(p, i, U(U(v) & U((1u << kWidth) - 1)));
  else
    Store<T>(p, i, v);
}

}  // namespace shlo
