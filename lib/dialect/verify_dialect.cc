#include <fmt/format.h>

#include "base/guarded.h"
#include "dialect/op_check.h"
#include "shlo/dialect.h"

namespace shlo {

Diagnostics VerifyDialect(const Module& module, const Dialect& dialect, const DialectOptions& options) {
  return Guarded(options.limits, [&]() -> Diagnostics {
    const auto version = DialectVersionOf(module, dialect, options.source);
    if (!version) return version.error();
    Diagnostics found;
    dialect::OpCheck check(module, dialect, *version, options.max_diagnostics);
    for (OpId op(1); op.v < module.ops.size(); ++op.v) {
      Tick();
      check.Check(op, options.source, &found);
      if (found.size() <= options.max_diagnostics) continue;
      found.resize(options.max_diagnostics);
      Diagnostic& note = found.emplace_back();
      note.severity = Severity::kNote;
      note.code = Code::kInvalidProgram;
      note.message = "more diagnostics not shown";
      break;
    }
    return found;
  });
}

}  // namespace shlo
