// The commas of the tables of kinds and versions: a forgotten one is reported with its row. Included ahead of
// the headers that read these tables, since they would complain first.
#pragma once

#include "ir/table/row_text.h"

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
