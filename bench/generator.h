// Generates benchmark programs, the same on every machine: layers of a transformer-like model with
// projections, softmax, normalization, masks, gathers and loops, split into functions that call each other;
// and a program that consists mostly of weights.
#pragma once

#include <cstdint>
#include <string>

namespace shlo::bench {

// Returns MLIR text with at least `ops` and fewer than `ops` + 300 operations. Layers of one kind differ only
// in the values of their constants, as in real models.
inline constexpr uint64_t kLayerKinds = 60;
std::string MakeProgram(uint64_t ops, uint64_t layer_kinds = kLayerKinds);

// Returns MLIR text with `bytes` of incompressible f32 weights, in 16 hexadecimal constants.
std::string MakeWeights(uint64_t bytes);

// Returns about that many bytes of text: half f32, half i32 constants, as lists of decimals.
std::string MakeDecimals(uint64_t bytes);

}  // namespace shlo::bench
