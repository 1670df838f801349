// Witnesses: small programs, and what every layer makes of them. A release freezes both; later the program is
// given to the layers again.
#pragma once

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <string_view>

#include "gate/facts.h"
#include "shlo/diagnostics.h"
#include "shlo/limits.h"
#include "shlo/module.h"
#include "shlo/text_writer.h"

namespace shlo::gate {

// The parts of a witness, in the order of frozen lines; the program is last.
inline constexpr Section kWitnessParts[] = {
    Section::kVerdict,  Section::kText,   Section::kGeneric, Section::kVhloText,  Section::kShlo,
    Section::kBytecode, Section::kLowest, Section::kUpgrade, Section::kDowngrade, Section::kResult,
};
inline bool IsWitnessPart(Section section) {
  return std::ranges::find(kWitnessParts, section) != std::end(kWitnessParts);
}
using WitnessParts = std::map<Section, std::string>;

// A part that there is none of: it is not compared.
inline constexpr std::string_view kNoPart = "-";

// How to replay a witness.
struct ReplayOptions {
  Version version;          // of the program
  Version newest;           // what it is converted to
  uint32_t wait_ms = 2000;  // for processes that wait for each other
  std::string results;      // frozen ones: inputs without a result are left out; "": none is known
  Limits limits;
};

// Returns the verdict of the verifier, hashes of all forms and results, and what conversions give. A program
// that cannot be read has the verdict "unreadable", and nothing else.
WitnessParts Replay(std::string_view text, const ReplayOptions& options);

// Returns the op that a program is about: the one with diagnostics, or the last one that is not a constant or
// a terminator.
std::string SubjectOf(std::string_view text, Version version);

// Parts of several kinds of programs: diagnostics of each op without their words, and hashes of the forms.
std::string VerdictOf(const Diagnostics& found);
std::string TextHash(const Module& module, const TextWriteOptions& options);
std::string ShloOf(const Module& module, const Source& source);
inline constexpr std::string_view kNotReadable = ", not readable";  // end of the part of a form
inline constexpr std::string_view kRefused = "none:";  // begin of the part of what was not written
// Returns what stands for a part that failed: it fails in every release.
std::string Failed(const Diagnostics& why);

// Returns eight hexadecimal digits.
std::string HashOf(std::string_view bytes);

// Returns what the evaluator computes on each set of inputs (evaluation.cc): hashes between spaces.
std::string ResultsOf(const Module& module, const ReplayOptions& options);

}  // namespace shlo::gate
