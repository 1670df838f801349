// Dialects of the user's files: --dialect.
#include "dialects.h"

#include <algorithm>

#include "base/format.h"

namespace shlo::tool {

int LoadDialects(Context& ctx, const std::vector<std::string>& files) {
  if (files.empty()) return kDone;
  auto dialects = std::make_shared<std::vector<Dialect>>(ctx.Dialects().begin(), ctx.Dialects().end());
  for (const std::string& path : files) {
    const auto file = SHLO_TAKE(ctx, OpenInput(path));
    auto dialect = SHLO_TAKE(ctx, ParseDialect(file.bytes, path));
    if (std::ranges::find(*dialects, dialect.name, &Dialect::name) != dialects->end())
      return ctx.Fail(Code::kUsage, StrFormat("dialect '{}' is defined twice", dialect.name), {.file = path},
                      "pass --dialect once for each dialect");
    dialects->push_back(std::move(dialect));
  }
  ctx.dialects = std::move(dialects);
  return kDone;
}

}  // namespace shlo::tool
