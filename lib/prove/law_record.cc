#include "prove/law_record.h"

#include <algorithm>

namespace shlo {
namespace {

constexpr LawRecord kRecords[] = {
#define SHLO_LAW_RECORD(law, l0, l1, l2, l3, l4, l5, l6, l7, date) \
  {law, {l0, l1, l2, l3, l4, l5, l6, l7}, date},
#include "prove/law_record.inc"
};
// The first row is a placeholder, because an array cannot be empty.
constexpr LawRecord kReleasedRecords[] = {
    {},
#define SHLO_LAW_RELEASED(law, l0, l1, l2, l3, l4, l5, l6, l7, date) \
  {law, {l0, l1, l2, l3, l4, l5, l6, l7}, date},
#include "prove/law_record.inc"
};
constexpr LawGap kGaps[] = {
#define SHLO_LAW_WITHOUT(rung, laws, reason) {rung, laws, reason},
#include "prove/law_record.inc"
};
constexpr Rung kRungs[] = {
    {"L0", "program", "structure, types, attributes and locations are kept"},
    {"L1", "attempt", "what the target cannot represent is refused"},
    {"L2", "comparison", "both sides agree with a reference written from the specification"},
    {"L3", "element", "every value of small types, and every small structure"},
    {"L4", "program", "random programs with boundary values"},
    {"L5", "program", "a solver finds no operands that make a difference"},
    {"L6", "type", "the law does not depend on shapes"},
    {"L7", "file", "the op is in the interpreter suite of the reference"},
};
static_assert(std::size(kRungs) == kNumRungs);

}  // namespace

const LawRecord* FindLawRecord(std::string_view law) {
  const auto at = std::ranges::find(kRecords, law, &LawRecord::law);
  return at == std::end(kRecords) ? nullptr : &*at;
}

bool HasReached(std::string_view law, const std::array<uint64_t, kNumRungs>& counts) {
  const auto is = [&](const LawRecord& record) { return record.law == law && record.counts == counts; };
  return std::ranges::any_of(kRecords, is) || std::ranges::any_of(kReleasedRecords, is);
}

std::string_view GapReason(std::string_view law, size_t rung) {
  for (const LawGap& gap : kGaps)
    if (gap.rung == rung && gap.Covers(law)) return gap.reason;
  return {};
}

std::span<const Rung> Rungs() { return kRungs; }

}  // namespace shlo
