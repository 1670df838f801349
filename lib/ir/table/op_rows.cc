// Nothing but the rows: compiling this file checks schema/ops.inc, and no other mistake gets in the way.
#include "ir/table/op_rows.h"
