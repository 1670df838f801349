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
  return form == Form::kWhile || form == Form::kScan || form == Form::kFor;
}

}  // namespace shlo
