// Suggestions for misspelled names of ops, kinds and versions.
#pragma once

#include <span>
#include <string_view>

#include "base/nearest.h"
#include "shlo/kinds.h"

namespace shlo {

// Returns the mnemonic of a kind that is nearest to a word, among those of a dialect.
std::string_view NearestKind(std::span<const KindRow> kinds, std::string_view dialect, std::string_view word);

// Returns the word for a version, such as 'current', that is nearest to `word`, or "".
std::string_view NearestVersionWord(std::string_view word);

// Returns the op whose name, with or without its dialect, is nearest to `name`, or "".
std::string_view NearestOp(std::string_view name);

}  // namespace shlo
