// The symbols of a program, and those that an attribute refers to.
#pragma once

#include <string_view>
#include <unordered_map>

#include "base/stack.h"
#include "shlo/module.h"

namespace shlo {

// Calls visit(name) for each symbol in an attribute, or in the lists and dictionaries of it.
template <typename VisitT>
void ForEachSymbol(const Module& m, AttrId attr, const VisitT& visit) {
  CheckStack();
  if (!attr) return;
  const auto node = m.attrs[attr];
  if (const auto symbol = node.As<SymbolRefAttr>()) visit(m.strings[symbol->root]);
  if (const auto list = node.As<ArrayAttr>())
    for (AttrId item : list->elements) ForEachSymbol(m, item, visit);
  if (const auto dict = node.As<DictionaryAttr>())
    for (NamedAttr entry : dict->entries) ForEachSymbol(m, entry.value, visit);
}

// The same for all attributes of an op, but not of the ops in its regions.
template <typename VisitT>
void ForEachSymbolOf(const Module& m, const Op& op, const VisitT& visit) {
  if (m.RevisionIdOf(op))
    for (AttrId slot : m.InherentAttrsOf(op)) ForEachSymbol(m, slot, visit);
  for (const NamedAttr& attr : m.DiscardableAttrsOf(op)) ForEachSymbol(m, attr.value, visit);
}

// Returns the first op at the top that defines each symbol.
inline std::unordered_map<std::string_view, OpId> SymbolsOf(const Module& m) {
  std::unordered_map<std::string_view, OpId> symbols;
  for (const OpId op : m.BodyOpsOf(m.ops[m.top.v]))
    if (const std::string_view name = m.SymbolOf(m.ops[op.v]); !name.empty()) symbols.emplace(name, op);
  return symbols;
}

}  // namespace shlo
