#include "serialize/mlirbc/affine.h"

#include <gtest/gtest.h>

namespace shlo::mlirbc {
namespace {

std::string Read(AttrKind kind, std::string_view bytes) {
  Failure failure;
  InCursor c(bytes, kNodeSection, &failure);
  std::string text;
  if (!ReadAffine(c, kind, &text)) return "failed: " + failure.diagnostics.at(0).message;
  return c.left() ? "bytes are left" : text;
}

// The bytes are those that jaxlib 0.12.0 writes; they are read as the same text.
TEST(AffineTest, BothWays) {
  struct Case {
    AttrKind kind;
    std::string_view text, bytes;
  };
  using namespace std::string_view_literals;
  constexpr Case kCases[] = {
      {AttrKind::kAffineMap, "() -> ()", "\x01"sv},
      {AttrKind::kAffineMap, "(d0, d1) -> (d0, d1)", "\x11"sv},
      {AttrKind::kAffineMap, "(d0, d1) -> (d1, d0)", "\x13\x03\x01"sv},
      {AttrKind::kAffineMap, "(d0, d1, d2) -> (d2, d0)", "\x1d\x05\x05\x01"sv},
      {AttrKind::kAffineMap, "(d0) -> ()", "\x0d\x01"sv},
      {AttrKind::kAffineMap, "(d0, d1) -> (d0, d0)", "\x17\x01\x05\x01\x01\x01\x01"sv},
      {AttrKind::kAffineMap, "(d0)[s0] -> (d0, s0)", "\x0f\x03\x05\x01\x01\x03\x01"sv},
      {AttrKind::kAffineMap, "(d0) -> (-3)", "\x0f\x01\x03\x05\x0b"sv},
      {AttrKind::kAffineMap, "(d0) -> (d0 - 1)", "\x0f\x01\x03\x07\x01\x01\x05\x03"sv},
      {AttrKind::kAffineMap, "(d0) -> (d0 floordiv 4)", "\x0f\x01\x03\x0d\x01\x01\x05\x11"sv},
      {AttrKind::kAffineMap, "(d0, d1) -> (d0 * 4 + d1 * 3 + 7)",
       "\x17\x01\x03\x07\x07\x09\x01\x01\x05\x11\x09\x01\x03\x05\x0d\x05\x1d"sv},
      {AttrKind::kIntegerSet, "(d0) : (d0 == 0)", "\x03\x01\x03\x01\x01\x01"sv},
      {AttrKind::kIntegerSet, "(d0, d1)[s0] : (d0 - 3 >= 0, d1 - s0 == 0)",
       "\x05\x03\x05\x07\x01\x01\x05\x0b\x07\x01\x03\x09\x03\x01\x05\x03\x00\x01"sv},
      {AttrKind::kStridedLayout, "[]", "\x01\x01"sv},
      {AttrKind::kStridedLayout, "[1, 2], offset: 3", "\x0d\x05\x05\x09"sv},
      {AttrKind::kStridedLayout, "[?]", "\x01\x03\x00\xff\xff\xff\xff\xff\xff\xff\xff"sv},
  };
  for (const Case& c : kCases) {
    EXPECT_EQ(EncodeAffine(c.kind, c.text), c.bytes) << c.text;
    EXPECT_EQ(Read(c.kind, c.bytes), c.text);
  }
}

// Operators bind as in MLIR, and get parentheses only where they need them.
TEST(AffineTest, Precedence) {
  for (std::string_view text :
       {"(d0, d1) -> ((d0 + d1) * 3)", "(d0, d1) -> (d0 - (d1 + 1))", "(d0)[s0] -> (-(d0 mod s0))",
        "(d0)[s0] -> ((d0 * s0) ceildiv 5)", "(d0, d1) -> (d0 - d1 * 2)"}) {
    const auto bytes = EncodeAffine(AttrKind::kAffineMap, text);
    ASSERT_TRUE(bytes) << text;
    EXPECT_EQ(Read(AttrKind::kAffineMap, *bytes), text);
  }
}

// Text that is not in MLIR's spelling stays text.
TEST(AffineTest, OtherText) {
  for (std::string_view text : {"", "(i) -> (i)", "(d1) -> (d1)", "(d0) -> (d1)", "(d0) -> (d0",
                                "(d0) -> (d0 %)", "(d0) -> (d0) x", "(d0) -> (9223372036854775807 + 1)"})
    EXPECT_FALSE(EncodeAffine(AttrKind::kAffineMap, text)) << text;
  EXPECT_FALSE(EncodeAffine(AttrKind::kIntegerSet, "(d0) : (d0 == 1)"));
  EXPECT_FALSE(EncodeAffine(AttrKind::kStridedLayout, "[1, 2], offset 3"));
  EXPECT_FALSE(EncodeAffine(AttrKind::kAffineMap,
                            "(d0) -> (" + std::string(1000, '(') + "d0" + std::string(1000, ')') + ")"));
}

// As MLIR simplifies expressions when it reads them; what is here was printed by it.
TEST(AffineTest, Simplifies) {
  const auto map = [](std::string_view result) {
    return SimplifyAffine(AttrKind::kAffineMap, "(d0, d1)[s0] -> (" + std::string(result) + ")");
  };
  const std::pair<const char*, const char*> kResults[] = {
      {"2 * d0", "d0 * 2"},
      {"d0 * 1", "d0"},
      {"d0 + 0", "d0"},
      {"d0 - d0", "0"},
      {"3 + 4", "7"},
      {"d0 + 2 + 3", "d0 + 5"},
      {"1 + d0", "d0 + 1"},
      {"d1 + d0", "d0 + d1"},
      {"s0 - d0", "-d0 + s0"},
      {"d0 + 2 + d1", "d0 + d1 + 2"},
      {"d0 * 2 + d0 * 3", "d0 * 5"},
      {"d0 + d1 * -1", "d0 - d1"},
      {"d0 * 2 * 3", "d0 * 6"},
      {"(d0 * 4) floordiv 4", "d0"},
      {"(d0 * 4 + 2) mod 4", "2"},
      {"d0 mod 1", "0"},
      {"d0 ceildiv 1", "d0"},
      {"(d0 * 8 + d1) floordiv 4", "d0 * 2 + d1 floordiv 4"},
      {"(d0 mod 8) mod 4", "d0 mod 4"},
      {"d0 - (d0 floordiv 4) * 4", "d0 mod 4"},
      {"-7 floordiv 2", "-4"},
      {"-7 mod 4", "1"},
      {"7 ceildiv 2", "4"},
      {"(d0 + d1) * 2", "(d0 + d1) * 2"},
      {"d0 floordiv 4", "d0 floordiv 4"},
      {"9223372036854775807 + 1", "9223372036854775807 + 1"},
  };
  for (const auto& [text, simple] : kResults)
    EXPECT_EQ(map(text), "(d0, d1)[s0] -> (" + std::string(simple) + ")") << text;
  EXPECT_EQ(SimplifyAffine(AttrKind::kIntegerSet, "(d0) : (d0 + 0 >= 0)"), "(d0) : (d0 >= 0)");
  EXPECT_EQ(SimplifyAffine(AttrKind::kAffineMap, "(x) -> (x * 1)"), "(x) -> (x * 1)");
}

TEST(AffineTest, InvalidBytes) {
  using namespace std::string_view_literals;
  EXPECT_EQ(Read(AttrKind::kAffineMap, "\x0f\x01\x03\x11\x01\x01"sv),
            "failed: affine expressions have no operator 8");
  for (std::string_view bytes : {"\x13\x05\x01"sv, "\x1d\x09\x01"sv, "\x0f\x01\x03\x07\x01"sv,
                                 "\x00\xff\xff\xff\xff\xff\xff\xff\x7f"sv})
    EXPECT_TRUE(Read(AttrKind::kAffineMap, bytes).starts_with("failed: ")) << bytes.size();
  EXPECT_TRUE(Read(AttrKind::kIntegerSet, "\x03\x01\x03\x01\x01\x05"sv).starts_with("failed: "));
  std::string deep = "\x0f\x01\x03";
  for (int i = 0; i < 1000; ++i) deep += "\x07";
  EXPECT_TRUE(Read(AttrKind::kAffineMap, deep).starts_with("failed: "));
}

}  // namespace
}  // namespace shlo::mlirbc
