#include "prove/dependence.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "eval/kernels/kernels.h"
#include "ir/module/symbols.h"
#include "ir/table/ops.h"

namespace shlo {
namespace {

// Passes over the program; loops in loops need several. If this many are not enough, all values depend.
constexpr int kMaxPasses = 32;

class Dependence {
 public:
  explicit Dependence(const Module& module) : m_(module), depends_(module.values.size()) {}

  std::vector<bool> Of(OpId function) {
    Collect(function);
    for (RegionId region : m_.RegionsOf(m_.ops[function.v])) MarkArgs(region);
    for (int pass = 0; changed_; ++pass) {
      if (pass == kMaxPasses) return std::vector<bool>(depends_.size(), true);
      changed_ = false;
      for (const auto& [id, callee] : ops_) Visit(m_.ops[id.v], callee);
    }
    return std::move(depends_);
  }

 private:
  void Mark(ValueId value) {
    if (depends_[value.v]) return;
    depends_[value.v] = true;
    changed_ = true;
  }
  void MarkResults(const Op& op) {
    for (uint32_t i = 0; i < m_.NumResults(op); ++i) Mark(m_.ResultOf(op, i));
  }
  void MarkResult(const Op& op, uint32_t i) {
    if (i < m_.NumResults(op)) Mark(m_.ResultOf(op, i));
  }
  void MarkArg(RegionId region, uint32_t i) {
    for (BlockId block : m_.BlocksOf(region))
      if (i < m_.blocks[block.v].args.count) Mark(m_.ArgOf(block, i));
  }
  void MarkArgs(RegionId region) {
    for (BlockId block : m_.BlocksOf(region))
      for (uint32_t i = 0; i < m_.blocks[block.v].args.count; ++i) Mark(m_.ArgOf(block, i));
  }

  // Loops and branches pass values by position; the elements of other regions are all alike.
  bool IsPositional(const Op& op) const {
    return m_.Is(op, ops::kWhile) || m_.Is(op, ops::kIf) || m_.NameOf(op) == "stablehlo.case";
  }

  // Lists the ops of a function and of all that it calls.
  void Collect(OpId function) {
    std::vector<OpId> functions{function};
    std::unordered_set<uint32_t> seen{function.v};
    while (!functions.empty()) {
      std::vector<OpId> nested{functions.back()};
      functions.pop_back();
      for (size_t i = 0; i < nested.size(); ++i) {
        const Op& op = m_.ops[nested[i].v];
        const OpId callee = CalleeOf(op);
        ops_.push_back({nested[i], callee});
        if (callee && seen.insert(callee.v).second) functions.push_back(callee);
        for (RegionId region : m_.RegionsOf(op))
          for (BlockId block : m_.BlocksOf(region))
            nested.insert(nested.end(), m_.OpsOf(block).begin(), m_.OpsOf(block).end());
      }
    }
    std::ranges::sort(ops_, {}, [](const auto& op) { return op.first.v; });
  }

  void Visit(const Op& op, OpId callee) {
    const auto operands = m_.OperandsOf(op);
    bool any = false;
    for (uint32_t i = 0; i < operands.size(); ++i) {
      if (!depends_[operands[i].v]) continue;
      any = true;
      if (m_.Is(op, ops::kWhile)) {
        for (RegionId region : m_.RegionsOf(op)) MarkArg(region, i);
        MarkResult(op, i);
      }
    }
    if (callee) {
      PassThrough(op, callee);
    } else if (any && !m_.Is(op, ops::kWhile)) {
      MarkResults(op);
      for (RegionId region : m_.RegionsOf(op)) MarkArgs(region);
    }
    if (!any) return;
    if (!op.parent) return;
    const RegionId region = m_.blocks[op.parent.v].parent;
    const Op& parent = m_.ops[m_.regions[region.v].parent.v];
    if (m_.FunctionTypeOf(parent)) return;
    if (!IsPositional(parent)) return MarkResults(parent);
    if (EndsBlock(m_, op)) Returned(op, parent, region);
  }

  // The terminator of a loop or branch has an operand that depends.
  void Returned(const Op& op, const Op& parent, RegionId region) {
    const auto regions = m_.RegionsOf(parent);
    const bool loop = m_.Is(parent, ops::kWhile);
    if (loop && region == regions[0]) {  // it decides how often the body runs
      MarkResults(parent);
      for (RegionId r : regions) MarkArgs(r);
      return;
    }
    const auto operands = m_.OperandsOf(op);
    for (uint32_t i = 0; i < operands.size(); ++i) {
      if (!depends_[operands[i].v]) continue;
      MarkResult(parent, i);
      if (loop)
        for (RegionId r : regions) MarkArg(r, i);
    }
  }

  // Returns the symbols of the module, which are listed when the first one is asked for.
  const std::unordered_map<std::string_view, OpId>& Functions() {
    if (functions_.empty() && m_.top) functions_ = SymbolsOf(m_);
    return functions_;
  }

  OpId CalleeOf(const Op& op) {
    if (!m_.RevisionIdOf(op) || !RowOf(m_.RevisionIdOf(op)).refers) return OpId();
    for (std::string_view attribute : {"callee", "decomposition"}) {
      std::string_view name;
      const AttrId attr = m_.InherentAttrOf(op, attribute);
      if (!attr || !m_.AsSymbol(attr, &name)) continue;
      if (const auto found = Functions().find(name); found != functions_.end()) return found->second;
    }
    return OpId();
  }

  // Arguments and results of a function are those of all of its calls.
  void PassThrough(const Op& op, OpId callee) {
    const auto operands = m_.OperandsOf(op);
    for (RegionId region : m_.RegionsOf(m_.ops[callee.v]))
      for (uint32_t i = 0; i < operands.size(); ++i)
        if (depends_[operands[i].v]) MarkArg(region, i);
    const auto returned = ReturnedValues(m_, callee);
    for (uint32_t i = 0; i < returned.size(); ++i)
      if (depends_[returned[i].v]) MarkResult(op, i);
  }

  const Module& m_;
  std::vector<bool> depends_;
  std::vector<std::pair<OpId, OpId>> ops_;  // with the functions that they call
  std::unordered_map<std::string_view, OpId> functions_;
  bool changed_ = true;
};

}  // namespace

std::vector<bool> DependentValues(const Module& module, OpId function) {
  return Dependence(module).Of(function);
}

std::span<const ValueId> ReturnedValues(const Module& module, OpId function) {
  const auto regions = module.RegionsOf(module.ops[function.v]);
  if (regions.size() != 1 || module.BlocksOf(regions[0]).size() != 1) return {};
  const auto ops = module.OpsOf(module.BlocksOf(regions[0])[0]);
  return ops.empty() ? std::span<const ValueId>() : module.OperandsOf(module.ops[ops.back().v]);
}

}  // namespace shlo
