// The rules of schema/check_rules.inc as an enumeration.
#pragma once

#include "shlo/check.h"

namespace shlo {

enum class CheckRule : uint8_t {
#define SHLO_CHECK_RULE(name, ...) name,
#include "schema/check_rules.inc"
};

// Returns the severity of the diagnostic of a finding.
inline Severity SeverityOf(CheckSeverity severity) {
  return severity == CheckSeverity::kError     ? Severity::kError
         : severity == CheckSeverity::kWarning ? Severity::kWarning
                                               : Severity::kNote;
}

}  // namespace shlo
