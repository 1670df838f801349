#include "base/nearest.h"

#include <algorithm>
#include <vector>

#include "base/format.h"

namespace shlo {

static char Lower(char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; }

void Nearest::Try(std::string_view spelling, std::string_view candidate) {
  spelling = spelling.substr(0, kMaxLength);
  if (distance_ > kSwap && std::ranges::equal(word_, spelling, {}, Lower, Lower)) {
    distance_ = word_ == spelling ? 0 : kSwap;
    best_ = candidate;
    return;
  }
  const size_t least = std::max(word_.size(), spelling.size()) - std::min(word_.size(), spelling.size());
  if (kLetter * least >= distance_) return;
  const size_t width = spelling.size() + 1;
  std::vector<size_t> table((word_.size() + 1) * width);
  const auto at = [&](size_t i, size_t j) -> size_t& { return table[i * width + j]; };
  for (size_t i = 0; i <= word_.size(); ++i)
    for (size_t j = 0; j < width; ++j) {
      if (i == 0 || j == 0) {
        at(i, j) = kLetter * (i + j);
        continue;
      }
      const bool same = word_[i - 1] == spelling[j - 1];
      at(i, j) =
          std::min({at(i - 1, j) + kLetter, at(i, j - 1) + kLetter, at(i - 1, j - 1) + (same ? 0 : kLetter)});
      if (i > 1 && j > 1 && word_[i - 1] == spelling[j - 2] && word_[i - 2] == spelling[j - 1])
        at(i, j) = std::min(at(i, j), at(i - 2, j - 2) + kSwap);
    }
  if (at(word_.size(), width - 1) >= distance_) return;
  distance_ = at(word_.size(), width - 1);
  best_ = candidate;
}

std::string DidYouMean(std::string_view candidate, std::string_view otherwise) {
  return candidate.empty() ? std::string(otherwise) : StrFormat("did you mean '{}'?", candidate);
}

}  // namespace shlo
