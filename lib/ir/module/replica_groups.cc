#include "ir/module/replica_groups.h"

#include <utility>

#include "ir/module/device_mesh.h"

namespace shlo {

tl::expected<ReplicaGroups, std::string_view> GroupsOfMesh(const Module& module, AttrId attr) {
  using Ints = std::vector<int64_t>;
  const auto fail = [](std::string_view reason) { return tl::unexpected(reason); };
  const auto groups_of = module.Get<ReplicaGroupMeshAxesAttr>(attr);
  const auto mesh = MeshOf(module, groups_of.mesh);
  if (!mesh) return fail("replica_groups refers to an unknown mesh");
  int64_t devices = 1;
  for (const DeviceMesh::Axis& axis : mesh->axes) {
    if (axis.size < 1 || axis.size > kMostDevices / devices) return fail("mesh is too large");
    devices *= axis.size;
  }
  Ints ids = mesh->device_ids;
  if (ids.empty())
    for (int64_t i = 0; i < devices; ++i) ids.push_back(i);
  if (int64_t(ids.size()) != devices) return fail("number of device ids does not match the mesh");
  // Stride and size of each listed axis or sub-axis.
  std::vector<std::pair<int64_t, int64_t>> steps;  // stride, size
  int64_t members_of_group = 1;
  for (const AttrId ref_attr : groups_of.axes) {
    const auto ref = module.As<AxisRefAttr>(ref_attr);
    if (!ref) return fail("replica_groups names an axis that the mesh does not have");
    const std::string_view name = module.strings[ref->name];
    int64_t stride = devices;
    bool known = false;
    for (const DeviceMesh::Axis& axis : mesh->axes) {
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
      // Axes that do not overlap have no more devices than the mesh.
      if (size > devices / members_of_group) return fail("axes of replica_groups overlap");
      members_of_group *= size;
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
