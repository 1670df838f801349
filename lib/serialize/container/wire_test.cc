#include "serialize/container/wire.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace shlo::container {
namespace {

// Returns the numbers of the fields, or {} if the bytes are not a message.
std::vector<uint32_t> Numbers(std::string_view message) {
  std::vector<uint32_t> out;
  const bool valid = ForEachField(message, [&](const WireField& field) { out.push_back(field.number); });
  return valid ? out : std::vector<uint32_t>();
}

TEST(Wire, ReadsEveryWireType) {
  const std::string varint("\x08\x96\x01", 3), fixed64("\x11zyxwvuts", 9), length("\x1a\x02hi", 4);
  const std::string group("\x23\x08\x01\x1a\x01x\x24", 7), fixed32("\x2dzyxw", 5);
  EXPECT_EQ(Numbers(varint + fixed64 + length + group + fixed32), (std::vector<uint32_t>{1, 2, 3, 4, 5}));
}

TEST(Wire, SkipsNestedGroups) {
  std::string open, close;
  for (int depth = 0; depth < 90; ++depth) {
    open += "\x0b";
    close += "\x0c";
  }
  EXPECT_EQ(Numbers(open + "\x15zyxw" + close + "\x08\x01"), (std::vector<uint32_t>{1, 1}));
  // No message has groups as deep as this.
  EXPECT_EQ(Numbers(std::string(1000, '\x0b') + std::string(1000, '\x0c')), std::vector<uint32_t>());
}

TEST(Wire, RefusesWhatEndsEarly) {
  for (const char* message :
       {"\x08", "\x11zyx", "\x1a\x05hi", "\x23\x08\x01", "\x2dzy", "\x23\x2c", "\x24", "\x0e\x01"})
    EXPECT_EQ(Numbers(message), std::vector<uint32_t>()) << testing::PrintToString(message);
}

}  // namespace
}  // namespace shlo::container
