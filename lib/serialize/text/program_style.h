// Printing decisions for a whole program, made before its first op is printed, for the tool, the drop-ins
// and the library alike. OpPrinter::CustomForm decides the form of a single op.
#pragma once

#include <vector>

#include "shlo/op_table.h"
#include "shlo/text_writer.h"

namespace shlo::text {

struct ProgramStyle {
  ProgramStyle(const Module& module, const TextWriteOptions& options);

  bool mhlo;               // print MHLO
  bool exact;              // the text must not lose information
  bool generic;            // no custom forms
  bool properties;         // inherent attributes in <{...}>, else among the others
  bool version_on_module;  // the module states the version: no function does
  bool wrap;               // print the top module, not only its ops

  // Differences of the version of the program, by row of the op table; empty for none.
  bool space_before_cases;        // two spaces before the case of an enum in a form
  bool boolean_lists = false;     // constants of i1 are lists, not hexadecimal
  std::vector<bool> dense_lists;  // lists among the inherent attributes are dense<...>, not array<...>
  std::vector<bool> generic_ops;  // no custom form

  static bool Has(const std::vector<bool>& ops, RevisionId revision) {
    return !ops.empty() && revision && ops[RevisionOf(revision).row.v];
  }
};

// A difference of texts from some version on: a row of schema/older_texts.inc.
struct TextChange {
  Version since;
  std::string_view op;  // "": all ops, or all that no other row names
  std::string_view before, after;
};
std::vector<TextChange> TextChanges();

}  // namespace shlo::text
