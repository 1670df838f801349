#include "ir/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "ir/dominance.h"
#include "ir/verify_rows.h"

namespace shlo {
namespace {

constexpr uint32_t kMaxDepth = 4000;  // readers stop far earlier
constexpr uint32_t kUndefined = 0;
constexpr uint32_t kOutOfScope = ~0u;

class Verifier {
 public:
  Verifier(const Module& m, const VerifyOptions& options)
      : m_(m), options_(options), stamp_(m.values.size(), kUndefined) {}

  Diagnostics Run() {
    if (!m_.top || m_.top.v >= m_.ops.size()) {
      findings_.push_back(
          {Severity::kError, Code::kInvalidProgram, {}, "", {}, "the module has no program", ""});
      return std::move(findings_);
    }
    CollectSymbols();
    CheckOp(m_.top, 0);
    if (dropped_) {
      findings_.push_back({Severity::kNote,
                           Code::kInvalidProgram,
                           {},
                           "",
                           {},
                           fmt::format("{} more findings are not shown", dropped_),
                           ""});
    }
    return std::move(findings_);
  }

 private:
  void Report(OpId id, Severity severity, Code code, std::string message, std::string hint = {}) {
    if (severity == Severity::kWarning && options_.strict) severity = Severity::kError;
    if (findings_.size() >= options_.max_diagnostics) {
      ++dropped_;
      return;
    }
    findings_.push_back({severity, code, m_.PlaceOf(id), std::string(m_.NameOf(m_.ops[id.v])), m_.version,
                         std::move(message), std::move(hint)});
  }
  void Invalid(OpId id, std::string message) {
    Report(id, Severity::kError, Code::kInvalidProgram, std::move(message));
  }

  // Symbols of the top module; nested symbol tables do not occur in StableHLO programs.
  void CollectSymbols() {
    for (RegionId region : m_.RegionsOf(m_.ops[m_.top.v])) {
      for (BlockId block : m_.BlocksOf(region)) {
        for (OpId id : m_.OpsOf(block)) {
          const Op& op = m_.ops[id.v];
          if (!op.shape || !RowOf(op.shape).Has(Trait::kSymbol)) continue;
          const std::string_view name = m_.SymbolOf(op);
          if (!name.empty() && !symbols_.emplace(name, id).second)
            Invalid(id, fmt::format("redefines symbol @{}", name));
        }
      }
    }
  }

  void CheckOp(OpId id, uint32_t depth) {
    const Op& op = m_.ops[id.v];
    CheckOperands(id, op);
    if (op.shape) {
      CheckRow(m_, op, [&](Severity severity, Code code, std::string message, std::string hint) {
        Report(id, severity, code, std::move(message), std::move(hint));
      });
      const OpRow& row = RowOf(op.shape);
      if (row.Has(Trait::kFunction)) CheckFunction(id, op);
      if (row.Has(Trait::kTerminator)) CheckReturn(id, op);
      CheckReferences(id, op);
    }
    if (op.regions.count) {
      if (depth >= kMaxDepth) {
        Report(id, Severity::kError, Code::kLimit,
               fmt::format("regions are nested deeper than {}", kMaxDepth));
        return;
      }
      const uint32_t outer_floor = floor_;
      if (op.shape && RowOf(op.shape).Has(Trait::kIsolated)) floor_ = clock_ + 1;
      for (RegionId region : m_.RegionsOf(op)) CheckRegion(id, op, region, depth + 1);
      floor_ = outer_floor;
    }
  }

  void CheckOperands(OpId id, const Op& op) {
    const auto operands = m_.OperandsOf(op);
    for (size_t i = 0; i < operands.size(); ++i) {
      const uint32_t stamp = stamp_[operands[i].v];
      if (stamp >= floor_ && stamp != kOutOfScope && stamp != kUndefined) [[likely]]
        continue;
      if (unreachable_) continue;  // code that never runs has no order
      if (stamp == kUndefined)
        Invalid(id, fmt::format("operand #{} does not dominate this use", i));
      else if (stamp == kOutOfScope)
        Invalid(id,
                fmt::format("operand #{} is defined in a region or block that does not enclose this use", i));
      else
        Invalid(id, fmt::format("operand #{} is defined outside of the enclosing isolated op", i));
    }
  }

  void Define(Range values) {
    for (uint32_t v = values.first; v < values.first + values.count; ++v) stamp_[v] = clock_;
  }
  void Forget(BlockId block) {
    const auto forget = [&](Range values) {
      for (uint32_t v = values.first; v < values.first + values.count; ++v) stamp_[v] = kOutOfScope;
    };
    forget(m_.blocks[block.v].args);
    for (OpId id : m_.OpsOf(block)) forget(m_.ops[id.v].results);
  }

  void CheckRegion(OpId parent_id, const Op& parent, RegionId region, uint32_t depth) {
    const auto blocks = m_.BlocksOf(region);
    // An op without a row may give its regions any meaning.
    const bool graph = !parent.shape || RowOf(parent.shape).Has(Trait::kGraph);
    ++clock_;
    if (graph) {
      if (parent.shape && blocks.size() > 1) Invalid(parent_id, "expects one block in its region");
      for (BlockId block : blocks) {
        Define(m_.blocks[block.v].args);
        for (OpId id : m_.OpsOf(block)) Define(m_.ops[id.v].results);
      }
      for (BlockId block : blocks)
        for (OpId id : m_.OpsOf(block)) CheckOp(id, depth);
      for (BlockId block : blocks) Forget(block);
      return;
    }
    if (blocks.size() == 1) {
      CheckBlock(parent_id, region, blocks.front(), depth);
      Forget(blocks.front());
      return;
    }
    if (blocks.empty()) return;
    // Several blocks: visit them along the dominator tree, so that what is in scope is what dominates.
    const DominatorTree tree = BuildDominatorTree(m_, region);
    for (const DominatorTree::Visit& visit : tree.visits) {
      const BlockId block = blocks[visit.block];
      if (visit.leave) {
        Forget(block);
      } else {
        CheckBlock(parent_id, region, block, depth);
      }
    }
    const bool outer = unreachable_;
    unreachable_ = true;
    for (uint32_t index : tree.unreachable) {
      CheckBlock(parent_id, region, blocks[index], depth);
      Forget(blocks[index]);
    }
    unreachable_ = outer;
  }

  void CheckBlock(OpId parent_id, RegionId region, BlockId block, uint32_t depth) {
    Define(m_.blocks[block.v].args);
    const auto ops = m_.OpsOf(block);
    if (ops.empty()) {
      Invalid(parent_id, "has an empty block, which needs a terminator");
      return;
    }
    for (size_t i = 0; i < ops.size(); ++i) {
      const Op& op = m_.ops[ops[i].v];
      CheckOp(ops[i], depth);
      Define(op.results);
      const bool last = i + 1 == ops.size();
      const bool terminator = op.shape && RowOf(op.shape).Has(Trait::kTerminator);
      if (terminator && !last) Invalid(ops[i], "must be the last op of its block");
      if (last && op.shape && !terminator) Invalid(ops[i], "ends a block but is no terminator");
      if (!last && op.successors.count)
        Invalid(ops[i], "has successors and must be the last op of its block");
      for (BlockId successor : m_.SuccessorsOf(op))
        if (m_.blocks[successor.v].parent != region) Invalid(ops[i], "has a successor in another region");
    }
  }

  void CheckFunction(OpId id, const Op& op) {
    auto type_attr = m_.attrs[m_.SlotOf(op, "function_type")];
    std::span<const uint64_t> inputs, results;
    if (type_attr.kind != AttrKind::kTypeAttr ||
        !m_.AsFunction(TypeId(uint32_t(type_attr.words[0])), &inputs, &results)) {
      Invalid(id, "function_type must be a function type");
      return;
    }
    if (m_.SymbolOf(op).empty()) Invalid(id, "a function needs a name");
    const auto check_count = [&](std::string_view slot, size_t count, std::string_view what) {
      auto node = m_.attrs[m_.SlotOf(op, slot)];
      if (node.kind != AttrKind::kArray) return;
      const size_t n = FieldReader(node.words).List().size();
      if (n != 0 && n != count) Invalid(id, fmt::format("{} has {} entries for {} {}", slot, n, count, what));
    };
    check_count("arg_attrs", inputs.size(), "arguments");
    check_count("res_attrs", results.size(), "results");
    for (RegionId region : m_.RegionsOf(op)) {
      const auto blocks = m_.BlocksOf(region);
      if (blocks.empty()) continue;  // a declaration
      const Block& entry = m_.blocks[blocks.front().v];
      if (entry.args.count != inputs.size()) {
        Invalid(id, fmt::format("the entry block has {} arguments, the function type {}", entry.args.count,
                                inputs.size()));
        continue;
      }
      for (uint32_t i = 0; i < entry.args.count; ++i)
        if (m_.TypeOf(ValueId(entry.args.first + i)).v != inputs[i])
          Invalid(id,
                  fmt::format("argument #{} of the entry block differs in type from the function type", i));
    }
  }

  // The op that owns the region an op is in.
  OpId ParentOf(const Op& op) const {
    return op.parent ? m_.regions[m_.blocks[op.parent.v].parent.v].parent : OpId();
  }

  void CheckReturn(OpId id, const Op& op) {
    const OpId parent_id = ParentOf(op);
    if (!parent_id) return;
    const Op& parent = m_.ops[parent_id.v];
    const bool in_function = parent.shape && RowOf(parent.shape).Has(Trait::kFunction);
    if (RowOf(op.shape).dialect == "func" && !in_function) {
      Invalid(id, "must be directly inside a function");
      return;
    }
    if (!in_function) return;
    auto type_attr = m_.attrs[m_.SlotOf(parent, "function_type")];
    std::span<const uint64_t> inputs, results;
    if (type_attr.kind != AttrKind::kTypeAttr ||
        !m_.AsFunction(TypeId(uint32_t(type_attr.words[0])), &inputs, &results))
      return;
    const auto operands = m_.OperandsOf(op);
    if (operands.size() != results.size()) {
      Invalid(id, fmt::format("returns {} values from a function with {} results", operands.size(),
                              results.size()));
      return;
    }
    for (size_t i = 0; i < operands.size(); ++i)
      if (m_.TypeOf(operands[i]).v != results[i])
        Invalid(id, fmt::format("operand #{} differs in type from result #{} of the function", i, i));
  }

  // Every symbol slot names a symbol of the module; a call fits the function it names.
  void CheckReferences(OpId id, const Op& op) {
    const ShapeRow& shape = ShapeOf(op.shape);
    for (size_t i = 0; i < shape.attrs.size(); ++i) {
      if (shape.attrs[i].attr_class() != AttrClass::kSymbol) continue;
      std::string_view name;
      const AttrId slot = m_.slots[op.first_slot + i];
      if (!slot || !m_.AsSymbol(slot, &name)) continue;
      const auto found = symbols_.find(name);
      if (found == symbols_.end()) {
        Invalid(id,
                fmt::format("'{}' refers to @{}, which the module does not have", shape.attrs[i].name, name));
      } else if (RowOf(op.shape).form == Form::kCall) {
        CheckCall(id, op, m_.ops[found->second.v], name);
      }
    }
  }

  void CheckCall(OpId id, const Op& op, const Op& callee, std::string_view name) {
    auto type_attr = m_.attrs[m_.SlotOf(callee, "function_type")];
    std::span<const uint64_t> inputs, results;
    if (type_attr.kind != AttrKind::kTypeAttr ||
        !m_.AsFunction(TypeId(uint32_t(type_attr.words[0])), &inputs, &results)) {
      Invalid(id, fmt::format("calls @{}, which is no function", name));
      return;
    }
    const auto operands = m_.OperandsOf(op);
    bool fits = operands.size() == inputs.size() && op.results.count == results.size();
    for (size_t i = 0; fits && i < inputs.size(); ++i) fits = m_.TypeOf(operands[i]).v == inputs[i];
    for (uint32_t i = 0; fits && i < results.size(); ++i)
      fits = m_.TypeOf(m_.ResultOf(op, i)).v == results[i];
    if (!fits) Invalid(id, fmt::format("does not fit the type of function @{}", name));
  }

  const Module& m_;
  const VerifyOptions& options_;
  // When each value came into scope, in ticks of clock_; values older than floor_ are outside of the
  // enclosing isolated op.
  std::vector<uint32_t> stamp_;
  uint32_t clock_ = 1;
  uint32_t floor_ = 1;
  bool unreachable_ = false;
  std::unordered_map<std::string_view, OpId> symbols_;
  Diagnostics findings_;
  size_t dropped_ = 0;
};

}  // namespace

Diagnostics Verify(const Module& module, const VerifyOptions& options) {
  return Verifier(module, options).Run();
}

bool HasErrors(const Diagnostics& diagnostics) {
  return std::ranges::any_of(diagnostics, [](const Diagnostic& d) { return d.severity == Severity::kError; });
}

}  // namespace shlo
