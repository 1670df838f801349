// The record of the ladder: how far each law was checked, rung by rung (docs/proof.md). tests/proof/ladder.py
// measures it; law_rows.cc compares it with the tables of laws, so that a law without evidence does not
// build.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace shlo {

constexpr size_t kNumRungs = 8;

// A row of the record: the counts of the last full run for a law.
struct LawRecord {
  std::string_view law;                      // as in LawRow::name
  std::array<uint64_t, kNumRungs> counts{};  // of checks, in the unit of the rung; 0: not reached
  std::string_view date;                     // of the run: "2026-11-23"
};
// The reason why laws do not reach a rung.
struct LawGap {
  size_t rung;
  std::string_view laws;  // a name, or how names begin, with a '*' at the end
  std::string_view reason;
  constexpr bool Covers(std::string_view law) const {
    return laws.ends_with('*') ? law.starts_with(laws.substr(0, laws.size() - 1)) : law == laws;
  }
};

// Returns the record of a law by name, or nullptr.
const LawRecord* FindLawRecord(std::string_view law);
// Returns whether these are the counts of a law, in the record or in that of an earlier release: certificates
// of that release stay valid.
bool HasReached(std::string_view law, const std::array<uint64_t, kNumRungs>& counts);
// Returns why a law does not reach a rung; "" if no reason is stated.
std::string_view GapReason(std::string_view law, size_t rung);
// A rung: "L0", what it counts ("program"), what it checks.
struct Rung {
  std::string_view name, unit, checks;
};
std::span<const Rung> Rungs();

}  // namespace shlo
