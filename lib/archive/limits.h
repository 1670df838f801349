// The limits of numbers and sizes in an archive (docs/archive-format.md, section 10). Each is checked where a
// number enters, so that whatever was acknowledged can be read again, and no sum of them overflows.
#pragma once

#include <cstddef>
#include <cstdint>

#include "shlo/archive.h"

namespace shlo::archive {

// Versions of a name: kLastModelVersion.
// Ordinals of the journal, sequence numbers of packs, numbers of ops and constants.
inline constexpr uint64_t kMaxNumber = uint64_t(1) << 48;
// Bytes of a file, of the files of a form together, of the constants of a program.
inline constexpr uint64_t kMaxFileSize = uint64_t(1) << 48;
// Bytes of a path, and of the name of a tool.
inline constexpr size_t kMaxPath = 4096, kMaxTool = 200;
// Forms, goldens, tags and metadata of a model, and what an entry adds to them.
inline constexpr size_t kMaxOfModel = 1000;
// Nesting of an entry: functions of programs are 5 deep.
inline constexpr uint32_t kMaxEntryDepth = 8;

}  // namespace shlo::archive
