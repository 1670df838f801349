// What a program costs when it is written the plain way: row by row as varints, then zstd -3. The yardstick
// for the size of `.shlo`; nothing reads it.
#pragma once

#include <cstdint>

#include "shlo/module.h"

#define SHLO_ROW_BASELINE 1

namespace shlo::bench {

struct RowBaseline {
  uint64_t ops = 0;     // bytes after compression of the op stream alone
  uint64_t tables = 0;  // of strings, types, attributes and small constants alone
  uint64_t total = 0;   // of both as one zstd frame
};

// Per op: op id, operand count, operand ids, result count, result type ids, attribute ids, region count, and
// for each block its arguments' types and its ops, in order. Values are numbered per function, types and
// attributes in order of first use. Tables hold each string, type and attribute once, row by row.
RowBaseline MeasureRowBaseline(const Module& module);

inline uint64_t RowBaselineSize(const Module& module) { return MeasureRowBaseline(module).total; }

}  // namespace shlo::bench
