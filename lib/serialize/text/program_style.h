// What a program as a whole decides about its text, before its first op is printed: one place for the tool,
// the drop-ins and the library. Which form a single op takes: OpPrinter::CustomForm.
#pragma once

#include "shlo/text_writer.h"

namespace shlo::text {

struct ProgramStyle {
  ProgramStyle(const Module& module, const TextWriteOptions& options);

  bool exact;              // nothing may be lost
  bool generic;            // no custom forms
  bool properties;         // inherent attributes in <{...}>, else among the others
  bool version_on_module;  // the module states the version: no function does
  bool wrap;               // print the top module, not only its ops
};

// "stablehlo.compat_version": how a program states its version in text.
inline constexpr std::string_view kCompatVersion = "stablehlo.compat_version";

}  // namespace shlo::text
