#include "prove/matching.h"

#include <algorithm>
#include <unordered_map>

#include "base/stack.h"
#include "ir/module/node_versions.h"
#include "ir/table/trait.h"

namespace shlo::prove {
namespace {

// Anchors of ops: the innermost region whose arguments or effects it needs. Ops with
// the same class that depend on the same region are equal wherever they are.
class Anchors {
 public:
  Anchors(const Module& module, Numbering& numbering) : m_(module), classes_(numbering) {
    ops.push_back(OpId());
    numbers.resize(m_.ops.size());
    of_op.resize(m_.ops.size());
    in_order.resize(m_.ops.size());
    of_value_.resize(m_.values.size());
    depths_.resize(m_.regions.size());
    for (OpId op : m_.BodyOpsOf(m_.ops[m_.top.v])) {
      top_level.push_back(op);
      Walk(op, RegionId(), false);
    }
  }

  bool IsFunctionOp(OpId op) const { return m_.Has(m_.ops[op.v], Trait::kFunction); }

  std::vector<OpId> ops;          // by number
  std::vector<uint32_t> numbers;  // by op
  std::vector<RegionId> of_op;    // by op; none: nothing
  std::vector<uint8_t> in_order;  // by op: its region is compared op by op
  std::vector<OpId> top_level;    // in order

 private:
  uint32_t DepthOf(RegionId region) const { return region ? depths_[region.v] : 0; }

  // Returns the anchor of an op in `region`.
  RegionId Walk(OpId id, RegionId region, bool by_ops) {
    CheckStack();
    numbers[id.v] = uint32_t(ops.size());
    ops.push_back(id);
    in_order[id.v] = by_ops;
    const Op& op = m_.ops[id.v];
    RegionId anchor;
    const auto depend = [&](RegionId on) {
      if (DepthOf(on) > DepthOf(anchor)) anchor = on;
    };
    for (ValueId operand : m_.OperandsOf(op)) depend(of_value_[operand.v]);
    for (RegionId nested : m_.RegionsOf(op)) {
      depths_[nested.v] = DepthOf(region) + 1;
      for (BlockId block : m_.BlocksOf(nested)) {
        for (uint32_t i = 0; i < m_.blocks[block.v].args.count; ++i) of_value_[m_.ArgOf(block, i).v] = nested;
        for (OpId inner : m_.OpsOf(block)) {
          const RegionId on = Walk(inner, nested, classes_.ByOps(nested));
          if (DepthOf(on) <= DepthOf(region)) depend(on);
        }
      }
    }
    const bool ends = m_.Has(op, Trait::kTerminator);
    if (by_ops || ends || classes_.HasEffects(id) || classes_.HasLoops(id)) anchor = region;
    of_op[id.v] = anchor;
    for (uint32_t i = 0; i < m_.NumResults(op); ++i) of_value_[m_.ResultOf(op, i).v] = anchor;
    return anchor;
  }

  const Module& m_;
  Numbering& classes_;
  std::vector<RegionId> of_value_;  // by value
  std::vector<uint32_t> depths_;    // by region: 1 in functions
};

class Matcher {
 public:
  Matcher(const Module& a, Numbering& of_a, const Module& b, Numbering& of_b)
      : a_(a), b_(b), of_a_(of_a), of_b_(of_b), in_a_(a, of_a), in_b_(b, of_b) {}

  Matching Run(const std::vector<std::string_view>& functions) {
    repeats_.resize(in_a_.ops.size());
    matches_.resize(in_b_.ops.size());
    seen_.resize(b_.attrs.size());
    regions_.resize(b_.regions.size());
    repeated_.resize(a_.regions.size());
    for (RegionId top : a_.RegionsOf(a_.ops[a_.top.v])) repeated_[top.v] = top;
    for (uint32_t n = 1; n < in_a_.ops.size(); ++n) AddFirst(n);
    for (std::string_view name : functions) MatchFunction(of_b_.Definition(name), of_a_.Definition(name));
    MatchOthers();
    MatchAttributes(b_.ops[b_.top.v]);
    for (TypeId type(1); type.v < b_.types.size(); ++type.v)
      if (const auto opaque = b_.As<OpaqueType>(type)) MatchMentions(b_.strings[opaque->text]);
    Matching matching;
    matching.matches = RunsOf(matches_);
    matching.repeats = RunsOf(repeats_);
    return matching;
  }

 private:
  using Key = uint64_t;
  Key KeyOf(ClassId id, RegionId anchor) const { return uint64_t(id) << 32 | anchor.v; }

  // The key of an op of the first program.
  Key KeyOf(OpId op) const {
    const RegionId anchor = in_a_.of_op[op.v];
    return KeyOf(of_a_.Of(op), anchor ? repeated_[anchor.v] : anchor);
  }

  // Notes the first op of each class and anchor of the first program, and those that repeat it. Regions of
  // repeated ops count as those of the first one.
  void AddFirst(uint32_t n) {
    const OpId op = in_a_.ops[n];
    const auto regions = a_.RegionsOf(a_.ops[op.v]);
    for (RegionId region : regions) repeated_[region.v] = region;
    if (!of_a_.Of(op)) return;
    if (!repeats_[n]) {
      const auto [found, added] = first_.emplace(KeyOf(op), n);
      if (added) return;
      const RegionId around = a_.blocks[a_.ops[op.v].parent.v].parent;
      const bool within = around && around != repeated_[around.v];
      const bool fixed = in_a_.in_order[op.v] || (!in_a_.IsFunctionOp(op) && Top(a_, op)) ||
                         (!in_a_.IsFunctionOp(op) && of_a_.HasEffects(op));
      if (fixed && !within) return;
      repeats_[n] = found->second;
    }
    const auto first = a_.RegionsOf(a_.ops[in_a_.ops[repeats_[n]].v]);
    for (size_t i = 0; i < regions.size(); ++i) {
      repeated_[regions[i].v] = repeated_[first[i].v];
      if (of_a_.ByOps(regions[i])) RepeatInOrder(first[i], regions[i]);
    }
  }

  void RepeatInOrder(RegionId first, RegionId again) {
    const auto p = a_.BlocksOf(first), q = a_.BlocksOf(again);
    for (size_t i = 0; i < std::min(p.size(), q.size()); ++i) {
      const auto u = a_.OpsOf(p[i]), v = a_.OpsOf(q[i]);
      for (size_t k = 0; k < std::min(u.size(), v.size()); ++k)
        repeats_[in_a_.numbers[v[k].v]] = in_a_.numbers[u[k].v];
    }
  }

  static bool Top(const Module& m, OpId op) {
    const BlockId block = m.ops[op.v].parent;
    return !block || m.regions[m.blocks[block.v].parent.v].parent == m.top;
  }

  void MatchFunction(OpId y, OpId x) {
    if (!y || !x || matches_[in_b_.numbers[y.v]]) return;
    MatchPair(y, x);
  }

  void MatchPair(OpId y, OpId x) {
    CheckStack();
    const Op &p = a_.ops[x.v], &q = b_.ops[y.v];
    matches_[in_b_.numbers[y.v]] = in_a_.numbers[x.v];
    MatchAttributes(q);
    const auto u = a_.RegionsOf(p), v = b_.RegionsOf(q);
    for (size_t i = 0; i < std::min(u.size(), v.size()); ++i) MatchRegions(u[i], v[i]);
  }

  void MatchAttributes(const Op& op) {
    for (AttrId attr : b_.InherentAttrsOf(op)) MatchSymbols(attr);
    for (const NamedAttr& attr : b_.DiscardableAttrsOf(op)) MatchSymbols(attr.value);
  }

  // Functions that are called, or whose names are part of an attribute.
  void MatchSymbols(AttrId attr) {
    if (!attr || seen_[attr.v]) return;
    seen_[attr.v] = true;
    std::string_view name;
    if (b_.attrs.KindOf(attr) == AttrKind::kSymbolRef && b_.AsSymbol(attr, &name)) MatchSymbol(name);
    if (const auto opaque = b_.As<OpaqueAttr>(attr)) MatchMentions(b_.strings[opaque->text]);
    const auto node = b_.attrs[attr];
    ForEachChild(
        RowOf(node.kind), node.words, [](TypeId) {}, [&](AttrId child) { MatchSymbols(child); });
  }
  void MatchMentions(std::string_view text) {
    ForEachMention(text, [&](std::string_view name) { MatchSymbol(name); });
  }

  // Matches a function with one of the first program that has the same class.
  void MatchSymbol(std::string_view name) {
    const OpId y = of_b_.Definition(name);
    const auto found = y ? first_.find(KeyOf(of_b_.Of(y), RegionId())) : first_.end();
    if (found != first_.end()) MatchFunction(y, in_a_.ops[found->second]);
  }

  void MatchRegions(RegionId x, RegionId y) {
    regions_[y.v] = x;
    const auto p = a_.BlocksOf(x), q = b_.BlocksOf(y);
    for (size_t i = 0; i < std::min(p.size(), q.size()); ++i) {
      const auto u = a_.OpsOf(p[i]), v = b_.OpsOf(q[i]);
      if (of_b_.ByOps(y)) {
        for (size_t k = 0; k < std::min(u.size(), v.size()); ++k) MatchPair(v[k], u[k]);
        continue;
      }
      // The op at the same place is a better match than the first of its class: runs become longer.
      size_t place = 0;
      for (OpId op : v) {
        const ClassId id = of_b_.Of(op);
        const RegionId anchor = in_b_.of_op[op.v];
        if (!id || (anchor && !regions_[anchor.v])) continue;
        const Key key = KeyOf(id, anchor ? repeated_[regions_[anchor.v].v] : anchor);
        const auto same = [&](OpId other) { return KeyOf(other) == key; };
        OpId other;
        if (place < u.size() && same(u[place])) {
          other = u[place];
        } else if (const auto found = first_.find(key); found != first_.end()) {
          other = in_a_.ops[found->second];
        }
        if (!other) continue;
        const BlockId block = a_.ops[other.v].parent;
        if (block == p[i] && !(place < u.size() && u[place] == other)) {
          const auto at = std::lower_bound(u.begin(), u.end(), other, [&](OpId one, OpId two) {
            return in_a_.numbers[one.v] < in_a_.numbers[two.v];
          });
          place = size_t(at - u.begin());
        }
        if (block == p[i]) ++place;
        MatchPair(op, other);
      }
    }
  }

  // The rest of the modules, without functions: each op of a class with the one of the same rank.
  void MatchOthers() {
    std::unordered_map<ClassId, std::vector<OpId>> others;
    for (OpId op : in_a_.top_level)
      if (!in_a_.IsFunctionOp(op)) others[of_a_.OfTopLevel(op)].push_back(op);
    for (auto& entry : others) std::ranges::reverse(entry.second);
    for (OpId op : in_b_.top_level) {
      if (in_b_.IsFunctionOp(op)) continue;
      std::vector<OpId>& left = others[of_b_.OfTopLevel(op)];
      if (left.empty()) continue;
      MatchPair(op, left.back());
      left.pop_back();
    }
  }

  static std::vector<MatchRun> RunsOf(const std::vector<uint32_t>& to) {
    std::vector<MatchRun> runs;
    for (uint32_t n = 1; n < to.size(); ++n) {
      if (!to[n]) continue;
      if (!runs.empty()) {
        MatchRun& last = runs.back();
        if (last.first + last.count == n && last.to + last.count == to[n]) {
          ++last.count;
          continue;
        }
      }
      runs.push_back({n, to[n], 1});
    }
    return runs;
  }

  const Module &a_, &b_;
  Numbering &of_a_, &of_b_;
  const Anchors in_a_, in_b_;
  std::unordered_map<Key, uint32_t> first_;  // number of the first op with a class and anchor
  std::vector<uint32_t> repeats_, matches_;  // by number
  std::vector<bool> seen_;                   // by attribute of the second program
  std::vector<RegionId> regions_;            // by region of the second program: that of the first
  std::vector<RegionId> repeated_;           // by region of the first program: itself, or an earlier one
};

// Numbers what a module has besides functions.
void NumberOthers(const Module& m, Numbering& numbering) {
  for (OpId op : m.BodyOpsOf(m.ops[m.top.v]))
    if (!m.Has(m.ops[op.v], Trait::kFunction)) numbering.OfTopLevel(op);
}

}  // namespace

Matching Match(const Module& a, Numbering& of_a, const Module& b, Numbering& of_b,
               const std::vector<std::string_view>& functions) {
  NumberOthers(a, of_a);
  NumberOthers(b, of_b);
  return Matcher(a, of_a, b, of_b).Run(functions);
}

}  // namespace shlo::prove
