// Before the headers that read the tables.
#include "ir/table/row_commas.h"
//
#include <chrono>
#include <optional>
#include <vector>

#include "base/format.h"
#include "ir/table/newest_version.h"
#include "ir/table/release.h"
#include "shlo/version.h"

namespace shlo {

constinit const Version kCurrentVersion = table::kNewestVersion;

namespace {

// The date of a row: a literal, or By(literal).
struct DateCell {
  const char* text;
  bool is_bound = false;
  consteval DateCell(const char* t) : text(t) {}
};
consteval DateCell By(const char* text) {
  DateCell cell(text);
  cell.is_bound = true;
  return cell;
}

// Digits of a literal; -1 where there are none.
constexpr int DigitsOf(std::string_view t) {
  int value = t.empty() || t.size() > 4 ? -1 : 0;
  for (char c : t) value = value < 0 || c < '0' || c > '9' ? -1 : value * 10 + (c - '0');
  return value;
}

// Returns the date of a literal, or year 0 if it is not a date.
constexpr Date DateLiteral(std::string_view t) {
  if (t.size() != 10 || t[4] != '-' || t[7] != '-') return {};
  const int year = DigitsOf(t.substr(0, 4)), month = DigitsOf(t.substr(5, 2)), day = DigitsOf(t.substr(8, 2));
  if (year < 0 || month < 1 || month > 12 || day < 1 || day > 31) return {};
  return {int16_t(year), uint8_t(month), uint8_t(day)};
}

consteval VersionRow Row(int n, std::string_view release, DateCell date, int8_t bytecode,
                         std::string_view change) {
  return {Version{uint16_t(n)}, release, DateLiteral(date.text), date.is_bound, bytecode, change};
}
constexpr VersionRow kRows[] = {
#define SHLO_VERSION(...) Row(__VA_ARGS__),
#include "schema/versions.inc"
};

// --- A wrong row does not compile -----------------------------------------------------------------------

// F(row, n, mistake, text)
#define SHLO_VERSION_MISTAKES(F, row, n)                                                     \
  F(row, n, kNumber, "numbers are consecutive, and this one does not follow the row before") \
  F(row, n, kDate, "the date is not spelled YYYY-MM-DD")                                     \
  F(row, n, kDateOrder, "the dates run backwards: this one is before that of the row above") \
  F(row, n, kRelease, "the release is not spelled MAJOR.MINOR.0")                            \
  F(row, n, kReleaseTwice, "the release is listed twice")                                    \
  F(row, n, kReleaseOrder, "the release is older than that of the row before")               \
  F(row, n, kFormatOrder, "the bytecode format is older than that of the row before")

enum class VersionMistake : uint8_t {
  kFine,
#define SHLO_MISTAKE(row, n, mistake, text) mistake,
  SHLO_VERSION_MISTAKES(SHLO_MISTAKE, , )
#undef SHLO_MISTAKE
};

// A release as a number that ascends: -1 if it is not spelled as one, 0 if there is none.
constexpr int ReleaseOrder(std::string_view release) {
  if (release.empty()) return 0;
  const size_t dot = release.find('.');
  if (dot == release.npos || !release.ends_with(".0") || release.size() < dot + 4) return -1;
  const int major = DigitsOf(release.substr(0, dot));
  const int minor = DigitsOf(release.substr(dot + 1, release.size() - dot - 3));
  return major < 0 || minor < 0 ? -1 : major * 10000 + minor + 1;
}

constexpr bool HasFirstRelease() {
  for (const VersionRow& row : kRows)
    if (!row.release.empty()) return row.version == kFirstRelease;
  return false;
}
static_assert(HasFirstRelease(), "schema/versions.inc: the first release is not kFirstRelease");
static_assert(kRows[0].version == kMinimumVersion,
              "schema/versions.inc: the first row is not kMinimumVersion");

constexpr VersionMistake CheckVersion(size_t at) {
  const VersionRow& row = kRows[at];
  const int release = ReleaseOrder(row.release);
  if (row.date.year == 0) return VersionMistake::kDate;
  if (release < 0) return VersionMistake::kRelease;
  if (at == 0) return VersionMistake::kFine;
  const VersionRow& before = kRows[at - 1];
  if (row.version.n != before.version.n + 1) return VersionMistake::kNumber;
  if (row.date < before.date) return VersionMistake::kDateOrder;
  for (size_t i = 0; i < at; ++i)
    if (release && kRows[i].release == row.release) return VersionMistake::kReleaseTwice;
  if (release < ReleaseOrder(before.release)) return VersionMistake::kReleaseOrder;
  return row.bytecode_format < before.bytecode_format ? VersionMistake::kFormatOrder : VersionMistake::kFine;
}

constexpr size_t kFirstVersionRow = __COUNTER__ + 1;
#define SHLO_NO_MISTAKE(row, n, no, text) static_assert(row != VersionMistake::no, "version " #n ": " text);
#define SHLO_VERSION(n, ...)                                                                  \
  constexpr auto SHLO_AT_LINE(row_, __LINE__) = CheckVersion(__COUNTER__ - kFirstVersionRow); \
  SHLO_VERSION_MISTAKES(SHLO_NO_MISTAKE, SHLO_AT_LINE(row_, __LINE__), n)
#include "schema/versions.inc"
#undef SHLO_NO_MISTAKE

// Parses a number of 1 to 9 digits and removes it from `text`.
std::optional<int> TakeNumber(std::string_view& text) {
  int value = 0;
  size_t n = 0;
  while (n < text.size() && n < 9 && text[n] >= '0' && text[n] <= '9') value = value * 10 + (text[n++] - '0');
  if (n == 0) return std::nullopt;
  text.remove_prefix(n);
  return value;
}

bool AllDigits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

tl::unexpected<std::string> NoSuchNumber(std::string_view text) {
  return tl::make_unexpected(StrFormat("unknown version {}; known versions are {} to {}", text,
                                       kMinimumVersion.n, kCurrentVersion.n));
}

// A patch of a known release stands for it, but a release that does not exist between two known ones is
// likely a slip.
tl::expected<Version, std::string> FromRelease(ReleaseNumber wanted, std::string_view text) {
  if (wanted > NumberOf(kCurrentVersion))
    return tl::make_unexpected(StrFormat("release {} is newer than the newest known release, {}", text,
                                         VersionName(kCurrentVersion)));
  const Version found = VersionOfRelease(wanted);
  if (!found.valid())
    return tl::make_unexpected(
        StrFormat("release {} is older than the first release, {}", text, VersionName(kFirstRelease)));
  const ReleaseNumber here = NumberOf(found);
  if (here.major == wanted.major && here.minor == wanted.minor) return found;
  return tl::make_unexpected(StrFormat("unknown release {}; the nearest are {} and {}", text,
                                       VersionName(found), VersionName(Version{uint16_t(found.n + 1)})));
}

tl::expected<Version, std::string> NewestReleaseBy(Date date) {
  Version newest;
  for (const VersionRow& row : kRows)
    if (!row.release.empty() && row.date <= date) newest = row.version;
  if (newest.valid()) return newest;
  const VersionRow& first = *FindVersion(kFirstRelease);
  return tl::make_unexpected(StrFormat("no release existed on {}; the first is {}, released {}",
                                       DateString(date), VersionName(first.version), DateString(first.date)));
}

}  // namespace

std::optional<ReleaseNumber> ParseReleaseNumber(std::string_view text) {
  ReleaseNumber release;
  const auto take = [&](int* number) {
    const auto taken = TakeNumber(text);
    if (taken) *number = *taken;
    return taken.has_value();
  };
  const auto dot = [&] {
    if (!text.starts_with('.')) return false;
    text.remove_prefix(1);
    return true;
  };
  if (!take(&release.major) || !dot() || !take(&release.minor)) return std::nullopt;
  if (!text.empty() && !(dot() && take(&release.patch) && text.empty())) return std::nullopt;
  return release;
}

ReleaseNumber NumberOf(Version version) {
  return ParseReleaseNumber(FindVersion(version)->release).value_or(ReleaseNumber{});
}

Version VersionOfRelease(ReleaseNumber release) {
  Version found;
  if (release > NumberOf(kCurrentVersion)) return found;
  for (const VersionRow& row : kRows)
    if (!row.release.empty() && NumberOf(row.version) <= release) found = row.version;
  return found;
}

std::span<const VersionRow> VersionLine() { return kRows; }

const VersionRow* FindVersion(Version version) {
  if (version < kMinimumVersion || version > kCurrentVersion) return nullptr;
  return &kRows[version.n - kMinimumVersion.n];
}

tl::expected<Version, std::string> ParseVersion(std::string_view text, Date today) {
  if (text == "current" || text == "NONE") return kCurrentVersion;
  if (text == "minimum") return kMinimumVersion;
  if (text == "MAX") return kFirstRelease;
  if (text == "WEEK_4") return NewestReleaseBy(DateFromDays(DaysFromDate(today) - 28));
  if (text == "WEEK_12") return NewestReleaseBy(DateFromDays(DaysFromDate(today) - 84));
  std::string_view number = text;
  if (number.size() > 1 && number.front() == 'v') number.remove_prefix(1);
  if (AllDigits(number)) {
    std::string_view rest = number;
    const int n = *TakeNumber(rest);
    if (!rest.empty() || n < kMinimumVersion.n || n > kCurrentVersion.n) return NoSuchNumber(number);
    return Version{uint16_t(n)};
  }
  if (auto release = ParseReleaseNumber(number)) return FromRelease(*release, number);
  if (auto date = ParseDate(text)) return NewestReleaseBy(*date);
  return tl::make_unexpected(StrFormat(
      "invalid version '{}'; expected N ({} to {}), v{}, a release ({}), current, minimum, a date "
      "(YYYY-MM-DD), "
      "WEEK_4, WEEK_12 or MAX",
      text, kMinimumVersion.n, kCurrentVersion.n, kCurrentVersion.n, ShortVersionName(kCurrentVersion)));
}

tl::expected<Version, std::string> ParseVersion(std::string_view text) { return ParseVersion(text, Today()); }

std::string VersionName(Version version) {
  const VersionRow* row = FindVersion(version);
  if (!row || row->release.empty()) return StrFormat("{}", version.n);
  return StrFormat("{} ({})", row->release, version.n);
}

std::string ShortVersionName(Version version) {
  const VersionRow* row = FindVersion(version);
  if (!row || row->release.empty()) return StrFormat("{}", version.n);
  return std::string(row->release);
}

int64_t DaysFromDate(Date date) {
  using namespace std::chrono;
  return sys_days(year(date.year) / month(date.month) / day(date.day)).time_since_epoch().count();
}

Date DateFromDays(int64_t days) {
  using namespace std::chrono;
  const year_month_day ymd{sys_days(std::chrono::days(days))};
  return {int16_t(int(ymd.year())), uint8_t(unsigned(ymd.month())), uint8_t(unsigned(ymd.day()))};
}

tl::expected<Date, std::string> ParseDate(std::string_view t) {
  const auto bad = [&] {
    return tl::make_unexpected(StrFormat("invalid date '{}'; expected YYYY-MM-DD", t));
  };
  if (t.size() != 10 || t[4] != '-' || t[7] != '-' || !AllDigits(t.substr(0, 4)) ||
      !AllDigits(t.substr(5, 2)) || !AllDigits(t.substr(8, 2)))
    return bad();
  auto number = [&](size_t first, size_t count) {
    std::string_view digits = t.substr(first, count);
    return *TakeNumber(digits);
  };
  const Date date{int16_t(number(0, 4)), uint8_t(number(5, 2)), uint8_t(number(8, 2))};
  using namespace std::chrono;
  if (!(year(date.year) / month(date.month) / day(date.day)).ok()) return bad();
  return date;
}

std::string DateString(Date date) { return StrFormat("{:04}-{:02}-{:02}", date.year, date.month, date.day); }

std::string ReleaseDateString(const VersionRow& row) {
  return (row.date_is_bound ? "by " : "") + DateString(row.date);
}

Date Today() {
  using namespace std::chrono;
  return DateFromDays(floor<days>(system_clock::now()).time_since_epoch().count());
}

}  // namespace shlo
