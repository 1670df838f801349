// The words of a command line in the reference tools' style, for the drop-ins: flags with one or two dashes,
// "-name=value" or "-name value", and input files. Not for shlo-compat's own options: see options.h.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace shlo::tool {

struct FlagWord {
  std::string_view text;  // as written
  std::string_view name;  // without dashes and value
  std::string_view value;
  bool has_value = false;  // written behind '='
  bool is_file = false;
};

class FlagWords {
 public:
  FlagWords(int argc, char** argv) : words_(argv, size_t(argc)) {}
  // The next word; none at the end.
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
  // Takes the value of a flag from the word behind it, where it was not written with '='. False at the end.
  bool TakeValue(FlagWord* word) {
    if (word->has_value) return true;
    if (++at_ >= words_.size()) return false;
    word->value = words_[at_];
    return true;
  }

  // Notes the one input file; what to tell the user when it is the second, "" else.
  std::string TakeFile(const FlagWord& word, std::string* file) {
    if (have_file_) return "two input files: '" + *file + "' and '" + std::string(word.text) + "'";
    have_file_ = true;
    *file = word.text;
    return {};
  }

 private:
  std::span<char*> words_;
  size_t at_ = 0;
  bool have_file_ = false;
};

// The row of this name; null when there is none.
template <typename RowT>
const RowT* FindFlag(std::span<const RowT> rows, std::string_view name) {
  for (const RowT& row : rows)
    if (row.name == name) return &row;
  return nullptr;
}

}  // namespace shlo::tool
