#include "versioning/expand/hoist.h"

#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/stack.h"
#include "ir/module/rebuild.h"
#include "ir/table/ops.h"
#include "ir/table/trait.h"

namespace shlo {
namespace {

class Hoister : public Rebuilder {
 public:
  Hoister(const Module& module, std::span<const OpId> constants) : Rebuilder(module) {
    for (OpId id : constants) moving_.insert(id.v);
    ScanOp(m_.top, nullptr);
  }
  using Rebuilder::Rebuild;

 private:
  // A region that values from outside cannot enter.
  struct Scope {
    BlockId entry;
    bool leading = true;                                  // all ops so far are constants
    std::map<std::pair<uint32_t, uint32_t>, OpId> known;  // by value and type
  };

  void ScanOp(OpId id, Scope* scope) {
    CheckStack();
    const Op& op = m_.ops[id.v];
    const bool isolated = !m_.RevisionIdOf(op) || m_.Has(op, Trait::kIsolated);
    for (RegionId region : m_.RegionsOf(op)) {
      const auto blocks = m_.BlocksOf(region);
      if (blocks.empty()) continue;
      Scope inner{blocks.front()};
      for (BlockId block : blocks)
        for (OpId nested : m_.OpsOf(block)) {
          Scope* const around = isolated || !scope ? &inner : scope;
          ScanConstant(nested, around);
          ScanOp(nested, around);
        }
    }
  }

  void ScanConstant(OpId id, Scope* scope) {
    const Op& op = m_.ops[id.v];
    if (m_.NameOf(op) != "stablehlo.constant" || m_.NumResults(op) != 1) {
      scope->leading = false;
      return;
    }
    const std::pair key{m_.InherentAttrOf(op, "value").v, m_.TypeOf(m_.ResultOf(op, 0)).v};
    if (!moving_.contains(id.v)) {
      if (scope->leading) scope->known.try_emplace(key, id);
      return;
    }
    const auto [known, is_new] = scope->known.try_emplace(key, id);
    if (!is_new) {
      kept_[id.v] = known->second;
      unlocated_.insert(known->second.v);
      return;
    }
    kept_[id.v] = id;
    if (scope->leading) return;
    fronts_[scope->entry.v].push_back(id);
    if (op.parent != scope->entry) unlocated_.insert(id.v);
  }

  void Visit(OpId id) override {
    const Op& op = m_.ops[id.v];
    if (op.parent && m_.OpsOf(op.parent).front() == id)
      if (const auto front = fronts_.find(op.parent.v); front != fronts_.end())
        for (auto it = front->second.rbegin(); it != front->second.rend(); ++it) Place(*it);
    if (const auto kept = kept_.find(id.v); kept != kept_.end()) {
      const ValueId constant = m_.ResultOf(m_.ops[kept->second.v], 0);
      if (!values_[constant.v]) Place(kept->second);
      values_[m_.ResultOf(op, 0).v] = values_[constant.v];
      return;
    }
    Place(id);
  }

  void Place(OpId id) {
    const OpId copy = Copy(id);
    if (unlocated_.contains(id.v)) out_.ops[copy.v].loc = out_.Make(UnknownLoc{});
  }

  std::unordered_set<uint32_t> moving_;                     // ops to move
  std::unordered_map<uint32_t, OpId> kept_;                 // by op to move: the op that gives its value
  std::unordered_map<uint32_t, std::vector<OpId>> fronts_;  // by block: what comes first, in reverse
  std::unordered_set<uint32_t> unlocated_;                  // ops that lose their location
};

}  // namespace

Module HoistConstants(const Module& module, std::span<const OpId> constants, SourcePlaces* places) {
  return Hoister(module, constants).Rebuild(places);
}

}  // namespace shlo
