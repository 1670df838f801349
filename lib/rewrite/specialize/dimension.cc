#include "rewrite/specialize/dimension.h"

#include <algorithm>
#include <charconv>
#include <functional>

#include "base/format.h"
#include "base/stack.h"

namespace shlo::rewrite {
namespace {

// Returns the value of a variable, or nullopt after it has set an error.
using Lookup = std::function<std::optional<int64_t>(std::string_view)>;

bool IsNameByte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// Evaluates an expression as it reads it.
class DimensionReader {
 public:
  DimensionReader(std::string_view text, const Lookup& lookup) : text_(text), lookup_(lookup) {}

  std::optional<int64_t> Read() {
    auto value = Sum();
    if (value && !SkipSpaces().empty()) return Fail();
    return value;
  }
  // Returns what is wrong; empty if a variable has no value.
  const std::string& problem() const { return problem_; }

 private:
  std::string_view SkipSpaces() {
    while (text_.substr(at_).starts_with(' ')) ++at_;
    return text_.substr(at_);
  }
  bool Take(char c) {
    if (!SkipSpaces().starts_with(c)) return false;
    ++at_;
    return true;
  }
  std::optional<int64_t> Fail() {
    if (problem_.empty()) problem_ = StrFormat("'{}' is not a dimension", text_);
    return std::nullopt;
  }
  std::optional<int64_t> Checked(bool overflow, int64_t value) {
    if (!overflow) return value;
    problem_ = StrFormat("the value of '{}' does not fit into 64 bits", text_);
    return std::nullopt;
  }

  std::optional<int64_t> Sum() {
    CheckStack();
    auto sum = Product();
    while (sum) {
      const bool plus = Take('+');
      if (!plus && !Take('-')) break;
      const auto term = Product();
      if (!term) return term;
      int64_t next = 0;
      const bool overflow =
          plus ? __builtin_add_overflow(*sum, *term, &next) : __builtin_sub_overflow(*sum, *term, &next);
      sum = Checked(overflow, next);
    }
    return sum;
  }

  std::optional<int64_t> Product() {
    auto product = Power();
    while (product && Take('*')) {
      const auto factor = Power();
      if (!factor) return factor;
      int64_t next = 0;
      const bool overflow = __builtin_mul_overflow(*product, *factor, &next);
      product = Checked(overflow, next);
    }
    return product;
  }

  std::optional<int64_t> Power() {
    CheckStack();
    if (Take('-')) {
      const auto value = Power();
      if (!value) return value;
      int64_t negated = 0;
      const bool overflow = __builtin_sub_overflow(int64_t(0), *value, &negated);
      return Checked(overflow, negated);
    }
    const auto base = Atom();
    if (!base || !Take('^')) return base;
    const auto exponent = Number();
    if (!exponent || *exponent > 64) return Fail();
    int64_t power = 1;
    for (int64_t i = 0; i < *exponent; ++i)
      if (__builtin_mul_overflow(power, *base, &power)) return Checked(true, 0);
    return power;
  }

  std::optional<int64_t> Number() {
    const std::string_view rest = SkipSpaces();
    int64_t value = 0;
    const auto parsed = std::from_chars(rest.data(), rest.data() + rest.size(), value);
    if (parsed.ec != std::errc() || rest.starts_with('-')) return Fail();
    at_ += size_t(parsed.ptr - rest.data());
    return value;
  }

  std::optional<int64_t> Atom() {
    if (Take('(')) {
      const auto value = Sum();
      return value && !Take(')') ? Fail() : value;
    }
    const std::string_view rest = SkipSpaces();
    if (!rest.empty() && rest[0] >= '0' && rest[0] <= '9') return Number();
    size_t length = 0;
    while (length < rest.size() && IsNameByte(rest[length])) ++length;
    if (length == 0) return Fail();
    const std::string_view name = rest.substr(0, length);
    at_ += length;
    if (!Take('(')) return lookup_(name);
    const auto a = Sum();
    if (!a) return a;
    if (Take(')')) return name == "non_negative" ? std::optional(std::max<int64_t>(*a, 0)) : Fail();
    if (!Take(',')) return Fail();
    const auto b = Sum();
    if (!b) return b;
    return Take(')') ? Call(name, *a, *b) : Fail();
  }

  std::optional<int64_t> Call(std::string_view name, int64_t a, int64_t b) {
    if (name == "max") return std::max(a, b);
    if (name == "min") return std::min(a, b);
    if (name != "mod" && name != "floordiv" && name != "ceildiv") return Fail();
    if (b == 0) {
      problem_ = StrFormat("'{}' divides by zero", text_);
      return std::nullopt;
    }
    if (b == -1) return name == "mod" ? 0 : Checked(a == INT64_MIN, a == INT64_MIN ? 0 : -a);
    const int64_t quotient = a / b, rest = a % b;
    // Division rounds down, and the rest has the sign of the divisor.
    const bool below = rest != 0 && (rest < 0) != (b < 0);
    if (name == "mod") return below ? rest + b : rest;
    if (name == "floordiv") return quotient - below;
    return quotient + (rest != 0 && !below);
  }

  const std::string_view text_;
  const Lookup& lookup_;
  size_t at_ = 0;
  std::string problem_;
};

}  // namespace

Result<int64_t> Evaluated(std::string_view text, const DimensionValues& values) {
  std::string missing;
  const Lookup lookup = [&](std::string_view name) -> std::optional<int64_t> {
    const auto found = values.find(name);
    if (found != values.end()) return found->second;
    missing = name;
    return std::nullopt;
  };
  DimensionReader reader(text, lookup);
  if (const auto value = reader.Read()) return *value;
  if (!missing.empty())
    return Error(Code::kUsage, StrFormat("dimension variable '{}' has no value", missing), {},
                 StrFormat("pass --dim {}=N", missing));
  return Error(Code::kSyntax, reader.problem());
}

Result<void> AddVariables(std::string_view text, std::set<std::string, std::less<>>* names) {
  // Any value does; 1 divides.
  const Lookup lookup = [&](std::string_view name) -> std::optional<int64_t> {
    names->emplace(name);
    return 1;
  };
  DimensionReader reader(text, lookup);
  if (!reader.Read()) return Error(Code::kSyntax, reader.problem());
  return {};
}

std::optional<std::pair<std::string, int64_t>> Solved(std::string_view text, int64_t size,
                                                      const DimensionValues& values) {
  std::set<std::string, std::less<>> names;
  if (!AddVariables(text, &names)) return std::nullopt;
  for (const auto& known : values) names.erase(known.first);
  if (names.size() != 1) return std::nullopt;
  const auto at = [&](int64_t value) {
    DimensionValues all = values;
    all[*names.begin()] = value;
    return Evaluated(text, all);
  };
  const auto zero = at(0), one = at(1);
  int64_t slope = 0, rise = 0;
  if (!zero || !one || __builtin_sub_overflow(*one, *zero, &slope) || slope == 0 ||
      __builtin_sub_overflow(size, *zero, &rise) || (slope == -1 && rise == INT64_MIN) || rise % slope != 0)
    return std::nullopt;
  const auto found = at(rise / slope);
  if (!found || *found != size) return std::nullopt;
  return std::pair(*names.begin(), rise / slope);
}

}  // namespace shlo::rewrite
