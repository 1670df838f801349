#include "prove/contract_differences.h"

#include <algorithm>
#include <unordered_map>

#include "base/format.h"
#include "base/stack.h"
#include "ir/table/attr_class.h"
#include "ir/table/trait.h"
#include "prove/contract.h"
#include "shlo/print.h"

namespace shlo::prove {
namespace {

constexpr size_t kMaxFound = 100;
constexpr size_t kMaxShown = 80;  // bytes of an attribute in a message

bool IsFunctionOp(const Module& m, OpId op) {
  const RevisionId revision = m.RevisionIdOf(m.ops[op.v]);
  return revision && RowOf(revision).Has(Trait::kFunction);
}

}  // namespace

void ContractDifferences::Push(OpId a, OpId b) {
  if (!a || !b || (a_.all.Of(a) && a_.all.Of(a) == b_.all.Of(b))) return;
  if (seen_.insert(uint64_t(a.v) << 32 | b.v).second) todo_.push_back({a, b});
}

void ContractDifferences::Walk() {
  while (!todo_.empty() && found_.size() < kMaxFound) {
    const std::pair<OpId, OpId> next = todo_.back();
    todo_.pop_back();
    if (IsFunctionOp(a_.module, next.first))
      VisitFunctions(next.first, next.second);
    else
      Visit(next.first, next.second);
  }
  todo_.clear();
}

void ContractDifferences::CompareOps(OpId a, OpId b) {
  Push(a, b);
  Walk();
}

void ContractDifferences::CompareFunctions(OpId a, OpId b) {
  Push(a, b);
  Walk();
}

void ContractDifferences::CompareSignatures(OpId a, OpId b) {
  const AttrId x = a_.module.InherentAttrOf(a_.module.ops[a.v], "sym_visibility");
  const AttrId y = b_.module.InherentAttrOf(b_.module.ops[b.v], "sym_visibility");
  if (a_.module.VisibilityOf(a_.module.ops[a.v]) != b_.module.VisibilityOf(b_.module.ops[b.v]))
    AttributeDiffers(a, "sym_visibility", x, y);
  CompareFunctionAttributes(a, b);
}

void ContractDifferences::CompareFunctionAttributes(OpId a, OpId b) {
  // A function may be a callee and be compared by name, too.
  if (!attributes_.insert(uint64_t(a.v) << 32 | b.v).second) return;
  CompareDiscardable(a, b, true);
  CompareLists(a, b, "arg_attrs", "argument");
  CompareLists(a, b, "res_attrs", "result");
  const AttrId type_a = a_.module.InherentAttrOf(a_.module.ops[a.v], "function_type");
  const AttrId type_b = b_.module.InherentAttrOf(b_.module.ops[b.v], "function_type");
  if (!Equal(type_a, type_b)) AttributeDiffers(a, "function_type", type_a, type_b);
}

void ContractDifferences::CompareModules() {
  CompareDiscardable(a_.module.top, b_.module.top, true);
  const auto others = [](const Side& side) {
    std::vector<OpId> ops;
    for (OpId op : side.module.BodyOpsOf(side.module.ops[side.module.top.v]))
      if (!IsFunctionOp(side.module, op)) ops.push_back(op);
    return ops;
  };
  std::unordered_map<ClassId, int> of_b;
  for (OpId op : others(b_)) ++of_b[b_.all.OfTopLevel(op)];
  for (OpId op : others(a_))
    if (--of_b[a_.all.OfTopLevel(op)] < 0) Found(op, "", "is not in the second program, or differs there");
  for (OpId op : others(b_)) {
    int& left = of_b[b_.all.OfTopLevel(op)];
    if (left <= 0) continue;
    --left;
    Diagnostic d;
    d.code = Code::kNotEqual;
    d.place = PlaceOf(b_.module, op, b_.source);
    d.op = std::string(b_.module.NameOf(b_.module.ops[op.v]));
    d.message = "is not in the first program, or differs there";
    found_.push_back(std::move(d));
  }
}

std::string ContractDifferences::Text(const Side& side, AttrId attr) const {
  if (!attr) return "absent";
  std::string text = AttrText(side.module, attr);
  if (text.size() > kMaxShown) text = text.substr(0, kMaxShown) + "...";
  return text;
}

void ContractDifferences::Found(OpId a, std::string_view attribute, std::string message) {
  Diagnostic d;
  d.code = Code::kNotEqual;
  d.place =
      attribute.empty() ? PlaceOf(a_.module, a, a_.source) : PlaceOfAttr(a_.module, a, attribute, a_.source);
  d.op = std::string(a_.module.NameOf(a_.module.ops[a.v]));
  d.message = std::move(message);
  found_.push_back(std::move(d));
}

void ContractDifferences::AttributeDiffers(OpId op, std::string_view name, AttrId a, AttrId b) {
  Found(op, name,
        StrFormat("attribute '{}' is {} in the first program, {} in the second", name, Text(a_, a),
                  Text(b_, b)));
}

void ContractDifferences::Visit(OpId a, OpId b) {
  const Op &x = a_.module.ops[a.v], &y = b_.module.ops[b.v];
  CompareInherent(a, b);
  CompareDiscardable(a, b, false);
  CompareTypes(a, b, a_.module.ResultsOf(x), b_.module.ResultsOf(y), "result");
  const auto p = a_.module.OperandsOf(x), q = b_.module.OperandsOf(y);
  for (size_t i = 0; i < std::min(p.size(), q.size()); ++i)
    if (a_.values.Of(p[i]) == b_.values.Of(q[i]))
      Push(a_.module.values[p[i].v].op, b_.module.values[q[i].v].op);
  CompareRegions(a, b);
}

void ContractDifferences::VisitFunctions(OpId a, OpId b) {
  CompareFunctionAttributes(a, b);
  CompareRegions(a, b);
}

void ContractDifferences::CompareInherent(OpId a, OpId b) {
  const Op &x = a_.module.ops[a.v], &y = b_.module.ops[b.v];
  if (!a_.module.RevisionIdOf(x) || a_.module.RevisionIdOf(x) != b_.module.RevisionIdOf(y)) return;
  const auto p = a_.module.InherentAttrsOf(x), q = b_.module.InherentAttrsOf(y);
  const auto cells = RevisionOf(a_.module.RevisionIdOf(x)).attrs;
  for (size_t i = 0; i < cells.size(); ++i) {
    PushSymbols(p[i], q[i]);
    const bool text_only = cells[i].attr_default() == Default::kTextOnly;
    if (!IsPromise(cells[i]) && !text_only) continue;
    // VHLO has lost what only text can represent.
    if (text_only && (!p[i] || !q[i])) {
      lost_ = lost_ || bool(p[i]) != bool(q[i]);
      continue;
    }
    const auto absent = [&](const Side& side, AttrId attr) {
      return !attr || side.module.IsDefaultValue(cells[i], attr);
    };
    if (absent(a_, p[i]) && absent(b_, q[i])) continue;
    if (absent(a_, p[i]) != absent(b_, q[i]) || !Equal(p[i], q[i]))
      AttributeDiffers(a, cells[i].name, p[i], q[i]);
  }
}

void ContractDifferences::CompareDiscardable(OpId a, OpId b, bool all) {
  const Op &x = a_.module.ops[a.v], &y = b_.module.ops[b.v];
  const auto find = [](const Side& side, const Op& op, std::string_view name) {
    for (const NamedAttr& attr : side.module.DiscardableAttrsOf(op))
      if (side.module.strings[attr.name] == name) return attr.value;
    return AttrId();
  };
  const auto compared = [&](const Side& side, const Op& op, std::string_view name) {
    return !IsAboutTheFile(name) && (all || IsPromise(side.module, op, name));
  };
  for (const NamedAttr& attr : a_.module.DiscardableAttrsOf(x)) {
    const std::string_view name = a_.module.strings[attr.name];
    if (!compared(a_, x, name)) continue;
    const AttrId other = find(b_, y, name);
    if (!other || !Equal(attr.value, other)) AttributeDiffers(a, name, attr.value, other);
  }
  for (const NamedAttr& attr : b_.module.DiscardableAttrsOf(y)) {
    const std::string_view name = b_.module.strings[attr.name];
    if (compared(b_, y, name) && !find(a_, x, name)) AttributeDiffers(a, name, AttrId(), attr.value);
  }
}

void ContractDifferences::CompareTypes(OpId a, OpId, Range values_a, Range values_b, std::string_view what) {
  for (uint32_t i = 0; i < std::min(values_a.count, values_b.count); ++i) {
    const TypeId x = a_.module.values[values_a.first + i].type, y = b_.module.values[values_b.first + i].type;
    if (a_.all.nodes().Of(x) != b_.all.nodes().Of(y))
      Found(a, "",
            StrFormat("{} {} has type {} in the first program, {} in the second", what, i,
                      TypeText(a_.module, x), TypeText(b_.module, y)));
  }
}

// Attributes of arguments or results: a list of dictionaries, or none.
void ContractDifferences::CompareLists(OpId a, OpId b, std::string_view name, std::string_view what) {
  const AttrId list_a = a_.module.InherentAttrOf(a_.module.ops[a.v], name);
  const AttrId list_b = b_.module.InherentAttrOf(b_.module.ops[b.v], name);
  const auto x = list_a ? a_.module.ElementsOf(list_a) : IdList<AttrId>();
  const auto y = list_b ? b_.module.ElementsOf(list_b) : IdList<AttrId>();
  const auto item = [](const Side& side, const IdList<AttrId>& list, size_t i) {
    const AttrId found = i < list.size() ? list[i] : AttrId();
    const auto dict = found ? side.module.As<DictionaryAttr>(found) : std::nullopt;
    return dict && dict->entries.empty() ? AttrId() : found;
  };
  for (size_t i = 0; i < std::max(x.size(), y.size()); ++i) {
    const AttrId p = item(a_, x, i), q = item(b_, y, i);
    if (Equal(p, q)) continue;
    Found(a, "",
          StrFormat("attributes of {} {} are {} in the first program, {} in the second", what, i, Text(a_, p),
                    Text(b_, q)));
  }
}

void ContractDifferences::PushSymbols(AttrId a, AttrId b) {
  CheckStack();
  std::string_view x, y;
  if (!a || !b || a_.module.attrs.KindOf(a) != b_.module.attrs.KindOf(b)) return;
  if (a_.module.attrs.KindOf(a) == AttrKind::kSymbolRef && a_.module.AsSymbol(a, &x) &&
      b_.module.AsSymbol(b, &y))
    return Push(a_.all.Definition(x), b_.all.Definition(y));
  const auto p = a_.module.ElementsOf(a), q = b_.module.ElementsOf(b);
  for (size_t i = 0; i < std::min(p.size(), q.size()); ++i) PushSymbols(p[i], q[i]);
}

void ContractDifferences::CompareRegions(OpId a, OpId b) {
  const auto p = a_.module.RegionsOf(a_.module.ops[a.v]), q = b_.module.RegionsOf(b_.module.ops[b.v]);
  for (size_t r = 0; r < std::min(p.size(), q.size()); ++r) {
    const auto x = a_.module.BlocksOf(p[r]), y = b_.module.BlocksOf(q[r]);
    for (size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
      CompareTypes(a, b, a_.module.blocks[x[i].v].args, b_.module.blocks[y[i].v].args, "block argument");
      const auto u = a_.module.OpsOf(x[i]), v = b_.module.OpsOf(y[i]);
      if (u.empty() || v.empty()) continue;
      if (a_.values.ByOps(p[r])) {
        for (size_t k = 0; k < std::min(u.size(), v.size()); ++k) Push(u[k], v[k]);
        continue;
      }
      Push(u.back(), v.back());
      // Effects are in the same order; loops correspond by their classes.
      std::vector<OpId> effects;
      std::unordered_map<ClassId, OpId> loops;
      for (OpId op : v) {
        if (b_.values.HasEffects(op)) effects.push_back(op);
        if (b_.values.HasLoops(op)) loops.emplace(b_.values.Of(op), op);
      }
      size_t n = 0;
      for (OpId op : u) {
        if (a_.values.HasEffects(op) && n < effects.size()) Push(op, effects[n++]);
        const auto loop = a_.values.HasLoops(op) ? loops.find(a_.values.Of(op)) : loops.end();
        if (loop != loops.end()) Push(op, loop->second);
      }
    }
  }
}

}  // namespace shlo::prove
