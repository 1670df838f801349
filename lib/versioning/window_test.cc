#include "shlo/window.h"

#include <gtest/gtest.h>

namespace shlo {
namespace {

TEST(WindowTest, ParsesBothSides) {
  const auto talk = ParseCompatibilityWindow("backward=180d,forward=3w");
  ASSERT_TRUE(talk);
  EXPECT_EQ(talk->backward_days, 180);
  EXPECT_EQ(talk->forward_days, 21);
  const auto one = ParseCompatibilityWindow("forward=2m");
  ASSERT_TRUE(one);
  EXPECT_EQ(one->forward_days, 60);
  EXPECT_EQ(one->backward_days, CompatibilityWindow().backward_days);
  EXPECT_EQ(ParseCompatibilityWindow("backward=3y")->backward_days, 1095);
  EXPECT_EQ(ParseCompatibilityWindow("backward=0d")->backward_days, 0);
}

TEST(WindowTest, RefusesWhatIsNoWindow) {
  for (const char* text : {"", "backward", "backward=", "backward=d", "backward=3", "backward=-3d",
                           "backward=3h", "sideways=3d", "backward=3d,", "backward=3d,backward=4d",
                           "backward=9999999y", "backward = 3d", "backward=99999999999999999999d"}) {
    const auto window = ParseCompatibilityWindow(text);
    ASSERT_FALSE(window) << text;
    EXPECT_EQ(window.error().front().code, Code::kUsage) << text;
    EXPECT_NE(window.error().front().hint, "") << text;
  }
}

// The newest release of a known day is of 2026-08-13; five years back and two years forward is the default.
TEST(WindowTest, DefaultWindow) {
  const CompatibilityWindow window;
  EXPECT_TRUE(CheckCompatibilityWindow(Version{37}, kCurrentVersion, window));  // 2022-10-12
  EXPECT_TRUE(CheckCompatibilityWindow(kCurrentVersion, Version{60}, window));  // 2024-09-05
  EXPECT_TRUE(CheckCompatibilityWindow(kCurrentVersion, Version{59}, window));  // 2024-08-16
  const auto refused =
      CheckCompatibilityWindow(kCurrentVersion, Version{58}, window);  // 2024-08-01, 742 days
  ASSERT_FALSE(refused);
  const Diagnostic& d = refused.error().front();
  EXPECT_EQ(d.code, Code::kOutsideWindow);
  for (const char* part : {"2024-08-01", "1.5.0 (58)", "1.20.0 (73)", "742 days", "730 days",
                           "(2026-08-13), the newest release whose day is known, and"})
    EXPECT_NE(d.message.find(part), std::string::npos) << part << ": " << d.message;
  EXPECT_NE(d.hint.find("--allow-outside-window"), std::string::npos);
}

// Converting to the same version counts as an upgrade, however old it is.
TEST(WindowTest, ATargetNoOlderThanTheProgramIsAnUpgrade) {
  const CompatibilityWindow window;
  EXPECT_TRUE(CheckCompatibilityWindow(Version{37}, Version{38}, window));
  EXPECT_TRUE(CheckCompatibilityWindow(Version{37}, Version{40}, window));
  EXPECT_TRUE(CheckCompatibilityWindow(Version{37}, Version{37}, window));
  EXPECT_FALSE(CheckCompatibilityWindow(Version{40}, Version{38}, window));
  EXPECT_FALSE(CheckCompatibilityWindow(kCurrentVersion, Version{38}, window));
}

TEST(WindowTest, TheTalksWindowIsNarrow) {
  const CompatibilityWindow window{180, 21};
  EXPECT_FALSE(CheckCompatibilityWindow(Version{37}, kCurrentVersion, window));
  EXPECT_TRUE(CheckCompatibilityWindow(Version{67}, kCurrentVersion, window));   // 2026-03-18, 148 days
  EXPECT_FALSE(CheckCompatibilityWindow(Version{66}, kCurrentVersion, window));  // 2025-08-21
  EXPECT_TRUE(CheckCompatibilityWindow(kCurrentVersion, Version{74}, window));   // a bound
  EXPECT_TRUE(CheckCompatibilityWindow(kCurrentVersion, Version{72}, window));   // same day
  EXPECT_FALSE(CheckCompatibilityWindow(kCurrentVersion, Version{71}, window));  // 2026-06-29, 45 days
}

TEST(WindowTest, UnknownVersions) {
  EXPECT_EQ(CheckCompatibilityWindow(Version{36}, kCurrentVersion, {}).error().front().code,
            Code::kUnknownVersion);
  EXPECT_EQ(CheckCompatibilityWindow(Version{40}, Version{999}, {}).error().front().code,
            Code::kUnknownVersion);
}

}  // namespace
}  // namespace shlo
