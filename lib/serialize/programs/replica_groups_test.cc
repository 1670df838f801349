#include "ir/module/replica_groups.h"

#include <gtest/gtest.h>

#include <string>

#include "shlo/text_reader.h"

namespace shlo {
namespace {

// Reads replica_groups, and a symbol @m with a mesh of 2 x 3 devices, and expands the groups.
tl::expected<ReplicaGroups, std::string> Groups(const std::string& groups) {
  const std::string text =
      "\"foo.mesh\"() {sym_name = \"m\", mesh = #stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = \"x\", "
      "size = 2>, "
      "#stablehlo.mesh_axis<name = \"y\", size = 3>]>} : () -> ()\n"
      "\"foo.mesh\"() {sym_name = \"s\", stablehlo.mesh = #stablehlo.mesh<axes = [#stablehlo.mesh_axis<name "
      "= \"x\", "
      "size = 2>]>} : () -> ()\n"
      "\"foo.mesh\"() {sym_name = \"jax\", mesh = #sdy.mesh<[\"x\"=2, \"y\"=3]>, stablehlo.mesh = {axes = "
      "[{name = "
      "\"x\", size = 2 : i64}, {name = \"y\", size = 3 : i64}]}} : () -> ()\n"
      "\"foo.mesh\"() {sym_name = \"sdy\", mesh = #sdy.mesh<[\"x\"=2, \"y\"=3], device_ids=[5, 4, 3, 2, 1, "
      "0]>} : "
      "() -> ()\n"
      "\"foo.mesh\"() {sym_name = \"ids\", stablehlo.mesh = {axes = [{name = \"x\", size = 2 : i64}], "
      "device_ids = "
      "dense<[1, 0]> : tensor<2xi64>}} : () -> ()\n"
      "\"foo.mesh\"() {sym_name = \"self\", mesh = @self} : () -> ()\n"
      "\"foo.mesh\"() {sym_name = \"odd\", stablehlo.mesh = {axes = [{name = 3 : i64}]}, mesh = "
      "\"odd\"} : () -> ()\n"
      "\"foo.groups\"() {groups = #stablehlo.replica_group_mesh_axes<" +
      groups + ">} : () -> ()\n";
  const auto module = ReadText(text, {}, {});
  if (!module) return tl::unexpected(module.error()[0].message);
  for (const Op& op : module->ops)
    if (const AttrId attr = module->AttributeOf(op, "groups")) {
      auto found = GroupsOfMesh(*module, attr);
      if (!found) return tl::unexpected(std::string(found.error()));
      return *found;
    }
  return tl::unexpected(std::string("no groups"));
}

std::string Axis(const std::string& name, int64_t size) {
  return "#stablehlo.mesh_axis<name = \"" + name + "\", size = " + std::to_string(size) + ">";
}
std::string Ref(const std::string& name) { return "#stablehlo.axis_ref<name = \"" + name + "\">"; }
std::string Part(const std::string& name, int64_t pre, int64_t size) {
  return "#stablehlo.axis_ref<name = \"" + name +
         "\", sub_axis_info = #stablehlo.sub_axis_info<pre_size = " + std::to_string(pre) +
         ", size = " + std::to_string(size) + ">>";
}
std::string Mesh(const std::string& axes, const std::string& more = "") {
  return "mesh = #stablehlo.mesh<axes = [" + axes + "]" + more + ">, ";
}

using Lists = ReplicaGroups;

// Devices are numbered row by row: those of 2 x 3 are [[0, 1, 2], [3, 4, 5]].
TEST(ReplicaGroups, DevicesAlongTheAxesFormAGroup) {
  EXPECT_EQ(Groups("mesh = @m, axes = [" + Ref("y") + "]").value(), (Lists{{0, 1, 2}, {3, 4, 5}}));
  EXPECT_EQ(Groups("mesh = @m, axes = [" + Ref("x") + "]").value(), (Lists{{0, 3}, {1, 4}, {2, 5}}));
  EXPECT_EQ(Groups("mesh = @m, axes = [" + Ref("x") + ", " + Ref("y") + "]").value(),
            (Lists{{0, 1, 2, 3, 4, 5}}));
  EXPECT_EQ(Groups("mesh = @m, axes = [" + Ref("y") + ", " + Ref("x") + "]").value(),
            (Lists{{0, 3, 1, 4, 2, 5}}));
  EXPECT_EQ(Groups("mesh = @s, axes = [" + Ref("x") + "]").value(), (Lists{{0, 1}}));
  EXPECT_EQ(Groups("mesh = @s, axes = []").value(), (Lists{{0}, {1}}));
}

// As jax writes them: Shardy's text, and a dictionary with the same axes.
TEST(ReplicaGroups, MeshesOfEveryForm) {
  EXPECT_EQ(Groups("mesh = @jax, axes = [" + Ref("x") + "]").value(), (Lists{{0, 3}, {1, 4}, {2, 5}}));
  EXPECT_EQ(Groups("mesh = @sdy, axes = [" + Ref("x") + "]").value(), (Lists{{5, 2}, {4, 1}, {3, 0}}));
  EXPECT_EQ(Groups("mesh = @ids, axes = [" + Ref("x") + "]").value(), (Lists{{1, 0}}));
  EXPECT_EQ(Groups("mesh = #sdy.mesh<[\"x\"=2]>, axes = [" + Ref("x") + "]").value(), (Lists{{0, 1}}));
  // Neither a name that leads back nor a damaged mesh is one.
  for (const char* name : {"@self", "@odd"})
    EXPECT_EQ(Groups("mesh = " + std::string(name) + ", axes = []").error(),
              "replica_groups refers to an unknown mesh");
}

// A list of axes that repeats would need more members than memory has.
TEST(ReplicaGroups, RepeatedAxesAreRefusedAtOnce) {
  std::string axes = Ref("x");
  for (int i = 0; i < 100; ++i) axes += ", " + Ref("x");
  EXPECT_EQ(Groups(Mesh(Axis("x", 1 << 20)) + "axes = [" + axes + "]").error(),
            "axes of replica_groups overlap");
}

TEST(ReplicaGroups, DeviceIdsAreInTheOrderOfTheMesh) {
  EXPECT_EQ(
      Groups(Mesh(Axis("x", 2) + ", " + Axis("y", 2), ", device_ids = dense<[3, 2, 1, 0]> : tensor<4xi64>") +
             "axes = [" + Ref("y") + "]")
          .value(),
      (Lists{{3, 2}, {1, 0}}));
}

// An axis of 8 devices split into 2 x 2 x 2.
TEST(ReplicaGroups, SubAxes) {
  const std::string mesh = Mesh(Axis("x", 8)) + "axes = [";
  EXPECT_EQ(Groups(mesh + Part("x", 1, 2) + "]").value(), (Lists{{0, 4}, {1, 5}, {2, 6}, {3, 7}}));
  EXPECT_EQ(Groups(mesh + Part("x", 2, 2) + "]").value(), (Lists{{0, 2}, {1, 3}, {4, 6}, {5, 7}}));
  EXPECT_EQ(Groups(mesh + Part("x", 4, 2) + "]").value(), (Lists{{0, 1}, {2, 3}, {4, 5}, {6, 7}}));
  const Lists alone = {{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}};
  EXPECT_EQ(Groups(mesh + Part("x", 1, 8) + "]").value(), (Lists{{0, 1, 2, 3, 4, 5, 6, 7}}));
  EXPECT_EQ(Groups(mesh + Part("x", 8, 1) + "]").value(), alone);
  EXPECT_EQ(Groups(mesh + Part("x", 1, 1) + "]").value(), alone);
  // The parts of an axis next to another one, in both orders.
  const std::string two = Mesh(Axis("x", 2) + ", " + Axis("y", 4)) + "axes = [";
  EXPECT_EQ(Groups(two + Part("y", 1, 2) + "]").value(), (Lists{{0, 2}, {1, 3}, {4, 6}, {5, 7}}));
  EXPECT_EQ(Groups(two + Part("y", 2, 2) + ", " + Ref("x") + "]").value(),
            (Lists{{0, 4, 1, 5}, {2, 6, 3, 7}}));
  EXPECT_EQ(Groups(mesh + Part("x", 2, 4) + "]").value(), (Lists{{0, 1, 2, 3}, {4, 5, 6, 7}}));
}

TEST(ReplicaGroups, WhatIsNotInTheMeshIsRefused) {
  const auto why = [](const std::string& groups) { return Groups(groups).error(); };
  EXPECT_EQ(why("mesh = @none, axes = []"), "replica_groups refers to an unknown mesh");
  EXPECT_EQ(why("mesh = 4 : i64, axes = []"), "replica_groups refers to an unknown mesh");
  EXPECT_EQ(why("mesh = @m, axes = [" + Ref("z") + "]"),
            "replica_groups refers to an axis that is not in the mesh");
  EXPECT_EQ(why("mesh = @m, axes = [4 : i64]"), "replica_groups names an axis that the mesh does not have");
  EXPECT_EQ(why("mesh = @m, axes = [" + Ref("x") + ", " + Ref("x") + "]"), "axes of replica_groups overlap");
  EXPECT_EQ(why(Mesh(Axis("x", 2), ", device_ids = dense<[0, 1, 2]> : tensor<3xi64>") + "axes = []"),
            "number of device ids does not match the mesh");
}

TEST(ReplicaGroups, SizesAreBounded) {
  const auto why = [](const std::string& groups) {
    const auto found = Groups(groups);
    return found ? "fine" : found.error();
  };
  EXPECT_EQ(why(Mesh(Axis("x", 1 << 10) + ", " + Axis("y", 1 << 10)) + "axes = []"), "fine");
  EXPECT_EQ(why(Mesh(Axis("x", (1 << 20) + 1)) + "axes = []"), "mesh is too large");
  EXPECT_EQ(why(Mesh(Axis("x", 1 << 20) + ", " + Axis("y", 2)) + "axes = []"), "mesh is too large");
  EXPECT_EQ(why(Mesh(Axis("x", 1 << 20) + ", " + Axis("y", 1 << 20)) + "axes = []"), "mesh is too large");
  EXPECT_EQ(why(Mesh(Axis("x", 0)) + "axes = []"), "mesh is too large");
  const std::string mesh = Mesh(Axis("x", 8)) + "axes = [";
  for (const auto& [pre, size] : {std::pair<int64_t, int64_t>{0, 2},
                                  {2, 0},
                                  {3, 2},
                                  {4, 4},
                                  {9, 1},
                                  {1, 9},
                                  {-1, 2},
                                  {2, -1},
                                  {INT64_MAX, 2},
                                  {2, INT64_MAX}})
    EXPECT_EQ(why(mesh + Part("x", pre, size) + "]"), "sub-axis does not match its axis")
        << pre << " " << size;
}

}  // namespace
}  // namespace shlo
