#include "base/format.h"

namespace shlo {

std::string StrFormatArgs(fmt::string_view format, fmt::format_args args) {
  return fmt::vformat(format, args);
}

}  // namespace shlo
