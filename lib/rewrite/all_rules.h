// All rules that keep the meaning of programs, each of which is a law (lib/prove/laws.h).
#pragma once

#include <span>

#include "rewrite/driver.h"

namespace shlo::rewrite {

std::span<const Rule> AllRules();

}  // namespace shlo::rewrite
