// Shardings of the dialect sdy: how the dimensions of a tensor are split over the axes of a device mesh.
// Programs hold them as text ("#sdy.sharding<@mesh, [{"x"}, {}]>"). Internal to lib/eval.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ir/module/device_mesh.h"
#include "shlo/diagnostics.h"
#include "shlo/module.h"

namespace shlo {

struct AxisPart {
  size_t axis = 0;  // in the mesh
  int64_t pre = 1;  // a whole axis has pre-size 1 and its own size
  int64_t size = 1;
};

struct ValueSharding {
  DeviceMesh mesh;
  std::vector<std::vector<AxisPart>> dimensions;  // major first
  bool unreduced = false;                         // values are parts of a sum
};

// Parses the text of an attribute sdy.sharding_per_value or sdy.sharding. Meshes are looked up in `module`.
Result<std::vector<ValueSharding>> ShardingsOf(const Module& module, AttrId attr);
// Parses the text of an attribute sdy.manual_axes: names of axes.
Result<std::vector<std::string>> ManualAxesOf(const Module& module, AttrId attr);

}  // namespace shlo
