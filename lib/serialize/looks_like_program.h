// Tells other texts from MLIR with mistakes. Files of folders are told apart by LooksLikeProgram
// (shlo/program_io.h).
#pragma once

#include <string_view>

namespace shlo {

// Returns whether a text that the reader refused was never meant as MLIR: neither its beginning nor a quarter
// of its lines begin as MLIR does.
bool LooksLikeOtherText(std::string_view text);

// Returns whether a text has the lines that git puts around two versions of a part.
bool HasConflictMarkers(std::string_view text);

}  // namespace shlo
