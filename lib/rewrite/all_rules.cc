#include "rewrite/all_rules.h"

#include <vector>

#include "rewrite/fold_rules.h"
#include "rewrite/simplify/rewrite_rules.h"

namespace shlo::rewrite {

std::span<const Rule> AllRules() {
  static const auto kRules = [] {
    std::vector<Rule> all;
    for (const auto& rules : {FoldRules(), SimplifyRules()})
      all.insert(all.end(), rules.begin(), rules.end());
    return all;
  }();
  return kRules;
}

}  // namespace shlo::rewrite
