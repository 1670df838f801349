// Structural equality of two modules, whatever order their tables were built in.
#pragma once

#include <string>

#include "shlo/module.h"
#include "shlo/source.h"

namespace shlo {

struct CompareOptions {
  bool locations = true;           // compare locations too
  bool version = true;             // compare the versions
  bool defaults = true;            // an absent slot differs from a written default
  const Source* source = nullptr;  // of the first module, for the line of a difference
};

// "" when equal; otherwise one sentence that says where the first difference is and what it is.
std::string FirstDifference(const Module& a, const Module& b, const CompareOptions& options = {});

}  // namespace shlo
