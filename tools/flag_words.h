// Splits a command line in the style of the reference tools, for the drop-ins: flags with one or two dashes,
// "-name=value" or "-name value", and input files. shlo-compat's own options are in options.h.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/nearest.h"

namespace shlo::tool {

struct FlagWord {
  std::string_view text;  // as written
  std::string_view name;  // without dashes and value
  std::string_view value;
  bool has_value = false;  // written after '='
  bool is_file = false;
};

class FlagWords {
 public:
  FlagWords(int argc, char** argv) : words_(argv, size_t(argc)) {}
  // Returns the next word, or nullopt at the end.
  std::optional<FlagWord> Next() {
    if (++at_ >= words_.size()) return std::nullopt;
    FlagWord word{.text = words_[at_]};
    word.is_file = word.text == "-" || !word.text.starts_with('-');
    if (word.is_file) return word;
    word.name = word.text.substr(word.text.starts_with("--") ? 2 : 1);
    const size_t equals = word.name.find('=');
    word.has_value = equals != std::string_view::npos;
    if (word.has_value) word.value = word.name.substr(equals + 1);
    word.name = word.name.substr(0, equals);
    return word;
  }
  // Reads the value of a flag from the next word, unless it was written with '='. False at the end.
  bool TakeValue(FlagWord* word) {
    if (word->has_value) return true;
    if (++at_ >= words_.size()) return false;
    word->value = words_[at_];
    return true;
  }

  // Stores the input file. Returns an error message if it is the second one, or "".
  std::string TakeFile(const FlagWord& word, std::string* file) {
    if (have_file_) return "expected 1 input file, got '" + *file + "' and '" + std::string(word.text) + "'";
    have_file_ = true;
    *file = word.text;
    return {};
  }

 private:
  std::span<char*> words_;
  size_t at_ = 0;
  bool have_file_ = false;
};

// Returns the row with this name, or nullptr.
template <typename RowT>
const RowT* FindFlag(std::span<const RowT> rows, std::string_view name) {
  for (const RowT& row : rows)
    if (row.name == name) return &row;
  return nullptr;
}

// Adds the names of a table to the candidates for a misspelled flag.
template <typename RowT>
void TryFlags(std::span<const RowT> rows, Nearest* nearest) {
  for (const RowT& row : rows) nearest->Try(row.name);
}

// Returns the hint for an unknown flag: the nearest, with the dashes that were written, or `otherwise`.
inline std::string NearestFlag(const FlagWord& word, const Nearest& nearest, std::string_view otherwise) {
  if (nearest.best().empty()) return std::string(otherwise);
  return DidYouMean((word.text.starts_with("--") ? "--" : "-") + std::string(nearest.best()));
}

}  // namespace shlo::tool
