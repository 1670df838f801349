// Replica groups that are given by the axes of a mesh, as lists of devices.
#pragma once

#include <cstdint>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "shlo/module.h"

namespace shlo {

using ReplicaGroups = std::vector<std::vector<int64_t>>;

// Expands replica_groups given by mesh axes: devices that differ only along the listed axes form a group.
// Fails with a message if the mesh or an axis is unknown, or the mesh is too large.
tl::expected<ReplicaGroups, std::string_view> GroupsOfMesh(const Module& module, AttrId attr);

}  // namespace shlo
