#include "diff/differences.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <unordered_map>

#include "base/format.h"
#include "ir/table/attr_class.h"
#include "ir/table/trait.h"
#include "prove/contract.h"
#include "shlo/print.h"

namespace shlo::diff {
namespace {

// Bytes of a text, which a report shows in a line.
constexpr size_t kMaxText = 200;

std::string Short(std::string text) {
  if (text.size() > kMaxText) {
    text.resize(kMaxText);
    text += "...";
  }
  return text;
}

// As AttrText, but lists of integers as in the forms of ops: [1, 2].
std::string TextOf(const Module& m, AttrId attr) {
  if (!attr) return "";
  std::vector<int64_t> list;
  if (m.attrs.KindOf(attr) == AttrKind::kI64Array && m.AsI64s(attr, &list))
    return Short(StrFormat("[{}]", fmt::join(list, ", ")));
  return Short(AttrText(m, attr));
}

// Visits the attributes of two lists by name: none if a list lacks it. Lists may be long.
template <typename ListA, typename ListB, typename VisitT>
void VisitNamed(const Module& m, const ListA& a, const Module& n, const ListB& b, const VisitT& visit) {
  std::unordered_map<std::string_view, AttrId> in_b;
  for (const NamedAttr& attr : b) in_b.emplace(n.strings[attr.name], attr.value);
  for (const NamedAttr& attr : a) {
    const std::string_view name = m.strings[attr.name];
    const auto found = in_b.find(name);
    visit(name, attr.value, found == in_b.end() ? AttrId() : found->second);
    if (found != in_b.end()) in_b.erase(found);
  }
  for (const NamedAttr& attr : b)
    if (in_b.contains(n.strings[attr.name])) visit(n.strings[attr.name], AttrId(), attr.value);
}

const Cell* CellNamed(RevisionId id, std::string_view name) {
  const int slot = RevisionOf(id).FindSlot(name);
  return slot < 0 ? nullptr : &RevisionOf(id).attrs[size_t(slot)];
}

// The parts of a symbol's definition that AddSignature compares.
bool InSignature(std::string_view name) {
  return name == "sym_name" || name == "function_type" || name == "arg_attrs" || name == "res_attrs";
}

}  // namespace

std::vector<Difference> Differences::OfOps(OpId a, OpId b) {
  List out;
  const Op &x = a_.ops[a.v], &y = b_.ops[b.v];
  const std::string_view name_a = a_.NameOf(x), name_b = b_.NameOf(y);
  if (name_a != name_b)
    out.push_back({.aspect = Aspect::kName, .before = std::string(name_a), .after = std::string(name_b)});
  else
    AddAttributes(a, b, false, &out);
  AddOperands(a, b, &out);
  AddTypes(Aspect::kResult, a_.ResultsOf(x), b_.ResultsOf(y), &out);
  const auto p = a_.RegionsOf(x), q = b_.RegionsOf(y);
  if (p.size() != q.size())
    out.push_back({.aspect = Aspect::kRegions,
                   .before = Count(p.size(), "region"),
                   .after = Count(q.size(), "region")});
  for (size_t i = 0; i < std::min(p.size(), q.size()); ++i) {
    const auto u = a_.BlocksOf(p[i]), v = b_.BlocksOf(q[i]);
    if (u.size() != v.size())
      out.push_back({.aspect = Aspect::kRegions,
                     .index = uint32_t(i),
                     .before = Count(u.size(), "block"),
                     .after = Count(v.size(), "block")});
    for (size_t k = 0; k < std::min(u.size(), v.size()); ++k)
      AddTypes(Aspect::kArgument, a_.blocks[u[k].v].args, b_.blocks[v[k].v].args, &out);
  }
  AddSuccessors(a, b, &out);
  if (locations_) AddLocation(0, x.loc, y.loc, &out);
  return out;
}

std::vector<Difference> Differences::OfSymbols(OpId a, OpId b) {
  List out;
  const std::string_view name_a = a_.SymbolOf(a_.ops[a.v]), name_b = b_.SymbolOf(b_.ops[b.v]);
  if (name_a != name_b)
    out.push_back({.aspect = Aspect::kName, .before = std::string(name_a), .after = std::string(name_b)});
  AddSignature(a, b, &out);
  AddAttributes(a, b, true, &out);
  if (locations_) AddLocation(0, a_.ops[a.v].loc, b_.ops[b.v].loc, &out);
  return out;
}

std::vector<Difference> Differences::OfModules() {
  List out;
  AddAttributes(a_.top, b_.top, false, &out);
  if (locations_) AddLocation(0, a_.ops[a_.top.v].loc, b_.ops[b_.top.v].loc, &out);
  return out;
}

// --- Attributes ---------------------------------------------------------------------------------------

void Differences::AddAttributes(OpId a, OpId b, bool of_symbols, List* out) {
  const Op &x = a_.ops[a.v], &y = b_.ops[b.v];
  // An absent attribute of a row is its default.
  const auto compare = [&](std::string_view name, const Cell& cell, AttrId p, AttrId q) {
    if (of_symbols && InSignature(name)) return;
    // VHLO has lost what only text can represent.
    if (cell.attr_default() == Default::kTextOnly && (!p || !q)) return;
    if (p && a_.IsDefaultValue(cell, p) && (!q || b_.IsDefaultValue(cell, q))) return;
    if (!p && q && b_.IsDefaultValue(cell, q)) return;
    const bool has_default = IsValue(cell.attr_default());
    AddAttribute(name, p, q, has_default ? DefaultName(cell.attr_default()) : "", out);
  };
  for (const Cell& cell : RevisionOf(a_.RevisionIdOf(x)).attrs)
    compare(cell.name, cell, a_.InherentAttrOf(x, cell.name), b_.InherentAttrOf(y, cell.name));
  for (const Cell& cell : RevisionOf(b_.RevisionIdOf(y)).attrs)
    if (!CellNamed(a_.RevisionIdOf(x), cell.name))
      compare(cell.name, cell, {}, b_.InherentAttrOf(y, cell.name));
  VisitNamed(a_, a_.DiscardableAttrsOf(x), b_, b_.DiscardableAttrsOf(y),
             [&](std::string_view name, AttrId p, AttrId q) {
               if (!prove::IsAboutTheFile(name)) AddAttribute(name, p, q, "", out);
             });
}

void Differences::AddAttribute(std::string_view name, AttrId a, AttrId b, std::string_view absent,
                               List* out) {
  if (Equal(a, b)) return;
  Difference difference{.aspect = Aspect::kAttribute, .name = std::string(name)};
  if (a && b && CompareElements(a_, a, b_, b, &difference.elements)) difference.aspect = Aspect::kConstant;
  difference.before = a ? TextOf(a_, a) : std::string(absent);
  difference.after = b ? TextOf(b_, b) : std::string(absent);
  out->push_back(std::move(difference));
}

// --- Operands, results, arguments ---------------------------------------------------------------------

// Operands that were added or removed are looked for between those that are the same from either end.
void Differences::AddOperands(OpId a, OpId b, List* out) {
  const auto p = a_.OperandsOf(a_.ops[a.v]), q = b_.OperandsOf(b_.ops[b.v]);
  const size_t least = std::min(p.size(), q.size());
  size_t first = 0, last = 0;
  if (p.size() != q.size()) {
    while (first < least && matching_.Same(p[first], q[first])) ++first;
    while (first + last < least && matching_.Same(p[p.size() - 1 - last], q[q.size() - 1 - last])) ++last;
  }
  const size_t end_a = p.size() - last, end_b = q.size() - last;
  for (size_t i = first; i < std::max(end_a, end_b); ++i) {
    const ValueId u = i < end_a ? p[i] : ValueId(), v = i < end_b ? q[i] : ValueId();
    if (u && v && matching_.Same(u, v)) continue;
    out->push_back({.aspect = Aspect::kOperand, .index = uint32_t(i), .value_a = u, .value_b = v});
  }
}

void Differences::AddType(Aspect aspect, uint32_t index, TypeId a, TypeId b, List* out) {
  if ((a ? nodes_a_.Of(a) : 0) == (b ? nodes_b_.Of(b) : 0)) return;
  out->push_back({.aspect = aspect,
                  .index = index,
                  .before = a ? Short(TypeText(a_, a)) : "",
                  .after = b ? Short(TypeText(b_, b)) : ""});
}

void Differences::AddTypes(Aspect aspect, Range a, Range b, List* out) {
  for (uint32_t i = 0; i < a.count; ++i) {
    const ValueId x(a.first + i), y = matching_.InB(x);
    AddType(aspect, y ? b_.values[y.v].index : i, a_.TypeOf(x), y ? b_.TypeOf(y) : TypeId(), out);
    if (y && aspect == Aspect::kArgument && locations_)
      AddLocation(b_.values[y.v].index, a_.values[x.v].loc, b_.values[y.v].loc, out);
  }
  for (uint32_t i = 0; i < b.count; ++i)
    if (const ValueId y(b.first + i); !matching_.InA(y)) AddType(aspect, i, {}, b_.TypeOf(y), out);
}

// --- Functions ----------------------------------------------------------------------------------------

void Differences::AddSignature(OpId a, OpId b, List* out) {
  const Op &x = a_.ops[a.v], &y = b_.ops[b.v];
  const auto type_a = a_.FunctionTypeOf(x), type_b = b_.FunctionTypeOf(y);
  if (!type_a || !type_b) return;
  std::vector<std::pair<uint32_t, uint32_t>> arguments, results;  // from 1; 0: none
  const auto pair = [](size_t p, size_t q, auto* pairs) {
    for (size_t i = 0; i < std::max(p, q); ++i)
      pairs->push_back({i < p ? uint32_t(i + 1) : 0, i < q ? uint32_t(i + 1) : 0});
  };
  const auto body = [](const Module& m, const Op& op) {
    const auto regions = m.RegionsOf(op);
    return regions.empty() || m.BlocksOf(regions[0]).empty() ? BlockId() : m.BlocksOf(regions[0])[0];
  };
  const BlockId body_a = body(a_, x), body_b = body(b_, y);
  const auto complete = [](const Module& m, BlockId block, size_t count) {
    return block && m.blocks[block.v].args.count == count;
  };
  // As the arguments of the bodies are matched.
  if (complete(a_, body_a, type_a->inputs.size()) && complete(b_, body_b, type_b->inputs.size())) {
    for (uint32_t i = 0; i < type_a->inputs.size(); ++i) {
      const ValueId match = matching_.InB(a_.ArgOf(body_a, i));
      arguments.push_back({i + 1, match ? b_.values[match.v].index + 1 : 0});
    }
    for (uint32_t i = 0; i < type_b->inputs.size(); ++i)
      if (!matching_.InA(b_.ArgOf(body_b, i))) arguments.push_back({0, i + 1});
  } else {
    pair(type_a->inputs.size(), type_b->inputs.size(), &arguments);
  }
  pair(type_a->results.size(), type_b->results.size(), &results);
  const auto types = [&](Aspect aspect, const auto& pairs, const auto& list_a, const auto& list_b) {
    for (const auto& [i, j] : pairs)
      AddType(aspect, j ? j - 1 : i - 1, i ? list_a[i - 1] : TypeId(), j ? list_b[j - 1] : TypeId(), out);
  };
  types(Aspect::kArgument, arguments, type_a->inputs, type_b->inputs);
  AddDicts(Aspect::kArgument, a_.InherentAttrOf(x, "arg_attrs"), b_.InherentAttrOf(y, "arg_attrs"), arguments,
           out);
  if (locations_ && body_a && body_b)
    for (const auto& [i, j] : arguments)
      if (i && j && i <= a_.blocks[body_a.v].args.count && j <= b_.blocks[body_b.v].args.count)
        AddLocation(j - 1, a_.values[a_.ArgOf(body_a, i - 1).v].loc, b_.values[b_.ArgOf(body_b, j - 1).v].loc,
                    out);
  types(Aspect::kResult, results, type_a->results, type_b->results);
  AddDicts(Aspect::kResult, a_.InherentAttrOf(x, "res_attrs"), b_.InherentAttrOf(y, "res_attrs"), results,
           out);
}

void Differences::AddDicts(Aspect aspect, AttrId a, AttrId b,
                           const std::vector<std::pair<uint32_t, uint32_t>>& pairs, List* out) {
  const auto entries = [](const Module& m, AttrId list, uint32_t i) {
    std::vector<NamedAttr> found;
    const auto dicts = m.ElementsOf(list);
    if (i && i <= dicts.size())
      if (const auto dict = m.As<DictionaryAttr>(dicts[i - 1])) found = dict->entries.ToVector();
    return found;
  };
  for (const auto& [i, j] : pairs) {
    const uint32_t index = j ? j - 1 : i - 1;
    VisitNamed(a_, entries(a_, a, i), b_, entries(b_, b, j),
               [&](std::string_view name, AttrId p, AttrId q) { AddValue(aspect, name, index, p, q, out); });
  }
}

void Differences::AddValue(Aspect aspect, std::string_view name, uint32_t index, AttrId a, AttrId b,
                           List* out) {
  if (Equal(a, b)) return;
  out->push_back({.aspect = aspect,
                  .name = std::string(name),
                  .index = index,
                  .before = TextOf(a_, a),
                  .after = TextOf(b_, b)});
}

// --- Successors, locations ----------------------------------------------------------------------------

void Differences::AddSuccessors(OpId a, OpId b, List* out) {
  const auto p = a_.SuccessorsOf(a_.ops[a.v]), q = b_.SuccessorsOf(b_.ops[b.v]);
  const auto text = [](const Module& m, std::span<const BlockId> list, size_t i) {
    if (i >= list.size()) return std::string();
    const auto blocks = m.BlocksOf(m.blocks[list[i].v].parent);
    return StrFormat("^bb{}", std::ranges::find(blocks, list[i]) - blocks.begin());
  };
  for (size_t i = 0; i < std::max(p.size(), q.size()); ++i) {
    if (i < p.size() && i < q.size() && matching_.InB(p[i]) == q[i]) continue;
    out->push_back({.aspect = Aspect::kSuccessor,
                    .index = uint32_t(i),
                    .before = text(a_, p, i),
                    .after = text(b_, q, i)});
  }
}

void Differences::AddLocation(uint32_t index, AttrId a, AttrId b, List* out) {
  if (a_.attrs.KindOf(a) == AttrKind::kUnknownLoc) a = {};
  if (b_.attrs.KindOf(b) == AttrKind::kUnknownLoc) b = {};
  AddValue(Aspect::kLocation, "", index, a, b, out);
}

}  // namespace shlo::diff
