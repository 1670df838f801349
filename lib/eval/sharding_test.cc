#include "eval/sharding.h"

#include <gtest/gtest.h>

#include "eval/test_program.h"
#include "ir/module/builder.h"

namespace shlo {
namespace {

// A program with the mesh @m: 4 devices along x, 2 along y.
class Sharding : public testing::Test {
 protected:
  Sharding() {
    Builder& b = p_.builder();
    Module& m = p_.module();
    const NamedAttr attrs[] = {{m.strings.Intern("mesh"), m.Opaque("sdy", ".mesh<[\"x\"=4, \"y\"=2]>")},
                               {m.strings.Intern("sym_name"), m.String("m")}};
    b.AddOp({.name = m.strings.Intern("sdy.mesh"), .discardable_attrs = attrs});
    p_.Done();
  }
  Result<std::vector<ValueSharding>> Parse(std::string_view text) {
    return ShardingsOf(p_.module(), p_.module().Opaque("sdy", text));
  }
  TestProgram p_;
};

TEST_F(Sharding, AxesAndSubAxesOfANamedMesh) {
  const auto parsed =
      Parse(".sharding_per_value<[<@m, [{\"y\", \"x\":(2)2}, {?}]>, <@m, [], replicated={\"x\"}>]>");
  ASSERT_TRUE(parsed) << parsed.error()[0].message;
  ASSERT_EQ(parsed->size(), 2u);
  const ValueSharding& first = (*parsed)[0];
  EXPECT_EQ(first.mesh.size(), 8);
  ASSERT_EQ(first.dimensions.size(), 2u);
  ASSERT_EQ(first.dimensions[0].size(), 2u);
  EXPECT_EQ(first.dimensions[0][0].axis, 1u);
  EXPECT_EQ(first.dimensions[0][1].size, 2);
  EXPECT_TRUE(first.dimensions[1].empty());
  // Position 5 is x = 2, y = 1. The sub-axis x:(2)2 has the low bit of x, x:(1)2 the high one.
  EXPECT_EQ(first.mesh.Coordinate(5, 0, 1, 4), 2);
  EXPECT_EQ(first.mesh.Coordinate(5, 1, 1, 2), 1);
  EXPECT_EQ(first.mesh.Coordinate(5, 0, 2, 2), 0);
  EXPECT_EQ(first.mesh.Coordinate(5, 0, 1, 2), 1);
}

TEST_F(Sharding, InlineMeshWithDevices) {
  const auto parsed = Parse("<sharding<mesh<[\"a\"=2], device_ids=[1, 0]>, [{\"a\"}p0], unreduced={\"a\"}>>");
  ASSERT_TRUE(parsed) << parsed.error()[0].message;
  EXPECT_EQ((*parsed)[0].mesh.device_ids, (std::vector<int64_t>{1, 0}));
  EXPECT_TRUE((*parsed)[0].unreduced);
}

TEST_F(Sharding, UnknownNamesAndFormsAreErrors) {
  for (const char* text : {".sharding<@n, [{}]>", ".sharding<@m, [{\"z\"}]>", ".sharding<@m, [{\"x\":(3)2}]>",
                           ".sharding<@m, [{\"x\"}>", ".sharding<mesh<[\"a\"=0]>, []>",
                           ".sharding<mesh<[\"a\"=2], device_ids=[0, 0]>, []>", ".sharding", "", ".mesh<[]>",
                           ".sharding<mesh<[\"a\"=99999999, \"b\"=99999999]>, []>"})
    EXPECT_FALSE(Parse(text)) << text;
  const auto axes = ManualAxesOf(p_.module(), p_.module().Opaque("sdy", "<manual_axes{\"x\", \"y\"}>"));
  ASSERT_TRUE(axes);
  EXPECT_EQ(*axes, (std::vector<std::string>{"x", "y"}));
}

}  // namespace
}  // namespace shlo
