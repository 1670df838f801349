// JSON of unknown origin. A text of a few kilobytes can stand for gigabytes of values, so that nesting,
// memory and repeated keys are checked before there is any value. Internal to the library; for layers that
// have nlohmann/json.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

namespace shlo {

// Limits on the resources of a text.
struct JsonLimits {
  uint32_t max_depth = 16;             // of arrays and objects
  uint64_t max_memory = ~uint64_t(0);  // of the values, in bytes, approximately
};

// The first pass over a text: makes no values. Every callback returns whether to go on.
class JsonCheck : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit JsonCheck(const JsonLimits& limits) : limits_(limits) {}
  // The problem of the text; "" if it has none.
  std::string problem;

  bool null() override { return Take(0); }
  bool boolean(bool) override { return Take(0); }
  bool number_integer(number_integer_t) override { return Take(0); }
  bool number_unsigned(number_unsigned_t) override { return Take(0); }
  bool number_float(number_float_t, const string_t&) override { return Take(0); }
  bool string(string_t& text) override { return Take(sizeof(string_t) + text.size()); }
  bool binary(binary_t&) override { return Take(0); }
  bool start_object(size_t) override { return Open(); }
  bool start_array(size_t) override { return Open(); }
  bool end_object() override { return Close(); }
  bool end_array() override { return Close(); }
  bool key(string_t& text) override {
    if (!keys_.back().insert(text).second) return Fail("a key occurs twice");
    return Take(kMember + text.size());
  }
  bool parse_error(size_t, const std::string&, const nlohmann::detail::exception&) override {
    return Fail("it is not JSON");
  }

 private:
  // The cost of a value in a vector that grows, of an allocation, and of a member of an object.
  static constexpr uint64_t kValue = 32, kAllocation = 64, kMember = 128;

  bool Fail(const char* why) {
    if (problem.empty()) problem = why;
    return false;
  }
  bool Take(uint64_t more) {
    memory_ += kValue + more;
    return memory_ <= limits_.max_memory || Fail("it takes more memory than the limit");
  }
  bool Open() {
    if (keys_.size() >= limits_.max_depth) return Fail("it is nested too deeply");
    keys_.emplace_back();
    return Take(kAllocation);
  }
  bool Close() {
    keys_.pop_back();
    return true;
  }

  const JsonLimits limits_;
  uint64_t memory_ = 0;
  std::vector<std::unordered_set<std::string>> keys_;  // of what is open
};

// Returns the value of a text, or nothing with the reason in `why`, which may be null.
template <typename JsonT>
std::optional<JsonT> ParseJson(std::string_view text, const JsonLimits& limits, std::string* why = nullptr) {
  JsonCheck check(limits);
  const bool good = nlohmann::json::sax_parse(text, &check) && check.problem.empty();
  if (good) return JsonT::parse(text, nullptr, /*allow_exceptions=*/false);
  if (why) *why = check.problem.empty() ? "it is not JSON" : check.problem;
  return std::nullopt;
}

}  // namespace shlo
