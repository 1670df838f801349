// Documents about ops.
#include "base/format.h"
#include "capi/internal.h"
#include "check/report.h"
#include "ir/nearest_names.h"
#include "pages/op_pages.h"

using namespace shlo::capi;
using shlo::Code;

extern "C" {

shlo_error* shlo_ops_json(const char* name, shlo_buffer** out) {
  return Make(out, [&] {
    std::vector<shlo::RowId> rows;
    if (name) {
      rows = shlo::FindOps(name);
    } else {
      for (uint16_t i = 1; i < shlo::OpRows().size(); ++i) rows.push_back(shlo::RowId{i});
    }
    if (rows.empty())
      Fail(Code::kUsage, shlo::StrFormat("unknown op '{}'", name), shlo::DidYouMean(shlo::NearestOp(name)));
    return NewBuffer(shlo::JsonText("ops", shlo::OpsJson(rows), SHLO_STATUS_DONE, {}));
  });
}

}  // extern "C"
