// Programs to measure on, made here, the same on every machine: layers of a transformer-like model with
// projections, softmax, normalisation, masks, gathers and loops, split into functions that call each other;
// and a program that is nearly all weights. Not for tests: nobody checks what these programs compute.
#pragma once

#include <cstdint>
#include <string>

namespace shlo::bench {

// MLIR text of a program of at least `ops` operations, and fewer than 300 more. Layers of one kind are the
// same up to the values of their constants: models repeat what works.
inline constexpr uint64_t kLayerKinds = 60;
std::string MakeProgram(uint64_t ops, uint64_t layer_kinds = kLayerKinds);

// MLIR text with `bytes` of f32 weights in 16 constants, written in hexadecimal, that do not compress.
std::string MakeWeights(uint64_t bytes);

// About that many bytes of text: f32 and i32 constants as lists of decimals, half and half.
std::string MakeDecimals(uint64_t bytes);

}  // namespace shlo::bench
