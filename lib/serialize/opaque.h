// Attributes that have an encoding although their dialect has no kinds (rows SHLO_WIRE_OPAQUE of
// schema/bytecode.inc). The module keeps them as text; this file converts between text and fields.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace shlo {

// An item of an encoding.
struct OpaqueItem {
  char letter = 0;
  uint8_t field = 0;
  std::string_view mnemonic;  // of the attribute it holds
};

// The items of an encoding, in the order of the bytes.
class OpaqueItems {
 public:
  constexpr OpaqueItems() = default;
  // "A0:axis_ref c1"; one item too many does not compile.
  constexpr explicit OpaqueItems(std::string_view encoding) {
    while (!encoding.empty()) {
      const size_t end = std::min(encoding.find(' '), encoding.size());
      const std::string_view item = encoding.substr(0, end);
      items_[size_++] = {item[0], uint8_t(item[1] - '0'), item.size() > 2 ? item.substr(3) : ""};
      encoding.remove_prefix(std::min(end + 1, encoding.size()));
    }
  }
  constexpr const OpaqueItem* begin() const { return items_.data(); }
  constexpr const OpaqueItem* end() const { return items_.data() + size_; }
  constexpr size_t size() const { return size_; }

 private:
  std::array<OpaqueItem, 8> items_{};
  size_t size_ = 0;
};

struct OpaqueRow {
  std::string_view dialect;
  uint64_t code = 0;
  std::string_view mnemonic;
  OpaqueItems items;
  std::string_view text;
  const OpaqueItem& ItemOf(size_t field) const;
};

// A field of an attribute. The letter of its item decides which members it uses.
struct OpaqueField {
  std::vector<int64_t> numbers;
  std::vector<std::string> parts;  // strings, or texts of attributes after their mnemonic
  bool symbol = false;             // of m: the part is a symbol name
};
using OpaqueFields = std::vector<OpaqueField>;  // by number

// Returns whether a dialect has rows.
bool HasOpaqueRows(std::string_view dialect);
// Returns the row of a code, or nullptr.
const OpaqueRow* FindOpaqueRow(std::string_view dialect, uint64_t code);

// Prints text as the module keeps it, after "#dialect": ".mnemonic<...>", or "<mnemonic...>".
std::string JoinOpaque(std::string_view mnemonic, std::string_view body);
// Splits text into mnemonic and body. Returns false for other texts.
bool SplitOpaque(std::string_view text, std::string_view* mnemonic, std::string_view* body);

// Prints the text after the mnemonic.
std::string PrintOpaque(const OpaqueRow& row, const OpaqueFields& fields);
// Finds the first row that can hold a text (as the module keeps it), and its fields. Without one the
// attribute is written as text.
struct ParsedOpaque {
  const OpaqueRow* row;
  OpaqueFields fields;
};
std::optional<ParsedOpaque> ParseOpaque(std::string_view dialect, std::string_view text);
// Brings a text into the spelling of MLIR's printer. Returns false if its mnemonic has rows, none of which
// can hold it; texts of other mnemonics stay.
bool CanonicalizeOpaque(std::string_view dialect, std::string* text);

}  // namespace shlo
