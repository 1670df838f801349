// Text that is being printed. Most of what is appended are a few bytes, for which std::string makes two
// calls.
#pragma once

#include <cstddef>
#include <cstring>
#include <string_view>

#include "base/growing_bytes.h"

namespace shlo::text {

class TextBuffer {
 public:
  size_t size() const { return bytes_.size(); }
  size_t capacity() const { return bytes_.capacity(); }
  bool empty() const { return bytes_.empty(); }
  std::string_view view() const { return {bytes_.data(), bytes_.size()}; }
  operator std::string_view() const { return view(); }
  char operator[](size_t i) const { return bytes_[i]; }

  void reserve(size_t size) { bytes_.reserve(size); }
  void clear() { bytes_.clear(); }
  // Removes the end of the text, from `size` on.
  void Cut(size_t size) { bytes_.EndAt(bytes_.data() + size); }
  void swap(TextBuffer& other) noexcept { bytes_.swap(other.bytes_); }

  [[gnu::always_inline]] void push_back(char c) { *bytes_.Extend(1) = c; }
  // The text must not be part of this one.
  [[gnu::always_inline]] void append(std::string_view text) {
    Copy(bytes_.Extend(text.size()), text.data(), text.size());
  }
  void Fill(size_t count, char c) {
    if (count) std::memset(bytes_.Extend(count), c, count);
  }
  // Returns room for up to `size` characters; EndAt keeps those before `end`.
  char* Room(size_t size) { return bytes_.Room(size); }
  void EndAt(const char* end) { bytes_.EndAt(end); }
  TextBuffer& operator+=(std::string_view text) {
    append(text);
    return *this;
  }
  TextBuffer& operator+=(char c) {
    push_back(c);
    return *this;
  }

 private:
  // Copies up to twice `N` bytes, at least `N`: those at the beginning and those at the end.
  template <size_t N>
  static void CopyEnds(char* to, const char* from, size_t size) {
    char head[N], tail[N];
    std::memcpy(head, from, N);
    std::memcpy(tail, from + size - N, N);
    std::memcpy(to, head, N);
    std::memcpy(to + size - N, tail, N);
  }
  static void Copy(char* to, const char* from, size_t size) {
    if (size > 64) {
      std::memcpy(to, from, size);
    } else if (size > 32) {
      CopyEnds<32>(to, from, size);
    } else if (size > 16) {
      CopyEnds<16>(to, from, size);
    } else if (size >= 8) {
      CopyEnds<8>(to, from, size);
    } else if (size >= 4) {
      CopyEnds<4>(to, from, size);
    } else if (size) {
      to[0] = from[0];
      to[size / 2] = from[size / 2];
      to[size - 1] = from[size - 1];
    }
  }

  GrowingBytes<char> bytes_;
};

// Appends what put(i) appends for each i below `count`, with commas between.
template <typename PutT>
void PutList(TextBuffer& out, size_t count, PutT&& put) {
  for (size_t i = 0; i < count; ++i) {
    if (i) out.append(", ");
    put(i);
  }
}

}  // namespace shlo::text
