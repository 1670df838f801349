// The assembly forms of schema/forms.inc as an enumeration, for code with a special case for a form.
#pragma once

#include "shlo/op_table.h"

namespace shlo {

enum class Form : uint8_t {
#define SHLO_FORM(name, format) name,
#include "schema/forms.inc"
};

}  // namespace shlo
