// sdy.manual_computation: values outside of it are those of the whole program, and its body is what each
// device of a mesh computes on its part of them (SPMD).
#include <algorithm>
#include <cstring>

#include "base/format.h"
#include "eval/kernel/kernel_args.h"
#include "eval/kernel/move_elements.h"
#include "eval/kernels/kernels.h"
#include "eval/parallel.h"
#include "eval/sharding.h"

namespace shlo {
namespace {

// The shardings of operands or results, reduced to the manual axes: the body sees other axes as replicated.
struct Shards {
  std::vector<ValueSharding> values;

  // Returns how many parts a dimension has.
  int64_t Parts(size_t value, size_t d) const {
    int64_t parts = 1;
    for (const AxisPart& axis : values[value].dimensions[d]) parts *= axis.size;
    return parts;
  }
  // Returns which part a device has.
  int64_t PartOf(size_t value, size_t d, int64_t position) const {
    int64_t part = 0;
    for (const AxisPart& axis : values[value].dimensions[d])
      part = part * axis.size + values[value].mesh.Coordinate(position, axis.axis, axis.pre, axis.size);
    return part;
  }
};

Result<Shards> ShardsOf(const KernelCall& call, std::string_view name, size_t count,
                        const std::vector<std::string>& manual) {
  std::vector<ValueSharding> values =
      SHLO_TRY(ShardingsOf(call.module, call.module.AttributeOf(call.op, name)));
  if (values.size() != count)
    return Invalid(StrFormat("'{}' has {}, expected {}", name, Count(values.size(), "sharding"), count));
  for (ValueSharding& value : values) {
    if (value.unreduced) return Error(Code::kUnsupported, "unreduced axes are not supported");
    for (auto& axes : value.dimensions)
      std::erase_if(axes, [&](const AxisPart& axis) {
        return std::ranges::find(manual, value.mesh.axes[axis.axis].name) == manual.end();
      });
  }
  return Shards{std::move(values)};
}

// Returns the part of an operand that a device has.
Result<Tensor> PartFor(const KernelCall& call, const Shards& shards, size_t i, int64_t position) {
  const Tensor& operand = call.operand(i);
  if (!operand.type().is_tensor() || operand.type().shape.size() != shards.values[i].dimensions.size())
    return Invalid(StrFormat("sharding of operand {} does not match its rank", i));
  Ints shape = operand.type().shape, start(shape.size());
  for (size_t d = 0; d < shape.size(); ++d) {
    const int64_t parts = shards.Parts(i, d);
    if (shape[d] % parts != 0)
      return Invalid(StrFormat("dimension {} of operand {} cannot be split into {}", d, i,
                               Count(uint64_t(parts), "part")));
    shape[d] /= parts;
    start[d] = shape[d] * shards.PartOf(i, d, position);
  }
  const ValueTypePtr type = MakeTensorType(operand.element(), shape, operand.type().quantization);
  return Slice(call.host, operand, start, Ints(shape.size(), 1), type);
}

// The values that a device returns.
struct DeviceValues {
  int64_t position = 0;  // in the mesh
  std::vector<Tensor> values;
};

// Sets the results from the values that devices return, in the order of their positions. Of devices with the
// same part, the first one counts, as in jax: a body may return different values on axes that its results
// claim to be replicated on.
Status Assemble(KernelCall& call, const Shards& shards, std::span<const DeviceValues> devices) {
  for (size_t i = 0; i < call.results.size(); ++i) {
    const ValueSharding& sharding = shards.values[i];
    for (size_t k = devices.size(); k-- > 0;) {
      if (devices[k].values.size() != call.results.size())
        return Invalid("body returns a wrong number of values");
      const Tensor part = Dense(call.host, devices[k].values[i]);
      if (!part) return OutOfMemory();
      Ints shape = part.type().shape;
      if (shape.size() != sharding.dimensions.size())
        return Invalid(StrFormat("sharding of result {} does not match its rank", i));
      const Ints own = shape;
      for (size_t d = 0; d < shape.size(); ++d) shape[d] *= shards.Parts(i, d);
      if (k + 1 == devices.size()) {
        SHLO_TRY(AllocateResult(call, i, shape, part));
      } else if (call.results[i].type().shape != shape || call.results[i].element() != part.element()) {
        return Invalid("devices return different types");
      }
      const Ints strides = StridesOf(shape);
      int64_t at = 0;
      for (size_t d = 0; d < shape.size(); ++d)
        at += own[d] * shards.PartOf(i, d, devices[k].position) * strides[d];
      const size_t bytes = part.element().bytes();
      CopyStrided(own, part.data(), StridesOf(own), call.results[i].mutable_data() + uint64_t(at) * bytes,
                  strides, bytes);
    }
  }
  return {};
}

}  // namespace

// Outside of a process grid, starts one process per device, whose partition id is the device id. In a grid,
// which must have one process per device, every process computes its part and collects those of the others:
// the surrounding ops are the same in all of them.
Status EvaluateManualComputation(KernelCall& call) {
  const auto regions = call.module.RegionsOf(call.op);
  if (regions.size() != 1) return Invalid("expected 1 region");
  const std::vector<std::string> manual =
      SHLO_TRY(ManualAxesOf(call.module, call.module.AttributeOf(call.op, "manual_axes")));
  const Shards in = SHLO_TRY(ShardsOf(call, "in_shardings", call.operands.size(), manual));
  const Shards out = SHLO_TRY(ShardsOf(call, "out_shardings", call.results.size(), manual));
  if (in.values.empty() && out.values.empty()) return {};
  const DeviceMesh& mesh = (in.values.empty() ? out : in).values[0].mesh;
  const size_t devices = size_t(mesh.size());
  for (const Shards* shards : {&in, &out})
    for (const ValueSharding& value : shards->values)
      if (size_t(value.mesh.size()) != devices) return Invalid("shardings have different meshes");
  const auto device_at = [&](size_t position) {
    return mesh.device_ids.empty() ? position : size_t(mesh.device_ids[position]);
  };
  std::vector<DeviceValues> parts;
  if (Process& process = call.host.process(); !process.alone) {
    const GridShape& shape = process.shape;
    if (shape.replicas != 1 || shape.partitions != devices)
      return Invalid(StrFormat("expected {}, got {}", Count(devices, "partition"), shape.partitions));
    int64_t own = 0;
    while (device_at(size_t(own)) != process.id.partition) ++own;
    // On axes that are not manual here, devices may have different values, if they are manual outside.
    ProcessGroup group;
    for (size_t position = 0; position < devices; ++position) {
      bool same = true;
      for (size_t axis = 0; axis < mesh.axes.size(); ++axis) {
        const int64_t size = mesh.axes[axis].size;
        same = same &&
               (std::ranges::find(manual, mesh.axes[axis].name) != manual.end() ||
                mesh.Coordinate(int64_t(position), axis, 1, size) == mesh.Coordinate(own, axis, 1, size));
      }
      if (!same) continue;
      group.push_back({0, uint32_t(device_at(position))});
      parts.push_back({int64_t(position), {}});
    }
    std::vector<Tensor> args;
    for (size_t i = 0; i < call.operands.size(); ++i) {
      Tensor part = SHLO_TRY(PartFor(call, in, i, own));
      args.push_back(std::move(part));
    }
    std::vector<Tensor> results = SHLO_TRY(call.host.EvalRegion(call, regions[0], args));
    // Channels of the program are not negative. Elsewhere, ids may be those of an edited program.
    const uint64_t number = process.elsewhere ? NumberOf(call.module, call.id) : call.id.v;
    const auto all =
        SHLO_TRY(process.others.Gather(group, -1 - int64_t(number), process.id, std::move(results)));
    for (size_t k = 0; k < parts.size(); ++k) parts[k].values = all.at(group[k]);
    return Assemble(call, out, parts);
  }
  if (devices > call.host.options().max_processes)
    return Error(Code::kLimit,
                 StrFormat("number of processes exceeds the limit of {}", call.host.options().max_processes));
  std::vector<ProcessJob> jobs(devices);
  for (size_t position = 0; position < devices; ++position) {
    ProcessJob& job = jobs[device_at(position)];
    job.callable = call.id;
    for (size_t i = 0; i < call.operands.size(); ++i) {
      Tensor part = SHLO_TRY(PartFor(call, in, i, int64_t(position)));
      job.args.push_back(std::move(part));
    }
  }
  EvalResult result =
      SHLO_TRY(RunProcesses(call.module, {1, uint32_t(devices)}, {}, std::move(jobs), call.host.options()));
  for (Diagnostic& failed : result.failed_checks) call.host.FailCheck(call, failed.message);
  const size_t count = call.results.size();
  if (result.results.size() != count * devices) return Invalid("body returns a wrong number of values");
  for (size_t position = 0; position < devices; ++position) {
    parts.push_back({int64_t(position), {}});
    for (size_t i = 0; i < count; ++i)
      parts.back().values.push_back(std::move(result.results[device_at(position) * count + i]));
  }
  return Assemble(call, out, parts);
}

}  // namespace shlo
