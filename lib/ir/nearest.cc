#include "ir/nearest.h"

#include <algorithm>
#include <vector>

#include "ir/format.h"
#include "shlo/op_table.h"

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

std::string_view NearestOp(std::string_view name) {
  const bool full = name.find('.') != name.npos;
  Nearest nearest(name);
  for (const OpRow& row : OpRows().subspan(1)) nearest.Try(full ? row.name : row.mnemonic(), row.name);
  return nearest.best();
}

std::string_view NearestKind(std::span<const KindRow> kinds, std::string_view dialect,
                             std::string_view word) {
  Nearest nearest(word);
  for (const KindRow& row : kinds)
    if (row.dialect == dialect) nearest.Try(row.mnemonic);
  return nearest.best();
}

std::string_view NearestVersionWord(std::string_view word) {
  std::string lower(word.substr(0, 16));
  for (char& c : lower) c = Lower(c);
  for (std::string_view newest : {"latest", "newest", "now", "head", "today"})
    if (lower == newest) return "current";
  for (std::string_view oldest : {"oldest", "min", "earliest"})
    if (lower == oldest) return "minimum";
  Nearest nearest(lower);
  for (std::string_view known : {"current", "minimum"}) nearest.Try(known);
  nearest.Try("week_4", "WEEK_4");
  nearest.Try("week_12", "WEEK_12");
  nearest.Try("max", "MAX");
  return nearest.best();
}

}  // namespace shlo
