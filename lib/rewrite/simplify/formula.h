// Rules that a row of schema/rewrites.inc states as formulas: see there for the notation.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "rewrite/driver.h"

namespace shlo::rewrite {

// The formulas of a rule.
class Formula {
 public:
  // Parses what an op is matched with, under which conditions, and what replaces its result. Returns nullopt
  // if a text does not follow the notation.
  static std::optional<Formula> Parse(std::string_view match, std::string_view where,
                                      std::string_view replacement);
  // Rewrites an op, as a rule does.
  bool Apply(Rewriter& r, OpId op) const;
  // Returns the op that it is for.
  RowId row() const { return terms_[match_].row; }

 private:
  friend class FormulaParser;
  friend class FormulaMatcher;
  static constexpr size_t kMaxVariables = 6, kMaxOperands = 5;
  // A term: an op with operands, a variable or a number.
  struct Term {
    enum Kind : uint8_t { kOp, kVariable, kNumber } kind = kVariable;
    RowId row;                                                          // of the op
    uint8_t variable = 0;                                               // its index
    enum : uint8_t { kAnySign, kPositive, kNegative } zero = kAnySign;  // the zero that matches
    int64_t number = 0;                                                 // for all elements
    uint8_t num_operands = 0;
    uint16_t operands[kMaxOperands] = {};  // indices of terms
  };
  // A condition on a variable, on an attribute of the op, or on both.
  struct Condition {
    std::string_view name;  // "constant"
    bool negated = false;
    int variable = -1;  // none: -1
    std::string_view attr;
  };

  std::vector<Term> terms_;
  std::vector<Condition> where_;
  uint16_t match_ = 0, replacement_ = 0;  // terms
  bool merge_attrs_ = false;
};

}  // namespace shlo::rewrite
