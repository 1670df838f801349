// Consumers as JSON: the file of --consumers, and what documents state.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ir/json.h"
#include "shlo/consumers.h"

namespace shlo {

// Reads consumers; `file` is the name for diagnostics. Fails with kUsage.
Result<std::vector<Consumer>> ParseConsumers(std::string_view text, const std::string& file);
// Returns a consumer, and several, in the form that ParseConsumers reads.
Json ToJson(const Consumer& consumer);
std::string ConsumersText(std::span<const Consumer> consumers);

// Returns what a requirement of --for stands for, for the documents of --json.
Json ConsumerJson(const std::string& requirement, const NamedConsumer& consumer);

}  // namespace shlo
