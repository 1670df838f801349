// The lists that ops, regions and blocks refer to, for code that makes modules. Other code reads them by the
// functions of Module.
#pragma once

#include <span>
#include <vector>

#include "shlo/module.h"

namespace shlo {

struct ModuleLists {
  // `module` must outlive this.
  explicit ModuleLists(Module* module)
      : operands(module->operands_),
        regions(module->region_lists_),
        blocks(module->block_lists_),
        ops(module->op_lists_),
        successors(module->successors_) {}
  // Returns operands of a module whose signatures are elsewhere.
  static std::span<const ValueId> OperandsOf(const Module& module, const Op& op, uint32_t count) {
    return {module.operands_.data() + op.first_operand, count};
  }

  std::vector<ValueId>& operands;    // of ops
  std::vector<RegionId>& regions;    // of ops
  std::vector<BlockId>& blocks;      // of regions
  std::vector<OpId>& ops;            // of blocks
  std::vector<BlockId>& successors;  // of ops
};

// Appends items to a list and returns their range.
template <typename T>
Range AppendTo(std::vector<T>* list, std::span<const T> items) {
  const Range range{uint32_t(list->size()), uint32_t(items.size())};
  list->insert(list->end(), items.begin(), items.end());
  return range;
}

}  // namespace shlo
