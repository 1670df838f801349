// Programs of collectives on grids of processes, with results computed process by process.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "programs.h"

namespace shlo::laws {
namespace {

using Group = std::vector<size_t>;  // processes: replica * partitions + partition

// Splits `ids` into groups of equal size.
std::vector<std::vector<int64_t>> Split(Source& s, int64_t count, int64_t* size) {
  std::vector<int64_t> ids;
  for (int64_t i = 0; i < count; ++i) ids.push_back(i);
  s.Shuffle(&ids);
  std::vector<int64_t> sizes;
  for (int64_t k = 1; k <= count; ++k)
    if (count % k == 0) sizes.push_back(k);
  *size = sizes[s.Pick(sizes.size())];
  std::vector<std::vector<int64_t>> groups;
  for (int64_t i = 0; i < count; ++i) {
    if (i % *size == 0) groups.emplace_back();
    groups.back().push_back(ids[size_t(i)]);
  }
  return groups;
}

enum class Scheme { kReplicas, kPartitions, kReplicasAndPartitions, kFlattened };

std::vector<Group> GroupsOf(const std::vector<std::vector<int64_t>>& ids, Scheme scheme, size_t replicas,
                            size_t partitions) {
  std::vector<Group> groups;
  const auto process = [&](size_t replica, size_t partition) { return replica * partitions + partition; };
  for (const auto& list : ids) {
    switch (scheme) {
      case Scheme::kReplicas:
        for (size_t p = 0; p < partitions; ++p) {
          groups.emplace_back();
          for (int64_t id : list) groups.back().push_back(process(size_t(id), p));
        }
        break;
      case Scheme::kPartitions:
        for (size_t r = 0; r < replicas; ++r) {
          groups.emplace_back();
          for (int64_t id : list) groups.back().push_back(process(r, size_t(id)));
        }
        break;
      case Scheme::kReplicasAndPartitions:
        groups.emplace_back();
        for (size_t p = 0; p < partitions; ++p)
          for (int64_t id : list) groups.back().push_back(process(size_t(id), p));
        break;
      case Scheme::kFlattened:
        groups.emplace_back();
        for (int64_t id : list) groups.back().push_back(size_t(id));
        break;
    }
  }
  return groups;
}

struct Value {
  Dims shape;
  std::vector<int64_t> elements;
};

// Copies a part of `from` (from `start` in one dimension, `to.shape` long) to `to` at `at` in another.
void CopyPart(const Value& from, size_t from_dim, int64_t start, Value* to, size_t to_dim, int64_t at,
              const Dims& part) {
  ForEachIndex(part, [&](const Dims& index) {
    Dims source = index, target = index;
    source[from_dim] += start;
    target[to_dim] += at;
    to->elements[size_t(Offset(to->shape, target))] = from.elements[size_t(Offset(from.shape, source))];
  });
}

Value Zeros(Dims shape) {
  const size_t count = size_t(CountOf(shape));
  return {std::move(shape), std::vector<int64_t>(count)};
}

}  // namespace

bool CollectiveProgram(RowId op, Version version, Source& s, CollectiveForm form, Program* out) {
  const std::string_view name = RowOf(op).mnemonic();
  const bool gather = name == "all_gather", reduce = name == "all_reduce", swap = name == "all_to_all",
             broadcast = name == "collective_broadcast", part = name == "reduce_scatter";
  if (!(gather || reduce || swap || broadcast || part)) return false;
  const size_t replicas = 1 + s.Pick(s.every() ? 2 : 4), partitions = 1 + s.Pick(2);
  if (replicas * partitions > 6) return false;
  const bool channel = s.Flip();
  const bool has_global = gather || reduce || part;
  const bool global = channel && has_global && s.Flip();
  const Scheme scheme = !channel     ? Scheme::kReplicas
                        : global     ? Scheme::kFlattened
                        : has_global ? Scheme::kReplicasAndPartitions
                                     : Scheme::kPartitions;
  const int64_t ids = scheme == Scheme::kFlattened    ? int64_t(replicas * partitions)
                      : scheme == Scheme::kPartitions ? int64_t(partitions)
                                                      : int64_t(replicas);
  int64_t group_size = 1;
  std::vector<std::vector<int64_t>> lists;
  int64_t a = 1, b = 1;
  uint64_t axes = 0;  // 1: x, 2: y, 3: both
  if (form.mesh) {
    // Device number x * b + y; groups differ along the axes that are listed.
    for (int64_t k = 1; k <= ids; ++k)
      if (ids % k == 0 && s.Flip()) a = k;
    b = ids / a;
    axes = 1 + s.Pick(3);
    std::map<int64_t, std::vector<int64_t>> by_rest;
    for (int64_t x = 0; x < a; ++x)
      for (int64_t y = 0; y < b; ++y)
        by_rest[(axes & 1 ? 0 : x) * b + (axes & 2 ? 0 : y)].push_back(x * b + y);
    for (auto& [rest, list] : by_rest) lists.push_back(list);
    group_size = int64_t(lists[0].size());
  } else {
    lists = Split(s, ids, &group_size);
  }
  const std::vector<Group> groups = GroupsOf(lists, scheme, replicas, partitions);
  group_size = int64_t(groups[0].size());

  // Operands with their result types.
  TestProgram p(version);
  Module& m = p.module();
  const size_t rank = 1 + (s.every() ? size_t(swap) : s.Pick(3));
  const size_t dim = s.Pick(rank), concat = swap ? s.Pick(rank) : 0;
  const TypeKind kind = TypeKind::kI32;
  std::vector<Dims> shapes, result_shapes;
  for (size_t i = 0; i < form.operands; ++i) {
    Dims shape;
    for (size_t d = 0; d < rank; ++d)
      shape.push_back(s.Between(s.every() ? 1 : 0, s.every() ? (d == dim ? 2 : 1) : 3));
    if (swap || part) shape[dim] *= group_size;
    Dims result = shape;
    if (gather) result[dim] *= group_size;
    if (part) result[dim] /= group_size;
    if (swap) result[dim] /= group_size, result[concat] *= group_size;
    shapes.push_back(shape), result_shapes.push_back(result);
  }
  std::vector<TypeId> args, results;
  for (const Dims& shape : shapes) args.push_back(p.Tensor(kind, shape));
  for (const Dims& shape : result_shapes) results.push_back(p.Tensor(kind, shape));
  const bool by_maximum = (reduce || part) && s.Flip();
  p.Function("main", args, results, [&](std::vector<ValueId> operands) {
    std::vector<std::pair<std::string_view, AttrId>> attrs;
    if (form.mesh) {
      const AttrId mesh_axes[] = {m.Make(MeshAxisAttr{.name = m.strings.Intern("x"), .size = a}),
                                  m.Make(MeshAxisAttr{.name = m.strings.Intern("y"), .size = b})};
      std::vector<AttrId> refs;
      if (axes & 1) refs.push_back(m.Make(AxisRefAttr{.name = m.strings.Intern("x")}));
      if (axes & 2) refs.push_back(m.Make(AxisRefAttr{.name = m.strings.Intern("y")}));
      attrs.push_back({"replica_groups", m.Make(ReplicaGroupMeshAxesAttr{
                                             .mesh = m.Make(MeshAttr{.axes = mesh_axes}), .axes = refs})});
    } else {
      Dims flat;
      for (const auto& list : lists) flat.insert(flat.end(), list.begin(), list.end());
      const int64_t shape[] = {int64_t(lists.size()), int64_t(lists[0].size())};
      attrs.push_back({"replica_groups", m.I64Elements(shape, flat)});
    }
    if (channel) attrs.push_back({"channel_id", m.I64(1)});
    if (channel) attrs.push_back({"channel_type", m.I64(1)});
    if (global) attrs.push_back({"use_global_device_ids", m.Bool(true)});
    if (gather) attrs.push_back({"all_gather_dim", m.I64(int64_t(dim))});
    if (part) attrs.push_back({"scatter_dimension", m.I64(int64_t(dim))});
    if (swap) {
      attrs.push_back({"split_dimension", m.I64(int64_t(dim))});
      attrs.push_back({"concat_dimension", m.I64(int64_t(concat))});
      attrs.push_back({"split_count", m.I64(group_size)});
    }
    std::vector<RegionId> regions;
    const TypeId scalar = p.Tensor(kind);
    if (reduce || part)
      regions.push_back(Body(p, {scalar, scalar}, [&](std::vector<ValueId> x) {
        return std::vector<ValueId>{
            p.Op(by_maximum ? "stablehlo.maximum" : "stablehlo.add", {x[0], x[1]}, {scalar})};
      }));
    const ValueId first = p.Op(RowOf(op).name, operands, results, attrs, regions);
    std::vector<ValueId> values;
    for (uint32_t i = 0; i < form.operands; ++i) values.push_back(ValueId(first.v + i));
    return values;
  });
  out->module = p.Done();
  out->partitions = partitions;
  out->options.timeout_ms = 300;  // of processes that time out after a planted mistake
  out->grid.assign(replicas * partitions, "main");
  std::vector<std::vector<Value>> inputs(out->grid.size());
  for (auto& of_process : inputs)
    for (const Dims& shape : shapes) {
      Value value = Zeros(shape);
      for (int64_t& element : value.elements) element = int32_t(s.Any());
      out->args.push_back(TensorOfInts(kind, shape, value.elements));
      of_process.push_back(std::move(value));
    }
  for (size_t process = 0; process < out->grid.size(); ++process) {
    const Group* own = nullptr;
    size_t index = 0;
    for (const Group& group : groups)
      for (size_t i = 0; i < group.size(); ++i)
        if (group[i] == process) own = &group, index = i;
    if (!own) return false;
    for (size_t i = 0; i < form.operands; ++i) {
      Value result = Zeros(result_shapes[i]);
      if (broadcast) {
        result = inputs[(*own)[0]][i];
      } else if (gather) {
        for (size_t k = 0; k < own->size(); ++k)
          CopyPart(inputs[(*own)[k]][i], dim, 0, &result, dim, int64_t(k) * shapes[i][dim], shapes[i]);
      } else if (swap) {
        Dims piece = shapes[i];
        piece[dim] /= group_size;
        for (size_t k = 0; k < own->size(); ++k)
          CopyPart(inputs[(*own)[k]][i], dim, int64_t(index) * piece[dim], &result, concat,
                   int64_t(k) * piece[concat], piece);
      } else {
        Value sum = inputs[(*own)[0]][i];
        for (size_t k = 1; k < own->size(); ++k)
          for (size_t e = 0; e < sum.elements.size(); ++e) {
            const int64_t other = inputs[(*own)[k]][i].elements[e];
            sum.elements[e] = by_maximum ? std::max(sum.elements[e], other)
                                         : int64_t(int32_t(uint32_t(sum.elements[e]) + uint32_t(other)));
          }
        if (reduce)
          result = sum;
        else
          CopyPart(sum, dim, int64_t(index) * result.shape[dim], &result, dim, 0, result.shape);
      }
      out->expected.push_back(TensorOfInts(kind, result_shapes[i], result.elements));
    }
  }
  return true;
}

// One process sends values, another one receives and returns them.
bool SendProgram(Version version, Source& s, Program* out) {
  const size_t count = 1 + s.Pick(3);
  const bool host = !s.every() && s.Flip();
  TestProgram p(version);
  Module& m = p.module();
  std::vector<TypeId> types;
  std::vector<Dims> shapes;
  const TypeKind kind = s.every() ? TypeKind::kI32 : AnyElement(s);
  for (size_t i = 0; i < count; ++i) {
    Dims shape(s.Pick(s.every() ? 3 : 4));
    for (int64_t& d : shape) d = s.every() ? 1 + int64_t(s.Pick(2)) : s.Between(0, 3);
    shapes.push_back(shape);
    types.push_back(p.Tensor(kind, shape));
  }
  const TypeId token = m.Type(TypeKind::kToken);
  const int64_t channel = 1 + int64_t(s.Any() % 5);
  const std::vector<std::pair<std::string_view, AttrId>> attrs = {
      {"channel_id", m.I64(channel)}, {"channel_type", m.I64(1)}, {"is_host_transfer", m.Bool(host)}};
  p.Function("sender", types, {}, [&](std::vector<ValueId> a) {
    a.push_back(p.Op("stablehlo.create_token", {}, {token}));
    p.Op("stablehlo.send", a, {token}, attrs);
    return std::vector<ValueId>();
  });
  p.Function("receiver", {}, types, [&](std::vector<ValueId>) {
    std::vector<TypeId> results = types;
    results.push_back(token);
    const ValueId first =
        p.Op("stablehlo.recv", {p.Op("stablehlo.create_token", {}, {token})}, results, attrs);
    std::vector<ValueId> values;
    for (uint32_t i = 0; i < count; ++i) values.push_back(ValueId(first.v + i));
    return values;
  });
  out->module = p.Done();
  out->grid = {"sender", "receiver"};
  out->options.timeout_ms = 300;
  for (const Dims& shape : shapes) {
    std::vector<int64_t> values(size_t(CountOf(shape)));
    for (int64_t& value : values) value = int64_t(s.Any());
    out->args.push_back(TensorOfInts(kind, shape, values));
  }
  out->expected = out->args;
  return true;
}

}  // namespace shlo::laws
