// Suggestions for misspelled names.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace shlo {

// The greatest number of suggestions for one program. Each compares a word with all names of a dialect.
inline constexpr int kMostSuggestions = 20;

// Finds the candidate that differs from a word in the fewest letters: inserted, missing, replaced, or swapped
// with the next, which is the most frequent slip. Of several, the first. Of letters that differ in case, all
// count as one.
class Nearest {
 public:
  explicit Nearest(std::string_view word)
      : word_(word.substr(0, kMaxLength)), distance_(kLetter * (word_.size() / 3 + 1)) {}
  void Try(std::string_view candidate) { Try(candidate, candidate); }
  // Compares with `spelling`, and suggests `candidate`, which must outlive this object.
  void Try(std::string_view spelling, std::string_view candidate);
  // Returns the candidate, or "" if more than a third of the word's letters differ.
  std::string_view best() const { return best_; }

 private:
  static constexpr size_t kMaxLength = 64;  // comparison is quadratic
  static constexpr size_t kLetter = 2, kSwap = 1;
  std::string word_;
  std::string_view best_;
  size_t distance_;  // of the best; others must be nearer
};

// Returns the hint "did you mean 'gather'?" for a candidate, or `otherwise` if it is "".
std::string DidYouMean(std::string_view candidate, std::string_view otherwise = {});

}  // namespace shlo
