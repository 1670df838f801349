#include "fold.h"

namespace shlo::tool {
namespace {

constexpr RowId kConstant = OpNamed("stablehlo.constant");

class Folder {
 public:
  Folder(const Module& module, const std::vector<Tensor>& known)
      : m_(module), known_(known), out_(module), builder_(&out_) {
    // Types, attributes and payloads stay; ops are built anew.
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
    FindUses();
  }

  Module Run() {
    out_.top = Copy(m_.top);
    for (const Late& late : late_) out_.operands[late.operand] = values_[late.value.v];
    return std::move(out_);
  }

 private:
  struct Late {
    uint32_t operand;  // in out_.operands
    ValueId value;     // of m_, copied after its use
  };

  bool Foldable(const Op& op) const {
    const bool constant = op.operands.count == 0 && op.shape && m_.SlotOf(op, "value");
    if (constant || op.results.count == 0 || !ShapeAt(kConstant, m_.version)) return false;
    for (uint32_t i = 0; i < op.results.count; ++i) {
      const ValueId value = m_.ResultOf(op, i);
      Module::TensorView view;
      // Constants of quantized types are spelled otherwise, encodings say what a constant cannot.
      if (!known_[value.v] || !m_.AsTensor(m_.TypeOf(value), &view) || !view.IsStatic() || view.encoding ||
          known_[value.v].type().quantization)
        return false;
    }
    return true;
  }

  // Marks what is needed: ops with effects, and what those use. What is folded uses nothing.
  void FindUses() {
    folded_.resize(m_.ops.size());
    needed_.resize(m_.ops.size());
    used_.resize(m_.values.size());
    std::vector<OpId> todo;
    const auto need = [&](OpId op) {
      if (!op || needed_[op.v]) return;
      needed_[op.v] = true;
      todo.push_back(op);
    };
    for (uint32_t i = 1; i < m_.ops.size(); ++i) {
      const Op& op = m_.ops[i];
      folded_[i] = Foldable(op);
      const bool ends = op.shape && RowOf(op.shape).Has(Trait::kTerminator);
      // An end is needed with the op it belongs to; of a function that is always.
      if (!ends && !(op.results.count > 0 && IsPure(m_, OpId(i)))) need(OpId(i));
    }
    while (!todo.empty()) {
      const OpId id = todo.back();
      todo.pop_back();
      const Op& op = m_.ops[id.v];
      if (folded_[id.v]) continue;
      for (ValueId v : m_.OperandsOf(op)) {
        used_[v.v] = true;
        need(m_.values[v.v].op);
      }
      for (RegionId region : m_.RegionsOf(op)) {
        for (BlockId block : m_.BlocksOf(region)) {
          const auto ops = m_.OpsOf(block);
          if (!ops.empty()) need(ops.back());
        }
      }
      // An op in a region needs the op around it.
      if (op.parent) need(m_.regions[m_.blocks[op.parent.v].parent.v].parent);
    }
  }

  void PutConstants(OpId id) {
    const Op& op = m_.ops[id.v];
    const ShapeId shape = ShapeAt(kConstant, m_.version);
    for (uint32_t i = 0; i < op.results.count; ++i) {
      const ValueId value = m_.ResultOf(op, i);
      if (!used_[value.v]) continue;
      const Tensor& tensor = known_[value.v];
      const TypeId type = m_.TypeOf(value);
      const std::string_view bytes(reinterpret_cast<const char*>(tensor.data()), tensor.stored_bytes());
      std::vector<AttrId> slots(ShapeOf(shape).attrs.size());
      slots[0] = out_.Elements(type, out_.payloads.AddCopy(bytes), tensor.splat());
      OpSpec spec;
      spec.shape = shape;
      const TypeId results[1] = {type};
      spec.results = results;
      spec.slots = slots;
      spec.loc = op.loc;
      const OpId added = builder_.AddOp(spec);
      values_[value.v] = out_.ResultOf(out_.ops[added.v], 0);
      Place(added, id);
    }
  }

  void Place(OpId added, OpId from) {
    if (m_.op_offsets.empty()) return;
    out_.op_offsets.resize(out_.ops.size());
    out_.op_offsets[added.v] = m_.op_offsets[from.v];
  }

  OpId Copy(OpId id) {
    const Op& op = m_.ops[id.v];
    std::vector<RegionId> regions;
    for (RegionId region : m_.RegionsOf(op)) regions.push_back(CopyRegion(region));
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
    if (op.shape) spec.slots = m_.SlotsOf(op);
    spec.extras = m_.ExtrasOf(op);
    spec.regions = regions;
    spec.successors = successors;
    spec.loc = op.loc;
    const OpId copy = builder_.AddOp(spec);
    const Op& added = out_.ops[copy.v];
    for (uint32_t i = 0; i < op.results.count; ++i) values_[m_.ResultOf(op, i).v] = out_.ResultOf(added, i);
    for (uint32_t i = 0; i < operands.size(); ++i)
      if (!operands[i]) late_.push_back({added.operands.first + i, m_.OperandsOf(op)[i]});
    Place(copy, id);
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
      for (OpId op : m_.OpsOf(block)) {
        if (!needed_[op.v]) continue;
        if (folded_[op.v])
          PutConstants(op);
        else
          Copy(op);
      }
      builder_.EndBlock();
    }
    builder_.EndRegion(copy);
    return copy;
  }

  const Module& m_;
  const std::vector<Tensor>& known_;
  Module out_;
  Builder builder_;
  std::vector<bool> folded_, needed_;  // by op
  std::vector<bool> used_;             // by value
  std::vector<ValueId> values_;        // what each value of m_ is now
  std::vector<BlockId> blocks_;
  std::vector<Late> late_;
};

}  // namespace

Module FoldConstants(const Module& module, const KnownOptions& options) {
  const std::vector<Tensor> known = KnownValues(module, options);
  return Folder(module, known).Run();
}

}  // namespace shlo::tool
