#include "diff/symbols.h"

#include "ir/table/trait.h"

namespace shlo::diff {
namespace {

using prove::ClassId;

bool IsFunction(const Module& m, OpId op) {
  const RevisionId revision = m.RevisionIdOf(m.ops[op.v]);
  return revision && RowOf(revision).Has(Trait::kFunction);
}

class SymbolMatcher {
 public:
  SymbolMatcher(const TopLevel& a, const TopLevel& b) : a_(a), b_(b) {}

  std::vector<SymbolPair> Run() {
    ByName([&](OpId a, OpId b) {
      return a_.module.VisibilityOf(a_.module.ops[a.v]) == "public" ||
             a_.content.at(a.v) == b_.content.at(b.v);
    });
    ByContent();
    ByName([](OpId, OpId) { return true; });
    std::vector<SymbolPair> pairs;
    for (OpId op : a_.symbols) pairs.push_back({op, to_b_[op.v]});
    for (OpId op : b_.symbols)
      if (!to_a_.contains(op.v)) pairs.push_back({OpId(), op});
    return pairs;
  }

 private:
  bool Alike(OpId a, OpId b) const {
    return a_.module.NameOf(a_.module.ops[a.v]) == b_.module.NameOf(b_.module.ops[b.v]);
  }
  void Pair(OpId a, OpId b) {
    to_b_[a.v] = b;
    to_a_[b.v] = a;
  }
  template <typename WantedT>
  void ByName(const WantedT& wanted) {
    for (OpId a : a_.symbols) {
      const OpId b = b_.Named(a_.module.SymbolOf(a_.module.ops[a.v]));
      if (b && !to_b_.contains(a.v) && !to_a_.contains(b.v) && Alike(a, b) && wanted(a, b)) Pair(a, b);
    }
  }
  void ByContent() {
    std::unordered_map<ClassId, std::vector<OpId>> left;
    for (size_t i = b_.symbols.size(); i-- > 0;)
      if (const OpId b = b_.symbols[i]; !to_a_.contains(b.v)) left[b_.content.at(b.v)].push_back(b);
    for (OpId a : a_.symbols) {
      if (to_b_.contains(a.v)) continue;
      const auto found = left.find(a_.content.at(a.v));
      if (found == left.end() || found->second.empty()) continue;
      const OpId b = found->second.back();
      if (!Alike(a, b)) continue;
      found->second.pop_back();
      Pair(a, b);
    }
  }

  const TopLevel &a_, &b_;
  std::unordered_map<uint32_t, OpId> to_b_, to_a_;
};

}  // namespace

TopLevel::TopLevel(const Module& m, prove::ClassTable* table, prove::SharedBytes* bytes)
    : module(m), numbering(m, prove::Compared::kAll, targets, table, bytes) {
  for (OpId op : m.BodyOpsOf(m.ops[m.top.v])) {
    const ClassId id = IsFunction(m, op) ? numbering.OfFunction(op).id : numbering.OfTopLevel(op);
    const std::string_view name = m.SymbolOf(m.ops[op.v]);
    if (name.empty() || !by_name.emplace(name, op).second) {
      others.push_back(op);
      continue;
    }
    symbols.push_back(op);
    content[op.v] = id;
  }
}

OpId TopLevel::Named(std::string_view name) const {
  const auto found = by_name.find(name);
  return found == by_name.end() ? OpId() : found->second;
}

std::vector<SymbolPair> MatchSymbols(const TopLevel& a, const TopLevel& b) {
  return SymbolMatcher(a, b).Run();
}

std::array<SymbolNames, 2> NamePairs(const std::vector<SymbolPair>& pairs, const Module& a, const Module& b,
                                     prove::ClassTable* table) {
  std::array<SymbolNames, 2> names;
  for (const SymbolPair& pair : pairs) {
    if (!pair.a || !pair.b) continue;
    const ClassId id = table->Unique();
    names[0].emplace(a.SymbolOf(a.ops[pair.a.v]), id);
    names[1].emplace(b.SymbolOf(b.ops[pair.b.v]), id);
  }
  return names;
}

}  // namespace shlo::diff
