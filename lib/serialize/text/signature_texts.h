// Texts of ops by their signatures. Ops with one signature, and without regions and successors, differ only
// in the names of their values.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "serialize/text/writer_names.h"

namespace shlo::text {

class SignatureTexts {
 public:
  // The name of an operand in a text.
  struct Use {
    size_t begin, end, operand;
  };

  // Prints the text of an op after its results. Returns false if it is not known. `in_func`: the op is
  // directly in a function, where some names are short.
  bool Put(SignatureId signature, bool in_func, const ValueNames& names, std::span<const ValueId> operands,
           TextBuffer& out) const;
  // Notes a text that was printed. It is kept at the second time, unless it is long. `uses` are in its order.
  void Note(SignatureId signature, bool in_func, std::string_view text, std::span<const Use> uses);

 private:
  static constexpr size_t kLongest = 4096;
  static constexpr uint32_t kNotSeen = 0, kSeen = 1, kFirst = 2;
  static size_t KeyOf(SignatureId signature, bool in_func) { return size_t(signature.v) * 2 + in_func; }
  struct Text {
    uint32_t first_name = 0, num_names = 0;
    std::string text;  // without names
  };
  struct Name {
    uint32_t at, operand;  // `at` is in the text without names
  };
  std::vector<uint32_t> states_;  // by key: kNotSeen, kSeen, or kFirst plus the index of a text
  std::vector<Text> texts_;
  std::vector<Name> names_;
};

}  // namespace shlo::text
