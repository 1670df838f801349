// The commas of the tables of kinds and versions: a forgotten one is reported with its row. Included ahead of
// the headers that read these tables, since they would complain first.
#pragma once

#include "ir/table/row_text.h"

// Takes the row as text: arguments of a macro that are passed on are expanded.
#define SHLO_ROW_COMMAS(row)                                                   \
  static_assert(shlo::table::FlawOf(nullptr, row) == shlo::table::Flaw::kNone, \
                "a comma is missing, or one too many, in the row " row);
#define SHLO_TYPE(...) SHLO_ROW_COMMAS(#__VA_ARGS__)
#define SHLO_ATTR(...) SHLO_ROW_COMMAS(#__VA_ARGS__)
#define SHLO_QUANTIZED(...) SHLO_ROW_COMMAS(#__VA_ARGS__)
#define SHLO_LOCATION(...) SHLO_ROW_COMMAS(#__VA_ARGS__)
#include "schema/kinds.inc"
#define SHLO_ELEMENT_TYPE(...) SHLO_ROW_COMMAS(#__VA_ARGS__)
#include "schema/element_types.inc"
#define SHLO_ENUM(...) SHLO_ROW_COMMAS(#__VA_ARGS__)
#define SHLO_CASE(...) SHLO_ROW_COMMAS(#__VA_ARGS__)
#include "schema/enums.inc"
#define SHLO_VERSION(...) SHLO_ROW_COMMAS(#__VA_ARGS__)
#include "schema/versions.inc"
#undef SHLO_ROW_COMMAS
