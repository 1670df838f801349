// Size of a program in a simple encoding: row by row as varints, then zstd -3. A baseline for the size of
// `.shlo`, never read back.
#pragma once

#include <cstdint>

#include "shlo/module.h"

#define SHLO_ROW_BASELINE 1

namespace shlo::bench {

struct RowBaseline {
  uint64_t ops = 0;     // compressed bytes of the op stream only
  uint64_t tables = 0;  // of strings, types, attributes and small constants only
  uint64_t total = 0;   // of both as one zstd frame
};

// Per op: op id, operand count, operand ids, result count, result type ids, attribute ids, region count, and
// for each block its arguments' types and its ops, in order. Values are numbered per function, types and
// attributes in order of first use. Tables hold each string, type and attribute once, row by row.
RowBaseline MeasureRowBaseline(const Module& module);

inline uint64_t RowBaselineSize(const Module& module) { return MeasureRowBaseline(module).total; }

}  // namespace shlo::bench
