// Patterns of types and attributes: their notation, and what fits them. Internal to the library.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "shlo/dialect.h"

namespace shlo::dialect {

// Each fails with a message, without a place.
tl::expected<TypePattern, std::string> ParseTypePattern(std::span<const std::string> alternatives);
tl::expected<AttributePattern, std::string> ParseAttributePattern(std::string_view text);

// An opaque type or attribute, taken apart: the views are of the module's text.
struct OpaqueNode {
  std::string_view name;                     // "packed"
  std::vector<std::string_view> parameters;  // texts between the commas of <...>
};
// Returns the node if the text, which follows the dialect's name, is of this notation.
OpaqueNode SplitOpaque(std::string_view text);

bool Fits(const Module& module, const Dialect& dialect, const TypePattern& pattern, TypeId type);
bool Fits(const Module& module, const Dialect& dialect, const AttributePattern& pattern, AttrId attr);

// Returns whether a word may name a dialect, an op or a kind: letters, digits, '_', and '.' within.
bool IsName(std::string_view word, bool dots);

}  // namespace shlo::dialect
