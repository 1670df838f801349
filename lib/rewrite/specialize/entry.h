// The arguments of the main function: what they are called, and the types that a request gives them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rewrite/specialize/dimension.h"
#include "shlo/editor.h"
#include "shlo/source.h"
#include "shlo/specialize.h"

namespace shlo::rewrite {

// An argument of the main function.
struct EntryArgument {
  uint32_t index = 0;              // among all arguments
  std::string variable;            // name of the dimension variable that it is; empty: it is an array
  std::vector<std::string> names;  // by which a request can refer to an array: its position is the first
  std::vector<std::string> shape;  // dimensions as the container or the program states them; empty: unknown
};

// Returns the arguments of a function. `inputs` are those of the container, or empty.
std::vector<EntryArgument> EntryArguments(const Program& program, OpId function,
                                          const std::vector<SignatureValue>& inputs);

// What a request makes of an argument: a type, or the value of a dimension variable.
struct EntryType {
  TypeId type;
  std::optional<int64_t> value;
};

// Returns the types of the arguments, which the module gets. Fails with an error for each argument, or name
// of the request, that is wrong.
Result<std::vector<EntryType>> TypesFor(Module* m, OpId function, const std::vector<EntryArgument>& arguments,
                                        const SpecializeOptions& options, const Source* source);

}  // namespace shlo::rewrite
