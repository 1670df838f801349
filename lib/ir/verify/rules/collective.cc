// Collective ops: the processes of the grid take part together.
#include <unordered_set>

#include "ir/verify/rules/common.h"

namespace shlo {

// partition_id, replica_id.
bool InferProcessId(OpCheck& c) {
  c.InferTensor({}, ElementRef::Kind(TypeKind::kUI32));
  return true;
}

bool CheckReplicaGroups(OpCheck& c, const ReplicaGroupRules& rules) {
  const IntElements groups(c.m, c.Attr("replica_groups"));
  if (!groups.ok()) return true;  // given by mesh axes
  const DimSpan shape = groups.shape();
  if (shape.size() != 2) return c.Fail(rules.input, "replica groups should be a rank 2 tensor");
  if (rules.use_global_device_ids && groups.size() == 0)
    return c.Fail(rules.not_empty, "if `use_global_device_ids` is set, the replica groups cannot be empty");
  std::unordered_set<int64_t> seen;
  for (uint64_t i = 0; i < groups.size(); ++i) {
    const int64_t id = groups[i];
    if (id == -1) {
      if (rules.same_size) return c.Fail(rules.complete, "Invalid replica id -1");
      if (groups.splat()) break;  // no other ids follow
      continue;
    }
    if (!seen.insert(id).second) return c.Fail(rules.distinct, "replica id #{} seen more than once", id);
  }
  for (size_t id = 0; id < seen.size(); ++id)
    if (!seen.contains(int64_t(id)))
      return c.Fail(rules.complete, "replica id #{} not seen in replica groups", id);
  if (rules.same_size && rules.group_size >= 0 && (shape[0] == 0 || shape[1] != rules.group_size))
    return c.Fail(rules.group, "group size of replica_groups must be {}", rules.group_size);
  return true;
}

bool CheckMesh(OpCheck& c, std::string_view label) {
  const auto groups = c.m.As<ReplicaGroupMeshAxesAttr>(c.Attr("replica_groups"));
  if (!groups) return true;
  if (const auto mesh = c.m.As<MeshAttr>(groups->mesh)) {
    for (const AttrId axis : groups->axes) {
      const auto ref = c.m.As<AxisRefAttr>(axis);
      if (!ref) return c.FailAt(label, "replica_groups", "expected AxisRefAttr in axes list");
      const bool found = std::ranges::any_of(mesh->axes, [&](AttrId candidate) {
        const auto mesh_axis = c.m.As<MeshAxisAttr>(candidate);
        return mesh_axis && mesh_axis->name == ref->name;
      });
      if (!found)
        return c.FailAt(label, "replica_groups", "axis '{}' not found in mesh definition",
                        c.m.strings[ref->name]);
    }
    return true;
  }
  std::string_view name;
  if (!c.m.AsSymbol(groups->mesh, &name))
    return c.FailAt(label, "replica_groups", "mesh must be a FlatSymbolRefAttr or MeshAttr");
  c.BeginReferences();
  return bool(c.FindSymbol(name)) || c.FailOp(label, "replica_groups: mesh symbol '{}' not found", name);
}

namespace {

// Returns the number of processes in each group, or kDynamic if it depends on the number of partitions.
int64_t GroupSize(const OpCheck& c) {
  const IntElements groups(c.m, c.Attr("replica_groups"));
  const bool with_partitions = c.Int("channel_id") > 0 && !c.Flag("use_global_device_ids");
  if (!groups.ok() || groups.shape().size() != 2 || groups.shape()[1] < 1 || with_partitions) return kDynamic;
  return groups.shape()[1];
}

bool CheckChannelId(OpCheck& c, std::string_view label) {
  if (!c.Flag("use_global_device_ids") || c.Int("channel_id") > 0) return true;
  return c.Fail(label, "channel_id must be positive when useGlobalDeviceIds is set but got: {}",
                c.Int("channel_id"));
}

// The computation reduces two elements of an operand to one.
bool CheckComputation(OpCheck& c, std::string_view label, size_t operand) {
  const ShapedType type = c.In(operand);
  const ReducerType input{type.shape, type.element, type.type}, init_value{{}, type.element, {}};
  return CheckReducer(c, {label, label}, 0, std::span(&input, 1), std::span(&init_value, 1), {});
}

void InferReduced(OpCheck& c, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    const ShapedType operand = c.In(i);
    c.InferTensor(operand.shape, {AccumulatorElement(c, 0, 0, operand.element)}, operand.encoding);
  }
}

// The operands except the one that lists the roots.
size_t NumData(const OpCheck& c) {
  const size_t n = c.num_operands();
  return c.Flag("has_dynamic_root") && n ? n - 1 : n;
}

bool CheckRoot(OpCheck& c, std::string_view fixed_label, std::string_view dynamic_label,
               std::string_view op) {
  const size_t n = c.num_operands();
  if (!c.Flag("has_dynamic_root"))
    return n != 0 || c.Fail(fixed_label, "{} requires at least one data operand", op);
  if (n < 2)
    return c.Fail(dynamic_label, "{} with has_dynamic_root=true requires at least two operands (data + root)",
                  op);
  const ShapedType root = c.In(n - 1);
  if (c.m.types.KindOf(root.element) != TypeKind::kI32 || root.rank() != 1)
    return c.Fail(dynamic_label,
                  "last operand of {} with has_dynamic_root=true must be a rank-1 i32 tensor, but got {}", op,
                  c.T(root.type));
  if (root.dim(0) != int64_t(n - 1))
    return c.Fail(
        dynamic_label,
        "last operand of {} with has_dynamic_root=true must have the same number of elements as data "
        "operands ({}), but got {}",
        op, n - 1, root.dim(0));
  return true;
}

}  // namespace

bool VerifyAllGather(OpCheck& c) {
  const bool global = c.Flag("use_global_device_ids");
  if (!CheckReplicaGroups(c, {.input = "I3",
                              .distinct = "C2",
                              .complete = "C4",
                              .group = "",
                              .not_empty = "R2",
                              .same_size = true,
                              .use_global_device_ids = global}))
    return false;
  if (global && c.Int("channel_id") < 0)
    return c.Fail("C5", "channel_id cannot be negative when useGlobalDeviceIds is set");
  if (global && c.Int("channel_id") == 0) c.Beyond("C5", "uses global device ids without a channel");
  const int64_t dim = c.Int("all_gather_dim");
  for (size_t i = 0; i < std::min(c.num_operands(), c.num_results()); ++i) {
    const ShapedType operand = c.In(i), result = c.Out(i);
    if (dim >= operand.rank()) return c.Fail("C1", "all_gather_dim must be a valid index of operand");
    if (operand.dim(dim) == 0)
      return c.Fail("R1", "dimension size of operand at 'all_gather_dim' cannot be zero");
    if (result.rank() != operand.rank()) return c.Fail("C6", "operand and result must have the same rank");
    for (int64_t d = 0; d < operand.rank(); ++d)
      if (d != dim && !CompatibleDims(result.dim(d), operand.dim(d)))
        return c.Fail("C6",
                      "operand and result should have the same shape except for the dimension size at "
                      "'all_gather_dim'");
    if (operand.IsDynamic(dim) || result.IsDynamic(dim)) break;
    if (result.dim(dim) % operand.dim(dim) != 0)
      return c.Fail(
          "C6",
          "result gather dimension has size {}, expected to be a multiple of operand gather dimension "
          "size {}",
          result.dim(dim), operand.dim(dim));
  }
  const int64_t group = GroupSize(c);
  for (size_t i = 0; i < std::min(c.num_operands(), c.num_results()); ++i) {
    Dims shape(c.In(i).shape);
    if (dim >= int64_t(shape.size())) break;
    int64_t& size = shape[size_t(dim)];
    size = size == kDynamic || group == kDynamic ? kDynamic : WrapMul(size, group);
    c.InferTensor(shape, {c.out_element(i)});
  }
  return CheckMesh(c, "I3");
}

bool VerifyAllReduce(OpCheck& c) {
  if (!CheckReplicaGroups(c, {.input = "I2",
                              .distinct = "C1",
                              .complete = "C3",
                              .group = "",
                              .not_empty = "R1",
                              .use_global_device_ids = c.Flag("use_global_device_ids")}) ||
      !CheckChannelId(c, "C4"))
    return false;
  for (size_t i = 0; i < c.num_operands(); ++i)
    if (!CheckComputation(c, "C5", i)) return false;
  return CheckMesh(c, "I2");
}

// C6, C7.
bool InferAllReduce(OpCheck& c) {
  InferReduced(c, c.num_operands());
  return true;
}

bool InferAllToAll(OpCheck& c) {
  const int64_t split = c.Int("split_dimension"), concat = c.Int("concat_dimension"),
                count = c.Int("split_count", 1);
  if (!CheckReplicaGroups(c, {.input = "I5",
                              .distinct = "C5",
                              .complete = "C7",
                              .group = "C8",
                              .not_empty = "",
                              .same_size = true,
                              .group_size = count}))
    return false;
  for (size_t i = 0; i < c.num_operands(); ++i) {
    const ShapedType operand = c.In(i);
    if (split >= operand.rank())
      return c.Fail("C1", "AllToAll split_dimension {} is out-of-bounds for input rank {}", split,
                    operand.rank());
    if (concat >= operand.rank())
      return c.Fail("C3", "AllToAll concat_dimension {} is out-of-bounds for input rank {}", concat,
                    operand.rank());
    Dims shape(operand.shape), bounds(operand.bounds);
    if (shape[size_t(split)] != kDynamic && shape[size_t(split)] % count != 0)
      return c.Fail("C2", "split dimension has size {}, expected to be a multiple of split_count {}",
                    shape[size_t(split)], count);
    const auto exchange = [&](Dims& dims) {
      if (dims[size_t(split)] != kDynamic) dims[size_t(split)] /= count;
      if (dims[size_t(concat)] != kDynamic) dims[size_t(concat)] = WrapMul(dims[size_t(concat)], count);
    };
    exchange(shape);
    if (!bounds.empty()) exchange(bounds);
    c.InferTensor(shape, {operand.element}, operand.encoding, bounds);  // C9
  }
  return CheckMesh(c, "I5");
}

bool VerifyReduceScatter(OpCheck& c) {
  if (!CheckReplicaGroups(c, {.input = "I3",
                              .distinct = "C3",
                              .complete = "C5",
                              .group = "",
                              .not_empty = "R1",
                              .same_size = true,
                              .use_global_device_ids = c.Flag("use_global_device_ids")}))
    return false;
  if (!CheckComputation(c, "C7", 0)) return false;
  const ShapedType operand = c.In(0), result = c.Out();
  if (operand.rank() != result.rank()) return c.Fail("C8", "operand and result should have same rank");
  const int64_t dim = c.Int("scatter_dimension");
  if (dim >= operand.rank()) return c.Fail("C2", "scatter dim should be less than operand/result rank");
  if (!CheckChannelId(c, "C6")) return false;
  if (!operand.IsDynamic(dim) && !result.IsDynamic(dim)) {
    if (result.dim(dim) == 0)
      return c.Fail("R2", "result dimension size at scatter_dimension cannot be zero");
    if (operand.dim(dim) == 0)
      return c.Fail("R2", "operand dimension size at scatter_dimension cannot be zero");
    if (operand.dim(dim) % result.dim(dim) != 0)
      return c.Fail(
          "C8",
          "operand scatter dimension has size {}, expected to be a multiple of result scatter dimension "
          "size {}",
          operand.dim(dim), result.dim(dim));
    for (int64_t d = 0; d < operand.rank(); ++d)
      if (d != dim && !CompatibleDims(operand.dim(d), result.dim(d)))
        return c.Fail("C8", "non scatter dimensions should be same for operand ({}) and result ({})",
                      operand.dim(d), result.dim(d));
    const TypeId element = AccumulatorElement(c, 0, 0, operand.element);
    if (result.element != element)
      return c.Fail("C9", "result element-type is expected to be {}, but got {}", c.T(element),
                    c.T(result.element));
  }
  Dims shape(operand.shape);
  int64_t& size = shape[size_t(dim)];
  const int64_t group = GroupSize(c);
  size = size == kDynamic || group == kDynamic || size % group != 0 ? kDynamic : size / group;
  c.InferTensor(shape, {result.element});
  return CheckMesh(c, "I3");
}

bool VerifyCollectiveBroadcast(OpCheck& c) {
  if (const IntElements groups(c.m, c.Attr("replica_groups")); groups.ok()) {
    if (groups.shape().size() != 2)
      return c.Fail("I2", "replica groups should be a rank 2 tensor,but instead it is of rank {}",
                    groups.shape().size());
    std::unordered_set<int64_t> seen;
    for (uint64_t i = 0; i < groups.size(); ++i) {
      if (groups[i] < 0)
        return c.Fail("C2", "replica_groups values must be positive, but was given {}", groups[i]);
      if (!seen.insert(groups[i]).second)
        return c.Fail("C1", "replica id #{} seen more than once", groups[i]);
    }
  }
  return CheckRoot(c, "C3", "C4", "collective_broadcast") && CheckMesh(c, "I2");
}

bool InferCollectiveBroadcast(OpCheck& c) {
  for (size_t i = 0; i < NumData(c); ++i) c.Infer(c.in(i));
  return true;
}

bool VerifyCollectivePermute(OpCheck& c) {
  const IntElements pairs(c.m, c.Attr("source_target_pairs"));
  if (!pairs.ok()) return true;
  if (pairs.shape().size() != 2)
    return c.Fail("I2", "expect source_target_pairs attribute to be of rank 2, but got rank {}",
                  pairs.shape().size());
  if (pairs.shape()[1] != 2)
    return c.Fail("C1", "expect source_target_pairs attribute of shape (N, 2), but got ({})",
                  c.List(pairs.shape()));
  const uint64_t repeated = FirstRepeatedEnd(pairs);
  for (uint64_t i = 0; i < pairs.size() && i <= repeated; ++i)
    if (pairs[i] < 0) return c.Fail("C4", "replica ids in source_target_pairs must be >= 0.");
  if (repeated == pairs.size()) return true;
  return repeated % 2 ? c.Fail("C3", "duplicate targets not allowed.")
                      : c.Fail("C2", "duplicate sources not allowed.");
}

bool VerifyCollectiveReduce(OpCheck& c) {
  if (!CheckReplicaGroups(c, {.input = "I2",
                              .distinct = "C1",
                              .complete = "C2",
                              .group = "",
                              .not_empty = "R2",
                              .use_global_device_ids = c.Flag("use_global_device_ids")}) ||
      !CheckChannelId(c, "R1") || !CheckRoot(c, "C3", "C3", "collective_reduce"))
    return false;
  for (size_t i = 0; i < NumData(c); ++i)
    if (!CheckComputation(c, "C4", i)) return false;
  return CheckMesh(c, "I2");
}

bool InferCollectiveReduce(OpCheck& c) {
  InferReduced(c, NumData(c));
  return true;
}

}  // namespace shlo
