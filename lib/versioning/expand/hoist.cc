#include "versioning/expand/hoist.h"

#include <array>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/stack.h"
#include "ir/table/ops.h"
#include "ir/table/trait.h"

namespace shlo {
namespace {

class Hoister {
 public:
  Hoister(ModuleEditor* editor, std::span<const OpId> constants) : editor_(*editor), m_(editor->module()) {
    for (OpId id : constants) moving_.insert(id.v);
  }

  void Run() {
    ScanOp(m_.top, nullptr);
    for (const auto& [block, constants] : fronts_)
      for (const OpId op : constants) editor_.MoveBefore(op, editor_.FirstOf(BlockId(block)));
    for (const auto& [op, kept] : kept_)
      if (kept.v != op) editor_.Replace(OpId(op), std::array{m_.ResultOf(editor_[kept], 0)});
    for (const uint32_t op : unlocated_) editor_.SetLocation(OpId(op), m_.Make(UnknownLoc{}));
  }

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
      const auto blocks = editor_.BlocksOf(region);
      if (blocks.empty()) continue;
      Scope inner{blocks.front()};
      for (BlockId block : blocks)
        for (OpId nested = editor_.FirstOf(block); nested; nested = editor_.After(nested)) {
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

  ModuleEditor& editor_;
  Module& m_;
  std::unordered_set<uint32_t> moving_;                     // ops to move
  std::unordered_map<uint32_t, OpId> kept_;                 // by op to move: the op that has its value
  std::unordered_map<uint32_t, std::vector<OpId>> fronts_;  // by block: what comes first, in reverse
  std::unordered_set<uint32_t> unlocated_;                  // ops that lose their location
};

}  // namespace

void HoistConstants(ModuleEditor* editor, std::span<const OpId> constants) {
  Hoister(editor, constants).Run();
}

}  // namespace shlo
