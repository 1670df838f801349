#include "diff/matching.h"

#include <algorithm>
#include <map>

#include "base/deadline.h"
#include "ir/table/trait.h"

namespace shlo::diff {
namespace {

// Operands, results and uses that are asked for votes: what has more of them is matched without.
constexpr size_t kMaxVoters = 8;
constexpr size_t kMaxUses = 64;

bool IsTerminator(const Module& m, OpId op) {
  const RevisionId revision = m.RevisionIdOf(m.ops[op.v]);
  return revision && RowOf(revision).Has(Trait::kTerminator);
}

BlockId BlockOf(const Flow& flow, OpId op) { return flow.module().ops[op.v].parent; }

}  // namespace

void Matching::Pair(OpId a, OpId b) {
  a_.ops[a.v] = b;
  b_.ops[b.v] = a;
  const Module &m = a_.flow.module(), &n = b_.flow.module();
  PairValues(m.ResultsOf(m.ops[a.v]), n.ResultsOf(n.ops[b.v]));
}

// Arguments or results: by index, or, if some were added or removed, from both ends as far as they are used
// alike.
void Matching::PairValues(Range a, Range b) {
  const auto pair = [&](uint32_t x, uint32_t y) {
    a_.values[x] = ValueId(y);
    b_.values[y] = ValueId(x);
  };
  uint32_t first = 0, last = 0;  // matched from the ends
  const uint32_t least = std::min(a.count, b.count);
  if (a.count != b.count) {
    const auto alike = [&](uint32_t i, uint32_t j) {
      return a_.flow.UpOf(ValueId(a.first + i)) == b_.flow.UpOf(ValueId(b.first + j));
    };
    while (first < least && alike(first, first)) ++first;
    while (first + last < least && alike(a.count - 1 - last, b.count - 1 - last)) ++last;
  }
  for (uint32_t i = 0; i < least - last; ++i) pair(a.first + i, b.first + i);
  for (uint32_t i = 1; i <= last; ++i) pair(a.first + a.count - i, b.first + b.count - i);
}

void Matching::PairBlocks(BlockId a, BlockId b) {
  a_.blocks[a.v] = b;
  b_.blocks[b.v] = a;
  const Module &m = a_.flow.module(), &n = b_.flow.module();
  PairValues(m.blocks[a.v].args, n.blocks[b.v].args);
  PairOps(m.OpsOf(a), n.OpsOf(b));
}

bool Matching::Same(ValueId a, ValueId b) const {
  if (a_.values[a.v] == b) return true;
  const OpId x = a_.flow.module().values[a.v].op, y = b_.flow.module().values[b.v].op;
  return x && y && a_.flow.Exact(a) && b_.flow.Exact(b) && a_.flow.DownOf(a) == b_.flow.DownOf(b) &&
         a_.blocks[BlockOf(a_.flow, x).v] == BlockOf(b_.flow, y);
}

void Matching::PairOps(std::span<const OpId> a, std::span<const OpId> b) {
  if (a.empty() || b.empty()) return;
  const Module &m = a_.flow.module(), &n = b_.flow.module();
  if (!InB(a.back()) && !InA(b.back()) && IsTerminator(m, a.back()) && IsTerminator(n, b.back()) &&
      a_.flow.KindOf(a.back()) == b_.flow.KindOf(b.back()))
    Pair(a.back(), b.back());
  PairClasses(a, b, &Flow::DownOf);
  PairClasses(a, b, &Flow::UpOf);
  ByVotes(a, kKindTied);
  ByPlace(a, b, &Flow::SelfOf, /*sources=*/true);
  ByPlace(a, b, &Flow::SelfOf, false);
  ByPlace(a, b, &Flow::KindOf, false);
  ByVotes(a, kReplaced);
}

// Matches the ops of each class that has as many in both programs, in order.
void Matching::PairClasses(std::span<const OpId> a, std::span<const OpId> b,
                           ClassId (Flow::*of)(OpId) const) {
  struct Ops {
    std::vector<OpId> a, b;
  };
  std::unordered_map<ClassId, Ops> by_class;
  for (OpId op : a) {
    Tick();
    if (!InB(op)) by_class[(a_.flow.*of)(op)].a.push_back(op);
  }
  for (OpId op : b) {
    Tick();
    if (InA(op)) continue;
    const auto found = by_class.find((b_.flow.*of)(op));
    if (found != by_class.end()) found->second.b.push_back(op);
  }
  for (OpId op : a) {
    Tick();
    if (InB(op)) continue;
    const Ops& ops = by_class[(a_.flow.*of)(op)];
    if (ops.a.size() != ops.b.size() || ops.a[0] != op) continue;
    for (size_t i = 0; i < ops.a.size(); ++i) Pair(ops.a[i], ops.b[i]);
  }
}

bool Matching::Fits(const Side& from, OpId op, const Side& to, OpId other, Level level) const {
  if (level <= kSelfTied) return from.flow.SelfOf(op) == to.flow.SelfOf(other);
  if (level <= kKindTied) return from.flow.KindOf(op) == to.flow.KindOf(other);
  const Module &m = from.flow.module(), &n = to.flow.module();
  return m.NumResults(m.ops[op.v]) == n.NumResults(n.ops[other.v]);
}

// Returns the unmatched op of the other program that most matched operands and users of this one speak for.
Matching::Candidate Matching::Best(const Side& from, const Side& to, OpId op, Level level) const {
  const Module &m = from.flow.module(), &n = to.flow.module();
  const BlockId block = from.blocks[m.ops[op.v].parent.v];
  std::vector<Candidate> found;
  const auto vote = [&](OpId other) {
    if (to.ops[other.v] || n.ops[other.v].parent != block || !Fits(from, op, to, other, level)) return;
    const auto known = std::ranges::find(found, other, &Candidate::op);
    if (known != found.end())
      ++known->votes;
    else if (found.size() < kMaxUses)
      found.push_back({other, 1});
  };
  const Range results = m.ResultsOf(m.ops[op.v]);
  for (uint32_t r = 0; r < std::min<size_t>(results.count, kMaxVoters); ++r) {
    const auto uses = from.flow.UsesOf(ValueId(results.first + r));
    for (const Use& use : uses.first(std::min(uses.size(), kMaxUses))) {
      const OpId user = from.ops[use.op.v];
      if (!user) continue;
      const auto inputs = to.flow.InputsOf(user);
      if (use.index >= inputs.size()) continue;
      const Value& value = n.values[inputs[use.index].v];
      if (value.op && value.index == r) vote(value.op);
    }
  }
  // The users tell which op replaces another.
  const auto inputs = from.flow.InputsOf(op);
  for (uint32_t i = 0; level < kReplaced && i < std::min(inputs.size(), kMaxVoters); ++i) {
    const ValueId other = from.values[inputs[i].v];
    if (!other) continue;
    const auto uses = to.flow.UsesOf(other);
    for (const Use& use : uses.first(std::min(uses.size(), kMaxUses)))
      if (use.index == i) vote(use.op);
  }
  Tick(1 + found.size());
  Candidate best;
  for (const Candidate& candidate : found) {
    if (candidate.votes > best.votes)
      best = candidate;
    else if (candidate.votes == best.votes) {
      best.tied = true;
      if (to.flow.PositionOf(candidate.op) < to.flow.PositionOf(best.op)) best.op = candidate.op;
    }
  }
  return best;
}

bool Matching::TryPair(OpId a, Level level) {
  const Candidate b = Best(a_, b_, a, level);
  if (!b.op) return false;
  const Candidate back = Best(b_, a_, b.op, level);
  const bool clear = !b.tied && !back.tied;
  if ((level == kSelf || level == kKind) && !clear) return false;
  // Another op has more in common with it.
  if (back.votes > b.votes || (!back.tied && back.op != a)) return false;
  Pair(a, b.op);
  PushNeighbors(a);
  return true;
}

void Matching::PushNeighbors(OpId a) {
  const Module& m = a_.flow.module();
  const BlockId block = m.ops[a.v].parent;
  const auto push = [&](OpId op) {
    if (op && !InB(op) && m.ops[op.v].parent == block) fresh_.push_back(op);
  };
  const auto inputs = a_.flow.InputsOf(a);
  for (ValueId input : inputs) push(m.values[input.v].op);
  for (uint32_t r = 0; r < m.NumResults(m.ops[a.v]); ++r) {
    const auto uses = a_.flow.UsesOf(m.ResultOf(m.ops[a.v], r));
    for (const Use& use : uses.first(std::min(uses.size(), kMaxUses))) push(use.op);
  }
}

// Tries what has new matched neighbors: clear cases before others.
void Matching::Drain(Level level) {
  while (!fresh_.empty() || !later_.empty()) {
    auto& queue = fresh_.empty() ? later_ : fresh_;
    const bool again = fresh_.empty();
    const OpId a = queue.front();
    queue.pop_front();
    Tick();
    if (InB(a)) continue;
    if (!again) {
      if (!TryPair(a, kSelf) && level > kSelf) later_.push_back(a);
      continue;
    }
    for (int next = kSelfTied; next <= level; ++next)
      if (TryPair(a, Level(next))) break;
  }
}

void Matching::ByVotes(std::span<const OpId> a, Level last) {
  for (int level = kSelf; level <= last; ++level)
    for (OpId op : a) {
      Tick();
      if (InB(op) || !TryPair(op, Level(level))) continue;
      Drain(Level(level));
    }
}

// Matches ops of the same class that follow matched ones, in order. `sources`: ops without inputs, wherever
// they are.
void Matching::ByPlace(std::span<const OpId> a, std::span<const OpId> b, ClassId (Flow::*of)(OpId) const,
                       bool sources) {
  using Key = std::pair<ClassId, uint32_t>;
  std::map<Key, std::deque<OpId>> waiting;
  const auto visit = [&](const Side& side, std::span<const OpId> ops, const auto& take) {
    uint32_t after = 0;  // id of the last matched op in the first program
    for (OpId op : ops) {
      Tick();
      if (const OpId match = side.ops[op.v]) {
        after = &side == &a_ ? op.v : match.v;
        continue;
      }
      if (sources && !side.flow.InputsOf(op).empty()) continue;
      take(Key{(side.flow.*of)(op), sources ? 0 : after}, op);
    }
  };
  visit(b_, b, [&](Key key, OpId op) { waiting[key].push_back(op); });
  if (waiting.empty()) return;
  std::vector<std::pair<OpId, OpId>> pairs;
  visit(a_, a, [&](Key key, OpId op) {
    const auto found = waiting.find(key);
    if (found == waiting.end() || found->second.empty()) return;
    pairs.push_back({op, found->second.front()});
    found->second.pop_front();
  });
  for (const auto& [x, y] : pairs) {
    Tick();
    // Votes that followed from other pairs come first.
    if (InB(x) || InA(y)) continue;
    Pair(x, y);
    PushNeighbors(x);
    Drain(kKindTied);
  }
}

}  // namespace shlo::diff
