// Seeded mistakes of conversions. They are planted in the result of a law, so that one binary tries all of
// them.
#include <fmt/format.h>

#include <algorithm>

#include "ir/module/builder.h"
#include "ir/module/sample.h"
#include "ir/table/attr_class.h"
#include "ir/table/trait.h"
#include "law_checks.h"
#include "prove/other_value.h"
#include "shlo/types.h"

namespace shlo::laws {

namespace {

// Flips the sign of a constant, or negates it bit by bit.
AttrId OtherConstant(Module* m, AttrId attr) {
  const auto v = m->As<ElementsAttr>(attr);
  if (!v) return {};
  std::string bytes(m->payloads[v->payload].bytes());
  const ShapedType type(*m, v->type);
  const uint64_t size = m->ElementBytes(type.element);
  if (bytes.empty() || size == 0) return {};
  const bool boolean = m->types.KindOf(type.element) == TypeKind::kI1;
  for (size_t i = size - 1; i < bytes.size(); i += size) bytes[i] = char(bytes[i] ^ (boolean ? 1 : 0x80));
  // The sign of a zero says little.
  if (std::ranges::all_of(m->payloads[v->payload].bytes(), [](char c) { return c == 0; }) && !boolean)
    for (size_t i = 0; i < bytes.size(); i += size) bytes[i + size - 1] = size == 1 ? 1 : 0x3F;
  return m->Elements(v->type, m->payloads.AddCopy(bytes), v->splat != 0);
}

bool Commutes(const Module& m, const Op& op) {
  // EQ and NE are the first cases.
  if (m.NameOf(op) == "stablehlo.compare")
    return m.EnumValue(m.InherentAttrOf(op, "comparison_direction")) < 2;
  return m.Has(op, Trait::kCommutative);
}

// Another op with the same operands, attributes and results.
RevisionId Twin(RevisionId revision, Version version) {
  const OpRevision& own = RevisionOf(revision);
  const OpRow& row = RowOf(revision);
  const auto same = [](std::span<const Cell> a, std::span<const Cell> b, bool names) {
    return std::ranges::equal(a, b, [&](const Cell& x, const Cell& y) {
      return x.type_class() == y.type_class() && x.variadic == y.variadic && (!names || x.name == y.name);
    });
  };
  for (size_t i = 1; i < OpRows().size(); ++i) {
    const RowId other{uint16_t(1 + (own.row.v + i - 1) % (OpRows().size() - 1))};
    if (other == own.row || RowOf(other).dialect != row.dialect) continue;
    const RevisionId id = RevisionAt(other, version);
    if (!id) continue;
    const OpRevision& r = RevisionOf(id);
    if (same(r.operands, own.operands, false) && same(r.results, own.results, false) &&
        same(r.attrs, own.attrs, true) && r.regions.size() == own.regions.size())
      return id;
  }
  return {};
}

template <typename Visit>
void ForEach(const Mutation& mutation, Module* m, Visit&& visit) {
  uint32_t n = 0;
  const size_t count = m->ops.size();
  for (uint32_t i = 1; i < count; ++i) {
    if (m->NameOf(m->ops[i]) != mutation.op) continue;
    if (!mutation.one || n == mutation.nth) visit(&m->ops[i], OpId(i));
    ++n;
  }
}

}  // namespace

std::string Mutation::Describe() const {
  constexpr std::string_view kNames[] = {"attribute {} lost",
                                         "attribute {} changed",
                                         "absent attribute {} set",
                                         "attributes {} and {} swapped",
                                         "operands {} and {} swapped",
                                         "operand {} repeated",
                                         "last operand missing",
                                         "region {} missing",
                                         "not converted",
                                         "another op",
                                         "discardable attributes lost",
                                         "location lost",
                                         "results {} and {} swapped",
                                         "result forgotten",
                                         "another constant",
                                         "guard ignored",
                                         "everything refused"};
  std::string text = fmt::format(fmt::runtime(kNames[kind]), slot, other);
  return fmt::format("{}{}: {}", op, one ? fmt::format(" #{}", nth) : "", text);
}

bool Plant(const Mutation& mutation, const LawRow& law, Module* m) {
  bool changed = false;
  // The value of a slot; nullopt if the op does not have it.
  const auto slot_of = [&](OpId op, uint32_t slot) -> std::optional<AttrId> {
    const auto slots = m->InherentAttrsOf(m->ops[op.v]);
    return slot < slots.size() ? std::optional(slots[slot]) : std::nullopt;
  };
  const auto set = [&](OpId op, uint32_t slot, AttrId value) {
    const auto now = slot_of(op, slot);
    if (!now || *now == value) return;
    m->SetInherentAttr(op, int(slot), value);
    changed = true;
  };
  ForEach(mutation, m, [&](Op* op, OpId id) {
    const uint32_t operands = m->NumOperands(*op);
    switch (mutation.kind) {
      case Mutation::kLoseAttr:
        set(id, mutation.slot, {});
        break;
      case Mutation::kChangeAttr:
        if (const auto at = slot_of(id, mutation.slot); at && *at)
          if (const AttrId other = OtherValue(m, *at)) set(id, mutation.slot, other);
        break;
      case Mutation::kSetAbsent:
        if (const auto at = slot_of(id, mutation.slot); at && !*at)
          if (const AttrId other = OtherValue(m, m->DefaultOf(*op, int(mutation.slot))))
            set(id, mutation.slot, other);
        break;
      case Mutation::kSwapAttrs: {
        const auto a = slot_of(id, mutation.slot), b = slot_of(id, mutation.other);
        if (!a || !b) break;
        set(id, mutation.slot, *b);
        set(id, mutation.other, *a);
        break;
      }
      case Mutation::kSwapOperands:
        if (mutation.slot < operands && mutation.other < operands) {
          ValueId &a = ModuleLists(m).operands[op->first_operand + mutation.slot],
                  &b = ModuleLists(m).operands[op->first_operand + mutation.other];
          changed |= a != b;
          std::swap(a, b);
        }
        break;
      case Mutation::kRepeatOperand:
        if (mutation.slot < operands && mutation.slot > 0) {
          ValueId &a = ModuleLists(m).operands[op->first_operand + mutation.slot - 1],
                  &b = ModuleLists(m).operands[op->first_operand + mutation.slot];
          changed |= a != b;
          b = a;
        }
        break;
      case Mutation::kTruncateOperands:
        if (operands) {
          m->EditSignature(id, [](EditedSignature& e) { e.operand_types.pop_back(); });
          changed = true;
        }
        break;
      case Mutation::kLoseRegion:
        if (op->regions.count) --op->regions.count, changed = true;
        break;
      case Mutation::kSkip: {
        const OpRevision &from = RevisionOf(law.from), &to = RevisionOf(m->RevisionIdOf(*op));
        m->EditSignature(id, [&](EditedSignature& e) {
          std::vector<AttrId> attrs(from.attrs.size());
          for (size_t s = 0; s < attrs.size(); ++s)
            if (const int at = to.FindSlot(from.attrs[s].name); at >= 0)
              attrs[s] = e.inherent_attrs[size_t(at)];
          e.revision = law.from;
          e.inherent_attrs = attrs;
        });
        changed = true;
        break;
      }
      case Mutation::kOtherOp:
        m->EditSignature(id, [&](EditedSignature& e) { e.revision = mutation.revision; });
        changed = true;
        break;
      case Mutation::kLoseDiscardable:
        changed |= !m->DiscardableAttrsOf(*op).empty();
        m->SetDiscardableAttrs(id, {});
        break;
      case Mutation::kLoseLocation:
        changed |= bool(op->loc);
        op->loc = {};
        break;
      case Mutation::kSwapResults:
        for (ValueId& operand : ModuleLists(m).operands) {
          const uint32_t a = op->first_result + mutation.slot, b = op->first_result + mutation.other;
          if (mutation.other >= m->NumResults(*op)) break;
          if (operand.v == a)
            operand = ValueId(b), changed = true;
          else if (operand.v == b)
            operand = ValueId(a), changed = true;
        }
        break;
      case Mutation::kForget: {
        if (!operands || !m->NumResults(*op)) break;
        const ValueId result = m->ResultOf(*op, 0);
        for (ValueId operand : m->OperandsOf(*op)) {
          if (m->TypeOf(operand) != m->TypeOf(result)) continue;
          for (ValueId& other : ModuleLists(m).operands)
            if (other == result) other = operand, changed = true;
          break;
        }
        break;
      }
      case Mutation::kOtherConstant:
        if (const auto at = slot_of(id, 0); at && *at)
          if (const AttrId other = OtherConstant(m, *at)) set(id, 0, other);
        break;
      case Mutation::kIgnoreGuard:
      case Mutation::kRefuse:
        break;
    }
  });
  // Swapped values may have other types.
  for (uint32_t i = 1; changed && i < m->ops.size(); ++i) UpdateTypes(m, OpId(i));
  return changed;
}

void DropWhatIsLost(const LawRow& law, Module* m) {
  if (!law.from) return;
  const OpRevision &from = RevisionOf(law.from), &to = RevisionOf(law.to);
  for (uint32_t i = 1; i < m->ops.size(); ++i) {
    Op& op = m->ops[i];
    if (m->RevisionIdOf(op) != law.from) continue;
    m->EditSignature(OpId(i), [&](EditedSignature& e) {
      for (size_t slot = 0; slot < from.attrs.size(); ++slot)
        if (to.FindSlot(from.attrs[slot].name) < 0) e.inherent_attrs[slot] = {};
      if (std::ranges::any_of(to.operands, &Cell::variadic)) return;
      e.operand_types.resize(std::min(e.operand_types.size(), to.operands.size()));
      e.result_types.resize(std::min(e.result_types.size(), to.results.size()));
    });
    if (to.regions.size() < from.regions.size())
      op.regions.count = std::min<uint32_t>(op.regions.count, uint32_t(to.regions.size()));
  }
}

std::vector<Mutation> MutationsOf(const LawRow& law, const Module& before, const Module& after) {
  std::vector<Mutation> found;
  const bool step = bool(law.from);
  const auto add = [&](Mutation mutation) {
    // Only what changes something.
    Module copy = after;
    const bool always = mutation.kind == Mutation::kIgnoreGuard || mutation.kind == Mutation::kRefuse;
    if (always || Plant(mutation, law, &copy)) found.push_back(std::move(mutation));
  };
  if (step) {
    add({.kind = Mutation::kIgnoreGuard});
    add({.kind = Mutation::kRefuse});
  }
  std::vector<std::pair<std::string, uint32_t>> seen;
  for (uint32_t i = 1; i < after.ops.size(); ++i) {
    const Op& op = after.ops[i];
    if (!after.RevisionIdOf(op)) continue;
    const OpRow& row = RowOf(after.RevisionIdOf(op));
    if (step ? RevisionOf(after.RevisionIdOf(op)).row != RevisionOf(law.to).row
             : row.Has(Trait::kFunction) || row.Has(Trait::kTerminator) || row.name == "builtin.module")
      continue;
    const std::string name(row.name);
    auto at = std::ranges::find(seen, name, [](const auto& s) { return s.first; });
    if (at == seen.end()) at = seen.insert(seen.end(), {name, 0});
    const uint32_t nth = at->second++;
    const auto make = [&](Mutation::Kind kind, uint32_t slot = 0, uint32_t other = 0) {
      return Mutation{.kind = kind, .op = name, .nth = nth, .one = !step, .slot = slot, .other = other};
    };
    const auto cells = RevisionOf(after.RevisionIdOf(op)).attrs;
    for (uint32_t slot = 0; slot < cells.size(); ++slot) {
      if (name == "stablehlo.constant") break;
      // Absent or default, it is the same.
      const AttrId now = after.InherentAttrsOf(op)[slot];
      if (now && !after.IsDefaultValue(cells[slot], now)) add(make(Mutation::kLoseAttr, slot));
      if (now) add(make(Mutation::kChangeAttr, slot));
      if (step && !now && IsValue(cells[slot].attr_default())) add(make(Mutation::kSetAbsent, slot));
      for (uint32_t other = slot + 1; other < cells.size(); ++other)
        if (cells[slot].attr_class() == cells[other].attr_class() && now && after.InherentAttrsOf(op)[other])
          add(make(Mutation::kSwapAttrs, slot, other));
    }
    if (name == "stablehlo.constant") add(make(Mutation::kOtherConstant));
    for (uint32_t k = 1; k < after.NumOperands(op); ++k) {
      const auto operands = after.OperandsOf(op);
      if (!Commutes(after, op) && (step || after.TypeOf(operands[k]) == after.TypeOf(operands[k - 1])))
        add(make(Mutation::kSwapOperands, k - 1, k));
      if (step || after.TypeOf(operands[k]) == after.TypeOf(operands[k - 1]))
        add(make(Mutation::kRepeatOperand, k));
    }
    if (step) {
      add(make(Mutation::kTruncateOperands));
      add(make(Mutation::kLoseRegion));
      add(make(Mutation::kSkip));
      add(make(Mutation::kLoseDiscardable));
    } else {
      add(make(Mutation::kForget));
    }
    add(make(Mutation::kLoseLocation));
    if (after.NumResults(op) > 1) add(make(Mutation::kSwapResults, 0, 1));
    if (const RevisionId twin = Twin(after.RevisionIdOf(op), after.version)) {
      Mutation mutation = make(Mutation::kOtherOp);
      mutation.revision = twin;
      add(mutation);
    }
  }
  (void)before;
  return found;
}

}  // namespace shlo::laws
