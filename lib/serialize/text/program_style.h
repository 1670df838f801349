// Printing decisions for a whole program, made before its first op is printed, for the tool, the drop-ins
// and the library alike. OpPrinter::CustomForm decides the form of a single op.
#pragma once

#include "shlo/text_writer.h"

namespace shlo::text {

struct ProgramStyle {
  ProgramStyle(const Module& module, const TextWriteOptions& options);

  bool exact;              // the text must not lose information
  bool generic;            // no custom forms
  bool properties;         // inherent attributes in <{...}>, else among the others
  bool version_on_module;  // the module states the version: no function does
  bool wrap;               // print the top module, not only its ops
};

}  // namespace shlo::text
