// An OpSharding that is tiled states how often each dimension is split, and in which order the devices take
// the tiles: the numbers 0 to N-1 shaped as `iota_reshape_dims`, transposed by `iota_transpose_perm`. A last
// extra dimension has the devices that share a tile. A message without fields means replicated. Fields:
//
//   1 type (3: tiled)   3 tile_assignment_dimensions   6 replicate_on_last_tile_dim
//   9 iota_reshape_dims   10 iota_transpose_perm
#include "serialize/container/hlo_sharding.h"

#include <algorithm>
#include <vector>

#include "jax_export_generated.h"
#include "serialize/varint.h"

namespace shlo::container {
namespace {

using jax_export::Mesh;
using jax_export::NamedSharding;
using jax_export::PartitionSpec;
using jax_export::SplitAxes;

struct Axis {
  std::string_view name;
  uint32_t size;
  bool used = false;
};

void PutList(ByteBuffer* out, uint8_t field, const std::vector<uint64_t>& values) {
  ByteBuffer packed;
  for (const uint64_t value : values) packed.Varint(value);
  out->Byte(uint8_t(field << 3 | 2));
  out->Varint(packed.size());
  out->Bytes(packed.view());
}

// Merges axes that stay next to each other when transposed, as XLA does before it writes them.
void MergeAxes(std::vector<uint64_t>* sizes, std::vector<uint64_t>* order) {
  for (size_t i = 0; i + 1 < order->size();) {
    const uint64_t axis = (*order)[i];
    if ((*order)[i + 1] != axis + 1) {
      ++i;
      continue;
    }
    (*sizes)[axis] *= (*sizes)[axis + 1];
    sizes->erase(sizes->begin() + ptrdiff_t(axis) + 1);
    order->erase(order->begin() + ptrdiff_t(i) + 1);
    for (uint64_t& other : *order) other -= other > axis;
  }
}

// Reads the axes of a mesh that split anything. Returns false if the mesh is invalid or has manual axes,
// whose meaning depends on the program.
bool ReadAxes(const FlatTable& mesh, std::vector<Axis>* axes) {
  const FlatField* sizes = mesh.Find(Mesh::VT_AXIS_SIZES);
  const FlatField* names = mesh.Find(Mesh::VT_AXIS_NAMES);
  if (!sizes || !names) return false;
  if (sizes->bytes.size() != names->strings.size() * sizeof(uint32_t)) return false;
  if (const FlatField* types = mesh.Find(Mesh::VT_AXIS_TYPES))
    for (const char type : types->bytes)
      if (jax_export::AxisType(type) == jax_export::AxisType_manual) return false;
  uint64_t devices = 1;
  for (size_t i = 0; i < names->strings.size(); ++i) {
    Axis axis{names->strings[i], 0};
    std::memcpy(&axis.size, sizes->bytes.data() + i * sizeof axis.size, sizeof axis.size);
    devices *= axis.size;
    if (axis.size == 0 || devices > ~uint32_t(0)) return false;
    if (axis.size > 1) axes->push_back(axis);
  }
  return true;
}

}  // namespace

std::optional<std::string> HloShardingOf(const FlatTable& named, size_t rank) {
  const FlatTable* mesh = named.GetTable(NamedSharding::VT_MESH);
  const FlatTable* spec = named.GetTable(NamedSharding::VT_SPEC);
  std::vector<Axis> axes;
  if (!mesh || !spec || !ReadAxes(*mesh, &axes)) return std::nullopt;
  for (const auto slot : {PartitionSpec::VT_REDUCED, PartitionSpec::VT_UNREDUCED})
    if (const FlatField* special = spec->Find(slot); special && !special->strings.empty())
      return std::nullopt;
  const auto dimensions = spec->GetTables(PartitionSpec::VT_DIMENSIONS);
  if (dimensions.size() > rank) return std::nullopt;
  std::vector<uint64_t> tiles(rank, 1), sizes, order;
  for (size_t i = 0; i < dimensions.size(); ++i) {
    const FlatField* split = dimensions[i].Find(SplitAxes::VT_AXES);
    if (!split) continue;
    for (const std::string_view name : split->strings) {
      const auto axis = std::find_if(axes.begin(), axes.end(), [&](const Axis& a) { return a.name == name; });
      if (axis == axes.end()) {
        // An axis of one device was dropped; any other name is not of this mesh.
        const auto& all = mesh->Find(Mesh::VT_AXIS_NAMES)->strings;
        if (std::find(all.begin(), all.end(), name) == all.end()) return std::nullopt;
        continue;
      }
      if (axis->used) return std::nullopt;
      axis->used = true;
      tiles[i] *= axis->size;
      order.push_back(uint64_t(axis - axes.begin()));
    }
  }
  if (order.empty()) return std::string();
  uint64_t shared = 1;
  for (size_t i = 0; i < axes.size(); ++i) {
    sizes.push_back(axes[i].size);
    if (axes[i].used) continue;
    shared *= axes[i].size;
    order.push_back(i);
  }
  if (shared > 1) tiles.push_back(shared);
  MergeAxes(&sizes, &order);
  ByteBuffer out;
  out.Byte(1 << 3);
  out.Varint(3);
  PutList(&out, 3, tiles);
  if (shared > 1) {
    out.Byte(6 << 3);
    out.Varint(1);
  }
  PutList(&out, 9, sizes);
  PutList(&out, 10, order);
  return std::string(out.view());
}

}  // namespace shlo::container
