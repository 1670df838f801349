#include "shlo/inline.h"

#include <string>
#include <unordered_map>
#include <unordered_set>

#include "base/format.h"
#include "base/guarded.h"
#include "base/stack.h"
#include "ir/module/symbols.h"
#include "ir/table/ops.h"
#include "shlo/editor.h"

namespace shlo {
namespace {

constexpr size_t kMaxOps = 1'500'000;  // a chain of functions with two calls each grows exponentially
constexpr size_t kMaxDepth = 100;      // nesting of inlined calls; deeper calls stay

class Inliner {
 public:
  explicit Inliner(const Module& module)
      : m_(module), editor_(module), copier_(m_, &editor_), done_(m_.ops.size()), active_(m_.ops.size()) {
    copier_.location = [this](AttrId callee) {
      return caller_ && callee ? editor_.module().Make(CallSiteLoc{.callee = callee, .caller = caller_})
                               : callee;
    };
  }

  Result<Module> Run(SourcePlaces* places) {
    // Symbols of nested modules are in a different scope.
    const std::vector<OpId> top = editor_.OpsOf(editor_.body());
    for (const OpId op : top)
      if (m_.Is(m_.ops[op.v], ops::kFunc)) functions_[m_.SymbolOf(m_.ops[op.v])] = op;
    for (const OpId op : top) {
      if (!m_.Is(m_.ops[op.v], ops::kFunc)) continue;
      active_[op.v] = true;
      VisitRegions(op);
      active_[op.v] = false;
    }
    if (full_)
      return Error(Code::kLimit,
                   StrFormat("inlining exceeds the limit of {} ops", kMaxOps + 4 * m_.ops.size()));
    EraseUnused();
    return std::move(editor_).Finish(places);
  }

 private:
  // Returns the function to inline for a call, or none.
  OpId Callee(const Op& call) const {
    const Module& out = editor_.module();
    const auto operands = out.OperandsOf(call);
    // In a graph region operands may be defined later; such calls stay.
    for (const ValueId operand : operands)
      if (const OpId from = out.values[operand.v].op; from && (from.v >= done_.size() || !done_[from.v]))
        return {};
    std::string_view name;
    if (!m_.AsSymbol(m_.InherentAttrOf(call, "callee"), &name)) return {};
    const auto found = functions_.find(name);
    if (found == functions_.end() || active_[found->second.v] || depth_ >= kMaxDepth) return {};
    const Op& function = m_.ops[found->second.v];
    const auto regions = m_.RegionsOf(function);
    if (regions.size() != 1 || m_.BlocksOf(regions[0]).size() != 1) return {};
    const BlockId body = m_.BlocksOf(regions[0])[0];
    const auto ops = m_.OpsOf(body);
    if (ops.empty() || m_.blocks[body.v].args.count != operands.size()) return {};
    for (uint32_t i = 0; i < operands.size(); ++i)
      if (out.TypeOf(operands[i]) != m_.TypeOf(m_.ArgOf(body, i))) return {};
    const Op& end = m_.ops[ops.back().v];
    const auto returned = m_.OperandsOf(end);
    if (!m_.Is(end, ops::kFuncReturn) || returned.size() != m_.NumResults(call)) return {};
    for (uint32_t i = 0; i < returned.size(); ++i)
      if (m_.TypeOf(returned[i]) != out.TypeOf(out.ResultOf(call, i))) return {};
    return found->second;
  }

  // Puts a copy of the body of a function in the place of a call.
  void Inline(OpId call, OpId callee) {
    const BlockId body = m_.BlocksOf(m_.RegionsOf(m_.ops[callee.v])[0])[0];
    const Module& out = editor_.module();
    const auto operands = out.OperandsOf(editor_[call]);
    for (uint32_t i = 0; i < operands.size(); ++i) copier_[m_.ArgOf(body, i)] = operands[i];
    editor_.InsertBefore(call);
    caller_ = editor_[call].loc;
    const auto ops = m_.OpsOf(body);
    std::vector<OpId> copies;
    for (OpId op : ops.first(ops.size() - 1)) copies.push_back(copier_.Copy(op));
    copier_.Finish();
    std::vector<ValueId> returned;
    for (const ValueId value : m_.OperandsOf(m_.ops[ops.back().v])) returned.push_back(copier_[value]);
    editor_.Replace(call, returned);
    inlined_.insert(m_.SymbolOf(m_.ops[callee.v]));
    active_[callee.v] = true;
    ++depth_;
    for (const OpId copy : copies) Visit(copy);
    --depth_;
    active_[callee.v] = false;
  }

  void Visit(OpId id) {
    full_ = full_ || editor_.module().ops.size() > kMaxOps + 4 * m_.ops.size();
    if (full_) return;
    const Op& op = editor_[id];
    if (m_.Is(op, ops::kCall))
      if (const OpId callee = Callee(op)) return Inline(id, callee);
    if (!m_.Is(op, ops::kFunc)) VisitRegions(id);
    if (id.v >= done_.size()) done_.resize(id.v + 1);
    done_[id.v] = true;
  }
  void VisitRegions(OpId id) {
    CheckStack();
    const auto of_op = editor_.module().RegionsOf(editor_[id]);
    const std::vector<RegionId> regions(of_op.begin(), of_op.end());
    for (const RegionId region : regions)
      for (const BlockId block : editor_.BlocksOf(region))
        for (const OpId op : editor_.OpsOf(block)) Visit(op);
  }

  // Erases the private functions that are no longer referenced.
  void EraseUnused() {
    const Module& out = editor_.module();
    std::unordered_set<std::string_view> used;
    for (const OpId op : editor_.Ops())
      if (op != out.top) ForEachSymbolOf(out, editor_[op], [&](std::string_view name) { used.insert(name); });
    for (std::string_view name : inlined_) {
      const OpId function = functions_.at(name);
      if (m_.VisibilityOf(m_.ops[function.v]) == "private" && !used.contains(name)) editor_.Erase(function);
    }
  }

  const Module& m_;
  ModuleEditor editor_;
  OpCopier copier_;
  std::unordered_map<std::string_view, OpId> functions_;  // of the top module, by name
  std::unordered_set<std::string_view> inlined_;
  std::vector<bool> done_;       // by op: it was visited, and its results can be used
  std::vector<uint8_t> active_;  // by op: functions whose body is being copied
  AttrId caller_;                // location of the call that is replaced
  size_t depth_ = 0;
  bool full_ = false;
};

}  // namespace

Result<Module> InlineCalls(const Module& module, SourcePlaces* places) {
  return Guarded([&] { return Inliner(module).Run(places); });
}

}  // namespace shlo
