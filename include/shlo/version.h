// The version history: integers N, each with a date, a release name and an MLIR bytecode format
// (schema/versions.inc). N is canonical; a release is another name for it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace shlo {

// A known version. Versions are ordered; 0 means "unknown".
struct Version {
  uint16_t n = 0;                                  // the number N of the version history
  constexpr bool valid() const { return n != 0; }  // false for "unknown"
  friend constexpr auto operator<=>(Version, Version) = default;
};

// A calendar day, ordered.
struct Date {
  int16_t year = 0;   // Gregorian
  uint8_t month = 0;  // 1 to 12
  uint8_t day = 0;    // 1 to 31
  friend constexpr auto operator<=>(Date, Date) = default;
};

// A row of the version history.
struct VersionRow {
  Version version;           // N
  std::string_view release;  // "1.9.0", or "" for the prototype versions
  Date date;                 // of the release
  bool date_is_bound;        // the date is an upper bound; the exact date is unknown
  int8_t bytecode_format;    // MLIR bytecode format of that release, -1 for none
  std::string_view change;   // what changed, as `versions` prints it
};

// Returns the rows of the version history, oldest first.
std::span<const VersionRow> VersionLine();

// The oldest version and the first public release.
inline constexpr Version kMinimumVersion{37};
inline constexpr Version kFirstRelease{41};
// The newest version: the last row. Not constexpr, so that a new row compiles few sources; files that include
// the rows have table::kNewestVersion.
extern const Version kCurrentVersion;

// Returns the row of a version, or nullptr if the version is unknown.
const VersionRow* FindVersion(Version version);

// Parses a version in any notation: N ("40"), "v40", a release ("1.9.0"; "1.9" and "1.9.5" are 1.9.0, but a
// patch of the newest known release is newer than all known ones), "current", "minimum", a date
// ("2025-06-01": the newest release by then), or a duration of StableHLO's compatibility API ("WEEK_4",
// "WEEK_12", "MAX": the release that a consumer of that age has, counted back from `today`). The error is a
// message; it names the nearest known versions.
tl::expected<Version, std::string> ParseVersion(std::string_view text, Date today);
tl::expected<Version, std::string> ParseVersion(std::string_view text);  // today: the system clock, UTC

// Returns "1.9.0 (62)", or "40" for a prototype version.
std::string VersionName(Version version);
// Returns "1.9.0", or "40" for a prototype version.
std::string ShortVersionName(Version version);

// Calendar functions. Days are counted from 1970-01-01; the text format is YYYY-MM-DD; Today is in UTC.
int64_t DaysFromDate(Date date);
Date DateFromDays(int64_t days);
tl::expected<Date, std::string> ParseDate(std::string_view text);
std::string DateString(Date date);
// Returns the release date of a version: "2026-08-13", or "by 2026-10-16" if only a bound is known.
std::string ReleaseDateString(const VersionRow& row);
Date Today();

}  // namespace shlo
