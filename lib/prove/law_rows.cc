// Nothing but checks: a law without a row in prove/law_record.inc does not compile, nor does a row without a
// law, or a rung without checks or a reason. It is not a part of the library, so that tests/proof/ladder.py
// can measure a new law before the law has a row.
#include "prove/law_record.h"
#include "versioning/step_rows.h"

namespace shlo {
namespace {

using step_rows::CellRun, step_rows::kRevisions, step_rows::After;

constexpr LawRecord kRecords[] = {
#define SHLO_LAW_RECORD(law, l0, l1, l2, l3, l4, l5, l6, l7, date) \
  {law, {l0, l1, l2, l3, l4, l5, l6, l7}, date},
#include "prove/law_record.inc"
};
constexpr LawGap kGaps[] = {
#define SHLO_LAW_WITHOUT(rung, laws, reason) {rung, laws, reason},
#include "prove/law_record.inc"
};

// --- Names --------------------------------------------------------------------------------------------

constexpr std::string_view kArrow = " -> ", kExpansion = "expansion of ";

// Returns whether a name is that of a revision: "vhlo.gather_v2", or "stablehlo.sub" if VHLO lacks it.
constexpr bool Names(std::string_view name, const CellRun& run) {
  if (run.ordinal == 0) return name == run.op;
  const std::string_view mnemonic = run.op.substr(run.op.find('.') + 1);
  return name.size() == mnemonic.size() + 8 && name.starts_with("vhlo.") &&
         name.substr(5, mnemonic.size()) == mnemonic && name.ends_with(char('0' + run.ordinal)) &&
         name.substr(5 + mnemonic.size(), 2) == "_v";
}
constexpr bool NamesStep(std::string_view law, const CellRun& from, const CellRun& to) {
  const size_t at = law.find(kArrow);
  return at != law.npos && Names(law.substr(0, at), from) && Names(law.substr(at + kArrow.size()), to);
}

constexpr bool IsLaw(std::string_view law) {
#define SHLO_PROGRAM_LAW(name) \
  if (law == name) return true;
#include "prove/laws.inc"
#define SHLO_EXPANDED(op) \
  if (law.starts_with(kExpansion) && law.substr(kExpansion.size()) == op) return true;
#define SHLO_REWRITE(op, ...) SHLO_EXPANDED(op)
#define SHLO_RECIPE(op, ...) SHLO_EXPANDED(op)
#include "schema/expansions.inc"
  if (law.find(kArrow) == law.npos) return false;
  for (size_t i = 1; i < kRevisions.size(); ++i)
    if (const CellRun* const next = After(kRevisions[i]))
      if (NamesStep(law, kRevisions[i], *next) || NamesStep(law, *next, kRevisions[i])) return true;
  return false;
}

// --- Every row is right -------------------------------------------------------------------------------

enum class Wrong : uint8_t { kFine, kTwice, kNoLaw, kNoPrograms, kDate, kNoReason };

constexpr bool IsDate(std::string_view date) {
  if (date.size() != 10) return false;
  for (size_t i = 0; i < 10; ++i)
    if (i == 4 || i == 7 ? date[i] != '-' : date[i] < '0' || date[i] > '9') return false;
  return true;
}

constexpr Wrong WrongRow(std::string_view law) {
  const LawRecord* row = nullptr;
  for (const LawRecord& record : kRecords) {
    if (record.law != law) continue;
    if (row) return Wrong::kTwice;
    row = &record;
  }
  if (!IsLaw(law)) return Wrong::kNoLaw;
  if (row->counts[4] == 0) return Wrong::kNoPrograms;
  if (!IsDate(row->date)) return Wrong::kDate;
  for (size_t rung = 0; rung < kNumRungs; ++rung) {
    bool stated = row->counts[rung] > 0;
    for (const LawGap& gap : kGaps) stated |= gap.rung == rung && gap.Covers(law) && !gap.reason.empty();
    if (!stated) return Wrong::kNoReason;
  }
  return Wrong::kFine;
}

#define SHLO_LAW_RECORD(law, ...)                                                                      \
  static_assert(WrongRow(law) != Wrong::kNoLaw, "law_record.inc: " law ": no law has this name");      \
  static_assert(WrongRow(law) != Wrong::kTwice, "law_record.inc: " law ": the law is listed twice");   \
  static_assert(WrongRow(law) != Wrong::kNoPrograms,                                                   \
                "law_record.inc: " law ": the law was not checked by programs (L4)");                  \
  static_assert(WrongRow(law) != Wrong::kDate, "law_record.inc: " law ": the date is not YYYY-MM-DD"); \
  static_assert(WrongRow(law) != Wrong::kNoReason,                                                     \
                "law_record.inc: " law ": a rung has neither checks nor a reason (SHLO_LAW_WITHOUT)");
#include "prove/law_record.inc"

// Whether a reason explains some rung, and contradicts none that it names alone.
constexpr bool Explains(const LawGap& gap) {
  for (const LawRecord& record : kRecords)
    if (gap.rung < kNumRungs && gap.Covers(record.law) && record.counts[gap.rung] == 0) return true;
  return false;
}
#define SHLO_LAW_WITHOUT(rung, laws, reason)                                             \
  static_assert(rung != 4, "law_record.inc: " laws ": no reason excuses a law from L4"); \
  static_assert(Explains({rung, laws, reason}),                                          \
                "law_record.inc: " laws ": a reason for a rung that every such law reaches");
#include "prove/law_record.inc"

// --- Every law has a row ------------------------------------------------------------------------------

constexpr bool HasRow(std::string_view first, std::string_view rest) {
  for (const LawRecord& record : kRecords)
    if (record.law.size() == first.size() + rest.size() && record.law.starts_with(first) &&
        record.law.ends_with(rest))
      return true;
  return false;
}
constexpr bool HasStepRow(const CellRun& from, const CellRun& to) {
  for (const LawRecord& record : kRecords)
    if (NamesStep(record.law, from, to)) return true;
  return false;
}
// Returns whether the steps from the revisions of an op, and back to them, have rows.
constexpr bool HasStepRows(std::string_view op) {
  for (size_t i = 1; i < kRevisions.size(); ++i) {
    if (kRevisions[i].op != op) continue;
    const CellRun* const next = After(kRevisions[i]);
    if (next && (!HasStepRow(kRevisions[i], *next) || !HasStepRow(*next, kRevisions[i]))) return false;
  }
  return true;
}

#define SHLO_HAS_STEPS(op)       \
  static_assert(HasStepRows(op), \
                op ": a conversion step has no row in lib/prove/law_record.inc; run ./dev proof --bless");
#define SHLO_OP(...) SHLO_HAS_STEPS(SHLO_OP_NAME(__VA_ARGS__))
#include "schema/ops.inc"

// A name without a dialect is for use in other recipes.
#define SHLO_HAS_EXPANSION(op)                                                                      \
  static_assert(std::string_view(op).find('.') == std::string_view::npos || HasRow(kExpansion, op), \
                "expansion of " op ": no row in lib/prove/law_record.inc; run ./dev proof --bless");
#define SHLO_REWRITE(op, ...) SHLO_HAS_EXPANSION(op)
#define SHLO_RECIPE(op, ...) SHLO_HAS_EXPANSION(op)
#include "schema/expansions.inc"

#define SHLO_PROGRAM_LAW(name) \
  static_assert(HasRow(name, ""), name ": no row in lib/prove/law_record.inc; run ./dev proof --bless");
#include "prove/laws.inc"

// Exact expansions are expansions.
constexpr bool IsExpansion(std::string_view op) {
#define SHLO_REWRITE(name, ...) \
  if (op == name) return true;
#define SHLO_RECIPE(name, ...) \
  if (op == name) return true;
#include "schema/expansions.inc"
  return false;
}
#define SHLO_EXACT_EXPANSION(op) static_assert(IsExpansion(op), "laws.inc: " op ": no expansion of this op");
#include "prove/laws.inc"

}  // namespace
}  // namespace shlo
