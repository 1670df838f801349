// Files that are not programs but are easily taken for one. They are recognized to say what to do with them.
#pragma once

#include <string_view>

namespace shlo::container {

// A format that is not read, with its article ("a gzip archive"), and what to do instead.
struct ForeignFormat {
  std::string_view name;
  std::string_view hint;
};

// Returns the format of a file that is neither an artifact nor a container, or nullptr if it may be text.
const ForeignFormat* DetectForeignFormat(std::string_view bytes);

// Names the files to pass instead of one that has nothing to do with programs.
inline constexpr std::string_view kNotAProgram = "pass MLIR text, MLIR bytecode, a .shlo file or a container";

// Returns the format whose magic number a binary file has but for one byte ("a .shlo archive"), or "".
std::string_view DamagedMagic(std::string_view bytes);

}  // namespace shlo::container
