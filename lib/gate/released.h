// Frozen data: the files of schema/released/*.tsv.
//
// A file has the facts that begin, change or end in its version, one per line, in the order of their names.
// Fields are divided by tabs; `\t`, `\n` and `\\` stand for the characters.
//
//   gate 1 <N> <release> <checksum of the predecessor's file>        first line; "-" without a predecessor
//   <section> <key> <value>                                          the fact has this value from N on
//   -<section> <key>                                                 it does not hold from N on
//   witness <key> <part>... <program>                                parts as in witness.h
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "gate/facts.h"
#include "shlo/gate.h"

namespace shlo::gate {

// A frozen program.
struct Witness {
  Version version;  // of the program
  Version newest;   // newest known version when it was frozen
  std::string text;
  uint32_t line = 0;
};

// Frozen data, read.
struct Released {
  Facts facts;  // with the parts of witnesses
  std::map<std::string, Witness> witnesses;
  std::vector<Version> versions;  // oldest first
  std::vector<Version> edited;    // files that are not what their successor states
  std::string last_checksum;      // of the newest file
  uint64_t num_facts = 0;
  Version newest() const { return versions.empty() ? Version() : versions.back(); }
};
// Reads files in any order. Fails with kMalformed; the place is the line.
Result<Released> ReadReleased(std::span<const ReleasedFile> files);

// Returns the name of the file of a version: "1.9.0.tsv".
std::string FileNameOf(const Versions::Row& version);

// Returns the file of a version. `state` is what held before, and becomes what holds in it. Parts of
// witnesses are not facts of a version; `witnesses` are those that begin in this one, with their parts in
// `working`.
std::string WriteRelease(const Versions::Row& row, const Facts& working,
                         const std::map<std::string, Witness>& witnesses, const std::string& predecessor,
                         std::map<FactName, std::string>* state);

// Returns the checksum of a file, which its successor states.
std::string ChecksumOf(std::string_view bytes);

}  // namespace shlo::gate
