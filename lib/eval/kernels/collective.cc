// Ops of parallel processes: collectives, send and recv, infeed and outfeed, and run_parallel. Process groups
// are formed from replica_groups, channel_id and use_global_device_ids as the section of each op in the
// specification says.
#include <algorithm>
#include <cstring>
#include <utility>

#include "base/format.h"
#include "eval/grid/process_exchange.h"
#include "eval/kernel/custom_call_args.h"
#include "eval/kernel/kernel_args.h"
#include "eval/kernel/move_elements.h"
#include "eval/kernels/elementwise.h"
#include "eval/kernels/kernels.h"
#include "eval/loops/element_loop.h"
#include "eval/region_body.h"
#include "ir/module/replica_groups.h"
#include "ir/table/ops.h"

namespace shlo {
namespace {

using Groups = std::vector<std::vector<int64_t>>;

Result<Process*> ProcessOf(const KernelCall& call) {
  Process& process = call.host.process();
  if (!process.alone || call.host.options().one_process) return &process;
  return Error(Code::kEvaluation, "op requires parallel processes", {},
               "pass --replicas or --partitions, or use interpreter.run_parallel");
}

// Returns the rows of an attribute, without the padding of -1.
Result<Groups> GroupsOf(const KernelCall& call, AttrId attr, std::string_view name) {
  if (!attr) return Invalid(StrFormat("missing attribute '{}'", name));
  if (call.module.attrs[attr].kind == AttrKind::kReplicaGroupMeshAxes) {
    auto groups = GroupsOfMesh(call.module, attr);
    if (!groups) return Invalid(std::string(groups.error()));
    return std::move(*groups);
  }
  const Tensor tensor = SHLO_TRY(TensorFromAttr(call.module, attr));
  const Ints values = SHLO_TRY(IndexOf(tensor));
  if (tensor.type().rank() != 2) return Invalid(StrFormat("'{}' is not a list of groups", name));
  const size_t width = size_t(tensor.type().shape[1]);
  Groups groups;
  for (int64_t g = 0; g < tensor.type().shape[0]; ++g) {
    groups.emplace_back();
    for (size_t i = 0; i < width; ++i) {
      const int64_t id = values[size_t(g) * width + i];
      if (id < -1 || id > UINT32_MAX) return Invalid("process id is out of range");
      if (id >= 0) groups.back().push_back(id);
    }
  }
  return groups;
}

Result<int64_t> ChannelOf(const KernelCall& call) { return IntOf(call, "channel_id", 0); }

// Extent of the groups of an op with a channel. Without a channel, all groups extend across replicas.
enum class Across { kPartitions, kReplicasAndPartitions };

// The process groups of an op, and the place of one process in them.
struct Membership {
  std::vector<ProcessGroup> groups;
  const ProcessGroup* own = nullptr;  // nullptr: not in any group
  int64_t channel = 0;
  size_t index = 0;  // in the group
};

// Checks that there are as many processes as the groups name.
Status CheckIds(const Groups& groups, uint64_t ids, const GridShape& grid) {
  for (const auto& group : groups)
    for (const int64_t id : group)
      if (uint64_t(id) >= ids)
        return Error(Code::kEvaluation,
                     StrFormat("process {} of the groups does not exist: there {} {} of {}", id,
                               grid.replicas == 1 ? "is" : "are", Count(grid.replicas, "replica"),
                               Count(grid.partitions, "partition")),
                     {}, "pass --replicas or --partitions, or use interpreter.run_parallel");
  return {};
}

Result<Membership> MembershipIn(Groups groups, int64_t channel, bool global, Across with_channel,
                                const Process& process) {
  Membership m;
  m.channel = channel;
  const GridShape& grid = process.shape;
  using Form = std::vector<ProcessGroup> (GridShape::*)(const Groups&) const;
  const auto [form, ids] =
      m.channel <= 0 ? std::pair<Form, uint64_t>(&GridShape::CrossReplica, grid.replicas)
      : global       ? std::pair<Form, uint64_t>(&GridShape::FlattenedIds, grid.size())
      : with_channel == Across::kReplicasAndPartitions
          ? std::pair<Form, uint64_t>(&GridShape::CrossReplicaAndPartition, grid.replicas)
          : std::pair<Form, uint64_t>(&GridShape::CrossPartition, grid.partitions);
  if (groups.empty())  // all of them
    for (std::vector<int64_t>& all = groups.emplace_back(); all.size() < ids;)
      all.push_back(int64_t(all.size()));
  SHLO_TRY(CheckIds(groups, ids, grid));
  m.groups = (grid.*form)(groups);
  for (const ProcessGroup& group : m.groups) {
    const auto found = std::find(group.begin(), group.end(), process.id);
    if (found == group.end()) continue;
    m.own = &group;
    m.index = size_t(found - group.begin());
    break;
  }
  return m;
}

Result<Membership> MembershipOf(const KernelCall& call, const Process& process, Across with_channel) {
  constexpr std::string_view kGroups = "replica_groups";
  Groups groups = SHLO_TRY(GroupsOf(call, call.module.AttributeOf(call.op, kGroups), kGroups));
  const int64_t channel = SHLO_TRY(ChannelOf(call));
  bool global = false;
  if (with_channel == Across::kReplicasAndPartitions) {
    global = SHLO_TRY(FlagOf(call, "use_global_device_ids"));
  }
  return MembershipIn(std::move(groups), channel, global, with_channel, process);
}

tl::unexpected<Diagnostics> InNoGroup(const Process& process) {
  return Error(Code::kEvaluation, StrFormat("process {} is not in any group", ProcessName(process.id)));
}

Result<ProcessValues> GatherFrom(Process& process, const Membership& m, std::vector<Tensor> values) {
  // Owned values may outlive the process that computed them. Views of constants are valid as well, because
  // all threads share the module.
  if (m.own->size() == 1) return ProcessValues{{process.id, std::move(values)}};
  const size_t count = values.size();
  ProcessValues all = SHLO_TRY(process.others.Gather(*m.own, m.channel, process.id, std::move(values)));
  for (const auto& [id, tensors] : all)
    if (tensors.size() != count)
      return Error(Code::kEvaluation, "processes pass different numbers of operands");
  return all;
}

std::vector<Tensor> Operands(const KernelCall& call, size_t count) {
  std::vector<Tensor> out;
  for (size_t i = 0; i < count; ++i) out.push_back(call.operand(i));
  return out;
}

Status ZeroResult(KernelCall& call, size_t i, const Tensor& like) {
  SHLO_TRY(AllocateResult(call, i, like.type().shape, like));
  std::memset(call.results[i].mutable_data(), 0, call.results[i].type().bytes);
  return {};
}

// Reduces result i of all processes, in the order of process ids.
Result<Tensor> ReduceAll(KernelCall& call, const ProcessValues& met, size_t i, RegionId region) {
  const std::vector<ValueTypePtr> types = SHLO_TRY(RegionBody::ArgumentTypes(call, region));
  if (types.size() != 2) return Invalid("region must have 2 arguments");
  RegionBody body = SHLO_TRY(RegionBody::Make(call, region, std::span(types).first(1)));
  Tensor sum;
  for (const auto& [id, values] : met) {
    const Tensor next = Dense(call.host, values[i]);
    if (!next) return OutOfMemory();
    if (next.element() != types[0]->element || (sum && sum.type() != next.type()))
      return Invalid("region arguments do not match the operands");
    if (!sum) {
      sum = call.host.Allocate(next.type_ptr(), false);
      if (!sum) return OutOfMemory();
      std::memcpy(sum.mutable_data(), next.data(), next.stored_bytes());
      continue;
    }
    const size_t bytes = next.element().bytes();
    if (next.count() > 0) body.MarkRun();
    for (uint64_t e = 0; e < next.count(); e += RegionBody::kBlock) {
      uint8_t* results[1] = {sum.mutable_data() + e * bytes};
      const uint8_t* args[2] = {results[0], next.data() + e * bytes};
      SHLO_TRY(body.Run(args, results, std::min<uint64_t>(RegionBody::kBlock, next.count() - e)));
    }
  }
  return sum;
}

// Returns one of n equal parts along a dimension.
Result<Tensor> PartOf(KernelHost& host, const Tensor& tensor, int64_t dimension, int64_t n, int64_t part) {
  Ints shape = tensor.type().shape, start(shape.size(), 0);
  if (dimension < 0 || dimension >= int64_t(shape.size()) || n < 1 || shape[size_t(dimension)] % n != 0)
    return Invalid("dimension cannot be split into equal parts");
  shape[size_t(dimension)] /= n;
  start[size_t(dimension)] = part * shape[size_t(dimension)];
  const ValueTypePtr type = MakeTensorType(tensor.element(), shape, tensor.type().quantization);
  if (!type) return OutOfMemory();
  return Slice(host, tensor, start, Ints(shape.size(), 1), type);
}

// `parts` are those of the process's own group, which has at least one member.
Status JoinResult(KernelCall& call, size_t i, const std::vector<Tensor>& parts, int64_t dimension) {
  Ints shape = parts[0].type().shape;
  if (dimension < 0 || dimension >= int64_t(shape.size())) return Invalid("dimension is out of range");
  std::vector<const Tensor*> pointers;
  shape[size_t(dimension)] = 0;
  for (const Tensor& part : parts) {
    pointers.push_back(&part);
    if (part.element() != parts[0].element() || part.type().rank() != int64_t(shape.size()))
      return Invalid("processes pass different types");
    for (size_t d = 0; d < shape.size(); ++d)
      if (int64_t(d) != dimension && part.type().shape[d] != shape[d])
        return Invalid("processes pass different shapes");
    shape[size_t(dimension)] += part.type().shape[size_t(dimension)];
  }
  const ValueTypePtr type = SHLO_TRY(ResultType(call, i, shape, parts[0]));
  call.results[i] = SHLO_TRY(Concatenate(call.host, pointers, dimension, type));
  return {};
}

}  // namespace

// Specification, "all_gather": concatenates the operands of the group.
Status EvaluateAllGather(KernelCall& call) {
  Process* const process = SHLO_TRY(ProcessOf(call));
  const int64_t dimension = SHLO_TRY(IntOf(call, "all_gather_dim"));
  const Membership m = SHLO_TRY(MembershipOf(call, *process, Across::kReplicasAndPartitions));
  if (!m.own) return InNoGroup(*process);
  if (call.results.size() != call.operands.size()) return Invalid("numbers of operands and results differ");
  const ProcessValues met = SHLO_TRY(GatherFrom(*process, m, Operands(call, call.operands.size())));
  for (size_t i = 0; i < call.results.size(); ++i) {
    std::vector<Tensor> parts;
    for (ProcessId id : *m.own) parts.push_back(met.at(id)[i]);
    SHLO_TRY(JoinResult(call, i, parts, dimension));
  }
  return {};
}

// Specification, "all_reduce".
Status EvaluateAllReduce(KernelCall& call) {
  Process* const process = SHLO_TRY(ProcessOf(call));
  const Membership m = SHLO_TRY(MembershipOf(call, *process, Across::kReplicasAndPartitions));
  const auto regions = call.module.RegionsOf(call.op);
  if (regions.size() != 1) return Invalid("expected 1 region");
  if (call.results.size() != call.operands.size()) return Invalid("numbers of operands and results differ");
  if (!m.own) return InNoGroup(*process);
  const ProcessValues met = SHLO_TRY(GatherFrom(*process, m, Operands(call, call.operands.size())));
  for (size_t i = 0; i < call.results.size(); ++i) {
    call.results[i] = SHLO_TRY(ReduceAll(call, met, i, regions[0]));
  }
  return {};
}

// Older `cross-replica-sum`: all_reduce with addition, across replicas.
Status EvaluateCrossReplicaSum(KernelCall& call) {
  Process* const process = SHLO_TRY(ProcessOf(call));
  SHLO_TRY(CheckArity(call, 1));
  const Membership m = SHLO_TRY(MembershipOf(call, *process, Across::kPartitions));
  if (!m.own) return InNoGroup(*process);
  const ProcessValues met = SHLO_TRY(GatherFrom(*process, m, Operands(call, 1)));
  Tensor sum;
  for (const auto& [id, values] : met) {
    if (!sum) {
      sum = values[0];
      continue;
    }
    sum = SHLO_TRY(ApplyOp(call.host, ops::kAdd, {&sum, &values[0]}));
  }
  call.results[0] = sum;
  return {};
}

// Specification, "all_to_all": each process receives its part of every process's operand.
Status EvaluateAllToAll(KernelCall& call) {
  Process* const process = SHLO_TRY(ProcessOf(call));
  const int64_t split = SHLO_TRY(IntOf(call, "split_dimension"));
  const int64_t concat = SHLO_TRY(IntOf(call, "concat_dimension"));
  const int64_t count = SHLO_TRY(IntOf(call, "split_count"));
  const Membership m = SHLO_TRY(MembershipOf(call, *process, Across::kPartitions));
  if (!m.own) return InNoGroup(*process);
  if (call.results.size() != call.operands.size()) return Invalid("numbers of operands and results differ");
  if (int64_t(m.index) >= count)
    return Invalid(
        StrFormat("split_count is {}, but the group has {}", count, Count(m.own->size(), "member")));
  const ProcessValues met = SHLO_TRY(GatherFrom(*process, m, Operands(call, call.operands.size())));
  for (size_t i = 0; i < call.results.size(); ++i) {
    std::vector<Tensor> parts;
    for (ProcessId sender : *m.own) {
      Tensor part = SHLO_TRY(PartOf(call.host, met.at(sender)[i], split, count, int64_t(m.index)));
      parts.push_back(std::move(part));
    }
    SHLO_TRY(JoinResult(call, i, parts, concat));
  }
  return {};
}

namespace {

// Returns the root process of result i: the first of the group, or the one that the last operand selects.
Result<size_t> RootOf(const KernelCall& call, const Membership& m, bool dynamic, size_t i) {
  if (!dynamic) return 0;
  const Ints roots = SHLO_TRY(IndexOf(call.operand(call.operands.size() - 1)));
  if (i >= roots.size() || roots[i] < 0 || roots[i] >= int64_t(m.own->size()))
    return Error(Code::kEvaluation, "root index is out of bounds");
  return size_t(roots[i]);
}

}  // namespace

// Specification, "collective_broadcast": the value of the root; zeros in processes without a group.
Status EvaluateCollectiveBroadcast(KernelCall& call) {
  Process* const process = SHLO_TRY(ProcessOf(call));
  const bool dynamic = SHLO_TRY(FlagOf(call, "has_dynamic_root"));
  const Membership m = SHLO_TRY(MembershipOf(call, *process, Across::kPartitions));
  const size_t count = call.results.size();
  if (call.operands.size() != count + (dynamic ? 1 : 0))
    return Invalid("numbers of operands and results differ");
  ProcessValues met;
  if (m.own) {
    met = SHLO_TRY(GatherFrom(*process, m, Operands(call, count)));
  }
  for (size_t i = 0; i < count; ++i) {
    if (!m.own) {
      SHLO_TRY(ZeroResult(call, i, call.operand(i)));
      continue;
    }
    const size_t root = SHLO_TRY(RootOf(call, m, dynamic, i));
    call.results[i] = met.at((*m.own)[root])[i];
  }
  return {};
}

// "collective_reduce": like all_reduce, but the result is zero in all processes except the root.
Status EvaluateCollectiveReduce(KernelCall& call) {
  Process* const process = SHLO_TRY(ProcessOf(call));
  const bool dynamic = SHLO_TRY(FlagOf(call, "has_dynamic_root"));
  const Membership m = SHLO_TRY(MembershipOf(call, *process, Across::kReplicasAndPartitions));
  const auto regions = call.module.RegionsOf(call.op);
  const size_t count = call.results.size();
  if (regions.size() != 1) return Invalid("expected 1 region");
  if (call.operands.size() != count + (dynamic ? 1 : 0))
    return Invalid("numbers of operands and results differ");
  ProcessValues met;
  if (m.own) {
    met = SHLO_TRY(GatherFrom(*process, m, Operands(call, count)));
  }
  for (size_t i = 0; i < count; ++i) {
    if (m.own) {
      const size_t root = SHLO_TRY(RootOf(call, m, dynamic, i));
      if (root == m.index) {
        call.results[i] = SHLO_TRY(ReduceAll(call, met, i, regions[0]));
        continue;
      }
    }
    SHLO_TRY(ZeroResult(call, i, call.operand(i)));
  }
  return {};
}

// Specification, "collective_permute": sends along (source, target) pairs; zeros in processes that receive
// nothing.
Status EvaluateCollectivePermute(KernelCall& call) {
  Process* const process = SHLO_TRY(ProcessOf(call));
  SHLO_TRY(CheckArity(call, 1));
  constexpr std::string_view kPairs = "source_target_pairs";
  const Groups pairs = SHLO_TRY(GroupsOf(call, call.module.AttributeOf(call.op, kPairs), kPairs));
  Membership m;
  m.channel = SHLO_TRY(ChannelOf(call));
  const GridShape& grid = process->shape;
  SHLO_TRY(CheckIds(pairs, m.channel <= 0 ? grid.replicas : grid.partitions, grid));
  m.groups = m.channel <= 0 ? grid.CrossReplica(pairs) : grid.CrossPartition(pairs);
  Tensor received;
  for (const ProcessGroup& pair : m.groups) {
    if (pair.size() != 2) return Invalid("'source_target_pairs' is not a list of pairs");
    const ProcessId from = pair[0], to = pair[1];
    if (from != process->id && to != process->id) continue;
    if (from == to) {
      received = call.operand(0);
      continue;
    }
    m.own = &pair;
    const ProcessValues met = SHLO_TRY(GatherFrom(*process, m, Operands(call, 1)));
    if (to == process->id) received = met.at(from)[0];
  }
  if (!received) return ZeroResult(call, 0, call.operand(0));
  call.results[0] = received;
  return {};
}

// ragged_all_to_all: a custom call of jax (jax.lax.ragged_all_to_all). Each process sends rows of its
// operand, which begin at input_offsets and are send_sizes many, to the processes of its group in order. They
// replace rows of the receiver's second operand from output_offsets of the sender on. If there are k times as
// many offsets as processes, each receives k pieces. Operand 5 has the sizes that the process receives.
Status EvaluateRaggedAllToAll(KernelCall& call) {
  SHLO_TRY(CheckArity(call, 6));
  constexpr std::string_view kGroups = "replica_groups";
  Groups groups = SHLO_TRY(GroupsOf(call, ConfigOf(call, kGroups), kGroups));
  const int64_t channel = SHLO_TRY(ConfigInt(call, "channel_id", 0));
  Process* const process = SHLO_TRY(ProcessOf(call));
  const Membership m =
      SHLO_TRY(MembershipIn(std::move(groups), channel, false, Across::kPartitions, *process));
  if (!m.own) return InNoGroup(*process);
  const ProcessValues met = SHLO_TRY(GatherFrom(*process, m, Operands(call, 6)));
  const Tensor& output = call.operand(1);
  SHLO_TRY(AllocateResult(call, 0, output.type().shape, output));
  if (output.type().shape.empty()) return Invalid("output is a scalar");
  const Tensor initial = Dense(call.host, output);
  if (!initial) return OutOfMemory();
  std::memcpy(call.results[0].mutable_data(), initial.data(), initial.stored_bytes());
  const int64_t rows = output.type().shape[0];
  const uint64_t row_bytes = rows == 0 ? 0 : initial.stored_bytes() / uint64_t(rows);
  for (const ProcessId sender : *m.own) {
    const std::vector<Tensor>& sent = met.at(sender);
    const Tensor source = Dense(call.host, sent[0]);
    if (!source) return OutOfMemory();
    Ints shape = source.type().shape;
    if (shape.empty() || source.element() != output.element()) return Invalid("operand types do not match");
    const int64_t available = std::exchange(shape[0], rows);
    if (shape != output.type().shape) return Invalid("operand types do not match");
    const Ints from = SHLO_TRY(IndexOf(sent[2]));
    const Ints sizes = SHLO_TRY(IndexOf(sent[3]));
    const Ints to = SHLO_TRY(IndexOf(sent[4]));
    if (from.size() != sizes.size() || from.size() != to.size() || from.size() % m.own->size() != 0)
      return Invalid("offsets and sizes do not match the group");
    const size_t pieces = from.size() / m.own->size();
    for (size_t i = m.index * pieces; i < (m.index + 1) * pieces; ++i) {
      const int64_t size = sizes[i];
      if (size < 0 || from[i] < 0 || to[i] < 0 || size > available || size > rows ||
          from[i] > available - size || to[i] > rows - size)
        return Error(Code::kEvaluation,
                     StrFormat("{} from {} of process {} to {} are out of bounds",
                               Count(uint64_t(size), "row"), from[i], ProcessName(sender), to[i]));
      std::memcpy(call.results[0].mutable_data() + uint64_t(to[i]) * row_bytes,
                  source.data() + uint64_t(from[i]) * row_bytes, uint64_t(size) * row_bytes);
    }
  }
  return {};
}

// Specification, "reduce_scatter": like all_reduce, and each process keeps its part.
Status EvaluateReduceScatter(KernelCall& call) {
  Process* const process = SHLO_TRY(ProcessOf(call));
  SHLO_TRY(CheckArity(call, 1));
  const int64_t dimension = SHLO_TRY(IntOf(call, "scatter_dimension"));
  const Membership m = SHLO_TRY(MembershipOf(call, *process, Across::kReplicasAndPartitions));
  const auto regions = call.module.RegionsOf(call.op);
  if (regions.size() != 1) return Invalid("expected 1 region");
  if (!m.own) return InNoGroup(*process);
  const ProcessValues met = SHLO_TRY(GatherFrom(*process, m, Operands(call, 1)));
  const Tensor sum = SHLO_TRY(ReduceAll(call, met, 0, regions[0]));
  call.results[0] = SHLO_TRY(PartOf(call.host, sum, dimension, int64_t(m.own->size()), int64_t(m.index)));
  return {};
}

namespace {

Status IdResult(KernelCall& call, bool replica) {
  Process* const process = SHLO_TRY(ProcessOf(call));
  SHLO_TRY(CheckArity(call, 0));
  SHLO_TRY(AllocateResult(call, 0, {}, DeclaredElement{{TypeKind::kUI32}, {}}));
  Store<uint32_t>(call.results[0].mutable_data(), 0, replica ? process->id.replica : process->id.partition);
  return {};
}

// Sets the results, followed by the token.
Status TakeValues(KernelCall& call, std::vector<Tensor> values) {
  if (values.size() + 1 != call.results.size())
    return Error(Code::kEvaluation, StrFormat("received {}, expected {}", Count(values.size(), "value"),
                                              call.results.size() - 1));
  for (size_t i = 0; i < values.size(); ++i) call.results[i] = std::move(values[i]);
  call.results.back() = Tensor::Token();
  return {};
}

}  // namespace

Status EvaluateReplicaId(KernelCall& call) { return IdResult(call, true); }
Status EvaluatePartitionId(KernelCall& call) { return IdResult(call, false); }

// Specification, "send" and "recv": transfer values through a channel.
Status EvaluateSend(KernelCall& call) {
  Process* const process = SHLO_TRY(ProcessOf(call));
  if (call.operands.empty() || call.results.size() != 1) return Invalid("missing token");
  const int64_t channel = SHLO_TRY(ChannelOf(call));
  SHLO_TRY(process->others.Send(channel, process->id, Operands(call, call.operands.size() - 1)));
  call.results[0] = Tensor::Token();
  return {};
}
Status EvaluateRecv(KernelCall& call) {
  Process* const process = SHLO_TRY(ProcessOf(call));
  if (call.results.empty()) return Invalid("missing token");
  const int64_t channel = SHLO_TRY(ChannelOf(call));
  std::vector<Tensor> values = SHLO_TRY(process->others.Receive(channel, process->id));
  return TakeValues(call, std::move(values));
}

// Specification, "infeed": returns the results of the next infeed function. "outfeed": discards its operands.
Status EvaluateInfeed(KernelCall& call) {
  Process* const process = SHLO_TRY(ProcessOf(call));
  if (call.results.empty()) return Invalid("missing token");
  const std::string function = SHLO_TRY(process->others.NextInfeed(process->id));
  std::vector<Tensor> values(call.results.size() - 1);
  SHLO_TRY(call.host.Call(call, function, {}, values));
  return TakeValues(call, std::move(values));
}
Status EvaluateOutfeed(KernelCall& call) {
  SHLO_TRY(ProcessOf(call));
  if (call.results.size() != 1) return Invalid("missing token");
  call.results[0] = Tensor::Token();
  return {};
}

// interpreter.run_parallel: runs a grid of processes, each on its own thread, or where EvalOptions::place
// puts it. Inputs and results of all processes are concatenated, replica by replica.
Status EvaluateRunParallel(KernelCall& call) {
  const Module& module = call.module;
  std::vector<std::string> functions, infeed;
  const IdList<AttrId> replicas = module.ElementsOf(module.InherentAttrOf(call.op, "programs"));
  size_t partitions = 0;
  for (AttrId replica : replicas) {
    const IdList<AttrId> programs = module.ElementsOf(replica);
    if (partitions == 0) partitions = programs.size();
    if (programs.empty() || programs.size() != partitions)
      return Invalid("programs do not form a grid of replicas and partitions");
    for (AttrId program : programs) {
      std::string_view name;
      if (!module.AsSymbol(program, &name)) return Invalid("program is not a symbol");
      functions.emplace_back(name);
    }
  }
  for (AttrId feed : module.ElementsOf(module.InherentAttrOf(call.op, "infeed"))) {
    std::string_view name;
    if (!module.AsSymbol(feed, &name)) return Invalid("infeed is not a symbol");
    infeed.emplace_back(name);
  }
  if (!call.host.process().alone) return Error(Code::kUnsupported, "nested run_parallel is not supported");

  std::vector<Tensor> args;
  for (const Tensor* operand : call.operands) args.push_back(*operand);
  EvalResult result =
      SHLO_TRY(EvaluateParallel(module, functions, partitions, args, infeed, call.host.options()));
  for (Diagnostic& failed : result.failed_checks) call.host.FailCheck(call, failed.message);
  if (result.results.size() != call.results.size())
    return Invalid(StrFormat("programs return {}, expected {}", Count(result.results.size(), "value"),
                             call.results.size()));
  for (size_t i = 0; i < call.results.size(); ++i) call.results[i] = std::move(result.results[i]);
  return {};
}

}  // namespace shlo
