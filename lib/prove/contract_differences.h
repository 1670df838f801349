// Finds where two programs that compute equal values differ in their contract: promises, permissions and
// requests (promises.inc), bounds, attributes of functions and of the module.
#pragma once

#include <unordered_set>
#include <utility>
#include <vector>

#include "prove/congruence.h"
#include "shlo/diagnostics.h"
#include "shlo/source.h"

namespace shlo::prove {

// One of two programs that are compared, numbered in both ways.
struct Side {
  const Module& module;
  const Source* source;  // may be null
  Numbering& values;     // Compared::kValues
  Numbering& all;        // Compared::kAll
};

class ContractDifferences {
 public:
  ContractDifferences(const Side& a, const Side& b) : a_(a), b_(b) {}

  // Each compares two things whose values are equal, and everything that they use. A function is compared
  // with those that it calls; ops at top level that are not functions are part of the module.
  void CompareModules();
  void CompareFunctions(OpId a, OpId b);
  void CompareOps(OpId a, OpId b);

  // Compares what callers of two public functions see, whether their values are equal or not.
  void CompareSignatures(OpId a, OpId b);

  // Returns the differences found, in no particular order; a message is about the first program.
  Diagnostics Take() { return std::move(found_); }
  // Returns whether one program has an attribute that VHLO cannot represent, where the other has none: no
  // difference.
  bool lost_in_vhlo() const { return lost_; }

 private:
  void Walk();
  void Push(OpId a, OpId b);
  void Visit(OpId a, OpId b);
  void VisitFunctions(OpId a, OpId b);
  void CompareFunctionAttributes(OpId a, OpId b);
  void CompareInherent(OpId a, OpId b);
  void CompareDiscardable(OpId a, OpId b, bool all);
  void CompareTypes(OpId a, OpId b, Range values_a, Range values_b, std::string_view what);
  void CompareLists(OpId a, OpId b, std::string_view name, std::string_view what);
  void CompareRegions(OpId a, OpId b);
  void PushSymbols(AttrId a, AttrId b);
  bool Equal(AttrId a, AttrId b) { return a_.all.nodes().Of(a) == b_.all.nodes().Of(b); }
  std::string Text(const Side& side, AttrId attr) const;
  void Found(OpId a, std::string_view attribute, std::string message);
  void AttributeDiffers(OpId op, std::string_view name, AttrId a, AttrId b);

  const Side a_, b_;
  std::vector<std::pair<OpId, OpId>> todo_;
  std::unordered_set<uint64_t> seen_, attributes_;
  Diagnostics found_;
  bool lost_ = false;
};

}  // namespace shlo::prove
