// The record of a conversion in documents.
#pragma once

#include "shlo/conversion.h"
#include "tasks/json.h"

namespace shlo::tasks {

// Returns the keys of a conversion in the document of `convert`.
Json ConversionJson(const ConversionReport& report);

}  // namespace shlo::tasks
