#include <functional>
#include <memory>
#include <utility>

#include "base/guarded.h"
#include "base/workers.h"
#include "shlo/shlo_reader.h"

namespace shlo {

struct ConstantChecks::Running {
  explicit Running(std::function<Result<bool>()> check)
      : call([this, check = std::move(check)] {
          if (auto ok = check(); !ok) found = std::move(ok.error());
        }) {}
  Diagnostics found;
  Beside call;  // last: it ends first
};

ConstantChecks::ConstantChecks() = default;
ConstantChecks::~ConstantChecks() = default;

void ConstantChecks::Add(std::function<Result<bool>()> check) {
  running_.push_back(std::make_unique<Running>(std::move(check)));
}

Result<bool> ConstantChecks::Wait() {
  const auto all = std::exchange(running_, {});
  return Guarded([&]() -> Result<bool> {
    for (const auto& running : all) {
      running->call.Wait();
      if (!running->found.empty()) return tl::unexpected(std::move(running->found));
    }
    return true;
  });
}

}  // namespace shlo
