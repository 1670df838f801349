// Samples: for every op row at every version a small program that holds the op, generated from the row.
// Tests of every floor run over them, so that a new op is covered before anyone writes a test for it. Not
// programs that mean something: they verify, which is all that is promised.
#pragma once

#include <string>
#include <vector>

#include "shlo/module.h"

namespace shlo {

// What sets one sample of a row and version apart from the others.
struct SampleVariant {
  enum Kind : uint8_t {
    kAbsent,      // every optional attribute is absent
    kDefaults,    // every optional attribute is written with its default
    kValue,       // one optional attribute (a group, if they only make sense together) is written otherwise
    kMeshAxes,    // replica groups given by mesh axes
    kLonger,      // lists of operands and results are longer than one
    kWithRegion,  // a list of regions has one
    kBreaks,      // a condition of older versions does not hold
  } kind = kAbsent;
  int slot = -1;  // kValue, kMeshAxes
  Cond cond{};    // kBreaks
};

// The variants a row has at a version; none when it does not exist then.
std::vector<SampleVariant> SampleVariants(RowId row, Version version);

// A program at `version` with the op in it. The row must exist at that version.
Module MakeSample(RowId row, Version version, const SampleVariant& variant = {});

// The op a sample was made for; none when the module does not hold the row.
OpId FindOp(const Module& module, RowId row);

// "stablehlo.gather at 1.1.0 (54), operand_batching_dims", for messages of tests.
std::string SampleName(RowId row, Version version, const SampleVariant& variant);

}  // namespace shlo
