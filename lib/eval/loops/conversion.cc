// Ops between element types: convert, real, imag, complex, conj, reduce_precision.
//
// Implementation-defined behavior of convert: floats to integers round toward zero and saturate, NaN becomes
// 0; integers to narrower ones wrap modulo 2^n; any nonzero value becomes true; a complex number becomes its
// real part.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "eval/loops/element_loops.h"
#include "eval/loops/numeric/float_codec.h"
#include "ir/table/float_format.h"

namespace shlo {
namespace {

constexpr size_t kBlock = 256;

// Loads an integer as 64 bits, sign-extended if signed.
using ReadInts = void (*)(const uint8_t* in, int64_t* out, size_t n);
using WriteInts = void (*)(const int64_t* in, uint8_t* out, size_t n);
template <typename T, int kWidth>
void ReadIntBlock(const uint8_t* in, int64_t* out, size_t n) {
  for (size_t i = 0; i < n; ++i) out[i] = int64_t(LoadInt<T, kWidth>(in, i));
}
template <typename T, int kWidth>
void WriteIntBlock(const int64_t* in, uint8_t* out, size_t n) {
  for (size_t i = 0; i < n; ++i) StoreInt<T, kWidth>(out, i, T(in[i]));
}
ReadInts IntReader(TypeKind kind) {
  return WithIntType(kind, []<typename T, int kWidth>() -> ReadInts { return ReadIntBlock<T, kWidth>; });
}
WriteInts IntWriter(TypeKind kind) {
  return WithIntType(kind, []<typename T, int kWidth>() -> WriteInts { return WriteIntBlock<T, kWidth>; });
}

// Truncates and saturates; NaN becomes 0.
int64_t Truncate(double v, int width, bool is_signed) {
  if (v != v) return 0;
  if (is_signed) {
    const double limit = std::ldexp(1.0, width - 1);
    if (v >= limit) return width == 64 ? INT64_MAX : (1ll << (width - 1)) - 1;
    if (v < -limit) return width == 64 ? INT64_MIN : -(1ll << (width - 1));
    return int64_t(v);
  }
  const double limit = std::ldexp(1.0, width);
  if (v >= limit) return width == 64 ? -1 : int64_t((1ull << width) - 1);
  return v <= 0 ? 0 : int64_t(uint64_t(v));
}

// Converts to a double that rounds to any narrower format like the integer does (round to odd).
double OddFrom(uint64_t magnitude) {
  if (magnitude >> 53 == 0) return double(magnitude);
  const int drop = 64 - std::countl_zero(magnitude) - 53;
  const uint64_t kept = magnitude >> drop, lost = magnitude & ((1ull << drop) - 1);
  return std::ldexp(double(kept | (lost != 0)), drop);
}
double OddFrom(int64_t v, bool is_unsigned) {
  if (is_unsigned || v >= 0) return OddFrom(uint64_t(v));
  return -OddFrom(uint64_t(0) - uint64_t(v));
}

// Parameters of a conversion, packed into the two parameters of the loop.
struct Route {
  TypeKind from, to;
  bool from_complex, to_complex;
  static Route Of(const ElementLoop& loop) {
    return {TypeKind(loop.x & 0xFFFF), TypeKind(loop.y & 0xFFFF), (loop.x >> 16) != 0, (loop.y >> 16) != 0};
  }
};

// Converts `count` parts; `from` and `to` are real.
void ConvertParts(TypeKind from, TypeKind to, const uint8_t* in, uint8_t* out, size_t count) {
  const FloatCodec *source = CodecOf(from), *target = CodecOf(to);
  if (source && target) {
    if (source->through_f32) {
      float values[kBlock];
      source->to_f32(in, values, count);
      target->from_f32(values, out, count);
    } else {
      double values[kBlock];
      source->to_f64(in, values, count);
      target->from_f64(values, out, count);
    }
    return;
  }
  int64_t ints[kBlock];
  if (source) {
    double values[kBlock];
    source->to_f64(in, values, count);
    if (to == TypeKind::kI1) {
      for (size_t i = 0; i < count; ++i) out[i] = values[i] != 0;
      return;
    }
    const int width = BitWidth(to);
    const bool is_signed = !IsUnsignedInteger(to);
    for (size_t i = 0; i < count; ++i) ints[i] = Truncate(values[i], width, is_signed);
    IntWriter(to)(ints, out, count);
    return;
  }
  if (from == TypeKind::kI1)
    for (size_t i = 0; i < count; ++i) ints[i] = in[i];
  else
    IntReader(from)(in, ints, count);
  if (to == TypeKind::kI1) {
    for (size_t i = 0; i < count; ++i) out[i] = ints[i] != 0;
  } else if (!target) {
    IntWriter(to)(ints, out, count);
  } else if (to == TypeKind::kF64) {
    const bool is_unsigned = IsUnsignedInteger(from);
    for (size_t i = 0; i < count; ++i)
      Store<double>(out, i, is_unsigned ? double(uint64_t(ints[i])) : double(ints[i]));
  } else if (to == TypeKind::kF32) {
    const bool is_unsigned = IsUnsignedInteger(from);
    for (size_t i = 0; i < count; ++i)
      Store<float>(out, i, is_unsigned ? float(uint64_t(ints[i])) : float(ints[i]));
  } else {
    double values[kBlock];
    const bool is_unsigned = IsUnsignedInteger(from);
    for (size_t i = 0; i < count; ++i) values[i] = OddFrom(ints[i], is_unsigned);
    target->from_f64(values, out, count);
  }
}

size_t PartBytes(TypeKind kind) { return (size_t(BitWidth(kind)) + 7) / 8; }

void ConvertRun(const ElementLoop& self, const uint8_t* const* in, uint8_t* out, size_t n) {
  const Route route = Route::Of(self);
  const size_t from = PartBytes(route.from), to = PartBytes(route.to);
  if (route.from_complex == route.to_complex) {
    const size_t parts = route.from_complex ? 2 * n : n;
    for (size_t i = 0; i < parts; i += kBlock)
      ConvertParts(route.from, route.to, in[0] + i * from, out + i * to, std::min(kBlock, parts - i));
    return;
  }
  uint8_t block[kBlock * 8];
  for (size_t i = 0; i < n; i += kBlock) {
    const size_t count = std::min(kBlock, n - i);
    if (route.from_complex) {
      for (size_t k = 0; k < count; ++k) std::memcpy(block + k * from, in[0] + (i + k) * 2 * from, from);
      ConvertParts(route.from, route.to, block, out + i * to, count);
    } else {
      ConvertParts(route.from, route.to, in[0] + i * from, block, count);
      for (size_t k = 0; k < count; ++k) {
        std::memcpy(out + (i + k) * 2 * to, block + k * to, to);
        std::memset(out + ((i + k) * 2 + 1) * to, 0, to);
      }
    }
  }
}

void CopyRun(const ElementLoop& self, const uint8_t* const* in, uint8_t* out, size_t n) {
  if (in[0] != out) std::memmove(out, in[0], n * size_t(self.x));
}
void ZeroRun(const ElementLoop& self, const uint8_t* const*, uint8_t* out, size_t n) {
  std::memset(out, 0, n * size_t(self.x));
}

// Extracts part x of complex numbers.
template <typename T>
void PartRun(const ElementLoop& self, const uint8_t* const* in, uint8_t* out, size_t n) {
  for (size_t i = 0; i < n; ++i) Store<T>(out, i, Load<T>(in[0], 2 * i + size_t(self.x)));
}
ElementLoop PickPart(LoopQuery& q, int part) {
  if (q.operands.size() != 1 || !IsFloat(q.operands[0].kind)) return {};
  const ElementType element = q.operands[0];
  q.result = element;
  q.result.complex = false;
  if (!element.complex) return {.run = part == 0 ? CopyRun : ZeroRun, .x = int64_t(element.bytes())};
  return {.run = element.kind == TypeKind::kF32 ? PartRun<uint32_t> : PartRun<uint64_t>, .x = part};
}

template <typename T>
void ComplexRun(const ElementLoop&, const uint8_t* const* in, uint8_t* out, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    Store<T>(out, 2 * i, Load<T>(in[0], i));
    Store<T>(out, 2 * i + 1, Load<T>(in[1], i));
  }
}
template <typename T>
void ConjRun(const ElementLoop&, const uint8_t* const* in, uint8_t* out, size_t n) {
  constexpr T kSign = T(1) << (8 * sizeof(T) - 1);
  for (size_t i = 0; i < n; ++i) {
    Store<T>(out, 2 * i, Load<T>(in[0], 2 * i));
    Store<T>(out, 2 * i + 1, Load<T>(in[0], 2 * i + 1) ^ kSign);
  }
}

// Rounds to fewer exponent bits (x) and mantissa bits (y), in the same format. Subnormals of the narrow
// format become zero; NaN remains NaN, or becomes infinity if no mantissa bit remains.
void ReducePrecisionRun(const ElementLoop& self, const uint8_t* const* in, uint8_t* out, size_t n) {
  const int exponent = int(self.x & 0xFF), mantissa = int(self.y);
  const FloatFormat& format = *FloatFormatOf(TypeKind(self.x >> 8));
  const size_t bytes = (size_t(format.width) + 7) / 8;
  const int drop = format.mantissa_bits - mantissa;
  const uint64_t sign = 1ull << (format.width - 1);
  const uint64_t infinity = ((1ull << format.exponent_bits) - 1) << format.mantissa_bits;
  const int64_t bias = (1ll << (format.exponent_bits - 1)) - 1;
  for (size_t i = 0; i < n; ++i) {
    uint64_t v = 0;
    std::memcpy(&v, in[0] + i * bytes, bytes);
    if ((v & (sign - 1)) > infinity) {
      if (mantissa <= 0) v = (v & sign) | infinity;
    } else {
      if (drop > 0) {
        const uint64_t last = 1ull << drop;
        v += (last >> 1) - 1 + ((v >> drop) & 1);
        v &= ~(last - 1);
      }
      if (exponent < format.exponent_bits) {
        const int64_t narrow_bias = (1ll << (exponent - 1)) - 1;
        const int64_t e = int64_t((v & infinity) >> format.mantissa_bits);
        if (e > bias + narrow_bias)
          v = (v & sign) | infinity;
        else if (e <= bias - narrow_bias)
          v = v & sign;
      }
    }
    std::memcpy(out + i * bytes, &v, bytes);
  }
}

int64_t IntSlot(const LoopQuery& q, std::string_view name) {
  int64_t value = -1;
  if (q.module && q.op) q.module->AsInteger(q.module->AttributeOf(*q.op, name), &value);
  return value;
}

}  // namespace

// Specification, "convert"; see the top of the file.
ElementLoop PickConvert(LoopQuery& q) {
  if (q.operands.size() != 1 || q.result.kind == TypeKind::kInvalid) return {};
  const ElementType from = q.operands[0], to = q.result;
  if (from.kind == to.kind && from.complex == to.complex) return {.run = CopyRun, .x = int64_t(from.bytes())};
  return {.run = ConvertRun,
          .x = int64_t(from.kind) | int64_t(from.complex) << 16,
          .y = int64_t(to.kind) | int64_t(to.complex) << 16};
}

// Specification, "real", "imag": for a real number, the number itself and zero.
ElementLoop PickReal(LoopQuery& query) { return PickPart(query, 0); }
ElementLoop PickImag(LoopQuery& query) { return PickPart(query, 1); }

// Specification, "complex": from parts.
ElementLoop PickComplex(LoopQuery& q) {
  if (q.operands.size() != 2 || q.operands[0] != q.operands[1] || q.operands[0].complex) return {};
  const TypeKind kind = q.operands[0].kind;
  if (kind != TypeKind::kF32 && kind != TypeKind::kF64) return {};
  q.result = ElementType{kind, true};
  return {.run = kind == TypeKind::kF32 ? ComplexRun<uint32_t> : ComplexRun<uint64_t>};
}

// CHLO, "conj": the complex conjugate; the identity for real numbers.
ElementLoop PickConj(LoopQuery& q) {
  if (q.operands.size() != 1 || !IsFloat(q.operands[0].kind)) return {};
  const ElementType element = q.result = q.operands[0];
  if (!element.complex) return {.run = CopyRun, .x = int64_t(element.bytes())};
  return {.run = element.kind == TypeKind::kF32 ? ConjRun<uint32_t> : ConjRun<uint64_t>};
}

// Specification, "reduce_precision".
ElementLoop PickReducePrecision(LoopQuery& q) {
  if (q.operands.size() != 1 || q.operands[0].complex) return {};
  const ElementType element = q.operands[0];
  const FloatFormat* format = FloatFormatOf(element.kind);
  const int64_t exponent = IntSlot(q, "exponent_bits"), mantissa = IntSlot(q, "mantissa_bits");
  if (!format || format->flavor != FloatFormat::kIeee || exponent < 1 || mantissa < 0) return {};
  q.result = element;
  return {.run = ReducePrecisionRun,
          .x = std::min<int64_t>(exponent, 0xFF) | int64_t(element.kind) << 8,
          .y = std::min<int64_t>(mantissa, 64)};
}

}  // namespace shlo
