// The loops of a codec (float_codec.h). Internal to lib/eval.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace shlo {

struct FloatCodec {
  int bytes;         // of one element
  bool through_f32;  // f32 holds all values, and operations on f32 round as they should; else f64 is to be
                     // used
  void (*to_f32)(const uint8_t* in, float* out, size_t n);
  void (*from_f32)(const float* in, uint8_t* out, size_t n);
  void (*to_f64)(const uint8_t* in, double* out, size_t n);
  void (*from_f64)(const double* in, uint8_t* out, size_t n);
};

}  // namespace shlo
