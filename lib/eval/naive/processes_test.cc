// Collectives on a grid of 2 replicas and 3 partitions: every way to form groups, against the values of all
// processes.
#include <algorithm>

#include "eval/naive/program.h"
#include "eval/naive/scalars.h"
#include "eval/test_placement.h"

namespace shlo::naive {
namespace {

constexpr int64_t kReplicas = 2, kPartitions = 3;
struct Id {
  int64_t replica, partition;
  int64_t index() const { return replica * kPartitions + partition; }
};
using Group = std::vector<int64_t>;  // process indices, in order

// Specification, "Grouping of processes".
enum class Strategy { kCrossReplica, kCrossPartition, kCrossReplicaAndPartition, kFlattenedIds };
std::vector<Group> GroupsOf(Strategy strategy, const std::vector<Ints>& ids) {
  std::vector<Group> groups;
  if (strategy == Strategy::kFlattenedIds) return ids;
  const bool partitions = strategy == Strategy::kCrossPartition;
  if (strategy == Strategy::kCrossReplicaAndPartition) {
    for (const Ints& list : ids) {
      Group group;
      for (int64_t p = 0; p < kPartitions; ++p)
        for (int64_t r : list) group.push_back(Id{r, p}.index());
      groups.push_back(group);
    }
    return groups;
  }
  for (const Ints& list : ids)
    for (int64_t other = 0; other < (partitions ? kReplicas : kPartitions); ++other) {
      Group group;
      for (int64_t id : list) group.push_back(partitions ? Id{other, id}.index() : Id{id, other}.index());
      groups.push_back(group);
    }
  return groups;
}

struct Grouping {
  std::string attributes;  // without the groups
  Strategy strategy;
  std::vector<Ints> ids;
};
// All processes are in a group. Padding fills rows of different length.
std::vector<Grouping> Groupings(bool flattened) {
  std::vector<Grouping> all = {
      {"", Strategy::kCrossReplica, {{0, 1}}},
      {"", Strategy::kCrossReplica, {{1}, {0}}},
      {"", Strategy::kCrossReplica, {{1, 0}}},
  };
  const std::string channel = ", channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>";
  if (flattened) {
    all.push_back({channel, Strategy::kCrossReplicaAndPartition, {{0, 1}}});
    all.push_back({channel, Strategy::kCrossReplicaAndPartition, {{1}, {0}}});
    all.push_back({channel + ", use_global_device_ids", Strategy::kFlattenedIds, {{0, 4, 2}, {5, 1, 3}}});
    all.push_back({channel + ", use_global_device_ids", Strategy::kFlattenedIds, {{5, 0}, {1, 2, 3, 4}}});
  } else {
    all.push_back({channel, Strategy::kCrossPartition, {{0, 1, 2}}});
    all.push_back({channel, Strategy::kCrossPartition, {{2, 0, 1}}});
  }
  return all;
}
std::string GroupText(const std::vector<Ints>& ids) {
  size_t width = 0;
  for (const Ints& list : ids) width = std::max(width, list.size());
  std::vector<Ints> rows = ids;
  for (Ints& list : rows) list.resize(width, -1);
  return "replica_groups = " + Pairs(rows);
}

Values Numbered(const Type& type, const Ints& shape, int64_t process) {
  Values values(type, shape);
  for (size_t i = 0; i < values.at.size(); ++i) {
    const int64_t n = process * 10 + int64_t(i) + 1;
    values.at[i].re = type.format ? Encode(*type.format, Wide(n) / 4) : Wrap(type, n);
  }
  return values;
}

// Runs one op in every process on its own operand.
std::vector<Values> RunGrid(const std::string& op, const std::vector<Values>& operands,
                            const std::string& result) {
  const std::string type = TypeText(operands[0]);
  const std::string text = "func.func @main(%a0: " + type + ") -> " + result + " {\n  %r = " + op + " : (" +
                           type + ") -> " + result + "\n  return %r : " + result + "\n}";
  const Result<Module> module = Read(text);
  EXPECT_TRUE(module) << text << Message(module.error());
  if (!module) return {};
  EXPECT_EQ(Message(Verify(*module)), "no message") << text;
  std::vector<Tensor> args;
  for (const Values& operand : operands) args.push_back(ToTensor(operand));
  const std::vector<std::string> functions(size_t(kReplicas * kPartitions), "main");
  const auto run = EvaluateParallel(*module, functions, size_t(kPartitions), args);
  EXPECT_TRUE(run) << text << Message(run.error());
  // The same elsewhere, on a separate program.
  const Result<Module> copy = Read(text);
  const auto placed =
      EvaluateParallel(*module, functions, size_t(kPartitions), args, {}, {.place = PlacedOn(*copy)});
  EXPECT_TRUE(placed) << text << Message(placed.error());
  if (run && placed) {
    EXPECT_EQ(run->results.size(), placed->results.size());
    for (size_t i = 0; i < std::min(run->results.size(), placed->results.size()); ++i)
      EXPECT_TRUE(BitEqual(run->results[i], placed->results[i])) << text;
  }
  std::vector<Values> out;
  if (run)
    for (const Tensor& tensor : run->results) out.push_back(FromTensor(tensor));
  return out;
}
void ExpectGrid(const std::string& op, const std::vector<Values>& operands,
                const std::vector<Values>& expected) {
  const std::vector<Values> actual = RunGrid(op, operands, TypeText(expected[0]));
  ASSERT_EQ(actual.size(), expected.size());
  for (size_t i = 0; i < actual.size(); ++i)
    ASSERT_EQ(FirstDifference(actual[i], expected[i]), "") << "process " << i << " of " << op;
}

std::vector<Values> OperandsOf(const Type& type, const Ints& shape) {
  std::vector<Values> operands;
  for (int64_t i = 0; i < kReplicas * kPartitions; ++i) operands.push_back(Numbered(type, shape, i));
  return operands;
}
std::string AddBody(const Type& type) {
  const std::string t = TypeText(type.name, {});
  return "({\n^bb0(%x: " + t + ", %y: " + t + "):\n  %z = \"stablehlo.add\"(%x, %y) : (" + t + ", " + t +
         ") -> " + t + "\n  \"stablehlo.return\"(%z) : (" + t + ") -> ()\n})";
}
// The sum over a group, by ascending process.
Values SumOf(Group group, const std::vector<Values>& operands) {
  std::sort(group.begin(), group.end());
  Values sum = operands[size_t(group[0])];
  for (size_t k = 1; k < group.size(); ++k)
    for (size_t i = 0; i < sum.at.size(); ++i) {
      const Scalar both[] = {sum.at[i], operands[size_t(group[k])].at[i]};
      sum.at[i] = *Apply(*MeaningOf("stablehlo.add"), sum.type, both);
    }
  return sum;
}
Values Joined(const std::vector<Values>& parts, size_t dimension) {
  Ints shape = parts[0].shape;
  shape[dimension] = 0;
  for (const Values& part : parts) shape[dimension] += part.shape[dimension];
  Values out(parts[0].type, shape);
  for (const Ints& to : Indices(shape)) {
    Ints from = to;
    size_t p = 0;
    for (; from[dimension] >= parts[p].shape[dimension]; ++p) from[dimension] -= parts[p].shape[dimension];
    out[to] = parts[p][from];
  }
  return out;
}
Values PartOf(const Values& values, size_t dimension, int64_t count, int64_t part) {
  Ints shape = values.shape;
  shape[dimension] /= count;
  Values out(values.type, shape);
  for (const Ints& to : Indices(shape)) {
    Ints from = to;
    from[dimension] += part * shape[dimension];
    out[to] = values[from];
  }
  return out;
}

TEST(NaiveProcesses, AllReduce) {
  for (std::string_view name : {"i32", "f16", "f32", "ui8"}) {
    const Type type = *TypeOf(name);
    const std::vector<Values> operands = OperandsOf(type, {2, 2});
    for (const Grouping& g : Groupings(true)) {
      std::vector<Values> expected = operands;
      for (const Group& group : GroupsOf(g.strategy, g.ids))
        for (int64_t p : group) expected[size_t(p)] = SumOf(group, operands);
      ExpectGrid(
          "\"stablehlo.all_reduce\"(%a0) " + AddBody(type) + " {" + GroupText(g.ids) + g.attributes + "}",
          operands, expected);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(NaiveProcesses, AllGather) {
  const Type type = *TypeOf("bf16");
  const std::vector<Values> operands = OperandsOf(type, {2, 3});
  for (size_t dimension : {0, 1})
    for (const Grouping& g : Groupings(true)) {
      const std::vector<Group> groups = GroupsOf(g.strategy, g.ids);
      if (groups[0].size() != groups.back().size()) continue;  // the results would have different types
      std::vector<Values> expected = operands;
      for (const Group& group : groups) {
        std::vector<Values> parts;
        for (int64_t p : group) parts.push_back(operands[size_t(p)]);
        for (int64_t p : group) expected[size_t(p)] = Joined(parts, dimension);
      }
      ExpectGrid("\"stablehlo.all_gather\"(%a0) {all_gather_dim = " + std::to_string(dimension) + " : i64, " +
                     GroupText(g.ids) + g.attributes + "}",
                 operands, expected);
      if (HasFatalFailure()) return;
    }
}

TEST(NaiveProcesses, ReduceScatter) {
  const Type type = *TypeOf("f32");
  for (size_t dimension : {0, 1}) {
    const std::vector<Values> operands = OperandsOf(type, {12, 6});
    for (const Grouping& g : Groupings(true)) {
      const std::vector<Group> groups = GroupsOf(g.strategy, g.ids);
      if (groups[0].size() != groups.back().size()) continue;
      std::vector<Values> expected = operands;
      for (const Group& group : groups)
        for (size_t i = 0; i < group.size(); ++i)
          expected[size_t(group[i])] =
              PartOf(SumOf(group, operands), dimension, int64_t(group.size()), int64_t(i));
      ExpectGrid("\"stablehlo.reduce_scatter\"(%a0) " + AddBody(type) + " {scatter_dimension = " +
                     std::to_string(dimension) + " : i64, " + GroupText(g.ids) + g.attributes + "}",
                 operands, expected);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(NaiveProcesses, AllToAll) {
  const Type type = *TypeOf("i16");
  const std::vector<Values> operands = OperandsOf(type, {6, 2});
  for (const auto& [split, concat] : {std::pair(0, 1), std::pair(0, 0)})
    for (const Grouping& g : Groupings(false)) {
      const std::vector<Group> groups = GroupsOf(g.strategy, g.ids);
      const int64_t count = int64_t(groups[0].size());
      std::vector<Values> expected = operands;
      for (const Group& group : groups)
        for (size_t i = 0; i < group.size(); ++i) {
          std::vector<Values> parts;
          for (int64_t sender : group)
            parts.push_back(PartOf(operands[size_t(sender)], size_t(split), count, int64_t(i)));
          expected[size_t(group[i])] = Joined(parts, size_t(concat));
        }
      ExpectGrid("\"stablehlo.all_to_all\"(%a0) {split_dimension = " + std::to_string(split) +
                     " : i64, concat_dimension = " + std::to_string(concat) + " : i64, split_count = " +
                     std::to_string(count) + " : i64, " + GroupText(g.ids) + g.attributes + "}",
                 operands, expected);
      if (HasFatalFailure()) return;
    }
}

TEST(NaiveProcesses, CollectiveBroadcast) {
  const Type type = *TypeOf("f64");
  const std::vector<Values> operands = OperandsOf(type, {3});
  const std::string channel = ", channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>";
  for (const Grouping& g :
       {Grouping{"", Strategy::kCrossReplica, {{1, 0}}}, Grouping{"", Strategy::kCrossReplica, {{1}}},
        Grouping{channel, Strategy::kCrossPartition, {{2, 0}}}}) {
    std::vector<Values> expected(operands.size(), Values(type, {3}));  // zeros in processes without a group
    for (const Group& group : GroupsOf(g.strategy, g.ids))
      for (int64_t p : group) expected[size_t(p)] = operands[size_t(group[0])];
    ExpectGrid("\"stablehlo.collective_broadcast\"(%a0) {" + GroupText(g.ids) + g.attributes + "}", operands,
               expected);
  }
}

TEST(NaiveProcesses, CollectiveReduce) {
  const Type type = *TypeOf("i64");
  const std::vector<Values> operands = OperandsOf(type, {3});
  for (const Grouping& g : Groupings(true)) {
    std::vector<Values> expected(operands.size(), Values(type, {3}));  // zeros in all processes but the root
    for (const Group& group : GroupsOf(g.strategy, g.ids))
      expected[size_t(group[0])] = SumOf(group, operands);
    ExpectGrid("\"stablehlo.collective_reduce\"(%a0) " + AddBody(type) + " {" + GroupText(g.ids) +
                   g.attributes + "}",
               operands, expected);
    if (HasFatalFailure()) return;
  }
}

TEST(NaiveProcesses, CollectivePermute) {
  const Type type = *TypeOf("f32");
  const std::vector<Values> operands = OperandsOf(type, {2});
  const struct {
    std::string attributes;
    Strategy strategy;
    std::vector<Ints> pairs;
  } cases[] = {{"", Strategy::kCrossReplica, {{0, 1}}},
               {"", Strategy::kCrossReplica, {{0, 1}, {1, 0}}},
               {"", Strategy::kCrossReplica, {{1, 1}}},
               {", channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>",
                Strategy::kCrossPartition,
                {{0, 1}, {1, 2}, {2, 0}}}};
  for (const auto& c : cases) {
    std::vector<Values> expected(operands.size(), Values(type, {2}));  // zeros where nothing arrives
    for (const Group& pair : GroupsOf(c.strategy, c.pairs))
      expected[size_t(pair[1])] = operands[size_t(pair[0])];
    ExpectGrid(
        "\"stablehlo.collective_permute\"(%a0) {source_target_pairs = " + Pairs(c.pairs) + c.attributes + "}",
        operands, expected);
  }
}

TEST(NaiveProcesses, CrossReplicaSum) {
  const Type type = *TypeOf("f32");
  const std::vector<Values> operands = OperandsOf(type, {2});
  std::vector<Values> expected = operands;
  for (const Group& group : GroupsOf(Strategy::kCrossReplica, {{0, 1}}))
    for (int64_t p : group) expected[size_t(p)] = SumOf(group, operands);
  ExpectGrid("\"stablehlo.cross-replica-sum\"(%a0) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}",
             operands, expected);
}

TEST(NaiveProcesses, Ids) {
  const auto module = Read(R"(func.func @main() -> (tensor<ui32>, tensor<ui32>) {
  %r = "stablehlo.replica_id"() : () -> tensor<ui32>
  %p = "stablehlo.partition_id"() : () -> tensor<ui32>
  return %r, %p : tensor<ui32>, tensor<ui32>
})");
  ASSERT_TRUE(module);
  const std::vector<std::string> functions(size_t(kReplicas * kPartitions), "main");
  const auto run = EvaluateParallel(*module, functions, size_t(kPartitions), {});
  ASSERT_TRUE(run);
  for (int64_t r = 0; r < kReplicas; ++r)
    for (int64_t p = 0; p < kPartitions; ++p) {
      EXPECT_EQ(ElementBits(run->results[size_t(2 * Id{r, p}.index())], 0), uint64_t(r));
      EXPECT_EQ(ElementBits(run->results[size_t(2 * Id{r, p}.index() + 1)], 0), uint64_t(p));
    }
}

// Values go through channels in order, and infeed calls the functions of the list in turn.
TEST(NaiveProcesses, ChannelsAndInfeed) {
  const auto module = Read(R"(
func.func @sender(%x: tensor<2xi32>) -> tensor<2xi32> {
  %t = "stablehlo.create_token"() : () -> !stablehlo.token
  %t2 = "stablehlo.send"(%x, %t) {channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>, is_host_transfer = false} : (tensor<2xi32>, !stablehlo.token) -> !stablehlo.token
  %f:2 = "stablehlo.infeed"(%t2) {infeed_config = ""} : (!stablehlo.token) -> (tensor<2xi32>, !stablehlo.token)
  %o = "stablehlo.outfeed"(%x, %f#1) {outfeed_config = ""} : (tensor<2xi32>, !stablehlo.token) -> !stablehlo.token
  %g:2 = "stablehlo.infeed"(%o) {infeed_config = ""} : (!stablehlo.token) -> (tensor<2xi32>, !stablehlo.token)
  %all = "stablehlo.after_all"(%f#1, %g#1) : (!stablehlo.token, !stablehlo.token) -> !stablehlo.token
  %s = "stablehlo.subtract"(%g#0, %f#0) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  return %s : tensor<2xi32>
}
func.func @receiver(%x: tensor<2xi32>) -> tensor<2xi32> {
  %t = "stablehlo.create_token"() : () -> !stablehlo.token
  %r:2 = "stablehlo.recv"(%t) {channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>, is_host_transfer = false} : (!stablehlo.token) -> (tensor<2xi32>, !stablehlo.token)
  %s = "stablehlo.add"(%x, %r#0) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  return %s : tensor<2xi32>
}
func.func @first() -> tensor<2xi32> {
  %c = "stablehlo.constant"() {value = dense<[1, 2]> : tensor<2xi32>} : () -> tensor<2xi32>
  return %c : tensor<2xi32>
}
func.func @second() -> tensor<2xi32> {
  %c = "stablehlo.constant"() {value = dense<[40, 80]> : tensor<2xi32>} : () -> tensor<2xi32>
  return %c : tensor<2xi32>
})");
  ASSERT_TRUE(module) << Message(module.error());
  const Type type = *TypeOf("i32");
  const Tensor args[] = {ToTensor(Values(type, {2}, std::vector<Scalar>{{7}, {8}})),
                         ToTensor(Values(type, {2}, std::vector<Scalar>{{100}, {200}}))};
  const std::string functions[] = {"sender", "receiver"}, infeed[] = {"first", "second"};
  const auto run = EvaluateParallel(*module, functions, 2, args, infeed);
  ASSERT_TRUE(run) << Message(run.error());
  EXPECT_EQ(PrintValues(run->results[0]), "[39, 78]");
  EXPECT_EQ(PrintValues(run->results[1]), "[107, 208]");
}

}  // namespace
}  // namespace shlo::naive
