#include <fmt/format.h>

#include <algorithm>
#include <iterator>

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

Diagnostics VerifyProgram(const Program& program, std::span<const Dialect> dialects,
                          const VerifyOptions& options) {
  Diagnostics found = Verify(program, options);
  if (HasErrors(found)) return found;
  for (const Dialect& dialect : dialects) {
    Diagnostics own =
        VerifyDialect(program.module, dialect, {.source = &program.source, .limits = options.limits});
    std::ranges::move(own, std::back_inserter(found));
  }
  return found;
}

std::map<std::string, uint64_t> UncheckedOps(const Module& module, std::span<const Dialect> dialects) {
  std::map<std::string, uint64_t> out;
  std::map<StringId, uint64_t> by_name;
  for (size_t i = 1; i < module.ops.size(); ++i)
    if (!module.RevisionIdOf(module.ops[i])) ++by_name[module.NameIdOf(module.ops[i])];
  for (const auto& [id, count] : by_name) {
    const std::string_view name = module.strings[id];
    const std::string dialect(name.substr(0, name.find('.')));
    // Shardings are verified without rows of ops.
    if (dialect != "sdy" && std::ranges::find(dialects, dialect, &Dialect::name) == dialects.end())
      out[dialect] += count;
  }
  return out;
}

}  // namespace shlo
