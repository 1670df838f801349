// The gate of the dialect itself: what every release was is frozen as data in schema/released/, made once and
// never edited. Tables, formats, verifier and evaluator of this library are compared with all of it. For
// programs, see check.h.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shlo/check.h"
#include "shlo/diagnostics.h"
#include "shlo/dialect.h"
#include "shlo/limits.h"
#include "shlo/version.h"

namespace shlo {

// A file of frozen data: what a version has that its predecessor had not, or had differently.
struct ReleasedFile {
  std::string name;   // "1.9.0.tsv": the release, or N of a prototype version
  std::string bytes;  // lines of fields between tabs
};
// Returns the files that this library was built with, in any order.
std::vector<ReleasedFile> BuiltInReleases();

// A finding, and its consequences.
struct GateFinding {
  Finding finding;                     // its place is a line of the frozen data
  Version since;                       // first version in which the dialect differs from the release
  Version until;                       // last such version
  std::string witness_name;            // of the smallest frozen program that breaks, or ""
  std::string witness;                 // its text, or ""
  std::vector<std::string> consumers;  // that it breaks: "jaxlib 0.4.29 to 0.12.0.1"
};

// Result of a comparison.
struct GateReport {
  std::vector<GateFinding> findings;  // in the order of the rules
  Version newest;                     // newest frozen version
  uint64_t releases = 0;              // frozen versions
  uint64_t facts = 0;                 // frozen facts
  uint64_t witnesses = 0;             // frozen programs
};

// Compares the dialect with frozen data. Fails with kMalformed if the data is not what FreezeReleases writes,
// or if there is none: that is never a pass.
Result<GateReport> CheckReleases(std::span<const ReleasedFile> released, const Limits& limits = {});

// A program to freeze as a witness: what the verifier says of it, its bytes and its results.
struct WitnessSource {
  std::string name;  // for messages
  std::string text;  // MLIR, one program
};

// Returns the file of every known version newer than `released`. `programs` become witnesses of the newest
// one, in addition to the samples of its ops. Fails if there is none.
Result<std::vector<ReleasedFile>> FreezeReleases(std::span<const ReleasedFile> released,
                                                 std::span<const WitnessSource> programs,
                                                 const Limits& limits = {});

// As CheckReleases and FreezeReleases, for a dialect that a file defines. Programs become witnesses of the
// version that they state, if it is not frozen yet; there are no samples. GateFinding::since and until, and
// GateReport::newest, are versions of the dialect.
Result<GateReport> CheckDialectReleases(const Dialect& dialect, std::span<const ReleasedFile> released,
                                        const Limits& limits = {});
Result<std::vector<ReleasedFile>> FreezeDialectReleases(const Dialect& dialect,
                                                        std::span<const ReleasedFile> released,
                                                        std::span<const WitnessSource> programs,
                                                        const Limits& limits = {});

}  // namespace shlo
