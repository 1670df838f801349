#include "shlo/inline.h"

#include <string>
#include <unordered_map>
#include <unordered_set>

#include "base/format.h"
#include "base/guarded.h"
#include "base/stack.h"
#include "ir/module/rebuild.h"
#include "ir/module/symbols.h"
#include "ir/table/ops.h"

namespace shlo {
namespace {

constexpr size_t kMaxOps = size_t(1) << 21;  // a chain of functions with two calls each grows exponentially
constexpr size_t kMaxDepth = 100;            // nesting of inlined calls; deeper calls stay

class Inliner : public Rebuilder {
 public:
  // With `dropped`, copies the program without these functions and inlines nothing.
  explicit Inliner(const Module& module, const std::unordered_set<std::string>* dropped = nullptr)
      : Rebuilder(module), dropped_(dropped) {
    active_.resize(m_.ops.size());
  }

  Result<Module> Run(SourcePlaces* places) {
    for (size_t i = 1; i < m_.ops.size(); ++i) {
      const Op& op = m_.ops[i];
      if (m_.Is(op, ops::kFunc) && op.parent && ParentOf(op) == m_.top)
        functions_[m_.SymbolOf(op)] = OpId(uint32_t(i));
    }
    Module copy = Rebuild(places);
    if (full_)
      return Error(Code::kLimit,
                   StrFormat("inlining exceeds the limit of {} ops", kMaxOps + 4 * m_.ops.size()));
    if (dropped_) return copy;
    // A second copy erases unused functions.
    const auto unused = Unused(copy);
    if (unused.empty()) return copy;
    return Inliner(copy, &unused).Run(places);
  }

 private:
  OpId ParentOf(const Op& op) const { return m_.regions[m_.blocks[op.parent.v].parent.v].parent; }

  // Returns the function to inline for a call, or none.
  OpId Callee(const Op& call) const {
    std::string_view name;
    if (!m_.AsSymbol(m_.InherentAttrOf(call, "callee"), &name)) return {};
    const auto found = functions_.find(name);
    if (found == functions_.end() || active_[found->second.v] || depth_ >= kMaxDepth) return {};
    const Op& function = m_.ops[found->second.v];
    const auto regions = m_.RegionsOf(function);
    if (regions.size() != 1 || m_.BlocksOf(regions[0]).size() != 1) return {};
    const BlockId body = m_.BlocksOf(regions[0])[0];
    const auto ops = m_.OpsOf(body);
    const auto operands = m_.OperandsOf(call);
    if (ops.empty() || m_.blocks[body.v].args.count != operands.size()) return {};
    for (uint32_t i = 0; i < operands.size(); ++i)
      if (m_.TypeOf(operands[i]) != m_.TypeOf(m_.ArgOf(body, i))) return {};
    const Op& end = m_.ops[ops.back().v];
    const auto returned = m_.OperandsOf(end);
    if (!m_.Is(end, ops::kFuncReturn) || returned.size() != m_.NumResults(call)) return {};
    for (uint32_t i = 0; i < returned.size(); ++i)
      if (m_.TypeOf(returned[i]) != m_.TypeOf(m_.ResultOf(call, i))) return {};
    return found->second;
  }

  void Inline(const Op& call, OpId callee) {
    ++calls_;
    const BlockId body = m_.BlocksOf(m_.RegionsOf(m_.ops[callee.v])[0])[0];
    const auto operands = m_.OperandsOf(call);
    for (uint32_t i = 0; i < operands.size(); ++i) values_[m_.ArgOf(body, i).v] = values_[operands[i].v];
    const AttrId outer = caller_;
    caller_ = LocationOf(call);
    active_[callee.v] = true;
    ++depth_;
    const auto ops = m_.OpsOf(body);
    for (OpId op : ops.first(ops.size() - 1)) Visit(op);
    --depth_;
    active_[callee.v] = false;
    caller_ = outer;
    const auto returned = m_.OperandsOf(m_.ops[ops.back().v]);
    for (uint32_t i = 0; i < returned.size(); ++i) values_[m_.ResultOf(call, i).v] = values_[returned[i].v];
    inlined_.insert(m_.SymbolOf(m_.ops[callee.v]));
  }

  AttrId LocationOf(const Op& op) override {
    if (!caller_ || !op.loc) return op.loc;
    return out_.Make(CallSiteLoc{.callee = op.loc, .caller = caller_});
  }

  void Visit(OpId id) override {
    // Functions may consist of calls alone.
    full_ = full_ || out_.ops.size() + calls_ > kMaxOps + 4 * m_.ops.size();
    if (full_) return;
    const Op& op = m_.ops[id.v];
    const bool function = m_.Is(op, ops::kFunc);
    if (function) {
      const bool at_top = ParentOf(op) == m_.top;
      if (dropped_ && at_top && dropped_->contains(std::string(m_.SymbolOf(op)))) return;
      // Symbols of nested modules are in a different scope.
      inlining_ = at_top && !dropped_;
    }
    // In a graph region operands may be defined later; such calls stay.
    if (inlining_ && m_.Is(op, ops::kCall)) {
      bool known = true;
      for (ValueId operand : m_.OperandsOf(op)) known &= bool(values_[operand.v]);
      if (const OpId callee = known ? Callee(op) : OpId()) return Inline(op, callee);
    }
    active_[id.v] |= function;
    Copy(id);
    if (function) active_[id.v] = false;
  }

  // Returns the private functions that are no longer referenced.
  std::unordered_set<std::string> Unused(const Module& m) const {
    std::unordered_set<std::string_view> used;
    std::unordered_set<std::string> unused;
    for (RegionId region : m.RegionsOf(m.ops[m.top.v]))
      for (BlockId block : m.BlocksOf(region)) NoteUses(m, block, used);
    for (std::string_view name : inlined_) {
      std::string_view visibility;
      const AttrId attr = m_.InherentAttrOf(m_.ops[functions_.at(name).v], "sym_visibility");
      if (attr && m_.AsString(attr, &visibility) && visibility == "private" && !used.contains(name))
        unused.emplace(name);
    }
    return unused;
  }

  static void NoteUses(const Module& m, BlockId block, std::unordered_set<std::string_view>& used) {
    CheckStack();
    for (OpId id : m.OpsOf(block)) {
      const Op& op = m.ops[id.v];
      ForEachSymbolOf(m, op, [&](std::string_view name) { used.insert(name); });
      for (RegionId region : m.RegionsOf(op))
        for (BlockId inner : m.BlocksOf(region)) NoteUses(m, inner, used);
    }
  }

  std::unordered_map<std::string_view, OpId> functions_;  // of the top module, by name
  std::unordered_set<std::string_view> inlined_;
  std::vector<uint8_t> active_;  // by op: functions whose body is being copied
  AttrId caller_;                // location of the inlined calls around the current op
  size_t depth_ = 0, calls_ = 0;
  const std::unordered_set<std::string>* dropped_;
  bool inlining_ = false;
  bool full_ = false;
};

}  // namespace

Result<Module> InlineCalls(const Module& module, SourcePlaces* places) {
  return Guarded([&] { return Inliner(module).Run(places); });
}

}  // namespace shlo
