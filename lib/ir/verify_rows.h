// Row conformance: what the op table demands of one op. Used by the verifier only.
#pragma once

#include <functional>
#include <string>

#include "ir/diagnostics.h"
#include "ir/module.h"

namespace shlo {

// Receives one finding about the op under inspection.
using Report = std::function<void(Severity, Code, std::string message, std::string hint)>;

// Versions, arities, attribute classes, conditions and type constraints of an op with a row.
void CheckRow(const Module& module, const Op& op, const Report& report);

// Whether a written attribute is of the class its slot demands.
bool FitsClass(const Module& module, const Cell& attr, AttrId value);

}  // namespace shlo
