#include "rewrite/simplify/rewrite_rules.h"

#include <optional>
#include <vector>

#include "ir/table/row_text.h"
#include "rewrite/simplify/formula.h"

namespace shlo::rewrite {
namespace {

enum LawIndex {
#define SHLO_LAW(...) SHLO_AT_LINE(kLaw, __LINE__),
#include "schema/rewrites.inc"
  kNumLaws
};

const std::vector<std::optional<Formula>>& Laws() {
  static const std::vector<std::optional<Formula>> kLaws = {
#define SHLO_LAW(name, elements, exactness, match, where, replacement, ...) \
  Formula::Parse(match, where, replacement),
#include "schema/rewrites.inc"
  };
  return kLaws;
}

template <LawIndex law>
bool ApplyLaw(Rewriter& r, OpId op) {
  return Laws()[law]->Apply(r, op);
}

// A law that does not follow the notation is for no op of a program.
RowId RowOfLaw(LawIndex law) { return Laws()[law] ? Laws()[law]->row() : FindOp("builtin.module"); }

}  // namespace

std::span<const Rule> SimplifyRules() {
  static const Rule kRules[] = {
#define SHLO_LAW(name, elements, exactness, match, where, replacement, counterexample) \
  {name,                                                                               \
   RowOfLaw(SHLO_AT_LINE(kLaw, __LINE__)),                                             \
   ApplyLaw<SHLO_AT_LINE(kLaw, __LINE__)>,                                             \
   Elements::elements,                                                                 \
   exactness,                                                                          \
   match " -> " replacement,                                                           \
   counterexample},
#define SHLO_REWRITE_FUNCTION(name, row, elements, exactness, function, summary, ...) \
  {name, FindOp(row), function, Elements::elements, exactness, summary, __VA_ARGS__},
#include "schema/rewrites.inc"
  };
  return kRules;
}

}  // namespace shlo::rewrite
