// Cuts bytes into chunks by their content, so that an insertion or a change affects only the chunks around it
// (docs/archive-format.md, section 4).
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace shlo::archive {

inline constexpr size_t kMinChunk = size_t(16) << 10;
inline constexpr size_t kNormalChunk = size_t(64) << 10;
inline constexpr size_t kMaxChunk = size_t(256) << 10;

// Returns the sizes of consecutive chunks; none for no bytes.
std::vector<size_t> ChunkSizes(std::string_view bytes);

}  // namespace shlo::archive
