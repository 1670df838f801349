// Consumers as JSON: the file of --consumers.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shlo/consumers.h"

namespace shlo::tasks {

// Reads consumers; `file` is the name for diagnostics. Fails with kUsage.
Result<std::vector<Consumer>> ParseConsumers(std::string_view text, const std::string& file);
// Returns consumers in the form that ParseConsumers reads.
std::string ConsumersText(std::span<const Consumer> consumers);

}  // namespace shlo::tasks
