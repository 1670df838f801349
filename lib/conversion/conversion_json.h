// The record of a conversion in documents.
#pragma once

#include "ir/json.h"
#include "shlo/conversion.h"

namespace shlo {

// Returns the keys of a conversion in the document of `convert`.
Json ConversionJson(const ConversionReport& report);

}  // namespace shlo
