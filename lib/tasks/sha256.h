// SHA-256, as certificates and resumed conversions state it of files.
#pragma once

#include <string>
#include <string_view>

namespace shlo::tasks {

// Returns the digest in hex. Gives back pages of mapped files.
std::string Sha256Of(std::string_view bytes);

}  // namespace shlo::tasks
