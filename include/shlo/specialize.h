// Gives a program static shapes: the types of its arguments, and the values of its dimension variables,
// decide all others (docs/specialize.md).
//
//     auto static_program = shlo::Specialize(program, {.args = {{"x", "8x128xf32"}}});
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "shlo/container.h"
#include "shlo/diagnostics.h"
#include "shlo/limits.h"
#include "shlo/program.h"

namespace shlo {

// What a program is specialized to.
struct SpecializeOptions {
  // Arguments by name ("x", "args[0]['w']") or position ("0"), with their types: "8x128xf32", "8x128" (the
  // element type stays), "tensor<8x128xf32>", or "" for a scalar.
  std::vector<std::pair<std::string, std::string>> args;
  std::vector<std::pair<std::string, int64_t>> dims;  // dimension variables of jax.export, by name
  // The inputs that the program takes, as its container states them (InputsOf); empty: only the program's
  // own.
  std::vector<SignatureValue> inputs;
  uint32_t max_evaluations = 0;  // sets of random inputs on which the result must equal the program
  Limits limits;                 // deadline, steps of evaluated integers
};

// Returns the program of the main function with static shapes. Calls, composites and custom calls follow; a
// function that is called with different shapes gets a copy for each. Arguments that are dimension variables,
// and private functions that nothing calls any more, are gone.
//
// Fails if an argument or dimension does not exist or lacks a size (kUsage), a shape assertion of the program
// is violated (kConstraint, with its message), a shape depends on values (kUnsupported, one error for each op
// that causes it), or an evaluation differs (kNotEqual).
Result<Program> Specialize(const Program& program, const SpecializeOptions& options);

// Returns the inputs that a program of a container takes, in the order of its arguments.
Result<std::vector<SignatureValue>> InputsOf(std::string_view container, std::string_view program,
                                             const ContainerOptions& options = {});

// Specializes a jax.export file: the function and its gradients, and the signature that it states. The values
// of `inputs` are not used. Each argument's dimensions determine the variables. Fails as Specialize does.
Result<std::string> SpecializeContainer(std::string_view bytes, const SpecializeOptions& options,
                                        const ContainerOptions& container = {});

}  // namespace shlo
