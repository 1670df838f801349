// A program with the place it came from: what users of this library read, verify, convert and write.
#pragma once

#include <string>

#include "shlo/module.h"
#include "shlo/source.h"

namespace shlo {

// A program and its source.
struct Program {
  Module module;     // what the program is
  Source source;     // where it came from
  std::string name;  // in its container; empty if there is none
};

}  // namespace shlo
