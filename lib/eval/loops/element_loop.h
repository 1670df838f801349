// Loops over elements: the inside of every kernel that computes element by element, picked once per op. A
// loop knows the element types it was picked for and nothing of shapes; whoever runs it hands it contiguous
// runs of elements. So the same loop serves whole tensors, blocks of them, and the bodies of reductions.
// Loads and stores go through memcpy, because constants are views and may lie at any address.
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
  // n elements of each operand to `out`, which either is one of them or overlaps none.
  using Run = void (*)(const ElementLoop& self, const uint8_t* const* in, uint8_t* out, size_t n);
  // acc = op(acc, element) for n elements that lie `stride` bytes apart, in order. May be absent.
  using Fold = void (*)(uint8_t* acc, const uint8_t* in, size_t n, ptrdiff_t stride);

  Run run = nullptr;
  Fold fold = nullptr;
  // For loops that go through another number format: the loop on that format.
  Run inner = nullptr;
  const struct FloatCodec* codec = nullptr;
  // Parameters of the op: mantissa bits, masks.
  int64_t x = 0;
  int64_t y = 0;

  explicit operator bool() const { return run != nullptr; }
};

// What a loop is picked by.
struct LoopQuery {
  const Module* module = nullptr;  // with `op`, the attributes; nullptr: all defaults
  const Op* op = nullptr;
  std::span<const ElementType> operands;
  ElementType result;  // kInvalid kind: whatever follows from the operands
};

// Gives the loop of an op for element types; an empty one when the op has no meaning for them. Sets the
// element type of the result where the query leaves it open.
using LoopPicker = ElementLoop (*)(LoopQuery& query);

// The picker of a shape; nullptr when the op is not element-wise.
LoopPicker PickerOf(RevisionId revision);

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

// Integers narrower than their storage: sign-extended when loaded, cut when stored.
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
