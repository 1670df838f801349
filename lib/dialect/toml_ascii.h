// TOML in ASCII, which is what toml++ 3.3 reads without undefined behavior. Internal to the library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace shlo {

// A TOML text whose bytes beyond ASCII are spelled ~c3, and whose tildes are ~7e. Comments and strings of
// TOML take both; elsewhere, neither can be.
class AsciiToml {
 public:
  explicit AsciiToml(std::string_view text);

  const std::string& text() const { return out_; }
  // The reason why toml++ cannot read the text, which takes keys apart without a limit, and its place (offset
  // in the original); "" if there is none.
  std::string_view problem() const { return problem_; }
  size_t problem_at() const { return problem_at_; }

  // Returns the offset in the original text of a line and column, from 1, of text().
  size_t Original(uint32_t line, uint32_t column) const;

  // Returns what a string or message that toml++ read or made stands for.
  static std::string Decode(std::string_view encoded);

 private:
  size_t String(size_t at);
  size_t Escape(size_t at);
  void Put(std::string_view original);
  void Replace(std::string_view by, size_t from, size_t end);
  void Problem(size_t at, std::string_view what);

  std::string_view in_;
  std::string out_;
  // After each replacement: the offsets in text() and in the original.
  std::vector<std::pair<size_t, size_t>> shifts_;
  std::string_view problem_;
  size_t problem_at_ = 0;
};

}  // namespace shlo
