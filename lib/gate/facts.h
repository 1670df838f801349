// Facts about the dialect, each in an interval of versions. Frozen data and the working dialect are the same
// structure, so that they can be compared; what differs is reported by rules (sections.inc).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "shlo/version.h"

namespace shlo::gate {

// Which kind of fact: a row of sections.inc.
enum class Section : uint8_t {
#define SHLO_GATE_SECTION(name, ...) name,
#include "gate/sections.inc"
};
inline constexpr size_t kNumSections = 0
#define SHLO_GATE_SECTION(...) +1
#include "gate/sections.inc"
    ;

// The value of a fact in an interval.
struct FactRun {
  Version since, until;
  std::string value;
  uint32_t line = 0;  // of frozen data: in the file of `since`
};

// Which fact: a section, and a key whose first word is the op, kind or witness that it is about.
using FactName = std::pair<Section, std::string>;

// All facts, by name. Runs are in the order of versions, and neighbors have different values.
class Facts {
 public:
  // Adds a value in [since, until]. A fact has one value in a version; of two, both are kept, joined.
  void Add(Section section, std::string key, std::string value, Version since, Version until,
           uint32_t line = 0);
  // Returns the value at a version, or null.
  const FactRun* At(Section section, const std::string& key, Version version) const;

  std::map<FactName, std::vector<FactRun>> all;
};

// A difference between frozen and working facts, in an interval.
struct Difference {
  FactName name;
  Version since, until;
  std::optional<std::string> frozen, working;  // none: the fact does not hold
  uint32_t line = 0;                           // of the frozen value
  Version file;                                // whose file has that line
};
// Returns the differences in [first, last], in the order of names.
std::vector<Difference> Compare(const Facts& frozen, const Facts& working, Version first, Version last);

// The versions that facts are about: those of StableHLO, or of a dialect of the user's.
struct Versions {
  struct Row {
    Version version;
    std::string name;        // for messages: "1.9.0 (62)"
    std::string short_name;  // of its file: "1.9.0"
  };
  std::vector<Row> rows;   // oldest first, without gaps
  bool stablehlo = false;  // with known consumers, and other dialects that promise nothing
  const Row& Of(Version version) const;
};
Versions StablehloVersions();

// Adds the facts of this library at all its versions.
void AddTableFacts(Facts& facts);   // table_facts.cc: versions, ops, kinds, steps
void AddFormatFacts(Facts& facts);  // format_facts.cc: wire codes and fields

}  // namespace shlo::gate
