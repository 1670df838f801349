#include "eval/loops/numeric/float_codec.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <type_traits>
#include <utility>

#include "eval/loops/numeric/small_float.h"
#include "eval/loops/wide_functions.h"

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

// Byte layout of the elements of a kind of at most 64 bits.
template <TypeKind kKind>
struct Storage {
  static constexpr int kBytes = (kFormatOf<kKind>.width + 7) / 8;
  using Code = std::conditional_t<(kBytes > 4), uint64_t, uint32_t>;
  static Code Get(const uint8_t* p, size_t i) {
    if constexpr (kBytes == 1) {
      return p[i];
    } else if constexpr (kBytes == 2) {
      return Load<uint16_t>(p, i);
    } else if constexpr (kBytes == 3) {
      return uint32_t(p[3 * i] | p[3 * i + 1] << 8 | p[3 * i + 2] << 16);
    } else {
      Code code = 0;
      std::memcpy(&code, p + kBytes * i, kBytes);
      return code;
    }
  }
  static void Put(uint8_t* p, size_t i, Code code) {
    if constexpr (kBytes == 1) {
      p[i] = uint8_t(code);
    } else if constexpr (kBytes == 2) {
      Store<uint16_t>(p, i, uint16_t(code));
    } else if constexpr (kBytes == 3) {
      p[3 * i] = uint8_t(code);
      p[3 * i + 1] = uint8_t(code >> 8);
      p[3 * i + 2] = uint8_t(code >> 16);
    } else {
      std::memcpy(p + kBytes * i, &code, kBytes);
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

// Formats that no loop above serves: one value at a time, by the row.
template <TypeKind kKind, typename T>
void ReadByRow(const uint8_t* in, T* out, size_t n) {
  for (size_t i = 0; i < n; ++i) out[i] = T(DecodeFloat(kKind, Storage<kKind>::Get(in, i)));
}
template <TypeKind kKind, typename T>
void WriteByRow(const T* in, uint8_t* out, size_t n) {
  using Code = typename Storage<kKind>::Code;
  for (size_t i = 0; i < n; ++i)
    Storage<kKind>::Put(out, i, Code(EncodeFloat(kKind, CanonicalNan(double(in[i])))));
}

template <TypeKind kKind>
constexpr FloatCodec MakeCodec() {
  constexpr FloatFormat kFormat = kFormatOf<kKind>;
  if constexpr (kKind == TypeKind::kF32)
    return {4,
            true,
            ReadPlain<float, float>,
            WritePlain<float, float>,
            ReadPlain<float, double>,
            WritePlain<double, float>};
  else if constexpr (kKind == TypeKind::kF64)
    return {8,
            false,
            ReadPlain<double, float>,
            WritePlain<float, double>,
            ReadPlain<double, double>,
            WritePlain<double, double>};
  else if constexpr (kFormat.width == 0 || !kFormat.fits_f64())
    return {};
  else if constexpr (IsSmallFloat(kFormat))
    return {Storage<kKind>::kBytes, true,           Read<kKind, float>, WriteF32<kKind>,
            Read<kKind, double>,    WriteF64<kKind>};
  else
    return {Storage<kKind>::kBytes,   false,
            ReadByRow<kKind, float>,  WriteByRow<kKind, float>,
            ReadByRow<kKind, double>, WriteByRow<kKind, double>};
}

using element_rows::kRows;
constexpr auto kCodecs = []<size_t... kRow>(std::index_sequence<kRow...>) {
  std::array<FloatCodec, kMaxKind> codecs{};  // bytes 0: none
  ((codecs[size_t(kRows[kRow].kind)] = MakeCodec<kRows[kRow].kind>()), ...);
  return codecs;
}
(std::make_index_sequence<std::size(kRows)>());

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
  if (kind == TypeKind::kBF16 || kind == TypeKind::kF16)
    if (const WideFunctions* const wide = BestWideFunctions())
      return kind == TypeKind::kBF16 ? &wide->bf16 : &wide->f16;
  const size_t id = size_t(kind);
  return id < kMaxKind && kCodecs[id].bytes ? &kCodecs[id] : nullptr;
}

ElementLoop ThroughFloat(TypeKind kind, ElementLoop::Run on_f32, ElementLoop::Run on_f64, int arity) {
  const FloatCodec* codec = CodecOf(kind);
  if (!codec) return {};
  if (!codec->through_f32) return ThroughF64(kind, on_f64, arity);
  ElementLoop loop;
  loop.codec = codec;
  loop.inner = on_f32;
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
