// Which definitions of symbols at top level correspond: functions above all, but also meshes and globals.
#pragma once

#include <array>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "prove/congruence.h"

namespace shlo::diff {

// Definitions of symbols that correspond; none: one was added or removed.
struct SymbolPair {
  OpId a, b;
};

// The top level of one program. A function is known by its content, whatever its name.
struct TopLevel {
  // The tables are shared with the other program and must outlive this object.
  TopLevel(const Module& module, prove::ClassTable* table, prove::SharedBytes* bytes);
  OpId Named(std::string_view name) const;

  const Module& module;
  prove::Targets targets;
  prove::Numbering numbering;
  std::vector<OpId> symbols, others;  // in order; others define no symbol
  std::unordered_map<std::string_view, OpId> by_name;
  std::unordered_map<uint32_t, prove::ClassId> content;  // by op
};

// Matches public symbols by name, private ones by content rather than by name, and what remains by content.
// Returns those of the first program in order, then those that the second one added.
std::vector<SymbolPair> MatchSymbols(const TopLevel& a, const TopLevel& b);

// A class for each pair, by the names in both programs.
using SymbolNames = std::unordered_map<std::string_view, prove::ClassId>;
std::array<SymbolNames, 2> NamePairs(const std::vector<SymbolPair>& pairs, const Module& a, const Module& b,
                                     prove::ClassTable* table);

}  // namespace shlo::diff
