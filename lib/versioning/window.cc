#include "shlo/window.h"

#include <optional>

#include "base/format.h"
#include "base/guarded.h"

namespace shlo {
namespace {

constexpr int64_t kMaxDays = 1'000'000;

// "180d", "3w", "6m", "5y" as days.
std::optional<int64_t> ParseDays(std::string_view text) {
  if (text.size() < 2 || text.size() > 8) return {};
  int64_t unit = 0;
  switch (text.back()) {
    case 'd':
      unit = 1;
      break;
    case 'w':
      unit = 7;
      break;
    case 'm':
      unit = 30;
      break;
    case 'y':
      unit = 365;
      break;
    default:
      return {};
  }
  int64_t count = 0;
  for (char c : text.substr(0, text.size() - 1)) {
    if (c < '0' || c > '9') return {};
    count = count * 10 + (c - '0');
  }
  if (count * unit > kMaxDays) return {};
  return count * unit;
}

Result<CompatibilityWindow> Parse(std::string_view text) {
  constexpr std::string_view kHint =
      "write backward=180d,forward=3w; units are d, w, m (30 days) and y (365 days)";
  CompatibilityWindow window;
  bool seen_backward = false;
  bool seen_forward = false;
  for (bool more = true; more;) {
    const size_t comma = text.find(',');
    const std::string_view item = text.substr(0, comma);
    more = comma != text.npos;
    if (more) text.remove_prefix(comma + 1);
    const size_t equals = item.find('=');
    const std::string_view key = item.substr(0, equals);
    const bool backward = key == "backward";
    if (!backward && key != "forward")
      return Error(Code::kUsage, StrFormat("unknown key '{}' in --window", key), {}, std::string(kHint));
    bool& seen = backward ? seen_backward : seen_forward;
    if (seen)
      return Error(Code::kUsage, StrFormat("duplicate key '{}' in --window", key), {}, std::string(kHint));
    seen = true;
    const std::string_view duration = equals == item.npos ? "" : item.substr(equals + 1);
    const std::optional<int64_t> days = ParseDays(duration);
    if (!days)
      return Error(Code::kUsage, StrFormat("invalid duration '{}' in --window", duration), {},
                   std::string(kHint));
    (backward ? window.backward_days : window.forward_days) = *days;
  }
  return window;
}

// The newest release whose day is known. Where only a bound is known, the window is measured from here: what
// is outside then is outside whatever the day was.
const VersionRow* NewestDatedRelease() {
  const auto line = VersionLine();
  for (size_t i = line.size(); i-- > 0;)
    if (!line[i].date_is_bound) return &line[i];
  return nullptr;
}

Result<void> CheckWindow(Version from, Version to, const CompatibilityWindow& window) {
  const VersionRow* source = FindVersion(from);
  const VersionRow* target = FindVersion(to);
  const VersionRow* current = NewestDatedRelease();
  if (!source || !target || !current)
    return Error(Code::kUnknownVersion, StrFormat("unknown version {}", source ? to.n : from.n));
  const bool upgrade = to >= from;
  const VersionRow& old = upgrade ? *source : *target;
  const int64_t days = upgrade ? window.backward_days : window.forward_days;
  const int64_t age = DaysFromDate(current->date) - DaysFromDate(old.date);
  if (age <= days) return {};
  Diagnostic d;
  d.code = Code::kOutsideWindow;
  d.version = old.version;
  d.message = StrFormat(
      "{} version {} ({}) is outside the compatibility window: it is {} older than {} ({}), the newest {}, "
      "and the {} window is {}",
      upgrade ? "source" : "target", VersionName(old.version), DateString(old.date),
      Count(uint64_t(age), "day"), VersionName(current->version), DateString(current->date),
      current->version == kCurrentVersion ? "release" : "release whose day is known",
      upgrade ? "backward" : "forward", Count(uint64_t(days), "day"));
  d.hint = "pass --allow-outside-window to convert anyway, or set --window";
  return Error(std::move(d));
}

}  // namespace

Result<CompatibilityWindow> ParseCompatibilityWindow(std::string_view text) {
  return Guarded([&] { return Parse(text); });
}

Result<void> CheckCompatibilityWindow(Version from, Version to, const CompatibilityWindow& window) {
  return Guarded([&] { return CheckWindow(from, to, window); });
}

}  // namespace shlo
