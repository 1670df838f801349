// Which attributes are a program's contract and which bear on its values, and which ops keep their place in
// the order of side effects: the rows of promises.inc, by row of the op table.
#pragma once

#include <string_view>
#include <unordered_set>
#include <vector>

#include "shlo/module.h"

namespace shlo::prove {

// Returns whether an inherent attribute belongs to the contract only.
bool IsPromise(const Cell& attr);
// Returns whether a discardable attribute of an op belongs to the contract only.
bool IsPromise(const Module& module, const Op& op, std::string_view name);
// Returns whether a discardable attribute states something about the file, so that it is never compared.
bool IsAboutTheFile(std::string_view name);
// Returns whether an op, apart from its regions and the functions that it calls, is a function of its
// operands and attributes. Custom calls are, unless they state a side effect.
bool IsFunction(const Module& module, const Op& op);

// Returns whether an op is a loop that may not end.
bool MayLoop(const Module& module, const Op& op);

// Which ops may fail, and which of them are not used.
class Failures {
 public:
  // The module must outlive this.
  explicit Failures(const Module& module);

  // Returns whether the evaluation of an op, apart from its regions and callees, may fail for some sizes or
  // values of its operands.
  bool MayFail(const Op& op) const;
  // Returns whether only such ops use the results of an op that are themselves not used. False for ops with
  // effects and for loops, which count anyway, and if no op of the module may fail.
  bool IsUnused(OpId op) const { return !unused_.empty() && unused_[op.v]; }

 private:
  void FindUnused();

  const Module& module_;
  std::vector<bool> dynamic_;  // by type
  std::vector<bool> unused_;   // by op
};

// The side effects that evaluation does not compare: all but checks.
class UnseenEffects {
 public:
  // The module must outlive this.
  explicit UnseenEffects(const Module& module);

  // Returns whether calling a function has such effects, by itself or by what it calls.
  bool Has(OpId function) const;

 private:
  const Module& module_;
  std::unordered_set<std::string_view> named_;  // symbols at the top whose bodies have them, also by calls
};

}  // namespace shlo::prove
