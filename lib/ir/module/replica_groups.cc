#include "ir/module/replica_groups.h"

#include <utility>

namespace shlo {
namespace {

// A mesh axis, whose sub-axes split a size of a * b * c into sizes a, b and c.
struct Axis {
  std::string_view name;
  int64_t size = 0;
};

constexpr int64_t kMostDevices = 1 << 20;

}  // namespace

tl::expected<ReplicaGroups, std::string_view> GroupsOfMesh(const Module& module, AttrId attr) {
  using Ints = std::vector<int64_t>;
  const auto fail = [](std::string_view reason) { return tl::unexpected(reason); };
  const auto groups_of = module.Get<ReplicaGroupMeshAxesAttr>(attr);
  AttrId mesh = groups_of.mesh;
  std::string_view symbol;
  if (module.AsSymbol(mesh, &symbol)) {
    AttrId found;
    for (uint32_t i = 1; i < module.ops.size() && !found; ++i) {
      const Op& op = module.ops[i];
      std::string_view name;
      if (!module.AsString(module.AttributeOf(op, "sym_name"), &name) || name != symbol) continue;
      found = module.AttributeOf(op, "mesh");
      if (!found) found = module.AttributeOf(op, "stablehlo.mesh");
    }
    mesh = found;
  }
  const auto devices_of = module.As<MeshAttr>(mesh);
  if (!devices_of) return fail("replica_groups refers to an unknown mesh");
  std::vector<Axis> axes;
  int64_t devices = 1;
  for (const AttrId axis_attr : devices_of->axes) {
    const auto axis = module.Get<MeshAxisAttr>(axis_attr);
    axes.push_back({module.strings[axis.name], axis.size});
    if (axes.back().size < 1 || axes.back().size > kMostDevices / devices) return fail("mesh is too large");
    devices *= axes.back().size;
  }
  Ints ids;
  if (devices_of->device_ids) module.AsI64s(devices_of->device_ids, &ids);
  if (ids.empty())
    for (int64_t i = 0; i < devices; ++i) ids.push_back(i);
  if (int64_t(ids.size()) != devices) return fail("number of device ids does not match the mesh");
  // Stride and size of each listed axis or sub-axis.
  std::vector<std::pair<int64_t, int64_t>> steps;  // stride, size
  for (const AttrId ref_attr : groups_of.axes) {
    const auto ref = module.As<AxisRefAttr>(ref_attr);
    if (!ref) return fail("replica_groups names an axis that the mesh does not have");
    const std::string_view name = module.strings[ref->name];
    int64_t stride = devices;
    bool known = false;
    for (const Axis& axis : axes) {
      stride /= axis.size;
      if (axis.name != name) continue;
      known = true;
      int64_t size = axis.size, own = stride;
      if (const auto part = module.As<SubAxisInfoAttr>(ref->sub_axis_info)) {
        const int64_t pre = part->pre_size;
        size = part->size;
        if (pre < 1 || size < 1 || pre > axis.size || size > axis.size || axis.size % (pre * size) != 0)
          return fail("sub-axis does not match its axis");
        own = stride * (axis.size / (pre * size));
      }
      steps.push_back({own, size});
      break;
    }
    if (!known) return fail("replica_groups refers to an axis that is not in the mesh");
  }
  ReplicaGroups groups;
  std::vector<bool> seen(static_cast<size_t>(devices));
  for (int64_t first = 0; first < devices; ++first) {
    if (seen[size_t(first)]) continue;
    Ints members{first};
    for (const auto& [stride, size] : steps) {
      Ints more;
      for (int64_t m : members)
        for (int64_t i = 0; i < size; ++i) more.push_back(m + i * stride);
      members = std::move(more);
    }
    groups.emplace_back();
    for (int64_t m : members) {
      if (m < 0 || m >= devices || seen[size_t(m)]) return fail("axes of replica_groups overlap");
      seen[size_t(m)] = true;
      groups.back().push_back(ids[size_t(m)]);
    }
  }
  return groups;
}

}  // namespace shlo
