// The assembly forms of schema/forms.inc as an enumeration, for code with a special case for a form.
#pragma once

#include "shlo/op_table.h"

namespace shlo {

enum class Form : uint8_t {
#define SHLO_FORM(name, format) name,
#include "schema/forms.inc"
};

// Returns whether a form names the arguments of its regions itself, as in `while(%i = %0)`, where MLIR has
// no room for their locations.
constexpr bool NamesArguments(Form form) {
  return form == Form::kWhile || form == Form::kScan || form == Form::kFor || form == Form::kScfWhile ||
         form == Form::kForall || form == Form::kParallel;
}

// Returns whether a form omits the last op of its regions if that op has neither operands nor attributes, and
// the op around it no results.
constexpr bool OmitsEnd(Form form) {
  return form == Form::kFor || form == Form::kConditional || form == Form::kAssuming ||
         form == Form::kIndexSwitch || form == Form::kForall;
}

}  // namespace shlo
