// Device meshes, in every form in which programs state one: an attribute of StableHLO, the dictionary that
// exporters add to a mesh of Shardy ("stablehlo.mesh"), and Shardy's own attribute, which is text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shlo/module.h"

namespace shlo {

inline constexpr int64_t kMostDevices = 1 << 20;

struct DeviceMesh {
  struct Axis {
    std::string name;
    int64_t size = 1;
  };
  std::vector<Axis> axes;           // major first
  std::vector<int64_t> device_ids;  // by position in the mesh; empty: the position
  int64_t size() const;
  // Returns whether sizes are positive, there are at most kMostDevices, and each has one id if any has.
  // A mesh without axes is one device, which may have any id.
  bool valid() const;
  // Returns the coordinate of a position along an axis, or along its sub-axis ("x":(pre)size).
  int64_t Coordinate(int64_t position, size_t axis, int64_t pre, int64_t size) const;
};

// Returns the mesh that an attribute is or names, which need not be valid; nullopt if it is neither.
std::optional<DeviceMesh> MeshOf(const Module& module, AttrId attr);
// Returns the mesh that an op defines: of Shardy, or any other with an attribute of one.
std::optional<DeviceMesh> MeshDefinedBy(const Module& module, const Op& op);
// Returns the mesh that the op with this symbol at the top level of a module defines.
std::optional<DeviceMesh> MeshNamed(const Module& module, std::string_view symbol);

// A reader of the text of Shardy's attributes: tokens with spaces between them. Any failure leaves `failed`
// set.
class ShardyText {
 public:
  explicit ShardyText(std::string_view text) : text_(text) {}

  bool failed() const { return failed_; }
  void Fail() { failed_ = true; }
  bool AtEnd();
  bool Next(std::string_view token);  // without taking it
  bool Take(std::string_view token);
  void Need(std::string_view token) { failed_ = !Take(token) || failed_; }
  int64_t Number();
  std::string Quoted();
  std::string Symbol();  // after "@"
  // Reads items up to `close`.
  template <typename Item>
  void List(std::string_view close, Item item) {
    while (!failed_ && !Take(close)) {
      item();
      if (!Next(close)) Need(",");
    }
  }
  // <["x"=2, "y"=4], device_ids=[...]>
  DeviceMesh Mesh();

 private:
  std::string_view text_;
  bool failed_ = false;
};

}  // namespace shlo
