// Structural equality of two modules, independent of the order of their tables.
#pragma once

#include <string>

#include "shlo/module.h"
#include "shlo/source.h"

namespace shlo {

// Options of FirstDifference.
struct CompareOptions {
  bool locations = true;           // compare locations, too
  bool custom_forms = false;       // except of block arguments that a custom form cannot state
  bool columns = true;             // distinguish a line without a column from column 0, as no text does
  bool version = true;             // compare the versions
  bool defaults = true;            // distinguish absent attributes from written defaults
  const Source* source = nullptr;  // of the first module, for the line of a difference
};

// Returns "" if the modules are equal; otherwise one sentence about the first difference and its place.
std::string FirstDifference(const Module& a, const Module& b, const CompareOptions& options = {});

}  // namespace shlo
