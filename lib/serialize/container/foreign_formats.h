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

}  // namespace shlo::container
