// Plants mistakes in programs, for tests: each mutant computes or promises other things than the original, as
// far as its text shows. Only ops whose results matter are changed.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "base/format.h"
#include "ir/module/lists.h"
#include "ir/table/attr_class.h"
#include "ir/table/trait.h"
#include "prove/other_value.h"
#include "shlo/editor.h"

namespace shlo::prove {

inline TypeId OtherType(Module* m, TypeId type) {
  const auto tensor = m->As<TensorType>(type);
  if (!tensor) return {};
  std::vector<int64_t> shape(tensor->shape.begin(), tensor->shape.end());
  shape.push_back(1);
  return m->TensorType(shape, tensor->element, {});
}

// The ops whose results reach what a function or region returns, determined apart from the prover.
inline std::vector<bool> LiveOps(const Module& m) {
  std::vector<bool> live(m.ops.size());
  std::vector<OpId> todo{m.top};
  const auto need = [&](OpId op) {
    if (!op || live[op.v]) return;
    live[op.v] = true;
    todo.push_back(op);
  };
  while (!todo.empty()) {
    const Op& op = m.ops[todo.back().v];
    const bool top = todo.back() == m.top;
    todo.pop_back();
    for (ValueId operand : m.OperandsOf(op)) need(m.values[operand.v].op);
    for (OpId nested : m.BodyOpsOf(op)) {
      const Op& n = m.ops[nested.v];
      const bool hidden = m.VisibilityOf(n) == "private";
      const bool ends = m.Has(n, Trait::kTerminator);
      if (ends || (top && m.Has(n, Trait::kFunction) && !hidden)) need(nested);
    }
  }
  return live;
}

// Returns whether two values are the same by definition, such as constants of the same elements.
inline bool SameValue(const Module& m, ValueId a, ValueId b) {
  if (a == b) return true;
  const Value &x = m.values[a.v], &y = m.values[b.v];
  if (!x.op || !y.op || x.index != y.index) return false;
  const Op &p = m.ops[x.op.v], &q = m.ops[y.op.v];
  const auto u = m.OperandsOf(p), v = m.OperandsOf(q);
  return m.RevisionIdOf(p) == m.RevisionIdOf(q) && m.RevisionIdOf(p) && !p.regions.count &&
         !q.regions.count && std::ranges::equal(m.InherentAttrsOf(p), m.InherentAttrsOf(q)) &&
         std::ranges::equal(m.DiscardableAttrsOf(p), m.DiscardableAttrsOf(q)) &&
         std::ranges::equal(u, v, [&](ValueId i, ValueId k) { return SameValue(m, i, k); });
}

inline bool Commutes(RevisionId revision) { return revision && RowOf(revision).Has(Trait::kCommutative); }

class Planter {
 public:
  using Visit = std::function<void(const Module&, const std::string&)>;
  Planter(const Module& m, const Visit& visit) : m_(m), visit_(visit), live_(LiveOps(m)) {}

  void Run() {
    for (uint32_t i = 1; i < m_.ops.size(); ++i) {
      if (!live_[i] || OpId(i) == m_.top) continue;
      const Op& op = m_.ops[i];
      const RevisionId revision = m_.RevisionIdOf(op);
      if (revision && RowOf(revision).Has(Trait::kSymbol)) continue;
      Operands(OpId(i), op);
      InherentAttrs(OpId(i), op);
      Discardable(OpId(i), op);
      Types(op);
    }
  }

 private:
  void Operands(OpId id, const Op& op) {
    const auto operands = m_.OperandsOf(op);
    for (uint32_t i = 0; i + 1 < operands.size(); ++i) {
      if (Commutes(m_.RevisionIdOf(op)) || SameValue(m_, operands[i], operands[i + 1])) continue;
      ModuleEditor mutant(m_);
      mutant.SetOperand(id, i, operands[i + 1]);
      mutant.SetOperand(id, i + 1, operands[i]);
      visit_(mutant.module(), StrFormat("operands {} and {} of '{}' swapped", i, i + 1, m_.NameOf(op)));
    }
    // Another value of the same type, from before.
    for (uint32_t i = 0; i < operands.size(); ++i)
      for (uint32_t v = operands[i].v; v-- > 1;) {
        const Value &now = m_.values[operands[i].v], &other = m_.values[v];
        if (other.type != now.type || !SameBlock(now, other) || SameValue(m_, ValueId(v), operands[i]))
          continue;
        Module mutant = m_;
        ModuleLists(&mutant).operands[op.first_operand + i] = ValueId(v);
        visit_(mutant, StrFormat("operand {} of '{}' replaced", i, m_.NameOf(op)));
        break;
      }
  }
  bool SameBlock(const Value& a, const Value& b) const {
    const auto block = [&](const Value& v) { return v.op ? m_.ops[v.op.v].parent : v.block; };
    return block(a) == block(b);
  }

  void InherentAttrs(OpId id, const Op& op) {
    const auto cells = RevisionOf(m_.RevisionIdOf(op)).attrs;
    for (uint32_t i = 0; i < cells.size(); ++i) {
      const AttrId now = m_.InherentAttrsOf(op)[i];
      Module mutant = m_;
      AttrId other;
      if (now)
        other = OtherValue(&mutant, now);
      else if (const AttrId absent = mutant.DefaultOf(op, int(i)))
        other = OtherValue(&mutant, absent);
      if (!other || mutant.IsDefaultValue(cells[i], other)) continue;
      mutant.SetInherentAttr(id, int(i), other);
      if (cells[i].attr_default() == Default::kTextOnly && !now) continue;  // VHLO has lost it
      visit_(mutant, StrFormat("'{}' of '{}' changed", cells[i].name, m_.NameOf(op)));
    }
  }

  void Discardable(OpId id, const Op& op) {
    for (size_t i = 0; i < m_.DiscardableAttrsOf(op).size(); ++i) {
      Module mutant = m_;
      const NamedAttr attr = m_.DiscardableAttrsOf(op)[i];
      const AttrId other = OtherValue(&mutant, attr.value);
      if (!other) continue;
      mutant.EditSignature(id, [&](EditedSignature& s) { s.discardable_attrs[i].value = other; });
      visit_(mutant, StrFormat("'{}' of '{}' changed", m_.strings[attr.name], m_.NameOf(op)));
    }
  }

  void Types(const Op& op) {
    for (uint32_t i = 0; i < m_.NumResults(op); ++i) {
      ModuleEditor mutant(m_);
      const ValueId result = m_.ResultOf(op, i);
      const TypeId other = OtherType(&mutant.module(), m_.TypeOf(result));
      if (!other) continue;
      mutant.SetType(result, other);
      visit_(mutant.module(), StrFormat("type of result {} of '{}' changed", i, m_.NameOf(op)));
    }
  }

  const Module& m_;
  const Visit& visit_;
  const std::vector<bool> live_;
};

}  // namespace shlo::prove
