#include "ir/inline.h"

#include <string>
#include <unordered_map>
#include <unordered_set>

namespace shlo {
namespace {

constexpr RowId kFunc = OpNamed("func.func"), kCall = OpNamed("func.call"), kReturn = OpNamed("func.return");
constexpr size_t kMaxOps = size_t(1) << 21;  // a chain of functions that call each other twice grows fast
constexpr size_t kMaxDepth = 100;            // of calls inside calls; deeper ones stay calls

class Inliner {
 public:
  // With `dropped` nothing is inlined: the program is copied but for these functions.
  explicit Inliner(const Module& module, const std::unordered_set<std::string>* dropped = nullptr)
      : m_(module), out_(module), builder_(&out_), dropped_(dropped) {
    out_.ops.resize(1);
    out_.values.resize(1);
    out_.blocks.resize(1);
    out_.regions.resize(1);
    out_.operands.clear();
    out_.slots.clear();
    out_.extras.clear();
    out_.region_lists.clear();
    out_.block_lists.clear();
    out_.op_lists.clear();
    out_.successors.clear();
    if (!m_.op_offsets.empty()) out_.op_offsets.assign(1, 0);
    values_.resize(m_.values.size());
    blocks_.resize(m_.blocks.size());
    active_.resize(m_.ops.size());
  }

  Result<Module> Run() {
    for (size_t i = 1; i < m_.ops.size(); ++i) {
      const Op& op = m_.ops[i];
      if (m_.Is(op, kFunc) && op.parent && ParentOf(op) == m_.top)
        functions_[m_.SymbolOf(op)] = OpId(uint32_t(i));
    }
    out_.top = Copy(m_.top);
    if (full_) return Error(Code::kLimit, "the program grows too large when its calls are inlined");
    for (const Late& late : late_) out_.operands[late.operand] = values_[late.value.v];
    if (dropped_) return std::move(out_);
    // A second copy leaves out what is no longer needed.
    const auto unused = Unused();
    if (unused.empty()) return std::move(out_);
    return Inliner(out_, &unused).Run();
  }

 private:
  struct Late {
    uint32_t operand;  // in out_.operands
    ValueId value;     // of m_, copied after its use
  };

  OpId ParentOf(const Op& op) const { return m_.regions[m_.blocks[op.parent.v].parent.v].parent; }

  // The function that a call is to be replaced by; none when it stays.
  OpId Callee(const Op& call) const {
    std::string_view name;
    if (!m_.AsSymbol(m_.SlotOf(call, "callee"), &name)) return {};
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
    if (!m_.Is(end, kReturn) || returned.size() != call.results.count) return {};
    for (uint32_t i = 0; i < returned.size(); ++i)
      if (m_.TypeOf(returned[i]) != m_.TypeOf(m_.ResultOf(call, i))) return {};
    return found->second;
  }

  void Inline(const Op& call, OpId callee) {
    const BlockId body = m_.BlocksOf(m_.RegionsOf(m_.ops[callee.v])[0])[0];
    const auto operands = m_.OperandsOf(call);
    for (uint32_t i = 0; i < operands.size(); ++i) values_[m_.ArgOf(body, i).v] = values_[operands[i].v];
    const AttrId outer = caller_;
    caller_ = LocationOf(call);
    active_[callee.v] = true;
    ++depth_;
    const auto ops = m_.OpsOf(body);
    for (OpId op : ops.first(ops.size() - 1)) CopyOrInline(op);
    --depth_;
    active_[callee.v] = false;
    caller_ = outer;
    const auto returned = m_.OperandsOf(m_.ops[ops.back().v]);
    for (uint32_t i = 0; i < returned.size(); ++i) values_[m_.ResultOf(call, i).v] = values_[returned[i].v];
    inlined_.insert(m_.SymbolOf(m_.ops[callee.v]));
  }

  AttrId LocationOf(const Op& op) {
    if (!caller_ || !op.loc) return op.loc;
    return out_.attrs.Intern(AttrKind::kCallSiteLoc, FieldWriter().Attr(op.loc).Attr(caller_));
  }

  void CopyOrInline(OpId id) {
    if (full_) return;
    const Op& op = m_.ops[id.v];
    if (m_.Is(op, kFunc)) {
      const bool at_top = ParentOf(op) == m_.top;
      if (dropped_ && at_top && dropped_->contains(std::string(m_.SymbolOf(op)))) return;
      // Names inside of nested modules are others.
      inlining_ = at_top && !dropped_;
    }
    // Values that come later in the text could be operands here: such calls stay.
    if (inlining_ && m_.Is(op, kCall)) {
      bool known = true;
      for (ValueId operand : m_.OperandsOf(op)) known &= bool(values_[operand.v]);
      if (const OpId callee = known ? Callee(op) : OpId()) return Inline(op, callee);
    }
    Copy(id);
  }

  OpId Copy(OpId id) {
    if (full_ || out_.ops.size() > kMaxOps + 4 * m_.ops.size()) {
      full_ = true;
      return {};
    }
    const Op& op = m_.ops[id.v];
    const bool function = m_.Is(op, kFunc);
    if (function) active_[id.v] = true;
    std::vector<RegionId> regions;
    for (RegionId region : m_.RegionsOf(op)) regions.push_back(CopyRegion(region));
    if (function) active_[id.v] = false;
    std::vector<ValueId> operands;
    for (ValueId operand : m_.OperandsOf(op)) operands.push_back(values_[operand.v]);
    std::vector<TypeId> results;
    for (uint32_t i = 0; i < op.results.count; ++i) results.push_back(m_.TypeOf(m_.ResultOf(op, i)));
    std::vector<BlockId> successors;
    for (BlockId block : m_.SuccessorsOf(op)) successors.push_back(blocks_[block.v]);
    OpSpec spec;
    spec.shape = op.shape;
    spec.name = op.name;
    spec.operands = operands;
    spec.results = results;
    spec.slots = m_.SlotsOf(op);
    spec.extras = m_.ExtrasOf(op);
    spec.regions = regions;
    spec.successors = successors;
    spec.loc = LocationOf(op);
    const OpId copy = builder_.AddOp(spec);
    const Op& added = out_.ops[copy.v];
    for (uint32_t i = 0; i < op.results.count; ++i) values_[m_.ResultOf(op, i).v] = out_.ResultOf(added, i);
    for (uint32_t i = 0; i < operands.size(); ++i)
      if (!operands[i]) late_.push_back({added.operands.first + i, m_.OperandsOf(op)[i]});
    if (!m_.op_offsets.empty()) {
      out_.op_offsets.resize(out_.ops.size());
      out_.op_offsets[copy.v] = m_.op_offsets[id.v];
    }
    return copy;
  }

  RegionId CopyRegion(RegionId id) {
    const RegionId copy = builder_.NewRegion();
    for (BlockId block : m_.BlocksOf(id)) blocks_[block.v] = builder_.NewBlock();
    for (BlockId block : m_.BlocksOf(id)) {
      const Range args = m_.blocks[block.v].args;
      for (uint32_t i = 0; i < args.count; ++i) {
        const Value& arg = m_.values[args.first + i];
        values_[args.first + i] = builder_.AddBlockArg(blocks_[block.v], arg.type, arg.loc);
      }
    }
    for (BlockId block : m_.BlocksOf(id)) {
      builder_.BeginBlock(copy, blocks_[block.v]);
      for (OpId op : m_.OpsOf(block)) CopyOrInline(op);
      builder_.EndBlock();
    }
    builder_.EndRegion(copy);
    return copy;
  }

  void NoteSymbols(AttrId attr, std::unordered_set<std::string_view>& used) const {
    const auto node = out_.attrs[attr];
    FieldReader r(node.words);
    switch (node.kind) {
      case AttrKind::kSymbolRef:
        used.insert(out_.strings[r.String()]);
        break;
      case AttrKind::kArray:
        for (uint64_t word : r.List()) NoteSymbols(AttrId(uint32_t(word)), used);
        break;
      case AttrKind::kDict: {
        const auto entries = r.List(/*named=*/true);
        for (size_t i = 1; i < entries.size(); i += 2) NoteSymbols(AttrId(uint32_t(entries[i])), used);
        break;
      }
      default:
        break;
    }
  }

  // Private functions that were inlined and are named nowhere any more.
  std::unordered_set<std::string> Unused() const {
    std::unordered_set<std::string_view> used;
    std::unordered_set<std::string> unused;
    for (RegionId region : out_.RegionsOf(out_.ops[out_.top.v]))
      for (BlockId block : out_.BlocksOf(region)) NoteUses(block, used);
    for (std::string_view name : inlined_) {
      std::string_view visibility;
      const AttrId attr = m_.SlotOf(m_.ops[functions_.at(name).v], "sym_visibility");
      if (attr && m_.AsString(attr, &visibility) && visibility == "private" && !used.contains(name))
        unused.emplace(name);
    }
    return unused;
  }

  void NoteUses(BlockId block, std::unordered_set<std::string_view>& used) const {
    for (OpId id : out_.OpsOf(block)) {
      const Op& op = out_.ops[id.v];
      for (AttrId slot : out_.SlotsOf(op))
        if (slot) NoteSymbols(slot, used);
      for (const NamedAttr& extra : out_.ExtrasOf(op)) NoteSymbols(extra.value, used);
      for (RegionId region : out_.RegionsOf(op))
        for (BlockId inner : out_.BlocksOf(region)) NoteUses(inner, used);
    }
  }

  const Module& m_;
  Module out_;
  Builder builder_;
  std::unordered_map<std::string_view, OpId> functions_;  // of the top module, by name
  std::unordered_set<std::string_view> inlined_;
  std::vector<ValueId> values_;  // what each value of m_ stands for now
  std::vector<BlockId> blocks_;
  std::vector<uint8_t> active_;  // by op: functions whose body is being copied
  std::vector<Late> late_;
  AttrId caller_;  // where the calls around the ops being copied are
  size_t depth_ = 0;
  const std::unordered_set<std::string>* dropped_;
  bool inlining_ = false;
  bool full_ = false;
};

}  // namespace

Result<Module> InlineCalls(const Module& module) { return Inliner(module).Run(); }

}  // namespace shlo
