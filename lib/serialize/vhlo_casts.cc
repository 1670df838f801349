#include "serialize/vhlo_casts.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/stack.h"
#include "ir/table/ops.h"
#include "shlo/editor.h"

namespace shlo {
namespace {

bool IsVhlo(const Module& m, const Op& op) { return !VhloName(m.RevisionIdOf(op)).empty(); }

class Caster {
 public:
  explicit Caster(Module module) : editor_(std::move(module)), m_(editor_.module()) {}

  // Returns the values that have a VHLO type.
  std::vector<bool> Run(Module* out) {
    casts_.resize(m_.values.size());
    vhlo_.resize(m_.values.size());
    needed_.resize(m_.values.size());
    for (RegionId region : m_.RegionsOf(m_.ops[m_.top.v])) Spell(region);
    for (RegionId region : m_.RegionsOf(m_.ops[m_.top.v])) NoteUses(region);
    // MLIR inserts each new cast directly after the op that defines the value, before earlier casts. Casts to
    // VHLO types are created at their first use, the others at the end, in value order.
    for (const Need& need : needs_)
      if (!vhlo_[need.value.v]) Add(need);
    std::stable_sort(needs_.begin(), needs_.end(),
                     [](const Need& a, const Need& b) { return a.value.v < b.value.v; });
    for (const Need& need : needs_)
      if (vhlo_[need.value.v]) Add(need);
    for (const auto& [op, i] : uses_) editor_.SetOperand(op, i, casts_[m_.OperandsOf(editor_[op])[i].v]);
    *out = std::move(editor_).FinishInPlace();
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
          for (uint32_t i = 0; const ValueId value : m_.OperandsOf(op)) {
            const uint32_t operand = i++;
            if (vhlo_[value.v] == IsVhlo(m_, op) || RowOf(m_.types.KindOf(m_.TypeOf(value))).vhlo.empty())
              continue;
            uses_.emplace_back(id, operand);
            if (needed_[value.v]) continue;
            needed_[value.v] = true;
            needs_.push_back({value, id});
          }
        for (RegionId inner : m_.RegionsOf(op)) NoteUses(inner);
      }
  }

  void Add(const Need& need) {
    const Value value = m_.values[need.value.v];
    if (value.op)
      editor_.InsertAfter(value.op);
    else
      editor_.InsertAtStart(value.block);
    // A cast to a VHLO type has the location of the use; a cast to a builtin type has that of the value.
    const AttrId loc = !vhlo_[need.value.v] ? m_.ops[need.user.v].loc
                       : value.op           ? m_.ops[value.op.v].loc
                                            : value.loc;
    const OpId cast = editor_.Insert({.revision = NewestRevision(ops::kCast),
                                      .operands = std::array{need.value},
                                      .results = std::array{value.type},
                                      .loc = loc});
    vhlo_.push_back(!vhlo_[need.value.v]);
    casts_[need.value.v] = m_.ResultOf(editor_[cast], 0);
  }

  ModuleEditor editor_;
  Module& m_;
  std::vector<bool> vhlo_;  // by value
  std::vector<bool> needed_;
  std::vector<Need> needs_;
  std::vector<std::pair<OpId, uint32_t>> uses_;  // operands that need the other type
  std::vector<ValueId> casts_;                   // by value: its cast
};

// Returns whether some op has no VHLO equivalent, so that casts may be needed.
bool MixesSpellings(const Module& m) {
  return std::any_of(m.ops.begin() + 1, m.ops.end(),
                     [&](const Op& op) { return !IsVhlo(m, op) && !m.Is(op, ops::kModule); });
}

}  // namespace

std::vector<bool> AddVhloCasts(Module* module) {
  return MixesSpellings(*module) ? Caster(std::move(*module)).Run(module) : std::vector<bool>();
}

bool IsSpellingCast(const Module& m, const Op& op) {
  if (!m.Is(op, ops::kCast) || m.NumOperands(op) != m.NumResults(op)) return false;
  for (uint32_t i = 0; i < m.NumResults(op); ++i)
    if (m.TypeOf(m.OperandsOf(op)[i]) != m.TypeOf(m.ResultOf(op, i))) return false;
  return true;
}

}  // namespace shlo
