// For fuzz targets whose input is text: mutations that leave a program, or JSON, that parses more often than
// byte mutations do. They replace words, numbers and lines by others of the same kind.
#pragma once

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <string>

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

namespace shlo::fuzz {

// splitmix64, which gives the same mutations on every machine.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t Next() {
    uint64_t z = state_ += 0x9E3779B97F4A7C15ull;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ z >> 27) * 0x94D049BB133111EBull;
    return z ^ z >> 31;
  }
  // Returns a number below `n`, which must not be 0.
  size_t Below(size_t n) { return size_t(Next() % n); }

 private:
  uint64_t state_;
};

// One mutation of a text that is not empty.
class TextMutation {
 public:
  TextMutation(std::string* text, uint64_t seed) : text_(*text), random_(seed) {}

  void Run() {
    switch (random_.Below(9)) {
      case 0:
      case 1:
        return ReplaceNumber();
      case 2:
      case 3:
        return ReplaceWord([](char c) { return std::isalnum(uint8_t(c)) || c == '_' || c == '.'; });
      case 4:  // a different value
        return ReplaceWord([](char c) { return std::isalnum(uint8_t(c)) || c == '%' || c == '#'; });
      case 5:  // a different type or attribute
        return ReplaceWord([](char c) { return !std::isspace(uint8_t(c)) && c != ',' && c != ')'; });
      case 6:
        return RenameEverywhere();
      default:
        return ChangeLine();
    }
  }

 private:
  struct Piece {
    size_t begin, end;
  };

  template <typename IsInside>
  Piece Find(IsInside inside) {
    size_t begin = random_.Below(text_.size());
    while (begin < text_.size() && !inside(text_[begin])) ++begin;
    size_t end = begin;
    while (end < text_.size() && inside(text_[end])) ++end;
    while (begin > 0 && begin < end && inside(text_[begin - 1])) --begin;
    return {begin, end};
  }
  std::string TextOf(Piece piece) const { return text_.substr(piece.begin, piece.end - piece.begin); }
  void Replace(Piece piece, const std::string& by) {
    text_.replace(piece.begin, piece.end - piece.begin, by);
  }
  template <typename IsInside>
  void ReplaceWord(IsInside inside) {
    const Piece piece = Find(inside), other = Find(inside);
    Replace(piece, TextOf(other));
  }
  void ReplaceNumber() {
    static const char* const kNumbers[] = {
        "0",   "1",     "2",          "3",           "7", "8",   "-1",  "-2",         "64",
        "255", "65536", "2147483647", "-2147483648", "?", "1e9", "0.5", "4294967296", "9223372036854775807"};
    // After a letter it is the width of a type or the number of a value.
    const Piece piece = Find([](char c) { return std::isdigit(uint8_t(c)) != 0; });
    Replace(piece, kNumbers[random_.Below(std::size(kNumbers))]);
  }
  // A type must often change in all its places, such as tensor<4xf32> to tensor<4xi1>.
  void RenameEverywhere() {
    const auto is_inside = [](char c) {
      return std::isalnum(uint8_t(c)) || c == '_' || c == '<' || c == '.';
    };
    const std::string from = TextOf(Find(is_inside)), to = TextOf(Find(is_inside));
    if (from.empty() || from == to) return;
    constexpr int kMost = 64;  // a text must not grow without bounds
    size_t at = 0;
    for (int i = 0; i < kMost && (at = text_.find(from, at)) != std::string::npos; ++i) {
      text_.replace(at, from.size(), to);
      at += to.size();
    }
  }
  void ChangeLine() {
    const auto is_inside = [](char c) { return c != '\n'; };
    const Piece line = Find(is_inside), other = Find(is_inside);
    const std::string text = TextOf(line);
    switch (random_.Below(3)) {
      case 0:
        return Replace(line, "");
      case 1:
        return Replace({other.begin, other.begin}, text + "\n");
      default:
        return Replace(line, TextOf(other));
    }
  }

  std::string& text_;
  Random random_;
};

// A LLVMFuzzerCustomMutator: mutates text, and every fourth time, and what is not text, its bytes.
inline size_t MutateText(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
  const bool is_text = std::find(data, data + size, 0) == data + size;
  if (size == 0 || !is_text || seed % 4 == 0) return LLVMFuzzerMutate(data, size, max_size);
  std::string text(reinterpret_cast<const char*>(data), size);
  TextMutation(&text, seed).Run();
  if (text.empty() || text.size() > max_size) return LLVMFuzzerMutate(data, size, max_size);
  std::memcpy(data, text.data(), text.size());
  return text.size();
}

}  // namespace shlo::fuzz
