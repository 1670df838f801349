// Attributes of dialects without kinds that have an encoding of their own (rows SHLO_WIRE_OPAQUE of
// schema/bytecode.inc). The module keeps them as text; here text and fields are taken apart and put together.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace shlo::mlirbc {

// An item of an encoding.
struct OpaqueItem {
  char letter = 0;
  uint8_t field = 0;
  std::string_view mnemonic;  // of the attributes it holds
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
  const OpaqueItem& ItemOf(uint8_t field) const;
};

// A field of an attribute. Which members it uses follows from the letter of its item.
struct OpaqueField {
  std::vector<int64_t> numbers;
  std::vector<std::string> parts;  // strings, or texts of attributes behind their mnemonic
  bool symbol = false;             // of m: the part is the name of a symbol
};
using OpaqueFields = std::vector<OpaqueField>;  // by number

// The row of a code; nullptr when there is none.
const OpaqueRow* FindOpaqueRow(std::string_view dialect, uint64_t code);

// Text as the module keeps it, behind "#dialect": ".mnemonic<...>", or "<mnemonic...>".
std::string JoinOpaque(std::string_view mnemonic, std::string_view body);
// The mnemonic and what follows it. False for other texts.
bool SplitOpaque(std::string_view text, std::string_view* mnemonic, std::string_view* body);

// What follows the mnemonic.
std::string PrintOpaque(const OpaqueRow& row, const OpaqueFields& fields);
// The first row that can hold a text (as the module keeps it), and its fields. None: it is written as text.
struct ParsedOpaque {
  const OpaqueRow* row;
  OpaqueFields fields;
};
std::optional<ParsedOpaque> ParseOpaque(std::string_view dialect, std::string_view text);

}  // namespace shlo::mlirbc
