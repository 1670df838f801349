// Documents about the tables: ops, and rules of the gate.
#include "base/format.h"
#include "capi/internal.h"
#include "ir/nearest_names.h"
#include "tasks/check_report.h"
#include "tasks/op_pages.h"

using namespace shlo::capi;
using shlo::Code;
namespace tasks = shlo::tasks;

extern "C" {

shlo_error* shlo_ops_json(const char* name, shlo_buffer** out) {
  return Try([&] {
    Require(out, "out");
    *out = nullptr;
    std::vector<shlo::RowId> rows;
    if (name) {
      rows = tasks::FindOps(name);
    } else {
      for (uint16_t i = 1; i < shlo::OpRows().size(); ++i) rows.push_back(shlo::RowId{i});
    }
    if (rows.empty())
      Fail(Code::kUsage, shlo::StrFormat("unknown op '{}'", name), shlo::DidYouMean(shlo::NearestOp(name)));
    *out = NewBuffer(tasks::JsonText("ops", tasks::OpsJson(rows), tasks::kDone, {}));
  });
}

shlo_error* shlo_rules_json(const char* rule, shlo_buffer** out) {
  return Try([&] {
    Require(out, "out");
    *out = nullptr;
    const shlo::CheckRuleRow* only = rule ? shlo::FindCheckRule(rule) : nullptr;
    if (rule && !only) Fail(Code::kUsage, shlo::StrFormat("unknown rule '{}'", rule));
    *out = NewBuffer(tasks::JsonText("rules", tasks::RulesJson(only), tasks::kDone, {}));
  });
}

}  // extern "C"
