#include "eval/grid/process_exchange.h"

#include "base/format.h"

namespace shlo {

std::string ProcessName(ProcessId id) { return StrFormat("({}, {})", id.replica, id.partition); }

std::vector<ProcessGroup> GridShape::CrossReplica(const std::vector<std::vector<int64_t>>& groups) const {
  std::vector<ProcessGroup> out;
  for (const auto& group : groups)
    for (uint32_t p = 0; p < partitions; ++p) {
      out.emplace_back();
      for (int64_t r : group) out.back().push_back({uint32_t(r), p});
    }
  return out;
}

std::vector<ProcessGroup> GridShape::CrossPartition(const std::vector<std::vector<int64_t>>& groups) const {
  std::vector<ProcessGroup> out;
  for (const auto& group : groups)
    for (uint32_t r = 0; r < replicas; ++r) {
      out.emplace_back();
      for (int64_t p : group) out.back().push_back({r, uint32_t(p)});
    }
  return out;
}

std::vector<ProcessGroup> GridShape::CrossReplicaAndPartition(
    const std::vector<std::vector<int64_t>>& groups) const {
  std::vector<ProcessGroup> out;
  for (const auto& group : groups) {
    out.emplace_back();
    for (uint32_t p = 0; p < partitions; ++p)
      for (int64_t r : group) out.back().push_back({uint32_t(r), p});
  }
  return out;
}

std::vector<ProcessGroup> GridShape::FlattenedIds(const std::vector<std::vector<int64_t>>& groups) const {
  std::vector<ProcessGroup> out;
  for (const auto& group : groups) {
    out.emplace_back();
    for (int64_t id : group) out.back().push_back({uint32_t(id) / partitions, uint32_t(id) % partitions});
  }
  return out;
}

}  // namespace shlo
