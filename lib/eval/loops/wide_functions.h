// Loops over elements for newer machines: arithmetic of f32, transcendental functions, and codecs of bf16 and
// f16. They give the bits of the plain loops. Internal to lib/eval.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "eval/loops/numeric/float_codec_loops.h"

namespace shlo {

struct ElementLoop;

// Loops that compute a function of one operand: of f32, and of f64 for narrower formats, which are rounded
// from it.
struct WideLoops {
  using Run = void (*)(const ElementLoop& self, const uint8_t* const* in, uint8_t* out, size_t n);
  Run f32 = nullptr;
  Run f64 = nullptr;
  Run fast_f32 = nullptr;  // with larger errors, or nullptr
};
// Loops on f32. `fold_rows` is nullptr unless the order of elements makes no difference, and `fast_fold_rows`
// is one that chooses it.
struct WideArithmetic {
  using FoldRows = void (*)(uint8_t* acc, const uint8_t* in, size_t rows, size_t n);
  WideLoops::Run run = nullptr;
  FoldRows fold_rows = nullptr;
  FoldRows fast_fold_rows = nullptr;
};
struct WideFunctions {
  WideLoops exponential, logistic, tanh, erf, sqrt, rsqrt;
  WideArithmetic add, subtract, multiply, divide, maximum, minimum;
  FloatCodec bf16, f16;
};
// Returns those for this machine, or nullptr.
const WideFunctions* BestWideFunctions();
#if defined(__x86_64__)
extern const WideFunctions kAvx2Functions, kAvx512Functions;
#endif

// The C library's functions, for elements that vectors leave out.
double PlainExponential(double x);
double PlainLogistic(double x);
double PlainTanh(double x);
double PlainErf(double x);
double PlainSqrt(double x);
double PlainRsqrt(double x);

}  // namespace shlo
