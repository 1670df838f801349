// States how two ops, functions or constants that match differ.
#pragma once

#include <string_view>
#include <vector>

#include "diff/matching.h"
#include "shlo/diff.h"

namespace shlo::diff {

class Differences {
 public:
  // `nodes_a` and `nodes_b` share a table.
  Differences(const Module& a, const Module& b, prove::NodeClasses* nodes_a, prove::NodeClasses* nodes_b,
              const Matching& matching, bool locations)
      : a_(a), b_(b), nodes_a_(*nodes_a), nodes_b_(*nodes_b), matching_(matching), locations_(locations) {}

  // Ops, with the arguments of their regions, but not what is in these.
  std::vector<Difference> OfOps(OpId a, OpId b);
  // Definitions of symbols: names, signatures of functions, attributes.
  std::vector<Difference> OfSymbols(OpId a, OpId b);
  // The attributes of the modules.
  std::vector<Difference> OfModules();

 private:
  using List = std::vector<Difference>;
  void AddAttributes(OpId a, OpId b, bool of_symbols, List* out);
  void AddAttribute(std::string_view name, AttrId a, AttrId b, std::string_view absent, List* out);
  void AddValue(Aspect aspect, std::string_view name, uint32_t index, AttrId a, AttrId b, List* out);
  void AddOperands(OpId a, OpId b, List* out);
  void AddTypes(Aspect aspect, Range a, Range b, List* out);
  void AddType(Aspect aspect, uint32_t index, TypeId a, TypeId b, List* out);
  void AddSignature(OpId a, OpId b, List* out);
  void AddDicts(Aspect aspect, AttrId a, AttrId b, const std::vector<std::pair<uint32_t, uint32_t>>& pairs,
                List* out);
  void AddSuccessors(OpId a, OpId b, List* out);
  void AddLocation(uint32_t index, AttrId a, AttrId b, List* out);
  bool Equal(AttrId a, AttrId b) { return nodes_a_.Of(a) == nodes_b_.Of(b); }

  const Module &a_, &b_;
  prove::NodeClasses &nodes_a_, &nodes_b_;
  const Matching& matching_;
  const bool locations_;
};

// Compares the elements of two constants, if they have one type whose elements can be decoded.
bool CompareElements(const Module& m, AttrId a, const Module& n, AttrId b, ElementDifference* out);

}  // namespace shlo::diff
