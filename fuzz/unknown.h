// Programs that `prove` does not find equal to themselves, as docs/proof.md says.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "ir/module/symbols.h"
#include "shlo/module.h"

namespace shlo::fuzz {

// Whether the program names a resource that it does not have.
inline bool MissesResource(const Module& module) {
  for (AttrId id(1); id.v < module.attrs.size(); ++id.v) {
    const auto named = module.attrs[id].As<ResourceElementsAttr>();
    if (named && std::ranges::none_of(module.resources, [&](const Resource& resource) {
          return module.strings[resource.key] == module.strings[named->key];
        }))
      return true;
  }
  return false;
}

// Whether an op next to functions uses a value that is defined later.
inline bool UsesLaterValue(const Module& module) {
  std::set<uint32_t> defined;
  for (RegionId region : module.RegionsOf(module.ops[module.top.v]))
    for (BlockId block : module.BlocksOf(region))
      for (OpId id : module.OpsOf(block)) {
        const Op& op = module.ops[id.v];
        for (ValueId operand : module.OperandsOf(op))
          if (!defined.contains(operand.v)) return true;
        for (uint32_t i = 0; i < module.NumResults(op); ++i) defined.insert(module.ResultOf(op, i).v);
      }
  return false;
}

// Whether a definition refers to itself, possibly by way of others. Text of unknown dialects that has the
// name of a definition counts for every definition.
class NamesItself {
 public:
  explicit NamesItself(const Module& module) : m_(module) {
    for (RegionId region : m_.RegionsOf(m_.ops[m_.top.v]))
      for (BlockId block : m_.BlocksOf(region))
        for (OpId op : m_.OpsOf(block)) by_name_.emplace(m_.SymbolOf(m_.ops[op.v]), op);
    by_name_.erase("");
  }

  bool Run() const {
    return TextNamesOne() ||
           std::ranges::any_of(by_name_, [&](const auto& entry) { return Reaches(entry.second); });
  }

 private:
  bool TextNamesOne() const {
    for (AttrId id(1); id.v < m_.attrs.size(); ++id.v)
      if (const auto opaque = m_.attrs[id].As<OpaqueAttr>(); opaque && Names(m_.strings[opaque->text]))
        return true;
    for (TypeId id(1); id.v < m_.types.size(); ++id.v)
      if (const auto opaque = m_.types[id].As<OpaqueType>(); opaque && Names(m_.strings[opaque->text]))
        return true;
    return false;
  }

  bool Names(std::string_view text) const {
    return std::ranges::any_of(
        by_name_, [&](const auto& entry) { return text.find(entry.first) != std::string_view::npos; });
  }

  bool Reaches(OpId definition) const {
    std::set<uint32_t> seen;
    std::vector<OpId> todo{definition};
    bool found = false;
    while (!todo.empty()) {
      const Op& op = m_.ops[todo.back().v];
      todo.pop_back();
      ForEachSymbolOf(m_, op, [&](std::string_view name) {
        const auto named = by_name_.find(name);
        if (named == by_name_.end()) return;
        found |= named->second == definition;
        if (seen.insert(named->second.v).second) todo.push_back(named->second);
      });
      for (RegionId region : m_.RegionsOf(op))
        for (BlockId block : m_.BlocksOf(region))
          for (OpId nested : m_.OpsOf(block)) todo.push_back(nested);
    }
    return found;
  }

  const Module& m_;
  std::map<std::string_view, OpId> by_name_;
};

inline bool HasUnknown(const Module& module) {
  return MissesResource(module) || UsesLaterValue(module) || NamesItself(module).Run();
}

}  // namespace shlo::fuzz
