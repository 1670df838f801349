// Runs of small floats to f32 or f64 and back, so that kernels compute on two formats only. Reading is exact.
// Writing rounds once, to nearest, ties to even; every NaN becomes the positive quiet NaN of the format.
//
// Going through f32 for +, -, *, / and square root gives what rounding the exact result gives: f32 has 24
// significant bits, and 2p + 2 are enough for formats of p bits; the widest here, f16 and tf32, have p = 11.
// The exponent range of f32 includes that of every format, subnormals too.
#pragma once

#include <cstddef>
#include <cstdint>

#include "eval/loops/element_loop.h"
#include "shlo/kinds.h"

namespace shlo {

struct FloatCodec {
  int bytes;  // of one element
  void (*to_f32)(const uint8_t* in, float* out, size_t n);
  void (*from_f32)(const float* in, uint8_t* out, size_t n);
  void (*to_f64)(const uint8_t* in, double* out, size_t n);
  void (*from_f64)(const double* in, uint8_t* out, size_t n);
};

// The codec of a float kind of at most 64 bits; nullptr for others. For f32 and f64 the functions that stay
// within the format copy (and make NaN canonical).
const FloatCodec* CodecOf(TypeKind kind);

// The nearest float with an odd last bit, unless it is exact: rounding that once more to fewer than 23 bits
// gives the same as rounding the double.
float RoundToOdd(double value);

// A loop on a small format, by one on f32 (or f64). `arity` operands of the same format.
ElementLoop ThroughF32(TypeKind kind, ElementLoop::Run inner, int arity);
ElementLoop ThroughF64(TypeKind kind, ElementLoop::Run inner, int arity);

}  // namespace shlo
