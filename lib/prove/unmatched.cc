#include "prove/unmatched.h"

#include <algorithm>

#include "base/format.h"
#include "base/stack.h"
#include "ir/module/limits.h"
#include "ir/table/ops.h"
#include "ir/table/trait.h"
#include "prove/cut_out.h"

namespace shlo::prove {
namespace {

constexpr size_t kMaxPairs = 1 << 20;

std::string Describe(const Side& side, OpId op) {
  const Place place = PlaceOf(side.module, op, side.source);
  std::string out = StrFormat("'{}'", side.module.NameOf(side.module.ops[op.v]));
  if (place.line) return StrFormat("{} at {}:{}", out, place.line, place.column);
  return place.location.empty() ? out : StrFormat("{} at {}", out, place.location);
}

class Finder {
 public:
  Finder(const Side& a, const Side& b) : a_(a), b_(b) {}

  Goals Run(OpId fa, OpId fb) {
    const auto p = a_.module.RegionsOf(a_.module.ops[fa.v]), q = b_.module.RegionsOf(b_.module.ops[fb.v]);
    if (p.size() != 1 || q.size() != 1 || !CompareRegions(p[0], q[0], &goals_.roots))
      if (goals_.obstacle.empty()) goals_.obstacle = "the functions do not have the same form";
    if (!goals_.obstacle.empty()) goals_.roots.clear();
    while (!todo_.empty() && goals_.obstacle.empty()) Expand();
    return std::move(goals_);
  }

 private:
  bool Obstacle(std::string why) {
    if (goals_.obstacle.empty()) goals_.obstacle = std::move(why);
    return false;
  }

  // Appends pairs that imply that the regions are equal. Returns false if there are no such pairs.
  bool CompareRegions(RegionId x, RegionId y, std::vector<uint32_t>* implied_by) {
    if (a_.values.ByOps(x) || b_.values.ByOps(y)) return false;
    const auto p = a_.module.BlocksOf(x), q = b_.module.BlocksOf(y);
    if (p.size() != 1 || q.size() != 1) return false;
    const Range args_a = a_.module.blocks[p[0].v].args, args_b = b_.module.blocks[q[0].v].args;
    if (args_a.count != args_b.count) return false;
    for (uint32_t i = 0; i < args_a.count; ++i)
      if (a_.values.Of(ValueId(args_a.first + i)) != b_.values.Of(ValueId(args_b.first + i))) return false;
    const auto ops_a = a_.module.OpsOf(p[0]), ops_b = b_.module.OpsOf(q[0]);
    const auto with = [](std::span<const OpId> ops, const Side& side, bool effects) {
      std::vector<OpId> out;
      for (OpId op : ops)
        if (effects ? side.values.HasEffects(op) : side.values.HasLoops(op) && !side.values.HasEffects(op))
          out.push_back(op);
      return out;
    };
    if (!SameFailures(p[0], q[0])) return false;
    for (bool effects : {true, false}) {
      auto u = with(ops_a, a_, effects), v = with(ops_b, b_, effects);
      if (!effects) {
        // Loops that both programs have need no counterpart in order.
        std::unordered_map<ClassId, int> have;
        for (OpId op : v) have[b_.values.Of(op)] |= 1;
        for (OpId op : u) have[a_.values.Of(op)] |= 2;
        std::erase_if(u, [&](OpId op) { return have[a_.values.Of(op)] == 3; });
        std::erase_if(v, [&](OpId op) { return have[b_.values.Of(op)] == 3; });
        // A loop that depends on constants only can be evaluated.
        const auto closed = [](const Side& side, std::vector<OpId>* ops, std::vector<OpId>* found) {
          std::erase_if(*ops, [&](OpId op) {
            const bool is_closed = IsClosed(side, op);
            if (is_closed) found->push_back(op);
            return is_closed;
          });
        };
        if (u.size() != v.size()) {
          closed(a_, &u, &goals_.must_end_a);
          closed(b_, &v, &goals_.must_end_b);
        }
      }
      if (u.size() != v.size()) {
        const bool more = u.size() > v.size();
        const auto& longer = more ? u : v;
        return Obstacle(
            StrFormat("{} {}, {}", Count(longer.size(), effects ? "op" : "loop"),
                      effects ? "with side effects" : "that may not end",
                      StrFormat("{} in the {} program; last: {}", std::min(u.size(), v.size()),
                                more ? "second" : "first", Describe(more ? a_ : b_, longer.back()))));
      }
      for (size_t i = 0; i < u.size(); ++i) {
        if (effects) effects_.insert(Key(u[i], v[i]));
        if (!CompareOps(u[i], v[i], implied_by))
          return Obstacle(StrFormat("{} is not the same as {} in the second program", Describe(a_, u[i]),
                                    Describe(b_, v[i])));
      }
    }
    return CompareOps(ops_a.back(), ops_b.back(), implied_by);
  }

  // Ops that are not used and may fail have no results to compare: only those that are equal will do.
  bool SameFailures(BlockId x, BlockId y) {
    const auto &u = a_.values.UnusedFailures(x), &v = b_.values.UnusedFailures(y);
    std::unordered_map<ClassId, int> have;
    for (OpId op : v) have[b_.values.Of(op)] |= 1;
    for (OpId op : u) have[a_.values.Of(op)] |= 2;
    const auto lonely = [&](const Side& side, const std::vector<OpId>& ops) {
      for (OpId op : ops)
        if (have[side.values.Of(op)] != 3) return op;
      return OpId();
    };
    const auto report = [&](const Side& side, OpId op, std::string_view other) {
      return Obstacle(
          StrFormat("{} may fail, although nothing uses it; there is no such op in the {} program",
                    Describe(side, op), other));
    };
    if (const OpId op = lonely(a_, u)) return report(a_, op, "second");
    if (const OpId op = lonely(b_, v)) return report(b_, op, "first");
    return true;
  }

  // As CompareRegions, for ops. The state of effects is compared by the caller.
  bool CompareOps(OpId x, OpId y, std::vector<uint32_t>* implied_by) {
    CheckStack();
    if (a_.values.Of(x) == b_.values.Of(y)) return true;
    const Op &u = a_.module.ops[x.v], &v = b_.module.ops[y.v];
    const auto p = a_.module.OperandsOf(u), q = b_.module.OperandsOf(v);
    if (a_.values.OfAttributes(x) != b_.values.OfAttributes(y) || p.size() != q.size()) return false;
    if (u.regions.count != v.regions.count || a_.module.NumResults(u) != b_.module.NumResults(v))
      return false;
    for (uint32_t i = 0; i < a_.module.NumResults(u); ++i)
      if (TypeOf(a_, a_.module.ResultOf(u, i)) != TypeOf(b_, b_.module.ResultOf(v, i))) return false;
    for (size_t i = 0; i < p.size(); ++i)
      if (!Need(p[i], q[i], implied_by)) return false;
    if (a_.module.Is(u, ops::kCall) && !SameCallee(u, v, implied_by)) return false;
    const auto r = a_.module.RegionsOf(u), s = b_.module.RegionsOf(v);
    for (size_t i = 0; i < r.size(); ++i)
      if (!SameRegion(r[i], s[i], implied_by)) return false;
    goals_.same_ops.push_back({x, y});
    return true;
  }

  // Nested regions have their own arguments; what is in them is compared as expressions of these.
  bool SameRegion(RegionId x, RegionId y, std::vector<uint32_t>* implied_by) {
    if (nesting_ >= kMaxNesting) return false;
    ++nesting_;
    const std::string before = goals_.obstacle;
    const bool same = CompareRegions(x, y, implied_by);
    --nesting_;
    goals_.obstacle = before;  // of the ops around the region: they are unmatched as a whole
    return same;
  }

  // Compares the functions of two calls. They return equal values if their bodies do for equal arguments.
  bool SameCallee(const Op& u, const Op& v, std::vector<uint32_t>* implied_by) {
    std::string_view x, y;
    if (!a_.module.AsSymbol(a_.module.InherentAttrOf(u, "callee"), &x) ||
        !b_.module.AsSymbol(b_.module.InherentAttrOf(v, "callee"), &y))
      return false;
    const OpId f = a_.values.Definition(x), g = b_.values.Definition(y);
    if (!f || !g) return false;
    if (a_.values.Of(f) && a_.values.Of(f) == b_.values.Of(g)) return true;
    if (callees_.try_emplace(Key(f, g)).second) {
      const auto p = a_.module.RegionsOf(a_.module.ops[f.v]), q = b_.module.RegionsOf(b_.module.ops[g.v]);
      std::vector<uint32_t> below;
      // A call of the same functions from within is not known to be equal, so that recursion is not.
      const bool same = p.size() == 1 && q.size() == 1 && SameRegion(p[0], q[0], &below);
      callees_[Key(f, g)] = {same, std::move(below)};
    }
    const Callee& known = callees_[Key(f, g)];
    implied_by->insert(implied_by->end(), known.below.begin(), known.below.end());
    return known.same;
  }

  static uint64_t Key(OpId x, OpId y) { return uint64_t(x.v) << 32 | y.v; }

  ClassId TypeOf(const Side& side, ValueId value) const {
    return side.values.nodes().Of(side.module.TypeOf(value));
  }

  // Adds the pair unless the values are known to be equal. Returns false if they cannot be.
  bool Need(ValueId x, ValueId y, std::vector<uint32_t>* implied_by) {
    if (a_.values.Of(x) && a_.values.Of(x) == b_.values.Of(y)) return true;
    if (TypeOf(a_, x) != TypeOf(b_, y)) return false;
    const uint64_t key = uint64_t(x.v) << 32 | y.v;
    const auto [found, added] = pairs_.emplace(key, uint32_t(goals_.pairs.size()));
    if (added) {
      if (goals_.pairs.size() >= kMaxPairs) return Obstacle("too many values differ");
      goals_.pairs.push_back({x, y, false, {}});
      todo_.push_back(found->second);
    }
    implied_by->push_back(found->second);
    return true;
  }

  void Expand() {
    const uint32_t next = todo_.back();
    todo_.pop_back();
    const ValueId x = goals_.pairs[next].a, y = goals_.pairs[next].b;
    const Value &u = a_.module.values[x.v], &v = b_.module.values[y.v];
    if (!u.op || !v.op || u.index != v.index) return;
    // Results of side effects are equal if the operands are, and all effects before.
    const bool effects = a_.values.HasEffects(u.op) || b_.values.HasEffects(v.op);
    if (effects && !effects_.contains(Key(u.op, v.op))) return;
    std::vector<uint32_t> below;
    // Pairs of a failed attempt stay; nothing refers to them.
    if (!CompareOps(u.op, v.op, &below)) return;
    goals_.pairs[next].implied = true;
    goals_.pairs[next].below = std::move(below);
  }

  const Side a_, b_;
  Goals goals_;
  uint32_t nesting_ = 0;
  std::unordered_map<uint64_t, uint32_t> pairs_;
  std::unordered_set<uint64_t> effects_;  // pairs of ops at the same position of the order of effects
  struct Callee {
    bool same = false;
    std::vector<uint32_t> below;
  };
  std::unordered_map<uint64_t, Callee> callees_;
  std::vector<uint32_t> todo_;
};

}  // namespace

Goals FindUnmatched(const Side& a, const Side& b, OpId function_a, OpId function_b) {
  return Finder(a, b).Run(function_a, function_b);
}

}  // namespace shlo::prove
