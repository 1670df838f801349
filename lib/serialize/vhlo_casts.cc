#include "serialize/vhlo_casts.h"

#include <algorithm>

#include "base/stack.h"
#include "ir/table/ops.h"

namespace shlo {
namespace {

bool IsVhlo(const Module& m, const Op& op) { return !VhloName(m.RevisionIdOf(op)).empty(); }

class Caster {
 public:
  explicit Caster(Module* module) : m_(*module) {}

  std::vector<bool> Run() {
    vhlo_.resize(m_.values.size());
    needed_.resize(m_.values.size());
    for (RegionId region : m_.RegionsOf(m_.ops[m_.top.v])) Spell(region);
    for (RegionId region : m_.RegionsOf(m_.ops[m_.top.v])) NoteUses(region);
    const size_t num_blocks = m_.blocks.size();
    after_.resize(m_.ops.size());
    at_start_.resize(num_blocks);
    touched_.resize(num_blocks);
    // MLIR inserts each new cast directly after the op that defines the value, before earlier casts. Casts to
    // VHLO types are created at their first use, the others at the end, in value order.
    for (const Need& need : needs_)
      if (!vhlo_[need.value.v]) Add(need);
    std::stable_sort(needs_.begin(), needs_.end(),
                     [](const Need& a, const Need& b) { return a.value.v < b.value.v; });
    for (const Need& need : needs_)
      if (vhlo_[need.value.v]) Add(need);
    for (uint32_t i = 1; i < num_blocks; ++i) Splice(BlockId(i));
    for (uint32_t use : uses_) m_.operands[use] = casts_[m_.operands[use].v];
    return std::move(vhlo_);
  }

 private:
  struct Need {
    ValueId value;
    OpId user;  // the first that needs the other type
  };

  // Computes which values have a VHLO type. A cast's results have the other spelling than its operands.
  void Spell(RegionId region) {
    CheckStack();
    const bool vhlo = IsVhlo(m_, m_.ops[m_.regions[region.v].parent.v]);
    for (BlockId block : m_.BlocksOf(region)) {
      const Range args = m_.blocks[block.v].args;
      for (uint32_t i = 0; i < args.count; ++i) vhlo_[args.first + i] = vhlo;
    }
    for (BlockId block : m_.BlocksOf(region))
      for (OpId id : m_.OpsOf(block)) {
        const Op& op = m_.ops[id.v];
        const bool cast = IsSpellingCast(m_, op);
        for (uint32_t i = 0; i < m_.NumResults(op); ++i)
          vhlo_[op.first_result + i] = cast ? !vhlo_[m_.OperandsOf(op)[i].v] : IsVhlo(m_, op);
        for (RegionId inner : m_.RegionsOf(op)) Spell(inner);
      }
  }

  // Visits ops in the order in which the reference converts them: an op, then its regions.
  void NoteUses(RegionId region) {
    CheckStack();
    for (BlockId block : m_.BlocksOf(region))
      for (OpId id : m_.OpsOf(block)) {
        const Op& op = m_.ops[id.v];
        if (!IsSpellingCast(m_, op))
          for (uint32_t i = 0; i < m_.NumOperands(op); ++i) {
            const ValueId value = m_.operands[op.first_operand + i];
            if (vhlo_[value.v] == IsVhlo(m_, op) || RowOf(m_.types.KindOf(m_.TypeOf(value))).vhlo.empty())
              continue;
            uses_.push_back(op.first_operand + i);
            if (needed_[value.v]) continue;
            needed_[value.v] = true;
            needs_.push_back({value, id});
          }
        for (RegionId inner : m_.RegionsOf(op)) NoteUses(inner);
      }
  }

  void Add(const Need& need) {
    const Value value = m_.values[need.value.v];
    const ValueId result(uint32_t(m_.values.size()));
    const OpId id(uint32_t(m_.ops.size()));
    Op cast;
    cast.signature = m_.signatures.Intern({.revision = NewestRevision(ops::kCast),
                                           .name = {},
                                           .inherent_attrs = {},
                                           .discardable_attrs = {},
                                           .operand_types = {&value.type, 1},
                                           .result_types = {&value.type, 1}});
    cast.first_operand = uint32_t(m_.operands.size());
    cast.first_result = result.v;
    // A cast to a VHLO type has the location of the use; a cast to a builtin type has that of the value.
    cast.loc = !vhlo_[need.value.v] ? m_.ops[need.user.v].loc : value.op ? m_.ops[value.op.v].loc : value.loc;
    cast.parent = value.op ? m_.ops[value.op.v].parent : value.block;
    m_.operands.push_back(need.value);
    Value made;
    made.type = value.type;
    made.op = id;
    m_.values.push_back(made);
    vhlo_.push_back(!vhlo_[need.value.v]);
    casts_.resize(m_.values.size());
    casts_[need.value.v] = result;
    m_.ops.push_back(cast);
    (value.op ? after_[value.op.v] : at_start_[value.block.v]).push_back(id);
    touched_[cast.parent.v] = true;
  }

  // Inserts the casts into a block's op list.
  void Splice(BlockId id) {
    if (!touched_[id.v]) return;
    std::vector<OpId> ops(at_start_[id.v].rbegin(), at_start_[id.v].rend());
    for (OpId op : m_.OpsOf(id)) {
      ops.push_back(op);
      ops.insert(ops.end(), after_[op.v].rbegin(), after_[op.v].rend());
    }
    m_.blocks[id.v].ops = {uint32_t(m_.op_lists.size()), uint32_t(ops.size())};
    for (OpId op : ops) m_.op_lists.push_back(op);
  }

  Module& m_;
  std::vector<bool> vhlo_;  // by value
  std::vector<bool> needed_;
  std::vector<Need> needs_;
  std::vector<uint32_t> uses_;  // in Module::operands: uses that need the other type
  std::vector<ValueId> casts_;  // by value: its cast
  std::vector<std::vector<OpId>> after_, at_start_;
  std::vector<bool> touched_;
};

}  // namespace

bool MixesSpellings(const Module& m) {
  return std::any_of(m.ops.begin() + 1, m.ops.end(),
                     [&](const Op& op) { return !IsVhlo(m, op) && !m.Is(op, ops::kModule); });
}

std::vector<bool> AddVhloCasts(Module* module) {
  return MixesSpellings(*module) ? Caster(module).Run() : std::vector<bool>();
}

bool IsSpellingCast(const Module& m, const Op& op) {
  if (!m.Is(op, ops::kCast) || m.NumOperands(op) != m.NumResults(op)) return false;
  for (uint32_t i = 0; i < m.NumResults(op); ++i)
    if (m.TypeOf(m.OperandsOf(op)[i]) != m.TypeOf(m.ResultOf(op, i))) return false;
  return true;
}

}  // namespace shlo
