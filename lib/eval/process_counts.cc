// The processes that a program is for.
#include <algorithm>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/guarded.h"
#include "eval/evaluator.h"
#include "eval/kernel/kernel_args.h"
#include "eval/kernels/kernels.h"
#include "eval/parallel.h"
#include "ir/module/device_mesh.h"
#include "ir/table/ops.h"
#include "shlo/evaluate.h"

namespace shlo {
namespace {

constexpr std::string_view kManualComputation = "sdy.manual_computation";

bool TakesProcesses(const Module& module, const Op& op) {
  if (KernelOf(module, op).reach == Reach::kProcesses) return true;
  std::string_view target;
  return module.Is(op, ops::kCustomCall) &&
         module.AsString(module.InherentAttrOf(op, "call_target_name"), &target) && CallsProcesses(target);
}

// Adds the functions that an attribute names.
void AddSymbols(const Module& module, AttrId attr, std::vector<std::string_view>* out) {
  std::string_view symbol;
  if (!attr) return;
  if (const auto array = module.As<ArrayAttr>(attr)) {
    for (const AttrId item : array->elements)
      if (module.AsSymbol(item, &symbol)) out->push_back(symbol);
  } else if (module.AsSymbol(attr, &symbol)) {
    out->push_back(symbol);
  }
}

// Returns the ops of a function, and of those that it calls, in which several processes take part. Those in
// sdy.manual_computation are not among them: it starts its own processes.
std::vector<OpId> ProcessOps(const Module& module, const Evaluator& evaluator, OpId function) {
  std::vector<OpId> found, todo{function};  // not recursive: nesting comes from the input
  std::unordered_set<uint32_t> seen{function.v};
  while (!todo.empty()) {
    const Op& op = module.ops[todo.back().v];
    if (TakesProcesses(module, op)) found.push_back(todo.back());
    todo.pop_back();
    if (module.NameOf(op) == kManualComputation) continue;
    std::vector<std::string_view> called;
    if (module.RevisionIdOf(op) && RowOf(module.RevisionIdOf(op)).refers)
      for (const std::string_view name : {"callee", "decomposition", "called_computations"})
        AddSymbols(module, module.AttributeOf(op, name), &called);
    for (const std::string_view symbol : called)
      if (const OpId callee = evaluator.FindByName(symbol); callee && seen.insert(callee.v).second)
        todo.push_back(callee);
    for (const OpId nested : module.BodyOpsOf(op)) todo.push_back(nested);
  }
  return found;
}

// Returns the counts that the module states.
std::optional<ProcessCounts> StatedCounts(const Module& module) {
  const Op& top = module.ops[module.top.v];
  int64_t replicas = 0, partitions = 0;
  const bool states_replicas = module.AsInteger(module.AttributeOf(top, "mhlo.num_replicas"), &replicas);
  const bool states_partitions =
      module.AsInteger(module.AttributeOf(top, "mhlo.num_partitions"), &partitions);
  if (!states_replicas && !states_partitions) return std::nullopt;
  return ProcessCounts{uint64_t(std::max<int64_t>(replicas, 1)), uint64_t(std::max<int64_t>(partitions, 1))};
}

// Returns the counts for the mesh by whose axes an op forms groups, or else for a mesh of the module.
ProcessCounts CountsOfMesh(const Module& module, std::span<const OpId> ops) {
  bool channels = false;
  uint64_t devices = 0;
  const auto see = [&](const std::optional<DeviceMesh>& mesh) {
    if (mesh && mesh->valid()) devices = std::max(devices, uint64_t(mesh->size()));
  };
  for (const OpId id : ops) {
    const Op& op = module.ops[id.v];
    int64_t channel = 0;
    channels = channels || (module.AsInteger(module.AttributeOf(op, "channel_id"), &channel) && channel > 0);
    if (const auto groups = module.As<ReplicaGroupMeshAxesAttr>(module.AttributeOf(op, "replica_groups")))
      see(MeshOf(module, groups->mesh));
  }
  if (devices == 0)
    for (const OpId id : module.BodyOpsOf(module.ops[module.top.v]))
      see(MeshDefinedBy(module, module.ops[id.v]));
  devices = std::max<uint64_t>(devices, 1);
  return channels ? ProcessCounts{1, devices} : ProcessCounts{devices, 1};
}

}  // namespace

Result<ProcessCounts> ProcessesOf(const Module& module, std::string_view function,
                                  const EvalOptions& options) {
  return Guarded(options.limits, [&]() -> Result<ProcessCounts> {
    const Evaluator evaluator(module, options);
    const OpId id = evaluator.FindFunction(function);
    if (!id) return ProcessCounts();
    const std::vector<OpId> ops = ProcessOps(module, evaluator, id);
    if (ops.empty()) return ProcessCounts();
    const auto stated = StatedCounts(module);
    const ProcessCounts counts = stated ? *stated : CountsOfMesh(module, ops);
    const uint64_t most = options.max_processes;
    SHLO_TRY(CheckProcessCount(
        counts.replicas > most || counts.partitions > most ? most + 1 : counts.replicas * counts.partitions,
        options));
    return counts;
  });
}

}  // namespace shlo
