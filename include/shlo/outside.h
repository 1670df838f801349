// Constants that lie outside of the file that uses them: in files of tensors, or in archives. A `.shlo` file
// (docs/shlo-format.md, "Header") or a text (docs/outside.md) states the SHA-256 of their bytes. Where they
// may be is a hint, and nothing is trusted by its name.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "shlo/diagnostics.h"
#include "shlo/file_io.h"
#include "shlo/module.h"

namespace shlo {

// A SHA-256.
using Sha256 = std::array<uint8_t, 32>;

// A constant that a file names.
struct OutsideConstant {
  Sha256 sha256 = {};  // of its bytes, in the layout of a constant
  uint64_t size = 0;   // in bytes
  std::string file;    // name of a file of tensors, relative to the one that uses it; empty: unknown
  std::string key;     // name of the array in it
};

// Returns the name of a constant for diagnostics: its key, or "sha256:" and its digits.
std::string OutsideName(const OutsideConstant& constant);

// Returns the likely bytes of a constant; readers compare their size and SHA-256. Called for each constant of
// a file, from the reading thread. Fails if it finds none.
using FindOutside = std::function<Result<InputFile>(const OutsideConstant& constant)>;

// Finds a constant and compares its size and SHA-256. Fails with kIo without `find`, with the errors of
// `find`, or with kChecksum.
Result<InputFile> ReadOutside(const FindOutside& find, const OutsideConstant& constant);

// Constants that a writer leaves outside, by id in the module that is written.
using OutsideTable = std::map<PayloadId, OutsideConstant>;

// Turns constants that ops have as `dense` elements into resources, whose bytes a text can have elsewhere.
// `ids` are those to turn; keys are made of `prefix` and a number.
void MakeResources(Module* module, const OutsideTable& ids, std::string_view prefix);

// The group of external resources that a text has them in.
inline constexpr std::string_view kOutsideGroup = "shlo_outside";
// Returns a constant as the value of an external resource in text, and the constant of such a value.
std::string OutsideText(const OutsideConstant& constant, uint32_t alignment);
std::optional<OutsideConstant> ParseOutsideText(std::string_view text, uint32_t* alignment);

}  // namespace shlo
