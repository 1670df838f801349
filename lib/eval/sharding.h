// Shardings of the dialect sdy: how the dimensions of a tensor are split over the axes of a device mesh.
// Programs hold them as text ("#sdy.sharding<@mesh, [{"x"}, {}]>"). Internal to lib/eval.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "shlo/diagnostics.h"
#include "shlo/module.h"

namespace shlo {

struct DeviceMesh {
  struct Axis {
    std::string name;
    int64_t size = 1;
  };
  std::vector<Axis> axes;           // major first
  std::vector<int64_t> device_ids;  // by position in the mesh; empty: the position
  int64_t size() const;
  // Returns the coordinate of a position along an axis, or along its sub-axis ("x":(pre)size).
  int64_t Coordinate(int64_t position, size_t axis, int64_t pre, int64_t size) const;
};

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
