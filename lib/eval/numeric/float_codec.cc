#include "eval/numeric/float_codec.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "eval/numeric/small_float.h"

namespace shlo {

float RoundToOdd(double value) {
  const float near = float(value);
  if (std::isnan(near) || double(near) == value) return near;
  // Truncate, then set the last bit if the result is inexact.
  uint32_t bits = std::bit_cast<uint32_t>(near);
  if (std::fabs(double(near)) > std::fabs(value)) --bits;
  return std::bit_cast<float>(bits | 1);
}

namespace {

// Byte layout of the elements of a kind of at most 19 bits.
template <TypeKind kKind>
struct Storage {
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
constexpr std::array<float, 256> kSmallValues = [] {
  std::array<float, 256> values{};
  for (uint32_t i = 0; i < 256; ++i)
    values[i] = DecodeSmall<kKind>(i & ((1u << SmallFloat<kKind>::kWidth) - 1));
  return values;
}();

template <TypeKind kKind>
float ValueOf(uint32_t code) {
  if constexpr (SmallFloat<kKind>::kWidth <= 8) {
    return kSmallValues<kKind>[code & 0xFF];
  } else {
    return DecodeSmall<kKind>(code);
  }
}

template <TypeKind kKind, typename T>
void Read(const uint8_t* in, T* out, size_t n) {
  for (size_t i = 0; i < n; ++i) out[i] = T(ValueOf<kKind>(Storage<kKind>::Get(in, i)));
}
template <TypeKind kKind>
void WriteF32(const float* in, uint8_t* out, size_t n) {
  for (size_t i = 0; i < n; ++i) Storage<kKind>::Put(out, i, EncodeSmall<kKind>(in[i]));
}
template <TypeKind kKind>
void WriteF64(const double* in, uint8_t* out, size_t n) {
  for (size_t i = 0; i < n; ++i) Storage<kKind>::Put(out, i, EncodeSmall<kKind>(RoundToOdd(in[i])));
}

template <typename From, typename To>
void ReadPlain(const uint8_t* in, To* out, size_t n) {
  for (size_t i = 0; i < n; ++i) out[i] = To(Load<From>(in, i));
}
template <typename From, typename To>
void WritePlain(const From* in, uint8_t* out, size_t n) {
  for (size_t i = 0; i < n; ++i) Store<To>(out, i, CanonicalNan(To(in[i])));
}

template <TypeKind kKind>
constexpr FloatCodec kSmallCodec = {Storage<kKind>::kBytes, Read<kKind, float>, WriteF32<kKind>,
                                    Read<kKind, double>, WriteF64<kKind>};
constexpr FloatCodec kF32Codec = {4, ReadPlain<float, float>, WritePlain<float, float>,
                                  ReadPlain<float, double>, WritePlain<double, float>};
constexpr FloatCodec kF64Codec = {8, ReadPlain<double, float>, WritePlain<float, double>,
                                  ReadPlain<double, double>, WritePlain<double, double>};

// Elements per block, such that blocks stay in the L1 cache.
constexpr size_t kBlock = 256;

template <typename T, int kArity>
void RunThrough(const ElementLoop& self, const uint8_t* const* in, uint8_t* out, size_t n) {
  T blocks[kArity][kBlock];
  T result[kBlock];
  const FloatCodec& codec = *self.codec;
  const uint8_t* pointers[kArity];
  for (int a = 0; a < kArity; ++a) pointers[a] = reinterpret_cast<const uint8_t*>(blocks[a]);
  for (size_t i = 0; i < n; i += kBlock) {
    const size_t count = std::min(kBlock, n - i);
    for (int a = 0; a < kArity; ++a) {
      if constexpr (sizeof(T) == 4)
        codec.to_f32(in[a] + i * size_t(codec.bytes), blocks[a], count);
      else
        codec.to_f64(in[a] + i * size_t(codec.bytes), blocks[a], count);
    }
    self.inner(self, pointers, reinterpret_cast<uint8_t*>(result), count);
    if constexpr (sizeof(T) == 4)
      codec.from_f32(result, out + i * size_t(codec.bytes), count);
    else
      codec.from_f64(result, out + i * size_t(codec.bytes), count);
  }
}

}  // namespace

const FloatCodec* CodecOf(TypeKind kind) {
  switch (kind) {
    case TypeKind::kF4E2M1FN:
      return &kSmallCodec<TypeKind::kF4E2M1FN>;
    case TypeKind::kF6E2M3FN:
      return &kSmallCodec<TypeKind::kF6E2M3FN>;
    case TypeKind::kF6E3M2FN:
      return &kSmallCodec<TypeKind::kF6E3M2FN>;
    case TypeKind::kF8E3M4:
      return &kSmallCodec<TypeKind::kF8E3M4>;
    case TypeKind::kF8E4M3:
      return &kSmallCodec<TypeKind::kF8E4M3>;
    case TypeKind::kF8E4M3FN:
      return &kSmallCodec<TypeKind::kF8E4M3FN>;
    case TypeKind::kF8E4M3FNUZ:
      return &kSmallCodec<TypeKind::kF8E4M3FNUZ>;
    case TypeKind::kF8E4M3B11FNUZ:
      return &kSmallCodec<TypeKind::kF8E4M3B11FNUZ>;
    case TypeKind::kF8E5M2:
      return &kSmallCodec<TypeKind::kF8E5M2>;
    case TypeKind::kF8E5M2FNUZ:
      return &kSmallCodec<TypeKind::kF8E5M2FNUZ>;
    case TypeKind::kF8E8M0FNU:
      return &kSmallCodec<TypeKind::kF8E8M0FNU>;
    case TypeKind::kBF16:
      return &kSmallCodec<TypeKind::kBF16>;
    case TypeKind::kF16:
      return &kSmallCodec<TypeKind::kF16>;
    case TypeKind::kTF32:
      return &kSmallCodec<TypeKind::kTF32>;
    case TypeKind::kF32:
      return &kF32Codec;
    case TypeKind::kF64:
      return &kF64Codec;
    default:
      return nullptr;
  }
}

ElementLoop ThroughF32(TypeKind kind, ElementLoop::Run inner, int arity) {
  ElementLoop loop;
  loop.codec = CodecOf(kind);
  if (!loop.codec) return {};
  loop.inner = inner;
  loop.run = arity == 1 ? RunThrough<float, 1> : RunThrough<float, 2>;
  return loop;
}

ElementLoop ThroughF64(TypeKind kind, ElementLoop::Run inner, int arity) {
  ElementLoop loop;
  loop.codec = CodecOf(kind);
  if (!loop.codec) return {};
  loop.inner = inner;
  loop.run = arity == 1 ? RunThrough<double, 1> : RunThrough<double, 2>;
  return loop;
}

}  // namespace shlo
