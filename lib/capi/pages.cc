// Documents about the tables: ops, and rules of the gate.
#include "base/format.h"
#include "capi/internal.h"
#include "check/report.h"
#include "inspect/op_pages.h"
#include "ir/nearest_names.h"

using namespace shlo::capi;
using shlo::Code;

extern "C" {

shlo_error* shlo_ops_json(const char* name, shlo_buffer** out) {
  return Try([&] {
    Require(out, "out");
    *out = nullptr;
    std::vector<shlo::RowId> rows;
    if (name) {
      rows = shlo::FindOps(name);
    } else {
      for (uint16_t i = 1; i < shlo::OpRows().size(); ++i) rows.push_back(shlo::RowId{i});
    }
    if (rows.empty())
      Fail(Code::kUsage, shlo::StrFormat("unknown op '{}'", name), shlo::DidYouMean(shlo::NearestOp(name)));
    *out = NewBuffer(shlo::JsonText("ops", shlo::OpsJson(rows), SHLO_STATUS_DONE, {}));
  });
}

shlo_error* shlo_rules_json(const char* rule, shlo_buffer** out) {
  return Try([&] {
    Require(out, "out");
    *out = nullptr;
    const shlo::CheckRuleRow* only = rule ? shlo::FindCheckRule(rule) : nullptr;
    if (rule && !only) Fail(Code::kUsage, shlo::StrFormat("unknown rule '{}'", rule));
    *out = NewBuffer(shlo::JsonText("rules", shlo::RulesJson(only), SHLO_STATUS_DONE, {}));
  });
}

}  // extern "C"
