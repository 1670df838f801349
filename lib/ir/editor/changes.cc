// Changes of ops and of the program they are in.
#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "ir/module/builder.h"
#include "ir/module/lists.h"
#include "ir/module/node_words.h"
#include "shlo/editor.h"

namespace shlo {

// --- Changes of ops --------------------------------------------------------------------------------------

void ModuleEditor::SetOperand(OpId op, uint32_t i, ValueId value) {
  const uint32_t operand = m_.ops[op.v].first_operand + i;
  RemoveUse(operand);
  ModuleLists(&m_).operands[operand] = value;
  AddUse(op, i);
  UpdateTypes(&m_, op);
}

void ModuleEditor::SetOperands(OpId op, std::span<const ValueId> operands) {
  const uint32_t before = m_.NumOperands(m_.ops[op.v]);
  for (uint32_t i = 0; i < before; ++i) RemoveUse(m_.ops[op.v].first_operand + i);
  std::vector<ValueId>& list = ModuleLists(&m_).operands;
  if (operands.size() > before)
    m_.ops[op.v].first_operand = AppendTo(&list, operands).first;
  else
    std::ranges::copy(operands, list.begin() + m_.ops[op.v].first_operand);
  Grow();
  EditedSignature edited(m_.SignatureOf(m_.ops[op.v]));
  edited.operand_types.resize(operands.size());
  State(op, &edited);
  AddUses(op);
}

// Sets the signature of an op, with the types of its values.
void ModuleEditor::State(OpId id, EditedSignature* edited) {
  const Op& op = m_.ops[id.v];
  for (uint32_t i = 0; i < edited->operand_types.size(); ++i)
    edited->operand_types[i] = m_.TypeOf(ModuleLists(&m_).operands[op.first_operand + i]);
  for (uint32_t i = 0; i < edited->result_types.size(); ++i)
    edited->result_types[i] = m_.TypeOf(m_.ResultOf(op, i));
  m_.SetSignature(id, edited->view());
}

void ModuleEditor::SetType(ValueId value, TypeId type) {
  Value& v = m_.values[value.v];
  v.type = type;
  if (v.op) UpdateTypes(&m_, v.op);
  ForEachUse(value, [&](OpId op, uint32_t) { UpdateTypes(&m_, op); });
}

Range ModuleEditor::SetArgs(BlockId block, std::span<const TypeId> types) {
  const Range args{uint32_t(m_.values.size()), uint32_t(types.size())};
  for (uint32_t i = 0; i < args.count; ++i) m_.values.push_back({types[i], OpId(), block, i, AttrId()});
  m_.blocks[block.v].args = args;
  Grow();
  return args;
}

// --- Changes of the program ------------------------------------------------------------------------------

void ModuleEditor::Erase(OpId op) {
  Unlink(op);
  const auto forget = [&](const Range& values) {
    for (uint32_t i = 0; i < values.count; ++i)
      ForEachUse(ValueId(values.first + i), [&](OpId user, uint32_t k) { SetOperand(user, k, {}); });
  };
  const std::vector<OpId> inside = OpsIn(op);
  for (const OpId id : inside) {
    live_[id.v] = false;
    const Op& erased = m_.ops[id.v];
    for (uint32_t i = 0; i < m_.NumOperands(erased); ++i) RemoveUse(erased.first_operand + i);
  }
  for (const OpId id : inside) {
    forget(m_.ResultsOf(m_.ops[id.v]));
    for (const RegionId region : m_.RegionsOf(m_.ops[id.v]))
      for (const BlockId block : blocks_[region.v]) forget(m_.blocks[block.v].args);
  }
}

void ModuleEditor::Replace(OpId op, std::span<const ValueId> values) {
  for (uint32_t i = 0; i < values.size(); ++i) ReplaceUses(m_.ResultOf(m_.ops[op.v], i), values[i]);
  Erase(op);
}

void ModuleEditor::MoveBefore(OpId op, OpId before) {
  if (op == before) return;
  Unlink(op);
  const std::pair point(block_, before_);
  InsertBefore(before);
  Place(op);
  std::tie(block_, before_) = point;
}

std::vector<ValueId> ModuleEditor::InlineBlock(BlockId block, std::span<const ValueId> args) {
  for (uint32_t i = 0; i < args.size(); ++i) ReplaceUses(m_.ArgOf(block, i), args[i]);
  const OpId end = LastOf(block);
  while (FirstOf(block) != end) {
    const OpId op = FirstOf(block);
    Unlink(op);
    Place(op);
  }
  const auto operands = m_.OperandsOf(m_.ops[end.v]);
  std::vector<ValueId> returned(operands.begin(), operands.end());
  Erase(end);
  return returned;
}

namespace {

// Returns attributes with another symbol wherever they have one.
class SymbolRenamer {
 public:
  SymbolRenamer(Module* m, StringId from, StringId to) : m_(*m), from_(from), to_(to) {}

  AttrId Renamed(AttrId attr) {
    if (!attr) return attr;
    if (const auto found = known_.find(attr.v); found != known_.end()) return found->second;
    const AttrKind kind = m_.attrs.KindOf(attr);
    // A copy: the table may grow.
    const std::vector<uint64_t> words(m_.attrs[attr].words.begin(), m_.attrs[attr].words.end());
    const auto changed =
        MappedWords(RowOf(kind), words, [&](FieldType type, size_t at, uint64_t word) -> uint64_t {
          if (at == 0 && kind == AttrKind::kSymbolRef && word == from_.v) return to_.v;
          return type == FieldType::kAttr ? Renamed(AttrId(uint32_t(word))).v : word;
        });
    const AttrId out = changed == words ? attr : m_.attrs.Intern(kind, changed);
    known_.emplace(attr.v, out);
    return out;
  }

 private:
  Module& m_;
  const StringId from_, to_;
  std::unordered_map<uint32_t, AttrId> known_;
};

}  // namespace

bool ModuleEditor::RenameSymbol(std::string_view name, std::string_view to) {
  std::vector<OpId> defining;
  for (OpId op = FirstOf(body()); op; op = After(op))
    if (m_.SymbolOf(m_.ops[op.v]) == name) defining.push_back(op);
  if (defining.empty()) return false;
  const StringId from = m_.strings.Find(name);
  const AttrId renamed = m_.String(to);
  for (const OpId op : defining) SetAttr(op, "sym_name", renamed);
  SymbolRenamer renamer(&m_, from, m_.strings.Intern(to));
  m_.RewriteSignatures([&](SignatureId, EditedSignature* s) {
    for (AttrId& slot : s->inherent_attrs) slot = renamer.Renamed(slot);
    for (NamedAttr& attr : s->discardable_attrs) attr.value = renamer.Renamed(attr.value);
  });
  return true;
}

}  // namespace shlo
