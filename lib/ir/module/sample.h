// Generates a minimal program for each op and version. Tests of every layer iterate over these, so a new op
// is covered automatically. The programs verify, but compute nothing meaningful.
#pragma once

#include <string>
#include <vector>

#include "shlo/module.h"

namespace shlo {

// Variants of the sample of a row and version.
struct SampleVariant {
  enum Kind : uint8_t {
    kAbsent,      // every optional attribute is absent
    kDefaults,    // every optional attribute is written with its default
    kValue,       // one optional attribute (or a group that belongs together) has a non-default value
    kMeshAxes,    // replica groups given by mesh axes
    kLonger,      // lists of operands and results have more than one item
    kWithRegion,  // a list of regions has one region
    kBreaks,      // a condition of older versions is violated
  } kind = kAbsent;
  int slot = -1;  // kValue, kMeshAxes
  Cond cond{};    // kBreaks
};

// Returns the variants of a row at a version; empty if the op does not exist in it.
std::vector<SampleVariant> SampleVariants(RowId row, Version version);

// Returns a program at `version` with the op in it. The op must exist at that version.
Module MakeSample(RowId row, Version version, const SampleVariant& variant = {});

// Returns the op that a sample was made for, or none.
OpId FindOp(const Module& module, RowId row);

// Returns "stablehlo.gather at 1.1.0 (54), operand_batching_dims", for messages of tests.
std::string SampleName(RowId row, Version version, const SampleVariant& variant);

}  // namespace shlo
