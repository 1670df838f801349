#include "shlo/version.h"

#include <gtest/gtest.h>

#include "ir/table/release.h"

namespace shlo {
namespace {

constexpr Date kToday{2026, 9, 1};

Version Parsed(std::string_view text) { return ParseVersion(text, kToday).value_or(Version{}); }
std::string Failure(std::string_view text) {
  auto version = ParseVersion(text, kToday);
  return version ? "parsed" : version.error();
}

TEST(Version, EveryNameOfARelease) {
  for (std::string_view name : {"62", "v62", "1.9.0", "v1.9.0", "1.9.5", "1.9", "2025-01-30", "2025-03-20"})
    EXPECT_EQ(Parsed(name).n, 62) << name;
  EXPECT_EQ(Parsed("current"), kCurrentVersion);
  EXPECT_EQ(Parsed("minimum"), kMinimumVersion);
  EXPECT_EQ(Parsed("MAX"), kFirstRelease);
}

TEST(Version, APatchLevelNamesItsMinorAlsoAboveAKnownOne) {
  EXPECT_EQ(Parsed("1.20.7").n, 73);
  EXPECT_EQ(Parsed("1.13.8").n, 66);
  EXPECT_EQ(Parsed("0.14.99").n, 46);
}

TEST(Version, APatchOfTheNewestReleaseIsNewerThanAllKnownOnes) {
  const std::string newest(FindVersion(kCurrentVersion)->release);
  ASSERT_TRUE(newest.ends_with(".0"));
  EXPECT_EQ(Parsed(newest), kCurrentVersion);
  EXPECT_EQ(Parsed(newest.substr(0, newest.size() - 2)), kCurrentVersion);
  const std::string patch = newest.substr(0, newest.size() - 1) + "1";
  EXPECT_EQ(Failure(patch),
            "release " + patch + " is newer than the newest known release, " + VersionName(kCurrentVersion));
}

TEST(Version, EveryReleaseNumberStandsForTheReleaseBeforeIt) {
  const auto version = [](std::string_view text) { return VersionOfRelease(*ParseReleaseNumber(text)).n; };
  EXPECT_EQ(version("0.9.0"), 41);
  EXPECT_EQ(version("1.20.7"), 73);
  EXPECT_EQ(version("0.25.3"), 52);
  EXPECT_EQ(version("0.8.9"), 0);
  EXPECT_EQ(version("99.0.0"), 0);
  for (std::string_view bad : {"", "1", "1.", "1.2.", "1.2.3.4", "1.x.0", "v1.2.0", "1.2.0000000001"})
    EXPECT_FALSE(ParseReleaseNumber(bad)) << bad;
}

TEST(Version, ReleasesAreOrderedAsNumbers) {
  EXPECT_LT(Parsed("1.9.0"), Parsed("1.14.0"));
  EXPECT_LT(Parsed("0.20.0"), Parsed("1.0.0"));
}

TEST(Version, ADateIsTheNewestReleaseByThen) {
  EXPECT_EQ(Parsed("2024-07-16").n, 57);  // two releases on that day
  EXPECT_EQ(Parsed("2024-07-15").n, 55);
  EXPECT_EQ(Parsed("2030-01-01"), kCurrentVersion);
  EXPECT_NE(Failure("2023-01-01").find("0.9.0 (41)"), std::string::npos);
  EXPECT_NE(Failure("2023-02-30").find("invalid version"), std::string::npos);
}

TEST(Version, ADateThatIsABoundIsShownAsOne) {
  EXPECT_EQ(ReleaseDateString(*FindVersion(Version{73})), "2026-08-13");
  EXPECT_EQ(ReleaseDateString(*FindVersion(Version{75})), "by 2026-10-16");
  EXPECT_EQ(Parsed("2026-10-15").n, 73);
}

TEST(Version, DurationsCountBackFromToday) {
  EXPECT_EQ(Parsed("WEEK_4").n, 71);   // by 2026-08-04: 1.18.0 of 2026-06-29
  EXPECT_EQ(Parsed("WEEK_12").n, 69);  // by 2026-06-09: 1.16.0 of 2026-04-10
}

TEST(Version, AFailureNamesTheNearest) {
  const std::string current = VersionName(kCurrentVersion);
  const std::string known = "known versions are 37 to " + std::to_string(kCurrentVersion.n);
  EXPECT_NE(Failure("36").find(known), std::string::npos);
  EXPECT_NE(Failure("100").find(known), std::string::npos);
  EXPECT_NE(Failure("99999999999999999999").find(known.substr(known.find("37"))), std::string::npos);
  EXPECT_NE(Failure("0.8.0").find("0.9.0 (41)"), std::string::npos);
  EXPECT_NE(Failure("1.99.0").find(current), std::string::npos);
  EXPECT_NE(Failure("0.25.0").find("0.20.0 (52) and 1.0.0 (53)"), std::string::npos);
  for (std::string_view bad : {"", "v", "-1", "1.", "1.2.3.4", "1.2.x", "latest", "40 ", "2025-6-1"})
    EXPECT_NE(Failure(bad), "parsed") << bad;
}

TEST(Version, DaysAndDatesAreInverse) {
  EXPECT_EQ(DaysFromDate({1970, 1, 1}), 0);
  EXPECT_EQ(DateString(DateFromDays(DaysFromDate({2024, 2, 29}))), "2024-02-29");
  EXPECT_EQ(DaysFromDate({2024, 3, 1}) - DaysFromDate({2024, 2, 28}), 2);
}

}  // namespace
}  // namespace shlo
