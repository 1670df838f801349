// Named shardings of jax as HLO shardings, which older releases read.
#pragma once

#include <optional>
#include <string>

#include "serialize/container/flat_tree.h"

namespace shlo::container {

// Returns the xla.OpSharding message of a NamedSharding for an array of this rank, in the bytes that jax
// writes, or nothing if HLO shardings cannot represent it: unreduced axes, or axes that do not divide the
// mesh.
std::optional<std::string> HloShardingOf(const FlatTable& named, size_t rank);

}  // namespace shlo::container
