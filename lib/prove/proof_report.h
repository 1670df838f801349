// Reports of proofs, for people and as JSON, and the program that shows a difference.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/printable.h"
#include "ir/json.h"
#include "shlo/module.h"
#include "shlo/prove.h"

namespace shlo {

// Returns a line for each law.
TerminalText LawLines(const std::vector<Law>& laws);
// Returns the report: a line per function with what differs, and the laws; and its last line.
TerminalText ProofText(const Proof& proof);
TerminalText SummaryText(const Proof& proof, Version a, Version b);
// Returns the keys of a proof in the document of `prove`.
Json ProofJson(const Proof& proof, std::string_view at_least);

// Returns the program of the first function, or part of one, that differs; nullopt if no input is known.
// Describes it in `*what`.
std::optional<Result<Module>> FirstCounterexample(const Proof& proof, const Module& a, const Module& b,
                                                  std::string* what);

}  // namespace shlo
