#include "shlo/diff.h"

#include <algorithm>
#include <map>

#include "base/guarded.h"
#include "base/stack.h"
#include "base/try.h"
#include "diff/differences.h"
#include "diff/symbols.h"
#include "ir/module/limits.h"
#include "shlo/convert.h"

namespace shlo {
namespace {

using diff::Differences;
using diff::Flow;
using diff::Matching;
using prove::ClassId;

// Thrown by Differ, caught by Diff.
struct TooDeep {};

class Differ {
 public:
  Differ(const Module& a, const Module& b, const DiffOptions& options)
      : a_(a),
        b_(b),
        top_a_(a, &table_, &bytes_),
        top_b_(b, &table_, &bytes_),
        pairs_(diff::MatchSymbols(top_a_, top_b_)),
        names_(diff::NamePairs(pairs_, a, b, &table_)),
        nodes_a_(a, &table_, &bytes_, true, [this](std::string_view name) { return SymbolOf(0, name); }),
        nodes_b_(b, &table_, &bytes_, true, [this](std::string_view name) { return SymbolOf(1, name); }),
        flow_a_(a, &nodes_a_, top_a_.numbering, &classes_),
        flow_b_(b, &nodes_b_, top_b_.numbering, &classes_),
        matching_(flow_a_, flow_b_),
        differences_(a, b, &nodes_a_, &nodes_b_, matching_, options.locations) {
    if (top_a_.numbering.too_deep() || top_b_.numbering.too_deep()) throw TooDeep();
  }

  ProgramDiff Run() {
    diff_.module = differences_.OfModules();
    for (const diff::SymbolPair& pair : pairs_) {
      SymbolDifference difference{pair.a, pair.b, {}, {}};
      if (pair.a && pair.b) {
        ops_ = &difference.ops;
        matching_.Pair(pair.a, pair.b);
        PairRegions(pair.a, pair.b);
        difference.differences = differences_.OfSymbols(pair.a, pair.b);
        CompareRegions(pair.a, pair.b, 0);
      } else {
        CountOps(a_, pair.a, -1);
        CountOps(b_, pair.b, 1);
      }
      if (!pair.a || !pair.b || !difference.differences.empty() || !difference.ops.empty())
        diff_.symbols.push_back(std::move(difference));
    }
    ops_ = &diff_.others;
    matching_.PairOps(top_a_.others, top_b_.others);
    CompareOps(top_a_.others, top_b_.others, 0);
    for (auto& [name, count] : counts_)
      diff_.counts.push_back({std::string(name), count.removed, count.added});
    diff_.ops_a = OpsInSymbols(a_, top_a_);
    diff_.ops_b = OpsInSymbols(b_, top_b_);
    return std::move(diff_);
  }

 private:
  ClassId SymbolOf(int side, std::string_view name) const {
    const auto found = names_[side].find(name);
    return found == names_[side].end() ? 0 : found->second;
  }

  // Counts an op with what is in it; a symbol only by what is in it.
  void CountOps(const Module& m, OpId root, int sign) {
    for (OpId op : m.OpsIn(root)) {
      Tick();
      if (op == root && !m.SymbolOf(m.ops[op.v]).empty()) continue;
      OpCount& count = counts_[m.NameOf(m.ops[op.v])];
      ++(sign < 0 ? count.removed : count.added);
    }
  }
  static uint64_t OpsInSymbols(const Module& m, const diff::TopLevel& top) {
    uint64_t count = 0;
    for (OpId symbol : top.symbols) {
      const size_t ops = m.OpsIn(symbol).size();
      Tick(ops);
      count += ops - 1;
    }
    return count;
  }

  void PairRegions(OpId a, OpId b) {
    const auto p = a_.RegionsOf(a_.ops[a.v]), q = b_.RegionsOf(b_.ops[b.v]);
    for (size_t r = 0; r < std::min(p.size(), q.size()); ++r) {
      const auto u = a_.BlocksOf(p[r]), v = b_.BlocksOf(q[r]);
      for (size_t i = 0; i < std::min(u.size(), v.size()); ++i) matching_.PairBlocks(u[i], v[i]);
    }
  }

  void CompareRegions(OpId a, OpId b, uint32_t depth) {
    CheckStack();
    if (depth > kMaxNesting) throw TooDeep();
    const auto p = a_.RegionsOf(a_.ops[a.v]), q = b_.RegionsOf(b_.ops[b.v]);
    for (size_t r = 0; r < std::max(p.size(), q.size()); ++r) {
      const auto u = r < p.size() ? a_.BlocksOf(p[r]) : std::span<const BlockId>();
      const auto v = r < q.size() ? b_.BlocksOf(q[r]) : std::span<const BlockId>();
      for (size_t i = 0; i < std::max(u.size(), v.size()); ++i)
        CompareOps(i < u.size() ? a_.OpsOf(u[i]) : std::span<const OpId>(),
                   i < v.size() ? b_.OpsOf(v[i]) : std::span<const OpId>(), depth + 1);
    }
  }

  // Removed ops precede what they preceded in the first program.
  void CompareOps(std::span<const OpId> a, std::span<const OpId> b, uint32_t depth) {
    const std::vector<uint8_t> moved = OutOfOrder(b);
    size_t next = 0;
    const auto removed = [&](OpId until) {
      for (; next < a.size() && (!until || flow_a_.PositionOf(a[next]) < flow_a_.PositionOf(until)); ++next) {
        Tick();
        if (!matching_.InB(a[next])) Removed(a[next]);
      }
    };
    for (size_t i = 0; i < b.size(); ++i) {
      const OpId match = matching_.InA(b[i]);
      if (!match) {
        Added(b[i]);
        continue;
      }
      removed(match);
      ComparePair(match, b[i], moved[i], depth);
    }
    removed(OpId());
  }
  void Removed(OpId a) {
    ops_->push_back({a, OpId(), {}});
    CountOps(a_, a, -1);
  }
  void Added(OpId b) {
    ops_->push_back({OpId(), b, {}});
    CountOps(b_, b, 1);
  }

  [[gnu::noinline]] void Compare(OpId a, OpId b, bool moved) {
    ++diff_.matched;
    auto differences = differences_.OfOps(a, b);
    if (moved) differences.push_back({.aspect = Aspect::kOrder});
    if (differences.empty()) return;
    if (differences[0].aspect == Aspect::kName) {
      ++counts_[a_.NameOf(a_.ops[a.v])].removed;
      ++counts_[b_.NameOf(b_.ops[b.v])].added;
    }
    ops_->push_back({a, b, std::move(differences)});
  }
  void ComparePair(OpId a, OpId b, bool moved, uint32_t depth) {
    Tick();
    PairRegions(a, b);
    Compare(a, b, moved);
    CompareRegions(a, b, depth);
  }

  // Returns which ops with effects do not follow the same ones as in the first program: the fewest.
  std::vector<uint8_t> OutOfOrder(std::span<const OpId> b) const {
    std::vector<uint8_t> moved(b.size());
    std::vector<uint32_t> ends, before(b.size(), ~0u);  // by length of an increasing sequence: its last op
    std::vector<uint32_t> with_effects;
    const auto position = [&](uint32_t i) { return flow_a_.PositionOf(matching_.InA(b[i])); };
    for (uint32_t i = 0; i < b.size(); ++i) {
      Tick();
      if (!matching_.InA(b[i]) || !flow_b_.HasEffects(b[i])) continue;
      with_effects.push_back(i);
      const auto at = std::ranges::lower_bound(ends, position(i), {}, position);
      if (at != ends.begin()) before[i] = at[-1];
      if (at == ends.end())
        ends.push_back(i);
      else
        *at = i;
    }
    for (uint32_t i : with_effects) moved[i] = 1;
    for (uint32_t i = ends.empty() ? ~0u : ends.back(); i != ~0u; i = before[i]) moved[i] = 0;
    return moved;
  }

  const Module &a_, &b_;
  prove::ClassTable table_, classes_;
  prove::SharedBytes bytes_;
  const diff::TopLevel top_a_, top_b_;
  const std::vector<diff::SymbolPair> pairs_;
  const std::array<diff::SymbolNames, 2> names_;
  prove::NodeClasses nodes_a_, nodes_b_;
  const Flow flow_a_, flow_b_;
  Matching matching_;
  Differences differences_;
  std::map<std::string_view, OpCount> counts_;
  std::vector<OpDifference>* ops_ = nullptr;
  ProgramDiff diff_;
};

}  // namespace

std::string_view AspectName(Aspect aspect) {
  constexpr std::string_view kNames[] = {"name",   "attribute", "constant",  "operand", "argument",
                                         "result", "regions",   "successor", "order",   "location"};
  static_assert(std::size(kNames) == size_t(Aspect::kLocation) + 1);
  return kNames[size_t(aspect)];
}

Result<void> BringToOneVersion(Module* a, Module* b) {
  if (a->version == b->version) return {};
  Module* const older = a->version < b->version ? a : b;
  ConvertOptions options;
  options.allow_other_dialects = true;
  auto converted = SHLO_TRY(Convert(*older, std::max(a->version, b->version), options));
  *older = std::move(converted.module);
  return {};
}

Result<ProgramDiff> Diff(const Module& a, const Module& b, const DiffOptions& options) {
  return Guarded(options.limits, [&]() -> Result<ProgramDiff> {
    try {
      return Differ(a, b, options).Run();
    } catch (const TooDeep&) {
      return Error(Code::kLimit, "regions are nested too deeply to be compared");
    }
  });
}

}  // namespace shlo
