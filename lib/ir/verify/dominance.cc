// Dominators by Cooper, Harvey and Kennedy's iteration ("A Simple, Fast Dominance Algorithm").
#include "ir/verify/dominance.h"

#include <algorithm>
#include <unordered_map>

namespace shlo {
namespace {

constexpr uint32_t kNone = ~0u;

struct Graph {
  std::vector<std::vector<uint32_t>> successors;
  std::vector<std::vector<uint32_t>> predecessors;
};

Graph BuildGraph(const Module& m, std::span<const BlockId> blocks) {
  Graph g;
  g.successors.resize(blocks.size());
  g.predecessors.resize(blocks.size());
  std::unordered_map<uint32_t, uint32_t> position;
  for (uint32_t i = 0; i < blocks.size(); ++i) position[blocks[i].v] = i;
  for (uint32_t i = 0; i < blocks.size(); ++i) {
    const auto ops = m.OpsOf(blocks[i]);
    if (ops.empty()) continue;
    for (BlockId successor : m.SuccessorsOf(m.ops[ops.back().v])) {
      const auto found = position.find(successor.v);
      if (found == position.end()) continue;  // another region: the verifier reports it
      g.successors[i].push_back(found->second);
      g.predecessors[found->second].push_back(i);
    }
  }
  return g;
}

// Reachable blocks in postorder, without recursion.
std::vector<uint32_t> Postorder(const Graph& g) {
  std::vector<uint32_t> order;
  std::vector<uint8_t> seen(g.successors.size(), 0);
  std::vector<std::pair<uint32_t, size_t>> stack{{0, 0}};
  seen[0] = 1;
  while (!stack.empty()) {
    auto& [block, next] = stack.back();
    if (next < g.successors[block].size()) {
      const uint32_t successor = g.successors[block][next++];
      if (!seen[successor]) {
        seen[successor] = 1;
        stack.emplace_back(successor, 0);
      }
    } else {
      order.push_back(block);
      stack.pop_back();
    }
  }
  return order;
}

}  // namespace

DominatorTree BuildDominatorTree(const Module& m, RegionId region) {
  const auto blocks = m.BlocksOf(region);
  const Graph g = BuildGraph(m, blocks);
  const std::vector<uint32_t> postorder = Postorder(g);
  std::vector<uint32_t> number(blocks.size(), kNone);
  for (uint32_t i = 0; i < postorder.size(); ++i) number[postorder[i]] = i;

  std::vector<uint32_t> idom(blocks.size(), kNone);
  idom[0] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t k = postorder.size(); k-- > 0;) {
      const uint32_t block = postorder[k];
      if (block == 0) continue;
      uint32_t best = kNone;
      for (uint32_t p : g.predecessors[block]) {
        if (idom[p] == kNone) continue;
        if (best == kNone) {
          best = p;
          continue;
        }
        uint32_t a = p;
        while (a != best) {
          while (number[a] < number[best]) a = idom[a];
          while (number[best] < number[a]) best = idom[best];
        }
      }
      if (best != idom[block]) {
        idom[block] = best;
        changed = true;
      }
    }
  }

  DominatorTree tree;
  std::vector<std::vector<uint32_t>> children(blocks.size());
  for (uint32_t i = 1; i < blocks.size(); ++i) {
    if (idom[i] == kNone)
      tree.unreachable.push_back(i);
    else
      children[idom[i]].push_back(i);
  }
  std::vector<std::pair<uint32_t, size_t>> stack{{0, 0}};
  tree.visits.push_back({0, false});
  while (!stack.empty()) {
    auto& [block, next] = stack.back();
    if (next < children[block].size()) {
      const uint32_t child = children[block][next++];
      tree.visits.push_back({child, false});
      stack.emplace_back(child, 0);
    } else {
      tree.visits.push_back({block, true});
      stack.pop_back();
    }
  }
  return tree;
}

}  // namespace shlo
