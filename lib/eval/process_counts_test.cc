#include <gtest/gtest.h>

#include <string>

#include "shlo/evaluate.h"
#include "shlo/text_reader.h"

namespace shlo {
namespace {

// Returns "2x3" for 2 replicas of 3 partitions.
std::string Counts(const std::string& text, const EvalOptions& options = {}) {
  const auto module = ReadText(text, {}, {});
  if (!module) return module.error()[0].message;
  const auto counts = ProcessesOf(*module, "main", options);
  if (!counts) return counts.error()[0].message;
  return std::to_string(counts->replicas) + "x" + std::to_string(counts->partitions);
}

std::string WithAttributes(const std::string& attributes, const std::string& body) {
  return "module attributes {" + attributes + "} {\n" + body + "\n}\n";
}
std::string Main(const std::string& ops) { return "func.func @main() {\n" + ops + "  return\n}\n"; }

const std::string kId = "  %0 = stablehlo.partition_id : tensor<ui32>\n";
const std::string kStated = "mhlo.num_partitions = 3 : i32, mhlo.num_replicas = 2 : i32";

TEST(ProcessCounts, AreThoseThatTheModuleStates) {
  EXPECT_EQ(Counts(WithAttributes(kStated, Main(kId))), "2x3");
  EXPECT_EQ(Counts(WithAttributes("mhlo.num_replicas = 4 : i32", Main(kId))), "4x1");
  EXPECT_EQ(Counts(WithAttributes("mhlo.num_partitions = 4 : i32", Main(kId))), "1x4");
  EXPECT_EQ(Counts(WithAttributes("mhlo.num_partitions = -4 : i32", Main(kId))), "1x1");
  EXPECT_EQ(Counts(Main(kId)), "1x1");
  EXPECT_EQ(Counts(WithAttributes("mhlo.num_partitions = \"four\"", Main(kId))), "1x1");
}

// jax states partitions of programs that are about whole values, whose parts Shardy or nobody computes.
TEST(ProcessCounts, AreOneWhereNoOtherProcessTakesPart) {
  EXPECT_EQ(Counts(WithAttributes(kStated, Main(""))), "1x1");
  EXPECT_EQ(Counts(WithAttributes(kStated, "func.func @other() {\n" + kId + "  return\n}\n" + Main(""))),
            "1x1");
  const std::string manual =
      "  \"sdy.manual_computation\"() ({\n" + kId +
      "    func.call @other() : () -> ()\n    \"sdy.return\"() : () -> ()\n  }) : () -> ()\n";
  EXPECT_EQ(Counts(WithAttributes(kStated, "func.func @other() {\n" + kId + "  return\n}\n" + Main(manual))),
            "1x1");
  EXPECT_EQ(Counts(WithAttributes(kStated, "func.func @others() {\n" + kId + "  return\n}\n")), "1x1");
}

TEST(ProcessCounts, CalledFunctionsCount) {
  const std::string other = "func.func @other() {\n" + kId + "  return\n}\n";
  EXPECT_EQ(Counts(WithAttributes(kStated, other + Main("  func.call @other() : () -> ()\n"))), "2x3");
  // A function that calls itself, and one in a region.
  EXPECT_EQ(Counts(WithAttributes(kStated, Main("  func.call @main() : () -> ()\n" + kId))), "2x3");
  EXPECT_EQ(
      Counts(WithAttributes(
          kStated, other + Main("  %p = stablehlo.constant dense<true> : tensor<i1>\n  \"stablehlo.if\"(%p) "
                                "({\n    func.call @other() : () -> ()\n    stablehlo.return\n  }, {\n    "
                                "stablehlo.return\n  }) : (tensor<i1>) -> ()\n"))),
      "2x3");
  EXPECT_EQ(
      Counts(WithAttributes(kStated, Main("  stablehlo.custom_call @ragged_all_to_all() : () -> ()\n"))),
      "2x3");
}

TEST(ProcessCounts, AreTheDevicesOfAMesh) {
  const std::string mesh =
      "\"sdy.mesh\"() {mesh = #sdy.mesh<[\"x\"=2, \"y\"=3]>, sym_name = \"m\"} : () -> ()\n";
  const auto gather = [&](const std::string& channel) {
    return "  %c = stablehlo.constant dense<0> : tensor<1xi32>\n  %g = \"stablehlo.all_gather\"(%c) "
           "{all_gather_dim = 0 "
           ": i64, " +
           channel +
           "replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @m, axes = [#stablehlo.axis_ref<name "
           "= "
           "\"x\">]>} : (tensor<1xi32>) -> tensor<2xi32>\n";
  };
  EXPECT_EQ(Counts(mesh + Main(gather("channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, "))),
            "1x6");
  EXPECT_EQ(Counts(mesh + Main(gather(""))), "6x1");
  EXPECT_EQ(Counts(mesh + Main(kId)), "6x1");  // no groups, but a mesh
  EXPECT_EQ(Counts(WithAttributes(kStated, mesh + Main(gather("")))), "2x3");
}

// Values of one process say nothing about those of others.
TEST(ProcessCounts, AGridOfOneCanBeRefused) {
  EvalOptions options;
  options.one_process = false;
  for (const std::string& op :
       {kId, std::string("  %t = stablehlo.create_token : !stablehlo.token\n  %u = \"stablehlo.outfeed\"(%t) "
                         "{outfeed_config = \"\"} : (!stablehlo.token) -> !stablehlo.token\n")}) {
    const auto module = ReadText(Main(op), {}, {});
    ASSERT_TRUE(module);
    EXPECT_TRUE(Evaluate(*module, "main", {}));
    const auto refused = Evaluate(*module, "main", {}, options);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error()[0].message, "op requires parallel processes");
  }
}

TEST(ProcessCounts, AreLimited) {
  EvalOptions options;
  options.max_processes = 5;
  EXPECT_EQ(Counts(WithAttributes(kStated, Main(kId)), options),
            "number of processes exceeds the limit of 5");
  const std::string many =
      "mhlo.num_partitions = 9223372036854775807 : i64, mhlo.num_replicas = 9223372036854775807 : i64";
  EXPECT_EQ(Counts(WithAttributes(many, Main(kId))), "number of processes exceeds the limit of 256");
}

}  // namespace
}  // namespace shlo
