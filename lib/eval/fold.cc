#include <array>

#include "base/guarded.h"
#include "base/try.h"
#include "ir/table/ops.h"
#include "ir/table/trait.h"
#include "shlo/editor.h"
#include "shlo/known_values.h"
#include "shlo/types.h"

namespace shlo {
namespace {

class Folder {
 public:
  Folder(const Module& module, const std::vector<Tensor>& known)
      : m_(module), editor_(module), out_(editor_.module()), known_(known) {
    FindUses();
  }

  Module Run(SourcePlaces* places) {
    const std::vector<OpId> ops = editor_.Ops();
    for (const OpId op : ops)
      if (needed_[op.v] && folded_[op.v]) PutConstants(op);
    // Uses before definitions.
    for (size_t i = ops.size(); i-- > 0;)
      if (!needed_[ops[i].v] || folded_[ops[i].v]) editor_.Erase(ops[i]);
    return std::move(editor_).Finish(places);
  }

 private:
  bool Foldable(const Op& op) const {
    const bool constant = m_.NumOperands(op) == 0 && m_.RevisionIdOf(op) && m_.InherentAttrOf(op, "value");
    if (constant || m_.NumResults(op) == 0) return false;
    for (uint32_t i = 0; i < m_.NumResults(op); ++i) {
      const ValueId value = m_.ResultOf(op, i);
      const TypeId type = m_.TypeOf(value);
      if (!known_[value.v] || !RevisionAt(ConstantOf(type), m_.version)) return false;
      const auto tensor = m_.As<TensorType>(type);
      // Constants of quantized types have a different notation, and a constant cannot represent encodings.
      if (tensor && (!IsStatic(tensor->shape) || tensor->encoding || known_[value.v].type().quantization))
        return false;
      if (!tensor && !IsNumber(type)) return false;
    }
    return true;
  }

  // Whether the type is that of an integer without a sign, or a float, outside of a tensor.
  bool IsNumber(TypeId type) const {
    const auto element = ElementTypeOf(m_, type);
    return element && !element->complex && !element->is_unsigned() && !element->spelled_signed;
  }
  // Returns the op that has values of a type: StableHLO's constants are tensors, not of index.
  RowId ConstantOf(TypeId type) const {
    const auto tensor = m_.As<TensorType>(type);
    const bool stablehlo = tensor && m_.types.KindOf(tensor->element) != TypeKind::kIndex;
    return stablehlo ? ops::kConstant : ops::kArithConstant;
  }

  // Marks live ops: ops with side effects, and transitively the ops that they use. Folded ops use nothing.
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
      const bool ends = m_.Has(op, Trait::kTerminator);
      // A terminator is live if its parent is; functions always are.
      if (!ends && !(m_.NumResults(op) > 0 && IsPure(m_, OpId(i)))) need(OpId(i));
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
      // A live op keeps its parent alive.
      if (op.parent) need(m_.regions[m_.blocks[op.parent.v].parent.v].parent);
    }
  }

  AttrId ValueOf(const Tensor& tensor, TypeId type) {
    if (m_.As<TensorType>(type)) {
      const std::string_view bytes(reinterpret_cast<const char*>(tensor.data()), tensor.stored_bytes());
      return out_.Elements(type, out_.payloads.AddCopy(bytes), tensor.splat());
    }
    const uint64_t bits = ElementBits(tensor, 0);
    const TypeKind kind = tensor.element().kind;
    // The words of an integer are sign-extended, except for a boolean; those of a float are not.
    const int unused = 64 - BitWidth(kind);
    const bool extend = !IsFloat(kind) && kind != TypeKind::kI1;
    const int64_t word = extend ? int64_t(bits << unused) >> unused : int64_t(bits);
    return IsFloat(kind) ? out_.Float(type, bits) : out_.Integer(type, word);
  }

  void PutConstants(OpId id) {
    const Op& op = m_.ops[id.v];
    editor_.InsertBefore(id);
    for (uint32_t i = 0; i < m_.NumResults(op); ++i) {
      const ValueId value = m_.ResultOf(op, i);
      if (!used_[value.v]) continue;
      const TypeId type = m_.TypeOf(value);
      const OpId constant = editor_.Insert(
          {.revision = RevisionAt(ConstantOf(type), m_.version), .results = std::array{type}, .loc = op.loc},
          {{"value", ValueOf(known_[value.v], type)}}, id);
      editor_.ReplaceUses(value, out_.ResultOf(editor_[constant], 0));
    }
  }

  const Module& m_;
  ModuleEditor editor_;
  Module& out_;
  const std::vector<Tensor>& known_;
  std::vector<bool> folded_, needed_;  // by op
  std::vector<bool> used_;             // by value
};

}  // namespace

Result<void> FoldConstants(Program* program, const KnownOptions& options) {
  return Guarded(options.limits, [&]() -> Result<void> {
    const auto known = SHLO_TRY(KnownValues(program->module, options));
    program->module = Folder(program->module, known).Run(&program->source.places);
    return {};
  });
}

std::function<Result<void>(Program*, const Limits&)> FoldingOf(uint64_t max_elements) {
  return [max_elements](Program* program, const Limits& limits) {
    KnownOptions known{.max_elements = max_elements};
    // Values, the constants that replace them, and what is written of these.
    known.limits.max_memory = std::min(known.limits.max_memory, limits.max_memory / 3);
    known.limits.deadline = limits.deadline;
    known.limits.cancellation = limits.cancellation;
    return FoldConstants(program, known);
  };
}

}  // namespace shlo
