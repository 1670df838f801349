// Small forgeries in JSON texts, for tests: other numbers and names, members that are missing, duplicated or
// in another place. The same seed gives the same forgery.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace shlo {

class JsonMutator {
 public:
  explicit JsonMutator(uint64_t seed) : random_(seed) {}

  size_t Below(size_t n) { return n ? size_t(random_() % n) : 0; }

  // Returns a text with one change.
  std::string Mutate(std::string_view text) {
    tokens_.clear();
    Tokenize(text);
    if (tokens_.empty()) return "{}";
    for (int attempt = 0; attempt < 20; ++attempt)
      if (Change()) break;
    std::string out;
    for (const std::string& token : tokens_) out += token;
    return out;
  }

 private:
  static bool IsString(const std::string& token) { return token[0] == '"'; }
  static bool IsNumber(const std::string& token) {
    return token[0] == '-' || (token[0] >= '0' && token[0] <= '9');
  }
  static bool IsScalar(const std::string& token) {
    return std::string_view("{}[]:,\n ").find(token[0]) == std::string_view::npos;
  }

  void Tokenize(std::string_view text) {
    for (size_t at = 0; at < text.size();) {
      size_t end = at + 1;
      if (text[at] == '"') {
        while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
        end = std::min(end + 1, text.size());
      } else if (IsScalar(std::string(1, text[at]))) {
        while (end < text.size() && IsScalar(std::string(1, text[end])) && text[end] != '"') ++end;
      }
      tokens_.emplace_back(text.substr(at, end - at));
      at = end;
    }
  }

  // Returns the end of the value at a token.
  size_t ValueEnd(size_t at) const {
    int depth = 0;
    for (; at < tokens_.size(); ++at) {
      depth += tokens_[at] == "{" || tokens_[at] == "[";
      depth -= tokens_[at] == "}" || tokens_[at] == "]";
      if (depth <= 0) return at + 1;
    }
    return at;
  }

  bool Change() {
    const size_t at = Below(tokens_.size());
    std::string& token = tokens_[at];
    const bool is_key = at + 1 < tokens_.size() && tokens_[at + 1] == ":";
    switch (Below(6)) {
      case 0:
      case 1:
        return IsNumber(token) && ChangeNumber(&token);
      case 2:
        return IsString(token) && ChangeString(&token);
      case 3: {  // another scalar's value
        const size_t other = Below(tokens_.size());
        if (!IsScalar(token) || !IsScalar(tokens_[other]) || token == tokens_[other]) return false;
        std::swap(token, tokens_[other]);
        return true;
      }
      default: {  // a member or an item, with a comma
        if (token != "," || at + 1 >= tokens_.size()) return false;
        size_t end = at + 1;
        if (end + 1 < tokens_.size() && tokens_[end + 1] == ":") end += 2;
        end = ValueEnd(end);
        const std::vector<std::string> part(tokens_.begin() + ptrdiff_t(at),
                                            tokens_.begin() + ptrdiff_t(end));
        if (Below(2))
          tokens_.erase(tokens_.begin() + ptrdiff_t(at), tokens_.begin() + ptrdiff_t(end));
        else
          tokens_.insert(tokens_.begin() + ptrdiff_t(end), part.begin(), part.end());
        return !is_key;
      }
    }
  }
  bool ChangeNumber(std::string* token) {
    const std::string other[] = {"0",  "1",   "2",   "75",         "1000000",
                                 "-1", "1.5", "1e9", "4294967295", "9223372036854775808"};
    const bool near = Below(2);
    const unsigned long long number = std::strtoull(token->c_str(), nullptr, 10);
    const std::string now =
        near ? std::to_string(Below(2) ? number + 1 : number - 1) : other[Below(std::size(other))];
    if (now == *token) return false;
    *token = now;
    return true;
  }
  bool ChangeString(std::string* token) {
    if (Below(8) == 0) {
      *token = "\"\"";
      return true;
    }
    if (token->size() < 3) return false;
    char& c = (*token)[1 + Below(token->size() - 2)];
    const char now = "abcdef0123456789 \x7f"[Below(18)];
    if (c == now || c == '\\') return false;
    c = now;
    return true;
  }

  std::mt19937_64 random_;
  std::vector<std::string> tokens_;
};

}  // namespace shlo
