// Runs of floats to f32 or f64 and back, so that kernels compute on two formats only. Reading is exact.
// Writing rounds once, to nearest, ties to even; every NaN becomes the positive quiet NaN of the format.
//
// Computing +, -, *, / and square root in f32 is equivalent to rounding the exact result: f32 has 24
// significant bits, and 2p + 2 are enough for formats of p bits; the widest here, f16 and tf32, have p = 11.
// The exponent range of f32 includes that of every format, including subnormals.
#pragma once

#include <cstddef>
#include <cstdint>

#include "eval/loops/element_loop.h"
#include "eval/loops/numeric/float_codec_loops.h"
#include "shlo/kinds.h"

namespace shlo {

// The codec of a float kind that f64 holds; nullptr for others. For f32 and f64 the functions that stay
// within the format copy (and make NaN canonical).
const FloatCodec* CodecOf(TypeKind kind);

// Rounds to odd: rounding the result again to fewer than 23 bits is equivalent to rounding the double.
float RoundToOdd(double value);

// A loop on a format, by one on f32 or, where that does not serve, on f64. `arity` operands of the same
// format.
ElementLoop ThroughFloat(TypeKind kind, ElementLoop::Run on_f32, ElementLoop::Run on_f64, int arity);
// The same, always by a loop on f64.
ElementLoop ThroughF64(TypeKind kind, ElementLoop::Run inner, int arity);

}  // namespace shlo
