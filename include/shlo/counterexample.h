// A program that shows that two programs differ, for anyone to run: both functions as @first and @second, and
// a @main that calls them on one input and checks that their results are equal. Evaluating it fails.
#pragma once

#include <span>
#include <string_view>

#include "shlo/diagnostics.h"
#include "shlo/module.h"
#include "shlo/tensor.h"

namespace shlo {

// Returns the program for a function that both modules have, and arguments on which its results differ, such
// as FunctionProof::counterexample. It has the newer version of both, or the first one that has checks. Fails
// with kUnsupported if types of arguments are not static tensors, with kNotEqual if evaluating it shows no
// difference, and if a module cannot be converted.
Result<Module> CounterexampleProgram(const Module& a, const Module& b, std::string_view function,
                                     std::span<const Tensor> inputs);

}  // namespace shlo
