// Large constants of a text that is being printed. The text has no digits where they belong; these are
// converted piece by piece when the text is written out, so that no copy of them is ever held.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/text_buffer.h"
#include "shlo/node_table.h"
#include "shlo/sink.h"

namespace shlo::text {

class LargeConstants {
 public:
  // Constants from this size on are kept out of the text.
  static constexpr uint64_t kLeastBytes = 4096;

  // Puts the digits of a constant at the end of the text.
  void Add(const TextBuffer& text, const StoredBytes& bytes) {
    entries_.push_back({text.size(), bytes});
    digits_ += 2 * bytes.size();
  }
  // Removes the end of the text, with what was put there.
  void Rewind(TextBuffer* text, size_t size) {
    text->Cut(size);
    for (; !entries_.empty() && entries_.back().at > size; entries_.pop_back())
      digits_ -= 2 * entries_.back().bytes.size();
  }
  bool empty() const { return entries_.empty(); }
  // Returns the number of constants.
  size_t size() const { return entries_.size(); }
  // Returns the number of digits that the text lacks.
  uint64_t digits() const { return digits_; }
  // Passes the text with the constants to `sink` in pieces, until it returns false, and clears both. Returns
  // whether all was passed. `threads` as VisitDigits.
  bool WriteOut(TextBuffer* text, const Sink& sink, size_t threads);

 private:
  struct Entry {
    size_t at;  // in the text
    StoredBytes bytes;
  };
  std::vector<Entry> entries_;
  uint64_t digits_ = 0;
};

}  // namespace shlo::text
