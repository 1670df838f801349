#include "reduce/outline.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "ir/module/symbols.h"
#include "ir/table/ops.h"
#include "ir/table/trait.h"

namespace shlo::reduce {

Outline::Outline(const Module& m, const ReduceOptions& options) {
  function_of.assign(m.ops.size(), kNone);
  depth.assign(m.ops.size(), kNone);
  ends_.resize(m.ops.size());
  Walk(m);
  std::unordered_map<std::string_view, uint32_t> by_name;
  for (uint32_t i = 0; i < functions.size(); ++i) by_name.emplace(m.SymbolOf(m.ops[functions[i].op.v]), i);
  for (uint32_t i = 1; i < m.ops.size(); ++i)
    ForEachSymbolOf(m, m.ops[i], [&](std::string_view name) {
      const auto found = by_name.find(name);
      if (found != by_name.end()) functions[found->second].callers.push_back(OpId(i));
    });
  for (Function& f : functions) {
    f.together = std::ranges::find(options.together, m.SymbolOf(m.ops[f.op.v])) != options.together.end();
    f.changeable = f.body && f.callers.empty() && !f.together && !options.keep_signatures;
  }
}

// Not recursive: nesting comes from the input.
void Outline::Walk(const Module& m) {
  struct Item {
    OpId op;
    uint32_t function;
    uint32_t depth;
  };
  std::vector<Item> todo;
  const auto add_regions = [&](OpId id, uint32_t function, uint32_t d) {
    for (RegionId region : m.RegionsOf(m.ops[id.v]))
      for (BlockId block : m.BlocksOf(region)) {
        const auto list = m.OpsOf(block);
        // Ops of unknown dialects may end a block, too: what comes last and has no results.
        if (!list.empty()) {
          const Op& last = m.ops[list.back().v];
          ends_[list.back().v] =
              m.RevisionIdOf(last) ? m.Has(last, Trait::kTerminator) : d > 0 && m.NumResults(last) == 0;
        }
        for (OpId op : list) todo.push_back({op, function, d});
      }
  };
  add_regions(m.top, kNone, 0);
  while (!todo.empty()) {
    Item item = todo.back();
    todo.pop_back();
    const Op& op = m.ops[item.op.v];
    if (item.depth == 0 && m.Is(op, ops::kFunc)) {
      item.function = uint32_t(functions.size());
      Function f;
      f.op = item.op;
      const auto regions = m.RegionsOf(op);
      if (regions.size() == 1 && m.BlocksOf(regions[0]).size() == 1) {
        const auto list = m.OpsOf(m.BlocksOf(regions[0])[0]);
        if (!list.empty() && m.Is(m.ops[list.back().v], ops::kFuncReturn)) {
          f.body = m.BlocksOf(regions[0])[0];
          f.end = list.back();
        }
      }
      functions.push_back(std::move(f));
    }
    function_of[item.op.v] = item.function;
    depth[item.op.v] = item.depth;
    max_depth = std::max(max_depth, item.depth);
    add_regions(item.op, item.function, item.depth + 1);
  }
  for (uint32_t i = 1; i < m.ops.size(); ++i) ops += depth[i] != kNone && !ends_[i];
}

}  // namespace shlo::reduce
